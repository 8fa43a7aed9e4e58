/* decode.h -- the bytes of a PNG, JPEG, GIF or WebP to pixels; of a moving one its first picture.
 *
 * What the bytes are is told by their beginning, whatever anybody called them. Only for
 * vyre-picture: the bytes are hostile, and what the libraries make of them is their own affair.
 * A picture's size is looked at before anything is made as large as it says.
 * decode.c has the table; decode_FORMAT.c is the only file that knows its library. */
#ifndef INK_DECODE_H
#define INK_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/str.h"

#define DECODE_PIXELS_MAX (24 * 1000 * 1000) /* 96 MB */

struct decode_pixels {
	int w, h;             /* of `rgba` */
	int64_t own_w, own_h; /* as the file has it; a large JPEG is made smaller on the way */
	uint8_t *rgba;        /* w * h * 4, from malloc; NULL unless it went well */
};

/* What came of it; also what the child says. */
enum decode_end {
	DECODE_OK,
	DECODE_UNKNOWN, /* none of the four */
	DECODE_BROKEN,
	DECODE_TOO_LARGE,
	DECODE_ENDS
};

/* `want_w`, `want_h`: more pixels than these are of no use. */
enum decode_end decode(struct vy_str bytes, int want_w, int want_h, struct decode_pixels *out);

/* ---- for decode_*.c ---- */

typedef enum decode_end decode_fn(
	struct vy_str bytes, int want_w, int want_h, struct decode_pixels *out);

decode_fn decode_png, decode_jpeg, decode_gif, decode_webp;

/* Notes the size and makes room, all transparent. */
enum decode_end decode_room(struct decode_pixels *out, int64_t w, int64_t h);

#endif
