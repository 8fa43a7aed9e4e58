/* picture_fuzz.c -- whatever the bytes: a picture's pixels are all there or it is none; and whatever
 * vyre-picture answers, what is taken from it is whole, and cells for a screen. */
#include <stdint.h>
#include <stdlib.h>

#include "shared/base/err.h"
#include "tui/ink/develop.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void decode_it(struct vy_str bytes)
{
	struct decode_pixels p;
	enum decode_end end = decode(bytes, 32, 32, &p);
	uint32_t sum = 0;

	vy_assert((end == DECODE_OK) == (p.rgba != NULL));
	if (p.rgba) {
		vy_assert(p.w > 0 && p.h > 0 && (int64_t)p.w * p.h <= DECODE_PIXELS_MAX);
		for (size_t i = 0; i < (size_t)p.w * (size_t)p.h * 4; i++) {
			sum += p.rgba[i];
		}
		vy_assert(sum <= UINT32_MAX);
	}
	free(p.rgba);
}

static void believe_it(struct vy_str answer, enum develop_kind kind)
{
	struct develop_want want = { .kind = kind, .size = { 2, 3 } };
	struct developed d;

	develop_read(answer, &want, &d);
	if (d.end == DECODE_OK && kind == DEVELOP_PIXELS) {
		vy_assert(d.rgba && !d.cells && (int64_t)d.w * d.h <= DEVELOP_PIXELS_MAX);
	} else if (d.end == DECODE_OK) {
		for (int i = 0; i < 6; i++) {
			vy_assert(picture_is_glyph(d.cells[i].glyph) && d.cells[i].fg <= 0xffffff);
		}
	} else {
		vy_assert(!d.cells && !d.rgba);
	}
	developed_fini(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_str bytes = vy_str_n((const char *)data, n);

	decode_it(bytes);
	believe_it(bytes, DEVELOP_CELLS_RGB);
	believe_it(bytes, DEVELOP_PIXELS);
	return 0;
}
