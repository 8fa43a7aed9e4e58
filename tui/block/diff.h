/* diff.h -- a line of a change on its ground, for both ways to show one. */
#ifndef BLOCK_DIFF_H
#define BLOCK_DIFF_H

#include "tui/block/code.h"
#include "tui/block/shape.h"
#include "tui/block/slide.h"

#define DIFF_MARK 2 /* cells from the mark to the code */

/* What all lines of one drawing share. */
struct diff_pen {
	struct block_sheet *out;
	const struct vy_hilite_lang *lang;
	struct vy_hilite_state state; /* of the new text: what is removed is one colour */
	int left, gutter; /* where the number begins; its cells, 0: the lines have none */
	int limit;        /* rows, 0: all */
	int from;         /* the sheet's lines before the first */
	size_t skipped;   /* lines left out */
};

/* A line made ready: safe, coloured, with what changed in it. */
struct diff_line {
	struct code_line code;
	char kind;
	size_t number;
	struct vy_wrap how; /* to the width of its column */
	size_t n_rows;
	struct vy_wrap_row *rows;
};

void diff_ready(struct diff_pen *p, const struct vy_diff_hunk *h, size_t i, size_t number,
	int cells, struct diff_line *l);
/* Its k-th row into a window whose left edge is the number's; nothing behind its last. */
void diff_put(const struct diff_pen *p, const struct diff_line *l, size_t k, struct cell_win w);
/* Where the mark stands, and the code behind it. */
int diff_mark(const struct diff_pen *p);
int diff_code(const struct diff_pen *p);
bool diff_is_full(const struct diff_pen *p);

/* diff_sides.c: old left, new right, each in half of the width. */
int diff_half(const struct diff_pen *p);
void diff_hunk_sides(struct diff_pen *p, const struct vy_diff_hunk *h);

#endif
