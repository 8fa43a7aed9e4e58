/* mdhold.c -- see mdhold.h.
 *
 * One walk over the paragraph with CommonMark's rules for runs of delimiters, brackets, code spans
 * and escapes. The walk ends early where something has to be kept back. */
#include "shared/text/mdhold.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "shared/base/ban.h"

#define OPENERS   32
#define STALE     300  /* bytes after which a lone opener is text */
#define BRACKET   100  /* the same for "[": what is behind it is not shown until "]" comes */
#define LINK_TEXT 500  /* longest text of a link */
#define TARGET    1000 /* longest target of one */
#define ENTITY    32
#define NOWHERE   SIZE_MAX

struct opener {
	char c;
	unsigned count;
	bool both; /* could also close */
	size_t at, end;
};

struct walk {
	struct vy_str s;
	size_t i;    /* where it stands */
	size_t keep; /* what can be shown ends here; NOWHERE: at the end */
	struct opener open[OPENERS];
	unsigned n;
	unsigned code;   /* backquotes that close the code span at the end, 0: none */
	bool code_blank; /* it begins with a blank, which goes if one stands at its end too */
	bool target;     /* the paragraph ends in the target of a link */
};

static char at(const struct walk *w, size_t i)
{
	return i < w->s.n ? w->s.p[i] : '\0';
}

static size_t run_at(const struct walk *w, size_t i, char c)
{
	size_t from = i;

	while (i < w->s.n && w->s.p[i] == c) {
		i++;
	}
	return i - from;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_alnum(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Ends the walk: nothing from `i` on is shown. */
static void hold(struct walk *w, size_t i)
{
	w->keep = i;
	w->i = w->s.n;
}

/* ---- emphasis ---- */

enum side { SIDE_BLANK, SIDE_PUNCT, SIDE_LETTER };

static enum side side_of(uint32_t cp)
{
	return cp == 0 || vy_cp_is_space(cp) ? SIDE_BLANK
	       : vy_cp_is_punct(cp)          ? SIDE_PUNCT
					     : SIDE_LETTER;
}

/* Takes the opener away, and with it those above it, which are text now. */
static void close_with(struct walk *w, size_t *count, bool both)
{
	char c = w->s.p[w->i];

	for (unsigned k = w->n; k > 0 && *count > 0;) {
		struct opener *o = &w->open[k - 1];
		bool thirds = (both || o->both) && (o->count + *count) % 3 == 0 &&
			      (o->count % 3 != 0 || *count % 3 != 0);

		if (o->c != c || thirds || (c == '~' && o->count != *count)) {
			k--;
			continue;
		}
		unsigned use = o->count >= 2 && *count >= 2 ? 2 : 1;

		o->count -= use;
		*count -= use;
		w->n = o->count ? k : k - 1;
		k = w->n;
	}
}

static void take_delimiters(struct walk *w)
{
	char c = w->s.p[w->i];
	size_t count = run_at(w, w->i, c), end = w->i + count;
	uint32_t before = 0, behind = 0;

	if (end == w->s.n) {
		hold(w, w->i);
		return;
	}
	if (w->i > 0) {
		vy_utf8_prev(w->s, w->i, &before);
	}
	vy_utf8_get(w->s, end, &behind);
	enum side left = side_of(before), right = side_of(behind);
	bool opens = right != SIDE_BLANK && (right != SIDE_PUNCT || left != SIDE_LETTER);
	bool closes = left != SIDE_BLANK && (left != SIDE_PUNCT || right != SIDE_LETTER);
	bool may_open = c == '_' ? opens && (!closes || left == SIDE_PUNCT) : opens;
	bool may_close = c == '_' ? closes && (!opens || right == SIDE_PUNCT) : closes;

	if (c == '~' && count != 2) {
		may_open = may_close = false; /* "~5": about, not struck */
	}
	if (may_close) {
		close_with(w, &count, may_open && may_close);
	}
	if (strchr(")]}.,;:?|", w->s.p[end]) && w->s.p[end]) {
		may_open = false; /* by the rules it could; nobody writes that */
	}
	if (may_open && count > 0 && w->n < OPENERS) {
		w->open[w->n++] = (struct opener){ .c = c,
			.count = (unsigned)count,
			.both = may_open && may_close,
			.at = w->i,
			.end = end };
	}
	w->i = end;
}

/* ---- code spans ---- */

/* Start of the run of exactly `n` backquotes that begins in [i, end), or NOWHERE. */
static size_t find_ticks(const struct walk *w, size_t i, size_t end, size_t n)
{
	while (i < end) {
		const char *p = memchr(w->s.p + i, '`', end - i);

		if (!p) {
			break;
		}
		i = (size_t)(p - w->s.p);
		size_t have = run_at(w, i, '`');

		if (have == n) {
			return i;
		}
		i += have;
	}
	return NOWHERE;
}

static void take_ticks(struct walk *w)
{
	size_t n = run_at(w, w->i, '`'), from = w->i + n, end = w->s.n;
	size_t close = find_ticks(w, from, w->s.n, n);

	if (close != NOWHERE) {
		w->i = close + n;
		return;
	}
	while (end > from && w->s.p[end - 1] == '`') {
		end--; /* may become the closing run */
	}
	size_t text = from;

	while (text < end && is_blank(w->s.p[text])) {
		text++;
	}
	if (text == end) {
		hold(w, w->i);
	} else {
		w->code = (unsigned)n;
		w->code_blank = text > from && !is_blank(w->s.p[end - 1]);
		hold(w, end);
	}
}

/* ---- links ---- */

/* The "]" that belongs to the "[" at `i`, or NOWHERE; looks only so far. */
static size_t find_bracket(const struct walk *w, size_t i)
{
	size_t end = w->s.n - i < LINK_TEXT ? w->s.n : i + LINK_TEXT;
	unsigned depth = 0;

	for (; i < end; i++) {
		char c = w->s.p[i];

		if (c == '\\') {
			i++;
		} else if (c == '`') {
			size_t n = run_at(w, i, '`'), close = find_ticks(w, i + n, end, n);

			i = close == NOWHERE ? i + n - 1 : close + n - 1;
		} else if (c == '[') {
			depth++;
		} else if (c == ']' && --depth == 0) {
			return i;
		}
	}
	return NOWHERE;
}

enum target { TARGET_NONE, TARGET_OPEN, TARGET_WHOLE };

static size_t skip_blanks(const struct walk *w, size_t i)
{
	while (i < w->s.n && is_blank(w->s.p[i])) {
		i++;
	}
	return i;
}

/* What "(…" at *i is: a whole target (*i moves behind it), one still being typed, or none. */
static enum target take_target(const struct walk *w, size_t *i)
{
	size_t k = skip_blanks(w, *i + 1), from = k;
	unsigned depth = 0;
	char quote = '\0';

	for (; k < w->s.n && k - from <= TARGET && !is_blank(w->s.p[k]); k++) {
		char c = w->s.p[k];

		if (c == '\\') {
			k++;
		} else if (c == '(') {
			depth++;
		} else if (c == ')' && depth-- == 0) {
			*i = k + 1;
			return TARGET_WHOLE;
		}
	}
	k = skip_blanks(w, k);
	if (k >= w->s.n) {
		return w->s.n - from <= TARGET ? TARGET_OPEN : TARGET_NONE;
	}
	if (w->s.p[k] != ')') { /* a title, or no link at all */
		if (!memchr("\"'(", w->s.p[k], 3)) {
			return TARGET_NONE;
		}
		quote = w->s.p[k] == '(' ? ')' : w->s.p[k];
		for (k++; k < w->s.n && k - from <= TARGET && w->s.p[k] != quote; k++) {
			k += w->s.p[k] == '\\';
		}
		k = skip_blanks(w, k + 1);
	}
	if (k >= w->s.n) {
		return w->s.n - from <= TARGET ? TARGET_OPEN : TARGET_NONE;
	}
	*i = k + 1;
	return w->s.p[k] == ')' ? TARGET_WHOLE : TARGET_NONE;
}

/* A "[" (or "![" whose "[" is at `bracket`). */
static void take_bracket(struct walk *w, size_t bracket)
{
	size_t end = find_bracket(w, bracket), behind = end + 1;

	if (end == NOWHERE || behind == w->s.n) {
		if (w->s.n - w->i <= BRACKET) {
			hold(w, w->i);
		} else {
			w->i = bracket + 1;
		}
		return;
	}
	if (w->s.p[behind] == ':' && w->i == 0 && !memchr(w->s.p, '\n', w->s.n)) {
		hold(w, 0); /* the definition of a link will not be seen */
		return;
	}
	if (w->s.p[behind] != '(') {
		w->i = bracket + 1;
		return;
	}
	switch (take_target(w, &behind)) {
	case TARGET_WHOLE: w->i = behind; break;
	case TARGET_OPEN:
		w->target = true;
		hold(w, end + 1);
		break;
	case TARGET_NONE: w->i = bracket + 1; break;
	}
}

/* ---- the rest ---- */

/* "<" that may become a tag or a pointed link. */
static void take_angle(struct walk *w)
{
	size_t k = w->i + 1;

	while (k < w->s.n && !is_blank(w->s.p[k]) && w->s.p[k] != '>' && w->s.p[k] != '<') {
		k++;
	}
	if (at(w, k) == '>') {
		w->i = k + 1;
	} else if (k == w->s.n && k - w->i <= BRACKET &&
		   (k == w->i + 1 || is_alnum(at(w, w->i + 1)) || strchr("/!?", at(w, w->i + 1)))) {
		hold(w, w->i);
	} else {
		w->i++;
	}
}

static void take_entity(struct walk *w)
{
	size_t k = w->i + 1;

	while (k < w->s.n && (is_alnum(w->s.p[k]) || w->s.p[k] == '#')) {
		k++;
	}
	if (k == w->s.n && k - w->i <= ENTITY) {
		hold(w, w->i);
	} else {
		w->i++;
	}
}

static bool is_host(char c)
{
	return is_alnum(c) || c == '.' || c == '-' || c == '_';
}

/* A link without brackets: marks inside it are part of it, those at its end are not. */
static void take_link(struct walk *w, size_t host)
{
	size_t k = host, end;
	bool dot = false;

	while (k < w->s.n && is_host(w->s.p[k])) {
		k++;
		dot |= w->s.p[k - 1] == '.' && k > host + 1 && is_alnum(at(w, k));
	}
	if (!dot) {
		if (k == w->s.n && k - w->i <= BRACKET) {
			hold(w, w->i); /* no link before there is a dot in its host */
		} else {
			w->i = k;
		}
		return;
	}
	for (end = k; end < w->s.n && !is_blank(w->s.p[end]) && !strchr("<*)", w->s.p[end]);) {
		end++;
	}
	for (k = end; k == w->s.n && end > w->i;) {
		char c = w->s.p[end - 1];

		if (is_alnum(c) || c == '/' || (unsigned char)c >= 0x80) {
			break;
		}
		end--;
	}
	if (k == w->s.n) {
		hold(w, end);
	} else {
		w->i = k;
	}
}

/* Where a link without brackets could begin. */
static void take_letter(struct walk *w)
{
	static const char *const starts[] = { "http://", "https://", "ftp://", "www." };
	struct vy_str rest = vy_str_from(w->s, w->i);

	for (size_t k = 0; k < VY_COUNT(starts) && (w->i == 0 || !is_alnum(w->s.p[w->i - 1]));
		k++) {
		size_t n = strlen(starts[k]);

		if (rest.n < n && memcmp(rest.p, starts[k], rest.n) == 0) {
			hold(w, w->i);
			return;
		}
		if (vy_str_starts(rest, starts[k])) {
			take_link(w, w->i + n);
			return;
		}
	}
	w->i++;
}

/* What is nothing but itself, whatever stands beside it: step() would pass it. */
static bool is_text(char c)
{
	return c == ' ' || (c >= 'a' && c <= 'z' && c != 'f' && c != 'h' && c != 'w') ||
	       (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static void step(struct walk *w)
{
	switch (w->s.p[w->i]) {
	case '\\':
		if (w->i + 1 == w->s.n) {
			hold(w, w->i);
		} else {
			w->i += 2;
		}
		break;
	case '*':
	case '_':
	case '~': take_delimiters(w); break;
	case '`': take_ticks(w); break;
	case '[': take_bracket(w, w->i); break;
	case '!':
		if (w->i + 1 == w->s.n) {
			hold(w, w->i);
		} else if (w->s.p[w->i + 1] == '[') {
			take_bracket(w, w->i + 1);
		} else {
			w->i++;
		}
		break;
	case '<': take_angle(w); break;
	case '&': take_entity(w); break;
	case 'f':
	case 'h':
	case 'w': take_letter(w); break;
	default: w->i++; break;
	}
}

static struct walk walk(struct vy_str para)
{
	struct walk w = { .s = para, .keep = NOWHERE };

	while (w.i < para.n) {
		if (is_text(para.p[w.i])) {
			w.i++;
		} else {
			step(&w);
		}
	}
	return w;
}

/* May a link be in it? They are counted, and so not to be read apart. */
static bool may_link(struct vy_str s)
{
	return memmem(s.p, s.n, "://", 3) || memmem(s.p, s.n, "www.", 4);
}

bool vy_mdhold_is_closed(struct vy_str para)
{
	for (size_t i = 0; i < para.n; i++) {
		if (strchr("[<~&@", para.p[i])) {
			return false;
		}
	}
	struct walk w = walk(para);

	return w.keep == NOWHERE && w.n == 0 && !may_link(para);
}

size_t vy_mdhold(struct vy_str para, struct vy_buf *closers)
{
	struct walk w = walk(para);
	size_t keep = w.keep == NOWHERE ? para.n : w.keep;

	vy_buf_adds(closers, w.code_blank ? " " : "");
	for (unsigned i = 0; i < w.code; i++) {
		vy_buf_addc(closers, '`');
	}
	vy_buf_adds(closers, w.target ? "()" : "");
	if (!w.code && !w.target && w.n > 0) { /* a closing run may not stand behind a blank */
		while (keep > 0 && is_blank(para.p[keep - 1])) {
			keep--;
		}
		while (w.n > 0 && w.open[w.n - 1].end >= keep) {
			keep = w.open[--w.n].at; /* nothing is left of what it opened */
			while (keep > 0 && is_blank(para.p[keep - 1])) {
				keep--;
			}
		}
	}
	for (unsigned k = w.n; k > 0; k--) {
		const struct opener *o = &w.open[k - 1];

		for (unsigned i = 0; i < o->count && para.n - o->at <= STALE; i++) {
			vy_buf_addc(closers, o->c);
		}
	}
	return keep;
}
