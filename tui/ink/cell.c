/* cell.c -- see cell.h.
 *
 * A cell's text is its cluster, NUL-padded; all zero is a blank. A cluster that does not fit begins
 * with LONG_MARK (no UTF-8 byte) and has its pool number in the last four bytes, so equal cells
 * have equal bytes and a row is compared with memcmp.
 *
 * Only set(), fill_row(), tint() and blit_row() change what stands in a grid; the first two and the
 * last heal the glyphs whose half they are about to cover. Who calls them has clipped, and has said
 * which row it is (cell_row_touch). */
#include "tui/ink/cell.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/ink/cell_pool.h"
#include "tui/ink/cell_rows.h"
#include "shared/base/ban.h"

#define LONG_MARK '\xff'

/* ---- grids ---- */

void cell_clear(struct cell *c, size_t n)
{
	memset(c, 0, n * sizeof(*c));
	for (size_t i = 0; i < n; i++) {
		c[i].width = 1;
	}
}

void cell_grid_init(struct cell_grid *g, struct cell_pool *pool, int cols, int rows)
{
	*g = (struct cell_grid){ .pool = pool };
	cell_grid_resize(g, cols, rows);
}

void cell_grid_fini(struct cell_grid *g)
{
	free(g->cells);
	free(g->row);
	*g = (struct cell_grid){ 0 };
}

void cell_grid_resize(struct cell_grid *g, int cols, int rows)
{
	vy_assert(cols >= 0 && rows >= 0);
	if (cols != g->cols || rows != g->rows) {
		free(g->cells);
		g->cells = vy_calloc((size_t)cols * (size_t)rows, sizeof(struct cell));
		g->cols = cols;
		g->rows = rows;
		g->split = 0;
		if (g->row) {
			cell_grid_watch(g);
		}
	}
	cell_grid_clear(g);
}

void cell_grid_clear(struct cell_grid *g)
{
	cell_clear(g->cells, (size_t)g->cols * (size_t)g->rows);
	g->frame++;
	for (int y = 0; g->row && y < g->rows; y++) {
		struct cell_side blank = { CELL_NUMBER_BLANK, g->frame };

		g->row[y] = (struct cell_row){ { blank, blank } };
	}
}

void cell_grid_copy(struct cell_grid *to, const struct cell_grid *from)
{
	vy_assert(to->pool == from->pool);
	if (to->cols != from->cols || to->rows != from->rows) {
		cell_grid_resize(to, from->cols, from->rows);
	}
	cell_grid_split(to, from->split);
	for (int y = 0; y < from->rows; y++) {
		cell_row_copy(to, y, from, y);
	}
}

static struct cell *cell_of(const struct cell_grid *g, int x, int y)
{
	return &g->cells[(size_t)y * (size_t)g->cols + (size_t)x];
}

const struct cell *cell_at(const struct cell_grid *g, int x, int y)
{
	return x < 0 || y < 0 || x >= g->cols || y >= g->rows ? NULL : cell_of(g, x, y);
}

struct vy_str cell_text(const struct cell_grid *g, const struct cell *c)
{
	if (c->text[0] == '\0') {
		return VY_STR_LIT(" ");
	}
	if (c->text[0] == LONG_MARK) {
		uint32_t number;

		memcpy(&number, c->text + 4, sizeof(number));
		return cell_pool_text(g->pool, number);
	}
	return vy_str_n(c->text, strnlen(c->text, sizeof(c->text)));
}

bool cell_diff_row(const struct cell_grid *a, const struct cell_grid *b, int y, int *x0, int *x1)
{
	vy_assert(a->cols == b->cols && a->rows == b->rows && a->pool == b->pool);
	const struct cell *p = cell_of(a, 0, y), *q = cell_of(b, 0, y);
	int first = 0, last = a->cols - 1;

	if (memcmp(p, q, (size_t)a->cols * sizeof(*p)) == 0) {
		return false;
	}
	while (cell_same(&p[first], &q[first])) {
		first++;
	}
	while (cell_same(&p[last], &q[last])) {
		last--;
	}
	while (first > 0 && (p[first].width == 0 || q[first].width == 0)) {
		first--;
	}
	while (last + 1 < a->cols && (p[last + 1].width == 0 || q[last + 1].width == 0)) {
		last++;
	}
	*x0 = first;
	*x1 = last;
	return true;
}

/* ---- those that write ---- */

static void unhalf(struct cell *c)
{
	memset(c->text, 0, sizeof(c->text));
	c->width = 1;
}

/* Cells x … x+n-1 are about to be overwritten: a glyph that reaches in from outside loses the half
 * that stays. */
static void heal(struct cell_grid *g, int x, int y, int n)
{
	if (x > 0 && cell_of(g, x, y)->width == 0) {
		unhalf(cell_of(g, x - 1, y));
	}
	if (x + n < g->cols && cell_of(g, x + n, y)->width == 0) {
		unhalf(cell_of(g, x + n, y));
	}
}

static uint32_t ground(uint32_t wanted, const struct cell *below)
{
	return wanted == CELL_DEFAULT ? below->bg : wanted == CELL_BARE ? CELL_DEFAULT : wanted;
}

/* Puts a whole glyph; it is inside of the grid. */
static void set(struct cell_grid *g, int x, int y, const char text[CELL_TEXT_INLINE], int width,
	struct cell_style s)
{
	struct cell *c = cell_of(g, x, y);

	heal(g, x, y, width);
	memcpy(c->text, text, sizeof(c->text));
	c->bg = ground(s.bg, c);
	c->fg = s.fg;
	c->attrs = s.attrs;
	c->link = s.link;
	c->width = (uint8_t)width;
	if (width == 2) {
		c[1] = c[0];
		unhalf(&c[1]);
		c[1].width = 0;
	}
}

/* n blanks. */
static void fill_row(struct cell_grid *g, int x, int y, int n, struct cell_style s)
{
	struct cell *c = cell_of(g, x, y);

	heal(g, x, y, n);
	for (int i = 0; i < n; i++) {
		c[i] = (struct cell){ .fg = s.fg,
			.bg = ground(s.bg, &c[i]),
			.link = s.link,
			.attrs = s.attrs,
			.width = 1 };
	}
}

/* ---- windows ---- */

static int max_of(int a, int b)
{
	return a > b ? a : b;
}

static int min_of(int a, int b)
{
	return a < b ? a : b;
}

static struct cell_rect meet(struct cell_rect a, struct cell_rect b)
{
	int x = max_of(a.x, b.x), y = max_of(a.y, b.y);
	int x1 = min_of(a.x + a.w, b.x + b.w), y1 = min_of(a.y + a.h, b.y + b.h);

	return (struct cell_rect){ x, y, max_of(x1 - x, 0), max_of(y1 - y, 0) };
}

/* The part of r (of the window) that may be drawn, in the grid. */
static struct cell_rect shown(struct cell_win w, struct cell_rect r)
{
	return meet((struct cell_rect){ w.x + r.x, w.y + r.y, r.w, r.h }, w.clip);
}

struct cell_win cell_win_all(struct cell_grid *g)
{
	return (struct cell_win){
		.grid = g, .clip = { 0, 0, g->cols, g->rows }, .w = g->cols, .h = g->rows
	};
}

struct cell_win cell_win_sub(struct cell_win w, struct cell_rect r)
{
	return (struct cell_win){ .grid = w.grid,
		.x = w.x + r.x,
		.y = w.y + r.y,
		.clip = shown(w, r),
		.w = max_of(r.w, 0),
		.h = max_of(r.h, 0) };
}

/* ---- text ---- */

/* A glyph as it is stored. What the door should have caught becomes U+FFFD here. */
struct glyph {
	char text[CELL_TEXT_INLINE];
	int width;
};

static bool is_control(struct vy_str s, size_t at)
{
	uint32_t cp;

	vy_utf8_get(s, at, &cp);
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) ||
	       cp == 0x61c || /* and what turns a row round */
	       (cp >= 0x200e && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e) ||
	       (cp >= 0x2066 && cp <= 0x2069) || (cp & 0xfffe) == 0xfffe; /* no characters at all */
}

/* Copies a cluster that is not plain ASCII; only its first `room` bytes that make characters. */
static size_t clean(struct vy_str s, char *out, size_t room)
{
	size_t n = 0;

	for (size_t at = 0; at < s.n;) {
		uint32_t cp;
		char one[4];
		size_t len = vy_utf8_get(s, at, &cp);
		size_t k = vy_utf8_put(is_control(s, at) ? VY_UTF8_BAD : cp, one);

		if (n + k > room) {
			break;
		}
		memcpy(out + n, one, k);
		n += k;
		at += len;
	}
	return n;
}

static void glyph_long(struct cell_pool *p, struct vy_str s, struct glyph *g)
{
	char whole[3 * VY_CLUSTER_MAX];
	size_t n = clean(s, whole, sizeof(whole));
	uint32_t number;

	if (n <= sizeof(g->text)) {
		memcpy(g->text, whole, n);
	} else if (cell_pool_cluster(p, vy_str_n(whole, n), &number)) {
		g->text[0] = LONG_MARK;
		memcpy(g->text + 4, &number, sizeof(number));
	} else {
		clean(s, g->text, sizeof(g->text));
	}
}

/* The glyph at `at` (< text.n) and the end of its bytes; width 0 means nothing to show. */
static size_t glyph_at(struct cell_pool *p, struct vy_str text, size_t at, struct glyph *g)
{
	unsigned char c = (unsigned char)text.p[at];

	memset(g, 0, sizeof(*g));
	if (c >= 0x20 && c < 0x7f && (at + 1 == text.n || (unsigned char)text.p[at + 1] < 0x80)) {
		g->text[0] = c == ' ' ? '\0' : (char)c;
		g->width = 1;
		return at + 1;
	}
	unsigned cells = 1;
	size_t end = vy_width_piece(text, at, cell_pool_width(p), &cells);

	g->width = is_control(text, at) ? 1 : (int)cells;
	if (g->width > 0) {
		glyph_long(p, vy_str_n(text.p + at, end - at), g);
	}
	return end;
}

int cell_width(const struct cell_pool *p, struct vy_str text)
{
	int n = 0;

	for (size_t at = 0; at < text.n;) {
		unsigned cells = 1;
		size_t end = vy_width_piece(text, at, cell_pool_width(p), &cells);

		n += is_control(text, at) ? 1 : (int)cells;
		at = end;
	}
	return n;
}

/* Puts a glyph at x,y of the grid as far as the clip shows it whole; else blanks in its place. */
static void put_glyph(struct cell_win w, int x, int y, const struct glyph *g, struct cell_style s)
{
	int x1 = w.clip.x + w.clip.w, from = max_of(x, w.clip.x),
	    n = min_of(x + g->width, x1) - from;

	if (n == g->width) {
		set(w.grid, x, y, g->text, g->width, s);
	} else if (n > 0) {
		fill_row(w.grid, from, y, n, s);
	}
}

/* The bytes from `at` on that are a glyph of one cell each, at most `most`. */
static int plain_run(struct vy_str text, size_t at, int most)
{
	int n = 0;

	while (n < most && at < text.n && text.p[at] >= 0x20 && text.p[at] < 0x7f) {
		at++;
		n++;
	}
	return n > 0 && at < text.n && (unsigned char)text.p[at] >= 0x80 ? n - 1 : n; /* e◌́ */
}

static void put_plain(
	struct cell_grid *g, int x, int y, const char *text, int n, struct cell_style s)
{
	struct cell *c = cell_of(g, x, y);

	fill_row(g, x, y, n, s);
	for (int i = 0; i < n; i++) {
		c[i].text[0] = text[i] == ' ' ? '\0' : text[i];
	}
}

int cell_put(struct cell_win w, int x, int y, struct vy_str text, struct cell_style s)
{
	int at_x = x, gy = w.y + y, x1 = w.clip.x + w.clip.w;
	bool visible = gy >= w.clip.y && gy < w.clip.y + w.clip.h;

	if (visible && text.n > 0) {
		cell_row_touch(w.grid, gy, w.clip.x, w.clip.w);
	}
	for (size_t at = 0; at < text.n && at_x < w.w;) {
		int gx = w.x + at_x,
		    n = visible && gx >= w.clip.x ? plain_run(text, at, x1 - gx) : 0;
		struct glyph g;

		if (n > 0) {
			put_plain(w.grid, gx, gy, text.p + at, n, s);
			at += (size_t)n;
			at_x += n;
			continue;
		}
		at = glyph_at(w.grid->pool, text, at, &g);
		if (visible && g.width > 0) {
			put_glyph(w, gx, gy, &g, s);
		}
		at_x += g.width;
	}
	return min_of(at_x, max_of(w.w, x)) - x;
}

int cell_puts(struct cell_win w, int x, int y, const char *text, struct cell_style s)
{
	return cell_put(w, x, y, vy_str_c(text), s);
}

int cell_puts_right(struct cell_win w, int x, int y, const char *text, struct cell_style s)
{
	int at = x - cell_width(w.grid->pool, vy_str_c(text));

	cell_puts(w, at, y, text, s);
	return at;
}

/* ---- areas ---- */

void cell_fill(struct cell_win w, struct cell_rect r, struct cell_style s)
{
	struct cell_rect v = shown(w, r);

	bool is_blank = v.w == w.grid->cols && s.bg == CELL_BARE && s.fg == CELL_DEFAULT &&
			s.attrs == 0 && s.link == 0; /* whole rows, as if new */

	for (int y = v.y; y < v.y + v.h && v.w > 0; y++) {
		cell_row_touch(w.grid, y, v.x, v.w);
		if (is_blank) {
			cell_clear(cell_of(w.grid, 0, y), (size_t)v.w);
		} else {
			fill_row(w.grid, v.x, y, v.w, s);
		}
	}
}

static void tint(struct cell *c, struct cell_style s)
{
	c->fg = s.fg == CELL_DEFAULT ? c->fg : s.fg == CELL_BARE ? CELL_DEFAULT : s.fg;
	c->bg = ground(s.bg, c);
	c->attrs |= s.attrs;
	c->link = s.link ? s.link : c->link;
}

void cell_put_tab(struct cell_win w, int x, int y, int cells, struct cell_style s)
{
	for (int i = 0; i < cells; i++) {
		struct cell_style one = s;

		one.attrs |= i ? CELL_TAB_REST : CELL_TAB;
		cell_fill(w, (struct cell_rect){ x + i, y, 1, 1 }, one);
	}
}

void cell_tint(struct cell_win w, struct cell_rect r, struct cell_style s)
{
	struct cell_rect v = shown(w, r);

	for (int y = v.y; y < v.y + v.h; y++) {
		cell_row_touch(w.grid, y, v.x, v.w);
		for (int x = v.x; x < v.x + v.w; x++) {
			struct cell *c = cell_of(w.grid, x, y);

			if (c->width == 0 &&
				x == v.x) { /* its glyph stands outside, in one style */
				continue;
			}
			tint(c, s);
			if (c->width == 2 && x + 1 == v.x + v.w) {
				tint(&c[1], s);
			}
		}
	}
}

void cell_hline(struct cell_win w, int x, int y, int n, const char *glyph, struct cell_style s)
{
	for (int i = 0; i < n; i++) {
		cell_puts(w, x + i, y, glyph, s);
	}
}

/* Where ambiguous characters are wide, so are borders: they are drawn in ASCII then. */
void cell_box(struct cell_win w, struct cell_rect r, struct cell_style s)
{
	static const char *const round[] = { "╭", "╮", "╰", "╯", "─", "│" };
	static const char *const ascii[] = { "+", "+", "+", "+", "-", "|" };
	const char *const *g = cell_pool_width(w.grid->pool).ambiguous_wide ? ascii : round;
	int x1 = r.x + r.w - 1, y1 = r.y + r.h - 1;

	if (r.w < 2 || r.h < 2) {
		return;
	}
	cell_puts(w, r.x, r.y, g[0], s);
	cell_puts(w, x1, r.y, g[1], s);
	cell_puts(w, r.x, y1, g[2], s);
	cell_puts(w, x1, y1, g[3], s);
	cell_hline(w, r.x + 1, r.y, r.w - 2, g[4], s);
	cell_hline(w, r.x + 1, y1, r.w - 2, g[4], s);
	for (int y = r.y + 1; y < y1; y++) {
		cell_puts(w, r.x, y, g[5], s);
		cell_puts(w, x1, y, g[5], s);
	}
}

/* n cells that are wholly inside of the clip, row to row; only glyphs whose half is missing need care. */
static void blit_row(struct cell_grid *g, int x, int y, const struct cell *from, int n)
{
	struct cell *to = cell_of(g, x, y);

	heal(g, x, y, n);
	for (int i = 0; i < n; i++) {
		uint32_t bg = to[i].bg;

		to[i] = from[i];
		to[i].bg = from[i].bg == CELL_DEFAULT ? bg : ground(from[i].bg, &to[i]);
	}
	if (to[0].width == 0) {
		unhalf(&to[0]);
	}
	if (to[n - 1].width == 2) {
		unhalf(&to[n - 1]);
	}
}

void cell_blit(struct cell_win w, int x, int y, const struct cell_grid *from, struct cell_rect r)
{
	struct cell_rect have = meet(r, (struct cell_rect){ 0, 0, from->cols, from->rows });
	int dx = w.x + x - r.x, dy = w.y + y - r.y;

	vy_assert(from != w.grid && from->pool == w.grid->pool);
	struct cell_rect to =
		meet((struct cell_rect){ have.x + dx, have.y + dy, have.w, have.h }, w.clip);

	for (int gy = to.y; gy < to.y + to.h && to.w > 0; gy++) {
		cell_row_touch(w.grid, gy, to.x, to.w);
		blit_row(w.grid, to.x, gy, cell_of(from, to.x - dx, gy - dy), to.w);
	}
}
