/* fuzzy.c -- see fuzzy.h. The best way to place a word's letters is found by two tables, a row a
 * letter and a column a character of the text: `ends` is the best score when this letter stands
 * exactly here, `best` when it stands here or before. */
#include "tui/view/fuzzy.h"

#include <limits.h>
#include <stdlib.h>

#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "shared/base/ban.h"

#define NEVER       (INT_MIN / 4)
#define LEAD        (-5)
#define TRAIL       (-5)
#define GAP         (-10)
#define FOLLOWS     1000
#define AFTER_SLASH 900
#define AFTER_SPACE 800
#define HUMP        700
#define AFTER_DOT   600
#define EXACT       5000 /* the word is the text */

struct letters {
	size_t n;
	bool is_long; /* there are more than fit */
	uint32_t cp[FUZZY_TEXT], fold[FUZZY_TEXT];
	uint32_t at[FUZZY_TEXT];
	int bonus[FUZZY_TEXT];
};

struct word {
	size_t n;
	bool is_long, has_case;
	uint32_t cp[FUZZY_WORD];
	struct vy_str text;
};

/* ---- reading ---- */

static int bonus_of(uint32_t before, uint32_t cp)
{
	switch (before) {
	case 0:
	case '/': return AFTER_SLASH;
	case ' ':
	case '-':
	case '_':
	case ':': return AFTER_SPACE;
	case '.': return AFTER_DOT;
	default: break;
	}
	bool is_hump = cp != vy_cp_fold(cp) && before == vy_cp_fold(before);

	return is_hump ? HUMP : 0;
}

static void read_text(struct letters *l, struct vy_str text)
{
	uint32_t before = 0;
	size_t at = 0;

	l->n = 0;
	while (at < text.n && l->n < FUZZY_TEXT) {
		uint32_t cp;
		size_t n = vy_utf8_get(text, at, &cp);

		l->cp[l->n] = cp;
		l->fold[l->n] = vy_cp_fold(cp);
		l->at[l->n] = (uint32_t)at;
		l->bonus[l->n++] = bonus_of(before, cp);
		before = cp;
		at += n;
	}
	l->is_long = at < text.n;
}

/* The next word of the query; false when there is none. */
static bool read_word(struct word *w, struct vy_str *query)
{
	size_t at = 0, start;

	while (at < query->n && query->p[at] == ' ') {
		at++;
	}
	*w = (struct word){ 0 };
	for (start = at; at < query->n && query->p[at] != ' ';) {
		uint32_t cp;

		at += vy_utf8_get(*query, at, &cp);
		w->has_case |= cp != vy_cp_fold(cp);
		w->is_long |= w->n == FUZZY_WORD;
		if (!w->is_long) {
			w->cp[w->n++] = cp;
		}
	}
	w->text = vy_str_n(query->p + start, at - start);
	*query = vy_str_from(*query, at);
	return w->text.n > 0;
}

/* ---- a short text: the best way ---- */

static bool is_same(const struct word *w, size_t i, const struct letters *l, size_t j)
{
	return w->has_case ? w->cp[i] == l->cp[j] : w->cp[i] == l->fold[j];
}

static bool stands_in_order(const struct word *w, const struct letters *l)
{
	size_t i = 0;

	for (size_t j = 0; j < l->n && i < w->n; j++) {
		i += is_same(w, i, l, j);
	}
	return i == w->n;
}

struct tables {
	int ends[FUZZY_WORD][FUZZY_TEXT], best[FUZZY_WORD][FUZZY_TEXT];
};

/* Returns the best score of all columns. */
static int fill_row(struct tables *t, const struct word *w, const struct letters *l, size_t i)
{
	int gap = i + 1 == w->n ? TRAIL : GAP, so_far = NEVER;

	for (size_t j = 0; j < l->n; j++) {
		int here = NEVER;

		if (is_same(w, i, l, j) && i == 0) {
			here = (int)j * LEAD + l->bonus[j];
		} else if (is_same(w, i, l, j) && j > 0) {
			int anew = t->best[i - 1][j - 1] + l->bonus[j];
			int joined = t->ends[i - 1][j - 1] + FOLLOWS;

			here = anew > joined ? anew : joined;
		}
		so_far += gap;
		so_far = here > so_far ? here : so_far;
		t->ends[i][j] = here < NEVER / 2 ? NEVER : here;
		t->best[i][j] = so_far = so_far < NEVER / 2 ? NEVER : so_far;
	}
	return so_far;
}

/* From the last letter back: where each one stands in the best way. */
static void trace(
	const struct tables *t, const struct word *w, const struct letters *l, bool *marks)
{
	bool must_end = false;
	size_t j = l->n;

	for (size_t i = w->n; i-- > 0;) {
		while (j-- > 0) {
			if (t->ends[i][j] != NEVER &&
				(must_end || t->ends[i][j] == t->best[i][j])) {
				must_end = i > 0 && j > 0 &&
					   t->best[i][j] == t->ends[i - 1][j - 1] + FOLLOWS;
				marks[j] = true;
				break;
			}
		}
	}
}

static bool match_short(const struct word *w, const struct letters *l, int *score, bool *marks)
{
	struct tables t;
	int best = 0;

	if (!stands_in_order(w, l)) {
		return false;
	}
	for (size_t i = 0; i < w->n; i++) {
		best = fill_row(&t, w, l, i);
	}
	trace(&t, w, l, marks);
	*score += best + (w->n == l->n ? EXACT : 0);
	return true;
}

/* ---- a long text: the word as it stands ---- */

static bool begins_here(const struct word *w, struct vy_str text, size_t at, size_t *end)
{
	for (size_t i = 0; i < w->text.n;) {
		uint32_t a, b;

		if (at >= text.n) {
			return false;
		}
		i += vy_utf8_get(w->text, i, &a);
		at += vy_utf8_get(text, at, &b);
		if (a != (w->has_case ? b : vy_cp_fold(b))) {
			return false;
		}
	}
	*end = at;
	return true;
}

static void add_mark(struct fuzzy_match *m, size_t at)
{
	if (m->n < FUZZY_MARKS) {
		m->at[m->n++] = (uint32_t)at;
	}
}

static bool match_long(const struct word *w, struct vy_str text, struct fuzzy_match *m)
{
	uint32_t cp;
	size_t end;

	text.n = text.n < FUZZY_FAR ? text.n : FUZZY_FAR;
	for (size_t at = 0; at < text.n; at += vy_utf8_get(text, at, &cp)) {
		if (!begins_here(w, text, at, &end)) {
			continue;
		}
		m->score += FOLLOWS * (int)w->n - (int)(at / 64);
		while (at < end) {
			add_mark(m, at);
			at += vy_utf8_get(text, at, &cp);
		}
		return true;
	}
	return false;
}

/* ---- the whole ---- */

static int by_offset(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

bool fuzzy_match(struct vy_str query, struct vy_str text, struct fuzzy_match *m)
{
	bool marks[FUZZY_TEXT] = { false };
	struct letters l;
	struct word w;

	m->score = 0;
	m->n = 0;
	if (!read_word(&w, &query)) {
		return true;
	}
	read_text(&l, text);
	do {
		bool found = l.is_long || w.is_long ? match_long(&w, text, m)
						    : match_short(&w, &l, &m->score, marks);

		if (!found) {
			return false;
		}
	} while (read_word(&w, &query));
	for (size_t j = 0; j < l.n; j++) {
		if (marks[j]) {
			add_mark(m, l.at[j]);
		}
	}
	qsort(m->at, m->n, sizeof(m->at[0]), by_offset);
	return true;
}

bool fuzzy_is_mark(const struct fuzzy_match *m, size_t at, size_t end)
{
	for (size_t i = 0; i < m->n && m->at[i] < end; i++) {
		if (m->at[i] >= at) {
			return true;
		}
	}
	return false;
}
