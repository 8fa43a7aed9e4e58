/* diff.c -- a change to a file: numbered lines on green and red ground, the words that changed
 * stronger (shape.h). Folded it shows the first hunks; enter shows all. */
#include <stdio.h>

#include "shared/text/diff.h"
#include "shared/text/utf8.h"
#include "tui/block/code.h"
#include "tui/block/shape.h"
#include "shared/base/ban.h"

#define FOLDED_LINES 14

struct pen {
	struct block_sheet *out;
	const struct vy_hilite_lang *lang;
	struct vy_hilite_state old_state, new_state;
	int left, gutter;
	int limit, drawn, skipped;
};

static struct vy_diff_hunk hunk_of(const struct vy_block_hunk *h, struct vy_arena *a)
{
	struct vy_diff_line *lines = vy_arena_calloc(a, h->n, sizeof(*lines));

	for (size_t i = 0; i < h->n; i++) {
		struct vy_str s = h->lines[i];

		lines[i].kind = s.n && (s.p[0] == '+' || s.p[0] == '-') ? s.p[0] : ' ';
		lines[i].text = s.n ? vy_str_from(s, 1) : s;
	}
	return (struct vy_diff_hunk){ .old_start = (size_t)h->old_start,
		.new_start = (size_t)h->new_start,
		.lines = lines,
		.n = h->n };
}

static enum theme_role ground_of(char kind)
{
	return kind == '+' ? THEME_DIFF_ADD : THEME_DIFF_DEL;
}

/* The ranges of line i that differ from its partner, as a tint over what is drawn. */
static void tint_words(struct pen *p, const struct vy_diff_hunk *h, size_t i, struct vy_str text,
	struct cell_win w, int x, size_t from, size_t to)
{
	size_t other = vy_diff_partner(h, i);
	bool is_new = h->lines[i].kind == '+';
	struct vy_diff_words words;

	if (other >= h->n ||
		!vy_diff_words(is_new ? h->lines[other].text : text,
			is_new ? text : h->lines[other].text, &p->out->arena, &words)) {
		return;
	}
	const struct vy_diff_range *r = is_new ? words.new_ranges : words.old_ranges;
	size_t n = is_new ? words.n_new : words.n_old;
	enum theme_role role = is_new ? THEME_DIFF_ADD_WORD : THEME_DIFF_DEL_WORD;

	for (size_t k = 0; k < n; k++) {
		size_t a = r[k].start > from ? r[k].start : from, b = r[k].end < to ? r[k].end : to;

		if (a < b) {
			struct vy_width width = cell_pool_width(w.grid->pool);
			int x0 = x + (int)vy_width_cells(vy_str_n(text.p + from, a - from), width);
			int cells = (int)vy_width_cells(vy_str_n(text.p + a, b - a), width);

			cell_tint(w, (struct cell_rect){ x0, 0, cells, 1 }, theme_on(role, role));
		}
	}
}

static void put_line(struct pen *p, const struct vy_diff_hunk *h, size_t i, size_t number)
{
	const struct vy_diff_line *l = &h->lines[i];
	struct vy_str text = shape_safe(p->out, l->text, VY_UTF8_KEEP_TAB);
	struct vy_wrap how = { .cells = (unsigned)(p->out->grid.cols - p->left - p->gutter - 4),
		.width = cell_pool_width(p->out->grid.pool),
		.verbatim = true };
	struct vy_wrap_row row = { 0 };
	struct code_line code;
	char head[32];

	code_colours(&code, l->kind == ' ' ? p->lang : NULL,
		l->kind == '-' ? &p->old_state : &p->new_state, text);
	while (vy_wrap_next(&how, text, &row)) {
		struct cell_win w = block_lines(p->out, 1, 0);
		struct cell_style base = theme_ink(THEME_CODE_TEXT),
				  mark = theme_ink(THEME_DIFF_GUTTER);
		int x = p->left + p->gutter;

		if (l->kind != ' ') {
			base = mark = theme_on(ground_of(l->kind), ground_of(l->kind));
			cell_fill(w, (struct cell_rect){ 0, 0, w.w, 1 }, base);
		}
		snprintf(head, sizeof(head), "%*zu", p->gutter, number);
		if (row.start == 0) {
			cell_puts(w, p->left, 0, head, theme_ink(THEME_DIFF_GUTTER));
			cell_puts(w, x + 2, 0,
				l->kind == '-'   ? "-"
				: l->kind == '+' ? "+"
						 : " ",
				mark);
		}
		code_put(w, x + 4, &code, &how, row.start, row.end, base);
		if (l->kind != ' ') {
			tint_words(p, h, i, text, w, x + 4, row.start, row.end);
		}
	}
}

static void put_hunk(struct pen *p, const struct vy_diff_hunk *h)
{
	size_t old_no = h->old_start, new_no = h->new_start;

	for (size_t i = 0; i < h->n; i++) {
		bool is_old = h->lines[i].kind == '-';

		if (p->limit && p->drawn >= p->limit) {
			p->skipped++;
		} else {
			put_line(p, h, i, is_old ? old_no : new_no);
			p->drawn++;
		}
		old_no += h->lines[i].kind != '+';
		new_no += !is_old;
	}
}

void shape_diff(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	struct pen p = { .out = out,
		.lang = vy_hilite_lang_of_path(b->diff.path),
		.left = left,
		.limit = how->is_open ? 0 : FOLDED_LINES };
	int64_t last = 1;
	char number[24];

	for (size_t i = 0; i < b->diff.n; i++) {
		int64_t end = b->diff.hunks[i].new_start + (int64_t)b->diff.hunks[i].n;

		last = end > last ? end : last;
	}
	p.gutter = snprintf(number, sizeof(number), "%lld", (long long)last);
	for (size_t i = 0; i < b->diff.n; i++) {
		struct vy_diff_hunk h = hunk_of(&b->diff.hunks[i], &out->arena);

		if (i && !(p.limit && p.drawn >= p.limit)) {
			cell_puts(block_lines(out, 1, left + p.gutter), 0, 0, " ⋯",
				theme_ink(THEME_DIFF_HUNK));
		}
		put_hunk(&p, &h);
	}
	if (p.skipped) {
		shape_more(out, left + p.gutter + 4, p.skipped, "");
	}
}
