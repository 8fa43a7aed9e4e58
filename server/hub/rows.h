/* rows.h -- the newest rows of a session, or those up to a frame, folded from its log (wire 4).
 *
 * A page is folded from a border between turns on, found by reading some way back from its end. What
 * began before the border and goes on behind it would be missing, so then, and when the page says
 * less than the session knows to be open, it is read from further back; in the end all of it.
 * Loop thread. */
#ifndef ROWS_H
#define ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/jw.h"

struct log;
struct vy_fold;

struct rows_ask {
	const char *session;
	int64_t rows;  /* about so many, the newest; 0: all */
	int64_t to;    /* as if the log ended with this cursor; 0: as it ends */
	bool is_agent; /* who reads: it is never told of a private message (seal.h) */
	/* Does a fold that reaches to the log's end hold all that the session has open? NULL: it does. */
	bool (*is_whole)(void *ctx, const char *session, const struct vy_fold *fold);
	void *ctx;
};

/* Fills an empty fold; rows that began up to `*before` are no part of the page, 0: all are. */
VY_MUST_USE int rows_read(struct log *log, const struct rows_ask *ask, struct vy_fold *fold,
	int64_t *before, struct vy_err *e);
/* is_folded: also what a rewind folded away. Writes "before", "rows", "cur", "fold" and "epoch" into an object the caller opened. */
void rows_write(struct log *log, const struct vy_fold *fold, int64_t before, bool is_folded,
	struct vy_jw *w);

/* The page as a client has it once it loaded it; owned, NULL on failure. */
struct vy_fold *rows_load(struct log *log, const struct rows_ask *ask, struct vy_err *e);

#endif
