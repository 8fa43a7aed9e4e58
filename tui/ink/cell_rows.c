/* cell_rows.c -- see cell_rows.h. */
#include "tui/ink/cell_rows.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/ink/cell_pool.h"
#include "shared/base/ban.h"

static struct cell *cells_of(const struct cell_grid *g, int y)
{
	return &g->cells[(size_t)y * (size_t)g->cols];
}

static size_t bytes_of(const struct cell_grid *g)
{
	return (size_t)g->cols * sizeof(struct cell);
}

void cell_grid_watch(struct cell_grid *g)
{
	free(g->row);
	g->row = vy_calloc((size_t)g->rows + 1, sizeof(*g->row));
	for (int y = 0; y < g->rows; y++) {
		g->row[y].number = cell_number(g->pool);
	}
}

/* ---- a frame ---- */

static void blank(struct cell_grid *g, int y)
{
	struct cell_row *r = &g->row[y];

	if (r->number != CELL_NUMBER_BLANK) {
		cell_clear(cells_of(g, y), (size_t)g->cols);
		r->number = CELL_NUMBER_BLANK;
	}
	r->frame = g->frame;
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
		if (g->row[y].frame != g->frame) {
			blank(g, y);
		}
	}
}

void cell_row_touch(struct cell_grid *g, int y)
{
	if (!g->row) {
		return;
	}
	if (g->row[y].frame != g->frame) {
		blank(g, y);
	}
	g->row[y].number = cell_number(g->pool);
}

/* The row's state, if the window has the whole of a watched row; else NULL. */
static struct cell_row *whole_row(struct cell_win w, int y)
{
	const struct cell_rect *c = &w.clip;
	int gy = w.y + y;

	return w.grid->row && w.x == 0 && c->x == 0 && c->w == w.grid->cols && gy >= c->y &&
			       gy < c->y + c->h
		       ? &w.grid->row[gy]
		       : NULL;
}

/* The row that has the number, NULL if none has. */
static const struct cell_row *row_with(const struct cell_grid *g, uint64_t number)
{
	for (int y = 0; y < g->rows; y++) {
		if (g->row[y].number == number) {
			return &g->row[y];
		}
	}
	return NULL;
}

bool cell_row_keep(struct cell_win w, int y, uint64_t number)
{
	struct cell_row *r = whole_row(w, y);

	if (!r) {
		cell_fill(w, (struct cell_rect){ 0, y, w.w, 1 },
			(struct cell_style){ .bg = CELL_BARE });
		return false;
	}
	if (r->number == number) {
		r->frame = w.grid->frame;
		return true;
	}
	const struct cell_row *moved = row_with(w.grid, number);

	if (moved) {
		cell_row_copy(w.grid, w.y + y, w.grid, (int)(moved - w.grid->row));
		return true;
	}
	blank(w.grid, w.y + y);
	return false;
}

void cell_row_is(struct cell_win w, int y, uint64_t number)
{
	struct cell_row *r = whole_row(w, y);

	if (r) {
		r->number = number;
	}
}

/* ---- rows of two grids ---- */

uint64_t cell_row_number(const struct cell_grid *g, int y)
{
	return g->row ? g->row[y].number : 0;
}

bool cell_row_same(const struct cell_grid *a, int ya, const struct cell_grid *b, int yb)
{
	vy_assert(a->cols == b->cols && a->pool == b->pool);
	if (a->row && b->row && a->row[ya].number == b->row[yb].number) {
		return true;
	}
	return memcmp(cells_of(a, ya), cells_of(b, yb), bytes_of(a)) == 0;
}

void cell_row_known(struct cell_grid *to, int yt, const struct cell_grid *from, int yf)
{
	if (to->row && from->row) {
		to->row[yt].number = from->row[yf].number;
	}
}

void cell_row_copy(struct cell_grid *to, int yt, const struct cell_grid *from, int yf)
{
	vy_assert(to->cols == from->cols && to->pool == from->pool);
	memmove(cells_of(to, yt), cells_of(from, yf), bytes_of(to));
	if (to->row) {
		to->row[yt].number = from->row ? from->row[yf].number : cell_number(to->pool);
		to->row[yt].frame = to->frame;
	}
}
