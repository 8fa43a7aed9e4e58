/* screen.c -- a picture: its size and what it shows, in words. */
#include <stdio.h>

#include "tui/block/shape.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

void shape_screen(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	struct cell_win w = block_lines(out, 1, left);
	char text[96];

	(void)how;
	snprintf(text, sizeof(text), _("picture, %lld by %lld"), (long long)b->screen.w,
		(long long)b->screen.h);

	int x = cell_puts(w, 0, 0, text, theme_ink(THEME_DIM));

	shape_put(w, x + 2, b->screen.alt, w.w - x - 3, theme_ink(THEME_TEXT), out);
	shape_note(b, left, out);
}
