/* utf8.c -- see utf8.h.
 *
 * Everything rests on get(): one table-free decoder that names the maximal bad subpart. Texts are
 * first run over eight bytes at a time while they are plain ASCII. */
#include "shared/text/utf8.h"

#include <string.h>

#include "shared/text/width.h"
#include "shared/base/ban.h"

#define BAD_BYTES "\xEF\xBF\xBD" /* U+FFFD */

/* ---- one character ---- */

struct lead {
	unsigned len;         /* 2..4, 0: cannot begin a character */
	unsigned char lo, hi; /* what the second byte may be */
};

static struct lead lead_of(unsigned char c)
{
	if (c >= 0xC2 && c <= 0xDF) {
		return (struct lead){ 2, 0x80, 0xBF };
	}
	if (c >= 0xE0 && c <= 0xEF) {
		return (struct lead){ 3, c == 0xE0 ? 0xA0 : 0x80, c == 0xED ? 0x9F : 0xBF };
	}
	if (c >= 0xF0 && c <= 0xF4) {
		return (struct lead){ 4, c == 0xF0 ? 0x90 : 0x80, c == 0xF4 ? 0x8F : 0xBF };
	}
	return (struct lead){ 0, 0, 0 };
}

/* Length of the longest beginning of a character at p (n > 0); *whole says if it is one. */
static size_t scan(const unsigned char *p, size_t n, bool *whole)
{
	*whole = p[0] < 0x80;
	if (*whole) {
		return 1;
	}
	struct lead l = lead_of(p[0]);

	if (l.len == 0 || n < 2 || p[1] < l.lo || p[1] > l.hi) {
		return 1;
	}
	size_t i = 2;

	while (i < l.len && i < n && (p[i] & 0xC0) == 0x80) {
		i++;
	}
	*whole = i == l.len;
	return i;
}

static uint32_t decode(const unsigned char *p, size_t len)
{
	switch (len) {
	case 1: return p[0];
	case 2: return (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
	case 3: return (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
	default:
		return (p[0] & 0x07u) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 |
		       (p[3] & 0x3Fu);
	}
}

size_t vy_utf8_get(struct vy_str s, size_t at, uint32_t *cp)
{
	const unsigned char *p = (const unsigned char *)s.p + at;
	bool whole;
	size_t len = scan(p, s.n - at, &whole);

	*cp = whole ? decode(p, len) : VY_UTF8_BAD;
	return len;
}

size_t vy_utf8_get_strict(struct vy_str s, size_t at, uint32_t *cp)
{
	const unsigned char *p = (const unsigned char *)s.p + at;
	bool whole;
	size_t len = scan(p, s.n - at, &whole);

	*cp = whole ? decode(p, len) : VY_UTF8_BAD;
	return whole ? len : 0;
}

size_t vy_utf8_prev(struct vy_str s, size_t at, uint32_t *cp)
{
	size_t from = at - 1;

	/* the character or bad subpart that ends at `at` begins at most 3 bytes before its last */
	while (from > 0 && at - from < 4 && ((unsigned char)s.p[from] & 0xC0) == 0x80) {
		from--;
	}
	for (; from < at; from++) {
		size_t len = vy_utf8_get(vy_str_n(s.p, at), from, cp);

		if (from + len == at) {
			return len;
		}
	}
	*cp = VY_UTF8_BAD;
	return 1;
}

size_t vy_utf8_put(uint32_t cp, char out[4])
{
	if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF)) {
		cp = VY_UTF8_BAD;
	}
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	size_t len = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;

	for (size_t i = len - 1; i > 0; i--, cp >>= 6) {
		out[i] = (char)(0x80 | (cp & 0x3F));
	}
	out[0] = (char)((0xF00 >> len & 0xF0) | cp); /* C0, E0, F0 */
	return len;
}

/* ---- whole texts ---- */

/* Byte behind the ASCII that begins at `at`. */
static size_t skip_ascii(struct vy_str s, size_t at)
{
	while (at + 8 <= s.n) {
		uint64_t w;

		memcpy(&w, s.p + at, 8);
		if (w & 0x8080808080808080u) {
			break;
		}
		at += 8;
	}
	while (at < s.n && (unsigned char)s.p[at] < 0x80) {
		at++;
	}
	return at;
}

size_t vy_utf8_valid(struct vy_str s, size_t at)
{
	for (;;) {
		bool whole;

		at = skip_ascii(s, at);
		if (at == s.n) {
			return at;
		}
		size_t len = scan((const unsigned char *)s.p + at, s.n - at, &whole);

		if (!whole) {
			return at;
		}
		at += len;
	}
}

bool vy_utf8_is_valid(struct vy_str s)
{
	return vy_utf8_valid(s, 0) == s.n;
}

bool vy_utf8_clean(struct vy_str in, struct vy_buf *out)
{
	size_t at = 0;
	uint32_t cp;

	while (at < in.n) {
		size_t to = vy_utf8_valid(in, at);

		if (!vy_buf_add(out, in.p + at, to - at)) {
			return false;
		}
		at = to;
		if (at < in.n) {
			if (!vy_buf_add(out, BAD_BYTES, 3)) {
				return false;
			}
			at += vy_utf8_get(in, at, &cp);
		}
	}
	return true;
}

/* ---- what a reader could not see ---- */

static const struct {
	uint32_t from, to;
} hidden[] = {
	{ 0x80, 0x9F },         /* C1: U+009B is CSI */
	{ 0xAD, 0xAD },         /* soft hyphen */
	{ 0x34F, 0x34F },       /* grapheme joiner */
	{ 0x61C, 0x61C },       /* Arabic letter mark */
	{ 0x115F, 0x1160 },     /* Hangul fillers */
	{ 0x17B4, 0x17B5 },     /* Khmer inherent vowels */
	{ 0x180E, 0x180E },     /* Mongolian vowel separator */
	{ 0x200B, 0x200B },     /* zero-width space */
	{ 0x200E, 0x200F },     /* bidi marks */
	{ 0x2028, 0x202E },     /* line and paragraph separator, embeddings, overrides */
	{ 0x2060, 0x206F },     /* word joiner, invisible operators, isolates, deprecated */
	{ 0x3164, 0x3164 },     /* Hangul filler */
	{ 0xFEFF, 0xFEFF },     /* byte order mark */
	{ 0xFFA0, 0xFFA0 },     /* half-width Hangul filler */
	{ 0xFFF0, 0xFFFB },     /* unassigned specials, annotation marks */
	{ 0x1BCA0, 0x1BCA3 },   /* shorthand controls */
	{ 0x1D173, 0x1D17A },   /* musical controls */
	{ 0xE0000, 0xE00FF },   /* tags */
	{ 0xE01F0, 0xE0FFF },   /* default-ignorable, unassigned */
	{ 0x10EEEE, 0x10EEEE }, /* to some terminals a part of a picture: only ours may be */
};

static bool is_hidden(uint32_t cp)
{
	size_t lo = 0, hi = VY_COUNT(hidden);

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (cp > hidden[mid].to) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo < VY_COUNT(hidden) && cp >= hidden[lo].from;
}

static bool is_selector(uint32_t cp)
{
	return (cp >= 0xFE00 && cp <= 0xFE0F) || (cp >= 0xE0100 && cp <= 0xE01EF) ||
	       (cp >= 0x180B && cp <= 0x180D);
}

static bool is_skin(uint32_t cp)
{
	return cp >= 0x1F3FB && cp <= 0x1F3FF;
}

static bool is_ideograph(uint32_t cp)
{
	return (cp >= 0x3400 && cp <= 0x9FFF) || (cp >= 0xF900 && cp <= 0xFAFF) ||
	       (cp >= 0x20000 && cp <= 0x3FFFF);
}

/* Scripts whose spelling needs the two joiners: Arabic to Mongolian, without Thai and Hangul. */
static bool joins(uint32_t cp)
{
	return (cp >= 0x600 && cp <= 0xDFF) || (cp >= 0xF00 && cp <= 0x109F) ||
	       (cp >= 0x1700 && cp <= 0x18AF) || (cp >= 0x1A20 && cp <= 0x1BFF) ||
	       (cp >= 0xA800 && cp <= 0xABFF) || (cp >= 0x11000 && cp <= 0x11FFF);
}

/* Where vy_utf8_visible stands: what came before decides on joiners, selectors and tags. */
struct eye {
	uint32_t last;   /* the character before, 0 at the start */
	bool pictograph; /* it is, or modifies, a pictograph */
	unsigned tags;   /* of a flag, so far */
};

/* Length of a whole tag sequence of a flag at `at` ("gbeng" and its end), or 0. */
static size_t flag_tags(struct vy_str s, size_t at)
{
	size_t i = at;
	uint32_t cp;

	for (unsigned n = 0; i < s.n && n <= 6; n++) {
		i += vy_utf8_get(s, i, &cp);
		if (cp == 0xE007F) {
			return n >= 3 ? i - at : 0;
		}
		if (!((cp >= 0xE0030 && cp <= 0xE0039) || (cp >= 0xE0061 && cp <= 0xE007A))) {
			return 0;
		}
	}
	return 0;
}

/* A joiner is what a script or an emoji needs; one at the end of a growing text may still be. */
static bool joiner_is_needed(const struct eye *eye, struct vy_str s, size_t next, uint32_t cp)
{
	uint32_t then;

	if (joins(eye->last)) {
		return !is_hidden(eye->last);
	}
	if (cp != 0x200D || !eye->pictograph || next >= s.n) {
		return cp == 0x200D && eye->pictograph;
	}
	vy_utf8_get(s, next, &then);
	return vy_cp_is_pictograph(then);
}

static bool selector_is_needed(const struct eye *eye, uint32_t cp)
{
	if (eye->last <= ' ' || is_selector(eye->last) || is_hidden(eye->last)) {
		return false;
	}
	return cp < 0xE0100 || is_ideograph(eye->last);
}

/* Bytes of the character at `at` that stay as they are, 0: show a mark for *cp. */
static size_t stays(struct eye *eye, struct vy_str s, size_t at, unsigned keep, uint32_t *cp)
{
	size_t len = vy_utf8_get_strict(s, at, cp);

	if (len == 0) {
		return 0;
	}
	if (*cp < 0x20 || *cp == 0x7F) {
		return (*cp == '\n' && (keep & VY_UTF8_KEEP_LF)) ||
				       (*cp == '\t' && (keep & VY_UTF8_KEEP_TAB))
			       ? 1
			       : 0;
	}
	if (*cp < 0x80) {
		return len;
	}
	if (*cp == 0x200C || *cp == 0x200D) {
		return joiner_is_needed(eye, s, at + len, *cp) ? len : 0;
	}
	if (is_selector(*cp)) {
		return selector_is_needed(eye, *cp) ? len : 0;
	}
	if (*cp >= 0xE0020 && *cp <= 0xE007F && eye->last == 0x1F3F4) {
		return flag_tags(s, at);
	}
	return is_hidden(*cp) ? 0 : len;
}

static void see(struct eye *eye, uint32_t cp)
{
	if (cp < 0x80) {
		eye->pictograph = false;
	} else if (vy_cp_is_pictograph(cp)) {
		eye->pictograph = true;
	} else if (!is_selector(cp) && !is_skin(cp)) {
		eye->pictograph = false;
	}
	eye->last = cp;
}

static bool put_mark(uint32_t cp, struct vy_buf *out)
{
	char u[4];

	if (cp < 0x20) {
		return vy_buf_add(out, u, vy_utf8_put(0x2400 + cp, u));
	}
	if (cp == 0x7F) {
		return vy_buf_add(out, u, vy_utf8_put(0x2421, u));
	}
	if (cp == VY_UTF8_BAD) {
		return vy_buf_add(out, BAD_BYTES, 3);
	}
	return vy_buf_addf(out, "\u27E8U+%04X\u27E9", (unsigned)cp);
}

/* Byte behind the printable ASCII that begins at `at`; kept "\n" and "\t" count as printable. */
static size_t skip_printable(struct vy_str s, size_t at, unsigned keep)
{
	for (; at < s.n; at++) {
		unsigned char c = (unsigned char)s.p[at];

		if (c >= 0x7F || (c < 0x20 && !(c == '\n' && (keep & VY_UTF8_KEEP_LF)) &&
					 !(c == '\t' && (keep & VY_UTF8_KEEP_TAB)))) {
			break;
		}
	}
	return at;
}

/* Runs over what stays as it is; the byte behind it. Leaves *cp and *bad for what does not. */
static size_t skip_visible(struct eye *eye, struct vy_str s, size_t at, unsigned keep, uint32_t *cp)
{
	while (at < s.n) {
		size_t to = skip_printable(s, at, keep);

		if (to > at) {
			see(eye, (unsigned char)s.p[to - 1]);
			at = to;
			continue;
		}
		size_t len = stays(eye, s, at, keep, cp);

		if (len == 0) {
			return at;
		}
		see(eye, *cp);
		at += len;
	}
	return at;
}

bool vy_utf8_visible(struct vy_str in, unsigned keep, struct vy_buf *out)
{
	struct eye eye = { 0 };
	size_t at = 0;
	uint32_t cp = 0;

	for (;;) {
		size_t to = skip_visible(&eye, in, at, keep, &cp);

		if (to > at && !vy_buf_add(out, in.p + at, to - at)) {
			return false;
		}
		if (to == in.n) {
			return true;
		}
		at = to + vy_utf8_get(in, to, &cp);
		if (cp == '\r' && (keep & VY_UTF8_CRLF) && at < in.n && in.p[at] == '\n') {
			continue;
		}
		if (!put_mark(cp, out)) {
			return false;
		}
		see(&eye, cp);
		eye.pictograph = false; /* a mark stands between */
	}
}

bool vy_utf8_is_visible(struct vy_str in, unsigned keep)
{
	struct eye eye = { 0 };
	uint32_t cp;

	return skip_visible(&eye, in, 0, keep, &cp) == in.n;
}

/* ---- cutting and counting ---- */

size_t vy_utf8_unfinished(struct vy_str s)
{
	for (size_t back = 1; back <= 3 && back <= s.n; back++) {
		unsigned char c = (unsigned char)s.p[s.n - back];

		if ((c & 0xC0) != 0x80) {
			bool whole;
			size_t len = scan((const unsigned char *)s.p + s.n - back, back, &whole);

			/* a beginning that reaches the end, and whose next byte could still come */
			return !whole && len == back && lead_of(c).len > back ? back : 0;
		}
	}
	return 0;
}

size_t vy_utf8_cut(struct vy_str s, size_t max)
{
	if (max >= s.n) {
		return s.n;
	}
	for (size_t from = max; from > 0 && max - from < 4;) {
		uint32_t cp;

		from--;
		if (((unsigned char)s.p[from] & 0xC0) != 0x80) {
			return from + vy_utf8_get(s, from, &cp) > max ? from : max;
		}
	}
	return max;
}

size_t vy_utf16_len(struct vy_str s)
{
	size_t units = 0;

	for (size_t at = 0; at < s.n;) {
		size_t to = skip_ascii(s, at);
		uint32_t cp;

		units += to - at;
		at = to;
		if (at < s.n) {
			at += vy_utf8_get(s, at, &cp);
			units += cp >= 0x10000 ? 2 : 1;
		}
	}
	return units;
}

size_t vy_utf16_at(struct vy_str s, size_t units)
{
	size_t at = 0;
	uint32_t cp;

	while (at < s.n) {
		size_t len = vy_utf8_get(s, at, &cp);
		size_t need = cp >= 0x10000 ? 2 : 1;

		if (units < need) {
			break;
		}
		units -= need;
		at += len;
	}
	return at;
}
