/* store_rows.h -- the SQL of rows; part of the SQLite store (store.h tells what each does). */
#ifndef STORE_ROWS_H
#define STORE_ROWS_H

#include "server/log/store.h"

struct db;

VY_MUST_USE int store_rows_put(struct db *d, const struct store_row *row, struct vy_err *e);
VY_MUST_USE int store_rows_del(struct db *d, const struct store_row *row, struct vy_err *e);
VY_MUST_USE int store_rows_each(
	struct db *d, const struct store_row *like, store_row_fn *fn, void *ctx, struct vy_err *e);
VY_MUST_USE int64_t store_rows_output(struct db *d, struct vy_str session, struct vy_str ref,
	int64_t off, void *out, size_t n, int64_t *total, struct vy_err *e);

#endif
