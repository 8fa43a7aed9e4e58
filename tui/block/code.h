/* code.h -- a line of code and its colours, for code blocks and diffs. */
#ifndef BLOCK_CODE_H
#define BLOCK_CODE_H

#include "shared/text/hilite.h"
#include "shared/text/wrap.h"
#include "tui/block/draw.h"

#define CODE_SPANS 256 /* of one line; what is beyond is plain */

struct code_line {
	struct vy_str text; /* safe for a screen */
	struct vy_hilite_span spans[CODE_SPANS];
	size_t n;
};

/* `lang` NULL: plain. The state goes from line to line. */
void code_colours(struct code_line *l, const struct vy_hilite_lang *lang,
	struct vy_hilite_state *st, struct vy_str line);

/* The bytes [from, to) at x of a window's first line; `base` is where no colour is, and the ground
 * everywhere. Returns the cells. */
int code_put(struct cell_win w, int x, const struct code_line *l, const struct vy_wrap *how,
	size_t from, size_t to, struct cell_style base);

#endif
