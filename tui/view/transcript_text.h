/* transcript_text.h -- selecting, copying, searching and pointing in a transcript.
 *
 * A selection is of whole rows or of characters; it stands on places in the rows' words, so it
 * stays where it is whatever is painted, arrives, or is resized. What is copied is logical text
 * (select.h), whole rows their source (source.h). A search goes through the whole session
 * (find.h); a match that a folded row hides opens it. Pure; the fold is lent. */
#ifndef VIEW_TRANSCRIPT_TEXT_H
#define VIEW_TRANSCRIPT_TEXT_H

#include "shared/base/buf.h"
#include "tui/view/transcript.h"

/* ---- selecting ---- */

enum transcript_span { TRANSCRIPT_NONE, TRANSCRIPT_ROWS, TRANSCRIPT_CHARS };

/* Begins a selection at the selected row, or turns one into the other kind. */
void transcript_mark(struct transcript *t, const struct vy_fold *f, enum transcript_span span);
void transcript_unmark(struct transcript *t);
enum transcript_span transcript_marked(const struct transcript *t);

enum transcript_move {
	TRANSCRIPT_LEFT,
	TRANSCRIPT_RIGHT,
	TRANSCRIPT_UP,
	TRANSCRIPT_DOWN,
	TRANSCRIPT_WORD_LEFT,
	TRANSCRIPT_WORD_RIGHT,
	TRANSCRIPT_LINE_START,
	TRANSCRIPT_LINE_END
};

/* Moves the end of a selection of characters, over rows too. */
void transcript_move(struct transcript *t, const struct vy_fold *f, enum transcript_move m);

/* The selected words; without a selection the selected row's source. false: nothing is selected. */
bool transcript_copy(struct transcript *t, const struct vy_fold *f, struct vy_buf *out);

/* ---- pointing: cells of the window as it was drawn last ---- */

/* The row there; NULL on none. It is selected. */
const struct vy_row *transcript_point(struct transcript *t, const struct vy_fold *f, int x, int y);
/* The words between two cells become the selection; beyond an edge it scrolls by a line. */
void transcript_drag(
	struct transcript *t, const struct vy_fold *f, int from_x, int from_y, int x, int y);
/* Goes on with it, after scrolling or not. */
void transcript_drag_to(struct transcript *t, const struct vy_fold *f, int x, int y);

/* ---- sideways: code that is not wrapped ---- */

/* The selected row's blocks of code that are in sight, by half of what is seen of them (0: not at
 * all); when none is, the first comes into sight. false: nothing of the row is cut. */
bool transcript_slide(struct transcript *t, const struct vy_fold *f, int direction);
/* The one at line y of the window, by so many cells. false: none is there, or it is all in sight. */
bool transcript_slide_at(struct transcript *t, const struct vy_fold *f, int y, int cells);

/* ---- searching ---- */

/* A search begins here … */
void transcript_find_begin(struct transcript *t, const struct vy_fold *f);
/* … is given up, and the view is where it began. */
void transcript_find_cancel(struct transcript *t, const struct vy_fold *f);
/* Looks for it, and goes to the nearest match from the window's top on. "" ends the search. */
void transcript_find(struct transcript *t, const struct vy_fold *f, struct vy_str query);
/* To the next match (1) or the one before (-1), round the ends. false: there is none. */
bool transcript_find_step(struct transcript *t, const struct vy_fold *f, int direction);
struct vy_str transcript_query(const struct transcript *t);
/* How many matches there are, and which one is at hand (from 1; 0: none). */
size_t transcript_found(struct transcript *t, const struct vy_fold *f, size_t *at);

/* ---- links of the selected row ---- */

/* The i-th address among those in sight in it, each once; empty past the last. Lent by the pool. */
struct vy_str transcript_link(struct transcript *t, const struct vy_fold *f, size_t i);
/* The address at a cell; empty: none. */
struct vy_str transcript_link_at(struct transcript *t, const struct vy_fold *f, int x, int y);

#endif
