/* wrap.h -- breaks text into rows of at most so many cells.
 *
 * Rows are byte ranges of the source, so what is copied stays logical: they tile it ([start, next)
 * of each row, in order, nothing left out), and only [start, end) is drawn. Breaks: "\n" always;
 * behind spaces, tabs and hyphens between letters; between ideographs (closing marks never begin a
 * row, opening ones never end it); a longer word is cut between clusters; a wide cluster that does
 * not fit moves to the next row. What is wider than a whole row is clipped to it. Pure. */
#ifndef VY_WRAP_H
#define VY_WRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/str.h"
#include "shared/text/width.h"

struct vy_wrap {
	unsigned cells; /* of a row, indent included; indents take at most half of it */
	unsigned first; /* indent of the first row of the text */
	unsigned rest;  /* indent of every other row: a hanging indent when larger */
	unsigned tab;   /* tab stops, counted behind the indent; 0 is 8 */
	bool verbatim;  /* code: only "\n" and the edge break; spaces at the edge stay */
	struct vy_width width;
};

struct vy_wrap_row {
	size_t start, end; /* what is drawn */
	size_t next;       /* where the next row starts; [end, next) is the spaces of the break */
	uint32_t cells;    /* of [start, end), tabs expanded, without the indent */
	uint32_t indent;
	bool is_hard; /* ends at "\n" or at the end of the text, not at the edge */
	bool is_last; /* no row behind it */
};

/* The row behind *row, in place; a zeroed row gives the first. false behind the last. There is
 * always one row (the empty text), and an empty last one behind a final "\n". Costs what the row
 * costs, so a growing text goes on from a copy of the row before its last. */
bool vy_wrap_next(const struct vy_wrap *how, struct vy_str s, struct vy_wrap_row *row);

/* All rows, in the arena; at least one. */
size_t vy_wrap_all(
	const struct vy_wrap *how, struct vy_str s, struct vy_arena *a, struct vy_wrap_row **rows);

/* Cells of the cluster at `at` when it stands `col` cells behind the indent (a tab depends on it);
 * *next is its end. What a renderer uses to draw a row exactly as it was measured. */
unsigned vy_wrap_cells(
	const struct vy_wrap *how, struct vy_str s, size_t at, unsigned col, size_t *next);

#endif
