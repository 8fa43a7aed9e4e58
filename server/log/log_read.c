/* log_read.c -- what is committed, as it is read (log.h); see log_in.h. */
#include "server/log/log_in.h"
#include "server/log/seed.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

/* Passes a failed read on. */
static int64_t met(struct log *l, int64_t rc, const struct vy_err *why, struct vy_err *e)
{
	if (rc < 0 && why->code == VY_CORRUPT) {
		log_damaged(l, why);
	}
	if (rc < 0 && e) {
		*e = *why;
	}
	return rc;
}

static bool is_empty(const struct stream *st)
{
	return st->held.floor > st->held.head && st->n_wait == 0;
}

/* Whether a session's log must be made again (seed.h); not in the middle of a commit, and not while
 * none goes through. */
static void look(struct log *l, struct stream *st)
{
	struct vy_err e = { 0 };
	int rc;

	if (l->is_flushing || l->trouble.is_broken || l->trouble.retry_ms > 0) {
		return;
	}
	rc = seed_exact(l->store, vy_str_c(st->id), &st->exact, &e);
	if (rc == 0 && is_empty(st)) {
		rc = seed_run(l->store, vy_str_c(st->id), &st->held, &st->exact, &e);
	}
	if (rc > 0) {
		rc = l->store->ops->bounds(l->store, vy_str_c(st->id), &st->held, &e);
		st->staged = st->held.head;
	}
	if (rc < 0) {
		vy_log(VY_LOG_WARN, "log.seed", "session=%s err=%s", st->id, vy_log_q(e.text));
	}
	st->is_looked = rc == 0 || e.code != VY_RETRY;
	st->was_empty = is_empty(st);
}

struct stream *log_stream(struct log *l, const char *session, struct vy_err *e)
{
	struct vy_err why = { 0 };
	struct stream *st = streams_get(l->streams, session, &why);

	(void)met(l, st ? 0 : -1, &why, e);
	if (st && (!st->is_looked || (is_empty(st) && !st->was_empty))) {
		look(l, st);
	} else if (st && st->was_empty) {
		st->was_empty = is_empty(st);
	}
	return st;
}

int64_t log_exact(struct log *l, const char *session)
{
	struct stream *st = log_stream(l, session, NULL);

	return st ? st->exact : 0;
}

int64_t log_head(struct log *l, const char *session)
{
	struct stream *st = log_stream(l, session, NULL);

	return st ? st->held.head : -1;
}

int64_t log_floor(struct log *l, const char *session)
{
	struct stream *st = log_stream(l, session, NULL);

	return st ? st->held.floor : -1;
}

int64_t log_staged(struct log *l, const char *session)
{
	struct stream *st = log_stream(l, session, NULL);

	return st ? st->staged : -1;
}

int64_t log_events(const struct log *l)
{
	return l->events;
}

int log_read_as(struct log *l, const char *session, int64_t after, const struct store_reading *how,
	log_read_fn *fn, void *ctx, struct vy_err *e)
{
	struct stream *st = log_stream(l, session, e);
	struct vy_err why = { 0 };

	return st ? (int)met(l, streams_read(l->streams, st, after, how, fn, ctx, &why), &why, e)
		  : -1;
}

int log_read(struct log *l, const char *session, int64_t after, log_read_fn *fn, void *ctx,
	struct vy_err *e)
{
	return log_read_as(l, session, after, NULL, fn, ctx, e);
}

static bool keep_one(void *ctx, struct frame_ref *f)
{
	*(struct frame_ref **)ctx = frame_ref(f);
	return false;
}

struct frame_ref *log_frame(struct log *l, const char *session, int64_t cur)
{
	struct stream *st = log_stream(l, session, NULL);
	struct frame_ref *f = NULL;

	if (st && cur >= st->held.floor && cur <= st->held.head &&
		streams_read(l->streams, st, cur - 1, NULL, keep_one, &f, NULL) < 0) {
		return NULL;
	}
	return f;
}

int log_attempts(
	struct log *l, const char *session, log_attempt_fn *fn, void *ctx, struct vy_err *e)
{
	struct stream *st = log_stream(l, session, e);

	if (!st || derive_open(l->derive, st, e) < 0) {
		return -1;
	}
	derive_attempts(st, fn, ctx);
	return 0;
}

int log_each(
	struct log *l, const struct store_row *like, store_row_fn *fn, void *ctx, struct vy_err *e)
{
	struct vy_err why = { 0 };

	VY_CHECK(l, LOG_MAGIC);
	return (int)met(l, l->store->ops->each(l->store, like, fn, ctx, &why), &why, e);
}

int log_row(
	struct log *l, const struct store_row *key, store_row_fn *fn, void *ctx, struct vy_err *e)
{
	const struct store_row *staged = stage_find(&l->stage, key);

	if (staged) {
		(void)fn(ctx, staged);
		return 0;
	}
	return log_each(l, key, fn, ctx, e);
}

int64_t log_output(struct log *l, struct vy_str session, struct vy_str ref, int64_t off, void *out,
	size_t n, int64_t *total, struct vy_err *e)
{
	struct vy_err why = { 0 };

	VY_CHECK(l, LOG_MAGIC);
	return met(l, l->store->ops->output(l->store, session, ref, off, out, n, total, &why), &why,
		e);
}
