/* db.h -- SQLite as this house uses it; the only door to sqlite3.h.
 *
 * One `struct db` is one connection, used by one thread. The loop's connection is the only one
 * that ever writes `vyre.db` (WAL, synchronous NORMAL, no checkpoint of its own); the worker has
 * one for checkpoints and backups. A statement is prepared once per SQL text and kept.
 *
 * Errors say what to do: VY_FULL (disk full), VY_IO (the disk failed), VY_CORRUPT (stored data is
 * damaged), VY_RETRY (another program holds the file), VY_UNSUPPORTED (written by a newer vyred),
 * VY_CONFLICT (a constraint), VY_BUG (our SQL). Never blocks longer than DB_BUSY_MS on a lock. */
#ifndef DB_H
#define DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

#define DB_BUSY_MS 20

struct db;
struct db_stmt; /* belongs to its db; db_prep resets it */

/* Step i brings the schema from version i to i+1; user_version holds the version. */
struct db_schema {
	const char *const *steps;
	int version; /* number of steps */
};

/* Opens or makes the file (0600). Missing steps run in one transaction, after a copy to
 * "<path>.v<old>.bak" when there was a schema before. NULL on failure. */
VY_MUST_USE struct db *db_open(const char *path, const struct db_schema *schema, struct vy_err *e);
/* A second connection for the worker: checkpoints, VACUUM INTO. */
VY_MUST_USE struct db *db_open_side(const char *path, struct vy_err *e);
/* Only to read: changes nothing, repairs nothing, takes a file whose schema is whole and whatever
 * stands behind it. VY_CORRUPT: not even that can be read, or it is not ours. */
VY_MUST_USE struct db *db_open_read(
	const char *path, const struct db_schema *schema, struct vy_err *e);
void db_close(struct db *d); /* NULL is fine */

/* ---- statements ---- */

VY_MUST_USE int db_exec(struct db *d, const char *sql, struct vy_err *e);
/* Ready to bind; `sql` must be a string that lives as long as the db (a literal). NULL: error. */
VY_MUST_USE struct db_stmt *db_prep(struct db *d, const char *sql, struct vy_err *e);
void db_bind_int(struct db_stmt *s, int at, int64_t n);        /* at counts from 1 */
void db_bind_text(struct db_stmt *s, int at, struct vy_str t); /* borrowed until db_done */
void db_bind_blob(struct db_stmt *s, int at, struct vy_str b); /* borrowed until db_done */
void db_bind_null(struct db_stmt *s, int at);
VY_MUST_USE int db_step(struct db_stmt *s, struct vy_err *e); /* 1 a row, 0 no more, -1 error */
void db_done(struct db_stmt *s);                              /* resets; NULL is fine */
/* Steps a statement without rows to its end and resets it: number of rows changed, or -1. */
VY_MUST_USE int db_run(struct db_stmt *s, struct vy_err *e);

/* Columns count from 0; text and blobs are borrowed until the next step or reset. */
int64_t db_int(struct db_stmt *s, int at);
struct vy_str db_text(struct db_stmt *s, int at);
struct vy_str db_blob(struct db_stmt *s, int at);
bool db_is_null(struct db_stmt *s, int at);

/* Bytes [off, off+n) of a blob cell; *total gets its length. Copies into out, returns the count. */
VY_MUST_USE int64_t db_blob_read(struct db *d, const char *table, const char *column, int64_t rowid,
	int64_t off, void *out, size_t n, int64_t *total, struct vy_err *e);

/* ---- transactions: BEGIN IMMEDIATE; a failed commit has rolled back ---- */

VY_MUST_USE int db_begin(struct db *d, struct vy_err *e);
VY_MUST_USE int db_commit(struct db *d, struct vy_err *e);
void db_rollback(struct db *d); /* also when none is open */

/* ---- the write-ahead log and copies ---- */

/* Changes with each commit, also of another connection; asked inside a transaction, or after our own
 * commit: the same number again says that nobody wrote in between. */
unsigned db_version(struct db *d);

int64_t db_wal_bytes(const struct db *d); /* after the last commit of this connection */
/* PASSIVE on a side connection. *left: bytes of the WAL not yet copied (may be NULL). */
VY_MUST_USE int db_checkpoint(struct db *side, int64_t *left, struct vy_err *e);
VY_MUST_USE int db_truncate_wal(struct db *d, struct vy_err *e); /* owner's, only when idle */
VY_MUST_USE int db_copy_to(struct db *d, const char *path, struct vy_err *e); /* VACUUM INTO */

/* A copy of a database that goes on being written to by this connection: some pages a step, between
 * which nothing is held; what is written meanwhile is in it. A file that is there is refused. The
 * caller syncs the file when it is whole. */
struct db_copy;
VY_MUST_USE struct db_copy *db_copy_new(struct db *d, const char *path, struct vy_err *e);
VY_MUST_USE int db_copy_step(struct db_copy *c, int pages, struct vy_err *e); /* 1 more, 0 whole */
int64_t db_copy_bytes(const struct db_copy *c, int64_t *left); /* of the whole; NULL is fine */
void db_copy_free(struct db_copy *c, bool keep); /* keep false: the file goes; NULL is fine */

/* Pages that nothing is in, at the end or in the middle, of a file that can give them back (one that was
 * made by this vyred can; of any other 0: they are used again). -1: not known. */
int64_t db_free_pages(struct db *d);
/* Gives back so many of them, inside a transaction. */
VY_MUST_USE int db_shrink(struct db *d, int pages, struct vy_err *e);

/* Reads every page: 0 when all is whole, VY_CORRUPT with the first thing that is not. */
VY_MUST_USE int db_check(struct db *d, struct vy_err *e);

/* Tests only: the `after`th write from now and all later ones fail with `code` (VY_FULL, VY_IO);
 * VY_OK ends it. Process-wide. */
void db_fault(enum vy_code code, int after);

#endif
