/* transcript_place.c -- where the reader is: what is at the top, now and after all that may come.
 *
 * The anchor is a row's key and a mark, which is a place in the row's words (block/draw.h). It is
 * set when the person moves, and only then: a window that is made narrow and wide again shows what
 * it showed. As a value it outlives the rows too: another session is shown, and then this one
 * again, whose rows come anew, the newest first. */
#include "tui/view/transcript.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/view/transcript_core.h"
#include "shared/base/ban.h"

/* ---- the anchor ---- */

static void set_anchor(struct transcript *t, const struct vy_fold *f, struct place p)
{
	const struct block_sheet *s = sheets_get(&t->sheets, f, p.row);
	int line = p.line - sheets_gap(f, p.row);

	transcript_set_key(&t->anchor.key, f, p.row);
	t->anchor.mark = line >= 0 && line < s->lines ? s->marks[line] : 0;
	t->anchor.nth = line < 0 ? line : line - block_line_of(s, t->anchor.mark, 0);
}

static struct place anchored(struct transcript *t, const struct vy_fold *f)
{
	struct place p = t->top;

	if (!t->anchor.key || !vy_fold_index(f, vy_str_c(t->anchor.key), &p.row)) {
		return p; /* taken back by a rewind: stay near */
	}
	int gap = sheets_gap(f, p.row);

	if (t->anchor.nth < 0) {
		p.line = gap + t->anchor.nth > 0 ? gap + t->anchor.nth : 0;
	} else {
		p.line = gap + block_line_of(sheets_get(&t->sheets, f, p.row), t->anchor.mark,
				       t->anchor.nth);
	}
	return p;
}

/* Its row came: from now on it is a place like any other, with what is new below it. */
static void settle(struct transcript *t, const struct vy_fold *f, size_t row)
{
	for (size_t i = vy_fold_len(f); i-- > row && vy_fold_row(f, i)->first > t->seen;) {
		t->fresh += transcript_is_fresh(t, vy_fold_row(f, i));
	}
	t->is_sought = false;
}

/* ---- the top ---- */

/* When the end of the last row is at the bottom. */
static struct place bottom_top(struct transcript *t, const struct vy_fold *f)
{
	return transcript_up(t, f, (struct place){ vy_fold_len(f), 0 }, t->rows);
}

struct place transcript_top_now(struct transcript *t, const struct vy_fold *f)
{
	struct place end = bottom_top(t, f), p;
	size_t row = 0;

	if (t->is_following) {
		return end;
	}
	if (t->is_sought && !vy_fold_index(f, vy_str_c(t->anchor.key), &row)) {
		t->is_at_end = true;
		return end;
	}
	p = anchored(t, f);
	t->is_at_end = !transcript_is_before(p, end);
	/* At the end for now only, while rows that were below it are still to come. */
	if (t->is_sought && (!t->is_at_end || vy_fold_state(f)->cur >= t->seen)) {
		settle(t, f, row);
	}
	return t->is_at_end ? end : p;
}

void transcript_go(struct transcript *t, const struct vy_fold *f, struct place top)
{
	if (!transcript_is_before(top, bottom_top(t, f))) {
		transcript_follow(t);
		return;
	}
	if (t->is_sought) { /* given up; the reader was shown the end instead */
		transcript_follow(t);
	}
	t->is_following = t->is_at_end = false;
	set_anchor(t, f, top);
}

void transcript_follow(struct transcript *t)
{
	t->is_following = true;
	t->is_at_end = t->is_sought = false;
	t->fresh = 0;
	t->seen = 0;
}

bool transcript_is_fresh(const struct transcript *t, const struct vy_row *row)
{
	return row->first > t->seen && block_shows(row);
}

/* ---- as a value ---- */

void transcript_place_get(
	const struct transcript *t, const struct vy_fold *f, struct transcript_place *out)
{
	*out = (struct transcript_place){ 0 };
	if (t->is_following || !t->anchor.key) {
		return;
	}
	*out = t->anchor;
	out->key = vy_strdup(t->anchor.key);
	out->fresh = t->fresh;
	out->seen = t->is_sought ? t->seen : vy_fold_state(f)->cur;
}

void transcript_place_set(struct transcript *t, const struct transcript_place *p)
{
	transcript_follow(t);
	if (!p->key) {
		return;
	}
	char *key = vy_strdup(p->key);

	transcript_place_fini(&t->anchor);
	t->anchor = *p;
	t->anchor.key = key;
	t->is_following = false;
	t->is_sought = true;
	t->fresh = p->fresh;
	t->seen = p->seen;
}

void transcript_place_fini(struct transcript_place *p)
{
	free(p->key);
	*p = (struct transcript_place){ 0 };
}
