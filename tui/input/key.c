/* key.c -- see key.h. The machine that cuts bytes into sequences; what they say is key_seq.c.
 *
 * ESC begins everything, and is a key and the alt prefix too. Which it was is decided by the next
 * byte, or by nothing coming: key_timeout(). A sequence that turns out to be none ("alt-[" and then
 * a letter) is given back as the keys it was. */
#include "tui/input/key.h"

#include <string.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "tui/input/key_seq.h"
#include "shared/base/ban.h"

enum state {
	GROUND,
	CHAR,    /* inside of a UTF-8 character: seq */
	ESC,     /* ESC, or ESC ESC with is_alt */
	CSI,     /* ESC [: seq has the body */
	SS3,     /* ESC O */
	STRING,  /* ESC ] P _: str has the body */
	STR_ESC, /* and an ESC in it */
	X10,     /* ESC [ M: three bytes follow */
	PASTE,
};

#define ESC_MS    50
#define SEQ_MS    500 /* a sequence that has begun for sure */
#define STRING_MS 1000
#define PASTE_MS  3000

static const char paste_end[] = "\033[201~";

struct out {
	key_fn *emit;
	void *ctx;
};

void key_init(struct key_parser *p)
{
	*p = (struct key_parser){ .state = GROUND };
	vy_buf_init(&p->str, KEY_STR_MAX);
	vy_buf_init(&p->paste, KEY_PASTE_MAX);
}

void key_fini(struct key_parser *p)
{
	vy_buf_fini(&p->str);
	vy_buf_fini(&p->paste);
}

/* ---- emitting ---- */

static void emit_key(struct out o, struct key k, bool alt)
{
	struct key_event ev = { .kind = KEY_EV_KEY };
	char text[4];

	ev.key = k;
	ev.key.mods |= alt ? KEY_ALT : 0;
	ev.key = key_norm(ev.key);
	if (ev.key.mods == 0 && ev.key.code >= 0x20 && ev.key.code != KEY_BACKSPACE &&
		ev.key.code < KEY_NAMED) {
		ev.text = vy_str_n(text, vy_utf8_put(ev.key.code, text));
	}
	o.emit(o.ctx, &ev);
}

static void emit_plain(struct out o, char c, bool alt)
{
	emit_key(o, (struct key){ (unsigned char)c, 0 }, alt);
}

/* Valid or not; what is no text is dropped. */
static void emit_text(struct out o, struct vy_str run, bool alt)
{
	for (size_t at = 0; at < run.n;) {
		size_t end = vy_cluster_next(run, at);
		uint32_t cp;
		size_t n = vy_utf8_get_strict(run, at, &cp);

		if (n == 0) {
			at += vy_utf8_get(run, at, &cp);
			continue;
		}
		if (at + n == end || alt) {
			if (cp >= 0xa0 || cp < 0x80) {
				emit_key(o, (struct key){ cp, 0 }, alt);
			}
			at += n;
			alt = false;
			continue;
		}
		struct vy_str cluster = vy_str_n(run.p + at, end - at);

		if (vy_utf8_is_valid(cluster)) {
			struct key_event ev = { .kind = KEY_EV_TEXT, .text = cluster };

			o.emit(o.ctx, &ev);
			at = end;
		} else {
			emit_key(o, (struct key){ cp, 0 }, false);
			at += n;
		}
	}
}

static void finish(struct key_parser *p, struct out o, enum key_seq_is is, struct key_event *ev)
{
	bool alt = p->is_alt;

	p->state = is == KEY_SEQ_PASTE ? PASTE : GROUND;
	p->is_alt = false;
	if (is != KEY_SEQ_EVENT) {
		return;
	}
	if (ev->kind == KEY_EV_KEY) {
		emit_key(o, ev->key, alt);
		return;
	}
	p->has_kitty = p->has_kitty || (ev->kind == KEY_EV_KITTY && ev->value != 0);
	o.emit(o.ctx, ev);
}

/* ---- the paste ---- */

static void paste_add(struct key_parser *p, const char *s, size_t n)
{
	size_t room = p->paste.max - p->paste.len;

	p->total += n;
	vy_buf_add(&p->paste, s, n < room ? n : room);
}

/* Line ends become \n, over pieces too. */
static void paste_text(struct key_parser *p, struct vy_str s)
{
	size_t at = 0;

	while (at < s.n) {
		if (p->was_cr && s.p[at] == '\n') {
			at++;
		}
		p->was_cr = false;
		const char *cr = at < s.n ? memchr(s.p + at, '\r', s.n - at) : NULL;
		size_t end = cr ? (size_t)(cr - s.p) : s.n;

		paste_add(p, s.p + at, end - at);
		at = end;
		if (cr) {
			paste_add(p, "\n", 1);
			p->was_cr = true;
			at++;
		}
	}
}

static void paste_done(struct key_parser *p, struct out o, bool is_open)
{
	struct key_event ev = { .kind = KEY_EV_PASTE, .total = p->total, .is_open = is_open };

	ev.is_cut = p->total > p->paste.len;
	ev.text = vy_buf_str(&p->paste);
	if (ev.is_cut) {
		ev.text.n = vy_utf8_cut(ev.text, ev.text.n);
		ev.text.n -= vy_utf8_unfinished(ev.text);
	}
	o.emit(o.ctx, &ev);
	vy_buf_fini(&p->paste); /* it may have been large */
	vy_buf_init(&p->paste, KEY_PASTE_MAX);
	p->total = p->matched = 0;
	p->was_cr = false;
	p->state = GROUND;
}

/* Returns the bytes eaten. */
static size_t paste_step(struct key_parser *p, struct vy_str s, struct out o)
{
	if (p->matched == 0) {
		const char *esc = memchr(s.p, '\033', s.n);
		size_t n = esc ? (size_t)(esc - s.p) : s.n;

		paste_text(p, vy_str_n(s.p, n));
		p->matched = esc ? 1 : 0;
		return esc ? n + 1 : n;
	}
	if (s.p[0] != paste_end[p->matched]) {
		size_t had = p->matched;

		p->matched = 0;
		paste_text(p, vy_str_n(paste_end, had));
		return 0;
	}
	p->matched++;
	if (p->matched == sizeof(paste_end) - 1) {
		paste_done(p, o, false);
	}
	return 1;
}

/* ---- sequences ---- */

static void begin(struct key_parser *p, enum state state)
{
	p->state = (int)state;
	p->n = 0;
}

static void collect(struct key_parser *p, char c)
{
	if (p->n < sizeof(p->seq)) { /* a longer one keeps its length, and is dropped at its end */
		p->seq[p->n] = c;
	}
	p->n++;
}

static struct vy_str collected(const struct key_parser *p)
{
	return vy_str_n(p->seq, p->n < sizeof(p->seq) ? p->n : 0);
}

/* It was no sequence: the keys it began with. */
static void give_back(struct key_parser *p, struct out o, char c)
{
	bool alt = p->is_alt;

	begin(p, GROUND);
	p->is_alt = false;
	if (alt) {
		emit_key(o, (struct key){ KEY_ESC, 0 }, false);
	}
	emit_plain(o, c, true);
}

/* May `c` stand second in a string of this kind? If not it was alt and a letter. */
static bool begins_string(char kind, char c)
{
	switch (kind) {
	case ']': return c >= '0' && c <= '9';
	case 'P': return (c >= '0' && c <= '9') || c == '>' || c == '!' || c == '|' || c == '$';
	default: return c == 'G';
	}
}

static void esc_byte(struct key_parser *p, char c, struct out o)
{
	switch (c) {
	case '[': begin(p, CSI); return;
	case 'O': begin(p, SS3); return;
	case ']':
	case 'P':
	case '_':
		begin(p, STRING);
		p->kind = c;
		vy_buf_clear(&p->str);
		return;
	case '\033':
		if (p->is_alt) { /* a third: the first was a key */
			emit_key(o, (struct key){ KEY_ESC, 0 }, false);
		}
		p->is_alt = true;
		return;
	default: break;
	}
	if (p->is_alt) {
		emit_key(o, (struct key){ KEY_ESC, 0 }, false);
		p->is_alt = false;
	}
	if ((unsigned char)c >= 0x80) {
		begin(p, CHAR);
		p->is_alt = true;
		collect(p, c);
		return;
	}
	begin(p, GROUND);
	if ((unsigned char)c < 0x20 || c == 0x7f) {
		emit_key(o, key_seq_control((unsigned char)c), true);
	} else {
		emit_plain(o, c, true);
	}
}

/* Returns false when `c` does not belong to it and must be looked at again. */
static bool csi_byte(struct key_parser *p, char c, struct out o)
{
	unsigned char u = (unsigned char)c;
	struct key_event ev;

	if (u < 0x20 || u >= 0x7f) {
		if (p->n == 0) {
			give_back(p, o, '[');
		}
		begin(p, GROUND);
		p->is_alt = false;
		return false;
	}
	if (p->n == 0 && c == 'M') {
		begin(p, X10);
		return true;
	}
	bool is_rxvt_shift =
		c == '$' && p->n > 0 && p->n < 3 && p->seq[0] >= '0' && p->seq[0] <= '9';
	bool is_console = c == '[' && p->n == 0;

	if ((u < 0x40 && !is_rxvt_shift) || is_console) {
		collect(p, c);
		return true;
	}
	finish(p, o,
		p->n > sizeof(p->seq) ? KEY_SEQ_NOTHING
				      : key_seq_csi(collected(p), c, p->has_kitty, &ev),
		&ev);
	return true;
}

static bool ss3_byte(struct key_parser *p, char c, struct out o)
{
	struct key_event ev;

	if (((c >= '0' && c <= '9') || c == ';') && p->n < 8) {
		collect(p, c);
		return true;
	}
	enum key_seq_is is = key_seq_ss3(collected(p), c, &ev);

	if (is == KEY_SEQ_NOTHING) {
		give_back(p, o, 'O');
		return false;
	}
	finish(p, o, is, &ev);
	return true;
}

static void string_done(struct key_parser *p, struct out o)
{
	struct key_event ev;
	enum key_seq_is is = vy_buf_is_over(&p->str)
				     ? KEY_SEQ_NOTHING
				     : key_seq_string(p->kind, vy_buf_str(&p->str), &ev);

	p->str.over = false;
	finish(p, o, is, &ev);
}

static bool string_byte(struct key_parser *p, char c, struct out o)
{
	if (p->state == STR_ESC) {
		if (c == '\\') {
			string_done(p, o);
			return true;
		}
		begin(p, ESC); /* the string was cut off; this is something new */
		p->is_alt = false;
		return false;
	}
	if (p->str.len == 0 && !vy_buf_is_over(&p->str) && !begins_string(p->kind, c)) {
		give_back(p, o, p->kind);
		return false;
	}
	if (c == '\a') {
		string_done(p, o);
	} else if (c == '\033') {
		p->state = STR_ESC;
	} else if ((unsigned char)c < 0x20) {
		begin(p, GROUND);
		p->is_alt = false;
		return false;
	} else {
		vy_buf_addc(&p->str, c);
	}
	return true;
}

static void x10_byte(struct key_parser *p, char c, struct out o)
{
	struct key_event ev;

	collect(p, c);
	if (p->n == 3) {
		const unsigned char *b = (const unsigned char *)p->seq;

		finish(p, o, key_seq_mouse(b[0] - 32, b[1] - 32, b[2] - 32, false, &ev), &ev);
	}
}

/* A character that came in pieces: emitted once it is whole. */
static bool char_byte(struct key_parser *p, char c, struct out o)
{
	if (((unsigned char)c & 0xc0) != 0x80) {
		begin(p, GROUND);
		p->is_alt = false;
		return false;
	}
	collect(p, c);
	if (vy_utf8_unfinished(vy_str_n(p->seq, p->n)) == 0) {
		struct vy_str s = collected(p);
		bool alt = p->is_alt;

		p->state = GROUND;
		p->is_alt = false;
		emit_text(o, s, alt);
	}
	return true;
}

/* ---- the ground ---- */

static bool is_text(char c)
{
	return (unsigned char)c >= 0x20 && c != 0x7f;
}

static size_t ground_step(struct key_parser *p, struct vy_str s, struct out o)
{
	size_t n = 0;

	if (s.p[0] == '\033') {
		begin(p, ESC);
		p->is_alt = false;
		return 1;
	}
	if (!is_text(s.p[0])) {
		emit_key(o, key_seq_control((unsigned char)s.p[0]), false);
		return 1;
	}
	while (n < s.n && is_text(s.p[n])) {
		n++;
	}
	size_t rest = n == s.n ? vy_utf8_unfinished(vy_str_n(s.p, n)) : 0;

	emit_text(o, vy_str_n(s.p, n - rest), false);
	if (rest > 0) {
		begin(p, CHAR);
		p->is_alt = false;
		memcpy(p->seq, s.p + n - rest, rest);
		p->n = rest;
	}
	return n;
}

/* Eats at least one byte, or changes the state. */
static size_t step(struct key_parser *p, struct vy_str s, struct out o)
{
	char c = s.p[0];

	switch ((enum state)p->state) {
	case GROUND: return ground_step(p, s, o);
	case CHAR: return char_byte(p, c, o);
	case ESC: esc_byte(p, c, o); return 1;
	case CSI: return csi_byte(p, c, o);
	case SS3: return ss3_byte(p, c, o);
	case STRING:
	case STR_ESC: return string_byte(p, c, o);
	case X10: x10_byte(p, c, o); return 1;
	case PASTE: return paste_step(p, s, o);
	}
	return 1;
}

void key_step(struct key_parser *p, struct vy_str bytes, key_fn *emit, void *ctx)
{
	struct out o = { emit, ctx };

	while (bytes.n > 0) {
		bytes = vy_str_from(bytes, step(p, bytes, o));
	}
}

/* ---- time ---- */

int key_wait_ms(const struct key_parser *p)
{
	switch ((enum state)p->state) {
	case GROUND: return -1;
	case ESC: return p->has_kitty ? SEQ_MS : ESC_MS;
	case CSI:
	case SS3: return p->n == 0 ? ESC_MS : SEQ_MS;
	case STRING: return p->str.len == 0 ? ESC_MS : STRING_MS;
	case STR_ESC: return STRING_MS;
	case CHAR:
	case X10: return SEQ_MS;
	case PASTE: return PASTE_MS;
	}
	return -1;
}

void key_timeout(struct key_parser *p, key_fn *emit, void *ctx)
{
	struct out o = { emit, ctx };
	bool alt = p->is_alt;

	switch ((enum state)p->state) {
	case ESC:
		begin(p, GROUND);
		p->is_alt = false;
		for (int i = 0; i < (alt ? 2 : 1); i++) {
			emit_key(o, (struct key){ KEY_ESC, 0 }, false);
		}
		return;
	case CSI:
		if (p->n == 0) {
			give_back(p, o, '[');
		}
		break;
	case SS3:
		if (p->n == 0) {
			give_back(p, o, 'O');
		}
		break;
	case STRING:
		if (p->str.len == 0) {
			give_back(p, o, p->kind);
		}
		break;
	case PASTE:
		paste_text(p, vy_str_n(paste_end, p->matched));
		paste_done(p, o, true);
		return;
	case GROUND:
	case CHAR:
	case STR_ESC:
	case X10: break;
	}
	begin(p, GROUND);
	p->is_alt = false;
}
