/* runner_hold.c -- what the holder says: a child that starts, its lines, its end (runner_in.h). */
#include "server/session/runner_in.h"

#include <signal.h>
#include <stdlib.h>

#include "server/io/hold_sweep.h"
#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

static void feed(struct runner *r, const struct hold_line *line)
{
	struct vy_arena arena;
	struct agent_out out;

	vy_arena_init(&arena);
	agent_out_init(&out, &arena);
	if (line->too_long) {
		r->driver->line_too_long(r->agent, VY_LINE_MAX, line->text, &out);
	} else {
		r->driver->line(r->agent, (enum agent_stream)line->stream, line->text, &out);
	}
	runner_deliver(r, &out);
	agent_out_fini(&out);
	vy_arena_fini(&arena);
}

/* ---- the holder speaks ---------------------------------------------------------------------- */

static const char **string_list(const struct vy_json *arr, struct vy_arena *a)
{
	size_t n = vy_json_len(arr);
	const char **v = vy_arena_calloc(a, n + 1, sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		struct vy_str s = vy_json_strval(vy_json_at(arr, i));

		v[i] = vy_arena_dup(a, s.p, s.n);
	}
	return v;
}

static void start_child(struct runner *r)
{
	struct vy_arena a;
	struct vy_err e = { 0 };

	vy_arena_init(&a);
	struct hold_start start = {
		.kind = HOLD_PIPE,
		.argv = string_list(vy_json_get(r->start, "argv"), &a),
		.env = string_list(vy_json_get(r->start, "env"), &a),
		.cwd = vy_json_cstr(r->start, "cwd"),
		.umask = (unsigned)vy_json_int(r->start, "umask", 022),
		.orphan_s = r->orphan_s,
		.secret = vy_buf_str(&r->secret),
	};

	int rc = hold_start(r->hold, &start, &e);

	vy_arena_fini(&a);
	if (r->secret.len) {
		vy_wipe(r->secret.data, r->secret.len);
		vy_buf_clear(&r->secret);
	}
	if (rc != 0) {
		runner_over(r, e.text);
	}
}

static void say_hello(struct runner *r)
{
	struct agent_command hello = { .kind = AC_HELLO, .json = vy_json_get(r->start, "hello") };

	r->is_started = true;
	runner_command(r, &hello);
	r->ops->started(r->ctx);
	runner_stage_later(r);
}

static void on_hello(void *ctx, const struct hold_hello *h)
{
	struct runner *r = ctx;
	struct tell *t, *next;

	r->pids.holder = h->holder;
	r->pids.pid = h->pid;
	r->pids.pgid = h->pgid;
	r->pids.sid = h->sid;
	for (t = TAILQ_FIRST(&r->tells); t; t = next) {
		next = TAILQ_NEXT(t, link);
		if ((uint64_t)t->seq < h->in_next) {
			runner_tell_free(r, t);
		}
	}
	if (h->state == HOLD_EMPTY && r->is_resumed) {
		runner_unborn(r);
		return;
	}
	if (h->state == HOLD_EMPTY) {
		start_child(r);
	} else {
		if (!r->is_started) {
			say_hello(r);
		}
		runner_send_tells(r);
	}
	if (r->is_ending && h->state == HOLD_RUNNING) {
		runner_end(r, 0);
	}
}

static void on_started(void *ctx, pid_t pid, pid_t pgid, pid_t sid)
{
	struct runner *r = ctx;

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
	runner_over(ctx, why);
}

static void on_out(void *ctx, uint64_t off, int stream, struct vy_str bytes)
{
	struct runner *r = ctx;
	struct hold_line line;

	hold_lines_feed(&r->lines, off, stream, bytes);
	while (!r->is_freed && !r->is_over && hold_lines_next(&r->lines, &line)) {
		feed(r, &line);
	}
	if (!r->is_freed) {
		runner_stage_later(r);
	}
}

static void on_inack(void *ctx, uint64_t seq)
{
	struct runner *r = ctx;
	struct tell *t;
	bool any = false;

	while ((t = TAILQ_FIRST(&r->tells)) && (uint64_t)t->seq <= seq) {
		runner_tell_free(r, t);
		any = true;
	}
	if (any) {
		LOG_DEL(r->log, ROW_TELL, tell, .hid = vy_str_c(r->hid), .seq = (int64_t)seq);
		runner_send_tells(r);
	}
}

/* What closes at the end is told; the end itself, and why, is `gone`'s to say, once. Owned. */
static char *tell_of_end(struct runner *r, struct agent_out *out)
{
	char *why = vy_strdup("");

	for (size_t i = 0; i < out->n && !r->is_freed; i++) {
		const struct agent_event *ev = &out->events[i];

		if (ev->kind != AE_BROKEN && ev->kind != AE_TURN_END) {
			r->ops->heard(r->ctx, ev);
		} else if (ev->text.n) {
			free(why);
			why = vy_memdup0(ev->text.p, ev->text.n);
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

	while (hold_lines_rest(&r->lines, &line)) {
		feed(r, &line);
		if (r->is_freed || r->is_over) {
			return;
		}
	}
	vy_arena_init(&arena);
	agent_out_init(&out, &arena);
	r->driver->exited(r->agent, status, signo, &out);

	char *why = tell_of_end(r, &out);

	agent_out_fini(&out);
	vy_arena_fini(&arena);
	if (!r->is_freed) {
		runner_over(r, r->is_ending ? "" : why);
	}
	free(why);
}

static void on_lost(void *ctx, const struct vy_err *why)
{
	struct runner *r = ctx;

	hold_free(r->hold);
	r->hold = NULL;
	if (r->is_over) {
		return;
	}
	if (why && why->code == VY_GONE) {
		/* Nobody holds the child any more: what is left of its tree must not go on unseen. */
		int left = hold_sweep(r->hid, SIGKILL);

		hold_unlink(r->state_dir, r->hid);
		vy_log(VY_LOG_WARN, "holder.lost", "session=%s hid=%s left=%d why=%s", r->session,
			r->hid, left, vy_log_q(why->text));
		if (r->is_resumed && !r->is_started) {
			runner_unborn(r);
			return;
		}
	} else {
		vy_log(VY_LOG_ERROR, "holder.refused", "session=%s hid=%s why=%s", r->session,
			r->hid, vy_log_q(why ? why->text : ""));
	}
	runner_over(
		r, "The process that held the agent is gone; what it had not told yet is lost.");
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
