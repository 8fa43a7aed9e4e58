/* store_runs.h -- the SQL of packed runs, and what was read of them last; part of the SQLite store.
 *
 * A session's oldest frames are in runs (pack.h), all others in the table `frame`: no frame is in both,
 * and none in a run is newer than one that is not. Loop thread. */
#ifndef STORE_RUNS_H
#define STORE_RUNS_H

#include "server/log/store.h"

struct db;
struct runs;

struct runs *runs_new(struct db *d);
void runs_free(struct runs *r);   /* NULL is fine */
void runs_forget(struct runs *r); /* something was changed: read anew */

/* store_ops.read as far as the runs reach. *from: the first cursor behind them. 1: fn said enough. */
VY_MUST_USE int runs_read(struct runs *r, struct vy_str session, int64_t *from,
	const struct store_reading *how, store_frame_fn *fn, void *ctx, struct vy_err *e);

#endif
