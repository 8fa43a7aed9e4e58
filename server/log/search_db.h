/* search_db.h -- the index's file, as search.c's two sides see it: the worker writes, the loop reads. */
#ifndef SEARCH_DB_H
#define SEARCH_DB_H

#include "server/io/db.h"
#include "server/log/search.h"

struct search_item {
	int64_t seq, time; /* seq of its event */
	struct vy_str session, message, role, text;
};

/* ---- the worker ---- */

/* Opens or makes it; one that is damaged or of another history (epoch) is made anew. *mark: the event up
 * to which it knows all. NULL on failure. */
VY_MUST_USE struct db *search_db_open(
	const char *path, const char *epoch, int64_t *mark, struct vy_err *e);
VY_MUST_USE int search_db_add(
	struct db *d, const struct search_item *items, size_t n, int64_t mark, struct vy_err *e);
/* Its words can no longer be found. They are out of the file when search_db_merge has nothing left to
 * do: 1 while there is more, a step of some milliseconds each; a start goes on with it. */
VY_MUST_USE int search_db_forget(struct db *d, struct vy_str session, struct vy_err *e);
VY_MUST_USE int search_db_merge(struct db *d, struct vy_err *e);
/* Each session of which it knows something. */
VY_MUST_USE int search_db_sessions(
	struct db *d, void (*fn)(void *ctx, struct vy_str session), void *ctx, struct vy_err *e);

/* ---- the loop ---- */

VY_MUST_USE struct db *search_db_open_read(const char *path, struct vy_err *e);
VY_MUST_USE int search_db_find(
	struct db *d, struct vy_str match, search_fn *fn, void *ctx, struct vy_err *e);

#endif
