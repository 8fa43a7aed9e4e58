/* turn.c -- see turn.h. */
#include "tui/view/turn.h"

#include "shared/text/bidi.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define MOST 1024 /* cells of a line; a wider one is left as it is */

/* A line's words, glyph by glyph. */
struct run {
	size_t n;
	int x[MOST], cells[MOST];
	uint32_t cps[MOST];
	uint16_t order[MOST];
	bool turned[MOST];
};

static uint32_t first_of(const struct block_sheet *s, const struct cell *c)
{
	struct vy_str text = cell_text(&s->grid, c);
	uint32_t cp = ' ';

	if (text.n) {
		vy_utf8_get(text, 0, &cp);
	}
	return cp;
}

static int end_of(const struct block_sheet *s, int line)
{
	int end = s->words[line].end;

	if (end == 0) {
		for (end = s->grid.cols; end > s->words[line].from; end--) {
			const struct cell *c = cell_at(&s->grid, end - 1, line);

			if (c->width == 0 || c->text[0]) {
				break;
			}
		}
	}
	return end < s->grid.cols ? end : s->grid.cols;
}

/* Most lines have nothing to turn, and that is seen from their bytes. */
static bool needs(const struct block_sheet *s, int line, int end)
{
	for (int x = s->words[line].from; x < end; x++) {
		const struct cell *c = cell_at(&s->grid, x, line);

		if ((unsigned char)c->text[0] >= 0xD6 && vy_bidi_is_rtl(first_of(s, c))) {
			return true;
		}
	}
	return false;
}

static void read_run(const struct block_sheet *s, int line, int end, struct run *r)
{
	r->n = 0;
	for (int x = s->words[line].from; x < end;) {
		const struct cell *c = cell_at(&s->grid, x, line);
		int cells = c->width == 2 ? 2 : 1;

		r->x[r->n] = x;
		r->cells[r->n] = cells;
		r->order[r->n] = (uint16_t)r->n;
		r->cps[r->n++] = first_of(s, c);
		x += cells;
	}
}

/* The direction of the paragraph that the line is a part of: of its first letter. */
static bool is_rtl(const struct block_sheet *s, int line, struct run *r)
{
	while (line > 0 && s->words[line].join != BLOCK_NEW) {
		line--;
	}
	read_run(s, line, end_of(s, line), r);
	return vy_bidi_is_rtl_text(r->cps, r->n);
}

static bool plan(const struct block_sheet *s, int line, struct run *r)
{
	int end = end_of(s, line);

	if (s->words[line].none || s->grid.cols > MOST || !needs(s, line, end)) {
		return false;
	}
	bool rtl = is_rtl(s, line, r);

	read_run(s, line, end, r);
	vy_bidi_order(r->cps, r->n, rtl, r->order, r->turned);
	return true;
}

static void mirror(struct cell *c, uint32_t cp)
{
	uint32_t other = vy_bidi_mirror(cp);

	if (other != cp) {
		memset(c->text, 0, sizeof(c->text));
		vy_utf8_put(other, c->text);
	}
}

/* Writes into cells by itself: the row was drawn just now, so its number is a new one already. */
void turn_line(struct cell_win w, int y, const struct block_sheet *s, int line)
{
	struct cell *row = &w.grid->cells[(w.y + y) * w.grid->cols + w.x], seen[MOST];
	bool fits = w.x >= 0 && w.y + y >= 0 && w.y + y < w.grid->rows &&
		    w.x + s->grid.cols <= w.grid->cols;
	struct run r;
	int x;

	if (!fits || !plan(s, line, &r)) {
		return;
	}
	x = s->words[line].from;
	for (size_t i = 0; i < r.n; i++) {
		uint16_t g = r.order[i];

		memcpy(&seen[x], &row[r.x[g]], (size_t)r.cells[g] * sizeof(*seen));
		if (r.turned[g]) {
			mirror(&seen[x], r.cps[g]);
		}
		x += r.cells[g];
	}
	memcpy(&row[s->words[line].from], &seen[s->words[line].from],
		(size_t)(x - s->words[line].from) * sizeof(*seen));
}

int turn_back(const struct block_sheet *s, int line, int x)
{
	struct run r;
	int at = line >= 0 && line < s->lines ? s->words[line].from : 0;

	if (line < 0 || line >= s->lines || !plan(s, line, &r)) {
		return x;
	}
	for (size_t i = 0; i < r.n && x >= at; i++) {
		at += r.cells[r.order[i]];
		if (x < at) {
			return r.x[r.order[i]];
		}
	}
	return x;
}
