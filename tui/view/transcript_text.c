/* transcript_text.c -- see transcript_text.h. */
#include "tui/view/transcript_text.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/block/slide.h"
#include "tui/view/source.h"
#include "tui/view/transcript_core.h"
#include "tui/view/turn.h"
#include "shared/base/ban.h"

#define LAID_OUT_MOST 64 /* rows of a selection copied as they look; more are their source */
#define LINE_MAX_     (16 * 1024 * 1024)

struct block_sheet *transcript_sheet(struct transcript *t, const struct vy_fold *f, size_t i)
{
	return sheets_get(&t->sheets, f, i);
}

bool transcript_index(const struct vy_fold *f, const char *key, size_t *i)
{
	return key && vy_fold_index(f, vy_str_c(key), i);
}

/* ---- what is in sight ---- */

/* Brings one line of a row's sheet into sight, away from the edge when it was far. */
void transcript_show_line(struct transcript *t, const struct vy_fold *f, size_t row, int y)
{
	struct place here = { row, y + sheets_gap(f, row) };
	struct place top = transcript_top_now(t, f);

	if (transcript_is_before(here, top)) {
		bool is_near = transcript_is_before(top, transcript_down(t, f, here, 2));

		transcript_go(t, f, is_near ? here : transcript_up(t, f, here, t->rows / 3));
	} else if (!transcript_is_before(here, transcript_down(t, f, top, t->rows))) {
		bool is_near = transcript_is_before(here, transcript_down(t, f, top, t->rows + 2));

		transcript_go(t, f, transcript_up(t, f, here, is_near ? t->rows - 1 : t->rows / 3));
	}
}

bool transcript_spot(struct transcript *t, const struct vy_fold *f, int y, size_t *row, int *line)
{
	struct place p = transcript_down(t, f, t->top, y > 0 ? y : 0);

	if (p.row >= vy_fold_len(f)) {
		return false;
	}
	*row = p.row;
	*line = p.line - (transcript_sheet(t, f, p.row)->lines ? sheets_gap(f, p.row) : 0);
	return true;
}

void transcript_select_row(struct transcript *t, const struct vy_fold *f, size_t row)
{
	transcript_set_key(&t->selected, f, row);
	t->has_found = false;
}

/* ---- selecting ---- */

enum transcript_span transcript_marked(const struct transcript *t)
{
	return t->span;
}

void transcript_unmark(struct transcript *t)
{
	free(t->mark);
	t->mark = NULL;
	t->span = TRANSCRIPT_NONE;
}

static void take_goal(struct transcript *t, const struct vy_fold *f, size_t row)
{
	int y;

	select_place(transcript_sheet(t, f, row), t->cur, &y, &t->goal);
}

void transcript_mark(struct transcript *t, const struct vy_fold *f, enum transcript_span span)
{
	size_t row;

	if (!t->selected) {
		transcript_select(t, f, TRANSCRIPT_ROW, -1);
	}
	if (!transcript_index(f, t->selected, &row)) {
		return;
	}
	if (t->span == TRANSCRIPT_NONE) {
		transcript_set_key(&t->mark, f, row);
		t->from = t->cur = t->has_found ? t->found : select_start();
	} else if (span == TRANSCRIPT_CHARS) { /* the rows that were selected stay selected */
		size_t first = row;            /* the row it began in is gone: it begins here */
		bool is_up = transcript_index(f, t->mark, &first) && first > row;

		t->from = is_up ? select_last(transcript_sheet(t, f, first)) : select_start();
		t->cur = first == row || is_up ? select_start()
					       : select_last(transcript_sheet(t, f, row));
	}
	t->span = span;
	take_goal(t, f, row);
}

/* The next row with words in it. */
static bool next_row(struct transcript *t, const struct vy_fold *f, size_t *row, int direction)
{
	size_t i = *row;

	while (direction < 0 ? i > 0 : i + 1 < vy_fold_len(f)) {
		i = direction < 0 ? i - 1 : i + 1;
		if (block_shows(vy_fold_row(f, i)) && transcript_sheet(t, f, i)->lines > 0) {
			*row = i;
			return true;
		}
	}
	return false;
}

static void move_line(struct transcript *t, const struct vy_fold *f, size_t *row, int by)
{
	struct block_sheet *s = transcript_sheet(t, f, *row);
	int y, x;

	select_place(s, t->cur, &y, &x);
	do {
		y += by;
	} while (y >= 0 && y < s->lines && s->words[y].none);
	if (y < 0 || y >= s->lines) {
		if (!next_row(t, f, row, by)) {
			return;
		}
		s = transcript_sheet(t, f, *row);
		y = by < 0 ? s->lines - 1 : 0;
	}
	t->cur = select_at(s, y, t->goal);
}

static bool move_in_row(struct transcript *t, const struct block_sheet *s, enum transcript_move m)
{
	int y, x;

	select_place(s, t->cur, &y, &x);
	switch (m) {
	case TRANSCRIPT_LEFT: return select_left(s, &t->cur);
	case TRANSCRIPT_RIGHT: return select_right(s, &t->cur);
	case TRANSCRIPT_WORD_LEFT: return select_word_left(s, &t->cur);
	case TRANSCRIPT_WORD_RIGHT: return select_word_right(s, &t->cur);
	case TRANSCRIPT_LINE_START: t->cur = select_at(s, y, 0); return true;
	case TRANSCRIPT_LINE_END: t->cur = select_at(s, y, SELECT_END); return true;
	case TRANSCRIPT_UP:
	case TRANSCRIPT_DOWN:
	default: return true;
	}
}

void transcript_move(struct transcript *t, const struct vy_fold *f, enum transcript_move m)
{
	bool is_line = m == TRANSCRIPT_UP || m == TRANSCRIPT_DOWN;
	bool is_back = m == TRANSCRIPT_LEFT || m == TRANSCRIPT_WORD_LEFT;
	size_t row;
	int y, x, cells;

	if (t->span != TRANSCRIPT_CHARS || !transcript_index(f, t->selected, &row)) {
		return;
	}
	if (is_line) {
		move_line(t, f, &row, m == TRANSCRIPT_UP ? -1 : 1);
	} else if (!move_in_row(t, transcript_sheet(t, f, row), m) &&
		   next_row(t, f, &row, is_back ? -1 : 1)) {
		t->cur = is_back ? select_last(transcript_sheet(t, f, row)) : select_start();
	}
	transcript_select_row(t, f, row);
	if (!is_line) {
		take_goal(t, f, row);
	}
	select_place(transcript_sheet(t, f, row), t->cur, &y, &x);
	select_glyph(transcript_sheet(t, f, row), t->cur, &cells);
	transcript_show_column(t, f, row, y, x, cells);
	transcript_show_line(t, f, row, y);
}

/* ---- the extent ---- */

struct extent {
	size_t first, last; /* rows */
	struct select_point from, to;
};

/* The glyph under the cursor belongs to it. */
static struct select_point behind(const struct block_sheet *s, struct select_point p)
{
	int cells;

	p.at += select_glyph(s, p, &cells);
	return p;
}

static bool extent_of(struct transcript *t, const struct vy_fold *f, struct extent *e)
{
	size_t a, b;

	if (t->span == TRANSCRIPT_NONE || !transcript_index(f, t->mark, &a) ||
		!transcript_index(f, t->selected, &b)) {
		return false;
	}
	bool is_down = a < b || (a == b && !select_before(t->cur, t->from));

	*e = is_down ? (struct extent){ a, b, t->from, t->cur }
		     : (struct extent){ b, a, t->cur, t->from };
	return true;
}

/* ---- copying ---- */

static void copy_rows(const struct vy_fold *f, const struct extent *e, struct vy_buf *out)
{
	for (size_t i = e->first; i <= e->last; i++) {
		size_t before = out->len;

		if (!block_shows(vy_fold_row(f, i))) {
			continue;
		}
		if (before) {
			vy_buf_adds(out, "\n\n");
		}
		size_t from = out->len;

		source_row(vy_fold_row(f, i), out);
		if (out->len == from) {
			vy_buf_truncate(out, before);
		}
	}
}

static void copy_chars(
	struct transcript *t, const struct vy_fold *f, const struct extent *e, struct vy_buf *out)
{
	bool is_long = e->last - e->first > LAID_OUT_MOST;

	for (size_t i = e->first; i <= e->last; i++) {
		bool is_inner = i > e->first && i < e->last;

		if (!block_shows(vy_fold_row(f, i))) {
			continue;
		}
		if (out->len) {
			vy_buf_addc(out, '\n');
			if (sheets_gap(f, i)) {
				vy_buf_addc(out, '\n');
			}
		}
		if (is_inner && is_long) {
			source_row(vy_fold_row(f, i), out);
			continue;
		}
		const struct block_sheet *s = transcript_sheet(t, f, i);

		select_add(s, i == e->first ? e->from : select_start(),
			i == e->last ? behind(s, e->to) : select_last(s), out);
	}
}

bool transcript_copy(struct transcript *t, const struct vy_fold *f, struct vy_buf *out)
{
	struct extent e;

	if (extent_of(t, f, &e)) {
		if (t->span == TRANSCRIPT_ROWS) {
			copy_rows(f, &e, out);
		} else {
			copy_chars(t, f, &e, out);
		}
		return true;
	}
	const struct vy_row *row = transcript_selected(t, f);

	if (row) {
		source_row(row, out);
	}
	return row != NULL;
}

/* ---- pointing ---- */

const struct vy_row *transcript_point(struct transcript *t, const struct vy_fold *f, int x, int y)
{
	size_t row;
	int line;

	(void)x;
	transcript_unmark(t);
	if (!transcript_spot(t, f, y, &row, &line) || line < 0) {
		return NULL;
	}
	transcript_select_row(t, f, row);
	return vy_fold_row(f, row);
}

static bool point_at(struct transcript *t, const struct vy_fold *f, int x, int y, size_t *row,
	struct select_point *p)
{
	int line;

	if (!transcript_spot(t, f, y, row, &line)) {
		if (vy_fold_len(f) == 0) {
			return false;
		}
		*row = vy_fold_len(f) - 1;
		line = transcript_sheet(t, f, *row)->lines - 1;
		x = SELECT_END;
	} else {
		x = transcript_column(t, f, *row, line, x);
	}
	if (!t->is_straight) {
		x = turn_back(transcript_sheet(t, f, *row), line, x);
	}
	*p = line < 0 ? select_start() : select_at(transcript_sheet(t, f, *row), line, x);
	return true;
}

void transcript_drag_to(struct transcript *t, const struct vy_fold *f, int x, int y)
{
	size_t row;

	if (t->span != TRANSCRIPT_CHARS) {
		return;
	}
	if (y < 0 || y >= t->rows) {
		transcript_scroll(t, f, y < 0 ? -1 : 1);
		t->top = transcript_top_now(t, f);
		y = y < 0 ? 0 : t->rows - 1;
	}
	transcript_slide_edge(t, f, x, y);
	if (point_at(t, f, x, y, &row, &t->cur)) {
		transcript_select_row(t, f, row);
		take_goal(t, f, row);
	}
}

void transcript_drag(
	struct transcript *t, const struct vy_fold *f, int from_x, int from_y, int x, int y)
{
	size_t row;

	if (!point_at(t, f, from_x, from_y, &row, &t->from)) {
		return;
	}
	transcript_set_key(&t->mark, f, row);
	t->cur = t->from;
	transcript_select_row(t, f, row);
	t->span = TRANSCRIPT_CHARS;
	transcript_drag_to(t, f, x, y);
}

/* ---- links ---- */

struct vy_str transcript_link(struct transcript *t, const struct vy_fold *f, size_t i)
{
	size_t row, n = 0;
	uint16_t last = 0;

	if (!transcript_index(f, t->selected, &row)) {
		return vy_str_n(NULL, 0);
	}
	const struct block_sheet *s = transcript_sheet(t, f, row);

	for (int k = 0; k < s->lines * s->grid.cols; k++) {
		uint16_t link = s->grid.cells[k].link;

		if (link && link != last && n++ == i) {
			return cell_link_url(t->pool, link);
		}
		last = link ? link : last;
	}
	return vy_str_n(NULL, 0);
}

struct vy_str transcript_link_at(struct transcript *t, const struct vy_fold *f, int x, int y)
{
	size_t row;
	int line;

	if (!transcript_spot(t, f, y, &row, &line) || line < 0) {
		return vy_str_n(NULL, 0);
	}
	x = transcript_column(t, f, row, line, x);
	if (!t->is_straight) {
		x = turn_back(transcript_sheet(t, f, row), line, x);
	}
	const struct cell_grid *g = slide_whole(transcript_sheet(t, f, row), line, &line);
	const struct cell *c = cell_at(g, x, line);

	return c && c->link ? cell_link_url(t->pool, c->link) : vy_str_n(NULL, 0);
}

/* ---- what is laid over the rows ---- */

struct overlay {
	struct cell_win w;
	const struct block_sheet *s;
	struct cell_rect r;
	int skip;
};

static void tint(const struct overlay *o, struct select_point a, struct select_point b,
	struct cell_style style)
{
	int from = select_first(o->s, a.line), end = select_end(o->s, b.line), x0, x1;

	from = from > o->skip ? from : o->skip;
	end = end < o->skip + o->r.h ? end : o->skip + o->r.h;
	for (int y = from; y < end; y++) {
		if (select_cells(o->s, y, a, b, &x0, &x1)) {
			cell_tint(o->w, (struct cell_rect){ x0, o->r.y + y - o->skip, x1 - x0, 1 },
				style);
		}
	}
}

static void tint_matches(struct transcript *t, const struct overlay *o, bool is_chosen)
{
	struct vy_buf line = VY_BUF_INIT(LINE_MAX_);
	size_t first = select_line(o->s, o->skip), last = select_line(o->s, o->skip + o->r.h - 1),
	       n;

	for (size_t i = first; i <= last; i++) {
		vy_buf_clear(&line);
		select_add_line(o->s, i, &line);
		struct vy_str text = vy_buf_str(&line);

		for (size_t p = 0; (p = find_in(&t->find, text, p, &n)) != FIND_NONE; p += n) {
			struct select_point a = { i, p }, b = { i, p + n };
			bool is_now =
				is_chosen && t->has_found && t->found.line == i && t->found.at == p;
			enum theme_role role = is_now ? THEME_MATCH_NOW : THEME_MATCH;

			tint(o, a, b, theme_on(role, role));
		}
	}
	vy_buf_fini(&line);
}

static void tint_selection(
	struct transcript *t, const struct overlay *o, const struct extent *e, size_t i)
{
	struct cell_style style = { .bg = CELL_ROLE(THEME_SELECT) };

	if (i < e->first || i > e->last) {
		return;
	}
	if (t->span == TRANSCRIPT_ROWS) {
		cell_tint(o->w, o->r, style);
		return;
	}
	tint(o, i == e->first ? e->from : select_start(),
		i == e->last ? behind(o->s, e->to) : select_last(o->s), style);
}

static void tint_cursor(struct transcript *t, const struct overlay *o)
{
	int y, x, cells;

	select_glyph(o->s, t->cur, &cells);
	select_place(o->s, t->cur, &y, &x);
	if (y >= o->skip && y < o->skip + o->r.h) {
		cell_tint(o->w, (struct cell_rect){ x, o->r.y + y - o->skip, cells, 1 },
			(struct cell_style){ .attrs = CELL_REVERSE });
	}
}

void transcript_overlay(struct transcript *t, const struct vy_fold *f, struct cell_win w, size_t i,
	struct cell_rect r, int skip)
{
	struct overlay o = { w, transcript_sheet(t, f, i), r, skip };
	bool is_chosen = t->selected && vy_str_is(vy_fold_row(f, i)->key, t->selected);
	struct extent e;

	if (r.h <= 0) {
		return;
	}
	if (t->find.query.len) {
		tint_matches(t, &o, is_chosen);
	}
	if (extent_of(t, f, &e)) {
		tint_selection(t, &o, &e, i);
	}
	if (is_chosen && t->span == TRANSCRIPT_CHARS) {
		tint_cursor(t, &o);
	}
}
