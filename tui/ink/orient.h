/* orient.h -- which way up a photograph is: cameras note it, and leave the pixels as they fell. Pure. */
#ifndef INK_ORIENT_H
#define INK_ORIENT_H

#include "shared/base/str.h"
#include "tui/ink/decode.h"

/* What the bytes of an Exif marker ("Exif\0\0" and on) say: 1 to 8, as TIFF counts; 1 when nothing. */
int orient_of(struct vy_str exif);

/* Turns and mirrors the pixels, and the picture's own size with them. False: no memory for it. */
bool orient_turn(struct decode_pixels *p, int how);

#endif
