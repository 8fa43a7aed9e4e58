/* flow_change.c -- how a flow changes: its title and steps. */
#include "tui/block/shape.h"
#include "shared/base/ban.h"

void shape_flow(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	(void)how;
	shape_line(b->flow.title, theme_bold(THEME_TITLE), left, out);
	for (size_t i = 0; i < b->flow.n; i++) {
		out->at++;
		shape_words(b->flow.steps[i], THEME_TEXT, left + 2, 0, out);
	}
	shape_note(b, left, out);
}
