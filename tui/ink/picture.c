/* picture.c -- see picture.h. The only file that knows chafa. */
#include "tui/ink/picture.h"

#include <chafa.h>

#include "tui/ink/decode.h"
#include "shared/base/ban.h"

#define WORK 0.5f /* of 0 to 1: how hard it looks for the best glyph */

static ChafaCanvas *canvas_of(struct fit_size size, bool is_256, uint32_t ground)
{
	ChafaCanvasConfig *how = chafa_canvas_config_new();
	ChafaSymbolMap *glyphs = chafa_symbol_map_new();
	ChafaCanvas *canvas;

	/* What every font has, one cell wide. */
	chafa_symbol_map_add_by_tags(glyphs, CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_SOLID |
						     CHAFA_SYMBOL_TAG_HALF | CHAFA_SYMBOL_TAG_QUAD);
	chafa_canvas_config_set_symbol_map(how, glyphs);
	chafa_canvas_config_set_geometry(how, size.cols, size.rows);
	chafa_canvas_config_set_canvas_mode(
		how, is_256 ? CHAFA_CANVAS_MODE_INDEXED_240 : CHAFA_CANVAS_MODE_TRUECOLOR);
	chafa_canvas_config_set_bg_color(how, ground);
	chafa_canvas_config_set_work_factor(how, WORK);
	canvas = chafa_canvas_new(how);
	chafa_symbol_map_unref(glyphs);
	chafa_canvas_config_unref(how);
	return canvas;
}

void picture_cells(const struct decode_pixels *p, struct fit_size size, bool is_256,
	uint32_t ground, struct picture_cell *out)
{
	chafa_set_n_threads(1); /* it may make none */
	ChafaCanvas *canvas = canvas_of(size, is_256, ground);

	chafa_canvas_draw_all_pixels(
		canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, p->rgba, p->w, p->h, p->w * 4);
	for (int y = 0; y < size.rows; y++) {
		for (int x = 0; x < size.cols; x++, out++) {
			gint fg = PICTURE_CLEAR, bg = PICTURE_CLEAR;

			out->glyph = chafa_canvas_get_char_at(canvas, x, y);
			chafa_canvas_get_colors_at(canvas, x, y, &fg, &bg);
			out->fg = fg;
			out->bg = bg;
		}
	}
	chafa_canvas_unref(canvas);
}
