/* store_frames.c -- see store_frames.h.
 *
 * `stream` has one row a session: its number, head, floor and what it holds. The head is kept apart
 * from the frames because a log that was trimmed to nothing must still go on from there. The row is
 * of some frames ago: it takes stock once in STOCK_EVERY frames, since each commit that writes it
 * writes a page for it, and who asks for the bounds counts what came since.
 *
 * The fence is one SELECT in the transaction that then writes: it finds its row only when the head and
 * the epoch are the expected ones, and the same statement, locking the row, will do on another
 * engine. (One UPDATE with RETURNING does the same and costs three times as much in SQLite.) */
#include "server/log/store_frames.h"

#include "server/io/db.h"
#include "server/log/fence.h"
#include "server/log/store_live.h"
#include "server/log/store_runs.h"
#include "shared/base/ban.h"

#define STOCK_EVERY 64

#define FRAMES "f.cur < " LIVE_CUR /* of `frame f`: what is one */
#define SINCE  "f.cur > stream.head AND " FRAMES

/* The fence: the session's number when its head and the epoch are the expected ones; 0, -1. */
static int64_t find(
	struct db *d, struct vy_str session, int64_t head, const char *epoch, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d,
		"SELECT sid FROM stream WHERE session = ?1 AND ?2 ="
		" (SELECT coalesce(max(f.cur), stream.head) FROM frame f"
		"  WHERE f.sid = stream.sid AND " SINCE ") AND EXISTS"
		" (SELECT 1 FROM kv WHERE space = 'meta' AND name = 'epoch' AND value = ?3)",
		e);
	int64_t sid;
	int rc;

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	db_bind_int(s, 2, head);
	db_bind_blob(s, 3, vy_str_c(epoch));
	rc = db_step(s, e);
	sid = rc > 0 ? db_int(s, 0) : rc;
	db_done(s);
	return sid;
}

/* The row takes in what came since. */
int store_frames_stock(struct db *d, struct vy_str session, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d,
		"UPDATE stream SET (head, frames, bytes) ="
		" (SELECT coalesce(max(f.cur), stream.head), stream.frames + count(*),"
		"  stream.bytes + coalesce(sum(length(f.bytes)), 0)"
		"  FROM frame f WHERE f.sid = stream.sid AND " SINCE ")"
		" WHERE session = ?1",
		e);

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	return db_run(s, e) < 0 ? -1 : 0;
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

int store_frames_append(struct db *d, struct fence *known, struct vy_str session, int64_t prev,
	const char *epoch, const struct store_frame *frames, size_t n, struct vy_err *e)
{
	int64_t sid = fence_find(known, session, prev, epoch);

	for (size_t i = 0; i < n; i++) {
		vy_assert(frames[i].cur == prev + 1 + (int64_t)i);
	}
	if (sid == 0) {
		sid = find(d, session, prev, epoch, e);
	}
	if (sid == 0 && prev == 0) {
		if (first_time(d, session, e) < 0) {
			return -1;
		}
		sid = find(d, session, prev, epoch, e);
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
	fence_note(known, session, sid, prev + (int64_t)n, epoch);
	if ((prev + (int64_t)n) / STOCK_EVERY > prev / STOCK_EVERY) {
		return store_frames_stock(d, session, e);
	}
	return 0;
}

/* Of a damaged one: what its row says, and what can be read behind that. */
static int bounds_as_read(struct db *d, struct vy_str session, struct store_bounds *out)
{
	static const char *const sql[] = {
		"SELECT head, floor, frames, bytes FROM stream WHERE session = ?1",
		"SELECT f.cur FROM frame f, stream s WHERE s.session = ?1 AND f.sid = s.sid"
		" AND f.cur > s.head AND " FRAMES " ORDER BY f.cur",
	};
	struct db_stmt *row = db_prep(d, sql[0], NULL), *more = db_prep(d, sql[1], NULL);
	int rc = -1;

	if (row) {
		db_bind_text(row, 1, session);
		rc = db_step(row, NULL);
	}
	if (rc > 0) {
		*out = (struct store_bounds){ db_int(row, 0), db_int(row, 1), db_int(row, 2),
			db_int(row, 3), 0 };
	}
	db_done(row);
	if (rc > 0 && more) {
		db_bind_text(more, 1, session);
		while (db_step(more, NULL) > 0) {
			out->head = db_int(more, 0);
			out->frames++;
		}
	}
	db_done(more);
	return rc < 0 ? -1 : 0;
}

int store_frames_bounds(
	struct db *d, struct vy_str session, struct store_bounds *out, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d,
		"SELECT coalesce(max(f.cur), head), floor, frames + count(f.cur),"
		" stream.bytes + coalesce(sum(length(f.bytes)), 0),"
		" (SELECT max(last) FROM run r WHERE r.sid = stream.sid AND r.first ="
		"  (SELECT max(first) FROM run WHERE sid = stream.sid))"
		" FROM stream LEFT JOIN frame f ON f.sid = stream.sid AND " SINCE
		" WHERE session = ?1 GROUP BY stream.sid",
		e);
	int rc;

	*out = (struct store_bounds){ .floor = 1 };
	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	rc = db_step(s, e);
	if (rc > 0) {
		*out = (struct store_bounds){ db_int(s, 0), db_int(s, 1), db_int(s, 2),
			db_int(s, 3), db_int(s, 4) };
	}
	db_done(s);
	if (rc < 0 && e && e->code == VY_CORRUPT) {
		return bounds_as_read(d, session, out);
	}
	return rc < 0 ? -1 : 0;
}

int store_frames_read(struct db *d, struct runs *runs, struct vy_str session, int64_t from,
	const struct store_reading *how, store_frame_fn *fn, void *ctx, struct vy_err *e)
{
	int rc = runs_read(runs, session, &from, how, fn, ctx, e);
	struct db_stmt *s;

	if (rc != 0) {
		return rc < 0 ? -1 : 0;
	}
	s = db_prep(d,
		"SELECT cur, bytes FROM frame f WHERE cur >= ?2 AND " FRAMES " AND sid ="
		" (SELECT sid FROM stream WHERE session = ?1) ORDER BY cur",
		e);
	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	db_bind_int(s, 2, from);
	while ((rc = db_step(s, e)) > 0) {
		struct store_frame f = { db_int(s, 0), db_blob(s, 1), 1 };

		if (!fn(ctx, &f)) {
			rc = 0;
			break;
		}
	}
	db_done(s);
	return rc;
}

/* ---- what was forgotten ---- */

/* 1: the log ends there and holds nothing; its row says how much it will. */
static int make_room(struct db *d, struct vy_str session, const struct store_frame *frames,
	size_t n, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d,
		"INSERT INTO stream(session, head, floor, frames, bytes) VALUES (?1, ?2, ?3, ?4, "
		"?5)"
		" ON CONFLICT(session) DO UPDATE SET floor = ?3, frames = ?4, bytes = ?5"
		" WHERE head = ?2 AND floor = head + 1"
		" AND NOT EXISTS (SELECT 1 FROM frame f WHERE f.sid = stream.sid AND " FRAMES ")"
		" AND NOT EXISTS (SELECT 1 FROM run r WHERE r.sid = stream.sid) RETURNING sid",
		e);
	int64_t bytes = 0;
	int rc;

	if (!s) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		bytes += (int64_t)frames[i].bytes.n;
	}
	db_bind_text(s, 1, session);
	db_bind_int(s, 2, frames[n - 1].cur);
	db_bind_int(s, 3, frames[0].cur);
	db_bind_int(s, 4, (int64_t)n);
	db_bind_int(s, 5, bytes);
	rc = db_step(s, e);
	rc = rc > 0 ? (int)(db_int(s, 0) > 0) : rc;
	db_done(s);
	return rc;
}

static int64_t number_of(struct db *d, struct vy_str session, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, "SELECT sid FROM stream WHERE session = ?1", e);
	int64_t sid;
	int rc;

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	rc = db_step(s, e);
	sid = rc > 0 ? db_int(s, 0) : -1;
	db_done(s);
	return sid;
}

int store_frames_fill(struct db *d, struct vy_str session, const struct store_frame *frames,
	size_t n, struct vy_err *e)
{
	int64_t sid;
	int rc = store_frames_stock(d, session, e);

	rc = rc < 0 ? rc : make_room(d, session, frames, n, e);
	if (rc <= 0) {
		return rc < 0 ? -1
			      : vy_fail(e, VY_CONFLICT, "the log of %.*s is not empty up to %lld",
					VY_STR_ARG(session), (long long)frames[n - 1].cur);
	}
	sid = number_of(d, session, e);
	for (size_t i = 0; sid > 0 && i < n; i++) {
		vy_assert(i == 0 || frames[i].cur == frames[i - 1].cur + 1);
		if (insert(d, sid, &frames[i], e) < 0) {
			return -1;
		}
	}
	return sid > 0 ? 0 : -1;
}

/* ---- forgetting ---- */

int store_frames_trim(struct db *d, struct vy_str session, int64_t floor, struct vy_err *e)
{
	static const char *const steps[] = {
		"UPDATE stream SET floor = min(?2, head + 1), frames = head + 1 - min(?2, head + "
		"1),"
		" bytes = bytes - (SELECT coalesce(sum(length(f.bytes)), 0)"
		"  FROM frame f WHERE f.sid = stream.sid AND f.cur < ?2)"
		" - (SELECT coalesce(sum(length(r.bytes)), 0)"
		"  FROM run r WHERE r.sid = stream.sid AND r.last < ?2)"
		" WHERE session = ?1 AND floor < ?2",
		"DELETE FROM frame WHERE cur < ?2 AND sid ="
		" (SELECT sid FROM stream WHERE session = ?1)",
		"DELETE FROM run WHERE last < ?2 AND sid ="
		" (SELECT sid FROM stream WHERE session = ?1)",
	};

	if (store_frames_stock(d, session, e) < 0) {
		return -1;
	}
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
		"DELETE FROM run WHERE sid = (SELECT sid FROM stream WHERE session = ?1)",
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
