/* hilite_config.c -- languages of keys and values: CSS, YAML, TOML and its kin, makefiles. */
#include "shared/text/hilite_lang.h"

#include <string.h>

#include "shared/base/ban.h"

enum mode {
	MODE_PLAIN = 0,
	MODE_BLOCK,     /* YAML: lines deeper than depth are text; CSS: a comment */
	MODE_QUOTE = 16 /* and the number of the quote */
};

static char at_of(struct vy_str line, size_t at)
{
	return at < line.n ? line.p[at] : '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A quoted string that begins or goes on at `at`; `at` itself if none does. */
static size_t take_string(const struct vy_hilite_lang *lang, struct vy_hilite_state *st,
	struct vy_hl_pen *pen, size_t at)
{
	for (unsigned k = 0; k < VY_COUNT(lang->quotes) && lang->quotes[k].open; k++) {
		const struct vy_hl_quote *q = &lang->quotes[k];
		bool goes_on = st->mode == MODE_QUOTE + k, open;

		if (!goes_on && (st->mode >= MODE_QUOTE || !vy_hl_at(pen->line, at, q->open))) {
			continue;
		}
		size_t end = vy_hl_string(pen, at, goes_on ? at : at + strlen(q->open), q, &open);

		st->mode =
			(uint8_t)(open && (q->flags & VY_HL_LINES) ? MODE_QUOTE + k : MODE_PLAIN);
		return end;
	}
	if (st->mode >= MODE_QUOTE) { /* of another language */
		st->mode = MODE_PLAIN;
	}
	return at;
}

/* A bare value [at, end): a number, a constant, or just text. */
static void draw_value(
	const struct vy_hilite_lang *lang, struct vy_hl_pen *pen, size_t at, size_t end)
{
	struct vy_str word = vy_str_n(pen->line.p + at, end - at);
	bool number = is_digit(word.p[0]) ||
		      ((word.p[0] == '-' || word.p[0] == '+') && word.n > 1 && is_digit(word.p[1]));

	if (vy_hl_has(&lang->constants, word, true)) {
		vy_hl_draw(pen, at, end, VY_HL_CONSTANT);
	} else if (number) {
		vy_hl_draw(pen, at, end, VY_HL_NUMBER);
	}
}

/* ---- CSS ---- */

/* depth counts open braces: outside stand selectors, inside properties. */

static bool is_css_word(char c)
{
	return vy_hl_is_word(c) || c == '-';
}

static size_t css_word_end(struct vy_str line, size_t at)
{
	while (at < line.n && is_css_word(line.p[at])) {
		at++;
	}
	return at;
}

static size_t css_comment(
	struct vy_hilite_state *st, struct vy_hl_pen *pen, size_t start, size_t at)
{
	size_t end = vy_hl_find(pen->line, at, "*/");

	st->mode = end == pen->line.n ? MODE_BLOCK : MODE_PLAIN;
	end = end == pen->line.n ? end : end + 2;
	vy_hl_draw(pen, start, end, VY_HL_COMMENT);
	return end;
}

/* A word in a rule: a property before ":", a function before "(", else a value. */
static void css_rule_word(struct vy_hl_pen *pen, size_t at, size_t end)
{
	size_t behind = vy_hl_blanks(pen->line, end), before = at;

	while (before > 0 && vy_hl_is_blank(pen->line.p[before - 1])) {
		before--;
	}
	bool first = before == 0 || strchr(";{", pen->line.p[before - 1]);

	if (first && at_of(pen->line, behind) == ':') {
		vy_hl_draw(pen, at, end, VY_HL_KEY);
	} else if (at_of(pen->line, end) == '(') {
		vy_hl_draw(pen, at, end, VY_HL_FUNCTION);
	}
}

static size_t css_one(const struct vy_hilite_lang *lang, struct vy_hilite_state *st,
	struct vy_hl_pen *pen, size_t at)
{
	struct vy_str line = pen->line;
	char c = line.p[at], next = at_of(line, at + 1);
	size_t end = css_word_end(line, at + 1), quoted = take_string(lang, st, pen, at);

	if (quoted > at) {
		return quoted;
	}
	if (c == '/' && next == '*') {
		return css_comment(st, pen, at, at + 2);
	}
	if (c == '/' && next == '/' && (at == 0 || vy_hl_is_blank(line.p[at - 1]))) {
		vy_hl_draw(pen, at, line.n, VY_HL_COMMENT);
		return line.n;
	}
	if (c == '{' || c == '}') {
		st->depth = (uint8_t)(c == '{' ? st->depth + (st->depth < UINT8_MAX)
					       : st->depth - (st->depth > 0));
		return at + 1;
	}
	if (c == '@' || c == '$') {
		vy_hl_draw(pen, at, end, c == '@' ? VY_HL_KEYWORD : VY_HL_VARIABLE);
		return end;
	}
	if (is_digit(c) || (c == '.' && is_digit(next))) {
		end = vy_hl_number(line, at, false);
		vy_hl_draw(pen, at, end, VY_HL_NUMBER);
		return end;
	}
	if (st->depth == 0 &&
		(is_css_word(c) || ((c == '.' || c == '#' || c == '&') && end > at + 1))) {
		vy_hl_draw(pen, at, end, VY_HL_TAG);
		return end;
	}
	if (c == '#' && end > at + 1) {
		vy_hl_draw(pen, at, end, VY_HL_NUMBER);
		return end;
	}
	if (is_css_word(c)) {
		css_rule_word(pen, at, end);
		return end;
	}
	return at + 1;
}

VY_HL_SCANNER(vy_hl_css)
{
	size_t at = from;

	if (st->mode == MODE_BLOCK) {
		at = css_comment(st, pen, at, at);
	}
	while (at < pen->line.n) {
		at = css_one(lang, st, pen, at);
	}
}

/* ---- YAML ---- */

/* The ":" that ends a key which begins at `at`: behind it a blank or the end. line.n if none. */
static size_t yaml_colon(struct vy_str line, size_t at)
{
	char quote = strchr("\"'", line.p[at]) && line.p[at] ? line.p[at] : '\0';

	for (size_t i = at + (quote != 0); i < line.n; i++) {
		if (quote) {
			quote = line.p[i] == quote ? '\0' : quote;
		} else if (line.p[i] == '#' && line.p[i - (i > 0)] == ' ') {
			break;
		} else if (line.p[i] == ':' && (i + 1 == line.n || vy_hl_is_blank(line.p[i + 1]))) {
			return i;
		} else if (strchr("{}[],\"", line.p[i]) && line.p[i]) {
			break;
		}
	}
	return line.n;
}

/* A value: anchors, tags, strings, flow collections, a plain scalar. */
static size_t yaml_value(const struct vy_hilite_lang *lang, struct vy_hilite_state *st,
	struct vy_hl_pen *pen, size_t at)
{
	struct vy_str line = pen->line;
	size_t end = at, quoted = take_string(lang, st, pen, at);

	if (quoted > at) {
		return quoted;
	}
	if (line.p[at] == '#' && (at == 0 || vy_hl_is_blank(line.p[at - 1]))) {
		vy_hl_draw(pen, at, line.n, VY_HL_COMMENT);
		return line.n;
	}
	if (strchr("{}[],:", line.p[at])) {
		return at + 1;
	}
	if (strchr("&*!", line.p[at])) {
		while (end < line.n && !strchr(" \t,]}", line.p[end])) {
			end++;
		}
		vy_hl_draw(pen, at, end, line.p[at] == '!' ? VY_HL_TYPE : VY_HL_VARIABLE);
		return end;
	}
	while (end < line.n && !strchr(",{}[]", line.p[end]) &&
		!(line.p[end] == '#' && vy_hl_is_blank(line.p[end - (end > 0)])) &&
		!(line.p[end] == ':' && (end + 1 == line.n || vy_hl_is_blank(line.p[end + 1])))) {
		end++;
	}
	size_t text = end;

	while (text > at && vy_hl_is_blank(line.p[text - 1])) {
		text--;
	}
	if (at_of(line, end) == ':' && text > at) { /* {key: value} */
		vy_hl_draw(pen, at, text, VY_HL_KEY);
	} else if (text > at) {
		draw_value(lang, pen, at, text);
	}
	return end > at ? end : at + 1;
}

/* "|" or ">" with its signs: what is deeper than `indent` is text from here on. */
static bool yaml_block(struct vy_hilite_state *st, struct vy_hl_pen *pen, size_t at, size_t indent)
{
	size_t end = at + 1;

	if (at_of(pen->line, at) != '|' && at_of(pen->line, at) != '>') {
		return false;
	}
	while (end < pen->line.n &&
		(strchr("+-", pen->line.p[end]) || is_digit(pen->line.p[end]))) {
		end++;
	}
	if (vy_hl_blanks(pen->line, end) < pen->line.n &&
		pen->line.p[vy_hl_blanks(pen->line, end)] != '#') {
		return false;
	}
	vy_hl_draw(pen, at, end, VY_HL_PUNCT);
	st->mode = MODE_BLOCK;
	st->depth = (uint8_t)(indent < UINT8_MAX ? indent : UINT8_MAX);
	return true;
}

VY_HL_SCANNER(vy_hl_yaml)
{
	struct vy_str line = pen->line;
	size_t at = vy_hl_blanks(line, from), indent = at;

	if (st->mode == MODE_BLOCK && (at == line.n || at > st->depth)) {
		vy_hl_draw(pen, at, line.n, VY_HL_STRING);
		return;
	}
	if (st->mode == MODE_BLOCK) {
		*st = (struct vy_hilite_state){ 0 };
	}
	if (st->mode == MODE_PLAIN && (vy_hl_at(line, at, "---") || vy_hl_at(line, at, "..."))) {
		vy_hl_draw(pen, at, at + 3, VY_HL_META);
		at = vy_hl_blanks(line, at + 3);
	}
	while (st->mode == MODE_PLAIN && at_of(line, at) == '-' &&
		(at + 1 == line.n || line.p[at + 1] == ' ')) {
		vy_hl_draw(pen, at, at + 1, VY_HL_PUNCT);
		indent = at;
		at = vy_hl_blanks(line, at + 1);
	}
	if (st->mode == MODE_PLAIN && at < line.n && line.p[at] != '#') {
		size_t colon = yaml_colon(line, at);

		if (colon < line.n) {
			vy_hl_draw(pen, at, colon, VY_HL_KEY);
			indent = at;
			at = vy_hl_blanks(line, colon + 1);
		}
		if (yaml_block(st, pen, at, indent)) {
			return;
		}
	}
	while (at < line.n) {
		at = st->mode == MODE_PLAIN && vy_hl_is_blank(line.p[at])
			     ? vy_hl_blanks(line, at)
			     : yaml_value(lang, st, pen, at);
	}
}

/* ---- TOML, INI and their kin ---- */

static size_t toml_value(const struct vy_hilite_lang *lang, struct vy_hilite_state *st,
	struct vy_hl_pen *pen, size_t at)
{
	struct vy_str line = pen->line;
	size_t end = at, quoted = take_string(lang, st, pen, at);

	if (quoted > at) {
		return quoted;
	}
	if (line.p[at] == '#' || (line.p[at] == ';' && at > 0 && vy_hl_is_blank(line.p[at - 1]))) {
		vy_hl_draw(pen, at, line.n, VY_HL_COMMENT);
		return line.n;
	}
	while (end < line.n && !strchr(" \t,[]{}=#\"'", line.p[end])) {
		end++;
	}
	if (end == at) {
		return at + 1;
	}
	if (at_of(line, vy_hl_blanks(line, end)) == '=') { /* { key = value } */
		vy_hl_draw(pen, at, end, VY_HL_KEY);
	} else {
		draw_value(lang, pen, at, end);
	}
	return end;
}

VY_HL_SCANNER(vy_hl_toml)
{
	struct vy_str line = pen->line;
	size_t at = vy_hl_blanks(line, from), equals;

	if (st->mode == MODE_PLAIN && at < line.n) {
		size_t close = vy_hl_find(line, at, "]");

		if (line.p[at] == ';' || line.p[at] == '#' || line.p[at] == '!') {
			vy_hl_draw(pen, at, line.n, VY_HL_COMMENT);
			return;
		}
		if (line.p[at] == '[' && st->depth == 0 && close < line.n) {
			close += vy_hl_at(line, close, "]]") ? 2 : 1;
			vy_hl_draw(pen, at, close, VY_HL_HEADING);
			at = close;
		} else if ((equals = vy_hl_find(line, at, "=")) < line.n && line.p[at] != '[' &&
			   line.p[at] != '{') {
			size_t end = equals;

			while (end > at && vy_hl_is_blank(line.p[end - 1])) {
				end--;
			}
			vy_hl_draw(pen, at, end, VY_HL_KEY);
			at = equals + 1;
		}
	}
	while (at < line.n) {
		at = toml_value(lang, st, pen, at);
	}
}

/* ---- makefiles ---- */

/* $(x), ${x}, $@: with what is nested in it. */
static size_t make_variable(struct vy_str line, size_t at)
{
	size_t depth = 0, i = at + 1;

	if (i >= line.n) {
		return i;
	}
	if (line.p[i] != '(' && line.p[i] != '{') {
		return i + ((unsigned char)line.p[i] < 0x80);
	}
	for (; i < line.n; i++) {
		depth += line.p[i] == '(' || line.p[i] == '{';
		if ((line.p[i] == ')' || line.p[i] == '}') && --depth == 0) {
			return i + 1;
		}
	}
	return i;
}

static size_t make_one(const struct vy_hilite_lang *lang, struct vy_hilite_state *st,
	struct vy_hl_pen *pen, size_t at)
{
	struct vy_str line = pen->line;
	size_t end, quoted = take_string(lang, st, pen, at);

	if (quoted > at) {
		st->mode = MODE_PLAIN;
		return quoted;
	}
	if (line.p[at] == '#' && (at == 0 || line.p[at - 1] != '\\')) {
		vy_hl_draw(pen, at, line.n, VY_HL_COMMENT);
		return line.n;
	}
	if (line.p[at] == '$') {
		end = make_variable(line, at);
		vy_hl_draw(pen, at, end, VY_HL_VARIABLE);
		return end;
	}
	return at + 1;
}

/* What the line sets or builds: up to "=" a variable, up to ":" a target. */
static size_t make_head(struct vy_hl_pen *pen, size_t at)
{
	struct vy_str line = pen->line;
	size_t end = at;

	while (end < line.n && !strchr("=:#", line.p[end])) {
		end = line.p[end] == '$' ? make_variable(line, end) : end + 1;
	}
	bool sets = at_of(line, end) == '=' ||
		    (at_of(line, end) == ':' &&
			    (vy_hl_at(line, end, ":=") || vy_hl_at(line, end, "::=")));

	if (end >= line.n || line.p[end] == '#') {
		return at;
	}
	size_t name = end;

	while (name > at && strchr(" \t+?!", line.p[name - 1])) {
		name--;
	}
	vy_hl_draw(pen, at, name, sets ? VY_HL_KEY : VY_HL_FUNCTION);
	return end;
}

VY_HL_SCANNER(vy_hl_make)
{
	struct vy_str line = pen->line;
	size_t at = vy_hl_blanks(line, from),
	       end = vy_hl_word_end(line, at + (at_of(line, at) == '-'));

	st->mode = MODE_PLAIN;
	if (at_of(line, from) != '\t') {
		struct vy_str word = vy_str_n(line.p + at, end - at);

		if (word.n && word.p[0] == '-') {
			word = vy_str_from(word, 1);
		}
		if (vy_hl_has(&lang->keywords, word, false)) {
			vy_hl_draw(pen, at, end, VY_HL_KEYWORD);
			at = end;
		} else {
			at = make_head(pen, at);
		}
	}
	while (at < line.n) {
		at = make_one(lang, st, pen, at);
	}
}
