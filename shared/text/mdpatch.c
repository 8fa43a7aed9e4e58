/* mdpatch.c -- see mdpatch.h. */
#include "shared/text/mdpatch.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/text/mdline.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define BEHIND   16 /* zeros */
#define SHORTEST 3  /* characters of a column's delimiter, colons included */

struct patch {
	struct vy_buf text;
	struct vy_mdpatch_cut *cuts;
	size_t n, cap, added;
};

static size_t delimiter_run(struct vy_str line, size_t at)
{
	size_t from = at;

	while (at < line.n && (line.p[at] == '-' || line.p[at] == ':')) {
		at++;
	}
	return at - from;
}

static bool is_short(struct vy_str line)
{
	for (size_t i = 0, n; i < line.n; i += n ? n : 1) {
		n = delimiter_run(line, i);
		if (n > 0 && n < SHORTEST) {
			return true;
		}
	}
	return false;
}

static void add_cut(struct patch *p, size_t added)
{
	p->added += added;
	p->cuts = vy_grow(p->cuts, &p->cap, p->n + 1, sizeof(*p->cuts));
	p->cuts[p->n++] = (struct vy_mdpatch_cut){ p->text.len, p->added };
}

/* Makes the short runs of a delimiter line longer. */
static void lengthen(struct patch *p, struct vy_str line)
{
	for (size_t i = 0, n; i < line.n; i += n ? n : 1) {
		n = delimiter_run(line, i);
		size_t dash = 0;

		while (dash < n && line.p[i + dash] != '-') {
			dash++;
		}
		if (n == 0 || n >= SHORTEST || dash == n) {
			vy_buf_add(&p->text, line.p + i, n ? n : 1);
			continue;
		}
		vy_buf_add(&p->text, line.p + i, dash);
		vy_buf_add(&p->text, "--", SHORTEST - n);
		add_cut(p, SHORTEST - n);
		vy_buf_add(&p->text, line.p + i + dash, n - dash);
	}
}

static void put_mark(struct patch *p, const char *mark, size_t in_place_of)
{
	vy_buf_add(&p->text, mark, 3);
	if (in_place_of < 3) {
		add_cut(p, 3 - in_place_of);
	}
}

/* Copies, with U+FFFD for bad bytes and "␀" for NUL, of which md4c does not say where it stood. */
static void copy(struct patch *p, struct vy_str s)
{
	for (size_t at = 0; at < s.n;) {
		uint32_t cp;
		size_t good = vy_utf8_valid(s, at);
		const char *nul = good > at ? memchr(s.p + at, '\0', good - at) : NULL;

		good = nul ? (size_t)(nul - s.p) : good;
		vy_buf_add(&p->text, s.p + at, good - at);
		at = good;
		if (nul) {
			put_mark(p, "\xE2\x90\x80", 1);
			at++;
		} else if (at < s.n) {
			size_t bad = vy_utf8_get(s, at, &cp);

			put_mark(p, "\xEF\xBF\xBD", bad);
			at += bad;
		}
	}
}

static bool has_bar(struct vy_str line)
{
	return line.n && memchr(line.p, '|', line.n) != NULL;
}

void vy_mdpatch_make(struct vy_str src, const struct vy_mdpatch_lines *lines, struct vy_arena *a,
	struct vy_mdpatch *out)
{
	struct patch p = { .text = VY_BUF_INIT(src.n * 3) };
	size_t done = 0;

	for (size_t i = 0; i < lines->n; i++) {
		struct vy_str bare = vy_mdline_bare(vy_mdline_at(src, lines->at[i]));
		size_t at = (size_t)(bare.p - src.p);

		copy(&p, vy_str_n(src.p + done, at - done));
		lengthen(&p, bare);
		done = at + bare.n;
	}
	copy(&p, vy_str_from(src, done));
	struct vy_mdpatch_cut *cuts = vy_arena_calloc(a, p.n + 1, sizeof(*cuts));
	char *text = vy_arena_alloc(a, p.text.len + BEHIND);

	if (p.n) {
		memcpy(cuts, p.cuts, p.n * sizeof(*cuts));
	}
	if (p.text.len) {
		memcpy(text, p.text.data, p.text.len);
	}
	*out = (struct vy_mdpatch){ vy_str_n(text, p.text.len), cuts, p.n };
	vy_buf_fini(&p.text);
	free(p.cuts);
}

static int compare(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

static bool is_known(const struct vy_mdpatch_lines *lines, size_t n, size_t at)
{
	return n && bsearch(&at, lines->at, n, sizeof(*lines->at), compare);
}

static void add_line(struct vy_mdpatch_lines *lines, size_t at)
{
	lines->at = vy_grow(lines->at, &lines->cap, lines->n + 1, sizeof(*lines->at));
	lines->at[lines->n++] = at;
}

bool vy_mdpatch_find(struct vy_str src, const struct vy_md_doc *doc, struct vy_mdpatch_lines *lines)
{
	size_t before = lines->n;

	for (size_t i = 0; i < doc->n; i++) {
		const struct vy_md_block *b = &doc->blocks[i];
		size_t second = vy_mdline_next(src, b->src);

		if (b->kind != VY_MD_PARA || second >= b->src_end ||
			is_known(lines, before, second)) {
			continue;
		}
		struct vy_str line = vy_mdline_bare(vy_mdline_at(src, second));

		if (has_bar(vy_mdline_at(src, b->src)) && has_bar(line) &&
			vy_mdline_is_delimiter(line) && is_short(line)) {
			lines->at =
				vy_grow(lines->at, &lines->cap, lines->n + 1, sizeof(*lines->at));
			lines->at[lines->n++] = second;
		}
	}
	if (lines->n > before) {
		qsort(lines->at, lines->n, sizeof(*lines->at), compare);
	}
	return lines->n > before;
}

bool vy_mdpatch_drop(struct vy_str src, const struct vy_md_doc *doc, struct vy_mdpatch_lines *lines)
{
	struct vy_mdpatch_lines kept = { 0 };

	for (size_t i = 0; i < doc->n && lines->n > 0; i++) {
		size_t second = vy_mdline_next(src, doc->blocks[i].src);

		if (doc->blocks[i].kind == VY_MD_TABLE && is_known(lines, lines->n, second)) {
			add_line(&kept, second);
		}
	}
	bool some = kept.n < lines->n;

	vy_mdpatch_lines_fini(lines);
	*lines = kept;
	return some;
}

void vy_mdpatch_lines_fini(struct vy_mdpatch_lines *lines)
{
	free(lines->at);
	*lines = (struct vy_mdpatch_lines){ 0 };
}

size_t vy_mdpatch_back(const struct vy_mdpatch *p, size_t at)
{
	size_t lo = 0, hi = p->n;

	while (lo < hi) { /* the last cut that ends at or before `at` */
		size_t mid = (lo + hi) / 2;

		if (p->cuts[mid].at <= at) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	size_t back = lo ? at - p->cuts[lo - 1].added : at;
	size_t most = lo < p->n ? p->cuts[lo].at - p->cuts[lo].added : back;

	return back < most ? back : most; /* inside of what was put in: the place it was put */
}
