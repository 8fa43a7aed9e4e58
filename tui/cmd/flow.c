/* flow.c -- see flow.h. */
#include "tui/cmd/flow.h"

#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "shared/base/ban.h"

void flow_init(struct flow *f, bool is_raw)
{
	vy_buf_init(&f->held, VY_FRAME_MAX);
	f->is_raw = is_raw;
}

void flow_fini(struct flow *f)
{
	vy_buf_fini(&f->held);
}

static bool joins(struct vy_str s, size_t at)
{
	uint32_t cp;

	vy_utf8_prev(s, at, &cp);
	return cp == 0x200C || cp == 0x200D || cp == '\r';
}

void flow_add(struct flow *f, struct vy_str text, struct vy_buf *out)
{
	struct vy_str all;
	size_t cut;

	if (f->is_raw) {
		vy_buf_addstr(out, text);
		return;
	}
	vy_buf_addstr(&f->held, text);
	all = vy_buf_str(&f->held);
	if (all.n && all.p[all.n - 1] == '\n') {
		cut = all.n;
	} else {
		cut = all.n ? vy_cluster_prev(all, all.n) : 0;
		while (cut > 0 && joins(all, cut)) {
			cut = vy_cluster_prev(all, cut);
		}
	}
	vy_utf8_visible(vy_str_n(all.p, cut), VY_UTF8_PROSE, out);
	vy_buf_consume(&f->held, cut);
}

void flow_end(struct flow *f, struct vy_buf *out)
{
	vy_utf8_visible(vy_buf_str(&f->held), VY_UTF8_PROSE, out);
	vy_buf_clear(&f->held);
}
