/* changed.c -- see changed.h. */
#include "tui/words/changed.h"

#include "tui/words/words.h"
#include "shared/base/ban.h"

void words_lines(int64_t added, int64_t removed, struct vy_buf *out)
{
	if (added) {
		vy_buf_addf(out, " +%lld", (long long)added);
	}
	if (removed) {
		vy_buf_addf(out, " −%lld", (long long)removed);
	}
}

void words_files(size_t n, struct vy_str one, int64_t added, int64_t removed, struct vy_buf *out)
{
	if (n == 0) {
		return;
	}
	if (n == 1 && one.n) {
		vy_buf_addstr(out, one);
	} else {
		vy_buf_addf(
			out, words_count("%lld file", "%lld files", (long long)n), (long long)n);
	}
	words_lines(added, removed, out);
}
