/* store_sqlite.c -- the store in one SQLite database: schema, transactions, opening and closing.
 *
 * The SQL of frames and rows is in store_frames.c and store_rows.c, the care of the write-ahead
 * log in wal.c. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/io/db.h"
#include "server/io/work.h"
#include "server/log/fence.h"
#include "server/log/reserve.h"
#include "server/log/store.h"
#include "server/log/store_frames.h"
#include "server/log/store_live.h"
#include "server/log/store_rows.h"
#include "server/log/store_runs.h"
#include "server/log/store_tidy.h"
#include "server/log/wal.h"
#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define RUN_TABLE                                                                                  \
	"run(sid INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,"                 \
	" level INTEGER NOT NULL, expires INTEGER NOT NULL, bytes BLOB NOT NULL,"                  \
	" PRIMARY KEY(sid, first)) WITHOUT ROWID"

/* One step a format; a step that was released never changes. Frames are found by (session, cursor)
 * alone, so their table is that index; runs of old ones are packed into rows of `run` (pack.h). */
static const char *const steps[] = {
	"CREATE TABLE stream(sid INTEGER PRIMARY KEY, session TEXT NOT NULL UNIQUE,"
	"  head INTEGER NOT NULL, floor INTEGER NOT NULL,"
	"  frames INTEGER NOT NULL, bytes INTEGER NOT NULL);"
	"CREATE TABLE frame(sid INTEGER NOT NULL, cur INTEGER NOT NULL, bytes BLOB NOT NULL,"
	"  PRIMARY KEY(sid, cur)) WITHOUT ROWID;"
	"CREATE TABLE session(session TEXT PRIMARY KEY NOT NULL, project TEXT NOT NULL,"
	"  state TEXT NOT NULL, updated INTEGER NOT NULL, archived INTEGER NOT NULL,"
	"  doc TEXT NOT NULL);"
	"CREATE INDEX session_updated ON session(updated);"
	"CREATE TABLE live(hid TEXT PRIMARY KEY NOT NULL, session TEXT NOT NULL,"
	"  token BLOB NOT NULL, off INTEGER NOT NULL, driver_state TEXT NOT NULL,"
	"  turn_state TEXT NOT NULL, extra TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE tell(hid TEXT NOT NULL, seq INTEGER NOT NULL, bytes BLOB NOT NULL,"
	"  PRIMARY KEY(hid, seq));"
	"CREATE TABLE ask(ask TEXT PRIMARY KEY NOT NULL, session TEXT NOT NULL,"
	"  open INTEGER NOT NULL, raised INTEGER NOT NULL, doc TEXT NOT NULL);"
	"CREATE INDEX ask_session ON ask(session);"
	"CREATE TABLE queue(session TEXT NOT NULL, queued TEXT NOT NULL,"
	"  position INTEGER NOT NULL, doc TEXT NOT NULL, PRIMARY KEY(session, queued));"
	"CREATE TABLE key(scope TEXT NOT NULL, method TEXT NOT NULL, key TEXT NOT NULL,"
	"  input BLOB NOT NULL, result TEXT NOT NULL, expires INTEGER NOT NULL,"
	"  PRIMARY KEY(scope, method, key));"
	"CREATE INDEX key_expires ON key(expires);"
	"CREATE TABLE output(id INTEGER PRIMARY KEY, session TEXT NOT NULL, ref TEXT NOT NULL,"
	"  mime TEXT NOT NULL, bytes BLOB NOT NULL, UNIQUE(session, ref));"
	"CREATE TABLE kv(space TEXT NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL,"
	"  PRIMARY KEY(space, name)) WITHOUT ROWID",
	"CREATE TABLE journal(seq INTEGER PRIMARY KEY, session TEXT NOT NULL, id TEXT NOT NULL,"
	"  type TEXT NOT NULL, time INTEGER NOT NULL, actor TEXT NOT NULL, chain TEXT NOT NULL,"
	"  subject TEXT NOT NULL, turn TEXT NOT NULL, step INTEGER NOT NULL, data TEXT,"
	"  data_hash BLOB NOT NULL, prev BLOB NOT NULL, hash BLOB NOT NULL);"
	"CREATE INDEX journal_session ON journal(session);"
	"CREATE TABLE message(session TEXT NOT NULL, message TEXT NOT NULL,"
	"  position INTEGER NOT NULL, doc TEXT NOT NULL, PRIMARY KEY(session, message));"
	"CREATE INDEX message_position ON message(session, position)",
	("CREATE TABLE " RUN_TABLE ";"
	 "CREATE INDEX journal_settled ON journal(session, subject)"
	 "  WHERE type IN ('assistant.message', 'assistant.attempt')"),
	"CREATE TABLE control(seq INTEGER PRIMARY KEY, session TEXT NOT NULL, type TEXT NOT NULL,"
	"  own TEXT NOT NULL, doc TEXT NOT NULL)",
	/* From here on `frame` may hold a LIVE_CUR (store_live.h): to an older vyred, a frame. */
	"SELECT 1",
};
static const struct db_schema schema = { steps, VY_COUNT(steps) };

struct sqlite_store {
	struct log_store base;
	struct db *db;
	struct wal *wal;
	struct work *work;
	struct fence known;
	struct vy_buf scratch;
	struct runs *runs;
	struct tidying *tidying;
	char *reserve, *wal_file;
	unsigned syncs; /* under way */
	struct db_copy *copy;
	bool is_read_only;
};

static struct sqlite_store *of(struct log_store *s)
{
	return (struct sqlite_store *)s;
}

/* ---- the transaction ---- */

/* After any failure nothing is open, and a full disk has the reserve to go on with. */
static int gave_up(struct sqlite_store *st, const struct vy_err *e)
{
	db_rollback(st->db);
	fence_forget(&st->known);
	if (e && e->code == VY_FULL && reserve_give(st->reserve)) {
		vy_log(VY_LOG_ERROR, "store.full", "reserve=given");
	}
	return -1;
}

static int sq_begin(struct log_store *s, struct vy_err *e)
{
	if (of(s)->is_read_only) {
		return vy_fail(e, VY_CORRUPT, "the database is open to be read alone");
	}
	if (wal_must_hold(of(s)->wal)) {
		return vy_fail(e, VY_RETRY, "the database is being tidied");
	}
	if (db_begin(of(s)->db, e) < 0) {
		return -1;
	}
	fence_begin(&of(s)->known, db_version(of(s)->db));
	return 0;
}

static int sq_commit(struct log_store *s, struct vy_err *e)
{
	if (db_commit(of(s)->db, e) < 0) {
		return gave_up(of(s), e);
	}
	fence_commit(&of(s)->known, db_version(of(s)->db));
	wal_committed(of(s)->wal);
	return 0;
}

static void sq_rollback(struct log_store *s)
{
	db_rollback(of(s)->db);
	fence_forget(&of(s)->known);
}

static int sq_append(struct log_store *s, struct vy_str session, int64_t prev, const char *epoch,
	const struct store_frame *frames, size_t n, struct vy_err *e)
{
	return store_frames_append(of(s)->db, &of(s)->known, session, prev, epoch, frames, n, e) < 0
		       ? gave_up(of(s), e)
		       : 0;
}

static int sq_fill(struct log_store *s, struct vy_str session, const struct store_frame *frames,
	size_t n, struct vy_err *e)
{
	fence_forget(&of(s)->known);
	return store_frames_fill(of(s)->db, session, frames, n, e) < 0 ? gave_up(of(s), e) : 0;
}

static int sq_trim(struct log_store *s, struct vy_str session, int64_t floor, struct vy_err *e)
{
	runs_forget(of(s)->runs);
	return store_frames_trim(of(s)->db, session, floor, e) < 0 ? gave_up(of(s), e) : 0;
}

static int sq_put(struct log_store *s, const struct store_row *row, struct vy_err *e)
{
	if (row->kind == ROW_KV && vy_str_is(row->kv.space, "meta")) {
		fence_forget(&of(s)->known); /* the epoch is one of these */
	}
	int rc = row->kind == ROW_LIVE
			 ? store_live_put(of(s)->db, &of(s)->known, row, &of(s)->scratch, e)
			 : store_rows_put(of(s)->db, row, e);

	return rc < 0 ? gave_up(of(s), e) : 0;
}

static int sq_del(struct log_store *s, const struct store_row *row, struct vy_err *e)
{
	if (row->kind == ROW_SESSION || row->kind == ROW_KV || row->kind == ROW_LIVE) {
		fence_forget(&of(s)->known);
	}
	if (row->kind == ROW_SESSION) {
		runs_forget(of(s)->runs);
	}
	if (store_rows_del(of(s)->db, row, e) < 0 ||
		(row->kind == ROW_SESSION &&
			store_frames_delete(of(s)->db, row->session.session, e) < 0)) {
		return gave_up(of(s), e);
	}
	return 0;
}

/* ---- reading ---- */

static int sq_bounds(
	struct log_store *s, struct vy_str session, struct store_bounds *out, struct vy_err *e)
{
	return store_frames_bounds(of(s)->db, session, out, e);
}

static int sq_read(struct log_store *s, struct vy_str session, int64_t from,
	const struct store_reading *how, store_frame_fn *fn, void *ctx, struct vy_err *e)
{
	return store_frames_read(of(s)->db, of(s)->runs, session, from, how, fn, ctx, e);
}

static int sq_each(struct log_store *s, const struct store_row *like, store_row_fn *fn, void *ctx,
	struct vy_err *e)
{
	return store_rows_each(of(s)->db, like, fn, ctx, e);
}

static int64_t sq_output(struct log_store *s, struct vy_str session, struct vy_str ref, int64_t off,
	void *out, size_t n, int64_t *total, struct vy_err *e)
{
	return store_rows_output(of(s)->db, session, ref, off, out, n, total, e);
}

/* ---- keeping it small ---- */

static int sq_tidy(struct log_store *s, const struct store_tidy *t, void (*done)(void *ctx, int rc),
	void *ctx, struct vy_err *e)
{
	return of(s)->is_read_only ? 0 : tidying_step(of(s)->tidying, t, done, ctx, e);
}

enum { SHRINK_PAGES = 128 }; /* a step: a few ms of the loop at most */

/* Only a file that was made for it can: else free pages wait for what comes next. */
static int sq_shrink(struct log_store *s, struct vy_err *e)
{
	int64_t left = of(s)->is_read_only ? 0 : db_free_pages(of(s)->db);

	runs_forget(of(s)->runs); /* nobody reads just now */
	if (left <= 0) {
		return (int)left;
	}
	if (sq_begin(s, e) < 0) {
		return -1;
	}
	if (db_shrink(of(s)->db, SHRINK_PAGES, e) < 0) {
		sq_rollback(s); /* no reason to give up the reserve */
		return -1;
	}
	return sq_commit(s, e) < 0 ? -1 : left > SHRINK_PAGES;
}

/* ---- to the disk ---- */

struct sync_job {
	struct sqlite_store *store;
	void (*fn)(void *ctx, const struct vy_err *failed);
	void *ctx;
};

/* By a descriptor of its own on the WAL alone: closing one on the database would drop SQLite's
 * locks. What a checkpoint took out of the WAL meanwhile it has synced itself. */
static int sync_run(void *ctx, struct vy_err *e)
{
	const char *path = ((struct sync_job *)ctx)->store->wal_file;
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;

	if (fd < 0) {
		return vy_fail_errno(e, errno, "opening %s", path);
	}
	if (fdatasync(fd) < 0) {
		rc = vy_fail_errno(e, errno, "syncing %s", path);
	}
	close(fd);
	return rc;
}

static void sync_done(void *ctx, int rc, const struct vy_err *e)
{
	struct sync_job *j = ctx;

	j->store->syncs--;
	j->fn(j->ctx, rc < 0 ? e : NULL);
	free(j);
}

static void sq_sync(
	struct log_store *s, void (*fn)(void *ctx, const struct vy_err *failed), void *ctx)
{
	struct sync_job *j = VY_NEW(struct sync_job);
	struct vy_err e = { 0 };

	*j = (struct sync_job){ of(s), fn, ctx };
	of(s)->syncs++;
	if (of(s)->work) {
		work_add(of(s)->work, sync_run, sync_done, j);
	} else {
		int rc = sync_run(j, &e);

		sync_done(j, rc, &e);
	}
}

static void sq_drain(struct log_store *s)
{
	if (of(s)->work && (of(s)->syncs > 0 || tidying_is_busy(of(s)->tidying))) {
		work_drain(of(s)->work);
	}
}

static bool sq_has_room(struct log_store *s)
{
	return reserve_make(of(s)->reserve);
}

static void sq_on_wake(struct log_store *s, void (*wake)(void *ctx), void *ctx)
{
	wal_on_go(of(s)->wal, wake, ctx);
}

/* ---- a copy ---- */

enum { COPY_PAGES = 64 }; /* a step: some ms of the loop at most */

static void sq_copy_end(struct log_store *s)
{
	db_copy_free(of(s)->copy, false);
	of(s)->copy = NULL;
}

static int sq_copy(
	struct log_store *s, const char *path, int64_t *copied, int64_t *total, struct vy_err *e)
{
	struct sqlite_store *st = of(s);
	int64_t left;

	if (!st->copy && !(st->copy = db_copy_new(st->db, path, e))) {
		return -1;
	}
	int rc = db_copy_step(st->copy, COPY_PAGES, e);

	*total = db_copy_bytes(st->copy, &left);
	*copied = *total - left;
	if (rc == 0) {
		db_copy_free(st->copy, true);
		st->copy = NULL;
	} else if (rc < 0) {
		sq_copy_end(s);
	}
	return rc;
}

/* ---- opening and closing ---- */

static void sq_close(struct log_store *s)
{
	struct sqlite_store *st = of(s);

	sq_drain(s);
	sq_copy_end(s);
	tidying_free(st->tidying);
	runs_free(st->runs);
	wal_free(st->wal);
	db_close(st->db);
	vy_buf_fini(&st->scratch);
	free(st->reserve);
	free(st->wal_file);
	free(st);
}

static const struct store_ops sqlite_ops = {
	.name = "sqlite",
	.begin = sq_begin,
	.commit = sq_commit,
	.rollback = sq_rollback,
	.append = sq_append,
	.trim = sq_trim,
	.fill = sq_fill,
	.put = sq_put,
	.del = sq_del,
	.bounds = sq_bounds,
	.read = sq_read,
	.each = sq_each,
	.output = sq_output,
	.tidy = sq_tidy,
	.shrink = sq_shrink,
	.sync = sq_sync,
	.drain = sq_drain,
	.has_room = sq_has_room,
	.on_wake = sq_on_wake,
	.copy = sq_copy,
	.copy_end = sq_copy_end,
	.close = sq_close,
};

/* With the names it needs; no database yet. */
static struct sqlite_store *store_new(const char *dir, struct vy_buf *path, struct vy_err *e)
{
	VY_AUTO_BUF wal = VY_BUF_INIT(4 * VY_KIB), reserve = VY_BUF_INIT(4 * VY_KIB);
	struct sqlite_store *st;

	if (!vy_buf_addf(path, "%s/vyre.db", dir) || !vy_buf_addf(&wal, "%s/vyre.db-wal", dir) ||
		!vy_buf_addf(&reserve, "%s/reserve", dir)) {
		vy_fail(e, VY_BAD_INPUT, "the name of the state folder is too long");
		return NULL;
	}
	st = VY_NEW(struct sqlite_store);
	st->base.ops = &sqlite_ops;
	vy_buf_init(&st->scratch, 4 * VY_KIB);
	st->wal_file = vy_buf_take(&wal, NULL);
	st->reserve = vy_buf_take(&reserve, NULL);
	return st;
}

static void begin_keeping(struct sqlite_store *st, struct work *work)
{
	st->runs = runs_new(st->db);
	st->tidying = tidying_new(&(struct tidying_conf){ &st->base, st->db, st->runs, work });
}

struct log_store *store_sqlite_open(
	const char *dir, struct vy_loop *loop, struct work *work, struct vy_err *e)
{
	VY_AUTO_BUF path = VY_BUF_INIT(4 * VY_KIB);
	struct sqlite_store *st = store_new(dir, &path, e);

	if (!st) {
		return NULL;
	}
	st->work = work;
	st->db = db_open(path.data, &schema, e);
	if (!st->db) {
		sq_close(&st->base);
		return NULL;
	}
	begin_keeping(st, loop ? work : NULL);
	st->wal = wal_new(st->db, path.data, loop, work);
	if (!reserve_make(st->reserve)) {
		vy_log(VY_LOG_WARN, "store.reserve", "path=%s made=no", vy_log_q(st->reserve));
	}
	return &st->base;
}

/* A database that an older vyred wrote, and that is only read, has no runs: an empty table of this
 * connection's own says so. */
static void stand_in_for_runs(struct db *d)
{
	struct db_stmt *s = db_prep(d, "SELECT 1 FROM main.sqlite_schema WHERE name = 'run'", NULL);
	struct vy_err e = { 0 };
	int rc = s ? db_step(s, NULL) : -1;

	db_done(s);
	if (rc == 0 && db_exec(d,
			       "PRAGMA query_only = OFF; CREATE TEMP TABLE " RUN_TABLE
			       "; PRAGMA query_only = ON",
			       &e) < 0) {
		vy_log(VY_LOG_WARN, "store.older", "err=%s", vy_log_q(e.text));
	}
}

struct log_store *store_sqlite_open_read(const char *dir, struct vy_err *e)
{
	VY_AUTO_BUF path = VY_BUF_INIT(4 * VY_KIB);
	struct sqlite_store *st = store_new(dir, &path, e);

	if (!st) {
		return NULL;
	}
	st->is_read_only = true;
	st->db = db_open_read(path.data, &schema, e);
	if (!st->db) {
		sq_close(&st->base);
		return NULL;
	}
	stand_in_for_runs(st->db);
	begin_keeping(st, NULL);
	st->wal = wal_new(st->db, path.data, NULL, NULL);
	return &st->base;
}

int store_sqlite_check(const char *path, struct vy_err *e)
{
	struct db *d = db_open_read(path, &schema, e);
	int rc = d ? db_check(d, e) : -1;

	db_close(d);
	return rc;
}
