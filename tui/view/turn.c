/* turn.c -- see turn.h: lines of a sheet, and pieces of a window. Texts: turn_text.c. */
#include "tui/view/turn.h"

#include "shared/text/bidi.h"
#include "shared/text/utf8.h"
#include "tui/block/slide.h"
#include "shared/base/ban.h"

#define MOST 1024 /* cells of a line; a wider one is left as it is */

enum { UNKNOWN, STRAIGHT, TURNS }; /* of a line: struct block_words */

/* Glyphs of a line that stands somewhere, in the order they stand. */
struct run {
	size_t n;
	int x[MOST], cells[MOST];
	uint32_t cps[MOST];
	uint16_t order[MOST];
	bool turned[MOST];
};

/* A paragraph: its characters, a blank where it was wrapped at one, and which are the line's. */
struct para {
	size_t n, from;
	uint32_t cps[VY_BIDI_MAX + MOST];
	int8_t levels[VY_BIDI_MAX + MOST];
};

static uint32_t first_of(const struct cell_grid *g, const struct cell *c)
{
	struct vy_str text = cell_text(g, c);
	uint32_t cp = ' ';

	if (text.n) {
		vy_utf8_get(text, 0, &cp);
	}
	return cp;
}

/* Most lines have nothing to turn, and that is seen from their bytes. */
static bool has_letters(const struct cell_grid *g, int y, int from, int end)
{
	for (int x = from; x < end; x++) {
		const struct cell *c = cell_at(g, x, y);

		if ((unsigned char)c->text[0] >= 0xD6 && vy_bidi_is_rtl(first_of(g, c))) {
			return true;
		}
	}
	return false;
}

static void read_run(const struct cell_grid *g, int y, int from, int end, struct run *r)
{
	r->n = 0;
	for (int x = from; x < end && r->n < MOST;) {
		const struct cell *c = cell_at(g, x, y);
		int cells = c->width == 2 ? 2 : 1;

		r->x[r->n] = x;
		r->cells[r->n] = cells;
		r->order[r->n] = (uint16_t)r->n;
		r->turned[r->n] = false;
		r->cps[r->n++] = first_of(g, c);
		x += cells;
	}
}

static void mirror(struct cell *c, uint32_t cp)
{
	uint32_t other = vy_bidi_mirror(cp);

	if (other != cp) {
		memset(c->text, 0, sizeof(c->text));
		vy_utf8_put(other, c->text);
	}
}

/* The cells of a row, which are where r says, in the order that r says. */
static void move(struct cell *row, const struct run *r)
{
	struct cell seen[MOST];
	int from = r->n ? r->x[0] : 0, x = from;

	for (size_t i = 0; i < r->n; i++) {
		uint16_t g = r->order[i];

		memcpy(&seen[x], &row[r->x[g]], (size_t)r->cells[g] * sizeof(*seen));
		if (r->turned[g]) {
			mirror(&seen[x], r->cps[g]);
		}
		x += r->cells[g];
	}
	memcpy(&row[from], &seen[from], (size_t)(x - from) * sizeof(*seen));
}

/* ---- lines of a sheet ---- */

static int end_of(const struct block_sheet *s, int line)
{
	int end = s->words[line].end, row;
	const struct cell_grid *g = slide_whole(s, line, &row);

	if (end == 0) {
		for (end = g->cols; end > s->words[line].from; end--) {
			const struct cell *c = cell_at(g, end - 1, row);

			if (c->width == 0 || c->text[0]) {
				break;
			}
		}
	}
	return end < g->cols ? end : g->cols;
}

static bool line_turns(struct block_sheet *s, int line)
{
	struct block_words *words = &s->words[line];

	if (words->turns == UNKNOWN) {
		int row, end = words->none ? 0 : end_of(s, line);
		const struct cell_grid *g = slide_whole(s, line, &row);

		words->turns = has_letters(g, row, words->from, end) ? TURNS : STRAIGHT;
	}
	return words->turns == TURNS;
}

bool turn_any(struct block_sheet *s)
{
	bool any = false;

	for (int line = 0; line < s->lines; line++) {
		any |= line_turns(s, line);
	}
	return any;
}

/* The lines of the paragraph that this one is in; false: none of them has anything to turn. */
static bool paragraph(struct block_sheet *s, int line, int *first, int *last)
{
	bool turns = line_turns(s, line);

	for (*first = line; *first > 0 && s->words[*first].join != BLOCK_NEW;) {
		turns |= line_turns(s, --*first);
	}
	for (*last = line; *last + 1 < s->lines && s->words[*last + 1].join != BLOCK_NEW;) {
		turns |= line_turns(s, ++*last);
	}
	return turns;
}

bool turn_is(struct block_sheet *s, int line)
{
	int first, last;

	return paragraph(s, line, &first, &last);
}

static void add_line(const struct block_sheet *s, int k, struct para *p)
{
	int row, end = end_of(s, k);
	const struct cell_grid *g = slide_whole(s, k, &row);

	for (int x = s->words[k].from; x < end && p->n < VY_BIDI_MAX + MOST;) {
		const struct cell *c = cell_at(g, x, row);

		p->cps[p->n++] = first_of(g, c);
		x += c->width == 2 ? 2 : 1;
	}
}

/* Of a giant one the lines from here on, so that its cost stays bounded. */
static void read_paragraph(
	const struct block_sheet *s, int line, int first, int last, struct para *p)
{
	p->n = p->from = 0;
	for (int k = first; k <= last && p->n < VY_BIDI_MAX; k++) {
		if (k > first && s->words[k].join == BLOCK_BLANK) {
			p->cps[p->n++] = ' ';
		}
		if (k == line) {
			p->from = p->n;
		}
		add_line(s, k, p);
	}
}

static bool plan(struct block_sheet *s, int line, struct run *r)
{
	static _Thread_local struct para p;
	int first, last, end = end_of(s, line), row;
	const struct cell_grid *g = slide_whole(s, line, &row);

	if (s->words[line].none || g->cols > MOST || !paragraph(s, line, &first, &last)) {
		return false;
	}
	read_run(g, row, s->words[line].from, end, r);
	read_paragraph(s, line, first, last, &p);
	bool rtl = vy_bidi_is_rtl_text(p.cps, p.n);

	if (p.n > VY_BIDI_MAX || p.from + r->n > p.n) { /* a giant: the line by itself */
		memcpy(p.cps, r->cps, r->n * sizeof(*r->cps));
		p.n = r->n;
		p.from = 0;
	}
	vy_bidi_levels(p.cps, p.n, rtl, p.levels);
	vy_bidi_row(r->cps, p.levels + p.from, r->n, rtl, r->order, r->turned);
	return true;
}

void turn_line(struct cell_win w, int y, struct block_sheet *s, int line)
{
	int row, cols = slide_whole(s, line, &row)->cols;
	bool fits =
		w.x >= 0 && w.y + y >= 0 && w.y + y < w.grid->rows && w.x + cols <= w.grid->cols;
	struct run r;

	if (fits && plan(s, line, &r)) {
		move(&w.grid->cells[(w.y + y) * w.grid->cols + w.x], &r);
	}
}

int turn_back(struct block_sheet *s, int line, int x)
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

/* ---- pieces of a window ---- */

void turn_piece(struct cell_win w, int y, int x, int end)
{
	struct run r;
	int row = w.y + y;

	x = w.x + (x > 0 ? x : 0);
	end = w.x + (end < w.w ? end : w.w);
	end = end < w.grid->cols ? end : w.grid->cols;
	if (cell_pool_is_straight(w.grid->pool) || y < 0 || y >= w.h || row < 0 ||
		row >= w.grid->rows || x < 0 || end - x > MOST || x >= end || end > MOST ||
		!has_letters(w.grid, row, x, end)) {
		return;
	}
	read_run(w.grid, row, x, end, &r);
	vy_bidi_order(r.cps, r.n, vy_bidi_is_rtl_text(r.cps, r.n), r.order, r.turned);
	move(&w.grid->cells[row * w.grid->cols], &r);
}
