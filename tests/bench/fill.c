/* fill.c -- see fill.h. */
#include "tests/bench/fill.h"

#include <stdlib.h>

#include "server/io/work.h"
#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/base/log.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "tests/bench/world.h"
#include "shared/base/ban.h"

#define ROWS_A_TURN   3
#define TURNS_A_WRITE 100

struct fill {
	struct log *log;
	const char *session;
	int turn;
	char id[40]; /* of what is being written: m1, t1 … */
};

static struct vy_frame begin(struct fill *f, enum vy_kind kind, enum vy_fid id, const char *what)
{
	struct vy_frame frame;

	vy_frame_init(&frame, kind);
	snprintf(f->id, sizeof(f->id), "%s%d", what, f->turn);
	if (kind != VY_KIND_STATUS) {
		vy_frame_set_c(&frame, id, f->id);
	}
	return frame;
}

static void put(struct fill *f, struct vy_frame *frame)
{
	struct vy_err e = { 0 };

	if (log_append(f->log, f->session, frame, &e) != 0) {
		world_fail("a frame: %s", e.text);
	}
}

static void status(struct fill *f, const char *state)
{
	struct vy_frame frame = begin(f, VY_KIND_STATUS, 0, "");

	vy_frame_set_c(&frame, VY_F_STATE, state);
	put(f, &frame);
}

static void a_turn(struct fill *f, bool is_last)
{
	struct vy_frame said = begin(f, VY_KIND_USER_MESSAGE, VY_F_MESSAGE, "u");

	vy_frame_set_c(&said, VY_F_STATE, "sent");
	vy_frame_set_c(&said, VY_F_TEXT, "and the next one, please");
	put(f, &said);
	status(f, "working");

	struct vy_frame tool = begin(f, VY_KIND_TOOL_STARTED, VY_F_TOOL_ID, "t");

	vy_frame_set_c(&tool, VY_F_TOOL, "Bash");
	vy_frame_set_c(&tool, VY_F_KIND, "shell");
	vy_frame_set_c(&tool, VY_F_SUMMARY, "make check");
	put(f, &tool);

	struct vy_frame done = begin(f, VY_KIND_TOOL_FINISHED, VY_F_TOOL_ID, "t");

	vy_frame_set_bool(&done, VY_F_OK, true);
	vy_frame_set_c(&done, VY_F_STATUS, "completed");
	vy_frame_set_json(&done, VY_F_RESULT,
		VY_STR_LIT("{\"type\":\"terminal\",\"command\":\"make check\","
			   "\"output\":\"PASS: 128\\n\",\"exit\":0}"));
	put(f, &done);

	struct vy_frame text = begin(f, VY_KIND_TEXT_DELTA, VY_F_MESSAGE, "m");

	vy_frame_set_int(&text, VY_F_INDEX, 0);
	vy_frame_set_c(&text, VY_F_TEXT,
		is_last ? "the very last words"
			: "It is **done**: the tests pass, and `make check` says so in one line.");
	put(f, &text);

	struct vy_frame end = begin(f, VY_KIND_TEXT_DONE, VY_F_MESSAGE, "m");

	vy_frame_set_int(&end, VY_F_INDEX, 0);
	put(f, &end);
	status(f, "waiting");
}

static void stop(void *ctx)
{
	vy_loop_stop(ctx);
}

/* Until all is stored: now and then the worker tidies first. */
static void flush(struct fill *f, struct vy_loop *loop, struct vy_timer *timer)
{
	log_flush(f->log);
	while (log_head(f->log, f->session) != log_staged(f->log, f->session)) {
		vy_timer_set(timer, 1);
		vy_loop_run(loop);
		log_flush(f->log);
	}
}

void fill_session(const char *state_dir, const char *session, int rows)
{
	vy_log_set_level(VY_LOG_NONE);
	struct vy_err e = { 0 };
	struct vy_loop *loop = vy_loop_new();
	struct vy_timer *timer = vy_loop_timer(loop, stop, loop);
	struct work *work = work_new(loop, NULL);
	struct log_store *store = store_sqlite_open(state_dir, loop, work, &e);
	/* more than a session may hold now: what a seeded log will be like */
	struct log_conf conf = { .clock = &vy_clock_real,
		.store = store,
		.retain_frames = INT64_MAX,
		.retain_bytes = INT64_MAX };
	struct fill f = { .log = store ? log_new(&conf, &e) : NULL, .session = session };
	int turns = (rows + ROWS_A_TURN - 1) / ROWS_A_TURN;

	if (!f.log) {
		world_fail("the store: %s", e.text);
	}
	for (f.turn = 1; f.turn <= turns; f.turn++) {
		a_turn(&f, f.turn == turns);
		if (f.turn % TURNS_A_WRITE == 0) {
			flush(&f, loop, timer);
		}
	}
	flush(&f, loop, timer);
	log_settle(f.log);
	log_free(f.log);
	store->ops->close(store);
	work_free(work);
	vy_timer_del(timer);
	vy_loop_free(loop);
}
