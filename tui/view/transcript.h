/* transcript.h -- the conversation on the screen: a window over the fold's rows.
 *
 * Virtual: only rows in sight are laid out, and each once per (revision, width, look); the cost of
 * a paint depends on the screen, not on the history. It stays at the bottom while the person is
 * there; elsewhere the line being read keeps its place, whatever arrives and however the width
 * changes: the view is anchored to a place in a row's words, never to a number of lines.
 *
 * The fold is lent at each call and never kept. Pure. */
#ifndef VIEW_TRANSCRIPT_H
#define VIEW_TRANSCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/model/fold.h"
#include "tui/ink/cell.h"

struct album;
struct transcript;

struct transcript_how {
	int64_t now_ms; /* wall clock */
	int spin;
	bool with_details, is_ascii;
	bool is_unwrapped;   /* code keeps its lines, and slides (block/slide.h) */
	bool is_straight;    /* the terminal turns right-to-left text itself */
	bool is_browsing;    /* the selected row is marked */
	struct album *album; /* pictures, told which ones are in sight; NULL: captions alone */
};

struct transcript *transcript_new(struct cell_pool *pool);
void transcript_free(struct transcript *t);
/* Another session: as new, but for the rows that were opened when it was here. */
void transcript_clear(struct transcript *t, const char *session);
/* A snapshot replaced all rows; the place is kept. */
void transcript_redraw(struct transcript *t, const struct vy_fold *f);

/* After each vy_fold_apply. */
void transcript_changed(struct transcript *t, const struct vy_fold *f, const struct vy_change *ch);

/* Draws rows, bottom-aligned while following. With fewer lines than the window the rest is blank. */
void transcript_draw(struct transcript *t, const struct vy_fold *f, struct cell_win w,
	const struct transcript_how *how);

/* ---- moving: all need one draw before, and clamp at the ends ---- */

void transcript_scroll(struct transcript *t, const struct vy_fold *f, int lines); /* < 0: up */
void transcript_page(struct transcript *t, const struct vy_fold *f, int pages);
void transcript_top(struct transcript *t, const struct vy_fold *f);
void transcript_follow(struct transcript *t); /* to the bottom, and stay there */

/* The end is in sight: nothing is below. */
bool transcript_is_following(const struct transcript *t);
/* Rows with something to show that came since it left the bottom. */
size_t transcript_below(const struct transcript *t);

/* ---- the place as a value: left now, come back to in another life of the rows ---- */

struct transcript_place {
	char *key;     /* of the row at the top; owned; NULL: the end, followed */
	size_t mark;   /* of the line at the top (block/draw.h) … */
	int nth;       /* … among those with that mark; < 0: in the empty lines above */
	uint64_t seen; /* newest cursor then: what is behind it is new to the reader */
	size_t fresh;  /* transcript_below() then */
};

void transcript_place_get(
	const struct transcript *t, const struct vy_fold *f, struct transcript_place *out);
/* May be set before the rows are here: the end is shown until that row comes, older ones are
 * wanted as long as it does not, and the first move of the person gives it up. */
void transcript_place_set(struct transcript *t, const struct transcript_place *p);
void transcript_place_fini(struct transcript_place *p);

/* ---- browse mode ---- */

/* Moves the selection by rows (of any kind), or to the next message (mine only). It is scrolled
 * into sight. Nothing selected yet: the last row in sight. */
enum transcript_step { TRANSCRIPT_ROW, TRANSCRIPT_MESSAGE, TRANSCRIPT_MINE };
void transcript_select(
	struct transcript *t, const struct vy_fold *f, enum transcript_step step, int direction);
const struct vy_row *transcript_selected(const struct transcript *t, const struct vy_fold *f);
void transcript_unselect(struct transcript *t);
/* Opens or folds it; its first line stays where it is. */
bool transcript_toggle(struct transcript *t, const struct vy_fold *f);

/* ---- asking; valid after a draw ---- */

/* Where the fold lacks older rows: they are wanted. The person is near the first that is here, or
 * looks for something, which is through the whole session. */
bool transcript_wants_older(const struct transcript *t);

/* Something in sight changes with time: draw again at the next tick. */
bool transcript_moves(const struct transcript *t);

/* How often a row was laid out so far: what a test of the costs counts. */
size_t transcript_layouts(const struct transcript *t);

#endif
