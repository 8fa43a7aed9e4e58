/* scale.c -- a picture made smaller (picture.h). Clear pixels have no colour to add: each counts as
 * much as it is seen. */
#include "tui/ink/picture.h"

#include "tui/ink/decode.h"
#include "shared/base/ban.h"

struct sum {
	uint64_t rgb[3], alpha, n;
};

static void add(struct sum *s, const uint8_t *px)
{
	for (int i = 0; i < 3; i++) {
		s->rgb[i] += (uint64_t)px[i] * px[3];
	}
	s->alpha += px[3];
	s->n++;
}

static void put(const struct sum *s, uint8_t *px)
{
	for (int i = 0; i < 3; i++) {
		px[i] = s->alpha ? (uint8_t)((s->rgb[i] + s->alpha / 2) / s->alpha) : 0;
	}
	px[3] = s->n ? (uint8_t)((s->alpha + s->n / 2) / s->n) : 0;
}

/* Where part i of n begins in `whole`. */
static int begins(int i, int n, int whole)
{
	return (int)((int64_t)i * whole / n);
}

void picture_scale(const struct decode_pixels *p, int w, int h, uint8_t *rgba)
{
	for (int y = 0; y < h; y++) {
		for (int x = 0; x < w; x++, rgba += 4) {
			struct sum s = { .n = 0 };

			for (int py = begins(y, h, p->h); py < begins(y + 1, h, p->h); py++) {
				for (int px = begins(x, w, p->w); px < begins(x + 1, w, p->w);
					px++) {
					add(&s, p->rgba + ((size_t)py * (size_t)p->w + (size_t)px) *
								  4);
				}
			}
			put(&s, rgba);
		}
	}
}
