/* log_tidy.c -- the store is kept small behind the log's back (log.h): what that changes is taken over
 * into what the log has in memory. */
#include "server/log/log_in.h"
#include "shared/base/ban.h"

/* The store says what it holds now; a frame that expired is no longer in the ring as it was. */
static void take_over(struct log *l, const char *session, bool has_expired)
{
	struct stream *st = streams_find(l->streams, vy_str_c(session));
	struct store_bounds held;

	if (!st || l->store->ops->bounds(l->store, vy_str_c(session), &held, NULL) < 0) {
		return;
	}
	if (held.head == st->held.head) {
		streams_bound(l->streams, st, &held);
	}
	if (has_expired) {
		streams_quiet(l->streams, st);
	}
}

static void on_tidied(void *ctx, int rc)
{
	struct log *l = ctx;
	void (*done)(void *ctx, int rc) = l->tidying.done;
	char *session = l->tidying.session;

	l->tidying.done = NULL;
	l->tidying.session = NULL;
	take_over(l, session, l->tidying.expires);
	free(session);
	if (done) {
		done(l->tidying.ctx, rc);
	}
}

int log_tidy(struct log *l, const struct store_tidy *what, void (*done)(void *ctx, int rc),
	void *ctx, struct vy_err *e)
{
	int rc;

	VY_CHECK(l, LOG_MAGIC);
	if (l->trouble.why.code != VY_OK) {
		return vy_fail(e, VY_RETRY, "the log is paused");
	}
	vy_assert(!l->tidying.session);
	l->tidying.session = vy_memdup0(what->session.p, what->session.n);
	l->tidying.expires = what->expire_before > 0;
	l->tidying.done = done;
	l->tidying.ctx = ctx;
	rc = l->store->ops->tidy(l->store, what, on_tidied, l, e);
	if (rc <= 0) {
		free(l->tidying.session);
		l->tidying.session = NULL;
		l->tidying.done = NULL;
	}
	return rc;
}

void log_tidy_end(struct log *l)
{
	VY_CHECK(l, LOG_MAGIC);
	l->tidying.done = NULL;
	l->store->ops->drain(l->store);
}

int log_trim(struct log *l, const char *session, int64_t floor, struct vy_err *e)
{
	struct log_store *s = l->store;

	VY_CHECK(l, LOG_MAGIC);
	if (l->trouble.why.code != VY_OK) {
		return vy_fail(e, VY_RETRY, "the log is paused");
	}
	if (s->ops->begin(s, e) < 0 || s->ops->trim(s, vy_str_c(session), floor, e) < 0 ||
		s->ops->commit(s, e) < 0) {
		return -1;
	}
	take_over(l, session, false);
	return 0;
}

int log_shrink(struct log *l, struct vy_err *e)
{
	VY_CHECK(l, LOG_MAGIC);
	return l->trouble.why.code == VY_OK ? l->store->ops->shrink(l->store, e) : 0;
}

int log_held(struct log *l, const char *session, struct store_bounds *out, struct vy_err *e)
{
	return l->store->ops->bounds(l->store, vy_str_c(session), out, e);
}
