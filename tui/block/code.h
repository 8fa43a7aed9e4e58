/* code.h -- a line of code and its colours, for code blocks and diffs. */
#ifndef BLOCK_CODE_H
#define BLOCK_CODE_H

#include "shared/text/diff.h"
#include "shared/text/hilite.h"
#include "shared/text/wrap.h"
#include "tui/block/draw.h"

#define CODE_SPANS 256 /* of one line; what is beyond is plain */
#define CODE_TAB   4   /* cells, from the code's own edge on */

struct code_line {
	struct vy_str text; /* safe for a screen */
	struct vy_hilite_span spans[CODE_SPANS];
	size_t n;
	const struct vy_diff_range *strong; /* what stands out, whatever its colour */
	size_t n_strong;
};

/* `lang` NULL: plain. The state goes from line to line. */
void code_colours(struct code_line *l, const struct vy_hilite_lang *lang,
	struct vy_hilite_state *st, struct vy_str line);

/* The bytes [from, to) at x of a window's first line, tabs as wide as `how` says; `base` is where
 * no colour is, and the ground everywhere, `strong` where the line stands out. Returns the cells. */
int code_put(struct cell_win w, int x, const struct code_line *l, const struct vy_wrap *how,
	size_t from, size_t to, struct cell_style base, struct cell_style strong);

/* Lines of safe code behind a bar; `lang` NULL: plain. The state is that of the line before, and
 * of the last one afterwards. `goes_on`: the lines above are of the same code. */
void code_block(struct vy_str code, const struct vy_hilite_lang *lang, struct vy_hilite_state *st,
	bool goes_on, int left, struct block_sheet *out);

#endif
