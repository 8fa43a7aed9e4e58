/* slots_in.h -- the inside of the ledger of slots, for slots*.c alone (slots.h is the contract).
 *
 * Who waits stands in lanes, one for each project that has somebody waiting; the lanes of a kind are
 * a circle whose first is the next in turn. */
#ifndef SLOTS_IN_H
#define SLOTS_IN_H

#include <sys/queue.h>

#include "server/session/slots.h"

struct place {
	char *project, *session, *holder, *ticket; /* ticket: while it waits */
	int64_t since, position;                   /* position 0: it holds a slot */
	TAILQ_ENTRY(place) link;
};

TAILQ_HEAD(places, place);

struct lane {
	char *project;
	struct places waiting; /* never empty between acts */
	TAILQ_ENTRY(lane) link;
};

TAILQ_HEAD(lanes, lane);

struct set_limit {
	enum slots_kind kind;
	char *project; /* NULL: of the box */
	int64_t limit;
	TAILQ_ENTRY(set_limit) link;
};

struct slots {
	slots_file_fn *file;
	void *ctx;
	uint64_t rev;
	struct places held[SLOTS_KINDS]; /* oldest first */
	struct lanes circle[SLOTS_KINDS];
	TAILQ_HEAD(, set_limit) limits;
};

/* The project's lane, made at the end of the circle when there is none. */
struct lane *slots_lane(struct slots *s, enum slots_kind kind, const char *project);
void slots_clear(struct slots *s); /* nobody, and no limit of a person's */

#endif
