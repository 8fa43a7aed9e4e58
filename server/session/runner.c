/* runner.c -- see runner.h.
 *
 * One row, `live`, is the whole of what survives: the mark (how far each stream was handled), the
 * driver's state, and `extra`: what is to be started, whether it was, and the next seq. It is
 * staged once a loop turn when anything of it changed; log_after() then sends what waited for it. */
#include "server/session/runner.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "server/io/hold.h"
#include "server/io/hold_lines.h"
#include "server/io/hold_sweep.h"
#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define RUNNER_MAGIC 0x52554E52u

/* Bytes for the agent that wait for their commit, then for their INACK. */
struct tell {
	int64_t seq;
	struct vy_str bytes; /* owned */
	TAILQ_ENTRY(tell) link;
};

struct runner {
	VY_MAGIC;
	struct vy_loop *loop;
	struct log *log;
	char *state_dir, *session;
	uint32_t orphan_s;
	const struct provider_ops *driver;
	const struct runner_ops *ops;
	void *ctx;

	char hid[HOLD_HID_LEN + 1];
	uint8_t token[HOLD_TOKEN_LEN];
	struct hold *hold;
	struct hold_lines lines;
	struct agent *agent;
	struct vy_json *start; /* {argv, env, cwd, hello}; the child can be started from it again */
	struct vy_buf secret;
	struct runner_pids pids;
	int64_t next_seq;
	TAILQ_HEAD(tell_list, tell) tells; /* not acknowledged; in order */
	int64_t staged_seq, committed_seq; /* tells up to here are in the row, are in the store */
	int64_t sent_seq;                  /* the last one given to the holder */
	uint64_t staged_off;               /* what the row says was handled */

	struct vy_timer *grace;
	unsigned calls; /* of ours that wait in the loop or the log: the memory stays under them */
	bool is_started, is_dirty, is_over, is_freed, is_ending;
};

/* A call that was waited for has come: true when its runner is still somebody's. */
static bool came(struct runner *r)
{
	r->calls--;
	if (r->is_freed && r->calls == 0) {
		hold_free(r->hold);
		VY_MAGIC_CLEAR(r);
		free(r);
		return false;
	}
	return !r->is_freed;
}

/* ---- what survives ------------------------------------------------------------------------ */

static struct vy_json *extra_json(const struct runner *r)
{
	struct vy_json *x = vy_json_new_obj();

	vy_json_set_int(x, "v", 1);
	vy_json_set_bool(x, "started", r->is_started);
	vy_json_set_bool(x, "ending", r->is_ending);
	vy_json_set_int(x, "seq", r->next_seq);
	vy_json_set(x, "start", r->start);
	return x;
}

static void on_committed(void *ctx, bool committed);

/* Commits where we stand; the acknowledgement and the tells follow the commit. */
static void stage_now(struct runner *r)
{
	if (r->is_over) {
		return;
	}
	VY_AUTO_JSON *state = r->driver->encode(r->agent);
	VY_AUTO_JSON *extra = extra_json(r);
	VY_AUTO_BUF state_text = VY_BUF_INIT(VY_LINE_MAX * 2);
	VY_AUTO_BUF extra_text = VY_BUF_INIT(VY_LINE_MAX);
	struct hold_mark mark = hold_lines_mark(&r->lines);
	char text[HOLD_MARK_LEN];

	hold_mark_format(&mark, text);
	vy_json_set_c(extra, "mark", text);
	vy_json_dump(state, &state_text);
	vy_json_dump(extra, &extra_text);
	LOG_PUT(r->log, ROW_LIVE, live, .session = vy_str_c(r->session), .hid = vy_str_c(r->hid),
		.token = vy_str_n((char *)r->token, sizeof(r->token)), .off = (int64_t)mark.off,
		.driver_state = vy_buf_str(&state_text), .extra = vy_buf_str(&extra_text));
	r->staged_off = mark.off;
	r->staged_seq = r->next_seq - 1;
	r->calls++;
	log_after(r->log, on_committed, r);
}

static void stage(void *ctx)
{
	struct runner *r = ctx;

	r->is_dirty = false;
	if (came(r)) {
		stage_now(r);
	}
}

static void stage_later(struct runner *r)
{
	if (!r->is_dirty) {
		r->is_dirty = true;
		r->calls++;
		vy_loop_defer(r->loop, stage, r);
	}
}

/* ---- telling the agent -------------------------------------------------------------------- */

static void tell_free(struct runner *r, struct tell *t)
{
	TAILQ_REMOVE(&r->tells, t, link);
	free((char *)(uintptr_t)t->bytes.p);
	free(t);
}

static void add_tell(struct runner *r, int64_t seq, struct vy_str bytes)
{
	struct tell *t = VY_NEW(struct tell);

	t->seq = seq;
	t->bytes = vy_str_n(vy_memdup0(bytes.p, bytes.n), bytes.n);
	TAILQ_INSERT_TAIL(&r->tells, t, link);
}

static void send_tells(struct runner *r)
{
	struct tell *t;

	TAILQ_FOREACH (t, &r->tells, link) {
		struct vy_err e = { 0 };

		if (t->seq <= r->sent_seq) {
			continue;
		}
		if (t->seq > r->committed_seq) {
			return;
		}
		if (hold_in(r->hold, (uint64_t)t->seq, t->bytes, &e) != 0) {
			vy_log(VY_LOG_WARN, "runner.in", "session=%s hid=%s why=%s", r->session,
				r->hid, vy_log_q(e.text));
			return; /* goes with the next INACK */
		}
		r->sent_seq = t->seq;
	}
}

static void stage_tell(struct runner *r, struct vy_str bytes)
{
	int64_t seq = r->next_seq++;

	add_tell(r, seq, bytes);
	LOG_PUT(r->log, ROW_TELL, tell, .hid = vy_str_c(r->hid), .seq = seq, .bytes = bytes);
	stage_later(r);
}

/* ---- events up ------------------------------------------------------------------------------ */

static void on_forgotten(void *ctx, bool committed);

static void deliver(struct runner *r, struct agent_out *out)
{
	if (out->tell.len) {
		stage_tell(r, vy_buf_str(&out->tell));
	}
	for (size_t i = 0; i < out->n && !r->is_freed; i++) {
		r->ops->heard(r->ctx, &out->events[i]);
	}
}

static void over(struct runner *r, const char *why)
{
	if (r->is_over) {
		return;
	}
	r->is_over = true;
	vy_timer_set(r->grace, -1);
	vy_log(VY_LOG_INFO, "agent.gone", "session=%s hid=%s why=%s", r->session, r->hid,
		vy_log_q(why));
	LOG_DEL(r->log, ROW_LIVE, live, .session = vy_str_c(r->session), .hid = vy_str_c(r->hid));
	r->calls++;
	log_after(r->log, on_forgotten, r);
	r->ops->gone(r->ctx, why);
}

/* The commit that forgets the live row also lets the holder go. */
static void on_forgotten(void *ctx, bool committed)
{
	struct runner *r = ctx;

	if (committed && r->hold) {
		hold_bye(r->hold);
	}
	came(r);
}

static void on_committed(void *ctx, bool committed)
{
	struct runner *r = ctx;

	if (came(r) && committed && !r->is_over && r->hold) {
		r->committed_seq = r->staged_seq;
		hold_ack(r->hold, r->staged_off);
		send_tells(r);
	}
}

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
	deliver(r, &out);
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
		over(r, e.text);
	}
}

static void say_hello(struct runner *r)
{
	struct agent_command hello = { .kind = AC_HELLO, .json = vy_json_get(r->start, "hello") };

	r->is_started = true;
	runner_command(r, &hello);
	r->ops->started(r->ctx);
	stage_later(r);
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
			tell_free(r, t);
		}
	}
	if (h->state == HOLD_EMPTY) {
		start_child(r);
	} else {
		if (!r->is_started) {
			say_hello(r);
		}
		send_tells(r);
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
	over(ctx, why);
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
		stage_later(r);
	}
}

static void on_inack(void *ctx, uint64_t seq)
{
	struct runner *r = ctx;
	struct tell *t;
	bool any = false;

	while ((t = TAILQ_FIRST(&r->tells)) && (uint64_t)t->seq <= seq) {
		tell_free(r, t);
		any = true;
	}
	if (any) {
		LOG_DEL(r->log, ROW_TELL, tell, .hid = vy_str_c(r->hid), .seq = (int64_t)seq);
		send_tells(r);
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
		over(r, r->is_ending ? "" : why);
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
	} else {
		vy_log(VY_LOG_ERROR, "holder.refused", "session=%s hid=%s why=%s", r->session,
			r->hid, vy_log_q(why ? why->text : ""));
	}
	over(r, "The process that held the agent is gone; what it had not told yet is lost.");
}

static const struct hold_ops hold_callbacks = {
	.on_hello = on_hello,
	.on_started = on_started,
	.on_refused = on_refused,
	.on_out = on_out,
	.on_inack = on_inack,
	.on_exit = on_exit_,
	.on_lost = on_lost,
};

/* ---- life ------------------------------------------------------------------------------------- */

static void kill_now(void *ctx)
{
	struct runner *r = ctx;

	if (r->hold) {
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
	r->driver = conf->driver;
	r->ops = conf->ops;
	r->ctx = conf->ctx;
	r->next_seq = 1;
	r->pids.hid = r->hid;
	TAILQ_INIT(&r->tells);
	vy_buf_init(&r->secret, 64 * 1024);
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

	if (came(r) && committed && !r->is_over) {
		struct hold_at at = holder_of(r);

		r->hold = hold_spawn(r->loop, &at, &hold_callbacks, r);
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
	hold_lines_init(&r->lines, &(struct hold_mark){ 0 }, VY_LINE_MAX);
	r->agent = start->own_agent;
	r->start = vy_json_new_obj();
	vy_json_take(r->start, "argv", list_json(start->argv));
	vy_json_take(r->start, "env", list_json(start->env));
	vy_json_set_c(r->start, "cwd", start->cwd);
	vy_json_take(r->start, "hello", vy_json_copy(start->hello));
	vy_buf_addstr(&r->secret, start->secret);
	stage_now(r); /* so that the holder is started behind this very commit */
	r->calls++;
	log_after(r->log, spawn, r);
	return r;
}

static bool read_tell(void *ctx, const struct store_row *row)
{
	struct runner *r = ctx;

	add_tell(r, row->tell.seq, row->tell.bytes);
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
	r->next_seq = vy_json_int(extra, "seq", 1);
	return 0;
}

struct runner *runner_resume(
	const struct runner_conf *conf, const struct row_live *live, struct vy_err *e)
{
	struct runner *r = runner_make(conf);
	struct hold_mark mark = { 0 };
	struct store_row like = { .kind = ROW_TELL, .tell = { .hid = live->hid } };

	if (read_live(r, live, &mark, e) != 0 || log_each(r->log, &like, read_tell, r, e) != 0) {
		hold_lines_init(&r->lines, &mark, VY_LINE_MAX);
		runner_free(r);
		return NULL;
	}
	hold_lines_init(&r->lines, &mark, VY_LINE_MAX);
	r->committed_seq = r->next_seq - 1; /* all that was read back is in the store */
	struct hold_at at = holder_of(r);

	r->hold = hold_attach(r->loop, &at, mark.off, &hold_callbacks, r);
	return r;
}

void runner_free(struct runner *r)
{
	struct tell *t;

	if (!r) {
		return;
	}
	VY_CHECK(r, RUNNER_MAGIC);
	while ((t = TAILQ_FIRST(&r->tells))) {
		tell_free(r, t);
	}
	vy_timer_del(r->grace);
	r->grace = NULL;
	hold_lines_fini(&r->lines);
	if (r->agent) {
		r->driver->free(r->agent);
	}
	vy_json_free(r->start);
	vy_buf_fini(&r->secret);
	free(r->state_dir);
	free(r->session);
	r->session = r->state_dir = NULL;
	r->is_freed = true;
	if (!r->is_over) { /* else the holder is still to be let go, behind the commit */
		hold_free(r->hold);
		r->hold = NULL;
	}
	r->calls++;
	came(r);
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
	deliver(r, &out);
	agent_out_fini(&out);
	vy_arena_fini(&arena);
	if (!r->is_freed) {
		stage_later(r);
	}
}

void runner_end(struct runner *r, int64_t grace_ms)
{
	struct agent_command end = { .kind = AC_END };

	VY_CHECK(r, RUNNER_MAGIC);
	if (r->is_over) {
		return;
	}
	r->is_ending = true;
	if (grace_ms > 0) {
		runner_command(r, &end);
		stage_tell(r, vy_str_n(NULL, 0)); /* no bytes: the end of its input */
	}
	vy_timer_set(r->grace, grace_ms > 0 ? grace_ms : 0);
	stage_later(r);
}

void runner_pause(struct runner *r, bool is_paused)
{
	if (r->hold) {
		hold_pause(r->hold, is_paused);
	}
}

void runner_pids(const struct runner *r, struct runner_pids *out)
{
	*out = r->pids;
}
