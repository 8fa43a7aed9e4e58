/* vt_keys.c -- a person's keys, mouse and paste as the bytes an xterm would send. */
#include "shared/vt/vt.h"

#include <stdio.h>

#include "shared/base/buf.h"
#include "shared/text/utf8.h"
#include "shared/vt/vt_inside.h"
#include "shared/base/ban.h"

static uint32_t control_of(uint32_t c)
{
	if ((c >= 'a' && c <= 'z') || (c >= '@' && c <= '_')) {
		return c & 0x1f;
	}
	switch (c) {
	case ' ': return 0;
	case '/': return 0x1f;
	case '?': return 0x7f;
	default: return c;
	}
}

void vy_vt_send_char(struct vy_vt *v, uint32_t code_point, unsigned mods)
{
	char out[8];
	size_t n = 0;

	if (mods & VY_VT_ALT) {
		out[n++] = '\033';
	}
	n += vy_utf8_put(mods & VY_VT_CTRL ? control_of(code_point) : code_point, out + n);
	vt_output(v, vy_str_n(out, n));
}

/* Keys that are one byte whatever the modifiers, alt being ESC before it. */
static char byte_of(int key, unsigned mods)
{
	switch (key) {
	case VY_VT_KEY_ENTER: return '\r';
	case VY_VT_KEY_TAB: return '\t';
	case VY_VT_KEY_ESC: return '\033';
	case VY_VT_KEY_BACKSPACE: return mods & VY_VT_CTRL ? '\b' : '\x7f';
	default: return 0;
	}
}

/* What is between CSI and the end of a key: a letter, or a number and ~. */
static const struct {
	int number; /* 1: a letter */
	char letter;
	bool is_ss3; /* the letter comes in SS3 when nothing is held */
} seqs[VY_VT_KEY_F12 + 1] = {
	[VY_VT_KEY_UP] = { 1, 'A', false },
	[VY_VT_KEY_DOWN] = { 1, 'B', false },
	[VY_VT_KEY_RIGHT] = { 1, 'C', false },
	[VY_VT_KEY_LEFT] = { 1, 'D', false },
	[VY_VT_KEY_HOME] = { 1, 'H', false },
	[VY_VT_KEY_END] = { 1, 'F', false },
	[VY_VT_KEY_INSERT] = { 2, '~', false },
	[VY_VT_KEY_DELETE] = { 3, '~', false },
	[VY_VT_KEY_PGUP] = { 5, '~', false },
	[VY_VT_KEY_PGDN] = { 6, '~', false },
	[VY_VT_KEY_F1] = { 1, 'P', true },
	[VY_VT_KEY_F1 + 1] = { 1, 'Q', true },
	[VY_VT_KEY_F1 + 2] = { 1, 'R', true },
	[VY_VT_KEY_F1 + 3] = { 1, 'S', true },
	[VY_VT_KEY_F1 + 4] = { 15, '~', false },
	[VY_VT_KEY_F1 + 5] = { 17, '~', false },
	[VY_VT_KEY_F1 + 6] = { 18, '~', false },
	[VY_VT_KEY_F1 + 7] = { 19, '~', false },
	[VY_VT_KEY_F1 + 8] = { 20, '~', false },
	[VY_VT_KEY_F1 + 9] = { 21, '~', false },
	[VY_VT_KEY_F1 + 10] = { 23, '~', false },
	[VY_VT_KEY_F12] = { 24, '~', false },
};

static void send_seq(struct vy_vt *v, int key, unsigned mods)
{
	char s[32];
	bool ss3 = seqs[key].is_ss3 || (vy_vt_modes(v).app_cursor && seqs[key].number == 1);

	if (mods) {
		snprintf(s, sizeof(s), "\033[%d;%u%c", seqs[key].number, 1 + (mods & 7),
			seqs[key].letter);
	} else if (seqs[key].number == 1) {
		snprintf(s, sizeof(s), "\033%c%c", ss3 ? 'O' : '[', seqs[key].letter);
	} else {
		snprintf(s, sizeof(s), "\033[%d~", seqs[key].number);
	}
	vt_output(v, vy_str_c(s));
}

void vy_vt_send_key(struct vy_vt *v, int key, unsigned mods)
{
	char one[2] = { '\033', byte_of(key, mods) };

	if (key == VY_VT_KEY_TAB && (mods & VY_VT_SHIFT)) {
		vt_output(v, VY_STR_LIT("\033[Z"));
	} else if (one[1]) {
		vt_output(v, mods & VY_VT_ALT ? vy_str_n(one, 2) : vy_str_n(one + 1, 1));
	} else if (key > VY_VT_KEY_NONE && key <= VY_VT_KEY_F12) {
		send_seq(v, key, mods);
	}
}

/* Line ends as the Enter key; in brackets no control that could end them or act. */
void vy_vt_send_paste(struct vy_vt *v, struct vy_str text)
{
	bool brackets = vy_vt_modes(v).bracketed_paste;
	VY_AUTO_BUF b = VY_BUF_INIT(text.n + 16);

	vy_buf_adds(&b, brackets ? "\033[200~" : "");
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c == '\n') {
			vy_buf_addc(&b, '\r');
		} else if (!brackets || c == '\t' || c == '\r' || (c >= 0x20 && c != 0x7f)) {
			vy_buf_addc(&b, (char)c);
		}
	}
	vy_buf_adds(&b, brackets ? "\033[201~" : "");
	vt_output(v, vy_buf_str(&b));
}

static bool is_wanted(enum vy_vt_mouse mode, int button, enum vy_vt_click is)
{
	switch (mode) {
	case VY_VT_MOUSE_NONE: return false;
	case VY_VT_MOUSE_CLICK: return is != VY_VT_MOTION;
	case VY_VT_MOUSE_DRAG: return is != VY_VT_MOTION || button != 0;
	case VY_VT_MOUSE_MOVE: return true;
	}
	return false;
}

void vy_vt_send_mouse(struct vy_vt *v, int x, int y, int button, enum vy_vt_click is, unsigned mods)
{
	static const int codes[] = { 3, 0, 1, 2, 64, 65 };
	struct vy_vt_modes m = vy_vt_modes(v);
	char s[48];

	if (!is_wanted(m.mouse, button, is) || x < 0 || y < 0 || button < 0 ||
		button >= (int)VY_COUNT(codes)) {
		return;
	}
	int code = codes[button] | (is == VY_VT_MOTION ? 32 : 0) | (mods & VY_VT_SHIFT ? 4 : 0) |
		   (mods & VY_VT_ALT ? 8 : 0) | (mods & VY_VT_CTRL ? 16 : 0);

	if (m.mouse_sgr) {
		snprintf(s, sizeof(s), "\033[<%d;%d;%d%c", code, x + 1, y + 1,
			is == VY_VT_RELEASE ? 'm' : 'M');
	} else if (x < 223 && y < 223) {
		code = is == VY_VT_RELEASE ? (code & ~3) | 3 : code;
		snprintf(s, sizeof(s), "\033[M%c%c%c", code + 32, x + 33, y + 33);
	} else {
		return;
	}
	vt_output(v, vy_str_c(s));
}

void vy_vt_send_focus(struct vy_vt *v, bool focused)
{
	if (vy_vt_modes(v).focus) {
		vt_output(v, vy_str_c(focused ? "\033[I" : "\033[O"));
	}
}
