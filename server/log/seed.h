/* seed.h -- a session's log, made again from what the journal holds of it.
 *
 * When: somebody touches a session whose log holds no frame (its bounds dropped them, a database came
 * without) while its journal holds events. A log that still holds some is not touched: who is
 * behind its floor has the snapshot, which needs no more than that.
 *
 * What: frames of settlements, events, records of messages and asks (shared/model/lower.h), at the cursors
 * that they had: no cursor is given out a second time, and what is live goes on behind the head.
 * Where nobody knows what stood there, a `hidden` frame does. At most the newest SEED_FRAMES, from
 * a person's words on. Events say their cursor, a settlement its first and last one; deltas between
 * are placed by their time, so one may stand beside its old place when several messages were written
 * at once or a tool told how far it is. Hence `exact`: who holds a cursor below it cannot go on from
 * there (hub.c resets); from the start, or from there on, all is right.
 *
 * One transaction of its own, so a kill leaves all of it or nothing; what is said meanwhile comes
 * behind. Loop thread. */
#ifndef SEED_H
#define SEED_H

#include "server/log/store.h"
#include "shared/base/err.h"

#define SEED_FRAMES 16384
#define SEED_BYTES  (8 * 1024 * 1024)

/* 0: there was nothing to make it of; 1: it is made, and *exact is set. -1: as before. */
VY_MUST_USE int seed_run(struct log_store *store, struct vy_str session,
	const struct store_bounds *held, int64_t *exact, struct vy_err *e);

/* Below which cursor a log was made again; 0: it was not. */
VY_MUST_USE int seed_exact(
	struct log_store *store, struct vy_str session, int64_t *exact, struct vy_err *e);

#endif
