/* screen.c -- a picture that a tool made or looked at (shape.h). */
#include "tui/block/shape.h"
#include "shared/base/ban.h"

void shape_screen(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	struct shape_picture p = { .ref = b->screen.ref,
		.alt = b->screen.alt,
		.w = b->screen.w,
		.h = b->screen.h,
		.n = 1 };

	shape_picture(&p, how, left, out);
	shape_note(b, left, out);
}
