/* vt_answer.c -- see vt_answer.h. */
#include "shared/vt/vt_answer.h"

#include "shared/base/ban.h"

void vt_answer_color(int which, uint32_t rgb, struct vy_buf *out)
{
	unsigned r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;

	vy_buf_addf(out, "\033]%d;rgb:%02x%02x/%02x%02x/%02x%02x\033\\", which, r, r, g, g, b, b);
}

void vt_answer_size(int cols, int rows, struct vy_buf *out)
{
	vy_buf_addf(out, "\033[8;%d;%dt", rows, cols);
}

void vt_answer_mode(bool is_private, int mode, int state, struct vy_buf *out)
{
	vy_buf_addf(out, "\033[%s%d;%d$y", is_private ? "?" : "", mode, state);
}

static void add_color(uint32_t c, int base, struct vy_buf *out)
{
	uint32_t v = c & 0xffffff;

	if (c == VY_VT_DEFAULT) {
		return;
	}
	if ((c & 0xff000000u) == VY_VT_RGB(0)) {
		vy_buf_addf(out, ";%d:2::%u:%u:%u", base + 8, v >> 16, v >> 8 & 255, v & 255);
	} else if (v < 8) {
		vy_buf_addf(out, ";%u", (unsigned)base + v);
	} else {
		vy_buf_addf(out, ";%d:5:%u", base + 8, v);
	}
}

void vt_answer_setting(struct vy_str what, const struct vt_settings *now, struct vy_buf *out)
{
	static const int attrs[] = { 1, 2, 3, 4, 7, 9, 5, 8 }; /* by bit of enum vy_vt_attr */
	static const int shapes[] = { [VY_VT_BLOCK] = 2, [VY_VT_UNDER] = 4, [VY_VT_BAR] = 6 };

	if (vy_str_is(what, "m")) {
		vy_buf_adds(out, "\033P1$r0");
		for (size_t i = 0; i < VY_COUNT(attrs); i++) {
			if (now->pen.attrs >> i & 1) {
				vy_buf_addf(out, ";%d", attrs[i]);
			}
		}
		add_color(now->pen.fg, 30, out);
		add_color(now->pen.bg, 40, out);
		vy_buf_adds(out, "m\033\\");
	} else if (vy_str_is(what, " q")) {
		vy_buf_addf(out, "\033P1$r%d q\033\\",
			shapes[now->modes.shape] - now->modes.cursor_blink);
	} else if (vy_str_is(what, "r")) {
		vy_buf_addf(out, "\033P1$r%d;%dr\033\\", now->top + 1, now->bottom);
	} else {
		vy_buf_adds(out, "\033P0$r\033\\");
	}
}
