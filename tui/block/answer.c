/* answer.c -- an answer: prose, its fields, where it was found. */
#include "tui/block/shape.h"
#include "shared/base/ban.h"

void shape_answer(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	(void)how;
	shape_markdown(b->answer.text, true, theme_ink(THEME_ASSISTANT), left, out);
	for (size_t i = 0; i < b->answer.n; i++) {
		out->at++;
		shape_put_field(&b->answer.fields[i], left + 2, out);
	}
	for (size_t i = 0; i < b->answer.nsources; i++) {
		shape_line(b->answer.sources[i], theme_ink(THEME_LINK), left + 2, out);
	}
	shape_note(b, left, out);
}
