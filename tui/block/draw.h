/* draw.h -- how one row of the transcript becomes lines of cells.
 *
 * A renderer is a pure function of the row, the width and a few switches; it draws into a sheet of
 * its own, which the transcript keeps as long as (key, rev, how) is the same and shows wherever the
 * row happens to be. One file per shape of block, one line each in kinds.c. Words of agents and
 * tools go through shared/text/utf8 here, so nothing of theirs reaches a terminal as a control. */
#ifndef BLOCK_DRAW_H
#define BLOCK_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/model/block.h"
#include "shared/model/row.h"
#include "tui/ink/cell.h"
#include "tui/ink/theme.h"

/* What a drawing depends on beside its row. Two equal ones give equal sheets. */
struct block_how {
	int cols;
	unsigned depth;    /* under how many tool calls it nests */
	bool is_open;      /* the person opened this row: all of it */
	bool with_details; /* thinking and details are shown (ctrl-o) */
	bool is_selected;  /* the row under the cursor of browse mode */
	bool is_ascii;
	bool is_side_by_side; /* diffs in two columns */
	int spin;             /* phase of the spinner; constant when nothing moves */
	int64_t now_ms;       /* wall clock, for the elapsed time of a running call; 0 elsewhere */
};

/* Lines of cells; grows as they are added. Init/fini. */
struct block_sheet {
	struct cell_grid grid; /* cols × at least `lines` rows */
	int lines;             /* drawn so far */
	struct vy_arena arena; /* of one drawing */
};

void block_sheet_init(struct block_sheet *s, struct cell_pool *pool);
void block_sheet_fini(struct block_sheet *s);
void block_sheet_reset(struct block_sheet *s, int cols); /* no lines; `cols` wide from now on */

/* n new blank lines at the end, as a window over them; `left` cells are kept free on the left. */
struct cell_win block_lines(struct block_sheet *s, int n, int left);

/* The whole row: its mark, its words, its block. Never fails; a row with nothing to show has no
 * lines. kinds.c. */
void block_draw(const struct vy_row *row, const struct block_how *how, struct block_sheet *out);

/* Does its look change with time (a running call)? Then it is drawn again at each tick. */
bool block_moves(const struct vy_row *row);

/* Can enter open it: is there more than it shows folded? */
bool block_opens(const struct vy_row *row);

#endif
