/* live.h -- the ledger of living processes: who has one, who waits for one, how long each is idle.
 *
 * A value: facts about sessions and wishes go in, decisions come out, one by one, until there is none.
 * It starts and ends nothing. At most `limit` sessions have a process at a time (0: any number). Who
 * wants one gets it as soon as there is a place, the first to wish first; for who cannot get one, the
 * session that is idle the longest is let go: the spare first, then one that nobody looks at, then one
 * that somebody looks at; one that works never. A decision is in the ledger when it is given, so it is
 * given once: whom it let go still has a place until it is said to be absent.
 *
 *	live_is(l, id, LIVE_IDLE, now);
 *	live_wish(l, other);
 *	while (live_next(l, &d)) { do it }
 *
 * Pure: time comes in, on the clock that counts sleep. Ids are copied. */
#ifndef LIVE_H
#define LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/json.h"

struct live;

struct live *live_new(void); /* without a limit, nobody in it */
void live_free(struct live *l);

/* ---- facts and wishes ---- */

enum live_use {
	LIVE_ABSENT,  /* no process */
	LIVE_BUSY,    /* a turn, an ask, a task, a command: not to be touched */
	LIVE_WATCHED, /* nothing to do, and somebody looks at it */
	LIVE_IDLE,    /* nothing to do, nobody looks */
	LIVE_SPARE,   /* nobody's yet */
	LIVE_LEAVING  /* on its way out, for whatever reason */
};

void live_limit(struct live *l, int64_t most); /* 0: none */
/* It is idle since `now`, unless it was so before. */
void live_is(struct live *l, const char *id, enum live_use use, int64_t now_ms);
/* It is idle, and was so since then (LIVE_IDLE alone; from an earlier vyred). */
void live_idle_since(struct live *l, const char *id, int64_t since_ms);
/* It wants a process: into the line, once. One that has one, and is not leaving, gets it at once. */
void live_wish(struct live *l, const char *id);
/* It waits, and was told so by an earlier vyred. */
void live_told(struct live *l, const char *id, int64_t position);
void live_unwish(struct live *l, const char *id); /* not any more, if ever it did */

/* ---- what is to be done ---- */

enum live_what {
	LIVE_GO,   /* it has its place now */
	LIVE_REST, /* it is to be let go */
	LIVE_WAITS /* it waits at `position`, from 1 */
};

struct live_decision {
	enum live_what what;
	const char *id; /* borrowed, until the next call */
	int64_t position;
};

bool live_next(struct live *l, struct live_decision *out);
/* The next that has been idle for idle_ms (above 0): a LIVE_REST. Watched ones are not. */
bool live_expired(struct live *l, int64_t now_ms, int64_t idle_ms, struct live_decision *out);
/* When that is, for the first of them; -1: nobody is idle. */
int64_t live_due(const struct live *l, int64_t idle_ms);

/* ---- what others may know ---- */

/* Would a wish made now be granted, at once or as soon as one that can rest has rested? */
bool live_has_room(const struct live *l);
bool live_has_free(const struct live *l); /* the same, and nobody has to be let go for it */
size_t live_count(const struct live *l);  /* places that are taken */
int64_t live_position(const struct live *l, const char *id);     /* 0: it does not wait */
const char *live_busy_at(const struct live *l, size_t i);        /* the i-th that works; NULL */
enum live_use live_use_of(const struct live *l, const char *id); /* as it was said */

/* ---- what outlives vyred ---- */

/* {v, line: [id], idle: {id: since}}: who waits, in order, and since when who is idle is so. Owned. */
struct vy_json *live_encode(const struct live *l);
uint64_t live_rev(const struct live *l); /* grows when that changes */

#endif
