/* prologue_fuzz.c -- a stream cut anywhere: a fresh emulator with the prologue is the same, and stays
 * so with the rest of the stream and at another size. The first four bytes: size, cut, scrollback. */
#include <stdint.h>
#include <stdio.h>

#include "shared/vt/vt.h"
#include "tests/shared/vt/twin.h"
#include "shared/base/ban.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(const struct vy_vt *a, const struct vy_vt *b)
{
	VY_AUTO_BUF why = VY_BUF_INIT(4096);

	if (!twin_same(a, b, &why)) {
		fprintf(stderr, "%s", vy_buf_c(&why));
		vy_assert(!"the prologue is exact");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n < 4) {
		return 0;
	}
	struct vy_str in = vy_str_n((const char *)data + 4, n - 4);
	size_t cut = in.n ? data[2] * in.n / 256 : 0;
	struct vy_vt *a = vy_vt_new(data[0] % 24, data[1] % 10, data[3] % 8, NULL);

	vy_vt_feed(a, vy_str_n(in.p, cut));
	struct vy_vt *b = twin_of(a);

	check(a, b);
	vy_vt_feed(a, vy_str_from(in, cut));
	for (size_t i = cut; i < in.n; i++) {
		vy_vt_feed(b, vy_str_n(in.p + i, 1));
	}
	check(a, b);
	vy_vt_resize(a, data[1] % 30, data[2] % 12);
	vy_vt_resize(b, data[1] % 30, data[2] % 12);
	check(a, b);
	vy_vt_free(a);
	vy_vt_free(b);
	return 0;
}
