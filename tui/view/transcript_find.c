/* transcript_find.c -- searching the whole session: from match to match (transcript_text.h). */
#include "tui/view/transcript_text.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/view/transcript_core.h"
#include "shared/base/ban.h"

#define LINE_MAX_ (16 * 1024 * 1024)

struct vy_str transcript_query(const struct transcript *t)
{
	return vy_buf_str(&t->find.query);
}

/* The match of a row's words that is next to `at` in a direction, `at` itself not; with `any` the
 * first, or the last. */
static bool match_in(struct transcript *t, const struct block_sheet *s, bool any,
	struct select_point at, int direction, struct select_point *out)
{
	struct vy_buf line = VY_BUF_INIT(LINE_MAX_);
	size_t lines = s->lines ? select_last(s).line + 1 : 0, n;
	bool found = false;

	for (size_t i = direction > 0 && !any ? at.line : 0; i < lines; i++) {
		vy_buf_clear(&line);
		select_add_line(s, i, &line);
		struct vy_str text = vy_buf_str(&line);

		for (size_t p = 0; (p = find_in(&t->find, text, p, &n)) != FIND_NONE; p += n) {
			struct select_point here = { i, p };

			if (direction > 0 ? any || select_before(at, here)
					  : any || select_before(here, at)) {
				*out = here;
				found = true;
				if (direction > 0) {
					goto out;
				}
			}
		}
		if (!any && direction < 0 && i >= at.line) {
			break;
		}
	}
out:
	vy_buf_fini(&line);
	return found;
}

static void go_to_match(
	struct transcript *t, const struct vy_fold *f, size_t row, bool has, struct select_point at)
{
	int y = 0, x;

	transcript_select_row(t, f, row);
	t->has_found = has;
	t->found = at;
	if (has) {
		if (t->span == TRANSCRIPT_CHARS) {
			t->cur = at;
		}
		select_place(transcript_sheet(t, f, row), at, &y, &x);
		transcript_show_column(
			t, f, row, y, x, cell_width(t->pool, vy_buf_str(&t->find.query)));
	}
	transcript_show_line(t, f, row, y);
}

/* A row that holds matches: to its first or last one, opened if it is folded away. */
static void go_to_row(struct transcript *t, const struct vy_fold *f, size_t row, int direction)
{
	struct select_point at = { 0, 0 };
	bool has = match_in(t, transcript_sheet(t, f, row), true, at, direction, &at);

	if (!has && block_opens(vy_fold_row(f, row))) {
		sheets_flip(&t->sheets, vy_fold_row(f, row)->key);
		has = match_in(t, transcript_sheet(t, f, row), true, at, direction, &at);
		if (!has) {
			sheets_flip(&t->sheets, vy_fold_row(f, row)->key);
		}
	}
	go_to_match(t, f, row, has, at);
}

bool transcript_find_step(struct transcript *t, const struct vy_fold *f, int direction)
{
	size_t row = t->last, hit;
	struct select_point at;

	if (t->find.n == 0) {
		return false;
	}
	transcript_index(f, t->selected, &row);
	if (t->has_found && row < vy_fold_len(f) &&
		match_in(t, transcript_sheet(t, f, row), false, t->found, direction, &at)) {
		go_to_match(t, f, row, true, at);
		return true;
	}
	hit = find_hit_from(&t->find, direction > 0 ? row + 1 : row);
	if (direction < 0) {
		hit = hit ? hit - 1 : t->find.n - 1;
	} else if (hit == t->find.n) {
		hit = 0;
	}
	go_to_row(t, f, t->find.hits[hit].row, direction);
	return true;
}

void transcript_find_begin(struct transcript *t, const struct vy_fold *f)
{
	transcript_go(t, f, transcript_top_now(t, f)); /* sets the anchor, if it does not follow */
	transcript_place_fini(&t->before);
	transcript_place_get(t, f, &t->before);
}

void transcript_find_cancel(struct transcript *t, const struct vy_fold *f)
{
	find_set(&t->find, f, vy_str_n(NULL, 0));
	t->has_found = false;
	transcript_place_set(t, &t->before);
}

void transcript_find(struct transcript *t, const struct vy_fold *f, struct vy_str query)
{
	find_set(&t->find, f, query);
	t->has_found = false;
	if (t->find.n == 0) {
		return;
	}
	size_t hit = find_hit_from(&t->find, t->top.row);

	go_to_row(t, f, t->find.hits[hit < t->find.n ? hit : hit - 1].row, 1);
}

/* Which match of its row is at hand, from 1. */
static size_t nth_found(struct transcript *t, const struct vy_fold *f, size_t row)
{
	struct select_point at = { 0, 0 }, next;
	const struct block_sheet *s = transcript_sheet(t, f, row);
	size_t nth = 1;
	bool any = true;

	while (match_in(t, s, any, at, 1, &next) && select_before(next, t->found)) {
		at = next;
		any = false;
		nth++;
	}
	return nth;
}

size_t transcript_found(struct transcript *t, const struct vy_fold *f, size_t *at)
{
	size_t row, hit;

	*at = 0;
	if (t->find.n && transcript_index(f, t->selected, &row)) {
		hit = find_hit_from(&t->find, row);
		if (hit < t->find.n && t->find.hits[hit].row == row) {
			size_t nth = t->has_found ? nth_found(t, f, row) : 1;

			*at = find_before(&t->find, hit) +
			      (nth < t->find.hits[hit].n ? nth : t->find.hits[hit].n);
		}
	}
	return t->find.total;
}
