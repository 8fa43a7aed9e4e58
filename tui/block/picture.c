/* picture.c -- a picture in cells, with what it is called below (shape.h).
 *
 * The room is kept from the moment its size is known, so that nothing moves when it comes. Its
 * cells are no words: copying takes the caption. */
#include <stdio.h>

#include "shared/text/utf8.h"
#include "tui/block/shape.h"
#include "tui/ink/kitty.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* The same glyph with ink and paper changed about. */
static uint32_t turned(uint32_t glyph)
{
	static const uint16_t pairs[][2] = { { 0x2580, 0x2584 }, { 0x258c, 0x2590 },
		{ 0x2596, 0x259c }, { 0x2597, 0x259b }, { 0x2598, 0x259f }, { 0x2599, 0x259d },
		{ 0x259a, 0x259e }, { ' ', 0x2588 } };

	for (size_t i = 0; i < VY_COUNT(pairs); i++) {
		if (glyph == pairs[i][0] || glyph == pairs[i][1]) {
			return glyph == pairs[i][0] ? pairs[i][1] : pairs[i][0];
		}
	}
	return glyph;
}

/* There is no clear ink, but clear paper. */
static void put_cell(struct cell_win w, int x, int y, struct picture_cell c)
{
	struct cell_style s = { .bg = CELL_BARE };
	char glyph[4];

	if (c.fg == PICTURE_CLEAR && c.glyph != ' ') {
		c = (struct picture_cell){ turned(c.glyph), c.bg, PICTURE_CLEAR };
	}
	if (c.fg != PICTURE_CLEAR && c.glyph != ' ') {
		s.fg = CELL_RGB((uint32_t)c.fg);
	} else {
		c.glyph = ' ';
	}
	if (c.bg != PICTURE_CLEAR) {
		s.bg = CELL_RGB((uint32_t)c.bg);
	}
	cell_put(w, x, y, vy_str_n(glyph, vy_utf8_put(c.glyph, glyph)), s);
}

static void put_image(struct cell_win w, int x, int y, uint32_t image)
{
	char text[KITTY_CELL_MAX];
	size_t n = kitty_cell(y, x, text);

	cell_put(w, x, y, vy_str_n(text, n),
		(struct cell_style){ .fg = CELL_RGB(image), .bg = CELL_BARE });
}

static void put_cells(const struct album_view *v, int left, struct block_sheet *out)
{
	struct cell_win w = block_lines(out, v->size.rows, left);

	for (int i = 0; i < v->size.rows; i++) {
		out->words[out->lines - 1 - i].none = true;
	}
	for (int y = 0; y < v->size.rows; y++) {
		for (int x = 0; x < v->size.cols; x++) {
			if (v->image) {
				put_image(w, x, y, v->image);
			} else if (v->cells) {
				put_cell(w, x, y, v->cells[y * v->size.cols + x]);
			}
		}
	}
}

/* Without the picture the caption says all that is known of it. */
static void put_caption(const struct shape_picture *p, bool is_shown, const char *why, int left,
	struct block_sheet *out)
{
	char size[96] = "";
	int x = 0;

	if (is_shown && p->alt.n == 0) {
		return;
	}
	if (!is_shown && p->w > 0) {
		snprintf(size, sizeof(size), _("picture, %lld by %lld"), (long long)p->w,
			(long long)p->h);
	} else if (!is_shown && (why || !p->is_told)) {
		snprintf(size, sizeof(size), "%s", _("picture"));
	}
	if (!is_shown && !size[0]) {
		return; /* how many there are stands above */
	}
	struct cell_win w = block_lines(out, 1, left);

	if (!is_shown) {
		x = cell_puts(w, 0, 0, size, theme_ink(THEME_DIM)) + 2;
	}
	if (p->alt.n) {
		x = shape_put(w, x, p->alt, w.w - x - 1,
			    theme_ink(is_shown ? THEME_DIM : THEME_TEXT), out) +
		    2;
	}
	if (why) {
		shape_put(w, x, vy_str_c(why), w.w - x - 1, theme_ink(THEME_WARN), out);
	}
}

void shape_picture(const struct shape_picture *p, const struct block_how *how, int left,
	struct block_sheet *out)
{
	struct album_view v = { 0 };
	struct album_ask ask = { .ref = p->ref,
		.w = p->w,
		.h = p->h,
		.cols = out->grid.cols - left - 1,
		.share = p->n,
		.is_open = how->is_open };

	if (how->album && !out->is_plain) {
		album_get(how->album, &ask, &v);
	}
	bool is_shown = v.size.cols > 0;

	if (is_shown) {
		put_cells(&v, left, out);
		block_add_picture(out, v.id, v.size);
	}
	int before = out->lines;

	put_caption(p, is_shown, v.why, left, out);
	if (!is_shown && (v.id || v.why)) {
		if (out->lines == before && out->lines == 0) {
			block_lines(out, 1, 0);
		}
		block_add_picture(out, v.id, v.size);
	}
}
