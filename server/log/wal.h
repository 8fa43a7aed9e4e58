/* wal.h -- when the write-ahead log is copied into the database, and when a commit must wait.
 *
 * The loop never checkpoints while work goes on. Past WAL_SOFT bytes, and each WAL_STEP further, the
 * worker runs a PASSIVE checkpoint on a connection of its own. A busy loop fills the WAL meanwhile, and SQLite starts it
 * again only when all of it was copied and nobody wrote since: so past WAL_HARD the loop holds its
 * next commit (it goes on reading and serving) for the few ms of one more PASSIVE. When things have
 * been quiet for WAL_IDLE_MS the file is cut to nothing. See doc/TRAPS.md "SQLite". */
#ifndef WAL_H
#define WAL_H

#include <stdbool.h>

#include "shared/base/err.h"

#define WAL_SOFT    (4 * 1024 * 1024)
#define WAL_STEP    (1 * 1024 * 1024) /* so that little is left when a commit is held */
#define WAL_HARD    (8 * 1024 * 1024)
#define WAL_IDLE    (1 * 1024 * 1024) /* not worth cutting below */
#define WAL_IDLE_MS 3000

struct db;
struct vy_loop;
struct wal;
struct work;

/* All borrowed; `path` is the database's. */
struct wal *wal_new(struct db *d, const char *path, struct vy_loop *loop, struct work *work);
void wal_free(struct wal *w); /* waits for a checkpoint under way; NULL is fine */

bool wal_must_hold(struct wal *w); /* asked before a commit; `go` is called when it may go on */
void wal_on_go(struct wal *w, void (*go)(void *ctx), void *ctx);
void wal_committed(struct wal *w);

#endif
