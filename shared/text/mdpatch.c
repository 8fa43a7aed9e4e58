/* mdpatch.c -- see mdpatch.h. */
#include "shared/text/mdpatch.h"

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

/* Copies, with U+FFFD for bad bytes. */
static void copy(struct patch *p, struct vy_str s)
{
	for (size_t at = 0; at < s.n;) {
		uint32_t cp;
		size_t good = vy_utf8_valid(s, at);

		vy_buf_add(&p->text, s.p + at, good - at);
		at = good;
		if (at < s.n) {
			size_t bad = vy_utf8_get(s, at, &cp);

			vy_buf_add(&p->text, "\xEF\xBF\xBD", 3);
			if (bad < 3) {
				add_cut(p, 3 - bad);
			}
			at += bad;
		}
	}
}

static bool has_bar(struct vy_str line)
{
	return line.n && memchr(line.p, '|', line.n) != NULL;
}

void vy_mdpatch_make(struct vy_str src, struct vy_arena *a, struct vy_mdpatch *out)
{
	struct patch p = { .text = VY_BUF_INIT(src.n * 3) };
	struct vy_str above = { NULL, 0 };
	size_t done = 0;
	unsigned fence_len = 0;
	char fence = 0;

	for (size_t at = 0; at < src.n; at = vy_mdline_next(src, at)) {
		struct vy_str line = vy_mdline_at(src, at), bare = vy_mdline_bare(line);

		if (fence_len) {
			fence_len = vy_mdline_closes(bare, fence, fence_len) ? 0 : fence_len;
		} else if ((fence_len = vy_mdline_fence(bare, &fence)) == 0 && has_bar(line) &&
			   has_bar(above) && vy_mdline_is_delimiter(bare) && is_short(bare)) {
			copy(&p, vy_str_n(src.p + done, (size_t)(bare.p - src.p) - done));
			lengthen(&p, bare);
			done = (size_t)(bare.p - src.p) + bare.n;
		}
		above = line;
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
