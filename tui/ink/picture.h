/* picture.h -- pixels to what a screen shows: block glyphs in two colours, or fewer pixels.
 *
 * picture_cells() is chafa's; each cell gets the block element (U+2580 to U+259F, or a blank) and
 * the two colours that come nearest to its part of the picture. Runs in vyre-picture (develop.h). */
#ifndef INK_PICTURE_H
#define INK_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/ink/fit.h"

struct decode_pixels;

#define PICTURE_CLEAR (-1) /* a colour: what is behind the picture is seen */

struct picture_cell {
	uint32_t glyph;
	int32_t fg, bg; /* 0xRRGGBB or PICTURE_CLEAR */
};

/* Is this a glyph that picture_cells() makes? */
static inline bool picture_is_glyph(uint32_t cp)
{
	return cp == ' ' || (cp >= 0x2580 && cp <= 0x259f);
}

/* Fills size.cols * size.rows cells. `is_256`: only colours that a terminal of 256 has. `ground`
 * (0xRRGGBB) is what half-clear pixels are mixed with. */
void picture_cells(const struct decode_pixels *p, struct fit_size size, bool is_256,
	uint32_t ground, struct picture_cell *out);

/* scale.c: the mean of the pixels that fall together; w and h are not above those of `p`. */
void picture_scale(const struct decode_pixels *p, int w, int h, uint8_t *rgba);

#endif
