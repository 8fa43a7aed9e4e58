/* places.h -- where each session was being read when another took its place on the screen.
 *
 * Only who was not at the end has a place; the sessions left last are remembered. A value of the
 * state: a new client begins at the end of each. Pure. */
#ifndef APP_PLACES_H
#define APP_PLACES_H

#include <stddef.h>

#include "tui/view/transcript.h"

#define PLACES_MAX 32

struct places {
	struct places_one {
		char *session;
		struct transcript_place at;
	} v[PLACES_MAX]; /* the newest last */
	size_t n;
};

void places_fini(struct places *p);
/* Takes the place over; one at the end (no key) is forgotten. */
void places_keep(struct places *p, const char *session, struct transcript_place *own_at);
/* Lent until the next places_keep(); NULL: at the end. */
const struct transcript_place *places_find(const struct places *p, const char *session);

#endif
