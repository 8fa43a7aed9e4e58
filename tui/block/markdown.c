/* markdown.c -- a message's words: paragraphs, lists, quotes, code, tables (shape.h).
 *
 * The text is drawn piece by piece as shared/text/mdtail cuts it, so what is settled looks the same
 * whatever comes behind it; an empty line stands between blocks but not inside a tight list. */
#include "tui/block/shape.h"

#include <stdio.h>

#include "shared/text/mdtail.h"
#include "shared/text/utf8.h"
#include "tui/block/table.h"
#include "shared/base/ban.h"

struct writer {
	struct block_sheet *out;
	struct cell_style base;
	int left;
	bool any;                     /* something was drawn: the next block keeps a distance */
	const struct vy_md_box *last; /* the box of the block before */
};

/* ---- inline ---- */

struct cell_style shape_span_style(
	const struct vy_md_span *sp, struct cell_style base, struct cell_pool *pool)
{
	struct cell_style s = base;

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

/* The bytes [from, to) of a text in their styles; returns the cells they take. */
int shape_spans(struct cell_win w, int x, const struct vy_md_text *t, size_t from, size_t to,
	struct cell_style base)
{
	int start = x;

	for (size_t i = 0; i < t->n_spans; i++) {
		const struct vy_md_span *sp = &t->spans[i];
		size_t a = sp->start > from ? sp->start : from, b = sp->end < to ? sp->end : to;

		if (a < b) {
			x += cell_put(w, x, 0, vy_str_n(t->text.p + a, b - a),
				shape_span_style(sp, base, w.grid->pool));
		}
	}
	return x - start;
}

static void put_text(struct writer *w, const struct vy_md_text *t, int left, struct cell_style base)
{
	struct vy_wrap how = { .cells = (unsigned)(w->out->grid.cols - left),
		.width = cell_pool_width(w->out->grid.pool) };
	struct vy_wrap_row row = { 0 };

	if (t->text.n == 0) {
		return;
	}
	while (vy_wrap_next(&how, t->text, &row)) {
		shape_spans(block_lines(w->out, 1, left), 0, t, row.start, row.end, base);
	}
}

/* ---- boxes: quotes and lists ---- */

static int digits(unsigned n)
{
	return n < 10 ? 1 : n < 100 ? 2 : n < 1000 ? 3 : 4;
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

static void put_marker(struct cell_win w, int x, const struct vy_md_box *b)
{
	static const char *const bullets[] = { "•", "◦", "▪" };
	char number[16];

	if (b->task != VY_MD_NO_TASK) {
		cell_puts(w, x, 0, b->task == VY_MD_TASK_DONE ? "☑" : "☐",
			theme_ink(b->task == VY_MD_TASK_DONE ? THEME_OK : THEME_DIM));
	} else if (b->is_ordered) {
		snprintf(number, sizeof(number), "%*u%c", digits(b->last_number), b->number,
			b->mark);
		cell_puts(w, x, 0, number, theme_ink(THEME_DIM));
	} else {
		cell_puts(w, x, 0, bullets[(b->depth - 1) % 3], theme_ink(THEME_DIM));
	}
}

/* The marks left of the lines a block took: bars of quotes on each, item marks on the first. */
static void put_boxes(struct writer *w, const struct vy_md_block *b, size_t index, int from)
{
	struct cell_win all = cell_win_all(&w->out->grid);
	int x = w->left + boxes_cells(b->box);

	for (const struct vy_md_box *box = b->box; box; box = box->up) {
		x -= box_cells(box);
		for (int y = from; y < w->out->lines; y++) {
			struct cell_win line =
				cell_win_sub(all, (struct cell_rect){ 0, y, all.w, 1 });

			if (box->kind == VY_MD_QUOTE) {
				cell_puts(line, x, 0, "▎", theme_ink(THEME_LINE));
			} else if (y == from && box->first == index) {
				put_marker(line, x, box);
			}
		}
	}
}

/* ---- blocks ---- */

static void put_heading(struct writer *w, const struct vy_md_block *b, int left)
{
	struct cell_style s = theme_bold(THEME_HEADING);

	if (b->level <= 1) {
		s.attrs |= CELL_UNDERLINE;
	}
	put_text(w, &b->text, left, s);
}

static void put_rule(struct writer *w, int left)
{
	struct cell_win line = block_lines(w->out, 1, left);

	cell_hline(line, 0, 0, line.w > 60 ? 60 : line.w, "─", theme_ink(THEME_LINE));
}

static bool is_tight_pair(const struct vy_md_box *a, const struct vy_md_box *b)
{
	return a && b && b->kind == VY_MD_ITEM && b->is_tight &&
	       (a->kind == VY_MD_ITEM ? a->is_tight : false);
}

static void put_block(struct writer *w, const struct vy_md_block *b, size_t index)
{
	struct cell_style base = w->base;
	int left = w->left + boxes_cells(b->box);

	if (left > w->out->grid.cols - 8) {
		left = w->out->grid.cols - 8 > 0 ? w->out->grid.cols - 8 : 0;
	}
	if (w->any && !is_tight_pair(w->last, b->box)) {
		block_lines(w->out, 1, 0);
	}
	int from = w->out->lines;

	if (vy_md_depth(b, VY_MD_QUOTE)) {
		base.fg = CELL_ROLE(THEME_QUOTE);
	}
	switch (b->kind) {
	case VY_MD_PARA: put_text(w, &b->text, left, base); break;
	case VY_MD_HEADING: put_heading(w, b, left); break;
	case VY_MD_CODE: shape_code(b->text.text, b->lang, left, w->out); break;
	case VY_MD_TABLE: shape_table(b, base, left, w->out); break;
	case VY_MD_RULE: put_rule(w, left); break;
	}
	if (w->out->lines == from) {
		block_lines(w->out, 1, 0); /* an empty item still has its mark */
	}
	put_boxes(w, b, index, from);
	w->any = true;
	w->last = b->box;
}

static void put_piece(struct writer *w, struct vy_str piece)
{
	struct vy_md_doc doc;

	vy_md_parse(piece, 0, &w->out->arena, &doc);
	for (size_t i = 0; i < doc.n; i++) {
		put_block(w, &doc.blocks[i], i);
	}
	w->last = NULL;
}

void shape_markdown(
	struct vy_str text, bool is_done, struct cell_style base, int left, struct block_sheet *out)
{
	struct writer w = { .out = out, .base = base, .left = left };
	struct vy_mdtail tail = { 0 };
	size_t from = 0;

	while (vy_mdtail_next(&tail, text)) {
		put_piece(&w, vy_str_n(text.p + from, tail.border - from));
		from = tail.border;
	}
	if (is_done) {
		put_piece(&w, vy_str_from(text, from));
	} else {
		struct vy_buf shown = VY_BUF_INIT(4 * 1024 * 1024);

		vy_mdtail_show(vy_str_from(text, from), &shown);
		put_piece(&w, vy_arena_str(&out->arena, vy_buf_str(&shown)));
		vy_buf_fini(&shown);
	}
}
