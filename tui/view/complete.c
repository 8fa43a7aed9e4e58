/* complete.c -- see complete.h. */
#include "tui/view/complete.h"

#include "shared/base/ban.h"

#define WORD_MAX 4096 /* a longer one is no path */

static bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

/* A mention may stand in brackets or quotes of prose. */
static bool is_opening(char c)
{
	return is_space(c) || c == '(' || c == '[' || c == '{' || c == '<' || c == '`';
}

/* ---- which word ---- */

static size_t word_start(struct vy_str s, size_t at)
{
	while (at > 0 && !is_space(s.p[at - 1])) {
		at--;
	}
	return at;
}

static size_t word_end(struct vy_str s, size_t at)
{
	while (at < s.n && !is_space(s.p[at])) {
		at++;
	}
	return at;
}

static bool holds_chip(const struct edit *e, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (edit_chip_at(e, i, NULL)) {
			return true;
		}
	}
	return false;
}

/* The "@" the cursor stands behind: of this word, or of an open quote in this line. */
static bool find_sign(struct vy_str s, size_t at, size_t *sign)
{
	size_t least = at > WORD_MAX ? at - WORD_MAX : 0;

	for (size_t i = at; i-- > least && s.p[i] != '\n';) {
		if (s.p[i] != '@' || (i > 0 && !is_opening(s.p[i - 1]))) {
			continue;
		}
		*sign = i;
		if (i + 1 < at && s.p[i + 1] == '"') {
			return !memchr(s.p + i + 2, '"', at - i - 2);
		}
		return word_start(s, at) <= i;
	}
	return false;
}

/* ":10", ":10-20" and ":" itself, behind something. */
static bool has_range(struct vy_str query)
{
	size_t i = query.n;

	while (i > 0 &&
		((query.p[i - 1] >= '0' && query.p[i - 1] <= '9') || query.p[i - 1] == '-')) {
		i--;
	}
	return i > 1 && query.p[i - 1] == ':';
}

static struct complete_word file_at(const struct edit *e)
{
	struct vy_str s = edit_text(e);
	struct complete_word w = { COMPLETE_NOTHING };
	bool is_quoted;

	if (!find_sign(s, e->at, &w.from)) {
		return w;
	}
	is_quoted = w.from + 1 < e->at && s.p[w.from + 1] == '"';
	w.query = vy_str_n(s.p + w.from + 1 + is_quoted, e->at - w.from - 1 - is_quoted);
	w.to = is_quoted ? e->at : word_end(s, e->at);
	if (is_quoted && w.to < s.n && s.p[w.to] == '"') {
		w.to++;
	}
	if ((!is_quoted && has_range(w.query)) || holds_chip(e, w.from, w.to)) {
		return w;
	}
	w.kind = COMPLETE_FILE;
	return w;
}

struct complete_word complete_at(const struct edit *e)
{
	struct vy_str s = edit_text(e);
	struct complete_word w = { COMPLETE_NOTHING };
	size_t end = word_end(s, 0);

	if (s.n == 0 || s.p[0] != '/' || e->at == 0 || e->at > end) {
		return file_at(e);
	}
	w.query = vy_str_n(s.p + 1, e->at - 1);
	w.to = end;
	if (!memchr(s.p + 1, '/', end - 1) && !holds_chip(e, 0, end)) {
		w.kind = COMPLETE_COMMAND;
	}
	return w;
}

/* ---- the choice ---- */

static bool needs_quotes(struct vy_str path)
{
	for (size_t i = 0; i < path.n; i++) {
		if (is_space(path.p[i])) {
			return true;
		}
	}
	return false;
}

void complete_put(struct edit *e, const struct complete_word *w, struct vy_str choice, bool goes_on)
{
	VY_AUTO_BUF b = VY_BUF_INIT(64 * 1024);
	struct vy_str s = edit_text(e);
	bool is_file = w->kind == COMPLETE_FILE, is_quoted = is_file && needs_quotes(choice);

	vy_buf_addc(&b, is_file ? '@' : '/');
	if (is_quoted) {
		vy_buf_addc(&b, '"');
	}
	vy_buf_addstr(&b, choice);
	if (is_quoted && !goes_on) {
		vy_buf_addc(&b, '"');
	}
	bool has_blank = w->to < s.n && is_space(s.p[w->to]);

	if (!goes_on && !has_blank) {
		vy_buf_addc(&b, ' ');
	}
	edit_put_in(e, w->from, w->to, vy_buf_str(&b));
	if (!goes_on && has_blank) {
		edit_right(e);
	}
}
