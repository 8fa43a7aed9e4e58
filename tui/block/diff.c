/* diff.c -- a change to a file: numbered lines on green and red ground, the words that changed
 * stronger (shape.h). Folded it shows the first rows; enter shows all. */
#include "tui/block/diff.h"

#include <stdio.h>

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define FOLDED_ROWS 14
#define LINE_ROWS   3 /* of one line in a folded drawing */

int diff_mark(const struct diff_pen *p)
{
	return p->gutter ? p->gutter + DIFF_MARK : 0;
}

int diff_code(const struct diff_pen *p)
{
	return diff_mark(p) + DIFF_MARK;
}

/* ---- one line ---- */

static enum theme_role ground_of(char kind)
{
	return kind == '+' ? THEME_DIFF_ADD : THEME_DIFF_DEL;
}

static enum theme_role word_of(char kind)
{
	return kind == '+' ? THEME_DIFF_ADD_WORD : THEME_DIFF_DEL_WORD;
}

/* What differs from the line in whose place it stands. Offsets are of safe text on both sides. */
static void find_words(
	struct diff_pen *p, const struct vy_diff_hunk *h, size_t i, struct code_line *c)
{
	size_t other = vy_diff_partner(h, i);
	bool is_new = h->lines[i].kind == '+';
	struct vy_diff_words words;

	if (other >= h->n) {
		return;
	}
	struct vy_str theirs = shape_safe(p->out, h->lines[other].text, VY_UTF8_KEEP_TAB);

	if (vy_diff_words(
		    is_new ? theirs : c->text, is_new ? c->text : theirs, &p->out->arena, &words)) {
		c->strong = is_new ? words.new_ranges : words.old_ranges;
		c->n_strong = is_new ? words.n_new : words.n_old;
	}
}

static size_t rows_shown(const struct diff_pen *p, size_t n)
{
	return p->limit && n > LINE_ROWS ? LINE_ROWS : n;
}

void diff_ready(struct diff_pen *p, const struct vy_diff_hunk *h, size_t i, size_t number,
	int cells, struct diff_line *l)
{
	const struct vy_diff_line *from = &h->lines[i];
	struct vy_str text = shape_safe(p->out, from->text, VY_UTF8_KEEP_TAB);
	int room = cells - diff_code(p);

	*l = (struct diff_line){ .kind = from->kind,
		.number = number,
		.how = { .cells = slide_cells(p->out, room),
			.width = cell_pool_width(p->out->grid.pool),
			.tab = CODE_TAB,
			.verbatim = true } };
	if (from->kind == '-') {
		l->code.text = text;
	} else {
		code_colours(&l->code, p->lang, &p->state, text);
	}
	if (from->kind != ' ') {
		l->code.n = 0; /* the ground says enough */
		find_words(p, h, i, &l->code);
	}
	l->n_rows = rows_shown(p, vy_wrap_all(&l->how, text, &p->out->arena, &l->rows));
}

void diff_put(const struct diff_pen *p, const struct diff_line *l, size_t k, struct cell_win w)
{
	struct cell_style base = theme_ink(THEME_CODE_TEXT), strong = base;
	const char *mark = l->kind == '-' ? "-" : l->kind == '+' ? "+" : " ";
	char number[32];

	if (k >= l->n_rows) {
		return;
	}
	if (l->kind != ' ') {
		base = theme_on(ground_of(l->kind), ground_of(l->kind));
		strong = theme_on(word_of(l->kind), word_of(l->kind));
	}
	if (k == 0 && p->gutter) {
		snprintf(number, sizeof(number), "%*zu", p->gutter, l->number);
		cell_puts(w, 0, 0, number, theme_ink(THEME_DIFF_GUTTER));
	}
	if (k == 0) {
		cell_puts(w, diff_mark(p), 0, mark, base);
	}
	code_put(slide_line(p->out, w, diff_code(p), (int)l->rows[k].cells), 0, &l->code, &l->how,
		l->rows[k].start, l->rows[k].end, base, strong);
	if (k + 1 == l->n_rows && !l->rows[k].is_last) {
		cell_puts_right(w, w.w, 0, "…", base);
	}
}

bool diff_is_full(const struct diff_pen *p)
{
	return p->limit && p->out->lines - p->from >= p->limit;
}

/* ---- unified ---- */

static void put_line(struct diff_pen *p, const struct vy_diff_hunk *h, size_t i, size_t number)
{
	struct diff_line l;
	int cells = p->out->grid.cols - p->left, code = p->left + diff_code(p);

	diff_ready(p, h, i, number, cells, &l);
	for (size_t k = 0; l.rows && k < l.n_rows; k++) {
		struct cell_win w = block_lines(p->out, 1, 0);

		if (l.kind != ' ') {
			cell_fill(w, (struct cell_rect){ 0, 0, w.w, 1 },
				theme_on(ground_of(l.kind), ground_of(l.kind)));
		}
		diff_put(p, &l, k,
			cell_win_sub(w, (struct cell_rect){ p->left, 0, w.w - p->left, 1 }));
		block_says(p->out, code, code + (int)l.rows[k].cells,
			k ? shape_join(&l.rows[k - 1]) : BLOCK_NEW);
	}
}

static void hunk_unified(struct diff_pen *p, const struct vy_diff_hunk *h)
{
	size_t old_no = h->old_start, new_no = h->new_start;

	for (size_t i = 0; i < h->n; i++) {
		bool is_old = h->lines[i].kind == '-';

		if (diff_is_full(p)) {
			p->skipped++;
		} else {
			put_line(p, h, i, is_old ? old_no : new_no);
		}
		p->out->at += h->lines[i].text.n + 1;
		old_no += h->lines[i].kind != '+';
		new_no += !is_old;
	}
}

/* ---- all of it ---- */

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

/* Two columns help where both have something: a new file is one text. */
static bool has_both(const struct vy_diff_hunk *h)
{
	bool is_old = false, is_new = false;

	for (size_t i = 0; i < h->n; i++) {
		is_old |= h->lines[i].kind == '-';
		is_new |= h->lines[i].kind == '+';
	}
	return is_old && is_new;
}

/* Cells of the largest number; a place that is not known has none, and then no line of it has. */
static int gutter_of(const struct vy_block *b)
{
	int64_t last = 1;
	char number[24];

	for (size_t i = 0; i < b->diff.n; i++) {
		const struct vy_block_hunk *h = &b->diff.hunks[i];
		int64_t start = h->new_start > h->old_start ? h->new_start : h->old_start;
		int64_t end = start + (int64_t)h->n;

		if (start <= 0) {
			return 0;
		}
		last = end > last ? end : last;
	}
	return snprintf(number, sizeof(number), "%lld", (long long)last);
}

/* Where the code of a column stands, as hunk_unified() and diff_hunk_sides() put it. */
static struct slide_zone zone_of(const struct diff_pen *p, bool sides, int column)
{
	int room = p->out->grid.cols - p->left, half = diff_half(p), x = diff_code(p);

	if (!sides) {
		return column ? (struct slide_zone){ 0, 0 }
			      : (struct slide_zone){ p->left + x, room - x };
	}
	return (struct slide_zone){ p->left + x + column * (half + 1), half - x };
}

void shape_diff(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	struct diff_pen p = { .out = out,
		.lang = vy_hilite_lang_of_path(b->diff.path),
		.left = left,
		.gutter = gutter_of(b),
		.limit = how->is_open ? 0 : FOLDED_ROWS,
		.from = out->lines };
	bool was_sides = false;

	for (size_t i = 0; i < b->diff.n; i++) {
		struct vy_diff_hunk h = hunk_of(&b->diff.hunks[i], &out->arena);

		if (i && !diff_is_full(&p)) {
			cell_puts(block_lines(out, 1, left + (p.gutter ? p.gutter - 1 : 0)), 0, 0,
				mark_of(out, MARK_GAP), theme_ink(THEME_DIFF_HUNK));
			block_says_nothing(out);
		}
		bool sides = how->is_side_by_side && has_both(&h);

		if (i == 0 || sides != was_sides) { /* those of one shape slide together */
			slide_end(out);
			slide_begin(out, zone_of(&p, sides, 0), zone_of(&p, sides, 1), false);
		}
		was_sides = sides;
		p.state = (struct vy_hilite_state){ 0 };
		(sides ? diff_hunk_sides : hunk_unified)(&p, &h);
	}
	slide_end(out);
	if (p.skipped) {
		shape_more(out, left + diff_code(&p), p.skipped);
	}
	if (b->note.n) {
		shape_put(block_lines(out, 1, left), 0, b->note, out->grid.cols - left - 1,
			theme_ink(THEME_DIM), out);
	}
}
