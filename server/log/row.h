/* row.h -- rows as values: copies that own their bytes, and what makes two of them the same row. */
#ifndef ROW_H
#define ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/log/store.h"

/* A copy in one block, every slice inside it: free() it. */
struct store_row *row_dup(const struct store_row *r);
size_t row_bytes(const struct store_row *r); /* of all its slices */

bool row_same(const struct store_row *a, const struct store_row *b); /* same kind and key */
/* Of what row_same() looks at: rows that are the same have the same. */
uint64_t row_hash(const struct store_row *r);
/* Would `each` with this `like` show the row? (store.h) */
bool row_like(const struct store_row *r, const struct store_row *like);
/* Would `del` with this row take it along? */
bool row_dies_with(const struct store_row *r, const struct store_row *del);
/* The order in which `each` shows rows of one kind: <0, 0, >0. */
int row_order(const struct store_row *a, const struct store_row *b);

#endif
