/* sheets.h -- the rows of a transcript, laid out: made when asked for, kept while they are in use.
 *
 * A row's sheet is good for one (revision, look). A growing text is told of by sheets_changed(),
 * so that only its end is laid out again. A row's height is its sheet's lines and the empty ones
 * that part it from the row above; a row with nothing to show has none. The fold is lent. */
#ifndef VIEW_SHEETS_H
#define VIEW_SHEETS_H

#include "shared/model/fold.h"
#include "tui/block/draw.h"

struct sheets_entry;
struct sheets_open;

struct sheets {
	struct cell_pool *pool;
	struct sheets_entry *entries;
	struct sheets_open *open; /* rows a person opened, here and in the other sessions */
	char *session;            /* whose rows these are; NULL: of none in particular */
	struct block_how how;     /* of all: the width and the switches */
	uint64_t turn;            /* grows with each draw: what was not used for long goes */
	size_t layouts;           /* drawn so far */
};

void sheets_init(struct sheets *s, struct cell_pool *pool);
void sheets_fini(struct sheets *s); /* may be used again */
void sheets_drop(struct sheets *s); /* all are laid out anew; what is open stays open */
/* Another session's rows: none is laid out, and those are open that were when it was left. */
void sheets_switch(struct sheets *s, const char *session);
void sheets_changed(struct sheets *s, const struct vy_fold *f, const struct vy_change *ch);

/* A new draw begins with this look; sheets that the last ones did not need may go. */
void sheets_begin(struct sheets *s, const struct block_how *how);

/* Row i; lent until the next call with another look or after sheets_begin(). */
struct block_sheet *sheets_get(struct sheets *s, const struct vy_fold *f, size_t i);
int sheets_gap(const struct vy_fold *f, size_t i); /* empty lines above, if it has lines */
int sheets_height(struct sheets *s, const struct vy_fold *f, size_t i);

void sheets_flip(struct sheets *s, struct vy_str key); /* open, folded */

#endif
