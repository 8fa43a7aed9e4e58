/* demo_pace.c -- words by the clock: what a measurement of the way to the screen begins with. */
#include <time.h>

#include "server/provider/demo_agent.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define CLOCK_EVERY 50

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Word i of n, counted from 1, with what a reply has: weight, code, paragraphs, a list. */
static struct vy_str word(struct demo *d, int64_t i, int64_t n)
{
	const char *w = demo_word((i - 1) * 7);
	const char *mark = i % 31 == 0 ? "**" : i % 47 == 0 ? "`" : "";
	const char *behind = i % 120 == 0 ? "\n\n" : i % 400 == 0 ? "\n\n- " : " ";

	if (i % CLOCK_EVERY == 0 || i == n) {
		return vy_str_c(vy_arena_printf(
			&d->arena, "mk%lldz%s", (long long)now_us(), i == n ? "" : behind));
	}
	return vy_str_c(vy_arena_printf(&d->arena, "%s%s%s%s", mark, w, mark, behind));
}

bool demo_pace(struct demo *d, struct demo_message *m, int64_t n, int64_t rate)
{
	VY_AUTO_BUF whole = VY_BUF_INIT(VY_LINE_MAX);
	bool is_main = !m->w->parent, goes_on = !demo_is_cut(d);
	int64_t begin = now_us();

	if (is_main) {
		demo_out_block_start(m->w, m->index, "text");
	}
	for (int64_t i = 1; i <= n && goes_on; i++) {
		struct vy_str w = word(d, i, n);

		vy_buf_addstr(&whole, w);
		if (is_main) {
			demo_out_delta(m->w, m->index, false, w);
		}
		demo_wait(d, 0);
		goes_on = demo_pause(d, (begin + i * 1000000 / rate - now_us() + 500) / 1000);
	}
	demo_message_said(d, m, false, vy_buf_str(&whole), goes_on);
	return goes_on;
}
