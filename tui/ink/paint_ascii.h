/* paint_ascii.h -- for paint.c: what stands for a glyph where there is no UTF-8. Pure. */
#ifndef INK_PAINT_ASCII_H
#define INK_PAINT_ASCII_H

#include "shared/base/buf.h"
#include "shared/base/str.h"

/* Appends `width` bytes of printable ASCII (1 or 2). */
void paint_ascii(struct vy_str cluster, int width, struct vy_buf *out);

#endif
