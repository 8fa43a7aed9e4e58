/* quotes.c -- see quotes.h. */
#include "server/guard/quotes.h"

#include "shared/base/ban.h"

static int digit(char ch)
{
	return ch >= '0' && ch <= '9'   ? ch - '0'
	       : ch >= 'a' && ch <= 'f' ? ch - 'a' + 10
	       : ch >= 'A' && ch <= 'F' ? ch - 'A' + 10
					: 99;
}

static size_t number(struct vy_str s, int base, size_t most, unsigned long *out)
{
	size_t n = 0;

	*out = 0;
	while (n < s.n && n < most && digit(s.p[n]) < base) {
		*out = *out * (unsigned long)base + (unsigned long)digit(s.p[n++]);
	}
	return n;
}

static void utf8(struct vy_buf *out, unsigned long c)
{
	if (c < 0x80) {
		vy_buf_addc(out, (char)c);
	} else if (c < 0x800) {
		vy_buf_addc(out, (char)(0xc0 | (c >> 6)));
		vy_buf_addc(out, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		vy_buf_addc(out, (char)(0xe0 | (c >> 12)));
		vy_buf_addc(out, (char)(0x80 | ((c >> 6) & 0x3f)));
		vy_buf_addc(out, (char)(0x80 | (c & 0x3f)));
	} else {
		vy_buf_addc(out, '?');
	}
}

/* Behind the backslash; how much of `s` it took. */
static size_t escape(struct vy_str s, struct vy_buf *out)
{
	static const char from[] = "abefnrtvE", to[] = "\a\b\033\f\n\r\t\v\033";
	const char *simple = memchr(from, s.p[0], sizeof(from) - 1);
	unsigned long c;
	size_t n;

	if (simple) {
		vy_buf_addc(out, to[simple - from]);
		return 1;
	}
	switch (s.p[0]) {
	case 'x':
		n = number(vy_str_from(s, 1), 16, 2, &c);
		vy_buf_addc(out, (char)c);
		return 1 + n;
	case 'u':
	case 'U':
		n = number(vy_str_from(s, 1), 16, s.p[0] == 'u' ? 4 : 8, &c);
		utf8(out, c);
		return 1 + n;
	case 'c': vy_buf_addc(out, s.n > 1 ? (char)(s.p[1] & 0x1f) : '?'); return s.n > 1 ? 2 : 1;
	default: break;
	}
	n = number(s, 8, 3, &c);
	vy_buf_addc(out, n ? (char)c : s.p[0]);
	return n ? n : 1;
}

size_t guard_quotes_ansi(struct vy_str text, struct vy_buf *out)
{
	size_t i = 0;

	while (i < text.n && text.p[i] != '\'') {
		if (text.p[i] == '\\' && i + 1 < text.n) {
			i += 1 + escape(vy_str_from(text, i + 1), out);
		} else {
			vy_buf_addc(out, text.p[i++]);
		}
	}
	return i < text.n ? i + 1 : i;
}
