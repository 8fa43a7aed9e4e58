/* hilite_scan.c -- the scanner by tables: vy_hl_scan of hilite_lang.h.
 *
 * It stands at a place of the line and asks, in order: is this the middle of something that began
 * on an earlier line, a comment, a string, a number, a word, or nothing? What a line leaves open is
 * the mode of the state. */
#include "shared/text/hilite_lang.h"

#include <string.h>

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

enum mode {
	MODE_CODE = 0,
	MODE_BLOCK,     /* in a block comment, depth deep */
	MODE_HEREDOC,   /* until the line whose hash is mark; depth 1: tabs before it are fine */
	MODE_RUST_RAW,  /* until a quote and depth hashes */
	MODE_CPP_RAW,   /* until ")", the word whose hash is mark, and a quote */
	MODE_QUOTE = 16 /* and the number of the quote */
};

#define DELIMITER_MAX 64

struct scan {
	const struct vy_hilite_lang *lang;
	struct vy_hilite_state *st;
	struct vy_hl_pen *pen;
	struct vy_str line;
	size_t i;
	bool value; /* the last thing was a value: "/" divides, and begins no expression */
	struct vy_hilite_state next; /* of a here-document that begins behind this line */
};

static bool has(const struct scan *s, unsigned flag)
{
	return (s->lang->flags & flag) != 0;
}

static char peek(const struct scan *s, size_t ahead)
{
	return s->i + ahead < s->line.n ? s->line.p[s->i + ahead] : '\0';
}

static void draw_to(struct scan *s, size_t end, enum vy_hilite_role role)
{
	vy_hl_draw(s->pen, s->i, end, role);
	s->i = end;
}

static uint32_t hash(struct vy_str s)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < s.n; i++) {
		h = (h ^ (unsigned char)s.p[i]) * 16777619u;
	}
	return h;
}

/* A value stands at `start`; one that a shell variable is set to leaves the command to come. */
static void set_value(struct scan *s, size_t start)
{
	s->value |= !(has(s, VY_HL_SHELL) && start > 0 && s->line.p[start - 1] == '=');
}

/* ---- what may span lines ---- */

static void block_comment(struct scan *s, size_t start)
{
	const char *open = s->lang->block.open, *close = s->lang->block.close;

	s->st->mode = MODE_BLOCK;
	while (s->i < s->line.n) {
		if (vy_hl_at(s->line, s->i, close)) {
			s->i += strlen(close);
			if (--s->st->depth == 0) {
				s->st->mode = MODE_CODE;
				break;
			}
		} else if (s->lang->block.nests && s->st->depth < UINT8_MAX &&
			   vy_hl_at(s->line, s->i, open)) {
			s->i += strlen(open);
			s->st->depth++;
		} else {
			s->i++;
		}
	}
	vy_hl_draw(s->pen, start, s->i, VY_HL_COMMENT);
}

/* ${ inside a template string: four bits for each one around, its open braces and one. */
static void enter_template(struct scan *s)
{
	draw_to(s, s->i + 2, VY_HL_ESCAPE);
	s->st->stack = (uint16_t)(s->st->stack << 4 | 1);
	s->st->mode = MODE_CODE;
	s->value = false;
}

static void quoted(struct scan *s, unsigned number, size_t start)
{
	const struct vy_hl_quote *q = &s->lang->quotes[number];
	bool open;

	s->i = vy_hl_string(s->pen, start, s->i, q, &open);
	s->st->mode = MODE_CODE;
	set_value(s, start);
	if (!open) {
		return;
	}
	if ((q->flags & VY_HL_TEMPLATE) && s->i < s->line.n) {
		if (s->st->stack < 1u << 12) {
			enter_template(s);
		} else { /* too deep: text */
			s->i += 2;
			s->st->mode = (uint8_t)(MODE_QUOTE + number);
		}
		return;
	}
	bool joined = (q->flags & VY_HL_ESCAPES) && s->line.n && s->line.p[s->line.n - 1] == '\\';

	if ((q->flags & VY_HL_LINES) || joined) {
		s->st->mode = (uint8_t)(MODE_QUOTE + number);
	}
}

/* The number of the template quote, to go on with behind "}". */
static unsigned template_quote(const struct scan *s)
{
	for (unsigned k = 0; k < VY_COUNT(s->lang->quotes) && s->lang->quotes[k].open; k++) {
		if (s->lang->quotes[k].flags & VY_HL_TEMPLATE) {
			return k;
		}
	}
	return 0;
}

static void heredoc_line(struct scan *s)
{
	size_t from = 0;

	while (s->st->depth && from < s->line.n && s->line.p[from] == '\t') {
		from++;
	}
	if (hash(vy_str_from(s->line, from)) == s->st->mark) {
		draw_to(s, s->line.n, VY_HL_KEYWORD);
		*s->st = (struct vy_hilite_state){ 0 };
	} else {
		draw_to(s, s->line.n, VY_HL_STRING);
	}
}

static void rust_raw(struct scan *s, size_t start)
{
	s->st->mode = MODE_RUST_RAW;
	while (s->i < s->line.n) {
		size_t hashes = 0;

		if (s->line.p[s->i++] != '"') {
			continue;
		}
		while (hashes < s->st->depth && peek(s, hashes) == '#') {
			hashes++;
		}
		if (hashes == s->st->depth) {
			s->i += hashes;
			s->st->mode = MODE_CODE;
			s->st->depth = 0;
			break;
		}
	}
	vy_hl_draw(s->pen, start, s->i, VY_HL_STRING);
	s->value = true;
}

static void cpp_raw(struct scan *s, size_t start)
{
	s->st->mode = MODE_CPP_RAW;
	while (s->i < s->line.n) {
		if (s->line.p[s->i++] != ')') {
			continue;
		}
		size_t end = s->i;

		while (end < s->line.n && end - s->i < DELIMITER_MAX && s->line.p[end] != '"') {
			end++;
		}
		if (end < s->line.n && s->line.p[end] == '"' &&
			hash(vy_str_n(s->line.p + s->i, end - s->i)) == s->st->mark) {
			s->i = end + 1;
			s->st->mode = MODE_CODE;
			s->st->mark = 0;
			break;
		}
	}
	vy_hl_draw(s->pen, start, s->i, VY_HL_STRING);
	s->value = true;
}

/* Goes on with what an earlier line left open; true while it still is. */
static bool resume(struct scan *s)
{
	switch (s->st->mode) {
	case MODE_CODE: break;
	case MODE_BLOCK: block_comment(s, s->i); break;
	case MODE_HEREDOC: heredoc_line(s); return true;
	case MODE_RUST_RAW: rust_raw(s, s->i); break;
	case MODE_CPP_RAW: cpp_raw(s, s->i); break;
	default: {
		unsigned number = s->st->mode - MODE_QUOTE;

		if (number >= VY_COUNT(s->lang->quotes) || !s->lang->quotes[number].open) {
			*s->st = (struct vy_hilite_state){ 0 }; /* of another language */
			break;
		}
		quoted(s, number, s->i);
	}
	}
	return s->st->mode != MODE_CODE && s->i >= s->line.n;
}

/* ---- what stands in a line ---- */

static bool take_comment(struct scan *s)
{
	for (size_t k = 0; k < VY_COUNT(s->lang->comments); k++) {
		if (!vy_hl_at(s->line, s->i, s->lang->comments[k])) {
			continue;
		}
		if (has(s, VY_HL_SHELL) && s->i > 0 && !strchr(" \t;|&(", s->line.p[s->i - 1])) {
			continue;
		}
		draw_to(s, s->line.n, VY_HL_COMMENT);
		return true;
	}
	if (vy_hl_at(s->line, s->i, s->lang->block.open)) {
		size_t start = s->i;

		s->i += strlen(s->lang->block.open);
		s->st->depth = 1;
		block_comment(s, start);
		return true;
	}
	return false;
}

/* A string before ":" is a key: what was drawn of it is taken back and drawn as one. */
static void make_key(struct scan *s, size_t start, struct vy_hl_pen before)
{
	size_t behind = vy_hl_blanks(s->line, s->i);

	if (behind >= s->line.n || s->line.p[behind] != ':') {
		return;
	}
	s->pen->n = before.n;
	if (before.n &&
		s->pen->spans[before.n - 1].end > start) { /* it had grown into the string */
		s->pen->spans[before.n - 1].end = (uint32_t)start;
	}
	vy_hl_draw(s->pen, start, s->i, VY_HL_KEY);
}

static bool take_quote(struct scan *s, size_t start)
{
	for (unsigned k = 0; k < VY_COUNT(s->lang->quotes) && s->lang->quotes[k].open; k++) {
		if (vy_hl_at(s->line, s->i, s->lang->quotes[k].open)) {
			struct vy_hl_pen before = *s->pen;

			s->i += strlen(s->lang->quotes[k].open);
			quoted(s, k, start);
			if (has(s, VY_HL_KEYS)) {
				make_key(s, start, before);
			}
			return true;
		}
	}
	return false;
}

/* 'a in Rust is a lifetime, 'a' a character. */
static bool take_lifetime(struct scan *s)
{
	size_t end = vy_hl_word_end(s->line, s->i + 1);

	if (!has(s, VY_HL_RUST) || peek(s, 0) != '\'' || end == s->i + 1 ||
		(end < s->line.n && s->line.p[end] == '\'')) {
		return false;
	}
	draw_to(s, end, VY_HL_VARIABLE);
	return true;
}

static bool take_raw(struct scan *s)
{
	size_t start = s->i, n = 0;

	if (has(s, VY_HL_RUST) && peek(s, 0) == 'r') {
		while (n < UINT8_MAX && peek(s, 1 + n) == '#') {
			n++;
		}
		if (peek(s, 1 + n) != '"') {
			return false;
		}
		s->st->depth = (uint8_t)n;
		s->i += n + 2;
		rust_raw(s, start);
		return true;
	}
	if (has(s, VY_HL_CPP_RAW) && vy_hl_at(s->line, s->i, "R\"")) {
		while (n < DELIMITER_MAX && peek(s, 2 + n) != '(' && peek(s, 2 + n) != '\0') {
			n++;
		}
		if (peek(s, 2 + n) != '(') {
			return false;
		}
		s->st->mark = hash(vy_str_n(s->line.p + s->i + 2, n));
		s->i += n + 3;
		cpp_raw(s, start);
		return true;
	}
	return false;
}

static bool is_caps(struct vy_str word)
{
	bool letter = false;

	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] >= 'a' && word.p[i] <= 'z') {
			return false;
		}
		letter |= word.p[i] >= 'A' && word.p[i] <= 'Z';
	}
	return letter && word.n > 1;
}

static bool is_camel(struct vy_str word)
{
	return word.p[0] >= 'A' && word.p[0] <= 'Z' && !is_caps(word);
}

static enum vy_hilite_role role_of(const struct scan *s, struct vy_str word, size_t end)
{
	const struct vy_hilite_lang *l = s->lang;
	bool nocase = has(s, VY_HL_NOCASE);
	char next = end < s->line.n ? s->line.p[end] : '\0';

	if (vy_hl_has(&l->keywords, word, nocase)) {
		return VY_HL_KEYWORD;
	}
	if (vy_hl_has(&l->types, word, nocase)) {
		return VY_HL_TYPE;
	}
	if (vy_hl_has(&l->constants, word, nocase)) {
		return VY_HL_CONSTANT;
	}
	if (vy_hl_has(&l->builtins, word, nocase)) {
		return VY_HL_FUNCTION;
	}
	if (has(s, VY_HL_RUST) && next == '!' && !vy_hl_at(s->line, end, "!=")) {
		return VY_HL_FUNCTION;
	}
	if (has(s, VY_HL_CAPS) && is_caps(word)) {
		return VY_HL_CONSTANT;
	}
	if (has(s, VY_HL_SUFFIX_T) && word.n > 2 && memcmp(word.p + word.n - 2, "_t", 2) == 0) {
		return VY_HL_TYPE;
	}
	if (has(s, VY_HL_CALLS) && next == '(') {
		return VY_HL_FUNCTION;
	}
	return has(s, VY_HL_CAMEL) && is_camel(word) ? VY_HL_TYPE : VY_HL_TEXT;
}

static void take_word(struct scan *s)
{
	size_t start = s->i, end = vy_hl_word_end(s->line, start);
	struct vy_str word = vy_str_n(s->line.p + start, end - start);

	if (s->lang->prefixes && end < s->line.n && strchr("\"'`", s->line.p[end]) &&
		s->line.p[end] && vy_hl_lists(s->lang->prefixes, word)) {
		s->i = end;
		if (take_quote(s, start)) {
			return;
		}
	}
	enum vy_hilite_role role = role_of(s, word, end);

	draw_to(s, end, role);
	s->value = role != VY_HL_KEYWORD;
}

/* #include <x>: the word and the file; what else stands in the line is code. */
static void take_directive(struct scan *s)
{
	size_t word = vy_hl_blanks(s->line, s->i + 1), end = vy_hl_word_end(s->line, word);
	size_t file = vy_hl_blanks(s->line, end);
	bool includes = vy_hl_at(s->line, word, "include");

	draw_to(s, end, VY_HL_PREPROC);
	if (includes && vy_hl_at(s->line, file, "<")) {
		size_t close = vy_hl_find(s->line, file, ">");

		s->i = file;
		draw_to(s, close < s->line.n ? close + 1 : close, VY_HL_STRING);
	}
}

/* /x/ where a value is expected, closed in this line and no comment. */
static bool take_regex(struct scan *s)
{
	bool set = false;

	if (!has(s, VY_HL_REGEX) || s->value || peek(s, 0) != '/') {
		return false;
	}
	for (size_t i = s->i + 1; i < s->line.n; i++) {
		char c = s->line.p[i];

		if (c == '\\') {
			i++;
		} else if (c == '[' || c == ']') {
			set = c == '[';
		} else if (c == '/' && !set) {
			draw_to(s, vy_hl_word_end(s->line, i + 1), VY_HL_STRING);
			s->value = true;
			return true;
		}
	}
	return false;
}

/* <<END, <<-END, <<'END': the document begins on the next line. */
static bool take_heredoc(struct scan *s)
{
	if (!has(s, VY_HL_HEREDOC) || !vy_hl_at(s->line, s->i, "<<") || peek(s, 2) == '<' ||
		(s->i > 0 && s->line.p[s->i - 1] == '<') || vy_hl_find(s->line, 0, "((") < s->i) {
		return false; /* "<<<" is a string, "((x << 2))" a number */
	}
	bool dash = peek(s, 2) == '-';
	size_t at = vy_hl_blanks(s->line, s->i + 2 + dash), from = at, end;
	char quote = at < s->line.n ? s->line.p[at] : '\0';

	if (quote == '\'' || quote == '"') {
		from++;
		for (end = from; end < s->line.n && s->line.p[end] != quote;) {
			end++;
		}
	} else {
		from += quote == '\\';
		end = vy_hl_word_end(s->line, from);
	}
	if (end == from || (s->line.p[from] >= '0' && s->line.p[from] <= '9')) {
		return false; /* 1 << 2 */
	}
	s->next = (struct vy_hilite_state){ .mode = MODE_HEREDOC,
		.depth = dash,
		.mark = hash(vy_str_n(s->line.p + from, end - from)) };
	draw_to(s, end + (from > at && quote != '\\' && end < s->line.n), VY_HL_KEYWORD);
	return true;
}

static bool take_sigil(struct scan *s)
{
	size_t word = s->i + 1, end = vy_hl_word_end(s->line, word);

	if (has(s, VY_HL_HASH_LINES) && peek(s, 0) == '#' && vy_hl_blanks(s->line, 0) == s->i) {
		take_directive(s);
		return true;
	}
	if (has(s, VY_HL_AT_WORDS) && peek(s, 0) == '@' && end > word) {
		draw_to(s, end, VY_HL_PREPROC);
		return true;
	}
	if (has(s, VY_HL_RUST) &&
		(vy_hl_at(s->line, s->i, "#[") || vy_hl_at(s->line, s->i, "#!["))) {
		size_t close = vy_hl_find(s->line, s->i, "]");

		draw_to(s, close < s->line.n ? close + 1 : close, VY_HL_PREPROC);
		return true;
	}
	if (has(s, VY_HL_DOLLAR) && peek(s, 0) == '$' && vy_hl_variable(s->line, s->i) > s->i) {
		set_value(s, s->i);
		draw_to(s, vy_hl_variable(s->line, s->i), VY_HL_VARIABLE);
		return true;
	}
	return false;
}

/* A word of a shell: the first of a command is what runs, x= sets a variable. */
static void take_shell_word(struct scan *s)
{
	size_t start = s->i, end = start, name = vy_hl_word_end(s->line, start);

	while (end < s->line.n && !strchr(" \t;|&()<>{}$\"'`\\=", s->line.p[end])) {
		end++;
	}
	struct vy_str word = vy_str_n(s->line.p + start, end - start);
	bool keyword = vy_hl_has(&s->lang->keywords, word, false);

	if (name > start && (vy_hl_at(s->line, name, "=") || vy_hl_at(s->line, name, "+="))) {
		draw_to(s, name, VY_HL_VARIABLE);
		s->i += s->line.p[s->i] == '+' ? 2 : 1;
		while (s->i < s->line.n && !strchr(" \t;|&()<>$\"'`", s->line.p[s->i])) {
			s->i++;
		}
	} else if (end == start) {
		s->i++;
	} else if (keyword && (!s->value || vy_str_is(word, "in"))) {
		draw_to(s, end, VY_HL_KEYWORD); /* behind it a command may begin again */
	} else {
		draw_to(s, end, s->value ? VY_HL_TEXT : VY_HL_FUNCTION);
		s->value = true;
	}
}

/* Counts the braces inside ${ }; the last one leads back into the string. True if it was one. */
static bool take_template_brace(struct scan *s)
{
	unsigned top = s->st->stack & 0xF;

	if (s->st->stack == 0 || (peek(s, 0) != '{' && peek(s, 0) != '}')) {
		return false;
	}
	if (peek(s, 0) == '{') {
		s->st->stack = (uint16_t)(s->st->stack + (top < 0xF));
		s->i++;
		s->value = false;
	} else if (top > 1) {
		s->st->stack--;
		s->i++;
		s->value = true;
	} else {
		s->st->stack = (uint16_t)(s->st->stack >> 4);
		draw_to(s, s->i + 1, VY_HL_ESCAPE);
		quoted(s, template_quote(s), s->i);
	}
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* ".5", but not in "1..5" or "a.5". */
static bool begins_fraction(const struct scan *s)
{
	return peek(s, 0) == '.' && !s->value && is_digit(peek(s, 1)) &&
	       (s->i == 0 || s->line.p[s->i - 1] != '.');
}

static void take_one(struct scan *s)
{
	char c = peek(s, 0);

	if (vy_hl_is_blank(c)) {
		s->i = vy_hl_blanks(s->line, s->i);
	} else if (take_comment(s) || take_heredoc(s) || take_sigil(s) || take_raw(s) ||
		   take_lifetime(s) || take_template_brace(s) || take_quote(s, s->i) ||
		   take_regex(s)) {
		return;
	} else if (has(s, VY_HL_SHELL) && c == '\\') {
		uint32_t cp;

		s->i++;
		s->i += s->i < s->line.n ? vy_utf8_get(s->line, s->i, &cp) : 0;
	} else if (has(s, VY_HL_SHELL) && strchr(";|&({`", c) && c) {
		s->i++;
		s->value = false;
	} else if (has(s, VY_HL_SHELL)) {
		take_shell_word(s);
	} else if (is_digit(c) || begins_fraction(s)) {
		draw_to(s, vy_hl_number(s->line, s->i, has(s, VY_HL_CPP_RAW)), VY_HL_NUMBER);
		s->value = true;
	} else if (vy_hl_is_word(c)) {
		take_word(s);
	} else {
		s->i++;
		s->value = c == ')' || c == ']';
	}
}

void vy_hl_scan(const struct vy_hilite_lang *lang, struct vy_hilite_state *st,
	struct vy_hl_pen *pen, size_t from)
{
	struct scan s = { .lang = lang, .st = st, .pen = pen, .line = pen->line, .i = from };

	if (resume(&s)) {
		return;
	}
	while (s.i < s.line.n) {
		take_one(&s);
	}
	if (s.next.mode && st->mode == MODE_CODE) {
		*st = s.next;
	}
}
