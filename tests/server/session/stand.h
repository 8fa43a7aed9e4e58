/* stand.h -- sessions on a store in memory, with holders and an agent that a test plays.
 *
 * The one provider is "test": its driver is here, and its agent's lines are words the test prints:
 *
 *	ready | begin [origin] | taken UUID | back UUID | text WORDS | tool ID | done ID | huge ID |
 *	ask ID [parent] | gone ID | end ok|failed|canceled|limit | mode WORD | usage N | tasks [ID] |
 *	limit STATUS (of what pays for it; it resets in an hour)
 *
 * What it is told are lines too ("say UUID text", "hello", "answer ID decision" …), written down by
 * fake_hold.h. An exit status of 3 says that it was launched the other way round. */
#ifndef STAND_H
#define STAND_H

#include "server/log/log.h"
#include "server/session/table.h"
#include "shared/base/clock.h"
#include "tests/server/session/fake_hold.h"

struct stand {
	struct vy_loop *loop;
	struct log_store *store;
	struct log *log;
	struct table *table;
	struct vy_clock clock;
	int64_t skipped_ms; /* the boot clock is so far ahead of the real one */
	int64_t now;        /* wall ms; moves only when the test moves it */
	int sockets;        /* of agents, open */
	bool goes_on;
	struct table_life life; /* no limit, never idle */
	int viewers;            /* of any session */
	const char *fallback;   /* of the provider; its secret is there unless */
	bool is_unset;
	bool goes_on_after_limit;
	int64_t slots;       /* what the configuration lets the box have of each kind */
	const char *missing; /* why the agent cannot be started; NULL: it can */
};

extern struct stand stand;

void stand_open(void);
void stand_close(void);
void stand_turn(void);  /* one loop turn and what it committed lets go */
void stand_crash(void); /* vyred dies here: what was not committed is gone; another one boots */

struct session *stand_session(void); /* a new one of "person:ana" */
struct session *stand_find(const char *id);
void stand_ready(void); /* the newest holder's agent is started, and its first tell arrived */

/* Every frame in the log, a line each: cursor, kind, state or text … ; owned. */
char *stand_frames(const char *session);

#endif
