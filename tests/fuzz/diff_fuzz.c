/* diff_fuzz.c -- whatever the bytes: what is read is consistent and reads the same when printed; hunks
 * made from two texts turn one into the other; word ranges lie in order. The input is a unified
 * diff, and, cut at its first NUL, two texts. */
#include <stdint.h>

#include "shared/base/limits.h"
#include "shared/text/diff.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void hunks_are_sound(const struct vy_diff_file *f)
{
	size_t added = 0, removed = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct vy_diff_hunk *h = &f->hunks[i];
		size_t old_count = 0, new_count = 0;

		for (size_t k = 0; k < h->n; k++) {
			char kind = h->lines[k].kind;
			size_t partner = vy_diff_partner(h, k);

			vy_assert(kind == ' ' || kind == '-' || kind == '+');
			vy_assert(h->lines[k].text.n == 0 ||
				  !memchr(h->lines[k].text.p, '\n', h->lines[k].text.n));
			vy_assert(partner == SIZE_MAX || vy_diff_partner(h, partner) == k);
			old_count += kind != '+';
			new_count += kind != '-';
			added += kind == '+';
			removed += kind == '-';
		}
		vy_assert(h->old_count == old_count && h->new_count == new_count);
	}
	vy_assert(f->added == added && f->removed == removed);
}

static void read_it(struct vy_str s)
{
	struct vy_arena a;
	struct vy_diff d, again;

	vy_arena_init(&a);
	vy_diff_parse(s, &a, &d);
	for (size_t i = 0; i < d.n; i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(64 * VY_MIB);
		VY_AUTO_BUF second = VY_BUF_INIT(64 * VY_MIB);
		struct vy_diff_file f = d.files[i];

		hunks_are_sound(&f);
		f.old_path = f.new_path =
			vy_str_n(NULL, 0); /* names may need quotes to be read again */
		vy_assert(vy_diff_print(&f, &out));
		vy_diff_parse(vy_buf_str(&out), &a, &again);
		vy_assert(again.n == (f.n > 0));
		vy_assert(f.n == 0 || vy_diff_print(&again.files[0], &second));
		vy_assert(vy_str_eq(vy_buf_str(&out), vy_buf_str(&second)));
	}
	vy_arena_fini(&a);
}

/* Every line of the new text, in order: those between the hunks from the old one. */
static void make_it(struct vy_str from, struct vy_str to, size_t context)
{
	VY_AUTO_BUF out = VY_BUF_INIT(64 * VY_MIB);
	struct vy_arena a;
	struct vy_diff_file f;
	size_t at = 0, line = 1;

	vy_arena_init(&a);
	vy_diff_make(from, to, context, &a, &f);
	hunks_are_sound(&f);
	for (size_t i = 0; i < f.n; i++) {
		const struct vy_diff_hunk *h = &f.hunks[i];

		for (; line < h->old_start + (h->old_count == 0); line++) {
			const char *nl = memchr(from.p + at, '\n', from.n - at);

			vy_assert(nl != NULL);
			vy_buf_add(&out, from.p + at, (size_t)(nl - from.p) + 1 - at);
			at = (size_t)(nl - from.p) + 1;
		}
		for (size_t k = 0; k < h->n; k++) {
			size_t len = h->lines[k].text.n + !h->lines[k].no_newline;

			if (h->lines[k].kind != '+') {
				vy_assert(at + len <= from.n);
				vy_assert(vy_str_eq(vy_str_n(from.p + at, h->lines[k].text.n),
					h->lines[k].text));
				at += len;
				line++;
			}
			if (h->lines[k].kind != '-') {
				vy_buf_addstr(&out, h->lines[k].text);
				vy_buf_adds(&out, h->lines[k].no_newline ? "" : "\n");
			}
		}
	}
	vy_buf_addstr(&out, vy_str_from(from, at));
	vy_assert(vy_str_eq(vy_buf_str(&out), to));
	vy_arena_fini(&a);
}

static void ranges_are_sound(const struct vy_diff_range *r, size_t n, struct vy_str s)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		vy_assert(r[i].start >= at && r[i].end > r[i].start && r[i].end <= s.n);
		at = r[i].end + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_str s = vy_str_n((const char *)data, n), from = s;
	const char *nul = n ? memchr(s.p, '\0', n) : NULL;
	struct vy_arena a;
	struct vy_diff_words w;

	read_it(s);
	if (!nul) {
		return 0;
	}
	from.n = (size_t)(nul - s.p);
	struct vy_str to = vy_str_from(s, from.n + 1);

	make_it(from, to, n % 5);
	vy_arena_init(&a);
	if (vy_diff_words(from, to, &a, &w)) {
		ranges_are_sound(w.old_ranges, w.n_old, from);
		ranges_are_sound(w.new_ranges, w.n_new, to);
	}
	vy_arena_fini(&a);
	return 0;
}
