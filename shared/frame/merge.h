/* merge.h -- a run of adjacent pieces of text as one frame, on a replay (wire 3, "Merging").
 *
 * Joined are text-delta frames of one message, block, author, acts_for, parent, reasoning and
 * turn, and term-chunk frames of contiguous bytes; the cursors must be adjacent too. The joined
 * frame has the id, time, corr and cursor of the last, `span`, and `parts`: the length of each
 * piece (UTF-16 code units of text, bytes of a terminal). It never holds more than 64 KiB.
 * Live frames are never merged. Pure; any thread.
 *
 *	for each stored frame f:
 *		if (vy_merge_add(&m, &f))
 *			continue;
 *		if ((run = vy_merge_take(&m)))
 *			send(run);
 *		if (!vy_merge_add(&m, &f))
 *			send(&f);                -- a kind that is never merged
 *	if ((run = vy_merge_take(&m)))
 *		send(run); */
#ifndef VY_FRAME_MERGE_H
#define VY_FRAME_MERGE_H

#include <stdbool.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/frame/frame.h"

struct vy_merge {
	bool any;            /* there is a run */
	struct vy_frame run; /* its frame; slices live in `keep` and the buffers */
	struct vy_buf text;  /* joined so far: text, or decoded bytes */
	struct vy_buf b64, parts;
	size_t escapes; /* bytes the text gains when it is written */
	struct vy_arena keep;
};

void vy_merge_init(struct vy_merge *m);
void vy_merge_fini(struct vy_merge *m);

/* Takes the frame into the run (copied: it may die). False: it does not continue the run, or it
 * is of no kind that merges and there is no run. */
VY_MUST_USE bool vy_merge_add(struct vy_merge *m, const struct vy_frame *f);

/* The run as one frame and an empty merger; NULL when there is no run. Borrowed until the next
 * add. A run of one is that frame unchanged. */
const struct vy_frame *vy_merge_take(struct vy_merge *m);

/* Drops the pieces with a cursor up to `last` from the front of a frame that stands for some
 * behind it too; new slices live in `a`. Fails when the parts do not fit the text. */
VY_MUST_USE int vy_frame_trim(
	struct vy_frame *f, uint64_t last, struct vy_arena *a, struct vy_err *e);

#endif
