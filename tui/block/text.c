/* text.c -- plain text, dim: what a tool said that has no shape of its own. */
#include "tui/block/shape.h"
#include "shared/base/ban.h"

void shape_text(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	shape_words(b->text.text, THEME_DIM, left, shape_limit(how), out);
	shape_note(b, left, out);
}
