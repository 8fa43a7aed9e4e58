/* cell_rows.h -- which rows of a grid are as they were, known without a look at their cells.
 *
 * A watched grid shows the same screen frame after frame. Each of its rows has a number: watched
 * rows of one pool and one width that have the same number have the same cells, and whatever is
 * drawn into a row gives it a number that no row had. So a frame costs what changes in it: who
 * draws leaves a row in which his drawing stands already, who brings a grid to a terminal (paint.h)
 * compares rows whose numbers differ.
 *
 *	cell_frame_begin(g);
 *	if (!cell_row_keep(w, y, number)) {        a drawing that has a number
 *		cell_blit(w, 0, y, …);
 *		cell_row_is(w, y, number);
 *	}
 *	cell_puts(w, 0, y + 1, …);                 and one that has none
 *	cell_frame_end(g);
 *
 * A grid may be split at a column, for what stands beside what changes: each side of a row then has
 * a number of its own, and all that is said here of rows holds for sides.
 *
 * Within a frame a row is blank before the first thing is drawn into it, and blank at its end when
 * nothing was. A grid that is not watched is cleared by cell_frame_begin() and keeps nothing: what
 * stands in both at the end is the same. Pure. */
#ifndef INK_CELL_ROWS_H
#define INK_CELL_ROWS_H

#include "tui/ink/cell.h"

/* A number that no row and no drawing of this pool had; never 0, which is none. */
uint64_t cell_number(struct cell_pool *p);

void cell_grid_watch(struct cell_grid *g); /* from now on until cell_grid_fini() */
/* The left side has so many columns from now on; 0: rows are whole. Before anything is drawn. */
void cell_grid_split(struct cell_grid *g, int cols);

/* ---- a frame ---- */

void cell_frame_begin(struct cell_grid *g);
void cell_frame_end(struct cell_grid *g);

/* Row y of the window, which has a whole row or a side, is to hold the drawing `number` and nothing
 * else. True: it does, here since the last frame or brought from another row. False: the row is
 * blank now; draw, and then say so. A drawing's number holds for rows drawn in one way only: what it
 * depends on beside its own cells (a window's place, a direction) gives it another. */
bool cell_row_keep(struct cell_win w, int y, uint64_t number);
void cell_row_is(struct cell_win w, int y, uint64_t number);

/* In this frame all stands as it did, but the right sides of rows [y, end). Watched grids only. */
void cell_frame_stays(struct cell_grid *g, int y, int end);

/* ---- rows of two grids that have one pool and one width ---- */

/* Of the right side where there are two; 0: not watched. */
uint64_t cell_row_number(const struct cell_grid *g, int y);
bool cell_row_same(const struct cell_grid *a, int ya, const struct cell_grid *b, int yb);
bool cell_row_same_right(const struct cell_grid *a, int ya, const struct cell_grid *b, int yb);
/* Two rows that were found to be the same: `to` has the number of `from` from now on. */
void cell_row_known(struct cell_grid *to, int yt, const struct cell_grid *from, int yf);
/* The row's cells and number; `to` and `from` may be one grid. */
void cell_row_copy(struct cell_grid *to, int yt, const struct cell_grid *from, int yf);

/* ---- for those who write into cells (cell.c, paint.c) ---- */

struct cell_row {
	struct cell_side {
		uint64_t number;
		uint64_t frame; /* the last one in which it was drawn or kept */
	} side[2];              /* left and right; whole rows are a right side */
};

/* Something is about to be drawn into n cells of the row from x on, or into some of them. */
void cell_row_touch(struct cell_grid *g, int y, int x, int n);

#endif
