/* mdtail_fuzz.c -- whatever the bytes: borders do not depend on how the text came, the settled pieces
 * give what the whole gives (but for links defined elsewhere), and the tail can always be shown. */
#include <stdint.h>

#include "shared/base/limits.h"
#include "shared/text/mdline.h"
#include "shared/text/mdtail.h"
#include "tests/shared/text/mddump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Where the pieces may rightly differ from the whole: links defined elsewhere, and md4c 0.4.8, which
 * behind an open fence in a quote or item eats the backquotes that begin the next line outside, and
 * which judges an item with two blank lines in it otherwise when it begins the text, and for which
 * a fence does not end a table. */
static bool may_differ(struct vy_str s)
{
	bool blank = false, fence = false, table = false;
	char c;

	for (size_t at = 0; at < s.n; at = vy_mdline_next(s, at)) {
		struct vy_str line = vy_mdline_at(s, at), bare = vy_mdline_bare(line);
		size_t indent = vy_mdline_indent(line);

		for (size_t i = 0; i + 1 < line.n; i++) {
			if (line.p[i] == ']' && line.p[i + 1] == ':') {
				return true;
			}
		}
		if (bare.n && (bare.p[0] == '`' || bare.p[0] == '~') &&
			(indent || bare.p != line.p)) {
			return true;
		}
		if (blank && vy_mdline_is_blank(line)) {
			return true;
		}
		blank = vy_mdline_is_blank(line);
		fence |= vy_mdline_fence(bare, &c) > 0;
		table |= vy_mdline_is_delimiter(bare) && memchr(bare.p, '|', bare.n);
	}
	return fence && table;
}

static void pieces(struct vy_str s)
{
	struct vy_mdtail at_once = { 0 }, grown = { 0 };
	VY_AUTO_BUF whole = VY_BUF_INIT(64 * VY_MIB);
	VY_AUTO_BUF parts = VY_BUF_INIT(64 * VY_MIB);
	VY_AUTO_BUF shown = VY_BUF_INIT(64 * VY_MIB);
	size_t from = 0, step = s.n / 64 + 1;
	bool in_fence = false;

	for (size_t len = 0; len < s.n + step; len += step) {
		while (vy_mdtail_next(&grown, vy_str_n(s.p, len < s.n ? len : s.n))) {
			vy_assert(vy_mdtail_next(&at_once, s) && at_once.border == grown.border);
			vy_assert(grown.border > from);
			mddump(vy_str_n(s.p + from, grown.border - from), 0, &parts);
			from = grown.border;
			in_fence |= vy_mdtail_open(&grown, s).n > 0;
		}
	}
	vy_assert(!vy_mdtail_next(&at_once, s));
	mddump(vy_str_from(s, from), 0, &parts);
	mddump(s, 0, &whole);
	vy_assert(may_differ(s) || in_fence || vy_str_eq(vy_buf_str(&parts), vy_buf_str(&whole)));
	vy_mdtail_show(vy_str_from(s, from), &shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	pieces(vy_str_n((const char *)data, n));
	return 0;
}
