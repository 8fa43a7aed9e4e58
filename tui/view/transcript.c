/* transcript.c -- see transcript.h.
 *
 * A place is a row and a line of it. Walking from a place only ever lays out the rows it passes
 * (sheets.h).
 *
 * A place holds for one layout; what stays is the anchor (transcript_place.c). */
#include "tui/view/transcript.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/block/mark.h"
#include "tui/ink/cell_rows.h"
#include "tui/view/transcript_core.h"
#include "tui/view/turn.h"
#include "shared/base/ban.h"

#define OLDER_ROWS 50 /* from the first one on */
#define WIDE_DIFF  140

/* ---- life ---- */

struct transcript *transcript_new(struct cell_pool *pool)
{
	struct transcript *t = VY_NEW(struct transcript);

	t->pool = pool;
	sheets_init(&t->sheets, pool);
	find_init(&t->find);
	t->is_following = true;
	return t;
}

void transcript_redraw(struct transcript *t, const struct vy_fold *f)
{
	sheets_drop(&t->sheets);
	find_again(&t->find, f);
}

void transcript_clear(struct transcript *t, const char *session)
{
	sheets_switch(&t->sheets, session);
	slides_fini(&t->slides);
	transcript_place_fini(&t->before);
	transcript_place_fini(&t->anchor);
	t->top = (struct place){ 0 };
	find_fini(&t->find);
	transcript_unselect(t);
	transcript_follow(t);
}

void transcript_free(struct transcript *t)
{
	if (!t) {
		return;
	}
	transcript_clear(t, NULL);
	sheets_fini(&t->sheets);
	free(t);
}

/* ---- what came ---- */

void transcript_changed(struct transcript *t, const struct vy_fold *f, const struct vy_change *ch)
{
	sheets_changed(&t->sheets, f, ch);
	find_changed(&t->find, f, ch);
	if (!ch->rows) {
		return;
	}
	if (!t->is_following && t->is_at_end && !t->is_sought) {
		transcript_follow(t);
	}
	if (t->is_following || t->is_sought) {
		return;
	}
	t->fresh -= ch->removed < t->fresh ? ch->removed : t->fresh;
	for (size_t i = 0; i < ch->inserted; i++) {
		t->fresh += transcript_is_fresh(t, vy_fold_row(f, ch->row + i));
	}
}

/* ---- places ---- */

bool transcript_is_before(struct place a, struct place b)
{
	return a.row < b.row || (a.row == b.row && a.line < b.line);
}

/* The place `lines` above; the very first place at most. */
struct place transcript_up(struct transcript *t, const struct vy_fold *f, struct place p, int lines)
{
	while (p.line < lines && p.row > 0) {
		lines -= p.line;
		p.row--;
		p.line = sheets_height(&t->sheets, f, p.row);
	}
	p.line = p.line > lines ? p.line - lines : 0;
	return p;
}

struct place transcript_down(
	struct transcript *t, const struct vy_fold *f, struct place p, int lines)
{
	size_t n = vy_fold_len(f);

	while (lines > 0 && p.row < n) {
		int left = sheets_height(&t->sheets, f, p.row) - p.line;

		if (left > lines) {
			p.line += lines;
			return p;
		}
		lines -= left;
		p.row++;
		p.line = 0;
	}
	return p;
}

/* Lines from a to b, which is not before it; -1 when they are `most` or more. */
static int lines_between(
	struct transcript *t, const struct vy_fold *f, struct place a, struct place b, int most)
{
	int lines = -a.line;

	for (; a.row < b.row && lines < most; a.row++) {
		lines += sheets_height(&t->sheets, f, a.row);
	}
	lines += b.line;
	return a.row == b.row && lines < most ? lines : -1;
}

void transcript_set_key(char **at, const struct vy_fold *f, size_t row)
{
	free(*at);
	*at = NULL;
	if (row < vy_fold_len(f)) {
		struct vy_str key = vy_fold_row(f, row)->key;

		*at = vy_memdup0(key.p, key.n);
	}
}

/* ---- drawing ---- */

/* A bar in the margin all along, and the ground of its first line: its own colours stay. */
static void mark_selected(struct transcript *t, struct cell_win w, struct cell_rect r, bool is_head)
{
	bool is_plain = t->sheets.how.is_ascii || cell_pool_width(t->pool).ambiguous_wide;

	if (is_head) {
		cell_tint(w, (struct cell_rect){ 0, r.y, r.w, 1 },
			(struct cell_style){ .bg = CELL_ROLE(THEME_SELECT) });
	}
	for (int y = r.y; y < r.y + r.h; y++) {
		cell_puts(w, 0, y, mark_look(MARK_CHOSEN, is_plain), theme_ink(THEME_ACCENT));
	}
}

static bool is_selected(const struct transcript *t, const struct vy_row *row)
{
	return t->selected && vy_str_is(row->key, t->selected);
}

/* Lines [from, end) of the sheet are in sight. */
static void see_pictures(const struct transcript *t, const struct block_sheet *s, int from, int end)
{
	for (size_t i = 0; i < s->n_pictures && t->sheets.how.album; i++) {
		const struct block_picture *p = &s->pictures[i];

		if (p->line < end && p->line + (p->size.rows > 0 ? p->size.rows : 1) > from) {
			album_see(t->sheets.how.album, p->id, p->size);
		}
	}
}

/* Lines [from, from + n) of a row at y, as far as they do not stand there already. */
static void draw_lines(struct transcript *t, const struct vy_fold *f, struct cell_win w, size_t i,
	int from, int y, int n)
{
	struct block_sheet *s = sheets_get(&t->sheets, f, i);
	bool turns = n > 0 && !t->is_straight && turn_any(s);

	for (int k = 0; k < n; k++) {
		struct cell_rect line = { 0, from + k, s->grid.cols, 1 };
		uint64_t number = s->numbers[from + k];

		if (transcript_is_slid(t, f, i, s, from + k, false)) {
			cell_blit(w, 0, y + k, &s->grid, line);
			transcript_put_slid(t, f, w, y + k, i, from + k, false);
		} else if (turns && turn_is(s, from + k)) { /* its look is the paragraph's, too */
			cell_blit(w, 0, y + k, &s->grid, line);
			turn_line(w, y + k, s, from + k);
		} else if (!cell_row_keep(w, y + k, number)) {
			cell_blit(w, 0, y + k, &s->grid, line);
			cell_row_is(w, y + k, number);
		}
	}
}

/* The same, and what browsing lays over them. */
static void draw_browsed(struct transcript *t, const struct vy_fold *f, struct cell_win w, size_t i,
	int from, int y, int n)
{
	struct block_sheet *s = sheets_get(&t->sheets, f, i);

	cell_blit(w, 0, y, &s->grid, (struct cell_rect){ 0, from, s->grid.cols, n });
	if (is_selected(t, vy_fold_row(f, i))) {
		mark_selected(t, w, (struct cell_rect){ 0, y, w.w, n },
			from == 0 && t->span != TRANSCRIPT_CHARS);
	}
	for (int k = 0, plain = 0; k <= n; k++) {
		bool is_slid = k < n && transcript_is_slid(t, f, i, s, from + k, true);

		if (k == n || is_slid) { /* those before it */
			transcript_overlay(t, f, w, i,
				(struct cell_rect){ 0, y + plain, w.w, k - plain }, from + plain);
			plain = k + 1;
		}
		if (is_slid) {
			transcript_put_slid(t, f, w, y + k, i, from + k, true);
		}
	}
	for (int k = 0; k < n && !t->is_straight; k++) {
		if (!transcript_is_slid(t, f, i, s, from + k, true)) {
			turn_line(w, y + k, s, from + k);
		}
	}
}

/* The row's lines from the `from`-th on at y; returns the y behind. */
static int draw_row(struct transcript *t, const struct vy_fold *f, struct cell_win w, size_t i,
	int from, int y, bool is_browsing)
{
	struct block_sheet *s = sheets_get(&t->sheets, f, i);
	int gap = s->lines ? sheets_gap(f, i) : 0, skip = from > gap ? from - gap : 0;
	int n = s->lines - skip;

	y += gap > from ? gap - from : 0;
	n = n <= w.h - y ? n : w.h > y ? w.h - y : 0;
	see_pictures(t, s, skip, skip + n);
	if (is_browsing) {
		draw_browsed(t, f, w, i, skip, y, n);
	} else {
		draw_lines(t, f, w, i, skip, y, n);
	}
	t->is_moving |= block_moves(vy_fold_row(f, i));
	return y + n;
}

void transcript_draw(struct transcript *t, const struct vy_fold *f, struct cell_win w,
	const struct transcript_how *how)
{
	struct block_how look = { .cols = w.w,
		.with_details = how->with_details,
		.is_ascii = how->is_ascii,
		.is_side_by_side = w.w >= WIDE_DIFF,
		.is_unwrapped = how->is_unwrapped,
		.spin = how->spin,
		.now_ms = how->now_ms,
		.album = how->album,
		.pictures = how->album ? album_rev(how->album) : 0 };
	size_t n = vy_fold_len(f);
	int y = 0;

	t->rows = w.h;
	if (t->is_straight != how->is_straight) {
		sheets_drop(&t->sheets); /* no line looks as it did */
	}
	t->is_straight = how->is_straight;
	t->is_moving = false;
	if (w.h <= 0 || w.w <= 0) {
		return;
	}
	sheets_begin(&t->sheets, &look);
	t->top = transcript_top_now(t, f);
	t->last = t->top.row;
	for (size_t i = t->top.row; i < n && y < w.h; i++) {
		y = draw_row(t, f, w, i, i == t->top.row ? t->top.line : 0, y, how->is_browsing);
		t->last = i;
	}
}

/* ---- moving ---- */

void transcript_scroll(struct transcript *t, const struct vy_fold *f, int lines)
{
	struct place top = transcript_top_now(t, f);

	transcript_go(t, f,
		lines < 0 ? transcript_up(t, f, top, -lines) : transcript_down(t, f, top, lines));
}

void transcript_page(struct transcript *t, const struct vy_fold *f, int pages)
{
	transcript_scroll(t, f, pages * (t->rows > 3 ? t->rows - 2 : 1));
}

void transcript_top(struct transcript *t, const struct vy_fold *f)
{
	transcript_go(t, f, (struct place){ 0, 0 });
}

bool transcript_is_following(const struct transcript *t)
{
	return t->is_following || t->is_at_end;
}

size_t transcript_below(const struct transcript *t)
{
	return transcript_is_following(t) ? 0 : t->fresh;
}

bool transcript_wants_older(const struct transcript *t)
{
	return t->top.row < OLDER_ROWS || t->find.query.len > 0 || t->is_sought;
}

bool transcript_moves(const struct transcript *t)
{
	return t->is_moving;
}

size_t transcript_layouts(const struct transcript *t)
{
	return t->sheets.layouts;
}

/* ---- browse mode ---- */

static bool is_step(const struct vy_row *r, enum transcript_step step)
{
	switch (step) {
	case TRANSCRIPT_MINE: return r->kind == VY_ROW_MESSAGE && r->message.is_user;
	case TRANSCRIPT_MESSAGE: return r->kind == VY_ROW_MESSAGE;
	case TRANSCRIPT_ROW:
	default: return block_shows(r);
	}
}

/* Scrolls as little as brings the row into sight: its beginning, if it is too tall. */
void transcript_show(struct transcript *t, const struct vy_fold *f, size_t row)
{
	struct place top = transcript_top_now(t, f), here = { row, 0 };
	struct place end = { row, sheets_height(&t->sheets, f, row) };

	if (transcript_is_before(here, top)) {
		transcript_go(t, f, here);
	} else if (transcript_is_before(transcript_down(t, f, top, t->rows), end)) {
		struct place want = transcript_up(t, f, end, t->rows);

		transcript_go(t, f, transcript_is_before(here, want) ? here : want);
	}
}

void transcript_select(
	struct transcript *t, const struct vy_fold *f, enum transcript_step step, int direction)
{
	size_t n = vy_fold_len(f), row = t->last;
	bool is_new = !t->selected || !vy_fold_index(f, vy_str_c(t->selected), &row);

	if (n == 0) {
		return;
	}
	row = row < n ? row : n - 1;
	for (size_t i = row;; i = direction < 0 ? i - 1 : i + 1) {
		if ((is_new || i != row) && is_step(vy_fold_row(f, i), step)) {
			t->has_found = false;
			transcript_set_key(&t->selected, f, i);
			transcript_show(t, f, i);
			return;
		}
		if (direction < 0 ? i == 0 : i + 1 == n) {
			return;
		}
	}
}

const struct vy_row *transcript_selected(const struct transcript *t, const struct vy_fold *f)
{
	return t->selected ? vy_fold_find(f, vy_str_c(t->selected)) : NULL;
}

void transcript_unselect(struct transcript *t)
{
	free(t->selected);
	t->selected = NULL;
	t->has_found = false;
	transcript_unmark(t);
}

bool transcript_toggle(struct transcript *t, const struct vy_fold *f)
{
	const struct vy_row *row = transcript_selected(t, f);
	struct place top, head = { 0, 0 };

	if (!row || !block_opens(row) || !vy_fold_index(f, row->key, &head.row)) {
		return false;
	}
	top = transcript_top_now(t, f);
	int y = transcript_is_before(head, top) ? -1 : lines_between(t, f, top, head, t->rows);

	sheets_flip(&t->sheets, row->key);
	transcript_go(t, f, y < 0 ? head : transcript_up(t, f, head, y));
	return true;
}
