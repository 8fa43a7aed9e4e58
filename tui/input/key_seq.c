/* key_seq.c -- see key_seq.h. Tables where there are tables: what xterm, rxvt, the Linux console and
 * kitty send differs in numbers, not in kind. */
#include "tui/input/key_seq.h"

#include <string.h>

#include "shared/base/ban.h"

/* ---- parameters ---- */

#define PARAMS_MAX 6

/* "1:2;3": params[0] = { 1, 2, -1 }, params[1] = { 3, -1, -1 }; -1 is not given. */
struct params {
	char leader;       /* < = > ? or 0 */
	char intermediate; /* the last of them, or 0 */
	int n, v[PARAMS_MAX][3];
};

static struct params params_of(struct vy_str s)
{
	struct params p = { .n = 0 };
	int sub = 0;

	memset(p.v, -1, sizeof(p.v));
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c >= '0' && c <= '9') {
			if (p.n == 0) {
				p.n = 1;
			}
			if (p.n <= PARAMS_MAX && sub < 3) {
				int *v = &p.v[p.n - 1][sub];

				*v = (*v < 0 ? 0 : *v) * 10 + (c - '0');
				*v = *v > 0x1fffff ? 0x1fffff : *v;
			}
		} else if (c == ';') {
			p.n += p.n == 0 ? 2 : 1;
			sub = 0;
		} else if (c == ':') {
			p.n += p.n == 0 ? 1 : 0;
			sub++;
		} else if (c >= '<' && c <= '?') {
			p.leader = i == 0 ? c : '!';
		} else {
			p.intermediate = c;
		}
	}
	p.n = p.n > PARAMS_MAX ? PARAMS_MAX : p.n;
	return p;
}

static int or_default(int v, int otherwise)
{
	return v < 0 ? otherwise : v;
}

/* xterm's and kitty's modifier number is 1 + bits. */
static uint8_t mods_of(int v)
{
	int bits = or_default(v, 1) - 1;
	uint8_t m = 0;

	if (bits < 0 || bits > 255) {
		return 0;
	}
	m |= bits & 1 ? KEY_SHIFT : 0;
	m |= bits & (2 | 32) ? KEY_ALT : 0;
	m |= bits & 4 ? KEY_CTRL : 0;
	m |= bits & 8 ? KEY_SUPER : 0;
	return m;
}

/* ---- keys ---- */

static enum key_seq_is key_event(struct key_event *ev, uint32_t code, uint8_t mods)
{
	*ev = (struct key_event){ .kind = KEY_EV_KEY };
	ev->key = key_norm((struct key){ code, mods });
	return code == KEY_NONE ? KEY_SEQ_NOTHING : KEY_SEQ_EVENT;
}

struct key key_seq_control(unsigned char byte)
{
	switch (byte) {
	case 0: return (struct key){ KEY_SPACE, KEY_CTRL };
	case '\t': return (struct key){ KEY_TAB, 0 };
	case '\r': return (struct key){ KEY_ENTER, 0 };
	case 0x1b: return (struct key){ KEY_ESC, 0 };
	case 0x7f: return (struct key){ KEY_BACKSPACE, 0 };
	default: break;
	}
	if (byte < 0x1b) {
		return (struct key){ 'a' + byte - 1u, KEY_CTRL };
	}
	return (struct key){ '@' + byte, KEY_CTRL }; /* \ ] ^ _ */
}

/* The final letters that CSI and SS3 share. */
static uint32_t letter_key(char c)
{
	switch (c) {
	case 'A': return KEY_UP;
	case 'B': return KEY_DOWN;
	case 'C': return KEY_RIGHT;
	case 'D': return KEY_LEFT;
	case 'E': return KEY_BEGIN;
	case 'F': return KEY_END;
	case 'H': return KEY_HOME;
	case 'P': return KEY_F1;
	case 'Q': return KEY_F1 + 1;
	case 'R': return KEY_F1 + 2;
	case 'S': return KEY_F1 + 3;
	default: return KEY_NONE;
	}
}

/* CSI number ~ */
static uint32_t tilde_key(int v)
{
	static const uint32_t keys[] = { [1] = KEY_HOME,
		[2] = KEY_INSERT,
		[3] = KEY_DELETE,
		[4] = KEY_END,
		[5] = KEY_PGUP,
		[6] = KEY_PGDN,
		[7] = KEY_HOME,
		[8] = KEY_END,
		[11] = KEY_F1,
		[12] = KEY_F1 + 1,
		[13] = KEY_F1 + 2,
		[14] = KEY_F1 + 3,
		[15] = KEY_F1 + 4,
		[17] = KEY_F1 + 5,
		[18] = KEY_F1 + 6,
		[19] = KEY_F1 + 7,
		[20] = KEY_F1 + 8,
		[21] = KEY_F1 + 9,
		[23] = KEY_F1 + 10,
		[24] = KEY_F1 + 11,
		[25] = KEY_F1 + 12,
		[26] = KEY_F1 + 13,
		[28] = KEY_F1 + 14,
		[29] = KEY_MENU,
		[31] = KEY_F1 + 16,
		[32] = KEY_F1 + 17,
		[33] = KEY_F1 + 18,
		[34] = KEY_F1 + 19 };

	return v >= 0 && (size_t)v < VY_COUNT(keys) ? keys[v] : KEY_NONE;
}

/* kitty's numbers for keys that type nothing, and for the keypad. */
static uint32_t kitty_key(int v)
{
	static const uint32_t pad[] = { '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '/',
		'*', '-', '+', KEY_ENTER, '=', ',', KEY_LEFT, KEY_RIGHT, KEY_UP, KEY_DOWN, KEY_PGUP,
		KEY_PGDN, KEY_HOME, KEY_END, KEY_INSERT, KEY_DELETE, KEY_BEGIN };

	if (v >= 57399 && v < 57399 + (int)VY_COUNT(pad)) {
		return pad[v - 57399];
	}
	if (v >= 57376 && v <= 57398) {
		return KEY_F1 + 12 + (uint32_t)(v - 57376);
	}
	if (v == 57363) {
		return KEY_MENU;
	}
	if (v == 8) {
		return KEY_BACKSPACE;
	}
	if (v == '\n' || v == 57414) {
		return KEY_ENTER;
	}
	/* Others of that range are keys without a use here (caps lock, media); so are bare modifiers. */
	bool is_text = v >= 0x20 && v < 0x110000 && !(v >= 0x7f + 1 && v < 0xa0) &&
		       !(v >= 0xd800 && v < 0xf900);

	return is_text || v == KEY_TAB || v == KEY_ENTER || v == KEY_ESC ? (uint32_t)v : KEY_NONE;
}

/* A character that shift may have made: the shift is in it already. */
static bool is_shifted(uint32_t code)
{
	return code > KEY_SPACE && code < KEY_BACKSPACE && !(code >= 'a' && code <= 'z');
}

/* code[:shifted[:base]] ; mods[:event] u */
static enum key_seq_is csi_u(const struct params *p, bool has_kitty, struct key_event *ev)
{
	uint32_t code = kitty_key(p->v[0][0]);
	uint8_t mods = mods_of(p->v[1][0]);

	if (p->v[1][1] == 3) { /* a key that was let go */
		return KEY_SEQ_NOTHING;
	}
	if ((mods & KEY_SHIFT) && !(mods & KEY_CTRL) && p->v[0][1] > 0x20) {
		code = kitty_key(p->v[0][1]);
		mods &= (uint8_t)~KEY_SHIFT;
	} else if (!has_kitty && is_shifted(code) && !(mods & KEY_CTRL)) {
		mods &= (uint8_t)~KEY_SHIFT; /* xterm's form of it */
	}
	return key_event(ev, code, mods);
}

/* 27 ; mods ; code ~ */
static enum key_seq_is other_key(const struct params *p, struct key_event *ev)
{
	uint32_t code = kitty_key(p->v[2][0]);
	uint8_t mods = mods_of(p->v[1][0]);

	if (is_shifted(code) && !(mods & KEY_CTRL)) {
		mods &= (uint8_t)~KEY_SHIFT;
	}
	return key_event(ev, code, mods);
}

static enum key_seq_is tilde(const struct params *p, struct key_event *ev)
{
	switch (p->v[0][0]) {
	case 27: return other_key(p, ev);
	case 200: return KEY_SEQ_PASTE;
	default: break; /* 201, a paste's late end, is no key either */
	}
	if (p->v[1][1] == 3) {
		return KEY_SEQ_NOTHING;
	}
	return key_event(ev, tilde_key(p->v[0][0]), mods_of(p->v[1][0]));
}

enum key_seq_is key_seq_ss3(struct vy_str body, char final, struct key_event *ev)
{
	static const char pad[] = "XjklmnopqrstuvwxyMI ", is[] = "=*+,-./0123456789\r\t ";
	struct params p = params_of(body);
	uint8_t mods = mods_of(p.n > 1 ? p.v[1][0] : p.v[0][0]);
	const char *at = strchr(pad, final);

	if (letter_key(final) != KEY_NONE) {
		return key_event(ev, letter_key(final), mods);
	}
	if (at && *at) {
		return key_event(ev, (uint32_t)is[at - pad], mods);
	}
	if (final >= 'a' && final <= 'd') { /* rxvt */
		return key_event(ev, letter_key((char)(final - 'a' + 'A')), KEY_CTRL);
	}
	return KEY_SEQ_NOTHING;
}

/* ---- the mouse ---- */

enum key_seq_is key_seq_mouse(int button, int x, int y, bool release, struct key_event *ev)
{
	static const uint8_t buttons[] = { 1, 2, 3, 0 };
	struct key_mouse m = { .x = x - 1, .y = y - 1 };

	if (button < 0 || x < 1 || y < 1) {
		return KEY_SEQ_NOTHING;
	}
	m.mods |= button & 4 ? KEY_SHIFT : 0;
	m.mods |= button & 8 ? KEY_ALT : 0;
	m.mods |= button & 16 ? KEY_CTRL : 0;
	if (button & 64) {
		m.kind = KEY_MOUSE_WHEEL_UP + (enum key_mouse_kind)(button & 3);
	} else {
		m.button = button & 128 ? (uint8_t)(8 + (button & 3)) : buttons[button & 3];
		m.kind = button & 32                ? (m.button ? KEY_MOUSE_DRAG : KEY_MOUSE_MOVE)
			 : release || m.button == 0 ? KEY_MOUSE_RELEASE
						    : KEY_MOUSE_PRESS;
	}
	*ev = (struct key_event){ .kind = KEY_EV_MOUSE, .mouse = m };
	return KEY_SEQ_EVENT;
}

/* ---- answers ---- */

static enum key_seq_is answer(struct key_event *ev, enum key_kind kind, int value, int state)
{
	*ev = (struct key_event){ .kind = kind, .value = value, .state = state };
	return KEY_SEQ_EVENT;
}

static enum key_seq_is question(
	const struct params *p, struct vy_str body, char final, struct key_event *ev)
{
	switch (final) {
	case 'c':
		answer(ev, KEY_EV_DA, 0, 0);
		ev->text = vy_str_from(body, 1);
		return KEY_SEQ_EVENT;
	case 'u': return answer(ev, KEY_EV_KITTY, or_default(p->v[0][0], 0), 0);
	case 'y':
		if (p->intermediate == '$') {
			return answer(ev, KEY_EV_MODE, or_default(p->v[0][0], 0),
				or_default(p->v[1][0], 0));
		}
		break;
	case 'n':
		if (p->v[0][0] == 997) {
			return answer(ev, KEY_EV_LOOK, or_default(p->v[1][0], 0), 0);
		}
		break;
	default: break;
	}
	return KEY_SEQ_NOTHING;
}

enum key_seq_is key_seq_string(char kind, struct vy_str body, struct key_event *ev)
{
	if (kind == ']' && (vy_str_starts(body, "10;") || vy_str_starts(body, "11;"))) {
		answer(ev, KEY_EV_COLOR, body.p[1] == '0' ? 10 : 11, 0);
		ev->text = vy_str_from(body, 3);
		return KEY_SEQ_EVENT;
	}
	if (kind == 'P' && vy_str_starts(body, ">|")) {
		answer(ev, KEY_EV_VERSION, 0, 0);
		ev->text = vy_str_from(body, 2);
		return KEY_SEQ_EVENT;
	}
	if (kind == '_' && vy_str_starts(body, "G")) {
		answer(ev, KEY_EV_GRAPHICS, 0, 0);
		ev->text = body;
		return KEY_SEQ_EVENT;
	}
	return KEY_SEQ_NOTHING;
}

/* ---- CSI ---- */

static enum key_seq_is plain(
	const struct params *p, char final, bool has_kitty, struct key_event *ev)
{
	bool has_params = p->n > 0;

	switch (final) {
	case '~': return tilde(p, ev);
	case 'u': return csi_u(p, has_kitty, ev);
	case 'Z': return key_event(ev, KEY_TAB, mods_of(p->v[1][0]) | KEY_SHIFT);
	case 'I': return answer(ev, KEY_EV_FOCUS, 1, 0);
	case 'O': return answer(ev, KEY_EV_FOCUS, 0, 0);
	case '^': return key_event(ev, tilde_key(p->v[0][0]), KEY_CTRL); /* rxvt */
	case '$': return key_event(ev, tilde_key(p->v[0][0]), KEY_SHIFT);
	case '@': return key_event(ev, tilde_key(p->v[0][0]), KEY_CTRL | KEY_SHIFT);
	default: break;
	}
	if (final == 'R' && p->n >= 2 && p->v[0][0] != 1) { /* a cursor's place, not F3 */
		return KEY_SEQ_NOTHING;
	}
	if (final >= 'a' && final <= 'd' && !has_params) { /* rxvt */
		return key_event(ev, letter_key((char)(final - 'a' + 'A')), KEY_SHIFT);
	}
	if (p->v[1][1] == 3) {
		return KEY_SEQ_NOTHING;
	}
	return key_event(ev, letter_key(final), mods_of(p->v[1][0]));
}

enum key_seq_is key_seq_csi(struct vy_str body, char final, bool has_kitty, struct key_event *ev)
{
	struct params p = params_of(body);

	if (vy_str_is(body, "[")) { /* the Linux console: ESC [ [ A is F1 */
		return key_event(ev,
			final >= 'A' && final <= 'E' ? KEY_F1 + (uint32_t)(final - 'A') : KEY_NONE,
			0);
	}
	switch (p.leader) {
	case 0: return p.intermediate ? KEY_SEQ_NOTHING : plain(&p, final, has_kitty, ev);
	case '?': return question(&p, body, final, ev);
	case '<':
		if (final == 'M' || final == 'm') {
			return key_seq_mouse(p.v[0][0], p.v[1][0], p.v[2][0], final == 'm', ev);
		}
		return KEY_SEQ_NOTHING;
	default: return KEY_SEQ_NOTHING;
	}
}
