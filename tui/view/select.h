/* select.h -- the words on a sheet as text again: what is selected, copied, searched.
 *
 * A sheet (block/draw.h) knows which cells of a line are words and how a line goes on from the one
 * above it. Put together they are the row's logical text: no margin, no gutter, no padding, no
 * break that only the width made; a tab is a tab. A point is a logical line and a byte of it, so
 * it means the same place at every width. Columns are those of the line as it is: code that slides
 * (block/slide.h) may have more of them than the sheet, and is whole here. Pure; sheets are lent. */
#ifndef VIEW_SELECT_H
#define VIEW_SELECT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "shared/base/buf.h"
#include "tui/block/draw.h"

struct select_point {
	size_t line; /* logical, from 0 */
	size_t at;   /* byte in it; its length: behind the last glyph */
};

bool select_before(struct select_point a, struct select_point b);

/* ---- lines of the sheet and of the text ---- */

/* The logical line in which line y of the sheet stands. */
size_t select_line(const struct block_sheet *s, int y);
/* The first line of the sheet that shows it, or the last there is. */
int select_first(const struct block_sheet *s, size_t line);
/* One behind its last. */
int select_end(const struct block_sheet *s, size_t line);

/* ---- points and cells ---- */

/* The glyph at this cell, its first byte; left of the words the line's start, right of them its
 * end. A line that is no text gives the nearest above it. */
#define SELECT_END INT_MAX
struct select_point select_at(const struct block_sheet *s, int y, int x);
/* Where the glyph behind a point stands. A point that is the end of one line of the sheet and the
 * start of the next stands at the start. */
void select_place(const struct block_sheet *s, struct select_point p, int *y, int *x);
/* The glyph there, in bytes (0 at a line's end) and cells (1 there). */
size_t select_glyph(const struct block_sheet *s, struct select_point p, int *cells);

/* The cells of line y that lie in [a, b); false when none does. An empty line in the middle, or
 * a selected line end, counts as one cell. */
bool select_cells(const struct block_sheet *s, int y, struct select_point a, struct select_point b,
	int *x0, int *x1);

struct select_point select_start(void);
struct select_point select_last(const struct block_sheet *s); /* the end of the text */

/* ---- moving ---- */

/* One glyph on or back; false at the ends of the text. */
bool select_right(const struct block_sheet *s, struct select_point *p);
bool select_left(const struct block_sheet *s, struct select_point *p);
/* To the start of the next word, or of this one or the one before. */
bool select_word_right(const struct block_sheet *s, struct select_point *p);
bool select_word_left(const struct block_sheet *s, struct select_point *p);

/* ---- text ---- */

/* One logical line, without its line end. */
void select_add_line(const struct block_sheet *s, size_t line, struct vy_buf *out);
/* What lies in [a, b). */
void select_add(const struct block_sheet *s, struct select_point a, struct select_point b,
	struct vy_buf *out);

#endif
