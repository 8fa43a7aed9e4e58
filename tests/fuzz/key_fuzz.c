/* key_fuzz.c -- whatever bytes a terminal sends: events are well formed, and however the bytes are
 * cut, they say the same. The first byte chooses the cut. */
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/text/utf8.h"
#include "tui/input/key.h"
#include "shared/base/ban.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* What was typed and pressed, as bytes; text of one or many code points is the same text. */
static void note(void *ctx, const struct key_event *ev)
{
	struct vy_buf *out = ctx;
	struct key again = key_norm(ev->key);
	char name[KEY_NAME_MAX];

	vy_assert(ev->kind == KEY_EV_PASTE || ev->kind == KEY_EV_COLOR ||
		  ev->kind == KEY_EV_VERSION || ev->kind == KEY_EV_DA ||
		  vy_utf8_is_valid(ev->text));
	if (ev->kind == KEY_EV_KEY) {
		vy_assert(ev->key.code != KEY_NONE && key_eq(again, ev->key));
		vy_assert(key_parse(vy_str_c(key_format(ev->key, false, name)), &again));
		vy_assert(key_eq(again, ev->key));
	}
	if ((ev->kind == KEY_EV_KEY && ev->text.n > 0) || ev->kind == KEY_EV_TEXT) {
		vy_buf_addstr(out, ev->text);
		return;
	}
	vy_buf_addf(out, "<%d %u %d %d %d,%d %d %d %.*s>", ev->kind, ev->key.code, ev->key.mods,
		ev->mouse.kind, ev->mouse.x, ev->mouse.y, ev->value, ev->state,
		VY_STR_ARG(ev->text));
}

static void run(struct vy_str in, size_t piece, struct vy_buf *out)
{
	struct key_parser p;

	key_init(&p);
	while (in.n > 0) {
		size_t k = piece && piece < in.n ? piece : in.n;

		key_step(&p, vy_str_n(in.p, k), note, out);
		in = vy_str_from(in, k);
	}
	vy_assert(key_wait_ms(&p) >= -1);
	key_timeout(&p, note, out);
	vy_assert(key_wait_ms(&p) == -1);
	key_fini(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	VY_AUTO_BUF whole = VY_BUF_INIT(1 << 24);
	VY_AUTO_BUF cut = VY_BUF_INIT(1 << 24);

	if (n == 0) {
		return 0;
	}
	struct vy_str in = vy_str_n((const char *)data + 1, n - 1);

	run(in, 0, &whole);
	run(in, data[0] % 7 + 1, &cut);
	vy_assert(vy_str_eq(vy_buf_str(&whole), vy_buf_str(&cut)));
	return 0;
}
