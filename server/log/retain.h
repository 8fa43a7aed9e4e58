/* retain.h -- when a session's frames are packed, expire, are sealed or go (wire 7); the room it makes is
 * given back.
 *
 * One step at a time, each small (store.h, tidy), with a pause between: some time after frames came, of
 * what rests on nothing open; when a session was idle for a minute, the rest of it. Now and then all
 * sessions are looked at: words that are older than `retain` expire, and when all logs together are over
 * `most_bytes`, the oldest idle sessions lose their frames, what is said in them stays in the journal.
 * When the wall clock jumped by more than an hour nothing expires any more until the next start (wire
 * 13). With nothing to do it wakes up once an hour. Loop thread. */
#ifndef RETAIN_H
#define RETAIN_H

#include <stdint.h>

#include "server/log/log.h"

struct retain;
struct vy_clock;

struct retain_conf {
	struct log *log; /* borrowed, as all else */
	struct vy_loop *loop;
	const struct vy_clock *clock;
	double retain_hours;                /* 0: nothing expires */
	int64_t most_bytes;                 /* of all logs as stored; 0: VY_LOGS_BYTES */
	int64_t soon_ms, idle_ms, sweep_ms; /* 0: 2 s, a minute, an hour */
};

struct retain *retain_new(const struct retain_conf *c);
void retain_for(
	struct retain *t, double hours); /* the configuration was read again; NULL is fine */
void retain_free(struct retain *t);      /* before the log; NULL is fine */

#endif
