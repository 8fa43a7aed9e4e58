/* find.c -- see find.h. A row is decoded only when its raw bytes may hold the query. */
#include "tui/view/find.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/block/draw.h"
#include "tui/view/source.h"
#include "shared/base/ban.h"

/* ---- letters ---- */

/* The small letter, where both take the same bytes. */
static uint32_t small(uint32_t c)
{
	if (c < 0x80) {
		return c >= 'A' && c <= 'Z' ? c + 32 : c;
	}
	if ((c >= 0xC0 && c <= 0xDE && c != 0xD7) || (c >= 0x391 && c <= 0x3A9) ||
		(c >= 0x410 && c <= 0x42F)) {
		return c + 32;
	}
	if (c >= 0x400 && c <= 0x40F) {
		return c + 80;
	}
	if ((c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177) ||
		(c >= 0x460 && c <= 0x4FF)) {
		return c | 1;
	}
	if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E)) {
		return c & 1 ? c + 1 : c;
	}
	return c;
}

static bool has_capital(struct vy_str s)
{
	uint32_t cp;

	for (size_t at = 0; at < s.n; at += vy_utf8_get(s, at, &cp)) {
		vy_utf8_get(s, at, &cp);
		if (small(cp) != cp) {
			return true;
		}
	}
	return false;
}

/* Bytes of the text at `at` that the query (of small letters) matches; 0: none. */
static size_t matches(struct vy_str q, struct vy_str text, size_t at)
{
	size_t k = 0, from = at;

	while (k < q.n) {
		uint32_t a, b;

		if (at >= text.n) {
			return 0;
		}
		k += vy_utf8_get(q, k, &a);
		at += vy_utf8_get(text, at, &b);
		if (a != b && a != small(b)) {
			return 0;
		}
	}
	return at - from;
}

size_t find_in(const struct find *f, struct vy_str text, size_t from, size_t *n)
{
	struct vy_str q = vy_buf_str(&f->query);

	*n = q.n;
	if (q.n == 0 || from >= text.n || q.n > text.n - from) {
		return FIND_NONE;
	}
	if (f->is_exact) {
		const char *p = memmem(text.p + from, text.n - from, q.p, q.n);

		return p ? (size_t)(p - text.p) : FIND_NONE;
	}
	unsigned char first = (unsigned char)q.p[0];
	unsigned char other = first >= 'a' && first <= 'z' ? first - 32 : first;

	for (size_t at = from; at < text.n; at++) {
		unsigned char c = (unsigned char)text.p[at];

		if (c == first || c == other || (first >= 0x80 && c >= 0xC0)) {
			*n = matches(q, text, at);
			if (*n) {
				return at;
			}
		}
	}
	return FIND_NONE;
}

/* ---- one row ---- */

static size_t count_in(const struct find *f, struct vy_str text)
{
	size_t total = 0, n;

	for (size_t at = 0; (at = find_in(f, text, at, &n)) != FIND_NONE; at += n) {
		total++;
	}
	return total;
}

/* Signs that JSON may write in another way. */
static bool is_escaped(struct vy_str q)
{
	for (size_t i = 0; i < q.n; i++) {
		unsigned char c = (unsigned char)q.p[i];

		if (c < ' ' || c == '"' || c == '\\' || c == '/' || c >= 0x7F) {
			return true;
		}
	}
	return false;
}

static bool may_hold(void *ctx, struct vy_str words, bool is_json)
{
	const struct find *f = ctx;
	size_t n;

	return words.n && ((is_json && is_escaped(vy_buf_str(&f->query))) ||
				  find_in(f, words, 0, &n) != FIND_NONE);
}

static size_t count_row(struct find *f, const struct vy_row *r)
{
	if (!block_shows(r) || r->expired) {
		return 0;
	}
	if (r->kind == VY_ROW_THINKING) {
		return count_in(f, r->thinking.text);
	}
	if (r->kind == VY_ROW_MESSAGE && r->message.blocks.n == 0) {
		return count_in(f, r->message.text);
	}
	if (!source_each(r, may_hold, f)) {
		return 0;
	}
	struct vy_buf words = VY_BUF_INIT(SOURCE_MAX);

	source_row(r, &words);
	size_t n = count_in(f, vy_buf_str(&words));

	vy_buf_fini(&words);
	return n;
}

/* ---- all rows ---- */

void find_init(struct find *f)
{
	*f = (struct find){ .query = VY_BUF_INIT(FIND_QUERY_MAX) };
}

void find_fini(struct find *f)
{
	vy_buf_fini(&f->query);
	free(f->hits);
	find_init(f);
}

static void put(struct find *f, size_t at, struct find_hit hit)
{
	f->hits = vy_grow(f->hits, &f->cap, f->n + 1, sizeof(hit));
	memmove(&f->hits[at + 1], &f->hits[at], (f->n - at) * sizeof(hit));
	f->hits[at] = hit;
	f->n++;
	f->total += hit.n;
}

static void cut(struct find *f, size_t from, size_t to)
{
	if (from == to) {
		return;
	}
	for (size_t i = from; i < to; i++) {
		f->total -= f->hits[i].n;
	}
	memmove(&f->hits[from], &f->hits[to], (f->n - to) * sizeof(*f->hits));
	f->n -= to - from;
}

void find_again(struct find *f, const struct vy_fold *fold)
{
	f->n = f->total = 0;
	for (size_t i = 0; f->query.len && i < vy_fold_len(fold); i++) {
		size_t n = count_row(f, vy_fold_row(fold, i));

		if (n) {
			put(f, f->n, (struct find_hit){ i, n });
		}
	}
}

/* What held the shorter query may hold the longer one. */
static void narrow(struct find *f, const struct vy_fold *fold)
{
	size_t kept = 0;

	f->total = 0;
	for (size_t i = 0; i < f->n; i++) {
		size_t n = count_row(f, vy_fold_row(fold, f->hits[i].row));

		if (n) {
			f->hits[kept++] = (struct find_hit){ f->hits[i].row, n };
			f->total += n;
		}
	}
	f->n = kept;
}

void find_for(struct find *f, struct vy_str query)
{
	query.n = vy_utf8_cut(query, FIND_QUERY_MAX - 1);
	vy_buf_clear(&f->query);
	vy_buf_addstr(&f->query, query);
	f->is_exact = has_capital(query);
	f->n = f->total = 0;
}

void find_set(struct find *f, const struct vy_fold *fold, struct vy_str query)
{
	query.n = vy_utf8_cut(query, FIND_QUERY_MAX - 1);
	bool is_longer = f->query.len && query.n >= f->query.len &&
			 memcmp(query.p, f->query.data, f->query.len) == 0;

	vy_buf_clear(&f->query);
	vy_buf_addstr(&f->query, query);
	f->is_exact = has_capital(query);
	if (is_longer) {
		narrow(f, fold);
	} else {
		find_again(f, fold);
	}
}

size_t find_hit_from(const struct find *f, size_t row)
{
	size_t lo = 0, hi = f->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (f->hits[mid].row < row) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo;
}

size_t find_before(const struct find *f, size_t i)
{
	size_t n = 0;

	for (size_t k = 0; k < i && k < f->n; k++) {
		n += f->hits[k].n;
	}
	return n;
}

static void look_at(struct find *f, const struct vy_fold *fold, size_t row)
{
	size_t at = find_hit_from(f, row), n = count_row(f, vy_fold_row(fold, row));

	if (at < f->n && f->hits[at].row == row) {
		cut(f, at, at + 1);
	}
	if (n) {
		put(f, at, (struct find_hit){ row, n });
	}
}

void find_changed(struct find *f, const struct vy_fold *fold, const struct vy_change *ch)
{
	if (f->query.len == 0 || (!ch->rows && !ch->rest)) {
		return;
	}
	if (ch->rest) {
		find_again(f, fold);
		return;
	}
	size_t from = find_hit_from(f, ch->row), to = find_hit_from(f, ch->row + ch->removed);

	cut(f, from, to);
	for (size_t i = from; i < f->n; i++) {
		f->hits[i].row = f->hits[i].row + ch->inserted - ch->removed;
	}
	size_t end = ch->row + (ch->inserted ? ch->inserted : 1);

	for (size_t i = ch->row; i < end && i < vy_fold_len(fold); i++) {
		look_at(f, fold, i);
	}
}
