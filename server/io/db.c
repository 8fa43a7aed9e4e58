/* db.c -- see db.h.
 *
 * Statements are kept in a hash by the address of their SQL text: every call site has its own
 * literal, so the lookup is one pointer compare and a text used twice is prepared twice, which
 * harms nobody. */
#include "server/io/db.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uthash.h>

#include "server/io/db_in.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define DB_APPLICATION_ID 0x56597265 /* "VYre": file(1) and we know our own */
#define WAL_FRAME_HEAD    24

struct db_stmt {
	const char *sql; /* the key */
	sqlite3_stmt *st;
	struct db *db;
	UT_hash_handle hh;
};

/* ---- errors ---- */

enum vy_code db_code(int rc, int sys)
{
	if (sys == ENOSPC || sys == EDQUOT || sys == EFBIG) {
		return VY_FULL;
	}
	switch (rc & 0xff) {
	case SQLITE_FULL: return VY_FULL;
	case SQLITE_BUSY:
	case SQLITE_LOCKED: return VY_RETRY;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB: return VY_CORRUPT;
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH: return VY_IO;
	case SQLITE_CONSTRAINT: return VY_CONFLICT;
	default: return VY_BUG;
	}
}

static int fail(struct db *d, int rc, struct vy_err *e)
{
	/* Only these have an errno that belongs to this call; a failed COMMIT does not note it in
	 * the connection, so it is taken from where the system left it. */
	int left = errno;
	bool is_io = (rc & 0xff) == SQLITE_IOERR || (rc & 0xff) == SQLITE_CANTOPEN;
	int noted = is_io ? sqlite3_system_errno(d->sq) : 0;
	enum vy_code code = db_code(rc, noted ? noted : is_io ? left : 0);

	vy_assert((rc & 0xff) != SQLITE_NOMEM);
	switch ((int)code) {
	case VY_FULL: return vy_fail(e, code, "the disk is full: %s cannot grow", d->path);
	case VY_RETRY: return vy_fail(e, code, "another program holds %s", d->path);
	case VY_CORRUPT:
		return vy_fail(e, code, "%s is damaged (%s)", d->path, sqlite3_errmsg(d->sq));
	case VY_IO:
		return vy_fail(
			e, code, "the disk failed under %s: %s", d->path, sqlite3_errmsg(d->sq));
	default: return vy_fail(e, code, "%s: %s", d->path, sqlite3_errmsg(d->sq));
	}
}

/* ---- statements ---- */

int db_exec(struct db *d, const char *sql, struct vy_err *e)
{
	int rc = sqlite3_exec(d->sq, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : fail(d, rc, e);
}

struct db_stmt *db_prep(struct db *d, const char *sql, struct vy_err *e)
{
	struct db_stmt *s;
	int rc;

	HASH_FIND_PTR(d->stmts, &sql, s);
	if (s) {
		db_done(s);
		return s;
	}
	s = VY_NEW(struct db_stmt);
	s->sql = sql;
	s->db = d;
	rc = sqlite3_prepare_v3(d->sq, sql, -1, SQLITE_PREPARE_PERSISTENT, &s->st, NULL);
	if (rc != SQLITE_OK) {
		free(s);
		fail(d, rc, e);
		return NULL;
	}
	HASH_ADD_PTR(d->stmts, sql, s);
	return s;
}

/* A parameter that does not exist is our own mistake. */
static void bound(int rc)
{
	vy_assert(rc == SQLITE_OK);
}

void db_bind_int(struct db_stmt *s, int at, int64_t n)
{
	bound(sqlite3_bind_int64(s->st, at, n));
}

void db_bind_text(struct db_stmt *s, int at, struct vy_str t)
{
	bound(sqlite3_bind_text64(s->st, at, t.n ? t.p : "", t.n, SQLITE_STATIC, SQLITE_UTF8));
}

void db_bind_blob(struct db_stmt *s, int at, struct vy_str b)
{
	bound(sqlite3_bind_blob64(s->st, at, b.n ? b.p : "", b.n, SQLITE_STATIC));
}

void db_bind_null(struct db_stmt *s, int at)
{
	bound(sqlite3_bind_null(s->st, at));
}

int db_step(struct db_stmt *s, struct vy_err *e)
{
	int rc = sqlite3_step(s->st);

	if (rc == SQLITE_ROW) {
		return 1;
	}
	return rc == SQLITE_DONE ? 0 : fail(s->db, rc, e);
}

void db_done(struct db_stmt *s)
{
	if (s) {
		sqlite3_reset(s->st);
		sqlite3_clear_bindings(s->st);
	}
}

int db_run(struct db_stmt *s, struct vy_err *e)
{
	int rc;

	while ((rc = db_step(s, e)) > 0) {
	}
	if (rc == 0) {
		rc = sqlite3_changes(s->db->sq);
	}
	db_done(s);
	return rc;
}

int64_t db_int(struct db_stmt *s, int at)
{
	return sqlite3_column_int64(s->st, at);
}

struct vy_str db_text(struct db_stmt *s, int at)
{
	const char *p = (const char *)sqlite3_column_text(s->st, at);

	return vy_str_n(p, p ? (size_t)sqlite3_column_bytes(s->st, at) : 0);
}

struct vy_str db_blob(struct db_stmt *s, int at)
{
	const char *p = sqlite3_column_blob(s->st, at);

	return vy_str_n(p, p ? (size_t)sqlite3_column_bytes(s->st, at) : 0);
}

bool db_is_null(struct db_stmt *s, int at)
{
	return sqlite3_column_type(s->st, at) == SQLITE_NULL;
}

int64_t db_blob_read(struct db *d, const char *table, const char *column, int64_t rowid,
	int64_t off, void *out, size_t n, int64_t *total, struct vy_err *e)
{
	sqlite3_blob *b = NULL;
	int rc = sqlite3_blob_open(d->sq, "main", table, column, rowid, 0, &b);
	int64_t len, take = 0;

	if (rc != SQLITE_OK) {
		fail(d, rc, e);
		sqlite3_blob_close(b);
		return -1;
	}
	len = sqlite3_blob_bytes(b);
	if (off >= 0 && off < len) {
		take = (int64_t)n < len - off ? (int64_t)n : len - off;
		rc = sqlite3_blob_read(b, out, (int)take, (int)off);
	}
	if (total) {
		*total = len;
	}
	if (rc != SQLITE_OK) {
		take = fail(d, rc, e);
	}
	sqlite3_blob_close(b);
	return take;
}

/* ---- transactions ---- */

static int run(struct db *d, const char *sql, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, sql, e);

	return s && db_run(s, e) >= 0 ? 0 : -1;
}

int db_begin(struct db *d, struct vy_err *e)
{
	return run(d, "BEGIN IMMEDIATE", e);
}

int db_commit(struct db *d, struct vy_err *e)
{
	if (run(d, "COMMIT", e) == 0) {
		return 0;
	}
	db_rollback(d);
	return -1;
}

void db_rollback(struct db *d)
{
	if (!sqlite3_get_autocommit(d->sq)) {
		sqlite3_exec(d->sq, "ROLLBACK", NULL, NULL, NULL);
	}
}

/* ---- the write-ahead log and copies ---- */

static int on_wal(void *ctx, sqlite3 *sq, const char *name, int pages)
{
	struct db *d = ctx;

	(void)sq;
	(void)name;
	d->wal_pages = pages;
	return SQLITE_OK;
}

unsigned db_version(struct db *d)
{
	unsigned version = 0;

	vy_assert(sqlite3_file_control(d->sq, "main", SQLITE_FCNTL_DATA_VERSION, &version) ==
		  SQLITE_OK);
	return version;
}

int64_t db_wal_bytes(const struct db *d)
{
	return d->wal_pages * (d->page_size + WAL_FRAME_HEAD);
}

int db_checkpoint(struct db *side, int64_t *left, struct vy_err *e)
{
	int in_wal = 0, copied = 0, rc;

	/* A connection that never read does not know there is a WAL: a silent no-op. */
	if (db_exec(side, "SELECT count(*) FROM sqlite_schema", e) < 0) {
		return -1;
	}
	rc = sqlite3_wal_checkpoint_v2(side->sq, NULL, SQLITE_CHECKPOINT_PASSIVE, &in_wal, &copied);
	if (rc != SQLITE_OK) {
		return fail(side, rc, e);
	}
	if (left) {
		*left = in_wal > copied ? (in_wal - copied) * side->page_size : 0;
	}
	return 0;
}

int db_truncate_wal(struct db *d, struct vy_err *e)
{
	int rc = sqlite3_wal_checkpoint_v2(d->sq, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);

	if (rc != SQLITE_OK) {
		return fail(d, rc, e);
	}
	d->wal_pages = 0;
	return 0;
}

/* VACUUM INTO an empty file of ours keeps its mode, and does not sync by itself. */
int db_copy_to(struct db *d, const char *path, struct vy_err *e)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600), rc = -1;
	struct db_stmt *s = NULL;

	if (fd < 0) {
		return vy_fail_errno(e, errno, "making %s", path);
	}
	s = db_prep(d, "VACUUM INTO ?1", e);
	if (s) {
		db_bind_text(s, 1, vy_str_c(path));
		rc = db_run(s, e) < 0 ? -1 : 0;
	}
	if (rc == 0 && fsync(fd) < 0) {
		rc = vy_fail_errno(e, errno, "writing %s", path);
	}
	close(fd);
	if (rc < 0) {
		unlink(path);
		return vy_wrap(e, "copying %s to %s", d->path, path);
	}
	return 0;
}

/* ---- looking at all of it ---- */

int db_check(struct db *d, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, "PRAGMA quick_check(1)", e);
	int rc = s ? db_step(s, e) : -1;

	if (rc == 1 && !vy_str_is(db_text(s, 0), "ok")) {
		struct vy_str says = vy_str_trim(db_text(s, 0));
		/* a headline stands before it */
		const char *last = says.n > 0 ? memrchr(says.p, '\n', says.n) : NULL;

		says = last ? vy_str_from(says, (size_t)(last - says.p) + 1) : says;

		rc = vy_fail(e, VY_CORRUPT, "%s is damaged: %.*s", d->path, VY_STR_ARG(says));
	}
	db_done(s);
	return rc < 0 ? -1 : 0;
}

/* ---- opening ---- */

static int64_t pragma_int(struct db *d, const char *sql, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, sql, e);
	int64_t n = -1;

	if (s && db_step(s, e) == 1) {
		n = db_int(s, 0);
	}
	db_done(s);
	return n;
}

/* A file with nothing in it becomes ours; any other must be ours already. */
static int sign(struct db *d, struct vy_err *e)
{
	int64_t tables = pragma_int(d, "SELECT count(*) FROM sqlite_schema", e);
	char sql[96];

	/* only before the first table: where the end of the file can be cut off later */
	snprintf(sql, sizeof(sql), "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = %d",
		DB_APPLICATION_ID);
	if (tables < 0 || (tables == 0 && db_exec(d, sql, e) < 0)) {
		return -1;
	}
	if (pragma_int(d, "PRAGMA application_id", e) != DB_APPLICATION_ID) {
		return vy_fail(e, VY_CORRUPT, "%s is not a database of vyre", d->path);
	}
	return db_exec(d, "PRAGMA journal_mode = WAL", e);
}

int64_t db_free_pages(struct db *d)
{
	enum { INCREMENTAL = 2 };

	return pragma_int(d, "PRAGMA auto_vacuum", NULL) == INCREMENTAL
		       ? pragma_int(d, "PRAGMA freelist_count", NULL)
		       : 0;
}

int db_shrink(struct db *d, int pages, struct vy_err *e)
{
	char sql[64];

	snprintf(sql, sizeof(sql), "PRAGMA incremental_vacuum(%d)", pages);
	return db_exec(d, sql, e);
}

static int run_steps(struct db *d, const struct db_schema *schema, int from, struct vy_err *e)
{
	char sql[64];

	if (db_begin(d, e) < 0) {
		return -1;
	}
	for (int i = from; i < schema->version; i++) {
		if (db_exec(d, schema->steps[i], e) < 0) {
			db_rollback(d);
			return vy_wrap(e, "step %d to %d", i, i + 1);
		}
	}
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d", schema->version);
	if (db_exec(d, sql, e) < 0) {
		db_rollback(d);
		return -1;
	}
	return db_commit(d, e);
}

static int migrate(struct db *d, const struct db_schema *schema, struct vy_err *e)
{
	int64_t have = pragma_int(d, "PRAGMA user_version", e);
	char copy[PATH_MAX];

	if (have < 0) {
		return -1;
	}
	if (have > schema->version) {
		return vy_fail(e, VY_UNSUPPORTED,
			"%s was written by a newer vyred (format %d, this one knows %d): upgrade "
			"vyred",
			d->path, (int)have, schema->version);
	}
	if (have == schema->version) {
		return 0;
	}
	if (have > 0) {
		int n = snprintf(copy, sizeof(copy), "%s.v%d.bak", d->path, (int)have);

		if (n < 0 || (size_t)n >= sizeof(copy)) {
			return vy_fail(e, VY_BAD_INPUT, "the name of the state folder is too long");
		}
		unlink(copy); /* of an upgrade that failed after it */
		if (db_copy_to(d, copy, e) < 0) {
			return vy_wrap(e, "before the upgrade");
		}
	}
	if (run_steps(d, schema, (int)have, e) < 0) {
		return vy_wrap(e, "upgrading %s", d->path);
	}
	return 0;
}

/* Only a file that is not there is made by hand: closing a descriptor of a database that is open
 * would drop SQLite's locks. */
static int make_file(const char *path, struct vy_err *e)
{
	int fd;

	if (access(path, F_OK) == 0) {
		return 0;
	}
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 && errno != EEXIST) {
		return vy_fail_errno(e, errno, "making %s", path);
	}
	if (fd >= 0) {
		close(fd);
	}
	return 0;
}

/* Not SQLITE_OPEN_READONLY: that one shares the file, and leaves a shared-memory file behind. A file that
 * lost its end is read only by who may write the schema. */
static void only_read(struct db *d)
{
	sqlite3_db_config(d->sq, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_db_config(d->sq, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
	sqlite3_exec(d->sq, "PRAGMA query_only = ON", NULL, NULL, NULL);
}

static struct db *connect(const char *path, bool is_to_read, struct vy_err *e)
{
	struct db *d = VY_NEW(struct db);
	int rc;

	d->path = vy_strdup(path);
	rc = sqlite3_open_v2(path, &d->sq,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, db_vfs());
	if (rc != SQLITE_OK) {
		fail(d, rc, e);
		db_close(d);
		return NULL;
	}
	sqlite3_busy_timeout(d->sq, DB_BUSY_MS);
	sqlite3_db_config(d->sq, SQLITE_DBCONFIG_DEFENSIVE, !is_to_read, NULL);
	if (is_to_read) {
		only_read(d);
	}
	if (db_exec(d,
		    "PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;"
		    "PRAGMA cache_size = -1024; PRAGMA synchronous = NORMAL; PRAGMA secure_delete "
		    "= ON;"
		    "PRAGMA wal_autocheckpoint = 0",
		    e) < 0 ||
		(d->page_size = pragma_int(d, "PRAGMA page_size", e)) < 0) {
		db_close(d);
		return NULL;
	}
	return d;
}

struct db *db_open(const char *path, const struct db_schema *schema, struct vy_err *e)
{
	struct db *d;

	if (make_file(path, e) < 0 || !(d = connect(path, false, e))) {
		return NULL;
	}
	sqlite3_wal_hook(d->sq, on_wal, d);
	if (sign(d, e) < 0 || migrate(d, schema, e) < 0) {
		db_close(d);
		return NULL;
	}
	return d;
}

struct db *db_open_side(const char *path, struct vy_err *e)
{
	return connect(path, false, e);
}

struct db *db_open_read(const char *path, const struct db_schema *schema, struct vy_err *e)
{
	struct db *d = connect(path, true, e);
	int64_t have;

	if (!d) {
		return NULL;
	}
	if (pragma_int(d, "PRAGMA application_id", e) != DB_APPLICATION_ID) {
		vy_fail(e, VY_CORRUPT, "%s is not a database of vyre", path);
	} else if ((have = pragma_int(d, "PRAGMA user_version", e)) > schema->version) {
		vy_fail(e, VY_UNSUPPORTED,
			"%s was written by a newer vyred (format %d): upgrade vyred", path,
			(int)have);
	} else if (have > 0 && pragma_int(d, "SELECT count(*) FROM sqlite_schema", e) > 0) {
		return d;
	} else if (have == 0) {
		vy_fail(e, VY_CORRUPT, "%s is empty", path);
	}
	db_close(d);
	return NULL;
}

void db_close(struct db *d)
{
	struct db_stmt *s, *next;

	if (!d) {
		return;
	}
	HASH_ITER (hh, d->stmts, s, next) {
		HASH_DEL(d->stmts, s);
		sqlite3_finalize(s->st);
		free(s);
	}
	sqlite3_close(d->sq);
	free(d->path);
	free(d);
}

/* ---- faults, for tests ---- */

static struct {
	atomic_int code, left;
	ssize_t (*pwrite)(int, const void *, size_t, off_t);
} fault;

static ssize_t faulty_pwrite(int fd, const void *p, size_t n, off_t at)
{
	int code = atomic_load(&fault.code);

	if (code != VY_OK && atomic_fetch_sub(&fault.left, 1) <= 1) {
		atomic_store(&fault.left, 1);
		errno = code == VY_FULL ? ENOSPC : EIO;
		return -1;
	}
	return fault.pwrite(fd, p, n, at);
}

void db_fault(enum vy_code code, int after)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	sqlite3_syscall_ptr own = (sqlite3_syscall_ptr)faulty_pwrite;

	if (!fault.pwrite) {
		fault.pwrite = pwrite;
		vfs->xSetSystemCall(vfs, "pwrite", own);
		vfs->xSetSystemCall(vfs, "pwrite64", own);
	}
	atomic_store(&fault.left, after);
	atomic_store(&fault.code, code);
}
