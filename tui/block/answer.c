/* answer.c -- an answer: prose, its fields, where it was found. */
#include "tui/block/shape.h"
#include "shared/base/ban.h"

#define FOLDED_ROWS 14 /* of a text: a plan */

void shape_answer(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	int from = out->lines;

	shape_markdown(b->answer.text, true, theme_ink(THEME_ASSISTANT), left, out);
	if (!how->is_open && out->lines - from > FOLDED_ROWS + 1) {
		int more = out->lines - from - FOLDED_ROWS;

		block_sheet_fold(out, from + FOLDED_ROWS);
		shape_more(out, left, (size_t)more);
	}
	for (size_t i = 0; i < b->answer.n; i++) {
		out->at++;
		shape_put_field(&b->answer.fields[i], left + 2, out);
	}
	for (size_t i = 0; i < b->answer.nsources; i++) {
		shape_line(b->answer.sources[i], theme_ink(THEME_LINK), left + 2, out);
	}
	shape_note(b, left, out);
}
