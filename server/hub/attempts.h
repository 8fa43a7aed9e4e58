/* attempts.h -- the attempts of one session while they run: what its frames, and the journal's events
 * that came with them, say of each (wire 8). The pure core of follow.h.
 *
 * It reads committed frames in order, with the same machines as the log, so it agrees with it about
 * where an attempt begins, what is in it and where it ends. What it says is one sequence:
 *
 *	an event's number    that event of the journal comes here
 *	attempt.start        an attempt's first words follow
 *	attempt.chunk        one delta of it; `index` counts from 0, `time` is the delta's
 *	attempt.end          behind its settlement, which it names; abandoned: the journal has none
 *
 * Every frame raises `revision` by one; behind the end of an agent it begins at 1 again, as it does
 * with a machine that is new (another vyred, or nobody followed for a while): what is open then is 1. A baseline is a start
 * with all that the attempt has so far; the next chunk's index is its `chunks`. */
#ifndef ATTEMPTS_H
#define ATTEMPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/log/mark.h"
#include "shared/base/buf.h"
#include "shared/base/str.h"
#include "shared/frame/frame.h"

#define ATTEMPTS_FRAME_MAX (36 * 1024 * 1024) /* a baseline of all that an attempt may have */

struct attempts;

struct attempts_out {
	void (*event)(void *ctx, int64_t seq);
	void (*frame)(void *ctx, struct vy_str json); /* lent */
	void *ctx;
};

/* `seq`: the journal's newest number; of this session nothing that is behind it is known. */
struct attempts *attempts_new(int64_t seq);
void attempts_free(struct attempts *a); /* NULL is fine */

/* The frames behind mark_after(), before anything else: nothing is said. */
void attempts_mark(struct attempts *a, const struct mark *m);
void attempts_again(struct attempts *a, const struct mark *m, const struct vy_frame *f);
void attempts_are_there(struct attempts *a); /* that was all: what is open has begun, revision 1 */

/* ---- what happens: first the events of a commit, then its frames, then the rest ---- */

struct attempts_event {
	int64_t seq;
	struct vy_str id, type;
};

void attempts_event(struct attempts *a, const struct attempts_event *ev);
void attempts_frame(struct attempts *a, const struct vy_frame *f, const struct attempts_out *out);
void attempts_rest(struct attempts *a, const struct attempts_out *out); /* events of no frame */

/* ---- who comes now ---- */

int64_t attempts_revision(const struct attempts *a); /* of the last frame; 0: none yet */
/* One start for each attempt that is open, the oldest first; how many. */
size_t attempts_baselines(const struct attempts *a, const struct attempts_out *out);

#endif
