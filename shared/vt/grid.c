/* grid.c -- see grid.h. Reading and the verbs of a terminal; resizing is grid_flow.c.
 *
 * A cell's `ch` is a code point, or LONG plus the number of a cluster in the pool. Verbs clip their
 * arguments first; then heal() takes care of wide glyphs at the borders of what is about to change,
 * so inside of a verb whole glyphs may be assumed. */
#include "shared/vt/grid.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/vt/grid_rows.h"
#include "shared/base/ban.h"

#define LONG         0x80000000u
#define CLUSTERS_MAX 65536
#define LINKS_MAX    4096
#define URL_MAX      2048

struct vy_grid *vy_grid_new(int cols, int rows, int scrollback)
{
	struct vy_grid *g = VY_NEW(struct vy_grid);

	vy_assert(cols > 0 && rows > 0 && scrollback >= 0);
	g->cols = cols;
	g->rows = rows;
	g->main = grid_rows_new(rows, cols);
	g->ring.max = (size_t)scrollback;
	grid_pool_init(&g->clusters, CLUSTERS_MAX);
	grid_pool_init(&g->links, LINKS_MAX);
	return g;
}

void vy_grid_free(struct vy_grid *g)
{
	if (!g) {
		return;
	}
	grid_rows_free(g->main, g->rows);
	grid_rows_free(g->alt, g->rows);
	grid_ring_clear(&g->ring);
	free(g->ring.rows);
	grid_pool_fini(&g->clusters);
	grid_pool_fini(&g->links);
	free(g);
}

/* ---- reading ---- */

void vy_grid_size(const struct vy_grid *g, int *cols, int *rows)
{
	*cols = g->cols;
	*rows = g->rows;
}

bool vy_grid_is_alt(const struct vy_grid *g)
{
	return g->is_alt;
}

int vy_grid_scrollback(const struct vy_grid *g)
{
	return g->is_alt ? 0 : (int)g->ring.n;
}

uint64_t vy_grid_scrolled(const struct vy_grid *g)
{
	return g->scrolled;
}

static struct vy_vt_row *row_of(const struct vy_grid *g, int y)
{
	return g->is_alt ? &g->alt[y] : &g->main[y];
}

const struct vy_vt_row *vy_grid_row(const struct vy_grid *g, int y)
{
	if (y >= g->rows || y < -vy_grid_scrollback(g)) {
		return NULL;
	}
	return y >= 0 ? row_of(g, y) : grid_ring_at(&g->ring, g->ring.n - (size_t)-y);
}

const struct vy_vt_cell *vy_grid_cell(const struct vy_grid *g, int x, int y)
{
	const struct vy_vt_row *r = vy_grid_row(g, y);

	return r && x >= 0 && x < r->n ? &r->cells[x] : &grid_blank;
}

size_t vy_grid_text(const struct vy_grid *g, const struct vy_vt_cell *c, char *out)
{
	if (c->ch == 0) {
		out[0] = ' ';
		return 1;
	}
	if (c->ch & LONG) {
		struct vy_str s = grid_pool_get(&g->clusters, c->ch & ~LONG);

		memcpy(out, s.p, s.n);
		return s.n;
	}
	return vy_utf8_put(c->ch, out);
}

struct vy_str vy_grid_link_url(const struct vy_grid *g, uint16_t link)
{
	struct vy_str s = grid_pool_get(&g->links, link - 1u);
	const char *nul = link && s.n ? memchr(s.p, '\0', s.n) : NULL;

	return nul ? vy_str_n(s.p, (size_t)(nul - s.p)) : vy_str_n(NULL, 0);
}

void vy_grid_clean(struct vy_grid *g)
{
	for (int y = 0; y < g->rows; y++) {
		row_of(g, y)->dirty = false;
	}
}

/* ---- clusters and links ---- */

static void mark_row(struct vy_grid *g, const struct grid_pool *p, const struct vy_vt_row *r)
{
	for (int x = 0; x < r->n; x++) {
		if (p == &g->links) {
			grid_pool_mark(&g->links, r->cells[x].link - 1u);
		} else if (r->cells[x].ch & LONG) {
			grid_pool_mark(&g->clusters, r->cells[x].ch & ~LONG);
		}
	}
}

static void sweep(struct vy_grid *g, struct grid_pool *p)
{
	for (int y = 0; y < g->rows; y++) {
		mark_row(g, p, &g->main[y]);
		if (g->alt) {
			mark_row(g, p, &g->alt[y]);
		}
	}
	for (size_t i = 0; i < g->ring.n; i++) {
		mark_row(g, p, grid_ring_at(&g->ring, i));
	}
	if (p == &g->links) {
		grid_pool_mark(p, g->link - 1u);
	}
	grid_pool_sweep(p);
}

static bool intern(struct vy_grid *g, struct grid_pool *p, struct vy_str s, uint32_t *number)
{
	if (grid_pool_add(p, s, number)) {
		return true;
	}
	if (!grid_pool_wants_sweep(p)) {
		return false;
	}
	sweep(g, p);
	return grid_pool_add(p, s, number);
}

/* What a terminal must not show is U+FFFD; of a cluster that is too long, the beginning. */
static uint32_t char_of(struct vy_grid *g, const uint32_t *chars, size_t n)
{
	char text[VY_GRID_TEXT_MAX];
	size_t len = 0;
	uint32_t number, first = chars[0];

	if (first < 0x20 || (first >= 0x7f && first < 0xa0) || first > 0x10ffff) {
		first = VY_UTF8_BAD;
	}
	if (n == 1) {
		return first == ' ' ? 0 : first;
	}
	for (size_t i = 0; i < n && len + 4 <= sizeof(text); i++) {
		len += vy_utf8_put(i == 0 ? first : chars[i], text + len);
	}
	return intern(g, &g->clusters, vy_str_n(text, len), &number) ? LONG | number : first;
}

uint16_t vy_grid_link(struct vy_grid *g, struct vy_str url, struct vy_str id)
{
	VY_AUTO_BUF key = VY_BUF_INIT(2 * URL_MAX + 2);
	uint32_t number;

	if (url.n == 0 || url.n > URL_MAX || id.n > URL_MAX || memchr(url.p, '\0', url.n)) {
		return 0;
	}
	vy_buf_addstr(&key, url);
	vy_buf_addc(&key, '\0');
	vy_buf_addstr(&key, id);
	g->link = intern(g, &g->links, vy_buf_str(&key), &number) ? (uint16_t)(number + 1) : 0;
	return g->link;
}

/* ---- writing ---- */

static void unhalf(struct vy_vt_cell *c)
{
	c->ch = 0;
	c->width = 1;
}

/* Cells x0 … x1-1 will change: a wide glyph across either border loses the half outside. */
static void heal(struct vy_vt_row *r, int x0, int x1)
{
	if (x0 > 0 && x0 < r->n && r->cells[x0].width == 0) {
		unhalf(&r->cells[x0 - 1]);
		unhalf(&r->cells[x0]);
	}
	if (x1 > 0 && x1 < r->n && r->cells[x1].width == 0) {
		unhalf(&r->cells[x1 - 1]);
		unhalf(&r->cells[x1]);
	}
}

void vy_grid_put(struct vy_grid *g, int x, int y, const uint32_t *chars, size_t n, int width,
	const struct vy_vt_pen *pen, bool continues)
{
	if (x < 0 || y < 0 || y >= g->rows || width < 1 || width > 2 || x + width > g->cols ||
		n == 0) {
		return;
	}
	struct vy_vt_row *r = row_of(g, y);

	grid_row_reach(r, x + width);
	heal(r, x, x + width);
	r->cells[x] = (struct vy_vt_cell){ .ch = char_of(g, chars, n),
		.fg = pen->fg,
		.bg = pen->bg,
		.link = pen->link,
		.attrs = pen->attrs,
		.width = (uint8_t)width };
	if (width == 2) {
		r->cells[x + 1] = r->cells[x];
		r->cells[x + 1].ch = 0;
		r->cells[x + 1].width = 0;
	}
	r->continues = r->continues || (continues && x == 0);
	r->dirty = true;
}

void vy_grid_put_ascii(
	struct vy_grid *g, int x, int y, struct vy_str text, const struct vy_vt_pen *pen)
{
	int n = (int)text.n;

	if (x < 0 || y < 0 || y >= g->rows || n < 1 || x + n > g->cols) {
		return;
	}
	struct vy_vt_row *r = row_of(g, y);
	struct vy_vt_cell cell = {
		.fg = pen->fg, .bg = pen->bg, .link = pen->link, .attrs = pen->attrs, .width = 1
	};

	grid_row_reach(r, x + n);
	heal(r, x, x + n);
	for (int i = 0; i < n; i++) {
		cell.ch = text.p[i] == ' ' ? 0 : (unsigned char)text.p[i];
		r->cells[x + i] = cell;
	}
	r->dirty = true;
}

static struct vy_vt_rect clipped(const struct vy_grid *g, struct vy_vt_rect r)
{
	r.x0 = r.x0 < 0 ? 0 : r.x0;
	r.y0 = r.y0 < 0 ? 0 : r.y0;
	r.x1 = r.x1 > g->cols ? g->cols : r.x1;
	r.y1 = r.y1 > g->rows ? g->rows : r.y1;
	return r;
}

static void erase_row(struct vy_grid *g, int y, int x0, int x1, struct vy_vt_pen pen)
{
	struct vy_vt_row *r = row_of(g, y);

	heal(r, x0, x1);
	if (pen.bg == VY_VT_DEFAULT && x1 >= r->n) {
		r->n = r->n < x0 ? r->n : x0;
	} else {
		grid_row_reach(r, x1);
		for (int x = x0; x < x1; x++) {
			r->cells[x] = (struct vy_vt_cell){ .bg = pen.bg, .width = 1 };
		}
	}
	r->dirty = true;
	if (x0 == 0 && x1 == g->cols) {
		r->continues = false;
	}
	if (x1 == g->cols && y + 1 < g->rows) { /* what comes below goes on from nothing now */
		row_of(g, y + 1)->continues = false;
	}
}

void vy_grid_erase(struct vy_grid *g, struct vy_vt_rect r, struct vy_vt_pen pen)
{
	r = clipped(g, r);
	for (int y = r.y0; r.x0 < r.x1 && y < r.y1; y++) {
		erase_row(g, y, r.x0, r.x1, pen);
	}
}

/* ---- scrolling ---- */

/* Whole rows: only their pointers move. */
static void scroll_rows(struct vy_grid *g, int y0, int y1, int down, struct vy_vt_pen pen)
{
	struct vy_vt_row *rows = row_of(g, 0);
	int n = abs(down), height = y1 - y0;

	for (int i = 0; i < n; i++) {
		int from = down > 0 ? y0 : y1 - 1;
		struct vy_vt_row r = rows[from];

		if (down > 0) {
			if (y0 == 0 && !g->is_alt) {
				grid_ring_push(&g->ring, &r);
				g->scrolled++;
			}
			memmove(&rows[y0], &rows[y0 + 1], (size_t)(height - 1) * sizeof(r));
		} else {
			memmove(&rows[y0 + 1], &rows[y0], (size_t)(height - 1) * sizeof(r));
		}
		grid_row_clear(&r);
		rows[down > 0 ? y1 - 1 : y0] = r;
	}
	vy_grid_erase(g,
		(struct vy_vt_rect){ 0, down > 0 ? y1 - n : y0, g->cols, down > 0 ? y1 : y0 + n },
		pen);
	for (int y = y0; y < y1; y++) {
		rows[y].dirty = true;
	}
	if (down > 0 && y0 > 0) { /* the row above was not moved along */
		rows[y0].continues = false;
	}
}

/* After a copy: a half that lost its other half at the border before x. */
static void mend(struct vy_vt_row *r, int x)
{
	bool left = x > 0 && x <= r->n && r->cells[x - 1].width == 2;
	bool right = x < r->n && r->cells[x].width == 0;

	if (left && !right) {
		unhalf(&r->cells[x - 1]);
	} else if (right && !left) {
		unhalf(&r->cells[x]);
	}
}

static void copy_cells(struct vy_grid *g, struct vy_vt_rect r, int to_x, int to_y, int y)
{
	struct vy_vt_row *from = row_of(g, y), *to = row_of(g, to_y);
	int n = r.x1 - r.x0;

	if (n <= 0) {
		return;
	}
	grid_row_reach(from, r.x1);
	grid_row_reach(to, to_x + n);
	heal(from, r.x0, r.x1);
	memmove(&to->cells[to_x], &from->cells[r.x0], (size_t)n * sizeof(struct vy_vt_cell));
	mend(to, to_x);
	mend(to, to_x + n);
	to->dirty = true;
}

/* A part of the rows: cells are copied, in the order that overwrites nothing needed. */
static void scroll_cells(
	struct vy_grid *g, struct vy_vt_rect r, int down, int right, struct vy_vt_pen pen)
{
	struct vy_vt_rect src = { r.x0 + (right > 0 ? right : 0), r.y0 + (down > 0 ? down : 0),
		r.x1 + (right < 0 ? right : 0), r.y1 + (down < 0 ? down : 0) };
	int rows = src.y1 - src.y0;

	for (int i = 0; i < rows; i++) {
		int y = down >= 0 ? src.y0 + i : src.y1 - 1 - i;

		copy_cells(g, src, src.x0 - right, y - down, y);
	}
	if (down) {
		vy_grid_erase(g,
			(struct vy_vt_rect){ r.x0, down > 0 ? r.y1 - down : r.y0, r.x1,
				down > 0 ? r.y1 : r.y0 - down },
			pen);
	}
	if (right) {
		vy_grid_erase(g,
			(struct vy_vt_rect){ right > 0 ? r.x1 - right : r.x0, r.y0,
				right > 0 ? r.x1 : r.x0 - right, r.y1 },
			pen);
	}
}

static int within(int v, int most)
{
	return v > most ? most : v < -most ? -most : v;
}

void vy_grid_scroll(
	struct vy_grid *g, struct vy_vt_rect r, int down, int right, struct vy_vt_pen pen)
{
	r = clipped(g, r);
	if (r.x0 >= r.x1 || r.y0 >= r.y1 || (!down && !right)) {
		return;
	}
	down = within(down, r.y1 - r.y0);
	right = within(right, r.x1 - r.x0);
	if (r.x0 == 0 && r.x1 == g->cols && !right) {
		scroll_rows(g, r.y0, r.y1, down, pen);
	} else {
		scroll_cells(g, r, down, right, pen);
	}
}

void vy_grid_set_alt(struct vy_grid *g, bool on)
{
	if (on && !g->alt) {
		g->alt = grid_rows_new(g->rows, g->cols);
	}
	g->is_alt = on;
	for (int y = 0; y < g->rows; y++) {
		if (on) {
			grid_row_clear(&g->alt[y]);
		}
		row_of(g, y)->dirty = true;
	}
}

void vy_grid_clear_scrollback(struct vy_grid *g)
{
	grid_ring_clear(&g->ring);
}

/* ---- resizing ---- */

/* The alternate screen is cut or padded: its program draws again. */
static void resize_alt(struct vy_grid *g, int cols, int rows)
{
	struct vy_vt_row *alt = grid_rows_new(rows, cols);

	for (int y = 0; y < rows && y < g->rows; y++) {
		struct vy_vt_row *from = &g->alt[y];
		int n = from->n < cols ? from->n : cols;

		heal(from, 0, cols);
		memcpy(alt[y].cells, from->cells, (size_t)n * sizeof(struct vy_vt_cell));
		alt[y].n = n;
	}
	grid_rows_free(g->alt, g->rows);
	g->alt = alt;
}

void vy_grid_resize(struct vy_grid *g, int cols, int rows, int *x, int *y)
{
	vy_assert(cols > 0 && rows > 0);
	if (cols == g->cols && rows == g->rows) {
		return;
	}
	if (g->alt) {
		resize_alt(g, cols, rows);
	}
	grid_flow(g, cols, rows, x, y);
	g->cols = cols;
	g->rows = rows;
}
