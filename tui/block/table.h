/* table.h -- a markdown table with aligned columns; stacked cells where it is too narrow. */
#ifndef BLOCK_TABLE_H
#define BLOCK_TABLE_H

#include "shared/text/md.h"
#include "shared/text/wrap.h"
#include "tui/block/draw.h"

/* Marks count on from the sheet's `at`. */
void shape_table(
	const struct vy_md_block *b, struct cell_style base, int left, struct block_sheet *out);

/* markdown.c: the bytes [from, to) of a text in their styles; the cells they take. */
int shape_spans(struct cell_win w, int x, const struct vy_md_text *t, size_t from, size_t to,
	struct cell_style base);

#endif
