/* mdline.c -- see mdline.h. */
#include "shared/text/mdline.h"

#include <string.h>

#include "shared/base/ban.h"

size_t vy_mdline_start(struct vy_str src, size_t at)
{
	while (at > 0 && src.p[at - 1] != '\n') {
		at--;
	}
	return at;
}

size_t vy_mdline_next(struct vy_str src, size_t at)
{
	const char *nl = at < src.n ? memchr(src.p + at, '\n', src.n - at) : NULL;

	return nl ? (size_t)(nl - src.p) + 1 : src.n;
}

struct vy_str vy_mdline_at(struct vy_str src, size_t start)
{
	size_t end = vy_mdline_next(src, start);

	if (end > start && src.p[end - 1] == '\n') {
		end--;
	}
	if (end > start && src.p[end - 1] == '\r') {
		end--;
	}
	return vy_str_n(start < src.n ? src.p + start : NULL, end - start);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static size_t blanks(struct vy_str s, size_t at)
{
	while (at < s.n && is_blank(s.p[at])) {
		at++;
	}
	return at;
}

static size_t run(struct vy_str s, size_t at, char c)
{
	size_t from = at;

	while (at < s.n && s.p[at] == c) {
		at++;
	}
	return at - from;
}

bool vy_mdline_is_blank(struct vy_str line)
{
	return blanks(line, 0) == line.n;
}

size_t vy_mdline_indent(struct vy_str line)
{
	size_t cols = 0;

	for (size_t i = 0; i < line.n; i++) {
		if (line.p[i] == '\t') {
			cols += 4 - cols % 4;
		} else if (line.p[i] == ' ') {
			cols++;
		} else {
			break;
		}
	}
	return cols;
}

size_t vy_mdline_mark(struct vy_str s)
{
	size_t n = 0;

	while (n < s.n && n < 9 && s.p[n] >= '0' && s.p[n] <= '9') {
		n++;
	}
	if (n < s.n && (n ? s.p[n] == '.' || s.p[n] == ')' : strchr("-*+", s.p[n]) && s.p[n])) {
		n++;
	} else {
		return 0;
	}
	return n == s.n ? n : is_blank(s.p[n]) ? n + 1 : 0;
}

struct vy_str vy_mdline_unquoted(struct vy_str line)
{
	size_t at = blanks(line, 0);

	while (at < line.n && line.p[at] == '>') {
		at = blanks(line, at + 1);
	}
	return vy_str_from(line, at);
}

struct vy_str vy_mdline_bare(struct vy_str line)
{
	for (;;) {
		struct vy_str s = vy_str_from(line, blanks(line, 0));

		if (s.n && s.p[0] == '>') {
			line = vy_str_from(s, 1);
		} else if (!vy_mdline_is_rule(s) && vy_mdline_mark(s)) {
			line = vy_str_from(s, vy_mdline_mark(s));
		} else {
			return s;
		}
	}
}

unsigned vy_mdline_fence(struct vy_str bare, char *fence)
{
	size_t n = bare.n && (bare.p[0] == '`' || bare.p[0] == '~') ? run(bare, 0, bare.p[0]) : 0;

	if (n < 3 || (bare.p[0] == '`' && memchr(bare.p + n, '`', bare.n - n))) {
		return 0;
	}
	*fence = bare.p[0];
	return (unsigned)n;
}

bool vy_mdline_closes(struct vy_str bare, char fence, unsigned len)
{
	size_t n = run(bare, 0, fence);

	return n >= len && blanks(bare, n) == bare.n;
}

bool vy_mdline_is_rule(struct vy_str bare)
{
	size_t marks = 0;

	if (bare.n == 0 || !strchr("-*_", bare.p[0]) || bare.p[0] == '\0') {
		return false;
	}
	for (size_t i = 0; i < bare.n; i++) {
		if (bare.p[i] == bare.p[0]) {
			marks++;
		} else if (!is_blank(bare.p[i])) {
			return false;
		}
	}
	return marks >= 3;
}

bool vy_mdline_is_underline(struct vy_str bare)
{
	return bare.n && (bare.p[0] == '=' || bare.p[0] == '-') &&
	       blanks(bare, run(bare, 0, bare.p[0])) == bare.n;
}

bool vy_mdline_is_delimiter(struct vy_str bare)
{
	bool dash = false;

	for (size_t i = 0; i < bare.n; i++) {
		if (!is_blank(bare.p[i]) && !(bare.p[i] && strchr("|:-", bare.p[i]))) {
			return false;
		}
		dash |= bare.p[i] == '-';
	}
	return dash;
}
