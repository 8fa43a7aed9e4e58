/* cell_rows.c -- see cell_rows.h. */
#include "tui/ink/cell_rows.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/ink/cell_pool.h"
#include "shared/base/ban.h"

enum { LEFT, RIGHT };

static struct cell *cells_of(const struct cell_grid *g, int y)
{
	return &g->cells[(size_t)y * (size_t)g->cols];
}

/* Where a side begins, and how many columns it has. */
static int side_x(const struct cell_grid *g, int side)
{
	return side == LEFT ? 0 : g->split;
}

static int side_cols(const struct cell_grid *g, int side)
{
	return side == LEFT ? g->split : g->cols - g->split;
}

static size_t side_bytes(const struct cell_grid *g, int side)
{
	return (size_t)side_cols(g, side) * sizeof(struct cell);
}

static void renumber(struct cell_grid *g)
{
	for (int y = 0; g->row && y < g->rows; y++) {
		g->row[y].side[LEFT].number = cell_number(g->pool);
		g->row[y].side[RIGHT].number = cell_number(g->pool);
	}
}

void cell_grid_watch(struct cell_grid *g)
{
	free(g->row);
	g->row = vy_calloc((size_t)g->rows + 1, sizeof(*g->row));
	renumber(g);
}

void cell_grid_split(struct cell_grid *g, int cols)
{
	vy_assert(cols >= 0 && cols <= g->cols);
	if (g->split != cols) {
		g->split = cols;
		renumber(g);
	}
}

/* ---- a frame ---- */

static void blank(struct cell_grid *g, int y, int side)
{
	struct cell_side *s = &g->row[y].side[side];

	if (s->number != CELL_NUMBER_BLANK) {
		cell_clear(cells_of(g, y) + side_x(g, side), (size_t)side_cols(g, side));
		s->number = CELL_NUMBER_BLANK;
	}
	s->frame = g->frame;
}

void cell_frame_begin(struct cell_grid *g)
{
	if (!g->row) {
		cell_grid_clear(g);
	}
	g->frame++;
}

void cell_frame_end(struct cell_grid *g)
{
	for (int y = 0; g->row && y < g->rows; y++) {
		for (int side = LEFT; side <= RIGHT; side++) {
			if (g->row[y].side[side].frame != g->frame) {
				blank(g, y, side);
			}
		}
	}
}

void cell_row_touch(struct cell_grid *g, int y, int x, int n)
{
	for (int side = LEFT; g->row && side <= RIGHT; side++) {
		struct cell_side *s = &g->row[y].side[side];
		int from = side_x(g, side), to = from + side_cols(g, side);

		if (x < to && x + n > from) {
			if (s->frame != g->frame) {
				blank(g, y, side);
			}
			s->number = cell_number(g->pool);
		}
	}
}

/* The side that the window has, the whole of it in row y of a watched grid; -1: none. */
static int side_of(struct cell_win w, int y)
{
	const struct cell_rect *c = &w.clip;
	int gy = w.y + y;

	for (int side = LEFT; w.grid->row && side <= RIGHT; side++) {
		int x = side_x(w.grid, side), cols = side_cols(w.grid, side);

		if (cols > 0 && w.x == x && c->x == x && c->w == cols && gy >= c->y &&
			gy < c->y + c->h) {
			return side;
		}
	}
	return -1;
}

/* The row whose side has the number, -1 if none has. */
static int row_with(const struct cell_grid *g, int side, uint64_t number)
{
	for (int y = 0; y < g->rows; y++) {
		if (g->row[y].side[side].number == number) {
			return y;
		}
	}
	return -1;
}

static void bring(struct cell_grid *g, int side, int to, int from)
{
	int x = side_x(g, side);

	memmove(cells_of(g, to) + x, cells_of(g, from) + x, side_bytes(g, side));
	g->row[to].side[side] = (struct cell_side){ g->row[from].side[side].number, g->frame };
}

bool cell_row_keep(struct cell_win w, int y, uint64_t number)
{
	int side = side_of(w, y), gy = w.y + y;

	if (side < 0) {
		cell_fill(w, (struct cell_rect){ 0, y, w.w, 1 },
			(struct cell_style){ .bg = CELL_BARE });
		return false;
	}
	struct cell_side *s = &w.grid->row[gy].side[side];

	if (s->number == number) {
		s->frame = w.grid->frame;
		return true;
	}
	int moved = row_with(w.grid, side, number);

	if (moved >= 0) {
		bring(w.grid, side, gy, moved);
		return true;
	}
	blank(w.grid, gy, side);
	return false;
}

void cell_row_is(struct cell_win w, int y, uint64_t number)
{
	int side = side_of(w, y);

	if (side >= 0) {
		w.grid->row[w.y + y].side[side].number = number;
	}
}

void cell_frame_stays(struct cell_grid *g, int y, int end)
{
	vy_assert(g->row != NULL);
	for (int i = 0; i < g->rows; i++) {
		g->row[i].side[LEFT].frame = g->frame;
		g->row[i].side[RIGHT].frame = i < y || i >= end ? g->frame : 0;
	}
}

/* ---- rows of two grids ---- */

uint64_t cell_row_number(const struct cell_grid *g, int y)
{
	return g->row ? g->row[y].side[RIGHT].number : 0;
}

static bool same_side(
	const struct cell_grid *a, int ya, const struct cell_grid *b, int yb, int side)
{
	int x = side_x(a, side);

	if (a->row && b->row && a->row[ya].side[side].number == b->row[yb].side[side].number) {
		return true;
	}
	return memcmp(cells_of(a, ya) + x, cells_of(b, yb) + x, side_bytes(a, side)) == 0;
}

bool cell_row_same_right(const struct cell_grid *a, int ya, const struct cell_grid *b, int yb)
{
	vy_assert(a->cols == b->cols && a->pool == b->pool && a->split == b->split);
	return same_side(a, ya, b, yb, RIGHT);
}

bool cell_row_same(const struct cell_grid *a, int ya, const struct cell_grid *b, int yb)
{
	return cell_row_same_right(a, ya, b, yb) && same_side(a, ya, b, yb, LEFT);
}

void cell_row_known(struct cell_grid *to, int yt, const struct cell_grid *from, int yf)
{
	for (int side = LEFT; to->row && from->row && side <= RIGHT; side++) {
		to->row[yt].side[side].number = from->row[yf].side[side].number;
	}
}

void cell_row_copy(struct cell_grid *to, int yt, const struct cell_grid *from, int yf)
{
	vy_assert(to->cols == from->cols && to->pool == from->pool && to->split == from->split);
	memmove(cells_of(to, yt), cells_of(from, yf), (size_t)to->cols * sizeof(struct cell));
	for (int side = LEFT; to->row && side <= RIGHT; side++) {
		to->row[yt].side[side].number =
			from->row ? from->row[yf].side[side].number : cell_number(to->pool);
		to->row[yt].side[side].frame = to->frame;
	}
}
