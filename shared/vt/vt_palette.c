/* vt_palette.c -- see vt_palette.h. */
#include "shared/vt/vt_palette.h"

#include <string.h>

#include "shared/base/ban.h"

#define SET 0x01000000u

static struct vy_str until(struct vy_str *rest, char sep)
{
	const char *p = rest->n ? memchr(rest->p, sep, rest->n) : NULL;
	size_t n = p ? (size_t)(p - rest->p) : rest->n;
	struct vy_str s = vy_str_n(rest->p, n);

	*rest = vy_str_from(*rest, n + 1);
	return s;
}

static void set(struct vt_palette *p, int i, uint32_t to)
{
	p->n += (to != 0) - (p->rgb[i] != 0);
	p->rgb[i] = to;
}

/* One to four hex digits, as eight bits. */
static bool channel(struct vy_str s, uint32_t *out)
{
	uint32_t v = 0, most = 0;

	for (size_t i = 0; i < s.n; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *at = s.p[i] ? strchr(digits, s.p[i] | 0x20) : NULL;

		if (!at) {
			return false;
		}
		v = v * 16 + (uint32_t)(at - digits);
		most = most * 16 + 15;
	}
	*out = most ? (v * 255 + most / 2) / most : 0;
	return s.n >= 1 && s.n <= 4;
}

static bool color(struct vy_str s, uint32_t *rgb)
{
	uint32_t c[3] = { 0 };

	if (vy_str_starts(s, "rgb:")) {
		s = vy_str_from(s, 4);
		for (int i = 0; i < 3; i++) {
			if (!channel(until(&s, '/'), &c[i])) {
				return false;
			}
		}
		*rgb = SET | c[0] << 16 | c[1] << 8 | c[2];
		return s.n == 0;
	}
	if (!vy_str_starts(s, "#") || (s.n - 1) % 3 != 0 || s.n > 13) {
		return false;
	}
	size_t each = (s.n - 1) / 3;

	for (size_t i = 0; i < 3; i++) {
		if (!channel(vy_str_n(s.p + 1 + i * each, each), &c[i])) {
			return false;
		}
	}
	*rgb = SET | c[0] << 16 | c[1] << 8 | c[2];
	return true;
}

static int number(struct vy_str s, int below)
{
	long long v;

	return vy_parse_i64(s, &v) && v >= 0 && v < below ? (int)v : -1;
}

static void take_indexed(struct vt_palette *p, struct vy_str rest)
{
	uint32_t rgb;

	while (rest.n > 0) {
		int i = number(until(&rest, ';'), 256);

		if (color(until(&rest, ';'), &rgb) && i >= 0) {
			set(p, i, rgb);
		}
	}
}

static void give_back(struct vt_palette *p, struct vy_str rest)
{
	for (int i = 0; rest.n == 0 && i < 256; i++) {
		set(p, i, 0);
	}
	while (rest.n > 0) {
		int i = number(until(&rest, ';'), 256);

		if (i >= 0) {
			set(p, i, 0);
		}
	}
}

void vt_palette_take(struct vt_palette *p, struct vy_str osc)
{
	int what = number(until(&osc, ';'), 1000);
	uint32_t rgb;

	if (what == 4) {
		take_indexed(p, osc);
	} else if (what == 104) {
		give_back(p, osc);
	} else if (what >= 110 && what <= 112) {
		set(p, 256 + what - 110, 0);
	} else if (what >= 10 && what <= 12) { /* more than one: those that follow it */
		for (; what <= 12 && osc.n > 0; what++) {
			if (color(until(&osc, ';'), &rgb)) {
				set(p, 256 + what - 10, rgb);
			}
		}
	}
}

void vt_palette_say(const struct vt_palette *p, struct vy_buf *out)
{
	for (int i = 0; p->n > 0 && i < VT_PALETTE_N; i++) {
		if (p->rgb[i]) {
			vy_buf_addf(out, i < 256 ? "\033]4;%d" : "\033]%d", i < 256 ? i : i - 246);
			vy_buf_addf(out, ";#%06x\033\\", (unsigned)(p->rgb[i] & 0xffffff));
		}
	}
}
