/* stage.h -- what waits for the end of the loop turn: frames, rows, and calls for afterwards.
 *
 * A value inside the log. Writing it is all or nothing and may be tried again: nothing leaves the
 * stage before the store has it. */
#ifndef STAGE_H
#define STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "server/log/store.h"
#include "server/log/streams.h"

struct staged_row {
	struct store_row *row;
	uint64_t hash; /* row_hash(), which is cheaper to compare */
	bool is_del;
	TAILQ_ENTRY(staged_row) link;
};
TAILQ_HEAD(staged_rows, staged_row);

struct after {
	void (*fn)(void *ctx, bool committed);
	void *ctx;
	bool wants_sync, is_read;
	TAILQ_ENTRY(after) link;
};
TAILQ_HEAD(after_list, after);

struct stage {
	struct stream_list touched; /* streams with waiting frames, in the order of their first */
	struct staged_rows rows;
	struct after_list afters;
	size_t bytes;     /* of frames and rows */
	unsigned changes; /* counts up with every addition */
};

void stage_init(struct stage *g);
void stage_fini(struct stage *g); /* forgets all; calls nothing */

bool stage_is_empty(const struct stage *g);   /* nothing at all */
bool stage_has_writes(const struct stage *g); /* frames or rows */
void stage_frame(struct stage *g, struct stream *st, struct frame_ref *own_f);
void stage_row(struct stage *g, const struct store_row *row, bool is_del);
/* The newest version of the row with that key, or NULL; a row whose end is staged behind it is none. */
const struct store_row *stage_find(const struct stage *g, const struct store_row *key);
void stage_after(
	struct stage *g, void (*fn)(void *ctx, bool committed), void *ctx, bool wants_sync);

struct stage_limits {
	const char *epoch;
	int64_t retain_frames, retain_bytes; /* of one session */
};

/* One transaction with all of it. -1: the store is as before, and so is the stage. */
VY_MUST_USE int stage_write(
	struct stage *g, struct log_store *s, const struct stage_limits *lim, struct vy_err *e);
void stage_rows_clear(struct stage *g); /* they are written */

void after_list_run(struct after_list *list, bool committed); /* and frees each */

#endif
