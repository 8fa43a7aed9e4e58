/* runner_row.c -- what survives a crash, and what the agent is told (runner_in.h).
 *
 * One row, `live`, is the whole of it: the mark (how far each stream was handled), the driver's
 * state, and `extra`: what is to be started until it was, and the next seq. It is staged once a
 * loop turn when anything of it changed; log_after() then sends what waited for it. */
#include "server/session/runner_in.h"

#include <signal.h>
#include <stdlib.h>

#include "server/io/cgroup.h"
#include "server/log/log.h"
#include "shared/base/crash.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

/* The holder may keep what it could forget, but each ACK is a message and wakes it up. */
#define ACK_EVERY (64 * (uint64_t)VY_KIB)
#define ROW_KEPT  ((size_t)8 * VY_KIB)

bool runner_came(struct runner *r)
{
	r->calls--;
	if (r->is_freed && r->calls == 0) {
		hold_free(r->hold);
		agent_out_fini(&r->heard);
		vy_arena_fini(&r->arena);
		vy_buf_fini(&r->state);
		vy_buf_fini(&r->extra);
		VY_MAGIC_CLEAR(r);
		free(r);
		return false;
	}
	return !r->is_freed;
}

/* ---- what survives ------------------------------------------------------------------------ */

static void write_extra(const struct runner *r, const struct hold_mark *mark, struct vy_buf *out)
{
	VY_AUTO_BUF start = VY_BUF_INIT(VY_LINE_MAX);
	struct vy_jw w = VY_JW(out);
	char text[HOLD_MARK_LEN];

	hold_mark_format(mark, text);
	vy_jw_obj(&w);
	vy_jw_kint(&w, "v", 1);
	vy_jw_kbool(&w, "started", r->is_started);
	vy_jw_kbool(&w, "ending", r->is_ending);
	vy_jw_kbool(&w, "sparing", r->is_sparing);
	vy_jw_kint(&w, "seq", r->next_seq);
	if (r->start && !r->is_private) { /* nothing, once it was started */
		vy_json_dump(r->start, &start);
		vy_jw_key(&w, "start");
		vy_jw_raw(&w, vy_buf_str(&start));
	}
	vy_jw_kstr(&w, "mark", vy_str_c(text));
	vy_jw_end_obj(&w);
}

static void on_committed(void *ctx, bool committed);

/* The next row has room at once; a large one is made anew. */
static void keep_small(struct vy_buf *b)
{
	if (b->cap > ROW_KEPT) {
		vy_buf_fini(b);
	}
}

/* Commits where we stand; the acknowledgement and the tells follow the commit. */
void runner_stage_now(struct runner *r)
{
	if (r->is_over) {
		return;
	}
	struct hold_mark mark = hold_lines_mark(&r->lines);
	struct vy_jw w = VY_JW(&r->state);

	vy_buf_clear(&r->state);
	vy_buf_clear(&r->extra);
	r->driver->encode(r->agent, &w);
	write_extra(r, &mark, &r->extra);
	LOG_PUT(r->log, ROW_LIVE, live, .session = vy_str_c(r->session), .hid = vy_str_c(r->hid),
		.token = vy_str_n((char *)r->token, sizeof(r->token)), .off = (int64_t)mark.off,
		.driver_state = vy_buf_str(&r->state), .extra = vy_buf_str(&r->extra));
	keep_small(&r->state);
	keep_small(&r->extra);
	VY_CRASH(LIVE_STAGED);
	r->staged_off = mark.off;
	r->staged_seq = r->next_seq - 1;
	r->calls++;
	log_after(r->log, on_committed, r);
}

static void stage(void *ctx)
{
	struct runner *r = ctx;

	r->is_dirty = false;
	if (runner_came(r)) {
		runner_stage_now(r);
	}
}

void runner_stage_later(struct runner *r)
{
	if (!r->is_dirty) {
		r->is_dirty = true;
		r->calls++;
		vy_loop_defer(r->loop, stage, r);
	}
}

/* ---- telling the agent -------------------------------------------------------------------- */

void runner_tell_free(struct runner *r, struct tell *t)
{
	TAILQ_REMOVE(&r->tells, t, link);
	free((char *)(uintptr_t)t->bytes.p);
	free(t);
}

void runner_add_tell(struct runner *r, int64_t seq, struct vy_str bytes)
{
	struct tell *t = VY_NEW(struct tell);

	t->seq = seq;
	t->bytes = vy_str_n(vy_memdup0(bytes.p, bytes.n), bytes.n);
	TAILQ_INSERT_TAIL(&r->tells, t, link);
}

/* It may be several lines, each with its end; none is the end of input. */
static void show_tell(struct runner *r, struct vy_str bytes)
{
	while (bytes.n) {
		const char *lf = memchr(bytes.p, '\n', bytes.n);
		size_t n = lf ? (size_t)(lf - bytes.p) : bytes.n;

		observe_line(r->tap, TAPE_OUT, vy_str_n(bytes.p, n));
		bytes = vy_str_from(bytes, n + 1);
	}
}

void runner_send_tells(struct runner *r)
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
		VY_CRASH(TELL_SEND);
		if (hold_in(r->hold, (uint64_t)t->seq, t->bytes, &e) != 0) {
			vy_log(VY_LOG_WARN, "runner.in", "session=%s hid=%s why=%s", r->session,
				r->hid, vy_log_q(e.text));
			return; /* goes with the next INACK */
		}
		r->sent_seq = t->seq;
		show_tell(r, t->bytes);
		VY_CRASH(TELL_SENT);
	}
}

void runner_stage_tell(struct runner *r, struct vy_str bytes)
{
	int64_t seq = r->next_seq++;

	runner_add_tell(r, seq, bytes);
	LOG_PUT(r->log, ROW_TELL, tell, .hid = vy_str_c(r->hid), .seq = seq, .bytes = bytes);
	VY_CRASH(TELL_STAGED);
	runner_stage_later(r);
}

/* ---- events up ------------------------------------------------------------------------------ */

static void on_forgotten(void *ctx, bool committed);

void runner_deliver(struct runner *r, struct agent_out *out)
{
	if (out->tell.len) {
		runner_stage_tell(r, vy_buf_str(&out->tell));
	}
	for (size_t i = 0; i < out->n && !r->is_freed; i++) {
		r->ops->heard(r->ctx, &out->events[i]);
	}
}

/* Forgets it; what the owner then does commits with that. */
static void forget(struct runner *r)
{
	r->is_over = true;
	vy_timer_set(r->grace, -1);
	LOG_DEL(r->log, ROW_LIVE, live, .session = vy_str_c(r->session), .hid = vy_str_c(r->hid));
	r->calls++;
	log_after(r->log, on_forgotten, r);
}

void runner_over(struct runner *r, const char *why)
{
	if (!r->is_over) {
		vy_log(VY_LOG_INFO, "agent.gone", "session=%s hid=%s why=%s", r->session, r->hid,
			vy_log_q(why));
		forget(r);
		r->ops->gone(r->ctx, why);
	}
}

void runner_unborn(struct runner *r)
{
	if (!r->is_over) {
		vy_log(VY_LOG_INFO, "agent.unborn", "session=%s hid=%s", r->session, r->hid);
		forget(r);
		r->ops->unborn(r->ctx);
	}
}

/* A stop ends what was left running, and so does the loss of an agent; its rest does not, nor the end that a
 * person's own command came to by itself. */
static bool leaves_some(const struct runner *r)
{
	return !r->is_started || (r->is_private ? !r->is_ending : r->is_sparing);
}

/* The commit that forgets the live row also lets the holder go. */
static void on_forgotten(void *ctx, bool committed)
{
	struct runner *r = ctx;

	if (committed && r->hold) {
		VY_CRASH(BYE_SEND);
		if (!leaves_some(r)) {
			hold_signal(r->hold, SIGKILL, true);
		}
		hold_bye(r->hold);
		cgroup_end(r->hid, false);
		VY_CRASH(BYE_SENT);
	}
	runner_came(r);
}

static void on_committed(void *ctx, bool committed)
{
	struct runner *r = ctx;

	if (runner_came(r) && committed && !r->is_over && r->hold) {
		r->committed_seq = r->staged_seq;
		VY_CRASH(ACK_SEND);
		if (r->staged_off - r->acked_off >= ACK_EVERY) {
			r->acked_off = r->staged_off;
			hold_ack(r->hold, r->acked_off);
		}
		VY_CRASH(ACK_SENT);
		runner_send_tells(r);
	}
}
