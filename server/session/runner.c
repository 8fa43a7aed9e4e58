/* runner.c -- see runner.h: its life. What survives is in runner_row.c, the holder in runner_hold.c. */
#include "server/session/runner.h"

#include <signal.h>
#include <stdlib.h>

#include "server/io/hold_sweep.h"
#include "server/log/log.h"
#include "server/session/runner_in.h"
#include "shared/base/arena.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

/* ---- life ------------------------------------------------------------------------------------- */

static void kill_now(void *ctx)
{
	struct runner *r = ctx;

	r->is_killed = true;
	if (r->hold) {
		VY_CRASH(KILL_SEND);
		hold_signal(r->hold, SIGKILL, true);
	}
}

static struct runner *runner_make(const struct runner_conf *conf)
{
	struct runner *r = VY_NEW(struct runner);

	VY_MAGIC_SET(r, RUNNER_MAGIC);
	r->loop = conf->loop;
	r->log = conf->log;
	r->state_dir = vy_strdup(conf->state_dir);
	r->session = vy_strdup(conf->session);
	r->orphan_s = conf->orphan_s;
	r->line_max = conf->line_max ? conf->line_max : VY_LINE_MAX;
	r->driver = conf->driver;
	r->ops = conf->ops;
	r->ctx = conf->ctx;
	r->tap = observe_attach(conf->observe, conf->session);
	r->next_seq = 1;
	r->pids.hid = r->hid;
	TAILQ_INIT(&r->tells);
	vy_arena_init(&r->arena);
	agent_out_init(&r->heard, &r->arena);
	vy_buf_init(&r->state, VY_LINE_MAX * 2);
	vy_buf_init(&r->extra, VY_LINE_MAX);
	r->grace = vy_loop_timer(r->loop, kill_now, r);
	return r;
}

static struct hold_at holder_of(const struct runner *r)
{
	struct hold_at at = {
		.dir = r->state_dir,
		.hid = r->hid,
		.epoch = (uint64_t)log_starts(r->log),
	};

	memcpy(at.token, r->token, sizeof(at.token));
	return at;
}

static void spawn(void *ctx, bool committed)
{
	struct runner *r = ctx;

	if (runner_came(r) && committed && !r->is_over) {
		struct hold_at at = holder_of(r);

		VY_CRASH(HOLD_FORK);
		r->hold = hold_spawn(r->loop, &at, &runner_hold_ops, r);
		VY_CRASH(HOLD_FORKED);
		hold_pause(r->hold, r->is_paused);
	}
}

static struct vy_json *list_json(const char *const *v)
{
	struct vy_json *arr = vy_json_new_arr();

	for (size_t i = 0; v[i]; i++) {
		vy_json_add_take(arr, vy_json_new_str(vy_str_c(v[i])));
	}
	return arr;
}

struct runner *runner_new(const struct runner_conf *conf, const struct runner_start *start)
{
	struct runner *r = runner_make(conf);

	hold_new_id(r->hid, r->token);
	hold_lines_init(&r->lines, &(struct hold_mark){ 0 }, r->line_max);
	r->is_private = start->is_private;
	r->agent = start->own_agent;
	r->start = vy_json_new_obj();
	vy_json_take(r->start, "argv", list_json(start->argv));
	vy_json_take(r->start, "env", list_json(start->env));
	vy_json_set_c(r->start, "cwd", start->cwd);
	vy_json_set_c(r->start, "secret", start->secret_name);
	vy_json_set_c(r->start, "user", start->user);
	vy_json_take(r->start, "hello", vy_json_copy(start->hello));
	runner_stage_now(r); /* so that the holder is started behind this very commit */
	r->calls++;
	log_after(r->log, spawn, r);
	return r;
}

static bool read_tell(void *ctx, const struct store_row *row)
{
	struct runner *r = ctx;

	runner_add_tell(r, row->tell.seq, row->tell.bytes);
	if (row->tell.seq >= r->next_seq) {
		r->next_seq = row->tell.seq + 1;
	}
	return true;
}

static int read_live(
	struct runner *r, const struct row_live *live, struct hold_mark *mark, struct vy_err *e)
{
	VY_AUTO_JSON *state = vy_json_parse(live->driver_state, e);
	VY_AUTO_JSON *extra = state ? vy_json_parse(live->extra, e) : NULL;

	if (!extra || live->hid.n != HOLD_HID_LEN || live->token.n != HOLD_TOKEN_LEN) {
		return vy_fail(e, VY_CORRUPT, "the live row of %s is damaged", r->session);
	}
	if (hold_mark_parse(vy_json_str(extra, "mark"), mark, e) != 0) {
		return vy_wrap(e, "the live row of %s", r->session);
	}
	r->agent = r->driver->decode(state, e);
	if (!r->agent) {
		return vy_wrap(e, "the driver's state of %s", r->session);
	}
	memcpy(r->hid, live->hid.p, HOLD_HID_LEN);
	memcpy(r->token, live->token.p, HOLD_TOKEN_LEN);
	r->start = vy_json_ref(vy_json_get(extra, "start"));
	r->is_started = vy_json_bool(extra, "started", false);
	r->is_ending = vy_json_bool(extra, "ending", false);
	r->is_sparing = vy_json_bool(extra, "sparing", false);
	r->next_seq = vy_json_int(extra, "seq", 1);
	return 0;
}

struct runner *runner_resume(
	const struct runner_conf *conf, const struct row_live *live, struct vy_err *e)
{
	struct runner *r = runner_make(conf);
	struct hold_mark mark = { 0 };
	struct store_row like = { .kind = ROW_TELL, .tell = { .hid = live->hid } };

	r->is_resumed = true;
	if (read_live(r, live, &mark, e) != 0 || log_each(r->log, &like, read_tell, r, e) != 0) {
		hold_lines_init(&r->lines, &mark, r->line_max);
		runner_free(r);
		return NULL;
	}
	hold_lines_init(&r->lines, &mark, r->line_max);
	r->committed_seq = r->next_seq - 1; /* all that was read back is in the store */
	struct hold_at at = holder_of(r);

	r->hold = hold_attach(r->loop, &at, mark.off, &runner_hold_ops, r);
	return r;
}

void runner_abandon(struct log *log, const char *state_dir, const struct row_live *live)
{
	char hid[HOLD_HID_LEN + 1] = "";

	if (live->hid.n == HOLD_HID_LEN) {
		memcpy(hid, live->hid.p, live->hid.n);
		int left = hold_sweep(hid, SIGKILL);

		hold_unlink(state_dir, hid);
		vy_log(VY_LOG_WARN, "holder.abandoned", "hid=%s left=%d", hid, left);
	}
	LOG_DEL(log, ROW_LIVE, live, .session = live->session, .hid = live->hid);
}

void runner_free(struct runner *r)
{
	struct tell *t;

	if (!r) {
		return;
	}
	VY_CHECK(r, RUNNER_MAGIC);
	while ((t = TAILQ_FIRST(&r->tells))) {
		runner_tell_free(r, t);
	}
	vy_timer_del(r->grace);
	r->grace = NULL;
	hold_lines_fini(&r->lines);
	if (r->agent) {
		r->driver->free(r->agent);
	}
	vy_json_free(r->start);
	observe_detach(r->tap);
	r->tap = NULL;
	free(r->state_dir);
	free(r->session);
	r->session = r->state_dir = NULL;
	r->is_freed = true;
	if (!r->is_over) { /* else the holder is still to be let go, behind the commit */
		hold_free(r->hold);
		r->hold = NULL;
	}
	r->calls++;
	runner_came(r);
}

void runner_command(struct runner *r, const struct agent_command *c)
{
	struct vy_arena arena;
	struct agent_out out;

	VY_CHECK(r, RUNNER_MAGIC);
	if (r->is_over) {
		return;
	}
	vy_arena_init(&arena);
	agent_out_init(&out, &arena);
	r->driver->command(r->agent, c, &out);
	runner_deliver(r, &out);
	agent_out_fini(&out);
	vy_arena_fini(&arena);
	if (!r->is_freed) {
		runner_stage_later(r);
	}
}

void runner_end(struct runner *r, int64_t grace_ms)
{
	struct agent_command end = { .kind = AC_END };
	bool is_news = !r->is_ending;

	VY_CHECK(r, RUNNER_MAGIC);
	if (r->is_over) {
		return;
	}
	r->is_sparing = false;
	r->is_ending = true;
	if (is_news && grace_ms > 0) {
		runner_command(r, &end);
		runner_stage_tell(r, vy_str_n(NULL, 0)); /* no bytes: the end of its input */
		VY_CRASH(END_ASKED);
	}
	vy_timer_set(r->grace, grace_ms > 0 ? grace_ms : 0);
	runner_stage_later(r);
}

void runner_rest(struct runner *r, int64_t grace_ms)
{
	runner_end(r, grace_ms);
	r->is_sparing = true;
}

void runner_interrupt(struct runner *r, int64_t grace_ms)
{
	VY_CHECK(r, RUNNER_MAGIC);
	if (r->is_over) {
		return;
	}
	if (r->hold && r->is_started && !r->is_ending && grace_ms > 0) {
		hold_signal(r->hold, SIGINT, true);
	}
	r->is_ending = true;
	vy_timer_set(r->grace, grace_ms > 0 && r->is_started ? grace_ms : 0);
	runner_stage_later(r);
}

void runner_pause(struct runner *r, bool is_paused)
{
	r->is_paused = is_paused;
	if (r->hold) {
		hold_pause(r->hold, is_paused);
	}
}

void runner_pids(const struct runner *r, struct runner_pids *out)
{
	*out = r->pids;
}

int64_t runner_next_tell(const struct runner *r)
{
	return r->next_seq;
}

int64_t runner_first_untold(const struct runner *r)
{
	const struct tell *t = TAILQ_FIRST(&r->tells);

	return t ? t->seq : r->next_seq;
}
