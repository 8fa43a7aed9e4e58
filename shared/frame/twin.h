/* twin.h -- reads a frame that differs from one before it only in id, cursor, time and text.
 *
 * While an agent speaks nearly every frame is such a twin of the last, and a replay that joins them
 * has to read them all: where the bytes between those four are the same as in the one before,
 * so is everything else that they say. A tenth of the work of vy_frame_decode(), and the same frame.
 * Pure; any thread. */
#ifndef VY_FRAME_TWIN_H
#define VY_FRAME_TWIN_H

#include <stdbool.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/frame/frame.h"

struct vy_twin {
	bool is_set;
	struct vy_buf line; /* of the one that was read whole */
	struct vy_arena arena;
	struct vy_frame frame;
	/* the bytes of `line` before the id, before the cursor, before the time, before the text,
	 * and behind the text */
	struct vy_str parts[5];
};

void vy_twin_init(struct vy_twin *t);
void vy_twin_fini(struct vy_twin *t);

/* The frame was read whole from this line: the next may be its twin. One that cannot have any (its
 * text has escapes, say) leaves things as they were. */
void vy_twin_note(struct vy_twin *t, struct vy_str line);

/* Borrowed until the next call, with slices into `line`; NULL: no twin, read it whole. */
const struct vy_frame *vy_twin_read(struct vy_twin *t, struct vy_str line);

#endif
