/* turn.h -- text that runs from right to left, turned where it is shown and nowhere else.
 *
 * What is kept stays in the order of its text, so copying, searching and moving do not know of this.
 * A paragraph is looked at as a whole: its direction is that of its first letter, in whatever row
 * that stands, and each of its rows is ordered by the levels of all (bidi.h). Only words move:
 * margins, bars and marks stay. Where the terminal turns text itself (cell_pool_is_straight())
 * nothing is done. Pure. */
#ifndef VIEW_TURN_H
#define VIEW_TURN_H

#include "tui/block/draw.h"

/* ---- of a sheet ---- */

bool turn_any(struct block_sheet *s);          /* has it anything to turn? */
bool turn_is(struct block_sheet *s, int line); /* has this line's paragraph? */
/* Line `line` of the sheet, whole (slide_whole()), stands at line y of the window, from its first column on. The sheet keeps
 * what was found out about its lines (struct block_words). */
void turn_line(struct cell_win w, int y, struct block_sheet *s, int line);
/* The column of the sheet whose glyph is seen at column x. */
int turn_back(struct block_sheet *s, int line, int x);

/* ---- of what stands in a window ---- */

/* The cells [x, end) of line y are a text of its own. */
void turn_piece(struct cell_win w, int y, int x, int end);

/* ---- of a text that is to be shown ---- */

struct turn_text {
	struct vy_str text; /* one paragraph */
	size_t n;           /* its clusters; 0: nothing in it is turned */
	bool is_rtl;
	size_t *at; /* n + 1: where each begins */
	uint32_t *cps;
	int8_t *levels;
};

struct turn_glyph {
	size_t at, end; /* its bytes in the text */
	bool is_turned;
};

bool turn_needs(struct vy_str text); /* is there a letter in it that runs from right to left? */
/* What it needs is in the arena; the text is borrowed. */
void turn_text(struct turn_text *t, struct vy_str text, bool is_straight, struct vy_arena *a);
/* The row [from, to) of it, glyph by glyph from the left as it is seen, in the arena. */
size_t turn_row(const struct turn_text *t, size_t from, size_t to, struct vy_arena *a,
	struct turn_glyph **out);
/* What a glyph shows: itself, or its mirror image, kept in `own`. */
struct vy_str turn_shown(const struct turn_text *t, const struct turn_glyph *g, char own[4]);

/* Puts the row [from, to) at (x, y); returns the cells it takes. */
int turn_put(struct cell_win w, int x, int y, const struct turn_text *t, size_t from, size_t to,
	struct cell_style s);

/* A field of one line that fills the window, scrolled so that its cursor, at byte `at` of the text,
 * is in sight; returns the cursor's column in it. */
int turn_field(struct cell_win w, struct vy_str text, size_t at, struct cell_style s);

#endif
