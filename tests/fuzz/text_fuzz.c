/* text_fuzz.c -- whatever the bytes: the UTF-8 door gives what it promises, clusters walk both ways,
 * rows tile the text. The first two bytes choose the width and the switches. */
#include <stdint.h>

#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "shared/text/wrap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void door(struct vy_str s, unsigned keep)
{
	VY_AUTO_BUF clean = VY_BUF_INIT(8 * VY_MIB);
	VY_AUTO_BUF shown = VY_BUF_INIT(16 * VY_MIB);
	VY_AUTO_BUF again = VY_BUF_INIT(16 * VY_MIB);

	vy_assert(vy_utf8_clean(s, &clean) && vy_utf8_is_valid(vy_buf_str(&clean)));
	vy_assert(vy_utf8_is_valid(s) == vy_str_eq(s, vy_buf_str(&clean)));
	vy_assert(vy_utf16_len(s) == vy_utf16_len(vy_buf_str(&clean)));
	vy_assert(vy_utf8_visible(s, keep, &shown) && vy_utf8_is_valid(vy_buf_str(&shown)));
	vy_assert(vy_utf8_is_visible(vy_buf_str(&shown), keep));
	vy_assert(vy_utf8_is_visible(s, keep) == vy_str_eq(s, vy_buf_str(&shown)));
	vy_assert(vy_utf8_visible(vy_buf_str(&clean), keep, &again));
	vy_assert(vy_str_eq(vy_buf_str(&shown), vy_buf_str(&again)));
	for (size_t i = 0; i < shown.len; i++) {
		unsigned char c = (unsigned char)shown.data[i];

		vy_assert(c >= 0x20 || c == '\n' || c == '\t');
		vy_assert(c != 0x7F);
	}
	size_t cut = vy_utf8_cut(s, s.n / 2), left = vy_utf8_unfinished(s);

	vy_assert(cut <= s.n / 2 && s.n / 2 - cut < 4 && left <= 3 && left <= s.n);
}

static void clusters(struct vy_str s, struct vy_width w)
{
	size_t cells = 0, pieces = 0;

	for (size_t at = 0, next; at < s.n; at = next) {
		next = vy_cluster_next(s, at);
		vy_assert(next > at && next <= s.n && next - at <= VY_CLUSTER_MAX);
		cells += vy_width_cluster(vy_str_n(s.p + at, next - at), w);
		if (at < 2000) { /* going back may cost the whole run of marks */
			vy_assert(vy_cluster_prev(s, next) == at && vy_cluster_is_border(s, at));
		}
		for (size_t p = at; p < next;) {
			unsigned more;

			p = vy_width_piece(s, p, w, &more);
			vy_assert(more >= 1 && more <= 2);
			pieces += more;
		}
	}
	vy_assert(cells == vy_width_cells(s, w) && (!w.sums || cells == pieces));
	for (size_t at = 0, next; at < s.n; at = next) {
		next = vy_word_next(s, at);
		vy_assert(next > at);
	}
}

static void rows(struct vy_str s, const struct vy_wrap *how)
{
	struct vy_wrap_row row = { 0 };
	size_t at = 0, count = 0;

	while (vy_wrap_next(how, s, &row)) {
		vy_assert(row.start == at && row.end >= row.start && row.next >= row.end);
		vy_assert(row.next > at || row.is_last);
		vy_assert(row.cells + row.indent <= (how->cells ? how->cells : 1));
		at = row.next;
		count++;
	}
	vy_assert(at == s.n && count > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n < 2) {
		return 0;
	}
	struct vy_str s = vy_str_n((const char *)data + 2, n - 2);
	struct vy_wrap how = { .cells = data[0],
		.first = data[1] >> 4,
		.rest = data[1] >> 5,
		.verbatim = data[1] & 1,
		.tab = data[1] & 6,
		.width = { .ambiguous_wide = data[1] & 8, .sums = data[1] & 16 } };

	door(s, data[1] & 7);
	clusters(s, how.width);
	rows(s, &how);
	return 0;
}
