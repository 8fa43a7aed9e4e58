/* edit_vim_object.c -- text objects: a word, what is in quotes, in brackets, a paragraph
 * (edit_vim_core.h). `is_all`: with what is round it ("aw"), else without ("iw"). */
#include "tui/view/edit_vim_core.h"

#include "shared/base/ban.h"

/* ---- words: runs of one class in a line ---- */

static size_t run_start(const struct edit *e, size_t at, bool is_big)
{
	size_t line = vim_line_start(e, at);
	unsigned class = vim_class(e, at, is_big);

	while (at > line) {
		size_t to = edit_before(e, at);

		if (vim_class(e, to, is_big) != class) {
			break;
		}
		at = to;
	}
	return at;
}

static size_t run_end(const struct edit *e, size_t at, bool is_big)
{
	unsigned class = vim_class(e, at, is_big);

	while (!vim_is_end(e, at) && vim_class(e, at, is_big) == class) {
		at = edit_behind(e, at);
	}
	return at;
}

/* The place behind one more run; blanks over a line's end are one with what is behind them. */
static bool one_run(const struct edit *e, bool is_big, size_t *to)
{
	if (vim_is_end(e, *to)) {
		if (*to >= e->text.len) {
			return false;
		}
		++*to;
		if (vim_is_end(e, *to)) {
			return true;
		}
	}
	*to = run_end(e, *to, is_big);
	return true;
}

static bool a_word(const struct vim_run *r, struct vim_move *m, bool is_all, bool is_big)
{
	const struct edit *e = r->e;
	size_t n = r->n, from = m->to, to;
	bool is_blank, has_blank = false;

	if (r->is_visual && r->v->anchor < r->e->at) { /* goes on from what is selected */
		from = r->v->anchor;
		to = edit_behind(e, r->e->at);
		is_blank = vim_class(e, to, is_big) == 0;
	} else {
		is_blank = vim_class(e, from, is_big) == 0;
		from = to = run_start(e, from, is_big);
	}
	m->from = from;
	for (size_t i = 0; i < n; i++) {
		if (!is_all && vim_is_empty_line(e, to)) {
			continue; /* itself */
		}
		if (!one_run(e, is_big, &to)) {
			return false;
		}
		if (is_all && is_blank && vim_is_empty_line(e, to)) {
			has_blank = true;
		} else if (is_all && is_blank) { /* blanks, then the word */
			if (!one_run(e, is_big, &to)) {
				return false;
			}
		} else if (is_all && !vim_is_end(e, to) && vim_class(e, to, is_big) == 0) {
			to = run_end(e, to, is_big);
			has_blank = true;
		} else {
			has_blank = false;
		}
		is_blank = vim_class(e, to, is_big) == 0 && !vim_is_end(e, to);
	}
	/* no blanks behind it: those before it, but not an indent */
	if (is_all && !has_blank && from > 0 && vim_class(e, m->from, is_big) != 0 &&
		!vim_is_indent(e, from)) {
		size_t before = edit_before(e, from);

		if (vim_class(e, before, is_big) == 0) {
			m->from = run_start(e, before, is_big);
		}
	}
	m->to = to;
	m->is_exact = true;
	return true;
}

/* ---- quotes: in one line, "\" escapes ---- */

static size_t next_quote(const struct edit *e, size_t at, size_t end, char quote, bool escapes)
{
	while (at < end && e->text.data[at] != quote) {
		at += escapes && e->text.data[at] == '\\' ? 2 : 1;
	}
	return at < end ? at : SIZE_MAX;
}

static size_t quote_before(const struct edit *e, size_t at, size_t line, char quote)
{
	while (at > line) {
		size_t n = 0;

		at--;
		while (at - n > line && e->text.data[at - n - 1] == '\\') {
			n++;
		}
		if (e->text.data[at] == quote && n % 2 == 0) {
			return at;
		}
	}
	return SIZE_MAX;
}

/* The pair round the cursor: from the line's start when it stands on a quote. */
static bool quotes_round(const struct edit *e, size_t at, char quote, size_t *from, size_t *to)
{
	size_t line = vim_line_start(e, at), end = vim_line_end(e, at);

	if (at < end && e->text.data[at] == quote) {
		for (size_t i = line; (*from = next_quote(e, i, end, quote, false)) <= at;
			i = *to + 1) {
			*to = next_quote(e, *from + 1, end, quote, true);
			if (*to == SIZE_MAX) {
				return false;
			}
			if (at <= *to) {
				return true;
			}
		}
		return false;
	}
	*from = quote_before(e, at, line, quote);
	if (*from == SIZE_MAX) {
		*from = next_quote(e, at, end, quote, false);
	}
	*to = *from == SIZE_MAX ? SIZE_MAX : next_quote(e, *from + 1, end, quote, true);
	return *to != SIZE_MAX;
}

static bool is_white(const struct edit *e, size_t at)
{
	return at < e->text.len && (e->text.data[at] == ' ' || e->text.data[at] == '\t');
}

static bool in_quotes(const struct vim_run *r, struct vim_move *m, bool is_all, char quote)
{
	const struct edit *e = r->e;
	size_t from, to, line = vim_line_start(e, m->to);

	if (!quotes_round(e, m->to, quote, &from, &to)) {
		return false;
	}
	m->from = is_all || r->n > 1 ? from : from + 1;
	m->to = is_all || r->n > 1 ? to + 1 : to;
	if (is_all && is_white(e, m->to)) {
		while (is_white(e, m->to)) {
			m->to++;
		}
	} else if (is_all) {
		while (m->from > line && is_white(e, m->from - 1)) {
			m->from--;
		}
	}
	return true;
}

/* ---- brackets ---- */

/* The n-th open one round the cursor. */
static size_t open_round(const struct edit *e, size_t at, size_t n, char open, char close)
{
	size_t depth = 0;

	if (at < e->text.len && e->text.data[at] == open && --n == 0) {
		return at;
	}
	while (at-- > 0) { /* a close under the cursor is inside of its pair */
		if (e->text.data[at] == close) {
			depth++;
		} else if (e->text.data[at] == open && depth) {
			depth--;
		} else if (e->text.data[at] == open && --n == 0) {
			return at;
		}
	}
	return SIZE_MAX;
}

static size_t close_of(const struct edit *e, size_t at, char open, char close)
{
	size_t depth = 0;

	for (; at < e->text.len; at++) {
		if (e->text.data[at] == open) {
			depth++;
		} else if (e->text.data[at] == close && --depth == 0) {
			return at;
		}
	}
	return SIZE_MAX;
}

static bool in_brackets(const struct vim_run *r, struct vim_move *m, bool is_all, const char *pair)
{
	const struct edit *e = r->e;
	size_t n = r->n, from = open_round(e, m->to, n, pair[0], pair[1]), to;

	if (from == SIZE_MAX) { /* round nothing: the next ones */
		const char *open = e->text.len > m->to ? memchr(e->text.data + m->to, pair[0],
								 e->text.len - m->to)
						       : NULL;

		from = open ? (size_t)(open - e->text.data) : SIZE_MAX;
	}
	if (from == SIZE_MAX || (to = close_of(e, from, pair[0], pair[1])) == SIZE_MAX) {
		return false;
	}
	m->from = is_all ? from : from + 1;
	m->to = is_all ? to + 1 : to;
	if (!is_all && m->from < to && e->text.data[m->from] == '\n') { /* the lines between */
		m->from++;
		m->to = vim_is_indent(e, to) ? vim_line_start(e, to) : to;
	}
	return true;
}

/* ---- paragraphs: lines ---- */

static size_t last_like(const struct edit *e, size_t line)
{
	bool is_blank = vim_is_blank_line(e, line);
	size_t next;

	while ((next = vim_line_behind(e, line)) != SIZE_MAX &&
		vim_is_blank_line(e, next) == is_blank) {
		line = next;
	}
	return line;
}

static size_t first_like(const struct edit *e, size_t line)
{
	bool is_blank = vim_is_blank_line(e, line);
	size_t before;

	while ((before = vim_line_before(e, line)) != SIZE_MAX &&
		vim_is_blank_line(e, before) == is_blank) {
		line = before;
	}
	return line;
}

/* What is selected already goes on: to the end of the next lines of one kind, and of the other. */
static bool more_paragraphs(const struct vim_run *r, struct vim_move *m, bool is_all)
{
	const struct edit *e = r->e;
	size_t to = vim_line_start(e, m->to), next;

	for (size_t i = 0; i < r->n; i++) {
		next = vim_line_behind(e, to);
		if (next == SIZE_MAX) {
			return false;
		}
		to = last_like(e, next);
		next = vim_line_behind(e, to);
		to = is_all && next != SIZE_MAX ? last_like(e, next) : to;
	}
	m->from = r->v->anchor;
	m->to = to;
	m->is_lines = true;
	return true;
}

static bool a_paragraph(const struct vim_run *r, struct vim_move *m, bool is_all)
{
	const struct edit *e = r->e;
	size_t line = vim_line_start(e, m->to);

	if (r->is_visual && vim_line_start(e, r->v->anchor) < line) {
		return more_paragraphs(r, m, is_all);
	}
	size_t from = first_like(e, line), to = last_like(e, line);
	bool was_blank = vim_is_blank_line(e, from);

	for (size_t i = is_all ? 0 : 1; i < r->n * (is_all ? 2 : 1); i++) {
		size_t next = vim_line_behind(e, to);

		if (is_all && i == 0) {
			continue; /* the one we are in */
		}
		if (next == SIZE_MAX) {
			if (is_all && i + 1 == r->n * 2 && !was_blank) {
				break;
			}
			return false;
		}
		to = last_like(e, next);
	}
	if (is_all && !was_blank && !vim_is_blank_line(e, to)) {
		size_t before = vim_line_before(e, from);

		from = before != SIZE_MAX ? first_like(e, before) : from;
	}
	if (r->is_visual && r->v->mode == EDIT_VIM_LINES &&
		from == vim_line_start(e, r->v->anchor) && to == line) {
		return more_paragraphs(r, m, is_all); /* it is selected already */
	}
	m->from = from;
	m->to = to;
	m->is_lines = true;
	return true;
}

/* ---- all of them ---- */

bool vim_object(const struct vim_run *r, struct vim_move *m)
{
	uint32_t what = r->c->key & ((1u << 21) - 1), how = r->c->key >> 21;
	bool is_all = how == 'a';

	if ((how != 'a' && how != 'i') || (!r->has_op && !r->is_visual)) {
		return false;
	}
	m->is_object = true;
	switch (what) {
	case 'w': return a_word(r, m, is_all, false);
	case 'W': return a_word(r, m, is_all, true);
	case '"':
	case '\'':
	case '`': return in_quotes(r, m, is_all, (char)what);
	case '(':
	case ')':
	case 'b': return in_brackets(r, m, is_all, "()");
	case '[':
	case ']': return in_brackets(r, m, is_all, "[]");
	case '{':
	case '}':
	case 'B': return in_brackets(r, m, is_all, "{}");
	case '<':
	case '>': return in_brackets(r, m, is_all, "<>");
	case 'p': return a_paragraph(r, m, is_all);
	default: return false;
	}
}
