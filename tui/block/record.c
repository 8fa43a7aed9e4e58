/* record.c -- a record or a draft: a title, its fields, a body. */
#include "tui/block/shape.h"
#include "shared/base/ban.h"

void shape_record(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	if (b->record.title.n) {
		shape_line(b->record.title, theme_bold(THEME_TITLE), left, out);
	}
	for (size_t i = 0; i < b->record.n; i++) {
		out->at++;
		shape_put_field(&b->record.fields[i], left + 2, out);
	}
	shape_words(b->record.body, THEME_TEXT, left + 2, shape_limit(how), out);
	shape_note(b, left, out);
}
