/* diff_words.c -- what changed inside a line: vy_diff_words of diff.h. */
#include "shared/text/diff.h"

#include "shared/base/mem.h"
#include "shared/text/myers.h"
#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "shared/base/ban.h"

#define COMMON_PERCENT 35 /* of the longer line, blanks aside: less is another line */

/* A line in words, runs of blanks, and single other characters. */
struct tokens {
	struct vy_str *at;
	uint32_t *ids;
	bool *changed;
	size_t n, cap;
};

static bool is_blank(struct vy_str s)
{
	return s.p[0] == ' ' || s.p[0] == '\t';
}

enum kind { KIND_BLANK, KIND_WORD, KIND_OTHER };

static enum kind kind_at(struct vy_str s, size_t at)
{
	uint32_t cp;

	if (s.p[at] == ' ' || s.p[at] == '\t') {
		return KIND_BLANK;
	}
	vy_utf8_get(s, at, &cp);
	return cp == '_' || (vy_cp_is_letter(cp) && (cp < 0x2E80 || (cp >= 0xAC00 && cp <= 0xD7FF)))
		       ? KIND_WORD
		       : KIND_OTHER; /* an ideograph is a word by itself */
}

static void split(struct vy_str s, struct tokens *t)
{
	*t = (struct tokens){ 0 };
	for (size_t at = 0; at < s.n;) {
		enum kind kind = kind_at(s, at);
		size_t end = vy_cluster_next(s, at);

		while (kind != KIND_OTHER && end < s.n && kind_at(s, end) == kind) {
			end = vy_cluster_next(s, end);
		}
		t->at = vy_grow(t->at, &t->cap, t->n + 1, sizeof(*t->at));
		t->at[t->n++] = vy_str_n(s.p + at, end - at);
		at = end;
	}
	t->ids = vy_calloc(t->n, sizeof(*t->ids));
	t->changed = vy_calloc(t->n, sizeof(*t->changed));
}

static void tokens_fini(struct tokens *t)
{
	free(t->at);
	free(t->ids);
	free(t->changed);
}

/* Bytes that are not blank: all of them, or the common ones. */
static size_t weight(const struct tokens *t, bool common_only)
{
	size_t sum = 0;

	for (size_t i = 0; i < t->n; i++) {
		sum += is_blank(t->at[i]) || (common_only && t->changed[i]) ? 0 : t->at[i].n;
	}
	return sum;
}

/* A blank between two changed words is drawn with them. */
static void bridge_blanks(struct tokens *t)
{
	for (size_t i = 1; i + 1 < t->n; i++) {
		if (!t->changed[i] && is_blank(t->at[i]) && t->changed[i - 1] &&
			t->changed[i + 1]) {
			t->changed[i] = true;
		}
	}
}

static size_t ranges_of(
	const struct tokens *t, struct vy_arena *a, const struct vy_diff_range **out)
{
	struct vy_diff_range *r = vy_arena_calloc(a, t->n + 1, sizeof(*r));
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		size_t start = (size_t)(t->at[i].p - t->at[0].p);

		if (!t->changed[i]) {
			continue;
		}
		if (i > 0 && t->changed[i - 1]) {
			r[n - 1].end = start + t->at[i].n;
		} else {
			r[n++] = (struct vy_diff_range){ start, start + t->at[i].n };
		}
	}
	*out = r;
	return n;
}

bool vy_diff_words(struct vy_str old_line, struct vy_str new_line, struct vy_arena *arena,
	struct vy_diff_words *out)
{
	struct tokens a, b;

	*out = (struct vy_diff_words){ 0 };
	split(old_line, &a);
	split(new_line, &b);
	vy_myers_number(a.at, a.n, a.ids, b.at, b.n, b.ids);
	struct vy_myers_side ma = { a.ids, a.n, a.changed }, mb = { b.ids, b.n, b.changed };

	vy_myers(&ma, &mb);
	size_t most = weight(&a, false) > weight(&b, false) ? weight(&a, false) : weight(&b, false);
	bool helps = weight(&a, true) * 100 >= most * COMMON_PERCENT;

	if (helps) {
		bridge_blanks(&a);
		bridge_blanks(&b);
		out->n_old = ranges_of(&a, arena, &out->old_ranges);
		out->n_new = ranges_of(&b, arena, &out->new_ranges);
	}
	tokens_fini(&a);
	tokens_fini(&b);
	return helps;
}
