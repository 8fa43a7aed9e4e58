/* slide.h -- code that keeps its lines: what does not fit is cut at the edge, and slides sideways.
 *
 * On a sheet that is_unwrapped each line of code is one line. One that is too long stands there cut,
 * with a mark at the edge, and whole on paper of its own beside the sheet: who selects, copies,
 * searches or turns a line asks slide_whole() for it. The lines of one block of code slide
 * together, by as many cells as the view keeps for it; margins, bars and numbers stay where they
 * are, and so do lines without words ("… 12 more lines"). A change in two columns slides in both by
 * the same. On any other sheet there is nothing that slides. Pure. */
#ifndef BLOCK_SLIDE_H
#define BLOCK_SLIDE_H

#include "tui/block/draw.h"

#define SLIDE_LINE_MAX 16384 /* cells; a longer line goes on in the next one */

/* Where code stands in the lines of a block: columns of the screen. No cells: no such column. */
struct slide_zone {
	int x, cells;
};

/* A block of code: lines [first, end) of the sheet. */
struct block_slide {
	int first, end; /* end -1: being drawn */
	int from;       /* lines before it stand cut already */
	struct slide_zone zones[2];
};

/* A line that is too long, whole: one row of cells, its columns are those of the sheet and more. */
struct block_long {
	int line, x; /* x: of its zone */
	struct cell_grid grid;
};

/* ---- drawing (a renderer) ---- */

/* The lines that are added until slide_end() are one block of code. It `goes_on` when the last one
 * does, whose lines were drawn before. Nothing happens on a sheet that wraps. */
void slide_begin(
	struct block_sheet *s, struct slide_zone one, struct slide_zone other, bool goes_on);
void slide_end(struct block_sheet *s);
void slide_move(struct block_sheet *s, int x); /* the code begins at x: up to the edge */
/* Cells of a row of code in a zone that has `room`: that, or as many as a line may have. */
unsigned slide_cells(const struct block_sheet *s, int room);
/* Where a row of `cells` cells is drawn that begins at x of a window of the last line: its first cell
 * is the row's first. The ground is that of the cell before x. */
struct cell_win slide_line(struct block_sheet *s, struct cell_win w, int x, int cells);

/* ---- a sheet's own (sheet.c) ---- */

void slide_cut(struct block_sheet *s, int lines); /* those behind are forgotten */

/* ---- a line as it is ---- */

/* The grid and the row in it where the words of a line stand whole. */
const struct cell_grid *slide_whole(const struct block_sheet *s, int line, int *row);

/* ---- sliding (the view) ---- */

/* Which of the blocks of code the line is in; -1: none, or its words are not code. */
int slide_of(const struct block_sheet *s, int line);
/* The zone of the line's words. */
struct slide_zone slide_zone_of(const struct block_sheet *s, int line);
/* How far a block can slide: 0: all of it is in sight. */
int slide_most(const struct block_sheet *s, int slide);
/* What is seen of a line of code once it has slid, over the sheet's own line that stands at line y
 * of the window. `whole`: one row to show its words from instead, NULL. */
void slide_put(struct cell_win w, int y, const struct block_sheet *s, int line, int shift,
	const struct cell_grid *whole);

#endif
