/* field.c -- one field, and the place of one that nobody filled in. */
#include "shared/text/utf8.h"
#include "tui/block/shape.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

void shape_put_field(const struct vy_block_field *f, int left, struct block_sheet *out)
{
	struct cell_win w = block_lines(out, 1, left);
	int half = w.w / 2;
	int value = cell_width(out->grid.pool, shape_safe(out, f->value, VY_UTF8_LINE));
	int room = f->value.n && value < half ? w.w - value - 3 : half; /* what it does not need */
	int x = shape_put(w, 0, f->label, room, theme_ink(THEME_DIM), out);

	if (f->sealed || f->hidden.n) {
		cell_puts(w, x + 2, 0,
			f->sealed ? (f->present ? _("sealed") : _("sealed, empty"))
				  : _("hidden from your role"),
			theme_ink(THEME_WARN));
	} else {
		shape_put(w, x + 2, f->value, w.w - x - 3, theme_ink(THEME_TEXT), out);
	}
}

void shape_field(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	(void)how;
	shape_put_field(&b->field, left, out);
	shape_note(b, left, out);
}

/* Where the server did not draw it for this viewer there is a name and nothing else. */
void shape_field_ref(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	(void)how;
	shape_line(b->field_ref.label.n ? b->field_ref.label : b->field_ref.field,
		theme_ink(THEME_DIM), left, out);
	shape_note(b, left, out);
}
