/* store_frames.c -- see store_frames.h.
 *
 * `stream` has one row a session: its number, head, floor and what it holds. The head is kept apart
 * from the frames because a log that was trimmed to nothing must still go on from there. One UPDATE
 * is the whole fence: it finds its row only when the head and the epoch are the expected ones, and
 * the same statement will do on another engine. */
#include "server/log/store_frames.h"

#include "server/io/db.h"
#include "shared/base/ban.h"

/* Head and fence in one step: the session's number, 0 when the row is not as expected, -1. */
static int64_t advance(struct db *d, struct vy_str session, int64_t prev, const char *epoch,
	const struct store_bounds *add, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d,
		"UPDATE stream SET head = ?3, frames = frames + ?4, bytes = bytes + ?5"
		" WHERE session = ?1 AND head = ?2 AND EXISTS"
		" (SELECT 1 FROM kv WHERE space = 'meta' AND name = 'epoch' AND value = ?6)"
		" RETURNING sid",
		e);
	int64_t sid = -1;
	int rc;

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	db_bind_int(s, 2, prev);
	db_bind_int(s, 3, add->head);
	db_bind_int(s, 4, add->frames);
	db_bind_int(s, 5, add->bytes);
	db_bind_blob(s, 6, vy_str_c(epoch));
	rc = db_step(s, e);
	if (rc >= 0) {
		sid = rc ? db_int(s, 0) : 0;
	}
	while (rc > 0) {
		rc = db_step(s, e); /* an UPDATE is done only when stepped to its end */
	}
	db_done(s);
	return rc < 0 ? -1 : sid;
}

static int first_time(struct db *d, struct vy_str session, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d,
		"INSERT INTO stream(session, head, floor, frames, bytes) VALUES (?1, 0, 1, 0, 0)"
		" ON CONFLICT DO NOTHING",
		e);

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	return db_run(s, e) < 0 ? -1 : 0;
}

static int insert(struct db *d, int64_t sid, const struct store_frame *f, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, "INSERT INTO frame(sid, cur, bytes) VALUES (?1, ?2, ?3)", e);

	if (!s) {
		return -1;
	}
	db_bind_int(s, 1, sid);
	db_bind_int(s, 2, f->cur);
	db_bind_blob(s, 3, f->bytes);
	return db_run(s, e) < 0 ? -1 : 0;
}

int store_frames_append(struct db *d, struct vy_str session, int64_t prev, const char *epoch,
	const struct store_frame *frames, size_t n, struct vy_err *e)
{
	struct store_bounds add = { .head = prev + (int64_t)n, .frames = (int64_t)n };
	int64_t sid;

	for (size_t i = 0; i < n; i++) {
		vy_assert(frames[i].cur == prev + 1 + (int64_t)i);
		add.bytes += (int64_t)frames[i].bytes.n;
	}
	sid = advance(d, session, prev, epoch, &add, e);
	if (sid == 0 && prev == 0) {
		if (first_time(d, session, e) < 0) {
			return -1;
		}
		sid = advance(d, session, prev, epoch, &add, e);
	}
	if (sid < 0) {
		return -1;
	}
	if (sid == 0) {
		return vy_fail(e, VY_CONFLICT,
			"the log of %.*s does not end at %lld in epoch %s: somebody else wrote",
			VY_STR_ARG(session), (long long)prev, epoch);
	}
	for (size_t i = 0; i < n; i++) {
		if (insert(d, sid, &frames[i], e) < 0) {
			return -1;
		}
	}
	return 0;
}

int store_frames_bounds(
	struct db *d, struct vy_str session, struct store_bounds *out, struct vy_err *e)
{
	struct db_stmt *s =
		db_prep(d, "SELECT head, floor, frames, bytes FROM stream WHERE session = ?1", e);
	int rc;

	*out = (struct store_bounds){ .floor = 1 };
	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	rc = db_step(s, e);
	if (rc > 0) {
		*out = (struct store_bounds){ db_int(s, 0), db_int(s, 1), db_int(s, 2),
			db_int(s, 3) };
	}
	db_done(s);
	return rc < 0 ? -1 : 0;
}

int store_frames_read(struct db *d, struct vy_str session, int64_t from, store_frame_fn *fn,
	void *ctx, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d,
		"SELECT cur, bytes FROM frame WHERE cur >= ?2 AND sid ="
		" (SELECT sid FROM stream WHERE session = ?1) ORDER BY cur",
		e);
	int rc;

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	db_bind_int(s, 2, from);
	while ((rc = db_step(s, e)) > 0) {
		struct store_frame f = { db_int(s, 0), db_blob(s, 1) };

		if (!fn(ctx, &f)) {
			rc = 0;
			break;
		}
	}
	db_done(s);
	return rc;
}

/* ---- forgetting ---- */

int store_frames_trim(struct db *d, struct vy_str session, int64_t floor, struct vy_err *e)
{
	static const char *const steps[] = {
		"UPDATE stream SET floor = min(?2, head + 1),"
		" (frames, bytes) = (SELECT stream.frames - count(*),"
		"  stream.bytes - coalesce(sum(length(f.bytes)), 0)"
		"  FROM frame f WHERE f.sid = stream.sid AND f.cur < ?2)"
		" WHERE session = ?1 AND floor < ?2",
		"DELETE FROM frame WHERE cur < ?2 AND sid ="
		" (SELECT sid FROM stream WHERE session = ?1)",
	};

	for (size_t i = 0; i < VY_COUNT(steps); i++) {
		struct db_stmt *s = db_prep(d, steps[i], e);

		if (!s) {
			return -1;
		}
		db_bind_text(s, 1, session);
		db_bind_int(s, 2, floor);
		if (db_run(s, e) < 0) {
			return -1;
		}
	}
	return 0;
}

int store_frames_delete(struct db *d, struct vy_str session, struct vy_err *e)
{
	static const char *const steps[] = {
		"DELETE FROM frame WHERE sid = (SELECT sid FROM stream WHERE session = ?1)",
		"DELETE FROM stream WHERE session = ?1",
	};

	for (size_t i = 0; i < VY_COUNT(steps); i++) {
		struct db_stmt *s = db_prep(d, steps[i], e);

		if (!s) {
			return -1;
		}
		db_bind_text(s, 1, session);
		if (db_run(s, e) < 0) {
			return -1;
		}
	}
	return 0;
}
