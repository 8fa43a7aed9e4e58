/* orient.c -- see orient.h. */
#include "tui/ink/orient.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/ban.h"

#define HEAD        6 /* "Exif", two NULs; then a TIFF */
#define ENTRY       12
#define ORIENTATION 0x112
#define ENTRIES_MAX 512

/* A number of n bytes at `at` of the TIFF; 0 past its end. */
static uint32_t number(struct vy_str tiff, size_t at, int n, bool is_big)
{
	uint32_t v = 0;

	if (at > tiff.n || tiff.n - at < (size_t)n) {
		return 0;
	}
	for (int i = 0; i < n; i++) {
		v = v << 8 | (uint8_t)tiff.p[at + (size_t)(is_big ? i : n - 1 - i)];
	}
	return v;
}

int orient_of(struct vy_str exif)
{
	struct vy_str tiff = vy_str_from(exif, HEAD);
	bool is_big = vy_str_starts(tiff, "MM");

	if (exif.n < HEAD || memcmp(exif.p, "Exif\0", HEAD) != 0 ||
		(!is_big && !vy_str_starts(tiff, "II"))) {
		return 1;
	}
	size_t at = number(tiff, 4, 4, is_big);
	uint32_t entries = number(tiff, at, 2, is_big);

	for (uint32_t i = 0; i < entries && i < ENTRIES_MAX; i++) {
		size_t entry = at + 2 + (size_t)i * ENTRY;

		if (number(tiff, entry, 2, is_big) == ORIENTATION) {
			uint32_t how = number(tiff, entry + 8, 2, is_big);

			return how >= 1 && how <= 8 ? (int)how : 1;
		}
	}
	return 1;
}

/* Where the pixel stands that is seen at x, y of the turned picture. */
static size_t source(const struct decode_pixels *p, int how, int x, int y)
{
	bool is_turned = how >= 5;
	int sx = is_turned ? y : x, sy = is_turned ? x : y;

	if (how == 2 || how == 3 || how == 7 || how == 8) {
		sx = p->w - 1 - sx;
	}
	if (how == 3 || how == 4 || how == 6 || how == 7) {
		sy = p->h - 1 - sy;
	}
	return ((size_t)sy * (size_t)p->w + (size_t)sx) * 4;
}

bool orient_turn(struct decode_pixels *p, int how)
{
	int w = how >= 5 ? p->h : p->w, h = how >= 5 ? p->w : p->h;
	int64_t own_w = how >= 5 ? p->own_h : p->own_w, own_h = how >= 5 ? p->own_w : p->own_h;
	uint8_t *to, *rgba;

	if (how <= 1) {
		return true;
	}
	to = rgba = malloc((size_t)w * (size_t)h * 4);
	if (!rgba) {
		return false;
	}
	for (int y = 0; y < h; y++) {
		for (int x = 0; x < w; x++, to += 4) {
			memcpy(to, p->rgba + source(p, how, x, y), 4);
		}
	}
	free(p->rgba);
	*p = (struct decode_pixels){ w, h, own_w, own_h, rgba };
	return true;
}
