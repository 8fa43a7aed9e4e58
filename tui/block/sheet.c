/* sheet.c -- the paper of a block: lines of cells that grow (draw.h). */
#include "tui/block/draw.h"

#include "shared/base/mem.h"
#include "shared/base/ban.h"

void block_sheet_init(struct block_sheet *s, struct cell_pool *pool)
{
	*s = (struct block_sheet){ 0 };
	cell_grid_init(&s->grid, pool, 1, 1);
	vy_arena_init(&s->arena);
}

void block_sheet_fini(struct block_sheet *s)
{
	cell_grid_fini(&s->grid);
	vy_arena_fini(&s->arena);
}

void block_sheet_reset(struct block_sheet *s, int cols)
{
	int rows = s->grid.rows;

	cols = cols > 1 ? cols : 1;
	if (s->grid.cols != cols || rows > 64) {
		cell_grid_resize(&s->grid, cols, 8);
	} else {
		cell_grid_clear(&s->grid);
	}
	s->lines = 0;
	vy_arena_reset(&s->arena);
}

/* More rows, the drawn ones kept. */
static void grow(struct block_sheet *s, int rows)
{
	struct cell_grid bigger;
	struct cell_rect all = { 0, 0, s->grid.cols, s->lines };
	int cap = s->grid.rows;

	while (cap < rows) {
		cap *= 2;
	}
	cell_grid_init(&bigger, s->grid.pool, s->grid.cols, cap);
	cell_blit(cell_win_all(&bigger), 0, 0, &s->grid, all);
	cell_grid_fini(&s->grid);
	s->grid = bigger;
}

struct cell_win block_lines(struct block_sheet *s, int n, int left)
{
	if (s->lines + n > s->grid.rows) {
		grow(s, s->lines + n);
	}
	struct cell_rect r = { left, s->lines, s->grid.cols - left, n };

	s->lines += n;
	return cell_win_sub(cell_win_all(&s->grid), r);
}
