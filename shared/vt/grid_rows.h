/* grid_rows.h -- for grid*.c: the grid's inside, and rows as things of their own.
 *
 * A row of the screen has room for `cols` cells, one of the ring just for its own. Cells from n on
 * are blank and not stored, so an empty row costs nothing to clear. */
#ifndef VY_VT_GRID_ROWS_H
#define VY_VT_GRID_ROWS_H

#include "shared/vt/grid.h"
#include "shared/vt/grid_pool.h"

/* Lines that scrolled off, oldest at `head`. */
struct grid_ring {
	struct vy_vt_row *rows;
	size_t max, n, head;
};

struct vy_grid {
	int cols, rows;
	bool is_alt;
	uint64_t scrolled;
	struct vy_vt_row *main, *alt; /* each `rows` long; alt NULL until it is used */
	struct grid_ring ring;
	struct grid_pool clusters, links;
	uint16_t link; /* the pen's: in use though no cell has it */
};

extern const struct vy_vt_cell grid_blank;

struct vy_vt_row grid_row_new(int cols);
void grid_row_clear(struct vy_vt_row *r);
void grid_row_reach(struct vy_vt_row *r, int n); /* at least n cells are stored; there is room */
int grid_row_used(const struct vy_vt_row *r);    /* cells up to the last that can be seen */
void grid_rows_free(struct vy_vt_row *rows, int n);
struct vy_vt_row *grid_rows_new(int n, int cols);

/* Copies the row to the ring's end (the oldest goes when it is full). */
void grid_ring_push(struct grid_ring *r, const struct vy_vt_row *row);
const struct vy_vt_row *grid_ring_at(const struct grid_ring *r, size_t i); /* 0: oldest */
void grid_ring_clear(struct grid_ring *r);

/* Row y of the screen that is shown, or of the ring (y < 0): n cells of it are stored, or as many as can
 * be seen, and the next goes on from it or does not. */
void grid_row_set(struct vy_grid *g, int y, int n, bool goes_on);
/* A row of the screen from which the next goes on after n cells: exactly those are stored, or as many as
 * can be seen. */
void grid_row_full(struct vy_grid *g, int y, int n);

/* grid_flow.c: lays the main screen and the ring out anew; see vy_grid_resize(). */
void grid_flow(struct vy_grid *g, int cols, int rows, int *x, int *y);

#endif
