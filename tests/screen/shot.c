/* shot.c -- see shot.h. */
#include "tests/screen/shot.h"

#include "tui/ink/cell.h"
#include "tui/ink/screen.h"
#include "shared/base/ban.h"

#define CELL_W 9
#define CELL_H 20
#define BASE   15 /* of a letter, below the top of its cell */
#define MARGIN 12
#define FONT   15

void shot_text(const struct vy_vt *vt, struct vy_buf *out)
{
	const struct vy_grid *g = vy_vt_grid(vt);
	/* what the emulator took for one glyph is one, whatever its width would be elsewhere */
	struct cell_pool *pool = cell_pool_new((struct vy_width){ .sums = true });
	struct screen_cursor cursor = { .visible = vy_vt_modes(vt).cursor_visible };
	struct cell_grid cells;
	int cols, rows;

	vy_grid_size(g, &cols, &rows);
	vy_vt_cursor(vt, &cursor.x, &cursor.y);
	cell_grid_init(&cells, pool, cols, rows);
	for (int y = 0; y < rows; y++) {
		for (int x = 0; x < cols; x++) {
			const struct vy_vt_cell *c = vy_grid_cell(g, x, y);
			struct cell_style s = { .fg = c->fg, .bg = c->bg, .attrs = c->attrs & 63 };
			char text[VY_GRID_TEXT_MAX];
			struct vy_str url = vy_grid_link_url(g, c->link);

			s.link = cell_link(pool, url, NULL);
			if (c->ch == 0 && c->width == 1) { /* only what shows on a blank */
				s.attrs &= CELL_UNDERLINE | CELL_REVERSE | CELL_STRIKE;
				s.fg = s.attrs ? s.fg : CELL_DEFAULT;
			}
			if (c->width > 0) {
				cell_put(cell_win_all(&cells), x, y,
					vy_str_n(text, vy_grid_text(g, c, text)), s);
			}
		}
	}
	screen_dump_grid(&cells, &cursor, out);
	cell_grid_fini(&cells);
	cell_pool_free(pool);
}

/* ---- the picture ---- */

struct ink {
	uint32_t fg, bg;
	unsigned attrs;
};

static uint32_t rgb_of(uint32_t color, uint32_t plain)
{
	static const uint32_t first[16] = { 0x1d1f21, 0xcc6666, 0xb5bd68, 0xf0c674, 0x81a2be,
		0xb294bb, 0x8abeb7, 0xc5c8c6, 0x666a6d, 0xff7b7b, 0xd0dc7a, 0xffe08a, 0x9dc6ea,
		0xd3b3dd, 0xa6e0da, 0xffffff };
	static const uint32_t level[6] = { 0, 95, 135, 175, 215, 255 };
	uint32_t v = color & 0xffffff;

	if (color == VY_VT_DEFAULT) {
		return plain;
	}
	if ((color & 0xff000000u) == VY_VT_RGB(0)) {
		return v;
	}
	if (v < 16) {
		return first[v];
	}
	if (v < 232) {
		v -= 16;
		return level[v / 36] << 16 | level[v / 6 % 6] << 8 | level[v % 6];
	}
	return (8 + (v - 232) * 10) * 0x010101;
}

static struct ink ink_of(const struct vy_vt_cell *c, uint32_t fg, uint32_t bg)
{
	struct ink i = { rgb_of(c->fg, fg), rgb_of(c->bg, bg), c->attrs };

	if (i.attrs & CELL_REVERSE) {
		i = (struct ink){ i.bg, i.fg, i.attrs };
	}
	return i;
}

static void add_escaped(struct vy_buf *out, struct vy_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		switch (s.p[i]) {
		case '<': vy_buf_adds(out, "&lt;"); break;
		case '>': vy_buf_adds(out, "&gt;"); break;
		case '&': vy_buf_adds(out, "&amp;"); break;
		default: vy_buf_addc(out, s.p[i]); break;
		}
	}
}

static void rect(struct vy_buf *out, int x, int y, int w, int h, uint32_t rgb)
{
	vy_buf_addf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", x,
		y, w, h, rgb);
}

static void begin_text(struct vy_buf *out, struct ink i, int x, int y, int cells)
{
	vy_buf_addf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s%s%s>", x,
		y + BASE, cells * CELL_W, i.fg, i.attrs & CELL_BOLD ? " font-weight=\"bold\"" : "",
		i.attrs & CELL_ITALIC ? " font-style=\"italic\"" : "",
		i.attrs & CELL_DIM ? " opacity=\"0.6\"" : "");
}

/* Under and through: drawn, as fonts place them differently. */
static void lines(struct vy_buf *out, struct ink i, int x, int y, int cells)
{
	if (i.attrs & CELL_UNDERLINE) {
		rect(out, x, y + BASE + 2, cells * CELL_W, 1, i.fg);
	}
	if (i.attrs & CELL_STRIKE) {
		rect(out, x, y + BASE - 5, cells * CELL_W, 1, i.fg);
	}
}

static bool is_same(struct ink a, struct ink b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs;
}

static void svg_row(
	const struct vy_grid *g, int cols, int y, uint32_t fg, uint32_t bg, struct vy_buf *out)
{
	int top = MARGIN + y * CELL_H;

	for (int x = 0; x < cols;) { /* the ground first: a glyph may reach over its cell */
		struct ink i = ink_of(vy_grid_cell(g, x, y), fg, bg);
		int from = x;

		while (x < cols && ink_of(vy_grid_cell(g, x, y), fg, bg).bg == i.bg) {
			x++;
		}
		if (i.bg != bg) {
			rect(out, MARGIN + from * CELL_W, top, (x - from) * CELL_W, CELL_H, i.bg);
		}
	}
	for (int x = 0; x < cols;) { /* runs of one ink; a glyph that is no letter stands alone */
		const struct vy_vt_cell *c = vy_grid_cell(g, x, y);
		struct ink i = ink_of(c, fg, bg);
		int from = x;
		VY_AUTO_BUF run = VY_BUF_INIT(65536);

		if (c->width == 0 || (c->ch == 0 && !(i.attrs & CELL_UNDERLINE))) {
			x++;
			continue;
		}
		do {
			char text[VY_GRID_TEXT_MAX];
			size_t n = c->ch ? vy_grid_text(g, c, text) : 0;

			vy_buf_add(&run, n ? text : " ", n ? n : 1);
			x += c->width;
			if (n > 1 || x >= cols) {
				break;
			}
			c = vy_grid_cell(g, x, y);
		} while (c->ch > 0x20 && c->ch < 0x7f && is_same(ink_of(c, fg, bg), i));
		begin_text(out, i, MARGIN + from * CELL_W, top, x - from);
		add_escaped(out, vy_buf_str(&run));
		vy_buf_adds(out, "</text>\n");
		lines(out, i, MARGIN + from * CELL_W, top, x - from);
	}
}

void shot_svg(const struct vy_vt *vt, uint32_t fg_rgb, uint32_t bg_rgb, struct vy_buf *out)
{
	const struct vy_grid *g = vy_vt_grid(vt);
	int cols, rows, x, y;

	vy_grid_size(g, &cols, &rows);
	int w = cols * CELL_W + 2 * MARGIN, h = rows * CELL_H + 2 * MARGIN;

	vy_buf_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\" font-family=\"'DejaVu Sans Mono',Menlo,Consolas,monospace\" "
		"font-size=\"%d\" xml:space=\"preserve\">\n",
		w, h, w, h, FONT);
	vy_buf_addf(
		out, "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#%06x\"/>\n", w, h, bg_rgb);
	for (int row = 0; row < rows; row++) {
		svg_row(g, cols, row, fg_rgb, bg_rgb, out);
	}
	if (vy_vt_modes(vt).cursor_visible) {
		vy_vt_cursor(vt, &x, &y);
		rect(out, MARGIN + x * CELL_W, MARGIN + y * CELL_H + 1, 2, CELL_H - 2, fg_rgb);
	}
	vy_buf_adds(out, "</svg>\n");
}
