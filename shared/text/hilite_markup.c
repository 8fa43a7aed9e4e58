/* hilite_markup.c -- languages of text with marks in it: HTML and XML, markdown, diffs. */
#include "shared/text/hilite_lang.h"

#include <string.h>

#include "shared/base/ban.h"

/* ---- HTML and XML ---- */

enum html_mode {
	HTML_TEXT = 0,
	HTML_COMMENT,
	HTML_TAG,   /* behind the name of a tag */
	HTML_QUOTE, /* in a quoted value, HTML_QUOTE + number of the quote */
	HTML_INSIDE =
		0x80 /* of <script> or <style>: the other bits are the inner language's mode */
};

/* What a tag leads into, kept in depth while the tag is open and in mark inside of it. */
enum html_inside { INSIDE_NONE, INSIDE_SCRIPT, INSIDE_STYLE };

static size_t html_comment(struct vy_hilite_state *st, struct vy_hl_pen *pen, size_t at)
{
	size_t end = vy_hl_find(pen->line, at, "-->");

	st->mode = end == pen->line.n ? HTML_COMMENT : HTML_TEXT;
	end = end == pen->line.n ? end : end + 3;
	vy_hl_draw(pen, at, end, VY_HL_COMMENT);
	return end;
}

static size_t html_value(const struct vy_hilite_lang *lang, struct vy_hilite_state *st,
	struct vy_hl_pen *pen, size_t start, size_t at, unsigned quote)
{
	bool open;
	size_t end = vy_hl_string(pen, start, at, &lang->quotes[quote], &open);

	st->mode = (uint8_t)(open ? HTML_QUOTE + quote : HTML_TAG);
	return end;
}

static bool is_name(char c)
{
	return vy_hl_is_word(c) || c == '-' || c == ':' || c == '.' || c == '@';
}

static size_t name_end(struct vy_str line, size_t at)
{
	while (at < line.n && is_name(line.p[at])) {
		at++;
	}
	return at;
}

/* One thing inside of a tag: its end, a name, a value. */
static size_t html_in_tag(const struct vy_hilite_lang *lang, struct vy_hilite_state *st,
	struct vy_hl_pen *pen, size_t at)
{
	char c = pen->line.p[at];
	size_t end = name_end(pen->line, at);

	if (c == '>') {
		vy_hl_draw(pen, at, at + 1, VY_HL_TAG);
		*st = (struct vy_hilite_state){ .mode = st->depth ? HTML_INSIDE : HTML_TEXT,
			.mark = st->depth };
		return at + 1;
	}
	if (vy_hl_at(pen->line, at, "/>") || vy_hl_at(pen->line, at, "?>")) {
		vy_hl_draw(pen, at, at + 1, VY_HL_TAG);
		st->depth = INSIDE_NONE;
		return at + 1;
	}
	if (c == '"' || c == '\'') {
		return html_value(lang, st, pen, at, at + 1, c == '\'');
	}
	if (end > at) {
		bool value = at > 0 && pen->line.p[at - 1] == '=';

		vy_hl_draw(pen, at, end, value ? VY_HL_STRING : VY_HL_KEY);
		return end;
	}
	return at + 1;
}

static bool starts_nocase(struct vy_str line, size_t at, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i < n; i++) {
		if (at + i >= line.n || (line.p[at + i] | 0x20) != (word[i] | 0x20)) {
			return false;
		}
	}
	return at + n >= line.n || !is_name(line.p[at + n]);
}

static size_t html_open_tag(struct vy_hilite_state *st, struct vy_hl_pen *pen, size_t at)
{
	size_t name =
		at + 1 +
		(at + 1 < pen->line.n && strchr("/!?", pen->line.p[at + 1]) && pen->line.p[at + 1]);
	size_t end = name_end(pen->line, name);

	if (end == name) {
		return at + 1;
	}
	vy_hl_draw(pen, at, end, pen->line.p[name - 1] == '!' ? VY_HL_PREPROC : VY_HL_TAG);
	st->mode = HTML_TAG;
	st->depth = starts_nocase(pen->line, at, "<script")  ? INSIDE_SCRIPT
		    : starts_nocase(pen->line, at, "<style") ? INSIDE_STYLE
							     : INSIDE_NONE;
	return end;
}

/* The part of the line that is script or style; the inner state lives in the other fields. */
static size_t html_inside(struct vy_hilite_state *st, struct vy_hl_pen *pen, size_t at)
{
	bool script = st->mark != INSIDE_STYLE;
	const struct vy_hilite_lang *inner = script ? &vy_hl_javascript : &vy_hl_stylesheet;
	struct vy_hilite_state in = {
		.mode = st->mode & 0x7F, .depth = st->depth, .stack = st->stack
	};
	struct vy_str whole = pen->line;
	size_t end = at;

	while (end < whole.n && !starts_nocase(whole, end, script ? "</script" : "</style")) {
		end++;
	}
	pen->line.n = end;
	(inner->scan ? inner->scan : vy_hl_scan)(inner, &in, pen, at);
	pen->line = whole;
	*st = (struct vy_hilite_state){ 0 };
	if (end == whole.n) {
		*st = (struct vy_hilite_state){ .mode = (uint8_t)(HTML_INSIDE | in.mode),
			.depth = in.depth,
			.stack = in.stack,
			.mark = script ? INSIDE_SCRIPT : INSIDE_STYLE };
	}
	return end;
}

static size_t html_text(struct vy_hilite_state *st, struct vy_hl_pen *pen, size_t at)
{
	struct vy_str line = pen->line;

	if (vy_hl_at(line, at, "<!--")) {
		return html_comment(st, pen, at);
	}
	if (line.p[at] == '<') {
		return html_open_tag(st, pen, at);
	}
	if (line.p[at] == '&') {
		size_t end = at + 1 + (vy_hl_at(line, at + 1, "#") ? 1 : 0);

		end = vy_hl_word_end(line, end);
		if (vy_hl_at(line, end, ";")) {
			vy_hl_draw(pen, at, end + 1, VY_HL_ESCAPE);
			return end + 1;
		}
	}
	return at + 1;
}

VY_HL_SCANNER(vy_hl_html)
{
	size_t at = from;

	while (at < pen->line.n) {
		if (st->mode & HTML_INSIDE) {
			at = html_inside(st, pen, at);
		} else if (st->mode == HTML_COMMENT) {
			at = html_comment(st, pen, at);
		} else if (st->mode == HTML_TAG) {
			at = html_in_tag(lang, st, pen, at);
		} else if (st->mode == HTML_QUOTE || st->mode == HTML_QUOTE + 1) {
			at = html_value(lang, st, pen, at, at, st->mode - HTML_QUOTE);
		} else {
			st->mode = HTML_TEXT;
			at = html_text(st, pen, at);
		}
	}
}

/* ---- markdown ---- */

/* In a fence: mode is its character, depth its length. */

static size_t run_of(struct vy_str line, size_t at, char c)
{
	size_t from = at;

	while (at < line.n && line.p[at] == c) {
		at++;
	}
	return at - from;
}

static bool markdown_fence(struct vy_hilite_state *st, struct vy_hl_pen *pen, size_t at)
{
	struct vy_str line = pen->line;
	char c = at < line.n ? line.p[at] : '\0';
	size_t n = run_of(line, at, c);

	if (st->mode) {
		if (c == (char)st->mode && n >= st->depth && vy_hl_blanks(line, at + n) == line.n) {
			*st = (struct vy_hilite_state){ 0 };
			vy_hl_draw(pen, at, line.n, VY_HL_PUNCT);
		} else {
			vy_hl_draw(pen, 0, line.n, VY_HL_STRING);
		}
		return true;
	}
	if ((c != '`' && c != '~') || n < 3 ||
		(c == '`' && vy_hl_find(line, at + n, "`") < line.n)) {
		return false;
	}
	*st = (struct vy_hilite_state){ .mode = (uint8_t)c,
		.depth = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX) };
	vy_hl_draw(pen, at, line.n, VY_HL_PUNCT);
	return true;
}

/* Behind the marks of quotes and items. */
static size_t markdown_marks(struct vy_hl_pen *pen, size_t at)
{
	struct vy_str line = pen->line;

	for (;;) {
		size_t digits = at, end;

		while (digits < line.n && line.p[digits] >= '0' && line.p[digits] <= '9') {
			digits++;
		}
		if (vy_hl_at(line, at, ">")) {
			end = at + 1;
		} else if (digits > at && digits + 1 < line.n && strchr(".)", line.p[digits]) &&
			   line.p[digits + 1] == ' ') {
			end = digits + 1;
		} else if (vy_hl_at(line, at, "- ") || vy_hl_at(line, at, "* ") ||
			   vy_hl_at(line, at, "+ ")) {
			end = at + 1;
		} else {
			return at;
		}
		vy_hl_draw(pen, at, end, VY_HL_PUNCT);
		at = vy_hl_blanks(line, end);
	}
}

/* `code`, **strong**, [text](target): each from its mark to the mark that ends it. */
static size_t markdown_span(struct vy_hl_pen *pen, size_t at)
{
	struct vy_str line = pen->line;
	size_t end;

	switch (line.p[at]) {
	case '\\': return at + 2;
	case '`': {
		char ticks[8] = { 0 };
		size_t n = run_of(line, at, '`');

		memset(ticks, '`', n < sizeof(ticks) ? n : sizeof(ticks) - 1);
		end = vy_hl_find(line, at + n, ticks);
		if (end < line.n) {
			vy_hl_draw(pen, at, end + strlen(ticks), VY_HL_STRING);
			return end + strlen(ticks);
		}
		return at + n;
	}
	case '*':
		end = vy_hl_at(line, at, "**") ? vy_hl_find(line, at + 2, "**") : line.n;
		if (end < line.n) {
			vy_hl_draw(pen, at, end + 2, VY_HL_KEYWORD);
			return end + 2;
		}
		return at + 1;
	case '[':
		end = vy_hl_find(line, at, "](");
		if (end < line.n && vy_hl_find(line, end, ")") < line.n) {
			vy_hl_draw(pen, at, end + 1, VY_HL_KEY);
			vy_hl_draw(pen, end + 1, vy_hl_find(line, end, ")") + 1, VY_HL_STRING);
			return vy_hl_find(line, end, ")") + 1;
		}
		return at + 1;
	default: return at + 1;
	}
}

VY_HL_SCANNER(vy_hl_markdown)
{
	size_t at = vy_hl_blanks(pen->line, from), n;

	(void)lang;
	if (markdown_fence(st, pen, at)) {
		return;
	}
	at = markdown_marks(pen, at);
	n = at < pen->line.n ? run_of(pen->line, at, '#') : 0;
	if (n >= 1 && n <= 6 && (at + n == pen->line.n || vy_hl_at(pen->line, at + n, " "))) {
		vy_hl_draw(pen, at, pen->line.n, VY_HL_HEADING);
		return;
	}
	while (at < pen->line.n) {
		at = markdown_span(pen, at);
	}
}

/* ---- diffs ---- */

VY_HL_SCANNER(vy_hl_diff)
{
	static const char *const meta[] = { "@@", "diff ", "index ", "--- ", "+++ ", "new file ",
		"deleted file ", "similarity ", "rename ", "Binary ", "\\ No newline", "old mode ",
		"new mode " };
	struct vy_str line = pen->line;

	(void)lang;
	(void)st;
	for (size_t i = 0; i < VY_COUNT(meta); i++) {
		if (vy_hl_at(line, from, meta[i])) {
			vy_hl_draw(pen, from, line.n, VY_HL_META);
			return;
		}
	}
	if (from < line.n && (line.p[from] == '+' || line.p[from] == '>')) {
		vy_hl_draw(pen, from, line.n, VY_HL_ADDED);
	} else if (from < line.n && (line.p[from] == '-' || line.p[from] == '<')) {
		vy_hl_draw(pen, from, line.n, VY_HL_REMOVED);
	}
}
