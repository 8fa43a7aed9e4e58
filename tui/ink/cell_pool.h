/* cell_pool.h -- for cell.c and cell_rows.c only: long clusters as numbers, and what else the two
 * share. cell.h has what everybody may call.
 *
 * Numbers are given once and stay; the same bytes get the same number, so two cells of one pool
 * are equal when their bytes are. */
#ifndef INK_CELL_POOL_H
#define INK_CELL_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/ink/cell.h"

/* False when the pool is full: the caller shows a shorter cluster. */
bool cell_pool_cluster(struct cell_pool *p, struct vy_str text, uint32_t *number);
struct vy_str cell_pool_text(const struct cell_pool *p, uint32_t number);

#define CELL_NUMBER_BLANK 1 /* of a row in which nothing stands; the pool gives others */

void cell_clear(struct cell *c, size_t n); /* cell.c: blanks */

#endif
