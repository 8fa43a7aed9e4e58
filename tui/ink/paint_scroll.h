/* paint_scroll.h -- for paint.c: which rows of the new grid stand elsewhere in the old one. Pure. */
#ifndef INK_PAINT_SCROLL_H
#define INK_PAINT_SCROLL_H

#include <stdbool.h>

#include "tui/ink/cell.h"

/* Rows y … y+rows-1 of the new grid are rows y+by … of the old one, or nearly: by > 0 moved up. */
struct paint_move {
	int y, rows, by;
};

/* Which rows differ, and how many. Those that do not have one number afterwards. */
int paint_scroll_differs(
	struct cell_grid *old, const struct cell_grid *new, bool *differs /* [rows] */);
/* The move that saves most; false when none saves enough to be worth its bytes. `changed` rows
 * differ: with few of them it is not looked for. */
bool paint_scroll_find(const struct cell_grid *old, const struct cell_grid *new, int changed,
	struct paint_move *m);

#endif
