/* decode_gif.c -- GIF, by giflib (decode.h): the first picture, on the canvas it belongs to. */
#include "tui/ink/decode.h"

#include <string.h>

#include <gif_lib.h>

#include "shared/base/ban.h"

#define LINE_MAX_PIXELS 65535 /* the format's */

static int take_bytes(GifFileType *gif, GifByteType *to, int n)
{
	struct vy_str *rest = gif->UserData;
	size_t k = rest->n < (size_t)n ? rest->n : (size_t)n;

	memcpy(to, rest->p, k);
	*rest = vy_str_from(*rest, k);
	return (int)k;
}

/* What stands before the picture: the colour that is not to be seen. -1: there is none. */
static int skip_extension(GifFileType *gif, int *clear)
{
	GifByteType *data = NULL;
	int code = 0;

	if (DGifGetExtension(gif, &code, &data) == GIF_ERROR) {
		return -1;
	}
	while (data) {
		GraphicsControlBlock g;

		if (code == GRAPHICS_EXT_FUNC_CODE &&
			DGifExtensionToGCB(data[0], data + 1, &g) == GIF_OK) {
			*clear = g.TransparentColor;
		}
		if (DGifGetExtensionNext(gif, &data) == GIF_ERROR) {
			return -1;
		}
	}
	return 0;
}

static void put_line(const struct decode_pixels *out, const GifFileType *gif,
	const ColorMapObject *map, const GifPixelType *line, int y, int clear)
{
	for (int x = 0; x < gif->Image.Width; x++) {
		int at = gif->Image.Left + x, c = line[x];

		if (at >= out->w || y >= out->h || c == clear || c >= map->ColorCount) {
			continue;
		}
		uint8_t *to = out->rgba + ((size_t)y * (size_t)out->w + (size_t)at) * 4;

		to[0] = map->Colors[c].Red;
		to[1] = map->Colors[c].Green;
		to[2] = map->Colors[c].Blue;
		to[3] = 255;
	}
}

static enum decode_end first_picture(GifFileType *gif, const struct decode_pixels *out, int clear)
{
	static const int first[] = { 0, 4, 2, 1 }, step[] = { 8, 8, 4, 2 };
	static GifPixelType line[LINE_MAX_PIXELS];
	const ColorMapObject *map;
	bool laced;

	if (DGifGetImageDesc(gif) == GIF_ERROR) {
		return DECODE_BROKEN;
	}
	map = gif->Image.ColorMap ? gif->Image.ColorMap : gif->SColorMap;
	laced = gif->Image.Interlace;
	if (!map || gif->Image.Width < 1 || gif->Image.Width > LINE_MAX_PIXELS ||
		gif->Image.Left < 0 || gif->Image.Top < 0) {
		return DECODE_BROKEN;
	}
	for (int pass = laced ? 0 : 3; pass < 4; pass++) {
		for (int y = laced ? first[pass] : 0; y < gif->Image.Height;
			y += laced ? step[pass] : 1) {
			if (DGifGetLine(gif, line, gif->Image.Width) == GIF_ERROR) {
				return DECODE_BROKEN;
			}
			put_line(out, gif, map, line, gif->Image.Top + y, clear);
		}
	}
	return DECODE_OK;
}

static enum decode_end read_gif(GifFileType *gif, struct decode_pixels *out)
{
	GifRecordType what = UNDEFINED_RECORD_TYPE;
	enum decode_end end;
	int clear = NO_TRANSPARENT_COLOR;

	out->own_w = gif->SWidth;
	out->own_h = gif->SHeight;
	end = decode_room(out, gif->SWidth, gif->SHeight);
	while (end == DECODE_OK) {
		if (DGifGetRecordType(gif, &what) == GIF_ERROR) {
			return DECODE_BROKEN;
		}
		if (what == IMAGE_DESC_RECORD_TYPE) {
			return first_picture(gif, out, clear);
		}
		if (what != EXTENSION_RECORD_TYPE || skip_extension(gif, &clear) != 0) {
			return DECODE_BROKEN;
		}
	}
	return end;
}

enum decode_end decode_gif(struct vy_str bytes, int want_w, int want_h, struct decode_pixels *out)
{
	int why = 0;
	GifFileType *gif = DGifOpen(&bytes, take_bytes, &why);
	enum decode_end end;

	(void)want_w;
	(void)want_h;
	if (!gif) {
		return DECODE_BROKEN;
	}
	end = read_gif(gif, out);
	DGifCloseFile(gif, &why);
	return end;
}
