/* runner_hold.c -- what the holder says: a child that starts, its lines, its end (runner_in.h). */
#include "server/session/runner_in.h"

#include <signal.h>
#include <stdlib.h>

#include "server/io/hold_sweep.h"
#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

static void feed(struct runner *r, const struct hold_line *line)
{
	struct agent_out *out = &r->heard;

	if (r->is_killed && !r->is_private) {
		r->heard_since += line->text.n + 1;
		if (r->heard_since > RUNNER_LAST_WORDS) {
			return;
		}
	}
	VY_CRASH(LINE_READ);
	observe_line(r->tap, line->stream == 2 ? TAPE_IN_ERR : TAPE_IN, line->text);
	if (line->too_long) {
		r->driver->line_too_long(r->agent, (int64_t)r->line_max, line->text, out);
	} else {
		r->driver->line(r->agent, (enum agent_stream)line->stream, line->text, out);
	}
	runner_deliver(r, out);
	VY_CRASH(LINE_HEARD);
	agent_out_clear(out);
	vy_arena_reset(&r->arena);
}

/* ---- the holder speaks ---------------------------------------------------------------------- */

/* It may go on speaking until the commit that lets it go; nobody listens any more. Nor when nothing
 * can be written down for good: what it says stays with it, for the vyred behind a repair. */
static bool is_done(const struct runner *r)
{
	return r->is_over || r->is_freed || log_is_read_only(r->log);
}

static int ask_secret(struct runner *r, struct vy_buf *secret, struct vy_err *e)
{
	const char *name = vy_json_cstr(r->start, "secret");

	return name ? r->ops->secret(r->ctx, name, secret, e) : 0;
}

static void start_child(struct runner *r)
{
	VY_AUTO_BUF secret = VY_BUF_INIT(VY_SECRET_MAX);
	struct vy_arena a;
	struct vy_err e = { 0 };
	int rc;

	vy_buf_reserve(&secret, VY_SECRET_MAX); /* at once: growing would leave a copy behind */
	vy_arena_init(&a);
	rc = ask_secret(r, &secret, &e);
	if (rc == 0) {
		struct hold_start start = {
			.kind = HOLD_PIPE,
			.argv = vy_json_strings(vy_json_get(r->start, "argv"), &a),
			.env = vy_json_strings(vy_json_get(r->start, "env"), &a),
			.cwd = vy_json_cstr(r->start, "cwd"),
			.umask = (unsigned)vy_json_int(r->start, "umask", 022),
			.user = vy_json_cstr(r->start, "user"),
			.is_agent = !r->is_private,
			.orphan_s = r->orphan_s,
			.secret = vy_buf_str(&secret),
		};

		VY_CRASH(START_SEND);
		rc = hold_start(r->hold, &start, &e);
		VY_CRASH(START_SENT);
	}
	vy_wipe(secret.data, secret.cap);
	vy_arena_fini(&a);
	if (rc != 0) {
		runner_over(r, e.text);
	}
}

static void say_hello(struct runner *r)
{
	VY_AUTO_JSON *start = r->start; /* has done its work */
	struct agent_command hello = { .kind = AC_HELLO, .json = vy_json_get(start, "hello") };

	r->start = NULL;
	r->is_started = true;
	runner_command(r, &hello);
	r->ops->started(r->ctx);
	runner_stage_later(r);
	VY_CRASH(STARTED_DONE);
}

/* What the holder has already need not be kept; what it has not is sent. */
static void forget_tells(struct runner *r, uint64_t next)
{
	struct tell *t;
	int64_t last = 0;

	while ((t = TAILQ_FIRST(&r->tells)) && (uint64_t)t->seq < next) {
		last = t->seq;
		runner_tell_free(r, t);
	}
	if (last > 0) {
		LOG_DEL(r->log, ROW_TELL, tell, .hid = vy_str_c(r->hid), .seq = last);
	}
}

static void on_hello(void *ctx, const struct hold_hello *h)
{
	struct runner *r = ctx;

	if (is_done(r)) {
		return;
	}
	VY_CRASH(HOLD_HELLO);
	r->is_met = true;
	r->pids.holder = h->holder;
	r->pids.pid = h->pid;
	r->pids.pgid = h->pgid;
	r->pids.sid = h->sid;
	forget_tells(r, h->in_next);
	if (h->state == HOLD_EMPTY) {
		if (r->is_ending) {
			runner_over(r, ""); /* given up before it began */
		} else if (r->is_started) {
			runner_over(r, "The process that held the agent has lost it.");
		} else if (r->is_resumed) {
			runner_unborn(r);
		} else {
			start_child(r);
		}
		return;
	}
	if (!r->is_started) {
		say_hello(r);
	}
	runner_send_tells(r);
	if (r->is_ending && h->state == HOLD_RUNNING && !vy_timer_is_set(r->grace)) {
		runner_end(r, 0); /* its time was over, or ended with an earlier vyred */
	}
}

static void on_started(void *ctx, pid_t pid, pid_t pgid, pid_t sid)
{
	struct runner *r = ctx;

	if (is_done(r)) {
		return;
	}
	VY_CRASH(STARTED_CAME);
	r->pids.pid = pid;
	r->pids.pgid = pgid;
	r->pids.sid = sid;
	vy_log(VY_LOG_INFO, "agent.started", "session=%s hid=%s pid=%d", r->session, r->hid,
		(int)pid);
	if (!r->is_started) {
		say_hello(r);
	}
}

static void on_refused(void *ctx, const char *why)
{
	struct runner *r = ctx;

	if (!is_done(r)) {
		runner_over(r, why);
	}
}

static void on_out(void *ctx, uint64_t off, int stream, struct vy_str bytes)
{
	struct runner *r = ctx;
	struct hold_line line;

	if (is_done(r)) {
		return;
	}
	VY_CRASH(OUT_CAME);
	hold_lines_feed(&r->lines, off, stream, bytes);
	while (!is_done(r) && hold_lines_next(&r->lines, &line)) {
		feed(r, &line);
	}
	if (!is_done(r)) {
		runner_stage_later(r);
	}
}

static void on_inack(void *ctx, uint64_t seq)
{
	struct runner *r = ctx;

	if (!is_done(r)) {
		VY_CRASH(INACK_CAME);
		forget_tells(r, seq + 1);
		VY_CRASH(INACK_DONE);
		runner_send_tells(r);
	}
}

/* What closes at the end is told; the end itself, and why, is `gone`'s to say, once. Owned. */
static char *tell_of_end(struct runner *r, struct agent_out *out)
{
	char *why = vy_strdup("");

	for (size_t i = 0; i < out->n && !r->is_freed; i++) {
		const struct agent_event *ev = &out->events[i];
		bool is_end = ev->kind == AE_BROKEN || ev->kind == AE_TURN_END;

		if ((is_end || ev->kind == AE_OTHER_WAY) && ev->text.n) {
			free(why);
			why = vy_memdup0(ev->text.p, ev->text.n);
		}
		if (!is_end) {
			r->ops->heard(r->ctx, ev);
		}
	}
	return why;
}

static void on_exit_(void *ctx, int status, int signo)
{
	struct runner *r = ctx;
	struct vy_arena arena;
	struct agent_out out;
	struct hold_line line;

	VY_CRASH(EXIT_CAME);
	while (!is_done(r) && hold_lines_rest(&r->lines, &line)) {
		feed(r, &line);
	}
	if (is_done(r)) {
		return;
	}
	vy_arena_init(&arena);
	agent_out_init(&out, &arena);
	r->driver->exited(r->agent, status, signo, &out);

	char *why = tell_of_end(r, &out);

	agent_out_fini(&out);
	vy_arena_fini(&arena);
	if (!r->is_freed) {
		runner_over(r, r->is_ending ? "" : why);
		VY_CRASH(EXIT_DONE);
	}
	free(why);
}

static void on_lost(void *ctx, const struct vy_err *why)
{
	struct runner *r = ctx;
	bool is_taken = why->code == VY_DENIED; /* by a newer vyred: it looks after the agent now */

	hold_free(r->hold);
	r->hold = NULL;
	if (is_done(r)) {
		return;
	}
	/* Nobody holds the child any more, or nobody who can be spoken with: what is left of its tree
	 * must not go on unseen. */
	int left = is_taken ? 0 : hold_sweep(r->hid, SIGKILL);

	if (!is_taken) {
		hold_unlink(r->state_dir, r->hid);
	}
	vy_log(VY_LOG_WARN, "holder.lost", "session=%s hid=%s left=%d why=%s", r->session, r->hid,
		left, vy_log_q(why->text));
	if (r->is_resumed && !r->is_started && !is_taken) {
		runner_unborn(r);
		return;
	}
	runner_over(r, r->is_met || r->is_started
			       ? "The process that held the agent is gone; what it had "
				 "not told yet is lost."
			       : why->text);
}

const struct hold_ops runner_hold_ops = {
	.on_hello = on_hello,
	.on_started = on_started,
	.on_refused = on_refused,
	.on_out = on_out,
	.on_inack = on_inack,
	.on_exit = on_exit_,
	.on_lost = on_lost,
};
