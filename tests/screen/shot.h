/* shot.h -- what a terminal shows, as text or as a picture. */
#ifndef TESTS_SCREEN_SHOT_H
#define TESTS_SCREEN_SHOT_H

#include "shared/base/buf.h"
#include "shared/vt/vt.h"

/* Glyph and style lanes with a legend, as tui/ink/screen_dump.c makes them. */
void shot_text(const struct vy_vt *vt, struct vy_buf *out);

/* A drawing (SVG) of it on its ground, the cells where they are whatever font is at hand. */
void shot_svg(const struct vy_vt *vt, uint32_t fg_rgb, uint32_t bg_rgb, struct vy_buf *out);

#endif
