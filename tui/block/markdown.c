/* markdown.c -- a message's words: paragraphs, lists, quotes, code, tables (shape.h).
 *
 * The text is drawn piece by piece as shared/text/mdtail cuts it, so what is settled looks the same
 * whatever comes behind it, and stays on the sheet while the rest grows. An empty line stands
 * between blocks but not inside a tight list. */
#include "tui/block/shape.h"

#include <stdio.h>

#include "shared/base/limits.h"
#include "shared/text/mdhold.h"
#include "shared/text/wrap.h"
#include "tui/block/code.h"
#include "tui/block/table.h"
#include "shared/base/ban.h"

#define MIN_TEXT 8  /* cells a deeply nested text still has */
#define RULE     60 /* cells of a rule */

struct writer {
	struct block_sheet *out;
	struct cell_style base;
	int left;
	size_t at;                    /* of the piece, in the text */
	struct vy_str open;           /* the piece begins inside of this fence */
	struct vy_hilite_state code;  /* where the code of a fence has got to */
	const struct vy_md_box *last; /* the box of the block before, in this piece */
	bool has_gap;                 /* an empty line stands between the two */
	bool is_rest;                 /* the piece goes on a paragraph whose rows stand */
	/* Of the newest text that was wrapped into rows, the last one: */
	struct vy_str last_row; /* its words; empty: there is one row */
	size_t last_start;      /* where they begin in the text */
	int last_line;          /* where it stands on the sheet */
};

/* ---- inline ---- */

static struct cell_style span_style(
	const struct vy_md_span *sp, struct cell_style s, struct cell_pool *pool)
{
	if (sp->style & VY_MD_CODE_SPAN) {
		s.fg = CELL_ROLE(THEME_CODE);
	}
	if (sp->style & (VY_MD_LINK | VY_MD_IMAGE)) {
		char id[24];

		snprintf(id, sizeof(id), "%u", sp->link_id);
		s.fg = CELL_ROLE(THEME_LINK);
		s.link = cell_link(pool, sp->link, id);
	}
	s.attrs |= (sp->style & VY_MD_STRONG ? CELL_BOLD : 0) |
		   (sp->style & VY_MD_EM ? CELL_ITALIC : 0) |
		   (sp->style & VY_MD_STRIKE ? CELL_STRIKE : 0);
	return s;
}

int shape_spans(struct cell_win w, int x, const struct vy_md_text *t, size_t from, size_t to,
	struct cell_style base)
{
	int start = x;

	for (size_t i = 0; i < t->n_spans; i++) {
		const struct vy_md_span *sp = &t->spans[i];
		size_t a = sp->start > from ? sp->start : from, b = sp->end < to ? sp->end : to;

		if (a < b) {
			x += cell_put(w, x, 0, vy_str_n(t->text.p + a, b - a),
				span_style(sp, base, w.grid->pool));
		}
	}
	return x - start;
}

static void put_text(struct writer *w, const struct vy_md_text *t, int left, struct cell_style base)
{
	struct vy_wrap how = { .cells = (unsigned)shape_measure(w->out, left),
		.width = cell_pool_width(w->out->grid.pool) };
	struct vy_wrap_row row = { 0 };
	size_t at = w->out->at;

	if (t->text.n == 0) {
		return;
	}
	w->last_row = (struct vy_str){ 0 };
	for (enum block_join join = w->is_rest ? BLOCK_BLANK : BLOCK_NEW;
		vy_wrap_next(&how, t->text, &row); join = shape_join(&row)) {
		if (join == BLOCK_BLANK && row.start > 0) {
			w->last_row = vy_str_from(t->text, row.start);
			w->last_start = row.start;
			w->last_line = w->out->lines;
		}
		w->out->at = at + row.start;
		shape_spans(block_lines(w->out, 1, left), 0, t, row.start, row.end, base);
		block_says(w->out, left, left + (int)row.cells, join);
	}
}

/* ---- boxes: quotes and lists ---- */

static int digits(unsigned n)
{
	return n < 10 ? 1 : n < 100 ? 2 : n < 1000 ? 3 : n < 10000 ? 4 : 9;
}

static int box_cells(const struct vy_md_box *b)
{
	if (b->kind == VY_MD_QUOTE) {
		return 2;
	}
	return b->is_ordered ? digits(b->last_number) + 2 : 2;
}

static int boxes_cells(const struct vy_md_box *b)
{
	int n = 0;

	for (; b; b = b->up) {
		n += box_cells(b);
	}
	return n;
}

static void put_marker(
	const struct block_sheet *out, struct cell_win w, int x, const struct vy_md_box *b)
{
	static const enum block_mark bullets[] = { MARK_BULLET, MARK_BULLET2, MARK_BULLET3 };
	bool is_done = b->task == VY_MD_TASK_DONE;
	char number[16];

	if (b->task != VY_MD_NO_TASK) {
		cell_puts(w, x, 0, mark_of(out, is_done ? MARK_TICKED : MARK_OPEN),
			theme_ink(is_done ? THEME_OK : THEME_DIM));
	} else if (b->is_ordered) {
		snprintf(number, sizeof(number), "%*u%c", digits(b->last_number), b->number,
			b->mark);
		cell_puts(w, x, 0, number, theme_ink(THEME_DIM));
	} else {
		cell_puts(w, x, 0, mark_of(out, bullets[(b->depth - 1) % VY_COUNT(bullets)]),
			theme_ink(THEME_DIM));
	}
}

static bool is_in(const struct vy_md_box *b, const struct vy_md_box *around)
{
	while (b && b != around) {
		b = b->up;
	}
	return b != NULL;
}

/* The marks left of the lines a block took, from the text outwards as far as there is room: bars
 * of quotes on each (on the empty line above too, when the quote goes on over it), item marks on
 * the first. */
static void put_boxes(struct writer *w, const struct vy_md_block *b, size_t index, int from, int x)
{
	for (const struct vy_md_box *box = b->box; box; box = box->up) {
		x -= box_cells(box);
		if (x < w->left) {
			return;
		}
		if (box->kind == VY_MD_ITEM && box->first == index) {
			put_marker(w->out, block_line(w->out, from), x, box);
			w->out->words[from].from = (uint16_t)w->left; /* an item has its mark */
		}
		int y = from - (w->has_gap && is_in(w->last, box));

		for (; box->kind == VY_MD_QUOTE && y < w->out->lines; y++) {
			cell_puts(block_line(w->out, y), x, 0, mark_of(w->out, MARK_QUOTE),
				theme_ink(THEME_LINE));
		}
	}
}

/* ---- blocks ---- */

static void put_heading(struct writer *w, const struct vy_md_block *b, int left)
{
	struct cell_style s = theme_bold(THEME_HEADING);

	if (b->level > 2) {
		s.attrs |= CELL_ITALIC;
	}
	put_text(w, &b->text, left, s);
}

static void put_rule(struct writer *w, int left)
{
	struct cell_win line = block_lines(w->out, 1, left);

	cell_hline(line, 0, 0, line.w > RULE ? RULE : line.w, mark_of(w->out, MARK_RULE),
		theme_ink(THEME_LINE));
	block_says_nothing(w->out);
}

static const struct vy_md_box *outermost(const struct vy_md_box *b)
{
	while (b->up) {
		b = b->up;
	}
	return b;
}

/* Two blocks of one tight list. */
static bool is_tight_pair(const struct vy_md_box *a, const struct vy_md_box *b)
{
	if (!a || !b || a->kind != VY_MD_ITEM || b->kind != VY_MD_ITEM) {
		return false;
	}
	return a->is_tight && b->is_tight && outermost(a)->mark == outermost(b)->mark;
}

static int left_of(const struct writer *w, const struct vy_md_block *b)
{
	int left = w->left + boxes_cells(b->box), most = w->out->grid.cols - MIN_TEXT;

	return left <= most ? left : most > 0 ? most : 0;
}

/* The code of a fence, or what comes of it behind a border inside of it. */
static void put_code(struct writer *w, const struct vy_md_block *b, bool goes_on, int left)
{
	if (!goes_on) {
		w->code = (struct vy_hilite_state){ 0 };
	}
	code_block(b->text.text, b->lang.n ? vy_hilite_lang(b->lang) : NULL, &w->code, goes_on,
		left, w->out);
}

static void put_block(struct writer *w, const struct vy_md_block *b, size_t index)
{
	struct cell_style base = w->base;
	int left = left_of(w, b);
	bool goes_on = index == 0 && w->open.n > 0;

	if (goes_on && b->text.text.n == 0) {
		return; /* the fence ended at the border */
	}
	w->out->at = w->at + (b->src > w->open.n ? b->src - w->open.n : 0);
	w->has_gap =
		w->out->settled.any && !goes_on && !w->is_rest && !is_tight_pair(w->last, b->box);
	if (w->has_gap) {
		block_lines(w->out, 1, w->left);
	}
	int from = w->out->lines;

	if (vy_md_depth(b, VY_MD_QUOTE)) {
		base.fg = CELL_ROLE(THEME_QUOTE);
	}
	switch (b->kind) {
	case VY_MD_PARA: put_text(w, &b->text, left, base); break;
	case VY_MD_HEADING: put_heading(w, b, left); break;
	case VY_MD_CODE: put_code(w, b, goes_on, left); break;
	case VY_MD_TABLE: shape_table(b, base, left, w->out); break;
	case VY_MD_RULE: put_rule(w, left); break;
	}
	if (w->out->lines == from) {
		block_lines(w->out, 1, 0); /* an empty item still has its mark */
	}
	put_boxes(w, b, index, from, left);
	w->out->settled.any = true;
	w->last = b->box;
}

/* Markdown that is whole: with the opening line of the fence it begins in before it. */
static void put_piece(struct writer *w, struct vy_str piece)
{
	struct vy_md_doc doc;

	vy_md_parse(piece, 0, &w->out->arena, &doc);
	for (size_t i = 0; i < doc.n; i++) {
		put_block(w, &doc.blocks[i], i);
	}
	w->last = NULL;
}

/* ---- a text that grows ---- */

static struct vy_str joined(struct writer *w, struct vy_str piece)
{
	if (w->open.n == 0 || piece.n == 0) {
		return w->open.n ? w->open : piece;
	}
	char *p = vy_arena_alloc(&w->out->arena, w->open.n + piece.n + 1);

	vy_assert(w->open.p && piece.p);
	memcpy(p, w->open.p, w->open.n);
	memcpy(p + w->open.n, piece.p, piece.n);
	return vy_str_n(p, w->open.n + piece.n);
}

/* What lies before the border, as far as it is not on the sheet yet. */
static void settle(struct writer *w, struct vy_str text)
{
	struct block_settled *s = &w->out->settled;

	w->code = s->code;
	for (;;) {
		size_t from = s->tail.border;

		w->at = s->at + from;
		w->open = vy_mdtail_open(&s->tail, text);
		if (!vy_mdtail_next(&s->tail, text)) {
			return;
		}
		put_piece(w, joined(w, vy_str_n(text.p + from, s->tail.border - from)));
		s->lines = w->out->lines;
		s->code = w->code;
	}
}

/* Can the rows of the tail stay while it grows? They can until a line of it ends: what comes then
 * may make a heading or a table of it. */
static bool may_keep_rows(struct vy_str tail, bool is_done)
{
	return !is_done && vy_mdtail_is_line(tail) && tail.p && !memchr(tail.p, '|', tail.n);
}

/* The rows of `piece`, which was drawn just now, but the last one: when that is nothing but its own
 * bytes, and all before it is closed, it can be read by itself from now on. */
static void keep_rows(struct writer *w, struct vy_str piece)
{
	struct block_settled *s = &w->out->settled;
	size_t n = piece.n;

	while (n > 0 && piece.p[n - 1] == ' ') {
		n--;
	}
	size_t row = w->last_row.n, at = n - (row < n ? row : n);

	if (row > 0 && at > 0 && piece.p[at - 1] == ' ' &&
		memcmp(piece.p + at, w->last_row.p, row) == 0 &&
		vy_mdtail_is_line(vy_str_from(piece, at)) &&
		vy_mdhold_is_closed(vy_str_n(piece.p, at))) {
		s->rows_at += at;
		s->rows_n += w->last_start;
		s->rows = w->last_line;
	}
}

void shape_markdown(
	struct vy_str text, bool is_done, struct cell_style base, int left, struct block_sheet *out)
{
	struct writer w = { .out = out, .base = base, .left = left };
	struct block_settled *s = &out->settled;
	VY_AUTO_BUF shown = VY_BUF_INIT(64 * VY_MIB);

	if (s->tail.border == 0) {
		s->at = out->at;
	}
	bool keeps = s->tail.border > 0 && s->tail.open_n == 0 &&
		     may_keep_rows(vy_str_from(text, s->tail.border), is_done);

	if (!keeps && s->rows_at > 0) {
		block_sheet_fold(out, s->lines);
		s->rows_at = s->rows_n = 0;
	}
	settle(&w, text);

	bool any = s->any;
	struct vy_str tail = vy_str_from(text, s->tail.border + s->rows_at);
	struct vy_str rest = joined(&w, tail);

	w.at += s->rows_n;
	w.is_rest = s->rows_at > 0;
	if (!is_done) {
		vy_mdtail_show(rest, &shown);
		rest = vy_buf_str(&shown);
	}
	put_piece(&w, rest);
	if (keeps) {
		keep_rows(&w, tail);
	}
	s->any = any; /* the tail is not settled */
	out->at = s->at + text.n + 1;
}
