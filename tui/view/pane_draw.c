/* pane_draw.c -- the emulator's rows as cells.
 *
 * `shown` holds what the window shows, without selection and matches; each of its rows has a number
 * (cell_rows.h) that changes with its cells, so a row that stays costs neither a conversion nor a
 * comparison. A hidden frame in the making leaves `shown` as it is. */
#include <stdlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/ink/cell_rows.h"
#include "tui/ink/theme.h"
#include "tui/view/pane_core.h"
#include "shared/base/ban.h"

#define LINKS_MAX 16384 /* that one pane may put into the pool of all */
#define RUN_MAX   256

/* ---- one row ---- */

/* Addresses of a program's links are kept for good, so one program may not have them all. */
static uint16_t link_of(struct pane *p, uint16_t link)
{
	struct vy_str url = vy_grid_link_url(vy_vt_grid(p->vt), link);
	char id[24];

	if (!link || !url.n || p->n_links >= LINKS_MAX) {
		return 0;
	}
	snprintf(id, sizeof(id), "pane-%u", link);
	uint16_t n = cell_link(p->pool, url, id);

	if (n > p->link_top) {
		p->link_top = n;
		p->n_links++;
	}
	return n;
}

static struct cell_style style_of(struct pane *p, const struct vy_vt_cell *c, bool is_reverse)
{
	struct cell_style s = { .fg = c->fg,
		.bg = c->bg == VY_VT_DEFAULT ? CELL_BARE : c->bg,
		.attrs = (uint8_t)(c->attrs & CELL_LOOKS),
		.link = c->link ? link_of(p, c->link) : 0 };

	if (is_reverse) {
		s.attrs ^= CELL_REVERSE;
	}
	return s;
}

/* Our width of a cluster and the emulator's may differ: the emulator's places are what counts. */
static void put_glyph(
	struct pane *p, struct cell_win w, int x, const struct vy_vt_cell *c, struct cell_style s)
{
	char text[VY_GRID_TEXT_MAX];
	struct vy_str t = vy_str_n(text, vy_grid_text(vy_vt_grid(p->vt), c, text));
	uint32_t cp;

	if ((c->attrs & VY_VT_CONCEAL) || x + c->width > w.w) {
		t = VY_STR_LIT(" ");
	}
	if (cell_width(p->pool, t) > c->width) {
		t.n = vy_utf8_get(t, 0, &cp); /* the base without what widens it */
	}
	if (cell_width(p->pool, t) > c->width) {
		t = VY_STR_LIT("?");
	}
	int n = cell_put(w, x, 0, t, s);

	for (; n < c->width; n++) {
		cell_put(w, x + n, 0, VY_STR_LIT(" "), s);
	}
}

static bool is_plain(const struct vy_vt_cell *c)
{
	return c->width == 1 && (c->ch == 0 || (c->ch >= ' ' && c->ch < 0x7f)) &&
	       !(c->attrs & VY_VT_CONCEAL);
}

static bool same_style(const struct vy_vt_cell *a, const struct vy_vt_cell *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attrs == b->attrs && a->link == b->link;
}

/* As many plain cells in one style as there are; returns how many. */
static int put_run(struct pane *p, struct cell_win w, const struct vy_vt_row *r, int x, bool rev)
{
	char run[RUN_MAX];
	int n = 0;

	while (n < RUN_MAX && x + n < r->n && x + n < w.w && is_plain(&r->cells[x + n]) &&
		same_style(&r->cells[x], &r->cells[x + n])) {
		uint32_t ch = r->cells[x + n].ch;

		run[n++] = ch ? (char)ch : ' ';
	}
	cell_put(w, x, 0, vy_str_n(run, (size_t)n), style_of(p, &r->cells[x], rev));
	return n;
}

static void convert(struct pane *p, int y, const struct vy_vt_row *r, bool is_reverse)
{
	struct cell_win w =
		cell_win_sub(cell_win_all(&p->shown), (struct cell_rect){ 0, y, p->shown.cols, 1 });
	struct cell_style ground = { .bg = CELL_BARE, .attrs = is_reverse ? CELL_REVERSE : 0 };
	int cols, rows, x = 0;

	pane_size(p, &cols, &rows);
	cell_fill(w, (struct cell_rect){ 0, 0, w.w, 1 }, (struct cell_style){ .bg = CELL_BARE });
	cell_fill(w, (struct cell_rect){ 0, 0, cols, 1 }, ground);
	while (r && x < r->n && x < w.w) {
		const struct vy_vt_cell *c = &r->cells[x];

		if (is_plain(c)) {
			x += put_run(p, w, r, x, is_reverse);
		} else {
			if (c->width > 0) {
				put_glyph(p, w, x, c, style_of(p, c, is_reverse));
			}
			x += c->width > 1 ? c->width : 1;
		}
	}
}

/* ---- the window ---- */

static void fit(struct pane *p, int cols, int rows)
{
	if (cols != p->shown.cols || rows != p->shown.rows) {
		cell_grid_resize(&p->shown, cols, rows);
		free(p->number);
		p->number = vy_calloc((size_t)rows + 1, sizeof(*p->number));
		p->is_stale = true;
		p->sync_since_ms = -1;
	}
}

/* A program draws a frame: what it shows half-made stays unseen for a while. */
static bool is_hidden(struct pane *p, int64_t now_ms)
{
	if (!vy_vt_modes(p->vt).sync) {
		p->sync_since_ms = -1;
		return false;
	}
	if (p->sync_since_ms < 0) {
		p->sync_since_ms = now_ms;
	}
	return now_ms - p->sync_since_ms < PANE_SYNC_MS && !p->is_stale;
}

static void bring(struct pane *p)
{
	struct vy_vt_modes modes = vy_vt_modes(p->vt);
	int64_t top = pane_view_top(p, p->shown.rows);
	bool all = p->is_stale || top != p->shown_top || modes.reverse != p->shown_reverse;

	for (int y = 0; y < p->shown.rows; y++) {
		const struct vy_vt_row *r = pane_row(p, top + y);

		if (all || (r && r->dirty)) {
			convert(p, y, r, modes.reverse);
			p->number[y] = cell_number(p->pool);
		}
	}
	vy_vt_clean(p->vt);
	vy_vt_cursor(p->vt, &p->cursor_x, &p->cursor_y);
	p->cursor_y += (int)(pane_screen(p) - top);
	p->shown_modes = modes;
	p->shown_top = top;
	p->shown_reverse = modes.reverse;
	p->is_stale = false;
}

/* ---- what lies on it ---- */

static bool tint(struct pane *p, struct cell_win w, int y, int x0, int x1, enum theme_role role)
{
	struct cell_style s = theme_on(role, role);

	s.attrs = 0;
	x1 = x1 > w.w ? w.w : x1;
	(void)p;
	if (x0 < x1) {
		cell_tint(w, (struct cell_rect){ x0, y, x1 - x0, 1 }, s);
	}
	return x0 < x1;
}

static size_t first_hit(const struct pane *p, int64_t line)
{
	size_t lo = 0, hi = p->n_hits;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (p->hits[mid].to.line < line) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo;
}

static bool is_marked(const struct pane *p, int64_t line)
{
	size_t i = first_hit(p, line);
	int x0, x1;

	return pane_selected(p, line, &x0, &x1) || (i < p->n_hits && p->hits[i].from.line <= line);
}

static void draw_marks(struct pane *p, struct cell_win w, int y)
{
	int64_t line = p->shown_top + y;
	int x0, x1;

	for (size_t i = first_hit(p, line); i < p->n_hits && p->hits[i].from.line <= line; i++) {
		const struct pane_hit *h = &p->hits[i];

		tint(p, w, y, h->from.line == line ? h->from.x : 0,
			h->to.line == line ? h->to.x : p->shown.cols,
			i + 1 == p->hit ? THEME_MATCH_NOW : THEME_MATCH);
	}
	if (pane_selected(p, line, &x0, &x1)) {
		tint(p, w, y, x0, x1, THEME_SELECT);
	}
}

static enum screen_shape shape_of(struct vy_vt_modes m)
{
	return m.shape == VY_VT_BAR     ? SCREEN_CURSOR_BAR
	       : m.shape == VY_VT_UNDER ? SCREEN_CURSOR_UNDERLINE
					: SCREEN_CURSOR_BLOCK;
}

static struct screen_cursor cursor_of(const struct pane *p, struct cell_win w)
{
	struct screen_cursor c = { .x = p->cursor_x,
		.y = p->cursor_y,
		.visible = p->shown_modes.cursor_visible,
		.shape = shape_of(p->shown_modes) };

	if (p->is_looking) {
		c = (struct screen_cursor){ .x = p->mark.x,
			.y = (int)(p->mark.line - p->shown_top),
			.visible = true,
			.shape = SCREEN_CURSOR_BLOCK };
	}
	c.visible &= c.y >= 0 && c.y < w.h && c.x < w.w;
	c.x = w.x + (c.x < w.w ? c.x : w.w - 1);
	c.y = w.y + (c.y < 0 ? 0 : c.y < w.h ? c.y : w.h - 1);
	return c;
}

void pane_draw(struct pane *p, struct cell_win w, int64_t now_ms, struct screen_cursor *cursor)
{
	if (w.w < 1 || w.h < 1) {
		return;
	}
	fit(p, w.w, w.h);
	if (!is_hidden(p, now_ms)) {
		bring(p);
	}
	for (int y = 0; y < w.h; y++) {
		bool has_marks = is_marked(p, p->shown_top + y);

		if (has_marks || !cell_row_keep(w, y, p->number[y])) {
			cell_blit(w, 0, y, &p->shown, (struct cell_rect){ 0, y, w.w, 1 });
			if (has_marks) {
				draw_marks(p, w, y);
			} else {
				cell_row_is(w, y, p->number[y]);
			}
		}
	}
	if (cursor) {
		*cursor = cursor_of(p, w);
	}
}

int64_t pane_next_ms(const struct pane *p, int64_t now_ms)
{
	int64_t left = PANE_SYNC_MS - (now_ms - p->sync_since_ms);

	return p->sync_since_ms < 0 ? -1 : left > 0 ? left : 0;
}
