/* terminal.c -- what a command printed, with its colours, drawn through the emulator into cells so
 * that nothing of it reaches the terminal (shape.h). Folded: the last lines. */
#include <stdio.h>

#include "shared/vt/vt.h"
#include "tui/block/shape.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define OPEN_MAX 5000

static void put_line(struct cell_win w, const struct vy_vt_line *l)
{
	int x = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct vy_vt_run *r = &l->runs[i];
		struct cell_style s = { .fg = r->fg ? r->fg : CELL_ROLE(THEME_CODE_TEXT),
			.bg = r->bg,
			.attrs = (uint8_t)(r->attrs & 0x3f) };

		x += cell_put(w, x, 0, r->text, s);
	}
}

void shape_terminal(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	int cols = out->grid.cols - left > 1 ? out->grid.cols - left : 1;
	struct vy_vt_lines l = vy_vt_plain(b->terminal.output, cols, OPEN_MAX, &out->arena);
	size_t n = l.n, shown = how->is_open || n <= SHAPE_FOLDED + 1 ? n : SHAPE_FOLDED;

	if (b->terminal.output.n == 0) {
		return;
	}
	if (shown < n) { /* the end of an output is what was waited for */
		shape_more(out, left, (int)(n - shown), _(" above (enter)"));
	}
	for (size_t i = n - shown; i < n; i++) {
		put_line(block_lines(out, 1, left), &l.lines[i]);
	}
	if (b->terminal.truncated || b->note.n) {
		cell_put(block_lines(out, 1, left), 0, 0,
			b->note.n ? shape_safe(out, b->note, 0)
				  : vy_str_c(_("cut: the whole is longer")),
			theme_ink(THEME_DIM));
	}
}
