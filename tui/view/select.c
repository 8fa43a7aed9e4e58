/* select.c -- see select.h. Everything is a walk over the glyphs of a line of cells. */
#include "tui/view/select.h"

#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "tui/block/slide.h"
#include "shared/base/ban.h"

#define LINE_BYTES (16 * VY_MIB)

bool select_before(struct select_point a, struct select_point b)
{
	return a.line < b.line || (a.line == b.line && a.at < b.at);
}

/* ---- glyphs of a line of the sheet ---- */

struct glyph {
	int x, cells;
	struct vy_str text;
};

/* A line as it is, whatever of it is in sight. */
static const struct cell *cell_of(const struct block_sheet *s, int x, int y)
{
	const struct cell_grid *g = slide_whole(s, y, &y);

	return cell_at(g, x, y);
}

static int cols_of(const struct block_sheet *s, int y)
{
	return slide_whole(s, y, &y)->cols;
}

static int from_of(const struct block_sheet *s, int y)
{
	int from = s->words[y].from;

	return from < s->grid.cols ? from : s->grid.cols;
}

/* One behind the last cell of its words. */
static int end_of(const struct block_sheet *s, int y)
{
	int cols = cols_of(s, y);
	int from = from_of(s, y), end = s->words[y].end ? s->words[y].end : cols;

	end = end < cols ? end : cols;
	if (s->words[y].end) {
		return end > from ? end : from;
	}
	while (end > from) {
		const struct cell *c = cell_of(s, end - 1, y);

		if (c->width == 0 || c->text[0] != '\0') {
			break;
		}
		end--;
	}
	return end;
}

/* The glyph that begins at x, or (in the middle of one) what is left of it. */
static bool next_glyph(const struct block_sheet *s, int y, int x, int end, struct glyph *g)
{
	const struct cell *c = x < end ? cell_of(s, x, y) : NULL;

	if (!c) {
		return false;
	}
	*g = (struct glyph){ x, 1, cell_text(&s->grid, c) };
	if (c->attrs & CELL_TAB) {
		g->text = VY_STR_LIT("\t");
		while (x + g->cells < end && (cell_of(s, x + g->cells, y)->attrs & CELL_TAB_REST)) {
			g->cells++;
		}
	} else if (c->width == 2) {
		g->cells = 2;
	}
	return true;
}

static size_t bytes_of(const struct block_sheet *s, int y)
{
	struct glyph g;
	size_t n = 0;
	int end = end_of(s, y);

	for (int x = from_of(s, y); next_glyph(s, y, x, end, &g); x += g.cells) {
		n += g.text.n;
	}
	return n;
}

/* ---- logical lines ---- */

static bool is_text(const struct block_sheet *s, int y)
{
	return !s->words[y].none;
}

static bool begins(const struct block_sheet *s, int y)
{
	return is_text(s, y) && s->words[y].join == BLOCK_NEW;
}

size_t select_line(const struct block_sheet *s, int y)
{
	size_t n = 0;

	for (int i = 0; i <= y && i < s->lines; i++) {
		n += begins(s, i);
	}
	return n ? n - 1 : 0;
}

int select_first(const struct block_sheet *s, size_t line)
{
	int last = 0;

	for (int y = 0; y < s->lines; y++) {
		if (begins(s, y)) {
			last = y;
			if (line-- == 0) {
				break;
			}
		}
	}
	return last;
}

/* The next line of the sheet that is text; s->lines behind the last. */
static int next_text(const struct block_sheet *s, int y)
{
	do {
		y++;
	} while (y < s->lines && !is_text(s, y));
	return y < s->lines ? y : s->lines;
}

/* The one after y that shows the same logical line; -1: none. */
static int goes_on(const struct block_sheet *s, int y)
{
	int next = next_text(s, y);

	return next < s->lines && !begins(s, next) ? next : -1;
}

int select_end(const struct block_sheet *s, size_t line)
{
	int y = select_first(s, line);

	for (int next = y; next >= 0 && next < s->lines; next = goes_on(s, next)) {
		y = next;
	}
	return y + 1;
}

/* Bytes of the logical line before line y of the sheet. */
static size_t offset_of(const struct block_sheet *s, int y)
{
	int first = select_first(s, select_line(s, y));
	size_t n = 0;

	for (int i = first; i >= 0 && i < y; i = goes_on(s, i)) {
		int next = goes_on(s, i);

		n += bytes_of(s, i) + (next >= 0 && s->words[next].join == BLOCK_BLANK);
	}
	return n;
}

/* ---- points ---- */

struct select_point select_start(void)
{
	return (struct select_point){ 0, 0 };
}

struct select_point select_last(const struct block_sheet *s)
{
	int y = s->lines - 1;

	while (y > 0 && !is_text(s, y)) {
		y--;
	}
	return s->lines ? select_at(s, y, SELECT_END) : select_start();
}

struct select_point select_at(const struct block_sheet *s, int y, int x)
{
	struct select_point p = { 0, 0 };
	struct glyph g;

	if (s->lines == 0) {
		return p;
	}
	y = y < 0 ? 0 : y >= s->lines ? s->lines - 1 : y;
	for (; y > 0 && !is_text(s, y); y--) {
		x = SELECT_END;
	}
	p.line = select_line(s, y);
	p.at = offset_of(s, y);
	int end = end_of(s, y);

	for (int at = from_of(s, y); next_glyph(s, y, at, end, &g) && at + g.cells <= x;
		at += g.cells) {
		p.at += g.text.n;
	}
	return p;
}

void select_place(const struct block_sheet *s, struct select_point p, int *y, int *x)
{
	size_t left = p.at;
	struct glyph g;

	*y = *x = 0;
	if (s->lines == 0) {
		return;
	}
	*y = select_first(s, p.line);
	for (int next; (next = goes_on(s, *y)) >= 0; *y = next) {
		size_t n = bytes_of(s, *y);

		if (left < n + (s->words[next].join == BLOCK_BLANK)) {
			break;
		}
		left -= n + (s->words[next].join == BLOCK_BLANK);
	}
	int end = end_of(s, *y);

	*x = from_of(s, *y);
	while (next_glyph(s, *y, *x, end, &g) && g.text.n <= left) {
		left -= g.text.n;
		*x += g.cells;
	}
}

size_t select_glyph(const struct block_sheet *s, struct select_point p, int *cells)
{
	struct glyph g;
	int y, x;

	*cells = 1;
	select_place(s, p, &y, &x);
	if (s->lines == 0 || !next_glyph(s, y, x, end_of(s, y), &g)) {
		return s->lines && goes_on(s, y) >= 0 ? 1 : 0; /* the blank of the wrap */
	}
	*cells = g.cells;
	return g.text.n;
}

bool select_cells(const struct block_sheet *s, int y, struct select_point a, struct select_point b,
	int *x0, int *x1)
{
	struct select_point p = { select_line(s, y), 0 };
	int end = end_of(s, y);
	struct glyph g = { 0 };

	if (!is_text(s, y) || p.line < a.line || p.line > b.line) {
		return false;
	}
	p.at = offset_of(s, y);
	*x0 = *x1 = -1;
	for (int x = from_of(s, y); next_glyph(s, y, x, end, &g); x += g.cells) {
		if (!select_before(p, a) && select_before(p, b)) {
			*x0 = *x0 < 0 ? x : *x0;
			*x1 = x + g.cells;
		}
		p.at += g.text.n;
	}
	if (*x0 < 0 && end == from_of(s, y) && !select_before(p, a) && select_before(p, b)) {
		*x0 = end;
		*x1 = end + 1;
	}
	return *x0 >= 0;
}

/* ---- moving ---- */

bool select_right(const struct block_sheet *s, struct select_point *p)
{
	int cells;
	size_t n = select_glyph(s, *p, &cells);

	if (n > 0) {
		p->at += n;
		return true;
	}
	if (!select_before(*p, select_last(s))) {
		return false;
	}
	*p = (struct select_point){ p->line + 1, 0 };
	return true;
}

bool select_left(const struct block_sheet *s, struct select_point *p)
{
	int y, x;

	if (p->at == 0) {
		if (p->line == 0) {
			return false;
		}
		*p = select_at(s, select_end(s, p->line - 1) - 1, SELECT_END);
		return true;
	}
	select_place(s, *p, &y, &x);
	if (x > from_of(s, y)) {
		*p = select_at(s, y, x - 1);
		return true;
	}
	int above = y - 1;

	while (above > 0 && !is_text(s, above)) {
		above--;
	}
	/* at a wrap: the blank that stands for it, or the last glyph above */
	*p = select_at(
		s, above, s->words[y].join == BLOCK_BLANK ? SELECT_END : end_of(s, above) - 1);
	return true;
}

static bool is_word_at(const struct block_sheet *s, struct select_point p)
{
	struct glyph g;
	int y, x;

	select_place(s, p, &y, &x);
	return s->lines && next_glyph(s, y, x, end_of(s, y), &g) && !vy_str_is(g.text, " ") &&
	       !vy_str_is(g.text, "\t");
}

bool select_word_right(const struct block_sheet *s, struct select_point *p)
{
	bool moved = false;

	while (is_word_at(s, *p) && select_right(s, p)) {
		moved = true;
	}
	while (!is_word_at(s, *p) && select_right(s, p)) {
		moved = true;
	}
	return moved;
}

bool select_word_left(const struct block_sheet *s, struct select_point *p)
{
	struct select_point at = *p;
	bool moved = false;

	while (select_left(s, &at) && !is_word_at(s, at)) {
		moved = true;
	}
	for (; is_word_at(s, at); moved = true) {
		*p = at;
		if (!select_left(s, &at)) {
			break;
		}
	}
	return moved;
}

/* ---- text ---- */

void select_add_line(const struct block_sheet *s, size_t line, struct vy_buf *out)
{
	struct glyph g;

	for (int y = s->lines ? select_first(s, line) : -1; y >= 0; y = goes_on(s, y)) {
		int end = end_of(s, y);

		if (s->words[y].join == BLOCK_BLANK) {
			vy_buf_addc(out, ' ');
		}
		for (int x = from_of(s, y); next_glyph(s, y, x, end, &g); x += g.cells) {
			vy_buf_addstr(out, g.text);
		}
	}
}

void select_add(const struct block_sheet *s, struct select_point a, struct select_point b,
	struct vy_buf *out)
{
	struct vy_buf line = VY_BUF_INIT(LINE_BYTES);

	for (size_t i = a.line; i <= b.line && s->lines; i++) {
		vy_buf_clear(&line);
		select_add_line(s, i, &line);
		struct vy_str text = vy_buf_str(&line);

		if (i == b.line && b.at < text.n) {
			text.n = b.at;
		}
		if (i == a.line) {
			text = vy_str_from(text, a.at < text.n ? a.at : text.n);
		}
		vy_buf_addstr(out, text);
		if (i < b.line) {
			vy_buf_addc(out, '\n');
		}
	}
	vy_buf_fini(&line);
}
