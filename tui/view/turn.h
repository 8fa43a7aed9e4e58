/* turn.h -- lines that run from right to left, turned where they are shown and nowhere else.
 *
 * A sheet stays in the order of its text, so copying, searching and selecting do not know of this;
 * a line is turned in the window after everything was laid over it. Only its words move: margins,
 * bars and marks stay. Pure. */
#ifndef VIEW_TURN_H
#define VIEW_TURN_H

#include "tui/block/draw.h"

/* Line `line` of the sheet stands at line y of the window, from its first column on. */
void turn_line(struct cell_win w, int y, const struct block_sheet *s, int line);

/* The column of the sheet whose glyph is seen at column x. */
int turn_back(const struct block_sheet *s, int line, int x);

#endif
