/* follow_read.c -- the log as the follow view reads it: events of the journal one by one, frames through
 * the machine of attempts.h into the ring. */
#include "server/hub/follow_in.h"
#include "shared/base/arena.h"
#include "shared/base/jw.h"
#include "shared/base/log.h"
#include "shared/frame/codec.h"
#include "shared/frame/twin.h"
#include "shared/base/ban.h"

/* ---- an event for a reader ---- */

struct reading {
	struct follow_sub *sub;
	int64_t upto;
	struct vy_buf *out;
	int got;
};

static void member(struct vy_jw *w, const char *key, struct vy_str s)
{
	if (s.n) {
		vy_jw_kstr(w, key, s);
	}
}

static void member_raw(struct vy_jw *w, const char *key, struct vy_str json)
{
	if (json.n) {
		vy_jw_key(w, key);
		vy_jw_raw(w, json);
	}
}

static void write_event(const struct row_journal *r, int64_t after, struct vy_jw *w)
{
	vy_jw_obj(w);
	vy_jw_kstr(w, "type", r->type);
	vy_jw_kint(w, "seq", r->seq);
	vy_jw_kint(w, "after", after);
	vy_jw_kstr(w, "id", r->id);
	vy_jw_kint(w, "time", r->time);
	vy_jw_kstr(w, "actor", r->actor);
	member_raw(w, "chain", r->chain);
	member(w, "subject", r->subject);
	member(w, "turn", r->turn);
	vy_jw_kint(w, "step", r->step);
	member_raw(w, "data", r->data);
	if (r->data.n == 0) {
		vy_jw_kbool(w, "erased", true);
	}
	vy_jw_end_obj(w);
}

static bool take_event(void *ctx, const struct store_row *row)
{
	struct reading *r = ctx;
	struct vy_jw w = VY_JW(r->out);

	if (row->journal.seq <= r->upto) {
		write_event(&row->journal, r->sub->given, &w);
		r->sub->seq = r->sub->given = row->journal.seq;
		r->sub->was_event = true;
		r->got = 1;
	}
	return false;
}

int follow_event(struct follow_sub *s, int64_t upto, struct vy_buf *out, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_JOURNAL,
		.journal = { .session = vy_str_c(s->of->session), .seq = s->seq + 1 } };
	struct reading r = { s, upto, out, 0 };

	if (log_each(s->follow->log, &like, take_event, &r, e) < 0 && r.got == 0) {
		return -1;
	}
	if (r.got == 0) {
		s->seq = upto; /* a number of another session */
	}
	return r.got;
}

static bool take_seq(void *ctx, const struct store_row *row)
{
	*(int64_t *)ctx = row->journal.seq;
	return true;
}

int follow_head(struct log *l, int64_t *head, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_JOURNAL, .journal = { .seq = -1 } };

	*head = 0;
	return log_each(l, &like, take_seq, head, e);
}

/* ---- into the ring ---- */

static void add_item(struct followed *fd, struct vy_str bytes)
{
	struct frame_ref *it = frame_ref_new(++fd->arrived, 1, bytes);

	ring_push(&fd->ring, it);
	frame_unref(it);
}

static void add_event(void *ctx, int64_t seq)
{
	char number[24];

	snprintf(number, sizeof(number), "%lld", (long long)seq);
	add_item(ctx, vy_str_c(number));
}

static void add_frame(void *ctx, struct vy_str json)
{
	struct followed *fd = ctx;

	fd->follow->frames++;
	add_item(fd, json);
}

/* ---- frames ---- */

struct walk {
	struct followed *fd;
	const struct mark *mark; /* on the way back; else NULL */
};

static void walk_one(struct walk *wk, const struct vy_frame *f)
{
	const struct attempts_out out = { add_event, add_frame, wk->fd };

	if (wk->mark) {
		attempts_again(wk->fd->attempts, wk->mark, f);
	} else {
		attempts_frame(wk->fd->attempts, f, &out);
	}
}

static bool take_frame(void *ctx, struct frame_ref *ref)
{
	struct walk *wk = ctx;
	struct followed *fd = wk->fd;
	const struct vy_frame *twin = vy_twin_read(&fd->twin, frame_ref_str(ref));
	struct vy_frame f;
	struct vy_err e = { 0 };

	fd->cur = ref->cur;
	if (twin) {
		walk_one(wk, twin);
		return true;
	}
	vy_arena_reset(&fd->mem);
	if (vy_frame_decode(frame_ref_str(ref), &fd->mem, &f, &e) < 0) {
		vy_log(VY_LOG_ERROR, "follow.frame", "session=%s cur=%lld err=%s", fd->session,
			(long long)ref->cur, vy_log_q(e.text));
		return true; /* damaged: as the log did, without what it would have said */
	}
	walk_one(wk, &f);
	if (f.kind == VY_KIND_TEXT_DELTA) {
		vy_twin_note(&fd->twin, frame_ref_str(ref));
	}
	return true;
}

/* Every frame behind the last one. */
static int walk(struct followed *fd, const struct mark *mark, struct vy_err *e)
{
	struct walk wk = { fd, mark };

	return log_read(fd->follow->log, fd->session, fd->cur, take_frame, &wk, e);
}

void follow_forget(struct followed *fd)
{
	if (fd->attempts) {
		attempts_free(fd->attempts);
		fd->attempts = NULL;
		vy_twin_fini(&fd->twin);
		vy_arena_fini(&fd->mem);
		ring_clear(&fd->ring);
	}
}

int follow_rebuild(struct followed *fd, struct vy_err *e)
{
	struct log *l = fd->follow->log;
	int64_t head = log_head(l, fd->session);
	struct mark mark;
	int rc;

	follow_forget(fd);
	fd->attempts = attempts_new(fd->seq);
	vy_twin_init(&fd->twin);
	vy_arena_init(&fd->mem);
	rc = mark_read(l, fd->session, &mark, e);
	if (rc == 0) {
		fd->cur = mark_after(&mark, log_floor(l, fd->session));
		attempts_mark(fd->attempts, &mark);
		rc = fd->cur < head ? walk(fd, &mark, e) : 0;
		fd->cur = head;
		attempts_are_there(fd->attempts);
	}
	mark_fini(&mark);
	return rc;
}

/* ---- a commit ---- */

static bool note_event(void *ctx, const struct store_row *row)
{
	struct followed *fd = ctx;
	const struct row_journal *r = &row->journal;

	fd->seq = r->seq;
	if (fd->attempts) {
		attempts_event(fd->attempts, &(struct attempts_event){ r->seq, r->id, r->type });
	}
	return true;
}

/* 1: there were new ones. */
static int read_events(struct followed *fd, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_JOURNAL,
		.journal = { .session = vy_str_c(fd->session), .seq = fd->seq + 1 } };
	int64_t events = log_events(fd->follow->log), before = fd->seq;

	if (events == fd->events) {
		return 0;
	}
	fd->events = events;
	return log_each(fd->follow->log, &like, note_event, fd, e) < 0 ? -1 : fd->seq != before;
}

enum follow_got follow_read(struct followed *fd, struct vy_err *e)
{
	const struct attempts_out out = { add_event, add_frame, fd };
	int64_t before = fd->arrived;
	int got = read_events(fd, e);

	if (got < 0) {
		return FOLLOW_FAILED;
	}
	if (!fd->attempts) {
		return got ? FOLLOW_MORE : FOLLOW_NOTHING;
	}
	if (walk(fd, NULL, e) < 0) {
		return e->code == VY_GONE && follow_rebuild(fd, e) == 0 ? FOLLOW_AGAIN
									: FOLLOW_FAILED;
	}
	attempts_rest(fd->attempts, &out);
	return fd->arrived != before ? FOLLOW_MORE : FOLLOW_NOTHING;
}
