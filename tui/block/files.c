/* files.c -- files that were found, or one that was read: its words in their colours. */
#include <stdio.h>

#include "shared/text/utf8.h"
#include "tui/block/code.h"
#include "tui/block/shape.h"
#include "shared/base/ban.h"

/* path:line and the words found there. */
static void put_file(const struct vy_block_file *f, int left, struct block_sheet *out)
{
	struct cell_win w = block_lines(out, 1, left);
	char line[32] = "";
	int room = w.w - 1, x = 0;

	if (f->line > 0) {
		snprintf(line, sizeof(line), ":%lld", (long long)f->line);
	}
	x = shape_put_path(w, x, f->path, f->text.n ? room / 2 : room - (int)strlen(line),
		theme_ink(THEME_DIM), out);
	x += cell_puts(w, x, 0, line, theme_ink(THEME_DIFF_GUTTER));
	shape_put(w, x + 2, f->text, room - x - 2, theme_ink(THEME_CODE_TEXT), out);
}

/* One file that was read: its words in their colours. */
static void put_content(const struct vy_block_file *f, int left, struct block_sheet *out)
{
	struct vy_hilite_state st = { 0 };

	code_block(shape_safe(out, f->text, VY_UTF8_PROSE), vy_hilite_lang_of_path(f->path), &st,
		false, left, out);
}

void shape_files(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	size_t most = how->is_open ? b->files.n : SHAPE_FOLDED;

	for (size_t i = 0; i < b->files.n && i < most; i++) {
		const struct vy_block_file *f = &b->files.files[i];

		out->at++;
		if (how->is_open && f->text.n && memchr(f->text.p, '\n', f->text.n)) {
			put_content(f, left, out);
		} else {
			put_file(f, left, out);
		}
	}
	if (b->files.n > most) {
		shape_more(out, left, b->files.n - most);
	}
	if (how->is_open) {
		shape_words(b->files.detail, THEME_DIM, left, 0, out);
	}
	shape_note(b, left, out);
}
