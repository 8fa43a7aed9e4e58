/* holder_msg_fuzz.c -- whatever the bytes, cutting and decoding answers; what it takes, it can say again. */
#include <stdint.h>

#include "server/holder/msg.h"
#include "shared/base/cut.h"
#include "shared/base/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void try_body(struct vy_str body)
{
	VY_AUTO_BUF first = VY_BUF_INIT(VY_MIB);
	VY_AUTO_BUF second = VY_BUF_INIT(VY_MIB);
	struct msg m, again;

	if (msg_decode(body, &m, NULL) < 0 || msg_name(m.type)[0] == '?') {
		return;
	}
	vy_assert(msg_encode(&m, &first));
	vy_assert(msg_decode(vy_str_from(vy_buf_str(&first), 4), &again, NULL) == 0);
	vy_assert(again.type == m.type);
	vy_assert(msg_encode(&again, &second));
	vy_assert(vy_str_eq(vy_buf_str(&first), vy_buf_str(&second)));
	if (m.type == MSG_START) {
		vy_assert(msg_list_count(m.start.argv) > 0);
		msg_list_count(m.start.env);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_str in = vy_str_n((const char *)data, n), piece;
	struct vy_cut cut;

	try_body(in);
	vy_cut_init(&cut, VY_CUT_U32, 4096);
	while (vy_cut_next(&cut, &in, &piece) != VY_CUT_MORE) {
		try_body(piece);
	}
	vy_cut_fini(&cut);
	return 0;
}
