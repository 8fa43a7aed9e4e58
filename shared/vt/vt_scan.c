/* vt_scan.c -- see vt_scan.h. */
#include "shared/vt/vt_scan.h"

#include <string.h>

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

enum state {
	GROUND, /* seq: the beginning of a character, or empty */
	ESC,    /* seq: ESC and intermediates */
	CSI,    /* seq: ESC [ and so on */
	STRING,
	STR_ESC, /* an ESC inside of a string */
};

struct out {
	vt_scan_fn *emit;
	void *ctx;
};

void vt_scan_init(struct vt_scan *s, size_t string_max)
{
	*s = (struct vt_scan){ .state = GROUND };
	vy_buf_init(&s->str, string_max);
}

void vt_scan_fini(struct vt_scan *s)
{
	vy_buf_fini(&s->str);
}

/* ---- tokens ---- */

/* The parameters are left as they are: most tokens have none, and they are large. */
static void token_init(struct vt_token *t, enum vt_token_kind kind, struct vy_str bytes)
{
	t->kind = kind;
	t->bytes = bytes;
	t->final = t->leader = t->intermediate = 0;
	t->n = 0;
}

static void emit_simple(struct out o, enum vt_token_kind kind, struct vy_str bytes)
{
	struct vt_token t;

	if (bytes.n > 0) {
		token_init(&t, kind, bytes);
		o.emit(o.ctx, &t);
	}
}

static bool is_c1(struct vy_str s, size_t at)
{
	return at + 1 < s.n && (unsigned char)s.p[at + 1] >= 0x80 &&
	       (unsigned char)s.p[at + 1] < 0xa0;
}

static void emit_text(struct out o, struct vy_str text)
{
	for (size_t at = 0; at < text.n;) {
		const char *c2 = memchr(text.p + at, 0xc2, text.n - at);
		size_t i = c2 ? (size_t)(c2 - text.p) : text.n;

		at = i + 1;
		if (is_c1(text, i)) {
			emit_simple(o, VT_TEXT, vy_str_n(text.p, i));
			emit_simple(o, VT_TEXT, VY_STR_LIT("\xEF\xBF\xBD"));
			text = vy_str_from(text, i + 2);
			at = 0;
		}
	}
	emit_simple(o, VT_TEXT, text);
}

/* A character that will not be finished any more. */
static void flush_char(struct vt_scan *s, struct out o)
{
	if (s->state == GROUND && s->n > 0) {
		s->n = 0;
		emit_simple(o, VT_TEXT, VY_STR_LIT("\xEF\xBF\xBD"));
	}
}

static void collect(struct vt_scan *s, char c)
{
	if (s->n < sizeof(s->seq)) { /* a longer one keeps its length, and is dropped at its end */
		s->seq[s->n] = c;
	}
	s->n++;
}

static void emit_esc(struct vt_scan *s, struct out o)
{
	struct vt_token t = {
		.kind = VT_ESC, .bytes = vy_str_n(s->seq, s->n), .final = s->seq[s->n - 1]
	};

	t.intermediate = s->n > 2 ? s->seq[s->n - 2] : 0;
	s->state = GROUND;
	s->n = 0;
	o.emit(o.ctx, &t);
}

/* Private parameters (bytes < = > ?) are only good in front. */
static bool parse_params(struct vy_str body, struct vt_token *t)
{
	bool joins = false;

	for (size_t i = 0; i < body.n; i++) {
		char c = body.p[i];

		if (c >= '<' && c <= '?') {
			if (i > 0) {
				return false;
			}
			t->leader = c;
		} else if (c >= 0x20 && c < 0x30) {
			t->intermediate = c;
		} else if (t->intermediate) { /* libvterm would show what follows */
			return false;
		} else {
			if (t->n == 0) {
				t->p[t->n++] = (struct vt_param){ .v = -1 };
			}
			struct vt_param *p = &t->p[t->n - 1];

			if (c >= '0' && c <= '9') {
				p->v = (p->v < 0 ? 0 : p->v) * 10 + (c - '0');
				p->v = p->v > 0xffff ? 0xffff : p->v;
				continue;
			}
			joins = c == ':';
			if (t->n == VT_PARAMS_MAX) {
				return false;
			}
			t->p[t->n++] = (struct vt_param){ .v = -1, .joins = joins };
		}
	}
	return true;
}

static void emit_csi(struct vt_scan *s, struct out o)
{
	struct vt_token t;
	size_t n = s->n;

	token_init(&t, VT_CSI, vy_str_n(s->seq, n));
	s->state = GROUND;
	s->n = 0;
	if (n > sizeof(s->seq)) {
		return;
	}
	t.final = s->seq[n - 1];
	if (parse_params(vy_str_n(s->seq + 2, n - 3), &t)) {
		o.emit(o.ctx, &t);
	}
}

static void emit_string(struct vt_scan *s, struct out o)
{
	struct vt_token t = { .kind = VT_STRING, .bytes = vy_buf_str(&s->str), .final = s->kind };

	s->state = GROUND;
	s->n = 0;
	if (!vy_buf_is_over(&s->str)) {
		o.emit(o.ctx, &t);
	}
	if (s->str.cap > VT_SEQ_MAX * 16) {
		size_t max = s->str.max;

		vy_buf_fini(&s->str);
		vy_buf_init(&s->str, max);
	}
	vy_buf_clear(&s->str);
}

/* ---- the machine ---- */

static void begin_esc(struct vt_scan *s)
{
	s->state = ESC;
	s->n = 0;
	collect(s, '\033');
}

static void esc_byte(struct vt_scan *s, char c, struct out o)
{
	if (s->n == 1 && c == '[') {
		s->state = CSI;
		collect(s, c);
	} else if (s->n == 1 && strchr("]P_^Xk", c)) {
		s->state = STRING;
		s->kind = c;
		vy_buf_clear(&s->str);
	} else if (c >= 0x20 && c < 0x30) {
		collect(s, c);
	} else if (c >= 0x30 && c < 0x7f && s->n < 8) {
		collect(s, c);
		emit_esc(s, o);
	} else { /* no sequence at all */
		s->state = GROUND;
		s->n = 0;
	}
}

/* A control in the middle of a sequence is done at once; the sequence goes on. */
static bool control_inside(struct vt_scan *s, char c, struct out o)
{
	if (c == '\033') {
		begin_esc(s);
		return true;
	}
	if (c == 0x18 || c == 0x1a) { /* CAN, SUB */
		s->state = GROUND;
		s->n = 0;
		return true;
	}
	if ((unsigned char)c < 0x20) {
		emit_simple(o, VT_CONTROL, vy_str_n(&c, 1));
		return true;
	}
	return c == 0x7f;
}

static void csi_byte(struct vt_scan *s, char c, struct out o)
{
	if ((unsigned char)c >= 0x80) {
		s->state = GROUND;
		s->n = 0;
		return;
	}
	collect(s, c);
	if (c >= 0x40) {
		emit_csi(s, o);
	}
}

/* Returns how many bytes it ate. */
static size_t string_bytes(struct vt_scan *s, struct vy_str b, struct out o)
{
	size_t n = 0;

	if (s->state == STR_ESC) {
		if (b.p[0] == '\\') {
			emit_string(s, o);
			return 1;
		}
		begin_esc(s); /* the string was broken off by another sequence */
		return 0;
	}
	while (n < b.n && (unsigned char)b.p[n] >= 0x20) {
		n++;
	}
	vy_buf_add(&s->str, b.p, n);
	if (n == b.n) {
		return n;
	}
	switch (b.p[n]) {
	case '\a': emit_string(s, o); break;
	case '\033': s->state = STR_ESC; break;
	case 0x18:
	case 0x1a:
		s->state = GROUND;
		s->n = 0;
		break;
	default: break; /* other controls do not belong here */
	}
	return n + 1;
}

static bool is_text(char c)
{
	return (unsigned char)c >= 0x20 && c != 0x7f;
}

/* A character that began in an earlier write. */
static size_t char_bytes(struct vt_scan *s, struct vy_str b, struct out o)
{
	if (((unsigned char)b.p[0] & 0xc0) != 0x80) {
		flush_char(s, o);
		return 0;
	}
	collect(s, b.p[0]);
	if (vy_utf8_unfinished(vy_str_n(s->seq, s->n)) == 0) {
		char whole[8];
		size_t n = s->n < sizeof(whole) ? s->n : sizeof(whole);

		memcpy(whole, s->seq, n);
		s->n = 0;
		emit_text(o, vy_str_n(whole, n));
	}
	return 1;
}

static size_t ground_bytes(struct vt_scan *s, struct vy_str b, struct out o)
{
	size_t n = 0;

	if (s->n > 0) {
		return char_bytes(s, b, o);
	}
	while (n < b.n && is_text(b.p[n])) {
		n++;
	}
	if (n > 0) {
		size_t rest = vy_utf8_unfinished(vy_str_n(b.p, n));

		emit_text(o, vy_str_n(b.p, n - rest));
		memcpy(s->seq, b.p + n - rest, rest);
		s->n = rest;
		if (n < b.n) {
			flush_char(s, o);
		}
		return n;
	}
	if (b.p[0] == '\033') {
		begin_esc(s);
		return 1;
	}
	while (n < b.n && (unsigned char)b.p[n] < 0x20 && b.p[n] != '\033') {
		n++;
	}
	emit_simple(o, VT_CONTROL, vy_str_n(b.p, n));
	return n > 0 ? n : 1; /* DEL is nothing */
}

void vt_scan_step(struct vt_scan *s, struct vy_str bytes, vt_scan_fn *emit, void *ctx)
{
	struct out o = { emit, ctx };

	while (bytes.n > 0) {
		char c = bytes.p[0];
		size_t n = 1;

		switch ((enum state)s->state) {
		case GROUND: n = ground_bytes(s, bytes, o); break;
		case STRING:
		case STR_ESC: n = string_bytes(s, bytes, o); break;
		case ESC:
			if (!control_inside(s, c, o)) {
				esc_byte(s, c, o);
			}
			break;
		case CSI:
			if (!control_inside(s, c, o)) {
				csi_byte(s, c, o);
			}
			break;
		}
		bytes = vy_str_from(bytes, n);
	}
}

static bool is_read(const struct vt_scan *s)
{
	struct vy_str body = vy_buf_str(&s->str);

	if (s->kind == 'P' && body.n >= 2) {
		return vy_str_starts(body, "$q") || vy_str_starts(body, "=v");
	}
	return (s->kind == 'P' || s->kind == ']') && !vy_buf_is_over(&s->str);
}

void vt_scan_pending(const struct vt_scan *s, struct vy_buf *out)
{
	switch ((enum state)s->state) {
	case GROUND:
	case ESC:
	case CSI:
		vy_buf_add(out, s->seq, s->n < sizeof(s->seq) ? s->n : sizeof(s->seq));
		if (s->state == CSI && s->n > sizeof(s->seq)) {
			vy_buf_addc(out, '0'); /* too long already, and so will be dropped */
		}
		return;
	case STRING:
	case STR_ESC:
		vy_buf_addc(out, '\033');
		vy_buf_addc(out, is_read(s) ? s->kind : 'X');
		if (is_read(s)) {
			vy_buf_addstr(out, vy_buf_str(&s->str));
		}
		vy_buf_adds(out, s->state == STR_ESC ? "\033" : "");
		return;
	}
}
