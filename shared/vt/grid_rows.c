/* grid_rows.c -- see grid_rows.h. */
#include "shared/vt/grid_rows.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

const struct vy_vt_cell grid_blank = { .width = 1 };

struct vy_vt_row grid_row_new(int cols)
{
	return (struct vy_vt_row){ .cells = vy_calloc((size_t)cols, sizeof(struct vy_vt_cell)),
		.dirty = true };
}

void grid_row_clear(struct vy_vt_row *r)
{
	r->n = 0;
	r->continues = false;
	r->dirty = true;
}

void grid_row_reach(struct vy_vt_row *r, int n)
{
	while (r->n < n) {
		r->cells[r->n++] = grid_blank;
	}
}

int grid_row_used(const struct vy_vt_row *r)
{
	int n = r->n;

	while (n > 0 && memcmp(&r->cells[n - 1], &grid_blank, sizeof(grid_blank)) == 0) {
		n--;
	}
	return n;
}

struct vy_vt_row *grid_rows_new(int n, int cols)
{
	struct vy_vt_row *rows = vy_calloc((size_t)n, sizeof(*rows));

	for (int i = 0; i < n; i++) {
		rows[i] = grid_row_new(cols);
	}
	return rows;
}

void grid_rows_free(struct vy_vt_row *rows, int n)
{
	for (int i = 0; rows && i < n; i++) {
		free(rows[i].cells);
	}
	free(rows);
}

void grid_ring_push(struct grid_ring *r, const struct vy_vt_row *row)
{
	struct vy_vt_row *to;

	if (r->max == 0) {
		return;
	}
	if (!r->rows) {
		r->rows = vy_calloc(r->max, sizeof(*r->rows));
	}
	if (r->n == r->max) {
		to = &r->rows[r->head];
		r->head = (r->head + 1) % r->max;
	} else {
		to = &r->rows[(r->head + r->n++) % r->max];
	}
	free(to->cells);
	*to = *row;
	to->cells = NULL;
	if (row->n > 0) {
		to->cells = vy_alloc((size_t)row->n * sizeof(*row->cells));
		memcpy(to->cells, row->cells, (size_t)row->n * sizeof(*row->cells));
	}
}

const struct vy_vt_row *grid_ring_at(const struct grid_ring *r, size_t i)
{
	return &r->rows[(r->head + i) % r->max];
}

void grid_ring_clear(struct grid_ring *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct vy_vt_row *row = &r->rows[(r->head + i) % r->max];

		free(row->cells);
		row->cells = NULL;
	}
	r->n = r->head = 0;
}

static struct vy_vt_row *any_row(struct vy_grid *g, int y)
{
	if (y >= g->rows || (y < 0 && (g->is_alt || (size_t)-y > g->ring.n))) {
		return NULL;
	}
	if (y < 0) {
		return &g->ring.rows[(g->ring.head + g->ring.n - (size_t)-y) % g->ring.max];
	}
	return g->is_alt ? &g->alt[y] : &g->main[y];
}

void grid_row_set(struct vy_grid *g, int y, int n, bool goes_on)
{
	struct vy_vt_row *r = any_row(g, y), *next = any_row(g, y + 1);

	if (r && n >= 0 && n <= g->cols) {
		if (y < 0 && n > r->n) { /* one of the ring has room for its own cells only */
			r->cells = vy_realloc(r->cells, (size_t)n * sizeof(*r->cells));
		}
		r->n = grid_row_used(r);
		grid_row_reach(r, n);
	}
	if (next) {
		next->continues = goes_on;
		next->dirty = true;
	}
}

void grid_row_full(struct vy_grid *g, int y, int n)
{
	if (y >= 0 && y < g->rows) {
		struct vy_vt_row *r = g->is_alt ? &g->alt[y] : &g->main[y];

		r->n = grid_row_used(r);
		grid_row_reach(r, n < g->cols ? n : g->cols);
	}
}
