/* transcript.c -- see transcript.h.
 *
 * A place is a row and a line of it. A row's height is what its sheet has, and the empty line that
 * parts it from the row above. Sheets are kept by key; one that no draw has used for a while goes.
 * Walking from a place only ever lays out the rows it passes. */
#include "tui/view/transcript.h"

#include <stdlib.h>
#include <uthash.h>

#include "shared/base/mem.h"
#include "tui/block/draw.h"
#include "shared/base/ban.h"

#define KEPT_SHEETS 256
#define WIDE_DIFF   140

struct entry {
	char *key;
	uint64_t rev;
	struct block_how how;
	struct block_sheet sheet;
	uint64_t used; /* the draw that last needed it */
	UT_hash_handle hh;
};

struct place {
	size_t row;
	int line;
};

struct transcript {
	struct cell_pool *pool;
	struct entry *entries;
	uint64_t draws;
	struct transcript_how how;
	int cols, rows; /* of the last draw */

	bool is_following, is_moving;
	char *anchor;           /* key of the row at the top when not following */
	struct place top, last; /* of the last draw: first line, last row in sight */
	size_t seen;            /* rows there were when following ended */
	char *selected;         /* key; NULL: none */
	struct open_row {
		char *key;
		UT_hash_handle hh;
	} * open; /* rows a person opened */
};

struct transcript *transcript_new(struct cell_pool *pool)
{
	struct transcript *t = VY_NEW(struct transcript);

	t->pool = pool;
	t->is_following = true;
	return t;
}

static void drop_entry(struct transcript *t, struct entry *e)
{
	HASH_DEL(t->entries, e);
	block_sheet_fini(&e->sheet);
	free(e->key);
	free(e);
}

void transcript_clear(struct transcript *t)
{
	struct entry *e, *tmp;

	HASH_ITER (hh, t->entries, e, tmp) {
		drop_entry(t, e);
	}
}

void transcript_free(struct transcript *t)
{
	struct open_row *o, *tmp;

	if (!t) {
		return;
	}
	transcript_clear(t);
	HASH_ITER (hh, t->open, o, tmp) {
		HASH_DEL(t->open, o);
		free(o->key);
		free(o);
	}
	free(t->anchor);
	free(t->selected);
	free(t);
}

void transcript_changed(struct transcript *t, const struct vy_fold *f, const struct vy_change *ch)
{
	(void)f;
	if (ch->rows && ch->removed && !ch->inserted && t->seen > vy_fold_len(f)) {
		t->seen = vy_fold_len(f); /* taken back by a rewind */
	}
}

/* ---- sheets ---- */

static bool is_open(const struct transcript *t, struct vy_str key)
{
	struct open_row *o = NULL;

	HASH_FIND(hh, t->open, key.p, key.n, o);
	return o != NULL;
}

static struct block_how how_of(
	const struct transcript *t, const struct vy_fold *f, const struct vy_row *row)
{
	struct block_how how = {
		.cols = t->cols,
		.depth = vy_fold_depth(f, row),
		.is_open = is_open(t, row->key),
		.with_details = t->how.with_details,
		.is_selected =
			t->how.is_browsing && t->selected && vy_str_is(row->key, t->selected),
		.is_ascii = t->how.is_ascii,
		.is_side_by_side = t->cols >= WIDE_DIFF,
	};

	if (block_moves(row)) {
		how.spin = t->how.spin;
		how.now_ms = t->how.now_ms;
	}
	return how;
}

static bool same_how(const struct block_how *a, const struct block_how *b)
{
	return a->cols == b->cols && a->depth == b->depth && a->is_open == b->is_open &&
	       a->with_details == b->with_details && a->is_selected == b->is_selected &&
	       a->is_ascii == b->is_ascii && a->is_side_by_side == b->is_side_by_side &&
	       a->spin == b->spin && a->now_ms == b->now_ms;
}

static struct block_sheet *sheet_of(struct transcript *t, const struct vy_fold *f, size_t i)
{
	const struct vy_row *row = vy_fold_row(f, i);
	struct block_how how = how_of(t, f, row);
	struct entry *e = NULL;

	HASH_FIND(hh, t->entries, row->key.p, row->key.n, e);
	if (!e) {
		e = VY_NEW(struct entry);
		e->key = vy_memdup0(row->key.p, row->key.n);
		block_sheet_init(&e->sheet, t->pool);
		HASH_ADD_KEYPTR(hh, t->entries, e->key, row->key.n, e);
	}
	if (e->rev != row->rev || !same_how(&e->how, &how)) {
		e->rev = row->rev;
		e->how = how;
		block_draw(row, &how, &e->sheet);
	}
	e->used = t->draws;
	return &e->sheet;
}

static void forget_old(struct transcript *t)
{
	struct entry *e, *tmp;

	if (HASH_COUNT(t->entries) <= KEPT_SHEETS) {
		return;
	}
	HASH_ITER (hh, t->entries, e, tmp) {
		if (e->used + 2 < t->draws) {
			drop_entry(t, e);
		}
	}
}

/* ---- heights and places ---- */

static bool is_dense(const struct vy_row *r)
{
	return r->kind == VY_ROW_TOOL || r->kind == VY_ROW_ASK || r->kind == VY_ROW_FILE ||
	       r->kind == VY_ROW_TASK;
}

/* Empty lines above a row: tools of one step stand close. */
static int gap_above(const struct vy_fold *f, size_t i)
{
	if (i == 0) {
		return 0;
	}
	return is_dense(vy_fold_row(f, i)) && is_dense(vy_fold_row(f, i - 1)) ? 0 : 1;
}

static int height_of(struct transcript *t, const struct vy_fold *f, size_t i)
{
	int lines = sheet_of(t, f, i)->lines;

	return lines ? lines + gap_above(f, i) : 0;
}

static bool is_before(struct place a, struct place b)
{
	return a.row < b.row || (a.row == b.row && a.line < b.line);
}

/* The place `lines` above; the very first place at most. */
static struct place up(struct transcript *t, const struct vy_fold *f, struct place p, int lines)
{
	while (lines > 0) {
		if (p.line >= lines) {
			p.line -= lines;
			return p;
		}
		lines -= p.line;
		if (p.row == 0) {
			p.line = 0;
			return p;
		}
		p.row--;
		p.line = height_of(t, f, p.row);
	}
	return p;
}

static struct place down(struct transcript *t, const struct vy_fold *f, struct place p, int lines)
{
	size_t n = vy_fold_len(f);

	while (lines > 0 && p.row < n) {
		int left = height_of(t, f, p.row) - p.line;

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

/* The top when the end of the last row is at the bottom. */
static struct place bottom_top(struct transcript *t, const struct vy_fold *f)
{
	return up(t, f, (struct place){ vy_fold_len(f), 0 }, t->rows);
}

static void set_key(char **at, const struct vy_fold *f, size_t row)
{
	free(*at);
	*at = NULL;
	if (row < vy_fold_len(f)) {
		struct vy_str key = vy_fold_row(f, row)->key;

		*at = vy_memdup0(key.p, key.n);
	}
}

/* Goes to a top; at or past the bottom is following. */
static void go(struct transcript *t, const struct vy_fold *f, struct place top)
{
	if (!is_before(top, bottom_top(t, f))) {
		transcript_follow(t);
		return;
	}
	if (t->is_following) {
		t->seen = vy_fold_len(f);
	}
	t->is_following = false;
	t->top = top;
	set_key(&t->anchor, f, top.row);
}

static struct place current_top(struct transcript *t, const struct vy_fold *f)
{
	struct place p = t->top;
	size_t row;

	if (t->is_following) {
		return bottom_top(t, f);
	}
	if (t->anchor && vy_fold_index(f, vy_str_c(t->anchor), &row)) {
		p.row = row;
	}
	if (p.row < vy_fold_len(f)) {
		int height = height_of(t, f, p.row);

		p.line = p.line < height ? p.line : height > 0 ? height - 1 : 0;
	}
	return p;
}

/* ---- drawing ---- */

static int draw_row(
	struct transcript *t, const struct vy_fold *f, struct cell_win w, size_t i, int from, int y)
{
	struct block_sheet *s = sheet_of(t, f, i);
	int gap = s->lines ? gap_above(f, i) : 0, skip = from > gap ? from - gap : 0;

	y += gap > from ? gap - from : 0;
	struct cell_rect r = { 0, skip, s->grid.cols, s->lines - skip };

	cell_blit(w, 0, y, &s->grid, r);
	if (block_moves(vy_fold_row(f, i))) {
		t->is_moving = true;
	}
	return y + s->lines - skip;
}

void transcript_draw(struct transcript *t, const struct vy_fold *f, struct cell_win w,
	const struct transcript_how *how)
{
	size_t n = vy_fold_len(f);
	int y = 0;

	t->draws++;
	t->how = *how;
	t->cols = w.w;
	t->rows = w.h;
	t->is_moving = false;
	if (w.h <= 0 || w.w <= 0) {
		return;
	}
	struct place top = current_top(t, f);

	if (!t->is_following && !is_before(top, bottom_top(t, f))) {
		transcript_follow(t); /* it shrank, or the window grew: there is nothing below */
		top = bottom_top(t, f);
	}
	t->top = top;
	t->last = top;
	for (size_t i = top.row; i < n && y < w.h; i++) {
		y = draw_row(t, f, w, i, i == top.row ? top.line : 0, y);
		t->last.row = i;
	}
	forget_old(t);
}

/* ---- moving ---- */

void transcript_scroll(struct transcript *t, const struct vy_fold *f, int lines)
{
	struct place top = current_top(t, f);

	go(t, f, lines < 0 ? up(t, f, top, -lines) : down(t, f, top, lines));
}

void transcript_page(struct transcript *t, const struct vy_fold *f, int pages)
{
	transcript_scroll(t, f, pages * (t->rows > 3 ? t->rows - 2 : 1));
}

void transcript_top(struct transcript *t, const struct vy_fold *f)
{
	go(t, f, (struct place){ 0, 0 });
}

void transcript_follow(struct transcript *t)
{
	t->is_following = true;
}

bool transcript_is_following(const struct transcript *t)
{
	return t->is_following;
}

size_t transcript_below(const struct transcript *t, const struct vy_fold *f)
{
	size_t n = vy_fold_len(f);

	return t->is_following || n < t->seen ? 0 : n - t->seen;
}

bool transcript_moves(const struct transcript *t)
{
	return t->is_moving;
}

/* ---- browse mode ---- */

static bool is_step(const struct vy_row *r, enum transcript_step step)
{
	switch (step) {
	case TRANSCRIPT_MINE: return r->kind == VY_ROW_MESSAGE && r->message.is_user;
	case TRANSCRIPT_MESSAGE: return r->kind == VY_ROW_MESSAGE;
	case TRANSCRIPT_ROW:
	default: return r->kind != VY_ROW_FILE && !r->withheld;
	}
}

static void show(struct transcript *t, const struct vy_fold *f, size_t row)
{
	struct place top = current_top(t, f), here = { row, 0 };
	struct place end = { row, height_of(t, f, row) };

	if (is_before(here, top)) {
		go(t, f, here);
	} else if (is_before(down(t, f, top, t->rows), end)) {
		struct place want = up(t, f, end, t->rows);

		go(t, f, is_before(here, want) ? here : want);
	}
}

void transcript_select(
	struct transcript *t, const struct vy_fold *f, enum transcript_step step, int direction)
{
	size_t n = vy_fold_len(f), row = t->last.row;
	bool is_new = !t->selected || !vy_fold_index(f, vy_str_c(t->selected), &row);

	if (n == 0) {
		return;
	}
	row = row < n ? row : n - 1;
	for (size_t i = row;; i = direction < 0 ? i - 1 : i + 1) {
		if ((is_new || i != row) && is_step(vy_fold_row(f, i), step)) {
			set_key(&t->selected, f, i);
			show(t, f, i);
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
}

bool transcript_toggle(struct transcript *t, const struct vy_fold *f)
{
	const struct vy_row *row = transcript_selected(t, f);
	struct open_row *o = NULL;

	if (!row || !block_opens(row)) {
		return false;
	}
	HASH_FIND(hh, t->open, row->key.p, row->key.n, o);
	if (o) {
		HASH_DEL(t->open, o);
		free(o->key);
		free(o);
	} else {
		o = VY_NEW(struct open_row);
		o->key = vy_memdup0(row->key.p, row->key.n);
		HASH_ADD_KEYPTR(hh, t->open, o->key, row->key.n, o);
	}
	return true;
}
