/* jw.c -- see jw.h. */
#include "shared/base/jw.h"

#include "shared/base/digits.h"
#include "shared/base/ban.h"

static void before_value(struct vy_jw *w)
{
	if (w->comma) {
		vy_buf_addc(w->b, ',');
	}
}

static void open_with(struct vy_jw *w, char c)
{
	before_value(w);
	vy_buf_addc(w->b, c);
	w->comma = false;
}

static void close_with(struct vy_jw *w, char c)
{
	vy_buf_addc(w->b, c);
	w->comma = true;
}

void vy_jw_obj(struct vy_jw *w)
{
	open_with(w, '{');
}

void vy_jw_end_obj(struct vy_jw *w)
{
	close_with(w, '}');
}

void vy_jw_arr(struct vy_jw *w)
{
	open_with(w, '[');
}

void vy_jw_end_arr(struct vy_jw *w)
{
	close_with(w, ']');
}

void vy_jw_key_n(struct vy_jw *w, const char *key, size_t n)
{
	char *at;

	if (!vy_buf_reserve(w->b, n + 4)) {
		return;
	}
	at = w->b->data + w->b->len;
	if (w->comma) {
		*at++ = ',';
	}
	*at++ = '"';
	memcpy(at, key, n);
	memcpy(at + n, "\":", 3); /* with its NUL */
	w->b->len = (size_t)(at + n + 2 - w->b->data);
	w->comma = false;
}

static void escape(struct vy_buf *b, unsigned char c)
{
	switch (c) {
	case '"': vy_buf_add(b, "\\\"", 2); break;
	case '\\': vy_buf_add(b, "\\\\", 2); break;
	case '\n': vy_buf_add(b, "\\n", 2); break;
	case '\r': vy_buf_add(b, "\\r", 2); break;
	case '\t': vy_buf_add(b, "\\t", 2); break;
	default: vy_buf_addf(b, "\\u%04x", c); break;
	}
}

/* Bytes from `i` on that need no escape: eight at a time while that goes, since a log is mostly these.
 * A byte that is 0 in (v - 01…) & ~v & 80… has its top bit set there, and so has one below 0x20 with 20… for 01…;
 * the borrow may mark a byte above one that is rightly marked, which costs a second look. */
static size_t skip_plain(struct vy_str s, size_t i)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones * 0x80;

	for (; s.n - i >= 8; i += 8) {
		uint64_t v, quote, back;

		memcpy(&v, s.p + i, 8);
		quote = v ^ (ones * '"');
		back = v ^ (ones * '\\');
		if ((((v - ones * 0x20) & ~v) | ((quote - ones) & ~quote) |
			    ((back - ones) & ~back)) &
			tops) {
			break;
		}
	}
	while (i < s.n && (unsigned char)s.p[i] >= 0x20 && s.p[i] != '"' && s.p[i] != '\\') {
		i++;
	}
	return i;
}

void vy_jw_str(struct vy_jw *w, struct vy_str s)
{
	before_value(w);
	vy_buf_addc(w->b, '"');
	for (size_t from = 0; from < s.n;) {
		size_t i = skip_plain(s, from);

		if (i > from) {
			vy_buf_add(w->b, s.p + from, i - from);
		}
		if (i < s.n) {
			escape(w->b, (unsigned char)s.p[i]);
		}
		from = i + 1;
	}
	vy_buf_addc(w->b, '"');
	w->comma = true;
}

void vy_jw_int(struct vy_jw *w, int64_t n)
{
	char digits[1 + VY_DIGITS_MAX] = "-";
	uint64_t u = n < 0 ? -(uint64_t)n : (uint64_t)n;
	size_t all = 1 + vy_digits(u, 10, digits + 1), from = n >= 0;

	before_value(w);
	vy_buf_add(w->b, digits + from, all - from);
	w->comma = true;
}

void vy_jw_raw(struct vy_jw *w, struct vy_str json)
{
	before_value(w);
	vy_buf_addstr(w->b, json);
	w->comma = true;
}

void vy_jw_bool(struct vy_jw *w, bool b)
{
	vy_jw_raw(w, b ? VY_STR_LIT("true") : VY_STR_LIT("false"));
}

void vy_jw_null(struct vy_jw *w)
{
	vy_jw_raw(w, VY_STR_LIT("null"));
}
