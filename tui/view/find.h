/* find.h -- a search through the whole session: which rows hold the words, and how often.
 *
 * Capitals count only if the query has one. A search costs the bytes of the words, never a layout;
 * afterwards a change costs the rows it touched. Rows are counted in the fold's order, which is
 * lent at each call and must have been told to find_changed() change by change. Pure. */
#ifndef VIEW_FIND_H
#define VIEW_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/buf.h"
#include "shared/model/fold.h"

#define FIND_QUERY_MAX 1024
#define FIND_NONE      SIZE_MAX

struct find_hit {
	size_t row, n; /* n matches in it, at least one */
};

struct find {
	struct vy_buf query; /* empty: nothing is looked for */
	bool is_exact;
	struct find_hit *hits; /* by row */
	size_t n, cap;
	size_t total; /* matches */
};

void find_init(struct find *f);
void find_fini(struct find *f);
/* Looks anew; the empty query ends the search. */
void find_set(struct find *f, const struct vy_fold *fold, struct vy_str query);
/* The query alone, for find_in(). */
void find_for(struct find *f, struct vy_str query);
void find_changed(struct find *f, const struct vy_fold *fold, const struct vy_change *ch);
/* All rows were replaced. */
void find_again(struct find *f, const struct vy_fold *fold);

/* The first hit whose row is `row` or behind it; f->n: none. */
size_t find_hit_from(const struct find *f, size_t row);
/* Matches in the rows before hit i. */
size_t find_before(const struct find *f, size_t i);

/* The first match in a text at or behind `from`, FIND_NONE; its length in *n. */
size_t find_in(const struct find *f, struct vy_str text, size_t from, size_t *n);

#endif
