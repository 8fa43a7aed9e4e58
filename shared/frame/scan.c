/* scan.c -- see scan.h. */
#include "shared/frame/scan.h"

#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

static bool fail(struct vy_scan *s, const char *wrong)
{
	if (!s->wrong) {
		s->wrong = wrong;
	}
	return false;
}

static void blanks(struct vy_scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\t' || *s->p == '\r')) {
		s->p++;
	}
}

void vy_scan_init(struct vy_scan *s, struct vy_str json, struct vy_arena *a)
{
	const char *p = json.n ? json.p : "";

	*s = (struct vy_scan){ .begin = p, .p = p, .end = p + json.n, .a = a };
}

char vy_scan_peek(struct vy_scan *s)
{
	blanks(s);
	return s->p < s->end && !s->wrong ? *s->p : '\0';
}

const char *vy_scan_type(struct vy_scan *s)
{
	switch (vy_scan_peek(s)) {
	case '"': return "a string";
	case '{': return "an object";
	case '[': return "an array";
	case 't':
	case 'f': return "a boolean";
	case 'n': return "null";
	case '\0': return "nothing";
	default: return "a number";
	}
}

static bool eat(struct vy_scan *s, char c, const char *wrong)
{
	if (vy_scan_peek(s) != c) {
		return fail(s, wrong);
	}
	s->p++;
	return true;
}

/* ---- structure ---- */

bool vy_scan_open(struct vy_scan *s, char bracket)
{
	if (!eat(s, bracket, bracket == '{' ? "an object is expected" : "an array is expected")) {
		return false;
	}
	if (++s->depth > VY_JSON_DEPTH) {
		return fail(s, "it is nested too deep");
	}
	s->fresh = true;
	return true;
}

/* Is there another member before `close`? Eats the comma, or the closing bracket. */
static bool another(struct vy_scan *s, char close)
{
	bool first = s->fresh;

	s->fresh = false;
	if (vy_scan_peek(s) == close) {
		s->p++;
		s->depth--;
		return false;
	}
	return first ? !s->wrong : eat(s, ',', "a comma is missing");
}

bool vy_scan_member(struct vy_scan *s, struct vy_str *key)
{
	if (!another(s, '}') || !vy_scan_str(s, key)) {
		return false;
	}
	if (key->n && memchr(key->p, '\0', key->n)) {
		return fail(s, "a NUL in a key");
	}
	return eat(s, ':', "a colon is missing");
}

bool vy_scan_item(struct vy_scan *s)
{
	return another(s, ']');
}

bool vy_scan_end(struct vy_scan *s)
{
	blanks(s);
	return !s->wrong && (s->p == s->end || fail(s, "there is more behind its end"));
}

/* ---- strings ---- */

static int hex(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits of a \uXXXX at p, or -1. */
static int32_t unit_at(const struct vy_scan *s, const char *p)
{
	int32_t v = 0;

	if (s->end - p < 6 || p[0] != '\\' || p[1] != 'u') {
		return -1;
	}
	for (int i = 2; i < 6; i++) {
		int d = hex(p[i]);

		if (d < 0) {
			return -1;
		}
		v = v * 16 + d;
	}
	return v;
}

/* Reads the escape at p; gives the code point and its length in the text, 0 when it is none. */
static size_t escape_at(const struct vy_scan *s, const char *p, uint32_t *cp)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *plain = s->end - p > 1 && p[1] ? strchr(from, p[1]) : NULL;

	if (plain) {
		*cp = (unsigned char)to[plain - from];
		return 2;
	}
	int32_t high = unit_at(s, p);

	if (high < 0 || (high >= 0xDC00 && high <= 0xDFFF)) {
		return 0;
	}
	if (high < 0xD800 || high > 0xDBFF) {
		*cp = (uint32_t)high;
		return 6;
	}
	int32_t low = unit_at(s, p + 6);

	if (low < 0xDC00 || low > 0xDFFF) {
		return 0;
	}
	*cp = 0x10000u + ((uint32_t)(high - 0xD800) << 10) + (uint32_t)(low - 0xDC00);
	return 12;
}

/* Byte behind the run of plain characters at p. */
static const char *plain_end(const struct vy_scan *s, const char *p)
{
	while (p < s->end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20) {
		p++;
	}
	return p;
}

/* Goes over the string at p (behind its quote); `out` NULL only checks. An unescaped string is
 * never longer than its text, so one allocation is enough. */
static bool unescape(struct vy_scan *s, const char *p, char *out, size_t *n)
{
	size_t len = 0;

	for (;;) {
		const char *q = plain_end(s, p);

		if (out && q > p) {
			memcpy(out + len, p, (size_t)(q - p));
		}
		len += (size_t)(q - p);
		p = q;
		if (p == s->end || *p == '"') {
			break;
		}
		uint32_t cp;
		size_t used = *p == '\\' ? escape_at(s, p, &cp) : 0;

		if (used == 0) {
			s->p = p; /* so that the error names the place */
			return fail(s, *p == '\\' ? "a bad escape in a string"
						  : "a control byte in a string");
		}
		char utf8[4];
		size_t wide = vy_utf8_put(cp, utf8);

		if (out) {
			memcpy(out + len, utf8, wide);
		}
		len += wide;
		p += used;
	}
	if (p == s->end) {
		return fail(s, "a string does not end");
	}
	s->p = p + 1;
	*n = len;
	return true;
}

bool vy_scan_str(struct vy_scan *s, struct vy_str *out)
{
	if (!eat(s, '"', "a string is expected")) {
		return false;
	}
	const char *from = s->p, *q = plain_end(s, from);

	if (q < s->end && *q == '"') { /* the common case: as it stands */
		s->p = q + 1;
		*out = vy_str_n(from, (size_t)(q - from));
		return true;
	}
	size_t n;

	if (!unescape(s, from, NULL, &n)) {
		return false;
	}
	char *text = vy_arena_alloc(s->a, n + 1);

	(void)unescape(s, from, text, &n);
	*out = vy_str_n(text, n);
	return true;
}

static bool skip_str(struct vy_scan *s)
{
	size_t n;

	s->p++;
	return unescape(s, s->p, NULL, &n);
}

/* ---- numbers and words ---- */

static bool is_digit(const struct vy_scan *s, const char *p)
{
	return p < s->end && *p >= '0' && *p <= '9';
}

static const char *digits(const struct vy_scan *s, const char *p)
{
	while (is_digit(s, p)) {
		p++;
	}
	return p;
}

/* Byte behind the number at p, NULL if there is none; *whole: neither a fraction nor an exponent. */
static const char *number_end(const struct vy_scan *s, const char *p, bool *whole)
{
	*whole = true;
	if (p < s->end && *p == '-') {
		p++;
	}
	if (!is_digit(s, p)) {
		return NULL;
	}
	p = *p == '0' ? p + 1 : digits(s, p);
	if (p < s->end && *p == '.') {
		*whole = false;
		if (!is_digit(s, ++p)) {
			return NULL;
		}
		p = digits(s, p);
	}
	if (p < s->end && (*p == 'e' || *p == 'E')) {
		*whole = false;
		p++;
		if (p < s->end && (*p == '+' || *p == '-')) {
			p++;
		}
		if (!is_digit(s, p)) {
			return NULL;
		}
		p = digits(s, p);
	}
	return p;
}

bool vy_scan_int(struct vy_scan *s, int64_t *out)
{
	bool whole, minus = vy_scan_peek(s) == '-';
	const char *q = s->wrong ? NULL : number_end(s, s->p, &whole);
	uint64_t v = 0, most = minus ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;

	if (!q || !whole) {
		return fail(s, "a whole number is expected");
	}
	for (const char *p = s->p + minus; p < q; p++) {
		uint64_t d = (uint64_t)(*p - '0');

		if (v > (most - d) / 10) {
			return fail(s, "a number is too big");
		}
		v = v * 10 + d;
	}
	s->p = q;
	*out = minus ? (v ? -(int64_t)(v - 1) - 1 : 0) : (int64_t)v;
	return true;
}

static bool word(struct vy_scan *s, struct vy_str w)
{
	blanks(s);
	if (s->wrong || (size_t)(s->end - s->p) < w.n || memcmp(s->p, w.p, w.n) != 0) {
		return fail(s, "a value is expected");
	}
	s->p += w.n;
	return true;
}

bool vy_scan_bool(struct vy_scan *s, bool *out)
{
	*out = vy_scan_peek(s) == 't';
	return word(s, *out ? VY_STR_LIT("true") : VY_STR_LIT("false"));
}

bool vy_scan_null(struct vy_scan *s)
{
	return word(s, VY_STR_LIT("null"));
}

/* ---- anything ---- */

static bool skip_number(struct vy_scan *s)
{
	bool whole;
	const char *q = number_end(s, s->p, &whole);

	if (!q) {
		return fail(s, "a value is expected");
	}
	if (whole) { /* jansson refuses one that does not fit, and so do we */
		int64_t n;

		return vy_scan_int(s, &n);
	}
	s->p = q;
	return true;
}

/* Recursion is bounded by the depth that vy_scan_open allows. */
static bool skip(struct vy_scan *s)
{
	struct vy_str key;
	bool b;

	switch (vy_scan_peek(s)) {
	case '"': return skip_str(s);
	case 't':
	case 'f': return vy_scan_bool(s, &b);
	case 'n': return vy_scan_null(s);
	case '{':
		if (vy_scan_open(s, '{')) {
			while (vy_scan_member(s, &key) && skip(s)) {
			}
		}
		return !s->wrong;
	case '[':
		if (vy_scan_open(s, '[')) {
			while (vy_scan_item(s) && skip(s)) {
			}
		}
		return !s->wrong;
	default: return skip_number(s);
	}
}

bool vy_scan_raw(struct vy_scan *s, struct vy_str *out)
{
	blanks(s);
	const char *from = s->p;

	if (!skip(s)) {
		return false;
	}
	if (out) {
		*out = vy_str_n(from, (size_t)(s->p - from));
	}
	return true;
}

bool vy_scan_is_json(struct vy_str text)
{
	struct vy_arena a;
	struct vy_scan s;

	vy_arena_init(&a);
	vy_scan_init(&s, text, &a);
	bool ok = vy_utf8_is_valid(text) && vy_scan_raw(&s, NULL) && vy_scan_end(&s);

	vy_arena_fini(&a);
	return ok;
}
