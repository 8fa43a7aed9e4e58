/* grid_pool.h -- for grid.c only: strings as small numbers, with a way to forget unused ones.
 *
 * The same bytes give the same number. When it is full the owner marks what it still uses and
 * sweeps; a number stays good until then. */
#ifndef VY_VT_GRID_POOL_H
#define VY_VT_GRID_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/str.h"

struct grid_pool_entry;

struct grid_pool {
	struct grid_pool_entry *by_key; /* uthash */
	struct grid_pool_entry **slots;
	size_t n, cap, max;
	uint32_t *free; /* slots that were swept */
	size_t free_n, free_cap;
	size_t rest; /* misses to wait before it pays to sweep again */
};

void grid_pool_init(struct grid_pool *p, size_t max);
void grid_pool_fini(struct grid_pool *p);

/* False when it is full. */
bool grid_pool_add(struct grid_pool *p, struct vy_str s, uint32_t *number);
struct vy_str grid_pool_get(
	const struct grid_pool *p, uint32_t number); /* empty if there is none */

bool grid_pool_wants_sweep(struct grid_pool *p); /* after a false add: is it time to sweep? */
void grid_pool_mark(struct grid_pool *p, uint32_t number);
void grid_pool_sweep(struct grid_pool *p);

#endif
