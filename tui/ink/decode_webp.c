/* decode_webp.c -- WebP, by libwebp (decode.h). A moving one needs its first frame cut out of the
 * container: the four bytes and the length before each part are read here. */
#include "tui/ink/decode.h"

#include <string.h>

#include <webp/decode.h>

#include "shared/base/ban.h"

#define HEAD       12 /* RIFF, length, WEBP */
#define PART       8  /* name, length */
#define FRAME_HEAD 16 /* of an ANMF, before the frame's own parts */

static uint32_t number(const char *p)
{
	const uint8_t *b = (const uint8_t *)p;

	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* The parts of the first ANMF; of a file without one the file itself. */
static struct vy_str first_frame(struct vy_str file)
{
	for (size_t at = HEAD; at + PART <= file.n;) {
		size_t n = number(file.p + at + 4);

		if (memcmp(file.p + at, "ANMF", 4) == 0) {
			size_t room = file.n - at - PART;

			n = n < room ? n : room;
			return n > FRAME_HEAD
				       ? vy_str_n(file.p + at + PART + FRAME_HEAD, n - FRAME_HEAD)
				       : vy_str_n(file.p, 0);
		}
		if (n > file.n - at - PART) {
			break;
		}
		at += PART + n + (n & 1);
	}
	return file;
}

enum decode_end decode_webp(struct vy_str bytes, int want_w, int want_h, struct decode_pixels *out)
{
	WebPDecoderConfig how;
	struct vy_str frame = first_frame(bytes);
	enum decode_end end;

	(void)want_w;
	(void)want_h;
	if (!WebPInitDecoderConfig(&how) ||
		WebPGetFeatures((const uint8_t *)frame.p, frame.n, &how.input) != VP8_STATUS_OK) {
		return DECODE_BROKEN;
	}
	out->own_w = how.input.width;
	out->own_h = how.input.height;
	end = decode_room(out, how.input.width, how.input.height);
	if (end != DECODE_OK) {
		return end;
	}
	how.output.colorspace = MODE_RGBA;
	how.output.is_external_memory = 1;
	how.output.u.RGBA.rgba = out->rgba;
	how.output.u.RGBA.stride = out->w * 4;
	how.output.u.RGBA.size = (size_t)out->w * (size_t)out->h * 4;
	if (WebPDecode((const uint8_t *)frame.p, frame.n, &how) != VP8_STATUS_OK) {
		end = DECODE_BROKEN;
	}
	WebPFreeDecBuffer(&how.output);
	return end;
}
