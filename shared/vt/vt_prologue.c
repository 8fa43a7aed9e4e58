/* vt_prologue.c -- see vt_prologue.h.
 *
 * Written in an order in which nothing undoes what came before: cells while every mode is as fresh,
 * then what a place depends on (tab stops, margins, origin), the place, and last what leaves the
 * place alone (pen, character sets, modes). A cursor that stays at the edge is made to by writing its
 * glyph once more. */
#include "shared/vt/vt_prologue.h"

#include <string.h>

#include "shared/text/utf8.h"
#include "shared/vt/grid_rows.h"
#include "shared/vt/vt_inside.h"
#include "shared/vt/vt_pen.h"
#include "shared/base/ban.h"

#define RUN_MIN 6 /* from here on a run of equal cells is shorter as a sequence */

struct writer {
	const struct vy_vt *v;
	struct vy_buf *out;
	struct vy_vt_pen pen; /* that of the terminal that reads this */
	int x;                /* the column its cursor is due at; the width: a wrap is due */
	bool wrote;           /* a glyph at least */
};

static void add(struct writer *w, const char *s)
{
	vy_buf_adds(w->out, s);
}

static void add_csi(struct writer *w, int a, int b, const char *end)
{
	add(w, "\033[");
	vt_add_number(w->out, a);
	if (b >= 0) {
		add(w, ";");
		vt_add_number(w->out, b);
	}
	add(w, end);
}

static void add_move(struct writer *w, int x, int y)
{
	add_csi(w, y + 1, x + 1, "H");
}

/* ---- pens ---- */

static void add_link(struct writer *w, uint16_t link)
{
	struct vy_str s = grid_pool_get(&w->v->grid->links, link - 1u);
	const char *nul = link && s.n ? memchr(s.p, '\0', s.n) : NULL;
	size_t url = nul ? (size_t)(nul - s.p) : 0;

	add(w, "\033]8;");
	if (nul && url + 1 < s.n) {
		add(w, "id=");
		vy_buf_addstr(w->out, vy_str_from(s, url + 1));
	}
	add(w, ";");
	vy_buf_add(w->out, s.p, url);
	add(w, "\033\\");
}

static void set_pen(struct writer *w, struct vy_vt_pen to)
{
	vt_pen_sgr(w->pen, to, w->out);
	if (to.link != w->pen.link) {
		add_link(w, to.link);
	}
	w->pen = to;
}

static struct vy_vt_pen pen_of(const struct vy_vt_cell *c)
{
	return (struct vy_vt_pen){ c->fg, c->bg, c->link, c->attrs };
}

/* ---- rows ---- */

static bool is_same(const struct vy_vt_cell *a, const struct vy_vt_cell *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* Cells from x on that are the same, counted as glyphs. */
static int run_at(const struct vy_vt_row *r, int x, int end)
{
	int step = r->cells[x].width == 2 ? 2 : 1, n = 1;

	while (x + n * step < end && is_same(&r->cells[x], &r->cells[x + n * step])) {
		n++;
	}
	return n;
}

/* A mark that stands alone must not be joined to what stands before it. */
static bool stands_alone(const struct writer *w, const struct vy_vt_cell *c)
{
	char text[VY_GRID_TEXT_MAX];
	uint32_t cp;

	if (c->width != 2) {
		return false;
	}
	vy_utf8_get(vy_str_n(text, vy_grid_text(w->v->grid, c, text)), 0, &cp);
	return vt_is_wide_mark(cp);
}

static void add_glyph(struct writer *w, const struct vy_vt_cell *c)
{
	char text[VY_GRID_TEXT_MAX];

	w->wrote = true;
	if (c->ch < 0x80) {
		vy_buf_addc(w->out, c->ch ? (char)c->ch : ' ');
		return;
	}
	if (stands_alone(w, c)) {
		add(w, "\033P=vl;\033\\");
	}
	vy_buf_add(w->out, text, vy_grid_text(w->v->grid, c, text));
}

/* What an erase leaves: a colour behind, and else nothing. */
static bool is_erased(const struct vy_vt_cell *c)
{
	return c->ch == 0 && c->fg == VY_VT_DEFAULT && c->link == 0 && c->attrs == 0;
}

static void add_run(struct writer *w, const struct vy_vt_cell *c, int n, int room)
{
	if (is_same(c, &grid_blank) && (n >= RUN_MIN || w->pen.bg || w->pen.attrs || w->pen.link)) {
		add_csi(w, n, -1, "C"); /* the row is fresh: it is blank there already */
		w->x += n;
		return;
	}
	set_pen(w, pen_of(c));
	if (is_erased(c) && n == room && n >= 4) {
		add(w, "\033[K");
		return;
	}
	w->x += n * (c->width == 2 ? 2 : 1);
	add_glyph(w, c);
	if (n >= RUN_MIN && !stands_alone(w, c)) {
		add_csi(w, n - 1, -1, "b");
		return;
	}
	for (int i = 1; i < n; i++) {
		add_glyph(w, c);
	}
}

/* Cells of a row to the last that can be seen; `least` at least. */
static int add_row(struct writer *w, const struct vy_vt_row *r, int least)
{
	int end = grid_row_used(r);

	end = end < least ? least : end;
	w->x = 0;
	for (int x = 0; x < end;) {
		bool first = x == 0 && least > 0;
		int n = first ? 1 : run_at(r, x, end), step = r->cells[x].width == 2 ? 2 : 1;

		if (first) { /* it wraps, so it must be written */
			set_pen(w, pen_of(&r->cells[x]));
			add_glyph(w, &r->cells[x]);
			w->x = step;
		} else {
			add_run(w, &r->cells[x], n, w->v->grid->cols - x);
		}
		x += n * step;
	}
	return end;
}

/* ---- a screen ---- */

struct screen {
	const struct vy_grid *g;
	const struct vy_vt_row *rows; /* of the screen itself */
	int above;                    /* lines of the ring before them */
	struct vy_buf told;           /* what writing alone does not make of the rows */
};

static const struct vy_vt_row *screen_row(const struct screen *s, int y)
{
	int in_ring = s->above + y;

	return y < 0 ? grid_ring_at(&s->g->ring, (size_t)in_ring) : &s->rows[y];
}

static bool continues(const struct screen *s, int y)
{
	return y < s->g->rows && screen_row(s, y)->continues;
}

/* Would the terminal wrap by itself between a row written up to column x and this one? A row that comes
 * in from below while the pen has a colour behind it would be filled with that. */
static bool wraps_by_itself(
	const struct writer *w, const struct screen *s, const struct vy_vt_row *r)
{
	int cols = s->g->cols, x = w->x;
	bool wide = r->n > 1 && r->cells[0].width == 2;

	return r->continues && r->n > 0 && (x == cols || (x == cols - 1 && wide)) &&
	       (s->above == 0 || r->cells[0].bg == VY_VT_DEFAULT) && !stands_alone(w, r->cells);
}

/* Between two rows; colours behind would come in from below with the new row. */
static void end_row(struct writer *w, const struct screen *s)
{
	struct vy_vt_pen pen = w->pen;

	if (s->above > 0 && pen.bg != VY_VT_DEFAULT) {
		pen.bg = VY_VT_DEFAULT;
		set_pen(w, pen);
	}
	add(w, "\r\n");
}

/* A row's end is told where it is not where writing put it and counts, for the next goes on from it; and
 * where writing did not say that it does. */
static void tell_row(struct screen *s, int y, int end, bool wrapped)
{
	bool goes_on = continues(s, y + 1);
	int n = y < -s->above ? 0 : screen_row(s, y)->n;

	if (goes_on != wrapped || (goes_on && n != end)) {
		vy_buf_addf(&s->told, "r%d,%d,%d;", y, n, goes_on);
	}
}

static void add_rows(struct writer *w, struct screen *s)
{
	int last = s->g->rows - 1, end = 0;

	while (s->above == 0 && last > 0 && grid_row_used(&s->rows[last]) == 0) {
		last--;
	}
	for (int y = -s->above; y < s->g->rows; y++) {
		const struct vy_vt_row *r = screen_row(s, y);
		bool is_first = y == -s->above, is_there = y <= last;
		bool by_itself = !is_first && is_there && wraps_by_itself(w, s, r);

		tell_row(s, y - 1, end, by_itself);
		if (is_there && !is_first && !by_itself) {
			end_row(w, s);
		}
		end = is_there ? add_row(w, r, by_itself) : 0;
	}
	if (s->told.len > 0) {
		add(w, "\033P=v");
		vy_buf_addstr(w->out, vy_buf_str(&s->told));
		add(w, "\033\\");
	}
}

static void add_screen(struct writer *w, bool alt)
{
	const struct vy_grid *g = w->v->grid;
	struct screen s = { .g = g,
		.rows = alt ? g->alt : g->main,
		.above = alt ? 0 : (int)g->ring.n,
		.told = VY_BUF_INIT(64 * (g->ring.n + (size_t)g->rows) + 1) };

	add_rows(w, &s);
	vy_buf_fini(&s.told);
}

/* ---- places ---- */

static void add_charset(struct writer *w, struct vt_charset from, struct vt_charset to)
{
	for (size_t i = 0; i < sizeof(to.g); i++) {
		if (from.g[i] != to.g[i]) {
			const char esc[] = { '\033', "()*+"[i], to.g[i] };

			vy_buf_add(w->out, esc, sizeof(esc));
		}
	}
	if (from.gl != to.gl) {
		static const char *const shifts[] = { "\017", "\016", "\033n", "\033o" };

		add(w, shifts[(int)to.gl]);
	}
	if (to.single) {
		add(w, to.single == 2 ? "\033N" : "\033O");
	}
}

static void add_saved(struct writer *w, const struct vt_place *p)
{
	struct vy_vt_pen pen = p->pen;

	if (!p->is_set) {
		return;
	}
	pen.link = w->pen.link;
	set_pen(w, pen);
	add_charset(w, vt_charset_default(), p->charset);
	add(w, p->origin ? "\033[?6h" : "");
	add_move(w, p->x, p->y);
	add(w, "\0337");
	add(w, p->origin ? "\033[?6l" : "");
	add_charset(w, p->charset, vt_charset_default());
}

static void add_alt(struct writer *w)
{
	const struct vy_vt *v = w->v;

	add_move(w, v->main_x, v->main_y);
	set_pen(w, (struct vy_vt_pen){ 0 });
	add(w, "\033[?1047h\033[H");
	if (v->main_moved) {
		add(w, "\033P=vm\033\\");
	}
	add_screen(w, true);
	add_saved(w, &v->saved[1]);
}

static void add_last(struct writer *w)
{
	const struct vt_last *l = &w->v->last;

	if (l->n == 0 && w->wrote) {
		add(w, "\033P=vl;\033\\");
	} else if (l->n > 0 && !w->v->at_edge) {
		vy_buf_addf(w->out, "\033P=vl%d,%d", l->at.col, l->at.row);
		for (size_t i = 0; i < l->n; i++) {
			vy_buf_addf(w->out, ",%u", (unsigned)l->chars[i]);
		}
		add(w, ";\033\\");
	}
}

static void add_tabs(struct writer *w)
{
	int cols = w->v->grid->cols, x = 0;

	while (x < cols && w->v->tabs[x] == (x % 8 == 0)) {
		x++;
	}
	if (x == cols) {
		return;
	}
	add(w, "\033[3g");
	for (x = 0; x < cols; x++) {
		if (w->v->tabs[x]) {
			add_csi(w, x + 1, -1, "G\033H");
		}
	}
}

static void add_cursor(struct writer *w)
{
	const struct vy_vt *v = w->v;
	int x = v->at_edge ? v->last.at.col : vt_cursor(v).col, y = vt_cursor(v).row;

	if (v->top > 0 || v->bottom < v->grid->rows) {
		add_csi(w, v->top + 1, v->bottom, "r");
	}
	if (v->origin) {
		add(w, "\033[?6h");
		y -= v->top;
	}
	add(w, v->no_wrap ? "\033[?7l" : "");
	add(w, v->may_switch ? "\033[?40h" : "");
	add_move(w, x, y);
	if (v->at_edge) {
		const struct vy_vt_cell *c = vy_grid_cell(v->grid, x, vt_cursor(v).row);

		set_pen(w, pen_of(c));
		add_glyph(w, c);
	}
}

/* ---- what leaves the place alone ---- */

static void add_mode(struct writer *w, bool on, const char *sequence)
{
	add(w, on ? sequence : "");
}

static void add_modes(struct writer *w)
{
	static const int mouse[] = {
		[VY_VT_MOUSE_CLICK] = 1000, [VY_VT_MOUSE_DRAG] = 1002, [VY_VT_MOUSE_MOVE] = 1003
	};
	static const int shapes[] = { [VY_VT_BLOCK] = 2, [VY_VT_UNDER] = 4, [VY_VT_BAR] = 6 };
	const struct vy_vt *v = w->v;
	const struct vy_vt_modes *m = &v->modes;

	add_mode(w, v->insert, "\033[4h");
	add_mode(w, v->newline, "\033[20h");
	add_mode(w, m->app_cursor, "\033[?1h");
	add_mode(w, m->app_keypad, "\033=");
	add_mode(w, m->reverse, "\033[?5h");
	add_mode(w, m->bracketed_paste, "\033[?2004h");
	add_mode(w, m->focus, "\033[?1004h");
	if (m->mouse != VY_VT_MOUSE_NONE) {
		add(w, "\033[?");
		vt_add_number(w->out, mouse[m->mouse]);
		add(w, "h");
	}
	if (v->mouse_protocol) {
		add(w, "\033[?");
		vt_add_number(w->out, v->mouse_protocol);
		add(w, "h");
	}
	if (m->shape != VY_VT_BLOCK || !m->cursor_blink) {
		add_csi(w, shapes[m->shape] - m->cursor_blink, -1, " q");
	}
	add_mode(w, !m->cursor_visible, "\033[?25l");
	vt_palette_say(&v->palette, w->out);
	if (v->title.len > 0) {
		add(w, "\033]2;");
		vy_buf_addstr(w->out, vy_buf_str(&v->title));
		add(w, "\033\\");
	}
	add_mode(w, m->sync, "\033[?2026h");
}

void vy_vt_prologue(const struct vy_vt *v, struct vy_buf *out)
{
	struct writer w = { .v = v, .out = out };
	struct vy_vt_pen pen = v->pen;

	add_screen(&w, false);
	add_saved(&w, &v->saved[0]);
	if (v->modes.alt) {
		add_alt(&w);
	}
	add_last(&w);
	add_tabs(&w);
	add_cursor(&w);
	pen.attrs |= v->own;
	set_pen(&w, pen);
	add_modes(&w);
	add_charset(&w, vt_charset_default(), v->charset);
	vt_scan_pending(&v->scan, out);
}

/* ---- reading what only a prologue says ---- */

static bool take_number(struct vy_str *s, int *n)
{
	bool minus = s->n > 0 && s->p[0] == '-';
	size_t i = minus;

	for (*n = 0; i < s->n && s->p[i] >= '0' && s->p[i] <= '9' && *n < 10000000; i++) {
		*n = *n * 10 + (s->p[i] - '0');
	}
	bool any = i > (size_t)minus;

	*n = minus ? -*n : *n;
	*s = vy_str_from(*s, i + (i < s->n && s->p[i] == ','));
	return any;
}

static void take_row(struct vy_vt *v, struct vy_str s)
{
	int y, n, goes_on;

	if (take_number(&s, &y) && take_number(&s, &n) && take_number(&s, &goes_on)) {
		grid_row_set(v->grid, y, n, goes_on != 0);
	}
}

static void take_last(struct vy_vt *v, struct vy_str s)
{
	struct vt_last l = { .n = 0 };
	int cp, cols, rows;

	vy_grid_size(v->grid, &cols, &rows);
	take_number(&s, &l.at.col); /* none: there is no last glyph */
	take_number(&s, &l.at.row);
	while (l.n < LAST_MAX && take_number(&s, &cp)) {
		if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp > 0x10ffff) {
			return;
		}
		l.chars[l.n++] = (uint32_t)cp;
	}
	if (v->origin || l.at.col < 0 || l.at.row >= rows) {
		l.at.row = -1;
	}
	vt_leave_edge(v);
	vt_set_last(v, &l);
}

void vt_private(struct vy_vt *v, struct vy_str body)
{
	while (body.n > 0) {
		const char *end = memchr(body.p, ';', body.n);
		size_t n = end ? (size_t)(end - body.p) : body.n;
		struct vy_str one = vy_str_n(body.p + 1, n > 0 ? n - 1 : 0);

		switch (n > 0 ? body.p[0] : 0) {
		case 'r': take_row(v, one); break;
		case 'l': take_last(v, one); break;
		case 'm': v->main_moved = v->modes.alt; break;
		default: break;
		}
		body = vy_str_from(body, n + 1);
	}
}
