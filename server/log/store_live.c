/* store_live.c -- see store_live.h.
 *
 * That a process may write there is known from its last put of this transaction or the one before
 * (fence.h); who does not know writes `live`, and looks. */
#include "server/log/store_live.h"

#include "server/io/db.h"
#include "server/log/fence.h"
#include "server/log/numbers.h"
#include "server/log/store_rows.h"
#include "shared/base/ban.h"

#define HID_MAX   0x7f /* one byte says its length: LIVE_FORGET counts on it */
#define STATE_MAX 900  /* more would not lie in the page itself */

/* hid, off, driver_state, turn_state; extra is the rest. */
static bool write_state(const struct row_live *r, struct vy_buf *out)
{
	vy_buf_clear(out);
	number_add_str(out, r->hid);
	number_add_signed(out, r->off);
	number_add_str(out, r->driver_state);
	number_add_str(out, r->turn_state);
	vy_buf_addstr(out, r->extra);
	return !vy_buf_is_over(out) && out->len <= STATE_MAX;
}

int store_live_read(struct vy_str bytes, struct row_live *live, struct vy_err *e)
{
	struct numbers r = { .left = bytes };
	struct vy_str hid = number_read_str(&r);
	int64_t off = number_read_signed(&r);
	struct vy_str driver = number_read_str(&r), turn = number_read_str(&r);

	if (r.is_bad) {
		return vy_fail(e, VY_CORRUPT, "the state of an agent of %.*s is damaged",
			VY_STR_ARG(live->session));
	}
	if (vy_str_eq(hid, live->hid)) {
		live->off = off;
		live->driver_state = driver;
		live->turn_state = turn;
		live->extra = r.left;
	}
	return 0;
}

static int write_beside(struct db *d, int64_t sid, struct vy_str bytes, struct vy_err *e)
{
	struct db_stmt *s =
		db_prep(d, "REPLACE INTO frame(sid, cur, bytes) VALUES (?1, " LIVE_CUR ", ?2)", e);

	if (!s) {
		return -1;
	}
	db_bind_int(s, 1, sid);
	db_bind_blob(s, 2, bytes);
	return db_run(s, e) < 0 ? -1 : 0;
}

/* What it left there is old now; before its row in `live` names another session. */
static int forget(struct db *d, struct vy_str hid, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, LIVE_FORGET, e);

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, hid);
	return db_run(s, e) < 0 ? -1 : 0;
}

/* 1: the session's log has a place, and nobody's state is in it. */
static int is_free(struct db *d, struct vy_str session, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d,
		"SELECT 1 FROM stream s WHERE s.session = ?1 AND NOT EXISTS"
		" (SELECT 1 FROM frame f WHERE f.sid = s.sid AND f.cur = " LIVE_CUR ")",
		e);
	int rc;

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, session);
	rc = db_step(s, e);
	db_done(s);
	return rc;
}

int store_live_put(struct db *d, struct fence *known, const struct store_row *row,
	struct vy_buf *scratch, struct vy_err *e)
{
	const struct row_live *live = &row->live;
	const struct vy_str nobody = { 0 };
	int64_t sid = fence_live(known, live->session, live->hid);
	int rc;

	if (sid && write_state(live, scratch)) {
		return write_beside(d, sid, vy_buf_str(scratch), e);
	}
	if (forget(d, live->hid, e) < 0 || store_rows_put(d, row, e) < 0 ||
		(rc = is_free(d, live->session, e)) < 0) {
		return -1;
	}
	fence_note_live(
		known, rc > 0 && live->hid.n <= HID_MAX ? live->session : nobody, live->hid);
	return 0;
}
