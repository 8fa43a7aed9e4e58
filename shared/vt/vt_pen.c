/* vt_pen.c -- see vt_pen.h. */
#include "shared/vt/vt_pen.h"

#include "shared/base/ban.h"

void vt_add_number(struct vy_buf *out, int n)
{
	char digits[12];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	vy_buf_add(out, digits + at, sizeof(digits) - at);
}

struct sgr {
	struct vy_buf *out;
	bool is_open;
};

static void add(struct sgr *s, int n)
{
	vy_buf_adds(s->out, s->is_open ? ";" : "\033[");
	s->is_open = true;
	vt_add_number(s->out, n);
}

static void add_color(struct sgr *s, uint32_t c, int base)
{
	int v = (int)(c & 0xffffff);

	if (c == VY_VT_DEFAULT) {
		add(s, base + 9);
	} else if ((c & 0xff000000u) == VY_VT_RGB(0)) {
		add(s, base + 8);
		add(s, 2);
		add(s, v >> 16);
		add(s, v >> 8 & 255);
		add(s, v & 255);
	} else if (v < 16) {
		add(s, v < 8 ? base + v : base + 60 + v - 8);
	} else {
		add(s, base + 8);
		add(s, 5);
		add(s, v);
	}
}

void vt_pen_sgr(struct vy_vt_pen from, struct vy_vt_pen to, struct vy_buf *out)
{
	static const int on[] = { 1, 2, 3, 4, 7, 9, 5, 8 }; /* by bit of enum vy_vt_attr */
	struct sgr s = { .out = out };

	if (from.attrs & ~to.attrs) { /* some have no way off of their own: bold and dim */
		if (to.attrs == 0 && to.fg == VY_VT_DEFAULT && to.bg == VY_VT_DEFAULT) {
			vy_buf_adds(out, "\033[m");
			return;
		}
		add(&s, 0);
		from = (struct vy_vt_pen){ 0 };
	}
	for (size_t i = 0; i < VY_COUNT(on); i++) {
		if ((to.attrs & ~from.attrs) >> i & 1) {
			add(&s, on[i]);
		}
	}
	if (from.fg != to.fg) {
		add_color(&s, to.fg, 30);
	}
	if (from.bg != to.bg) {
		add_color(&s, to.bg, 40);
	}
	if (s.is_open) {
		vy_buf_addc(out, 'm');
	}
}
