/* decode.c -- see decode.h. */
#include "tui/ink/decode.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

static const struct {
	const char *magic;
	size_t n, at;
	decode_fn *decode;
} formats[] = {
	{ "\x89PNG\r\n\x1a\n", 8, 0, decode_png },
	{ "\xff\xd8\xff", 3, 0, decode_jpeg },
	{ "GIF8", 4, 0, decode_gif },
	{ "WEBPVP8", 7, 8, decode_webp },
};

enum decode_end decode_room(struct decode_pixels *out, int64_t w, int64_t h)
{
	if (w < 1 || h < 1) {
		return DECODE_BROKEN;
	}
	if (w > DECODE_PIXELS_MAX || h > DECODE_PIXELS_MAX || w * h > DECODE_PIXELS_MAX) {
		return DECODE_TOO_LARGE;
	}
	out->w = (int)w;
	out->h = (int)h;
	out->rgba = calloc((size_t)(w * h), 4);
	return out->rgba ? DECODE_OK : DECODE_TOO_LARGE;
}

enum decode_end decode(struct vy_str bytes, int want_w, int want_h, struct decode_pixels *out)
{
	enum decode_end end = DECODE_UNKNOWN;

	*out = (struct decode_pixels){ 0 };
	for (size_t i = 0; i < VY_COUNT(formats); i++) {
		if (bytes.n >= formats[i].at + formats[i].n &&
			memcmp(bytes.p + formats[i].at, formats[i].magic, formats[i].n) == 0) {
			end = formats[i].decode(bytes, want_w, want_h, out);
			break;
		}
	}
	if (end != DECODE_OK) {
		free(out->rgba);
		out->rgba = NULL;
	}
	return end;
}
