/* view_bench.c -- what the views of a session cost on the way of a word, beside what is done anyway.
 *
 * usage: view_bench [--rounds N]    one JSON object a line
 * Parts: observe (a line kept for whoever may observe, beside reading that line as JSON, and read once with
 * its secrets taken out), ui (a delta into a stage that nobody and that one viewer looks at, beside the bare
 * fold of it). CPU of the process, the least of N rounds; the ratios are of one run. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "server/hub/observe.h"
#include "server/hub/ui_stage.h"
#include "server/provider/tidy.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define TIMES 20000

static const char line[] =
	"{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_delta\",\"index\":0,"
	"\"delta\":{\"type\":\"text_delta\",\"text\":\"word "
	"\"}},\"session_id\":\"81f88ea2-a6ec-411e-"
	"b349-ef6c94e9e134\",\"parent_tool_use_id\":null,\"uuid\":\"36ac3b51-cb59-486e-823c-"
	"dfd199d4bd1c\",\"ttft_ms\":1}";

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- observe ---- */

static struct {
	struct observe *o;
	struct observe_tap *tap;
} t;

static void is_ready(void *ctx)
{
	(void)ctx;
}

static double keep(void)
{
	double begin = now_ns();

	for (int i = 0; i < TIMES; i++) {
		observe_line(t.tap, TAPE_IN, vy_str_c(line));
	}
	return (now_ns() - begin) / TIMES;
}

static double parse(void)
{
	double begin = now_ns();

	for (int i = 0; i < TIMES; i++) {
		vy_json_free(vy_json_parse_lenient(vy_str_c(line), NULL));
	}
	return (now_ns() - begin) / TIMES;
}

static double look(void)
{
	struct observe_open o = { .session = "s", .ready = is_ready };
	struct observe_sub *s = observe_subscribe(t.o, &o);
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);
	double begin = now_ns();
	int n = 0;

	while (observe_next(s, &out)) {
		vy_buf_clear(&out);
		n++;
	}
	observe_unsubscribe(s);
	return n ? (now_ns() - begin) / n : 0;
}

/* ---- ui ---- */

enum { FOLD, STAGE, LOOKED_AT };

static double deltas(int how)
{
	struct vy_fold *fold = vy_fold_new();
	struct ui_stage *stage = ui_stage_new(vy_fold_new(), "e");
	struct ui_place place = { 0 };
	VY_AUTO_BUF out = VY_BUF_INIT(16 * VY_MIB);
	struct vy_frame f;
	double begin = now_ns();

	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	vy_frame_set_c(&f, VY_F_MESSAGE, "m");
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_c(&f, VY_F_TEXT, "word ");
	for (int i = 1; i <= TIMES; i++) {
		f.cur = (uint64_t)i;
		if (how == FOLD) {
			vy_fold_apply(fold, &f, NULL);
			continue;
		}
		(void)!ui_stage_apply(stage, &f, sizeof(line), i); /* a thousand words a second */
		ui_stage_tick(stage, i);
		while (how == LOOKED_AT && ui_stage_next(stage, &place, &out)) {
			vy_buf_clear(&out);
		}
	}
	begin = (now_ns() - begin) / TIMES;
	ui_stage_free(stage);
	vy_fold_free(fold);
	return begin;
}

/* ---- what is said ---- */

static double least(double a, double b)
{
	return a == 0 || b < a ? b : a;
}

int main(int argc, char **argv)
{
	long long rounds = 7;
	struct vy_loop *loop = vy_loop_new();
	double v[6] = { 0 };

	if (argc > 2 && strcmp(argv[1], "--rounds") == 0) {
		vy_parse_i64(vy_str_c(argv[2]), &rounds);
	}
	t.o = observe_new(&(struct observe_conf){
		.loop = loop, .clock = &vy_clock_real, .starts = 1, .tidy = tidy_line });
	t.tap = observe_attach(t.o, "s");
	for (int i = 0; i < rounds; i++) {
		v[0] = least(v[0], keep());
		v[1] = least(v[1], parse());
		v[2] = least(v[2], look());
		for (int how = FOLD; how <= LOOKED_AT; how++) {
			v[3 + how] = least(v[3 + how], deltas(how));
		}
	}
	printf("{\"bench\":\"view\",\"part\":\"observe\",\"line_bytes\":%zu,\"keep_ns\":%.0f,"
	       "\"parse_ns\":%.0f,"
	       "\"look_ns\":%.0f,\"keep_ratio\":%.3f,\"keep_limit\":0.1,\"keep_met\":%s}\n",
		strlen(line), v[0], v[1], v[2], v[0] / v[1], v[0] <= 0.1 * v[1] ? "true" : "false");
	printf("{\"bench\":\"view\",\"part\":\"ui\",\"words\":%d,\"fold_ns\":%.0f,\"stage_ns\":%."
	       "0f,"
	       "\"looked_at_ns\":%.0f}\n",
		TIMES, v[3], v[4], v[5]);
	observe_detach(t.tap);
	observe_free(t.o);
	vy_loop_free(loop);
	return 0;
}
