/* slide.c -- see slide.h. */
#include "tui/block/slide.h"

#include "shared/base/mem.h"
#include "tui/block/mark.h"
#include "shared/base/ban.h"

/* ---- paper beside the sheet ---- */

/* The first long line at `line` or behind it. */
static size_t long_from(const struct block_sheet *s, int line)
{
	size_t lo = 0, hi = s->n_longs;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->longs[mid].line < line) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo;
}

static const struct block_long *long_of(const struct block_sheet *s, int line, int x)
{
	for (size_t i = long_from(s, line); i < s->n_longs && s->longs[i].line == line; i++) {
		if (s->longs[i].x == x) {
			return &s->longs[i];
		}
	}
	return NULL;
}

const struct cell_grid *slide_whole(const struct block_sheet *s, int line, int *row)
{
	const struct block_long *l = s->n_longs ? long_of(s, line, s->words[line].from) : NULL;

	*row = l ? 0 : line;
	return l ? &l->grid : &s->grid;
}

void slide_cut(struct block_sheet *s, int lines)
{
	while (s->n_longs && s->longs[s->n_longs - 1].line >= lines) {
		cell_grid_fini(&s->longs[--s->n_longs].grid);
	}
	while (s->n_slides && s->slides[s->n_slides - 1].first >= lines) {
		s->n_slides--;
	}
	if (s->n_slides && s->slides[s->n_slides - 1].end > lines) {
		s->slides[s->n_slides - 1].end = lines;
	}
}

/* ---- drawing ---- */

static struct block_slide *open_slide(const struct block_sheet *s)
{
	struct block_slide *last = s->n_slides ? &s->slides[s->n_slides - 1] : NULL;

	return last && last->end < 0 ? last : NULL;
}

void slide_begin(
	struct block_sheet *s, struct slide_zone one, struct slide_zone other, bool goes_on)
{
	struct block_slide *last = s->n_slides ? &s->slides[s->n_slides - 1] : NULL;

	if (!s->is_unwrapped) {
		return;
	}
	if (!goes_on || !last || last->end != s->lines) {
		if (s->n_slides == s->cap_slides) {
			s->slides = vy_grow(
				s->slides, &s->cap_slides, s->n_slides + 1, sizeof(*s->slides));
		}
		vy_assert(s->slides);
		last = &s->slides[s->n_slides++];
		*last = (struct block_slide){ .first = s->lines, .zones = { one, other } };
	}
	last->end = -1;
	last->from = s->lines;
}

void slide_end(struct block_sheet *s)
{
	struct block_slide *open = open_slide(s);

	if (!open) {
		return;
	}
	open->end = s->lines;
	for (size_t i = long_from(s, open->from); i < s->n_longs; i++) {
		slide_put(cell_win_all(&s->grid), s->longs[i].line, s, s->longs[i].line, 0, NULL);
	}
}

void slide_move(struct block_sheet *s, int x)
{
	struct block_slide *open = open_slide(s);

	if (open) {
		open->zones[0] = (struct slide_zone){ x, s->grid.cols - x };
	}
}

unsigned slide_cells(const struct block_sheet *s, int room)
{
	return open_slide(s) ? SLIDE_LINE_MAX : room > 1 ? (unsigned)room : 1;
}

/* What is left of the code, and therefore below it. */
static struct cell_style ground_at(const struct block_sheet *s, int x, int line)
{
	const struct cell *c = cell_at(&s->grid, x - 1, line);

	return c && c->bg ? (struct cell_style){ .fg = c->fg, .bg = c->bg }
			  : (struct cell_style){ .bg = CELL_BARE };
}

static int room_at(const struct block_sheet *s, const struct block_slide *b, int x)
{
	for (size_t i = 0; b && i < VY_COUNT(b->zones); i++) {
		if (b->zones[i].cells && b->zones[i].x == x) {
			return b->zones[i].cells;
		}
	}
	return s->grid.cols - x;
}

struct cell_win slide_line(struct block_sheet *s, struct cell_win w, int x, int cells)
{
	const struct block_slide *open = open_slide(s);
	int line = s->lines - 1, room = room_at(s, open, w.x + x);

	vy_assert(line >= 0);
	if (!open || cells <= room) {
		return cell_win_sub(w, (struct cell_rect){ x, 0, w.w - x, 1 });
	}
	x += w.x;
	if (s->n_longs == s->cap_longs) {
		s->longs = vy_grow(s->longs, &s->cap_longs, s->n_longs + 1, sizeof(*s->longs));
	}
	struct block_long *l = &s->longs[s->n_longs++];

	*l = (struct block_long){ .line = line, .x = x };
	cell_grid_init(&l->grid, s->grid.pool, x + cells, 1);
	w = cell_win_sub(cell_win_all(&l->grid), (struct cell_rect){ x, 0, cells, 1 });

	cell_fill(w, (struct cell_rect){ 0, 0, cells, 1 }, ground_at(s, x, line));
	return w;
}

/* ---- sliding ---- */

/* The block whose lines [first, end) hold the line. */
static int block_at(const struct block_sheet *s, int line)
{
	size_t lo = 0, hi = s->n_slides;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->slides[mid].end <= line) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo < s->n_slides && s->slides[lo].first <= line ? (int)lo : -1;
}

int slide_of(const struct block_sheet *s, int line)
{
	if (line < 0 || line >= s->lines || s->words[line].none) {
		return -1;
	}
	return block_at(s, line);
}

struct slide_zone slide_zone_of(const struct block_sheet *s, int line)
{
	int at = slide_of(s, line);
	const struct slide_zone *z = at >= 0 ? s->slides[at].zones : NULL;

	if (!z) {
		return (struct slide_zone){ 0, s->grid.cols };
	}
	return z[1].cells && z[1].x == s->words[line].from ? z[1] : z[0];
}

int slide_most(const struct block_sheet *s, int slide)
{
	const struct block_slide *b = &s->slides[slide];
	int most = 0;

	for (size_t i = long_from(s, b->first); i < s->n_longs && s->longs[i].line < b->end; i++) {
		const struct block_long *l = &s->longs[i];
		int hidden = l->grid.cols - l->x - room_at(s, b, l->x) + 1; /* a cursor behind it */

		most = hidden > most ? hidden : most;
	}
	return most;
}

static bool any_glyph(const struct cell_grid *g, int row, int x, int end)
{
	while (x < end && cell_at(g, x, row)->width && !cell_at(g, x, row)->text[0]) {
		x++;
	}
	return x < end;
}

/* A zone from a row of cells whose words end at `end`, and which ends at `most`. */
static void put_zone(struct cell_win w, int y, const struct block_sheet *s, struct slide_zone z,
	int shift, const struct cell_grid *from, int row, int end, int most)
{
	struct cell_rect seen = { z.x + shift, row, z.cells, 1 };

	seen.w = most - seen.x < z.cells ? most - seen.x : z.cells;
	if (seen.w > 0) {
		cell_blit(w, z.x, y, from, seen);
	}
	if (shift > 0 && any_glyph(from, row, z.x, end)) {
		cell_puts(w, z.x, y, mark_of(s, MARK_CUT_LEFT), theme_ink(THEME_ACCENT));
	}
	if (end > seen.x + z.cells) {
		cell_puts(w, z.x + z.cells - 1, y, mark_of(s, MARK_CUT_RIGHT),
			theme_ink(THEME_ACCENT));
	}
}

void slide_put(struct cell_win w, int y, const struct block_sheet *s, int line, int shift,
	const struct cell_grid *whole)
{
	int at = slide_of(s, line);

	for (int i = 0; at >= 0 && i < 2 && s->slides[at].zones[i].cells; i++) {
		struct slide_zone z = s->slides[at].zones[i];
		const struct block_long *l = long_of(s, line, z.x);
		bool is_words = whole && z.x == s->words[line].from;
		const struct cell_grid *from = is_words ? whole : l ? &l->grid : &s->grid;
		int end = l ? l->grid.cols : z.x + z.cells;

		if (!l && !whole && shift == 0) {
			continue; /* it stands there */
		}
		cell_fill(w, (struct cell_rect){ z.x, y, z.cells, 1 }, ground_at(s, z.x, line));
		put_zone(w, y, s, z, shift, from, is_words || l ? 0 : line, end,
			is_words && l ? whole->cols : end);
	}
}
