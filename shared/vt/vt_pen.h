/* vt_pen.h -- for vt*.c: a pen as the sequences that set it. Pure. */
#ifndef VY_VT_PEN_H
#define VY_VT_PEN_H

#include "shared/base/buf.h"
#include "shared/vt/grid.h"

void vt_add_number(struct vy_buf *out, int n); /* n >= 0, in decimal: a screen has many */
/* The shortest SGR that makes `to` of `from`; nothing when they look the same. Not the link. */
void vt_pen_sgr(struct vy_vt_pen from, struct vy_vt_pen to, struct vy_buf *out);

#endif
