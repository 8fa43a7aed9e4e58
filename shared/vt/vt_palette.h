/* vt_palette.h -- for vt*.c: colours that a program has made others (OSC 4, 10 to 12, 104, 110 to 112).
 *
 * Kept for the prologue alone; who draws hears of each change by the osc event. Pure. */
#ifndef VY_VT_PALETTE_H
#define VY_VT_PALETTE_H

#include <stdint.h>

#include "shared/base/buf.h"

#define VT_PALETTE_N (256 + 3) /* behind the indexed ones: text, background, cursor */

struct vt_palette {
	uint32_t rgb[VT_PALETTE_N]; /* 0: as the terminal has it; else SET and the colour */
	int n;                      /* how many are set */
};

void vt_palette_take(
	struct vt_palette *p, struct vy_str osc); /* "4;1;#ff0000"; others are nothing */
void vt_palette_say(const struct vt_palette *p, struct vy_buf *out);

#endif
