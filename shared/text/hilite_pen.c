/* hilite_pen.c -- the small verbs every scanner is made of: see hilite_lang.h. */
#include "shared/text/hilite_lang.h"

#include <string.h>

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

void vy_hl_draw(struct vy_hl_pen *pen, size_t start, size_t end, enum vy_hilite_role role)
{
	if (start >= end || role == VY_HL_TEXT) {
		return;
	}
	if (pen->n > 0) {
		struct vy_hilite_span *last = &pen->spans[pen->n - 1];

		if (last->end == start && last->role == role) {
			last->end = (uint32_t)end;
			return;
		}
	}
	if (pen->n < pen->max) {
		pen->spans[pen->n++] =
			(struct vy_hilite_span){ (uint32_t)start, (uint32_t)end, role };
	}
}

bool vy_hl_at(struct vy_str line, size_t at, const char *s)
{
	size_t n = s ? strlen(s) : 0;

	return n > 0 && at + n <= line.n && memcmp(line.p + at, s, n) == 0;
}

bool vy_hl_is_word(char c)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
	       (unsigned char)c >= 0x80;
}

bool vy_hl_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

size_t vy_hl_word_end(struct vy_str line, size_t at)
{
	while (at < line.n && vy_hl_is_word(line.p[at])) {
		at++;
	}
	return at;
}

size_t vy_hl_blanks(struct vy_str line, size_t at)
{
	while (at < line.n && vy_hl_is_blank(line.p[at])) {
		at++;
	}
	return at;
}

size_t vy_hl_find(struct vy_str line, size_t at, const char *s)
{
	for (; at < line.n; at++) {
		const char *p = memchr(line.p + at, s[0], line.n - at);

		if (!p) {
			break;
		}
		at = (size_t)(p - line.p);
		if (vy_hl_at(line, at, s)) {
			return at;
		}
	}
	return line.n;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

size_t vy_hl_number(struct vy_str line, size_t at, bool ticks)
{
	bool hex = line.p[at] == '0' && at + 1 < line.n && (line.p[at + 1] | 0x20) == 'x';
	size_t i = at;

	for (; i < line.n; i++) {
		char c = line.p[i], before = i > at ? line.p[i - 1] : ' ';

		if (c == '.' && i + 1 < line.n && line.p[i + 1] == '.') {
			break; /* a range */
		}
		if (c == '.' || ((unsigned char)c < 0x80 && vy_hl_is_word(c))) {
			continue;
		}
		if ((c == '+' || c == '-') && !hex && (before | 0x20) == 'e' && i + 1 < line.n &&
			is_digit(line.p[i + 1])) {
			continue;
		}
		if (!(ticks && c == '\'' && i + 1 < line.n && is_digit(line.p[i + 1]))) {
			break;
		}
	}
	return i;
}

static int compare(struct vy_str word, const char *have, bool nocase)
{
	for (size_t i = 0; i < word.n; i++) {
		char c = word.p[i];

		if (nocase && c >= 'A' && c <= 'Z') {
			c = (char)(c | 0x20);
		}
		if (c != have[i]) {
			return (unsigned char)c < (unsigned char)have[i] ? -1 : 1;
		}
		if (have[i] == '\0') {
			return 1; /* a NUL in the word is not the end of a name */
		}
	}
	return have[word.n] ? -1 : 0;
}

bool vy_hl_has(const struct vy_hl_words *words, struct vy_str word, bool nocase)
{
	size_t lo = 0, hi = words->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int order = compare(word, words->at[mid], nocase);

		if (order == 0) {
			return true;
		}
		if (order > 0) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return false;
}

bool vy_hl_lists(const char *list, struct vy_str word)
{
	for (const char *p = list; p && *p;) {
		size_t n = strcspn(p, " ");

		if (n == word.n && n > 0) {
			size_t i = 0;

			while (i < n &&
				(word.p[i] >= 'A' && word.p[i] <= 'Z' ? word.p[i] | 0x20
								      : word.p[i]) == p[i]) {
				i++;
			}
			if (i == n) {
				return true;
			}
		}
		p += n + (p[n] == ' ');
	}
	return false;
}

size_t vy_hl_variable(struct vy_str line, size_t at)
{
	size_t i = at + 1;

	if (i >= line.n) {
		return at;
	}
	if (line.p[i] == '{') {
		size_t end = vy_hl_find(line, i, "}");

		return end < line.n ? end + 1 : end;
	}
	if (is_digit(line.p[i]) || (line.p[i] && strchr("?!#@*$-", line.p[i]))) {
		return i + 1;
	}
	return vy_hl_is_word(line.p[i]) && (unsigned char)line.p[i] < 0x80 ? vy_hl_word_end(line, i)
									   : at;
}

size_t vy_hl_string(
	struct vy_hl_pen *pen, size_t start, size_t at, const struct vy_hl_quote *q, bool *open)
{
	struct vy_str line = pen->line;
	size_t drawn = start;

	*open = false;
	while (at < line.n) {
		size_t end = at;
		enum vy_hilite_role role = VY_HL_ESCAPE;

		if (vy_hl_at(line, at, q->close)) {
			at += strlen(q->close);
			vy_hl_draw(pen, drawn, at, VY_HL_STRING);
			return at;
		}
		if ((q->flags & VY_HL_TEMPLATE) && vy_hl_at(line, at, "${")) {
			break; /* code: the caller goes on there */
		}
		if ((q->flags & VY_HL_ESCAPES) && line.p[at] == '\\') {
			uint32_t cp;

			end = at + 1 < line.n ? at + 1 + vy_utf8_get(line, at + 1, &cp) : at + 1;
		} else if ((q->flags & VY_HL_DOLLARS) && line.p[at] == '$') {
			end = vy_hl_variable(line, at);
			role = VY_HL_VARIABLE;
		}
		if (end > at) {
			vy_hl_draw(pen, drawn, at, VY_HL_STRING);
			vy_hl_draw(pen, at, end, role);
			at = drawn = end;
		} else {
			at++;
		}
	}
	vy_hl_draw(pen, drawn, at, VY_HL_STRING);
	*open = true;
	return at;
}
