/* frame_bench.c -- what one frame of a streaming reply costs the client, without kernel and network.
 *
 * usage: frame_bench [WORDS]    prints one JSON object
 * The reply of reply_bench (paragraphs, weight, code) at 200x50: encoded deltas are decoded,
 * checked, folded; every second or third one the screen is painted, as at 100 words a second. The
 * times are of each stage. They depend on the machine; the repeatable figure is the number of
 * instructions:
 *
 *	valgrind --tool=callgrind --toggle-collect=show build/tests/bench/frame_bench
 */
#include <stdlib.h>
#include <time.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "tui/app/state.h"
#include "tui/ink/cell_rows.h"
#include "tui/ink/paint.h"
#include "shared/base/ban.h"

#define COLS       200
#define ROWS       50
#define WORD_MS    10
#define COLD_BYTES (8 * VY_MIB)

static struct {
	struct app_state state;
	struct cell_grid grid;
	struct paint paint;
	struct vy_arena arena;
	struct vy_buf out;
	int64_t take_ns, draw_ns, diff_ns;
	size_t frames, bytes;
	bool is_cold;
} b;

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* ---- what comes ---- */

/* Delta i of the reply, from 1, as it is on the wire. */
static struct vy_str delta(int i, struct vy_buf *line)
{
	static const char *const words[] = { "alpha", "bravo", "charlie", "delta", "echo",
		"foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima", "mike" };
	const char *mark = i % 31 == 0 ? "**" : i % 47 == 0 ? "`" : "";
	const char *behind = i % 120 == 0 ? "\n\n" : i % 400 == 0 ? "\n\n- " : " ";
	struct vy_frame f;
	char text[40];

	snprintf(text, sizeof(text), "%s%s%s%s", mark, words[(size_t)i * 7 % VY_COUNT(words)], mark,
		behind);
	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	f.cur = (uint64_t)i + 1;
	f.id = VY_STR_LIT("2gSF97P6272");
	f.session = VY_STR_LIT("s-6f1c2b9a0d");
	f.turn = VY_STR_LIT("t-77aa01");
	f.author = VY_STR_LIT("assistant:demo");
	f.time = 1800000000000 + (int64_t)i * WORD_MS;
	vy_frame_set_str(&f, VY_F_MESSAGE, VY_STR_LIT("m-1"));
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_c(&f, VY_F_TEXT, text);
	vy_buf_clear(line);
	vy_assert(vy_frame_encode(&f, line));
	return vy_buf_str(line);
}

static void take(struct vy_str line)
{
	struct app_effects fx = { 0 };
	struct vy_err e = { 0 };
	struct vy_frame f;

	vy_arena_reset(&b.arena);
	vy_assert(vy_frame_decode(line, &b.arena, &f, &e) == 0 && vy_frame_check(&f, &e) == 0);
	app_frame(&b.state, &f, &fx);
	app_effects_fini(&fx);
}

/* ---- one frame ---- */

/* What the others on this core do in the 24 ms between two frames: they use its caches. */
static void forget(void)
{
	static volatile char others[COLD_BYTES];

	for (size_t i = 0; b.is_cold && i < sizeof(others); i += 64) {
		others[i]++;
	}
}

__attribute__((noinline)) static void show(const struct vy_buf *lines, int n, int64_t at_ms)
{
	struct screen_cursor cursor = { 0 };
	int64_t start, taken, drawn;

	forget();
	start = now_ns();

	for (int i = 0; i < n; i++) {
		take(vy_buf_str(&lines[i]));
	}
	taken = now_ns();
	app_time(&b.state, at_ms, 1800000000000 + at_ms);
	app_paint(&b.state, &b.grid, &cursor);
	drawn = now_ns();
	vy_buf_clear(&b.out);
	paint_frame(&b.paint, &b.grid, cursor, &b.out);
	b.take_ns += taken - start;
	b.draw_ns += drawn - taken;
	b.diff_ns += now_ns() - drawn;
	b.bytes += b.out.len;
	b.frames++;
}

static void begin(void)
{
	struct app_effects fx = { 0 };
	struct vy_frame f;

	app_state_init(&b.state, (struct vy_width){ 0 });
	app_state_open(&b.state, "s-6f1c2b9a0d");
	app_set_line(&b.state, APP_LIVE, -1, NULL);
	cell_grid_init(&b.grid, b.state.pool, COLS, ROWS);
	cell_grid_watch(&b.grid);
	paint_init(&b.paint, (struct paint_caps){ 0 });
	vy_buf_init(&b.out, VY_MIB);
	vy_arena_init(&b.arena);
	vy_frame_init(&f, VY_KIND_STATUS);
	f.cur = 1;
	vy_frame_set_c(&f, VY_F_STATE, "working");
	app_frame(&b.state, &f, &fx);
	app_effects_fini(&fx);
}

static void end(void)
{
	vy_arena_fini(&b.arena);
	vy_buf_fini(&b.out);
	paint_fini(&b.paint);
	cell_grid_fini(&b.grid);
	app_state_fini(&b.state);
}

int main(int argc, char **argv)
{
	struct vy_buf lines[3] = { VY_BUF_INIT(4096), VY_BUF_INIT(4096), VY_BUF_INIT(4096) };
	b.is_cold = argc > 1 && strcmp(argv[1], "--cold") == 0;
	argv += b.is_cold;
	argc -= b.is_cold;
	int words = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 3000;
	VY_AUTO_BUF text = VY_BUF_INIT(4096);
	struct vy_jw out = VY_JW(&text);

	begin();
	for (int i = 1; i <= words;) {
		int n = 2 + (b.frames % 5 < 2); /* 2.4 in the mean: 24 ms */

		for (int k = 0; k < n; k++) {
			delta(i++, &lines[k]);
		}
		show(lines, n, (int64_t)i * WORD_MS);
	}
	vy_jw_obj(&out);
	vy_jw_kstr(&out, "bench", VY_STR_LIT("frame"));
	vy_jw_kint(&out, "frames", (int64_t)b.frames);
	vy_jw_kint(&out, "bytes_frame", (int64_t)(b.bytes / b.frames));
	vy_jw_kint(&out, "take_ns", b.take_ns / (int64_t)b.frames);
	vy_jw_kint(&out, "draw_ns", b.draw_ns / (int64_t)b.frames);
	vy_jw_kint(&out, "diff_ns", b.diff_ns / (int64_t)b.frames);
	vy_jw_end_obj(&out);
	puts(vy_buf_c(&text));
	for (int i = 0; i < 3; i++) {
		vy_buf_fini(&lines[i]);
	}
	end();
	return 0;
}
