/* lines.c -- plain text as rows, and what every shape needs of it (shape.h). */
#include "tui/block/shape.h"

#include <stdio.h>

#include "shared/text/utf8.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

struct vy_str shape_safe(struct block_sheet *out, struct vy_str text, unsigned keep)
{
	struct vy_buf b = VY_BUF_INIT(4 * 1024 * 1024);

	if (vy_utf8_is_visible(text, keep)) {
		return text;
	}
	vy_utf8_visible(text, keep, &b);
	struct vy_str s = vy_arena_str(&out->arena, vy_buf_str(&b));

	vy_buf_fini(&b);
	return s;
}

void shape_more(struct block_sheet *out, int left, int lines, const char *how)
{
	char text[120];

	snprintf(text, sizeof(text), words_count("… %d more line%s", "… %d more lines%s", lines),
		lines, how);
	cell_puts(block_lines(out, 1, left), 0, 0, text, theme_ink(THEME_DIM));
}

/* One row of wrapped text, tabs as blanks. */
static void put_row(struct cell_win w, const struct vy_wrap *how, struct vy_str text,
	const struct vy_wrap_row *r, struct cell_style s)
{
	int x = (int)r->indent;
	size_t from = r->start;

	for (size_t i = r->start; i < r->end; i++) {
		if (text.p[i] == '\t') {
			size_t next;

			x += cell_put(w, x, 0, vy_str_n(text.p + from, i - from), s);
			x += (int)vy_wrap_cells(how, text, i, (unsigned)x - r->indent, &next);
			from = i + 1;
		}
	}
	cell_put(w, x, 0, vy_str_n(text.p + from, r->end - from), s);
}

void shape_lines(
	struct vy_str text, struct cell_style s, int left, int limit, struct block_sheet *out)
{
	struct vy_wrap how = { .cells = (unsigned)(out->grid.cols - left),
		.width = cell_pool_width(out->grid.pool),
		.verbatim = true };
	struct vy_wrap_row row = { 0 };
	int n = 0;

	while (vy_wrap_next(&how, text, &row)) {
		if (limit == 0 || n < limit) {
			put_row(block_lines(out, 1, left), &how, text, &row, s);
		}
		n++;
	}
	if (limit && n > limit) {
		shape_more(out, left, n - limit, _(" (enter)"));
	}
}
