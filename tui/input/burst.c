/* burst.c -- see burst.h. */
#include "tui/input/burst.h"

#include "shared/base/ban.h"

#define QUIET_MS   30  /* a paste's next chunk follows at once */
#define LINES_MANY 3   /* line ends in one chunk */
#define BYTES_MANY 256 /* with a line end that is not the last byte */

void burst_init(struct burst *b)
{
	*b = (struct burst){ 0 };
	vy_buf_init(&b->held, KEY_PASTE_MAX);
}

void burst_fini(struct burst *b)
{
	vy_buf_fini(&b->held);
}

static bool is_end(char c)
{
	return c == '\r' || c == '\n';
}

/* No key sends it: keys with a name begin with ESC, and a hand is slower. */
static bool is_pasted(struct vy_str s)
{
	size_t lines = 0;

	for (size_t i = 0; i < s.n; i++) {
		lines += is_end(s.p[i]) && i + 1 < s.n;
	}
	return lines >= LINES_MANY || (s.n >= BYTES_MANY && lines > 0);
}

static void hold(struct burst *b, struct vy_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '\n' || !b->was_cr) {
			vy_buf_addc(&b->held, s.p[i] == '\r' ? '\n' : s.p[i]);
		}
		b->was_cr = s.p[i] == '\r';
	}
	b->total += s.n;
	b->is_on = true;
}

bool burst_takes(struct burst *b, struct vy_str bytes, bool is_ground, key_fn *emit, void *ctx)
{
	if (b->has_brackets || memchr(bytes.p, '\033', bytes.n) ||
		(!b->is_on && !(is_ground && is_pasted(bytes)))) {
		burst_timeout(b, emit, ctx);
		return false;
	}
	hold(b, bytes);
	return true;
}

int burst_wait_ms(const struct burst *b)
{
	return b->is_on ? QUIET_MS : -1;
}

void burst_timeout(struct burst *b, key_fn *emit, void *ctx)
{
	struct key_event ev = { .kind = KEY_EV_PASTE };

	if (!b->is_on) {
		return;
	}
	b->is_on = b->was_cr = false;
	ev.text = vy_buf_str(&b->held);
	ev.total = b->total;
	ev.is_cut = vy_buf_is_over(&b->held);
	emit(ctx, &ev);
	vy_buf_fini(&b->held);
	b->total = 0;
}
