/* marks_fuzz.c -- whatever a terminal prints and a person types: what is told is text, once, and the same
 * over a restart at any byte. Bytes behind a 0xFE are keys up to the next 0xFE; "K" behind an ESC ] stands
 * for a report's begin with the right key, so that the machine is reached. */
#include <stdint.h>

#include "server/term/marks.h"
#include "shared/base/buf.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define KEY "00112233445566778899aabbccddeeff"

static void on_event(void *ctx, const struct marks_event *ev)
{
	struct vy_buf *out = ctx;

	vy_assert(vy_utf8_is_valid(ev->command) && vy_utf8_is_valid(ev->cwd));
	vy_assert(ev->command.n < MARKS_COMMAND_MAX);
	vy_assert(ev->kind == MARKS_AT || ev->command.n > 0);
	vy_buf_addf(out, "%d %.*s %.*s %d\n", ev->kind, VY_STR_ARG(ev->command),
		VY_STR_ARG(ev->cwd), ev->exit);
}

/* The input with whole reports in it. */
static void expand(const uint8_t *data, size_t n, struct vy_buf *out)
{
	for (size_t i = 0; i < n; i++) {
		vy_buf_addc(out, (char)data[i]);
		if (i > 0 && data[i] == ']' && data[i - 1] == 0x1b && i + 1 < n &&
			data[i + 1] == 'K') {
			vy_buf_adds(out, "7337;" KEY ";");
			i++;
		}
	}
}

static void run(struct vy_str in, size_t restart, struct vy_buf *told)
{
	struct marks *m = marks_new(KEY);
	bool keys = false;

	for (size_t i = 0; i < in.n; i++) {
		if ((unsigned char)in.p[i] == 0xfe) {
			keys = !keys;
		} else if (keys) {
			marks_type(m, vy_str_n(in.p + i, 1));
		} else {
			marks_hear(m, vy_str_n(in.p + i, 1), on_event, told);
		}
		if (i == restart) {
			VY_AUTO_JSON *o = marks_encode(m);

			marks_free(m);
			m = marks_decode(o);
			vy_assert(m != NULL);
		}
	}
	marks_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	VY_AUTO_BUF in = VY_BUF_INIT(1 << 20);
	VY_AUTO_BUF whole = VY_BUF_INIT(1 << 22);
	VY_AUTO_BUF cut = VY_BUF_INIT(1 << 22);

	if (n < 1) {
		return 0;
	}
	expand(data + 1, n - 1, &in);
	run(vy_buf_str(&in), SIZE_MAX, &whole);
	run(vy_buf_str(&in), in.len ? data[0] * in.len / 256 : 0, &cut);
	if (!memchr(vy_buf_c(&in), 0xfe, in.len)) { /* a line that is typed does not outlive it */
		vy_assert(vy_str_eq(vy_buf_str(&whole), vy_buf_str(&cut)));
	}
	return 0;
}
