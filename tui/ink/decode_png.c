/* decode_png.c -- PNG, by libpng's simplified interface (decode.h). */
#include "tui/ink/decode.h"

#include <png.h>

#include "shared/base/ban.h"

enum decode_end decode_png(struct vy_str bytes, int want_w, int want_h, struct decode_pixels *out)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	enum decode_end end = DECODE_BROKEN;

	(void)want_w;
	(void)want_h;
	if (!png_image_begin_read_from_memory(&image, bytes.p, bytes.n)) {
		return DECODE_BROKEN; /* it has freed what it had */
	}
	out->own_w = image.width;
	out->own_h = image.height;
	end = decode_room(out, image.width, image.height);
	if (end == DECODE_OK) {
		image.format = PNG_FORMAT_RGBA;
		if (!png_image_finish_read(&image, NULL, out->rgba, 0, NULL)) {
			end = DECODE_BROKEN;
		}
	}
	png_image_free(&image);
	return end;
}
