/* print.c -- see print.h. */
#include "tui/app/print.h"

#include "tui/block/draw.h"
#include "tui/view/sheets.h"
#include "shared/base/ban.h"

#define MARK 2 /* where marks stand … */
#define TEXT 4 /* … and the words they belong to: block/shape.h */

/* ---- colours ---- */

static void add_color(struct vy_buf *out, uint32_t c, unsigned base)
{
	uint32_t v = c & 0xffffff;

	if (CELL_KIND(c) == CELL_KIND(CELL_RGB(0))) {
		vy_buf_addf(out, ";%u;2;%u;%u;%u", base + 8, v >> 16, v >> 8 & 255, v & 255);
	} else if (CELL_KIND(c) == CELL_KIND(CELL_INDEX(0)) && v >= 16) {
		vy_buf_addf(out, ";%u;5;%u", base + 8, v);
	} else if (CELL_KIND(c) == CELL_KIND(CELL_INDEX(0))) {
		vy_buf_addf(out, ";%u", v >= 8 ? base + 60 + v - 8 : base + v);
	}
}

static void set_pen(const struct print_how *how, struct vy_buf *out, struct theme_pen *has,
	struct theme_pen want)
{
	static const struct {
		uint8_t bit, on;
	} attrs[] = { { CELL_BOLD, 1 }, { CELL_DIM, 2 }, { CELL_ITALIC, 3 }, { CELL_UNDERLINE, 4 },
		{ CELL_REVERSE, 7 }, { CELL_STRIKE, 9 } };

	if (how->is_plain) {
		return;
	}
	if (want.fg == has->fg && want.bg == has->bg && want.attrs == has->attrs) {
		return;
	}
	*has = want;
	vy_buf_adds(out, "\033[0");
	for (size_t i = 0; i < VY_COUNT(attrs); i++) {
		if (want.attrs & attrs[i].bit) {
			vy_buf_addf(out, ";%u", attrs[i].on);
		}
	}
	add_color(out, want.fg, 30);
	add_color(out, want.bg, 40);
	vy_buf_addc(out, 'm');
}

/* ---- lines ---- */

struct printer {
	const struct block_sheet *s;
	const struct print_how *how;
	struct vy_buf *out;
	struct theme_pen pen;
	bool is_talk; /* words alone: code without its bar */
};

static int glyphs_end(const struct block_sheet *s, int y)
{
	int end = s->grid.cols;

	while (end > 0) {
		const struct cell *c = cell_at(&s->grid, end - 1, y);

		if (c->width == 0 || c->text[0] != '\0') {
			break;
		}
		end--;
	}
	return end;
}

static void put_cells(struct printer *p, int y, int from, int end)
{
	for (int x = from; x < end; x++) {
		const struct cell *c = cell_at(&p->s->grid, x, y);

		if (c->width == 0) {
			continue;
		}
		set_pen(p->how, p->out, &p->pen,
			theme_pen_of(p->how->theme, c->fg, c->bg, c->attrs & CELL_LOOKS));
		vy_buf_addstr(p->out, cell_text(&p->s->grid, c));
	}
}

static void put_line(struct printer *p, int y, int last)
{
	const struct block_words *words = &p->s->words[y];
	bool is_new = words->join == BLOCK_NEW || words->none || y == 0;
	int from = words->from, glyphs = glyphs_end(p->s, y);
	int end = words->end ? words->end : glyphs;

	if (y > 0) {
		set_pen(p->how, p->out, &p->pen, (struct theme_pen){ 0 });
		vy_buf_adds(p->out, is_new ? "\n" : words->join == BLOCK_BLANK ? " " : "");
	}
	const struct cell *mark = cell_at(&p->s->grid, MARK, y);

	if (is_new && ((mark && mark->text[0]) || (!p->is_talk && from > TEXT))) {
		from = MARK; /* with its mark; what tools brought with its place and numbers */
	}
	put_cells(p, y, from, end);
	if (glyphs > end && (y + 1 > last || p->s->words[y + 1].join == BLOCK_NEW)) {
		while (end < glyphs && cell_at(&p->s->grid, end, y)->text[0] == '\0') {
			end++;
		}
		vy_buf_adds(p->out, "  ");
		put_cells(p, y, end, glyphs);
	}
}

void print_row(const struct vy_fold *f, size_t i, struct cell_pool *pool,
	const struct print_how *how, struct vy_buf *out)
{
	struct block_how look = { .cols = how->cols,
		.depth = vy_fold_depth(f, vy_fold_row(f, i)),
		.with_details = how->with_details,
		.is_ascii = how->is_ascii,
		.now_ms = how->now_ms };
	struct block_sheet sheet;
	enum vy_row_kind kind = vy_fold_row(f, i)->kind;
	struct printer p = { .s = &sheet,
		.how = how,
		.out = out,
		.is_talk = kind == VY_ROW_MESSAGE || kind == VY_ROW_THINKING };

	block_sheet_init(&sheet, pool);
	block_draw(vy_fold_row(f, i), &look, &sheet);
	if (sheet.lines && i > 0 && sheets_gap(f, i)) {
		vy_buf_addc(out, '\n');
	}
	for (int y = 0; y < sheet.lines; y++) {
		put_line(&p, y, sheet.lines - 1);
	}
	if (sheet.lines) {
		set_pen(how, out, &p.pen, (struct theme_pen){ 0 });
		vy_buf_addc(out, '\n');
	}
	block_sheet_fini(&sheet);
}
