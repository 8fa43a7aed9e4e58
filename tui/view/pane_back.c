/* pane_back.c -- looking back in a pane: the view, the mark, what is selected, what is sought.
 *
 * A logical line is a row and the rows below that continue it: what is copied and searched. */
#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/text/width.h"
#include "tui/view/pane_core.h"
#include "shared/base/ban.h"

#define HITS_MAX 100000
#define LINE_MAX (4 * 1024 * 1024) /* bytes of one logical line; a longer one is cut */

bool pane_before(struct pane_spot a, struct pane_spot b)
{
	return a.line < b.line || (a.line == b.line && a.x < b.x);
}

static int cols_of(const struct pane *p)
{
	int cols, rows;

	pane_size(p, &cols, &rows);
	return cols;
}

static int64_t clamp(int64_t n, int64_t least, int64_t most)
{
	n = n > most ? most : n;
	return n < least ? least : n;
}

/* ---- the view ---- */

static int64_t bottom_top(const struct pane *p)
{
	int64_t top = pane_last(p) - p->shown.rows + 1;

	return top > pane_first(p) ? top : pane_first(p);
}

void pane_scroll(struct pane *p, int lines)
{
	int64_t top = pane_view_top(p, p->shown.rows) + lines;

	p->top = clamp(top, pane_first(p), bottom_top(p));
	p->is_back = p->top < bottom_top(p) || p->is_looking;
}

void pane_page(struct pane *p, int pages)
{
	int page = p->shown.rows > 2 ? p->shown.rows - 1 : 1;

	pane_scroll(p, pages * page);
}

int pane_behind(const struct pane *p)
{
	int64_t n = p->is_back ? bottom_top(p) - p->top : 0;

	return n > 0 ? (int)n : 0;
}

static void end_search(struct pane *p)
{
	find_for(&p->find, vy_str_n(NULL, 0));
	free(p->hits);
	p->hits = NULL;
	p->n_hits = p->cap_hits = p->hit = 0;
}

void pane_follow(struct pane *p)
{
	p->is_back = p->is_looking = false;
	p->selects = PANE_NO_SELECTION;
	end_search(p);
}

void pane_lost(struct pane *p)
{
	bool was_looking = p->is_looking;

	pane_follow(p);
	if (was_looking) {
		pane_look(p);
	}
}

static void show_line(struct pane *p, int64_t line)
{
	int64_t top = pane_view_top(p, p->shown.rows);

	if (line < top) {
		top = line;
	} else if (line >= top + p->shown.rows) {
		top = line - p->shown.rows + 1;
	}
	p->top = clamp(top, pane_first(p), bottom_top(p));
	p->is_back = true;
}

/* ---- the mark ---- */

static void settle(struct pane *p)
{
	p->mark.line = clamp(p->mark.line, pane_first(p), pane_last(p));
	p->mark.x = (int)clamp(p->mark.x, 0, cols_of(p) - 1);
	show_line(p, p->mark.line);
}

void pane_look(struct pane *p)
{
	int64_t top = pane_view_top(p, p->shown.rows), cursor;
	int x, y;

	if (p->is_looking) {
		return;
	}
	vy_vt_cursor(p->vt, &x, &y);
	cursor = pane_screen(p) + y;
	p->is_looking = true;
	p->mark = (struct pane_spot){ clamp(cursor, top, top + p->shown.rows - 1), x };
	if (p->mark.line != cursor) {
		p->mark.x = 0;
	}
	settle(p);
}

bool pane_is_looking(const struct pane *p)
{
	return p->is_looking;
}

static const struct vy_vt_cell *cell_of(const struct pane *p, struct pane_spot s)
{
	return vy_grid_cell(vy_vt_grid(p->vt), s.x, (int)(s.line - pane_screen(p)));
}

/* Cells of a row up to the last that says something. */
static int used(const struct pane *p, int64_t line)
{
	const struct vy_vt_row *r = pane_row(p, line);
	int n = r ? r->n : 0;

	while (n > 0 && r->cells[n - 1].width != 0 &&
		(r->cells[n - 1].ch == 0 || r->cells[n - 1].ch == ' ')) {
		n--;
	}
	return n;
}

static bool continues(const struct pane *p, int64_t line)
{
	const struct vy_vt_row *r = pane_row(p, line);

	return r && r->continues && line > pane_first(p);
}

static bool step(struct pane *p, int by)
{
	struct pane_spot s = p->mark;

	s.x += by;
	if (s.x < 0) {
		s.line--;
		s.x = s.line >= pane_first(p) ? used(p, s.line) - 1 : 0;
		s.x = s.x < 0 ? 0 : s.x;
	} else if (s.x >= cols_of(p) || (by > 0 && s.x > used(p, s.line))) {
		s.line++;
		s.x = 0;
	}
	if (s.line < pane_first(p) || s.line > pane_end(p)) {
		return false;
	}
	while (s.x > 0 && by < 0 && cell_of(p, s)->width == 0) {
		s.x--;
	}
	while (by > 0 && s.x < cols_of(p) - 1 && cell_of(p, s)->width == 0) {
		s.x++;
	}
	p->mark = s;
	return true;
}

static bool is_word(const struct pane *p)
{
	uint32_t ch = cell_of(p, p->mark)->ch;

	return ch > 0x7f || vy_cp_is_letter(ch) || ch == '_';
}

static void word(struct pane *p, int by)
{
	if (by > 0) {
		while (is_word(p) && step(p, 1)) {
		}
		while (!is_word(p) && step(p, 1)) {
		}
		return;
	}
	while (step(p, -1) && !is_word(p)) {
	}
	for (;;) {
		struct pane_spot was = p->mark;

		if (!is_word(p) || !step(p, -1)) {
			return;
		}
		if (!is_word(p)) {
			p->mark = was;
			return;
		}
	}
}

void pane_go(struct pane *p, enum pane_move m)
{
	int page = p->shown.rows > 2 ? p->shown.rows - 1 : 1;

	pane_look(p);
	switch (m) {
	case PANE_LEFT: step(p, -1); break;
	case PANE_RIGHT: step(p, 1); break;
	case PANE_UP: p->mark.line--; break;
	case PANE_DOWN: p->mark.line++; break;
	case PANE_PAGE_UP:
	case PANE_PAGE_DOWN:
		pane_page(p, m == PANE_PAGE_UP ? -1 : 1);
		p->mark.line += m == PANE_PAGE_UP ? -page : page;
		break;
	case PANE_TOP: p->mark = (struct pane_spot){ pane_first(p), 0 }; break;
	case PANE_BOTTOM: p->mark = (struct pane_spot){ pane_end(p), 0 }; break;
	case PANE_WORD_LEFT: word(p, -1); break;
	case PANE_WORD_RIGHT: word(p, 1); break;
	case PANE_LINE_START: p->mark.x = 0; break;
	case PANE_LINE_END: p->mark.x = used(p, p->mark.line) - 1; break;
	}
	settle(p);
}

/* ---- selecting ---- */

void pane_select(struct pane *p, bool is_lines)
{
	int kind = is_lines ? PANE_SELECTS_LINES : PANE_SELECTS;

	pane_look(p);
	if ((int)p->selects == kind) {
		p->selects = PANE_NO_SELECTION;
		return;
	}
	if (p->selects == PANE_NO_SELECTION) {
		p->anchor = p->mark;
	}
	p->selects = is_lines ? PANE_SELECTS_LINES : PANE_SELECTS;
}

bool pane_is_selecting(const struct pane *p)
{
	return p->selects != PANE_NO_SELECTION;
}

void pane_unselect(struct pane *p)
{
	p->selects = PANE_NO_SELECTION;
}

static struct pane_spot spot_at(const struct pane *p, int x, int y)
{
	return (struct pane_spot){ clamp(p->shown_top + y, pane_first(p), pane_last(p)),
		(int)clamp(x, 0, cols_of(p) - 1) };
}

void pane_drag(struct pane *p, int x0, int y0, int x, int y)
{
	if (p->selects == PANE_NO_SELECTION) {
		pane_look(p);
		p->anchor = spot_at(p, x0, y0);
		p->selects = PANE_SELECTS;
	}
	p->mark = spot_at(p, x, y);
	if (y < 0 || y >= p->shown.rows) {
		p->mark.line += y < 0 ? -1 : 1;
	}
	settle(p);
}

/* From the first selected cell to the first behind the last. */
static void ends(const struct pane *p, struct pane_spot *from, struct pane_spot *to)
{
	bool is_back = pane_before(p->mark, p->anchor);

	*from = is_back ? p->mark : p->anchor;
	*to = is_back ? p->anchor : p->mark;
	if (p->selects == PANE_SELECTS_LINES) {
		while (continues(p, from->line)) {
			from->line--;
		}
		while (to->line < pane_last(p) && continues(p, to->line + 1)) {
			to->line++;
		}
		from->x = 0;
		to->x = cols_of(p);
		return;
	}
	int width = cell_of(p, *to)->width;

	to->x += width > 1 ? width : 1;
	while (from->x > 0 && cell_of(p, *from)->width == 0) {
		from->x--;
	}
}

bool pane_selected(const struct pane *p, int64_t line, int *x0, int *x1)
{
	struct pane_spot from, to;

	if (p->selects == PANE_NO_SELECTION) {
		return false;
	}
	ends(p, &from, &to);
	*x0 = line == from.line ? from.x : 0;
	*x1 = line == to.line ? to.x : cols_of(p);
	return line >= from.line && line <= to.line && *x0 < *x1;
}

static void add_cells(const struct pane *p, int64_t line, int x0, int x1, struct vy_buf *out)
{
	const struct vy_grid *g = vy_vt_grid(p->vt);
	int n = used(p, line);
	bool goes_on = line < pane_last(p) && continues(p, line + 1);

	/* a row that goes on was full: its blanks are the text's own */
	for (int x = x0; x < x1 && (x < n || goes_on); x++) {
		const struct vy_vt_cell *c = vy_grid_cell(g, x, (int)(line - pane_screen(p)));
		char text[VY_GRID_TEXT_MAX];

		/* a wide glyph that did not fit left the last cell of its row */
		if (c->width != 0 && !(c->ch == 0 && goes_on && x == cols_of(p) - 1)) {
			vy_buf_add(out, text, vy_grid_text(g, c, text));
		}
	}
}

void pane_copy(const struct pane *p, struct vy_buf *out)
{
	struct pane_spot from, to;

	if (p->selects != PANE_NO_SELECTION) {
		ends(p, &from, &to);
	} else {
		from = to = p->mark;
		while (continues(p, from.line)) {
			from.line--;
		}
		while (to.line < pane_last(p) && continues(p, to.line + 1)) {
			to.line++;
		}
		from.x = 0;
		to.x = cols_of(p);
	}
	for (int64_t line = from.line; line <= to.line; line++) {
		if (line > from.line && !continues(p, line)) {
			vy_buf_addc(out, '\n');
		}
		add_cells(p, line, line == from.line ? from.x : 0,
			line == to.line ? to.x : cols_of(p), out);
	}
}

struct vy_str pane_link_at(const struct pane *p, int x, int y)
{
	struct pane_spot s = { p->shown_top + y, x };

	return pane_row(p, s.line) ? vy_grid_link_url(vy_vt_grid(p->vt), cell_of(p, s)->link)
				   : vy_str_n(NULL, 0);
}

/* ---- searching ---- */

/* The spot of byte `at` of the logical line that begins at `line`. */
static struct pane_spot spot_of(const struct pane *p, int64_t line, size_t at)
{
	const struct vy_grid *g = vy_vt_grid(p->vt);
	struct pane_spot s = { line, 0 };
	int cols = cols_of(p);
	size_t n = 0;

	for (;; s.line++, s.x = 0) {
		for (; s.x < cols; s.x++) {
			const struct vy_vt_cell *c = cell_of(p, s);
			char text[VY_GRID_TEXT_MAX];

			if (c->width == 0) {
				continue;
			}
			if (n >= at) {
				return s;
			}
			n += vy_grid_text(g, c, text);
		}
		if (s.line >= pane_last(p) || !continues(p, s.line + 1)) {
			return s;
		}
	}
}

static void add_hits(struct pane *p, int64_t line, struct vy_str text)
{
	size_t n;

	for (size_t at = 0; (at = find_in(&p->find, text, at, &n)) != FIND_NONE; at += n) {
		if (p->n_hits == HITS_MAX) {
			return;
		}
		p->hits = vy_grow(p->hits, &p->cap_hits, p->n_hits + 1, sizeof(*p->hits));
		p->hits[p->n_hits++] =
			(struct pane_hit){ spot_of(p, line, at), spot_of(p, line, at + n) };
	}
}

static void search(struct pane *p)
{
	VY_AUTO_BUF text = VY_BUF_INIT(LINE_MAX);
	int cols = cols_of(p);

	p->n_hits = 0;
	p->found_at = p->fed;
	for (int64_t line = pane_first(p), start; line <= pane_last(p); line++) {
		vy_buf_clear(&text);
		start = line;
		add_cells(p, line, 0, cols, &text);
		while (line < pane_last(p) && continues(p, line + 1)) {
			add_cells(p, ++line, 0, cols, &text);
		}
		add_hits(p, start, vy_buf_str(&text));
	}
}

static void go_to_hit(struct pane *p)
{
	int64_t top = pane_view_top(p, p->shown.rows);

	if (p->hit) {
		p->mark = p->hits[p->hit - 1].from;
		if (p->mark.line < top || p->mark.line >= top + p->shown.rows) {
			p->top = p->mark.line - p->shown.rows / 2; /* with what is round it */
			p->is_back = true;
		}
		settle(p);
	}
}

void pane_find(struct pane *p, struct vy_str query)
{
	pane_look(p);
	find_for(&p->find, query);
	p->hit = p->n_hits = 0;
	if (query.n == 0) {
		end_search(p);
		return;
	}
	search(p);
	for (p->hit = p->n_hits; p->hit > 1; p->hit--) {
		if (!pane_before(p->mark, p->hits[p->hit - 1].from)) {
			break;
		}
	}
	go_to_hit(p);
}

bool pane_find_step(struct pane *p, int direction)
{
	size_t i;

	if (p->find.query.len == 0) {
		return false;
	}
	if (p->found_at != p->fed) {
		search(p); /* more was said */
	}
	if (p->n_hits == 0) {
		p->hit = 0;
		return false;
	}
	if (direction > 0) {
		for (i = 0; i < p->n_hits && !pane_before(p->mark, p->hits[i].from); i++) {
		}
		p->hit = i < p->n_hits ? i + 1 : 1;
	} else {
		for (i = p->n_hits; i > 0 && !pane_before(p->hits[i - 1].from, p->mark); i--) {
		}
		p->hit = i > 0 ? i : p->n_hits;
	}
	go_to_hit(p);
	return true;
}

size_t pane_found(const struct pane *p, size_t *at)
{
	*at = p->hit;
	return p->n_hits;
}
