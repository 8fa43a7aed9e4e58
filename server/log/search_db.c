/* search_db.c -- see search_db.h. `words` has the texts, `said` what they are of. */
#include "server/log/search_db.h"

#include <stdio.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define MERGE_DID 2 /* changes of a step of a merge that did something (SQLite's own word) */

static const char *const steps[] = {
	"CREATE VIRTUAL TABLE words USING fts5(text, tokenize='trigram');"
	"CREATE TABLE said(seq INTEGER PRIMARY KEY, session TEXT NOT NULL, message TEXT NOT NULL,"
	"  role TEXT NOT NULL, time INTEGER NOT NULL);"
	"CREATE INDEX said_session ON said(session);"
	"CREATE TABLE mark(one INTEGER PRIMARY KEY CHECK(one = 1), epoch TEXT NOT NULL,"
	"  seq INTEGER NOT NULL, merging INTEGER NOT NULL)",
};
static const struct db_schema schema = { steps, VY_COUNT(steps) };

static int run_text(struct db *d, const char *sql, struct vy_str text, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, sql, e);

	if (!s) {
		return -1;
	}
	if (text.n) {
		db_bind_text(s, 1, text);
	}
	return db_run(s, e) < 0 ? -1 : 0;
}

/* ---- the worker ---- */

static int read_mark(struct db *d, const char *epoch, int64_t *mark, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, "SELECT seq FROM mark WHERE epoch = ?1", e);
	int rc;

	*mark = 0;
	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, vy_str_c(epoch));
	rc = db_step(s, e);
	if (rc > 0) {
		*mark = db_int(s, 0);
	}
	db_done(s);
	return rc;
}

/* All of it goes: it is of another history, or there is nothing yet. */
static int begin_anew(struct db *d, const char *epoch, struct vy_err *e)
{
	return db_begin(d, e) < 0 || db_exec(d, "DELETE FROM words; DELETE FROM said", e) < 0 ||
			       run_text(d, "REPLACE INTO mark VALUES (1, ?1, 0, 0)",
				       vy_str_c(epoch), e) < 0
		       ? -1
		       : db_commit(d, e);
}

static struct db *open_once(const char *path, const char *epoch, int64_t *mark, struct vy_err *e)
{
	struct db *d = db_open(path, &schema, e);
	int rc = d ? read_mark(d, epoch, mark, e) : -1;

	if (rc == 0) {
		rc = begin_anew(d, epoch, e);
	}
	if (rc < 0) {
		db_rollback(d);
		db_close(d);
		return NULL;
	}
	return d;
}

static void remove_all(const char *path)
{
	static const char *const tails[] = { "", "-wal", "-shm" };

	for (size_t i = 0; i < VY_COUNT(tails); i++) {
		VY_AUTO_BUF name = VY_BUF_INIT(4 * VY_KIB);

		if (vy_buf_addf(&name, "%s%s", path, tails[i])) {
			unlink(name.data);
		}
	}
}

struct db *search_db_open(const char *path, const char *epoch, int64_t *mark, struct vy_err *e)
{
	struct db *d = open_once(path, epoch, mark, e);

	if (!d && (e->code == VY_CORRUPT || e->code == VY_UNSUPPORTED || e->code == VY_BUG)) {
		remove_all(path);
		d = open_once(path, epoch, mark, e);
	}
	return d;
}

static int add_one(struct db *d, const struct search_item *it, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, "INSERT INTO words(rowid, text) VALUES (?1, ?2)", e);

	if (!s) {
		return -1;
	}
	db_bind_int(s, 1, it->seq);
	db_bind_text(s, 2, it->text);
	if (db_run(s, e) < 0) {
		return -1;
	}
	s = db_prep(d, "INSERT INTO said VALUES (?1, ?2, ?3, ?4, ?5)", e);
	if (!s) {
		return -1;
	}
	db_bind_int(s, 1, it->seq);
	db_bind_text(s, 2, it->session);
	db_bind_text(s, 3, it->message);
	db_bind_text(s, 4, it->role);
	db_bind_int(s, 5, it->time);
	return db_run(s, e) < 0 ? -1 : 0;
}

static int set_mark(struct db *d, int64_t mark, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, "UPDATE mark SET seq = ?1", e);

	if (!s) {
		return -1;
	}
	db_bind_int(s, 1, mark);
	return db_run(s, e) < 0 ? -1 : 0;
}

int search_db_add(
	struct db *d, const struct search_item *items, size_t n, int64_t mark, struct vy_err *e)
{
	int rc = db_begin(d, e);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = add_one(d, &items[i], e);
	}
	rc = rc == 0 ? set_mark(d, mark, e) : rc;
	rc = rc == 0 ? db_commit(d, e) : rc;
	if (rc < 0) {
		db_rollback(d);
		return -1;
	}
	return db_checkpoint(d, NULL, e);
}

int search_db_forget(struct db *d, struct vy_str session, struct vy_err *e)
{
	if (db_begin(d, e) < 0) {
		return -1;
	}
	if (run_text(d,
		    "DELETE FROM words WHERE rowid IN (SELECT seq FROM said WHERE session = ?1)",
		    session, e) < 0 ||
		run_text(d, "DELETE FROM said WHERE session = ?1", session, e) < 0 ||
		db_exec(d, "UPDATE mark SET merging = -1", e) < 0 || db_commit(d, e) < 0) {
		db_rollback(d);
		return -1;
	}
	return 0;
}

static int64_t number(struct db *d, const char *sql, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, sql, e);
	int64_t n = s && db_step(s, e) > 0 ? db_int(s, 0) : 0;

	db_done(s);
	return n;
}

/* The first step takes all there is for old (a negative size says so), the next ones go on with it. */
static int merge_once(struct db *d, int64_t kind, struct vy_err *e)
{
	int64_t before = number(d, "SELECT total_changes()", e);
	const char *sql = kind < 0 ? "INSERT INTO words(words, rank) VALUES ('merge', -100)"
				   : "INSERT INTO words(words, rank) VALUES ('merge', 100)";

	if (db_exec(d, sql, e) < 0) {
		return -1;
	}
	return number(d, "SELECT total_changes()", e) - before >= MERGE_DID;
}

int search_db_merge(struct db *d, struct vy_err *e)
{
	int64_t kind = number(d, "SELECT merging FROM mark", e);
	int more = 0;

	if (kind == 0) {
		return 0;
	}
	if (db_begin(d, e) < 0) {
		return -1;
	}
	more = merge_once(d, kind, e);
	if (more < 0 ||
		db_exec(d, more ? "UPDATE mark SET merging = 1" : "UPDATE mark SET merging = 0",
			e) < 0 ||
		db_commit(d, e) < 0) {
		db_rollback(d);
		return -1;
	}
	return more ? 1 : db_truncate_wal(d, e);
}

int search_db_sessions(
	struct db *d, void (*fn)(void *ctx, struct vy_str session), void *ctx, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, "SELECT DISTINCT session FROM said", e);
	int rc;

	if (!s) {
		return -1;
	}
	while ((rc = db_step(s, e)) > 0) {
		fn(ctx, db_text(s, 0));
	}
	db_done(s);
	return rc;
}

/* ---- the loop ---- */

struct db *search_db_open_read(const char *path, struct vy_err *e)
{
	return db_open_read(path, &schema, e);
}

int search_db_find(struct db *d, struct vy_str match, search_fn *fn, void *ctx, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d,
		"SELECT session, message, role, time, snippet(words, 0, '', '', '…', 60)"
		" FROM words JOIN said ON seq = words.rowid WHERE words MATCH ?1"
		" ORDER BY words.rowid DESC",
		e);
	int rc;

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, match);
	while ((rc = db_step(s, e)) > 0) {
		const struct search_hit hit = { db_text(s, 0), db_text(s, 1), db_text(s, 2),
			db_int(s, 3), db_text(s, 4) };

		if (!fn(ctx, &hit)) {
			rc = 0;
			break;
		}
	}
	db_done(s);
	return rc;
}
