/* code.c -- lines of code in their colours, wrapped at the edge (shape.h). */
#include "tui/block/code.h"

#include "tui/block/shape.h"
#include "tui/block/slide.h"
#include "shared/base/ban.h"

static enum theme_role role_of(enum vy_hilite_role r)
{
	static const enum theme_role roles[VY_HL_COUNT] = {
		[VY_HL_TEXT] = THEME_CODE_TEXT,
		[VY_HL_COMMENT] = THEME_CODE_COMMENT,
		[VY_HL_STRING] = THEME_CODE_STRING,
		[VY_HL_ESCAPE] = THEME_CODE_NUMBER,
		[VY_HL_NUMBER] = THEME_CODE_NUMBER,
		[VY_HL_KEYWORD] = THEME_CODE_KEYWORD,
		[VY_HL_TYPE] = THEME_CODE_TYPE,
		[VY_HL_FUNCTION] = THEME_CODE_FUNC,
		[VY_HL_CONSTANT] = THEME_CODE_NUMBER,
		[VY_HL_VARIABLE] = THEME_CODE_TYPE,
		[VY_HL_PREPROC] = THEME_CODE_KEYWORD,
		[VY_HL_TAG] = THEME_CODE_KEYWORD,
		[VY_HL_KEY] = THEME_CODE_FUNC,
		[VY_HL_PUNCT] = THEME_CODE_TEXT,
		[VY_HL_HEADING] = THEME_HEADING,
		[VY_HL_ADDED] = THEME_DIFF_ADD,
		[VY_HL_REMOVED] = THEME_DIFF_DEL,
		[VY_HL_META] = THEME_DIFF_HUNK,
	};

	return roles[r];
}

void code_colours(struct code_line *l, const struct vy_hilite_lang *lang,
	struct vy_hilite_state *st, struct vy_str line)
{
	l->text = line;
	l->n = lang ? vy_hilite_line(lang, line, st, l->spans, CODE_SPANS) : 0;
}

/* The style of the byte at `at`; *until is where it ends. */
static struct cell_style style_at(
	const struct code_line *l, size_t at, size_t *until, struct cell_style base)
{
	*until = l->text.n;
	for (size_t i = 0; i < l->n; i++) {
		if (l->spans[i].end <= at) {
			continue;
		}
		if (l->spans[i].start > at) {
			*until = l->spans[i].start;
			return base;
		}
		*until = l->spans[i].end;
		base.fg = CELL_ROLE(role_of(l->spans[i].role));
		return base;
	}
	return base;
}

/* Does the byte at `at` stand out? *until is cut to where that ends. */
static bool is_strong(const struct code_line *l, size_t at, size_t *until)
{
	for (size_t i = 0; i < l->n_strong; i++) {
		const struct vy_diff_range *r = &l->strong[i];
		size_t end = at < r->start ? r->start : r->end;

		if (at < r->end) {
			*until = end < *until ? end : *until;
			return at >= r->start;
		}
	}
	return false;
}

int code_put(struct cell_win w, int x, const struct code_line *l, const struct vy_wrap *how,
	size_t from, size_t to, struct cell_style base, struct cell_style strong)
{
	int start = x;

	while (from < to) {
		size_t until, next;
		struct cell_style s = style_at(l, from, &until, base);

		if (is_strong(l, from, &until)) {
			s = strong;
		}
		until = until < to ? until : to;

		const char *tab = memchr(l->text.p + from, '\t', until - from);

		if (tab == l->text.p + from) {
			int cells = (int)vy_wrap_cells(
				how, l->text, from, (unsigned)(x - start), &next);

			cell_put_tab(w, x, 0, cells, s);
			x += cells;
			from = next;
			continue;
		}
		if (tab) {
			until = (size_t)(tab - l->text.p);
		}
		x += cell_put(w, x, 0, vy_str_n(l->text.p + from, until - from), s);
		from = until;
	}
	return x - start;
}

/* ---- a block of code ---- */

#define BAR 2 /* cells of the bar, and from it to the code */

static void put_line(const struct code_line *line, int left, struct block_sheet *out, size_t at)
{
	struct vy_wrap how = { .cells = slide_cells(out, out->grid.cols - left - BAR),
		.width = cell_pool_width(out->grid.pool),
		.tab = CODE_TAB,
		.verbatim = true };
	struct cell_style base = theme_ink(THEME_CODE_TEXT);
	struct vy_wrap_row row = { 0 };

	for (enum block_join join = BLOCK_NEW; vy_wrap_next(&how, line->text, &row);
		join = shape_join(&row)) {
		out->at = at + row.start;

		struct cell_win w = block_lines(out, 1, left);

		cell_puts(w, 0, 0, mark_of(out, MARK_CODE), theme_ink(THEME_LINE));
		code_put(slide_line(out, w, BAR, (int)row.cells), 0, line, &how, row.start, row.end,
			base, base);
		block_says(out, left + BAR, left + BAR + (int)row.cells, join);
	}
}

void code_block(struct vy_str code, const struct vy_hilite_lang *lang, struct vy_hilite_state *st,
	bool goes_on, int left, struct block_sheet *out)
{
	struct slide_zone zone = { left + BAR, out->grid.cols - left - BAR };
	size_t base = out->at, at = 0;

	slide_begin(out, zone, (struct slide_zone){ 0, 0 }, goes_on);

	while (code.n && code.p[code.n - 1] == '\n') {
		code.n--;
	}
	do {
		const char *nl = at < code.n ? memchr(code.p + at, '\n', code.n - at) : NULL;
		size_t end = nl ? (size_t)(nl - code.p) : code.n;
		struct code_line line = { .n = 0 };

		code_colours(&line, lang, st, vy_str_n(code.p + at, end - at));
		put_line(&line, left, out, base + at);
		at = end + (nl != NULL);
	} while (at < code.n);
	slide_end(out);
}
