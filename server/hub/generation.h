/* generation.h -- one message while it is written: a snapshot, its deltas, its end (wire 9, 15).
 *
 *	snapshot                        {messageId, messageRevision, state, text, reasoning, index: {text,
 *	                                reasoning}, transcriptTargetId, producer}
 *	session.message.delta.appended  {messageId, channel: text|reasoning, index, text}
 *	session.message.completed|failed  as the control plane tells it, with the same id; the last item
 *
 * Each has its `id` and `type` in it, too. `index` counts a channel's deltas from 0, dense over the whole
 * life of the message, also through a restart of vyred; the snapshot's is that of the next one. Snapshot
 * and deltas behind each other are the text of the message as its end has it: blocks stand two ends
 * of lines apart, and the first delta of a later block brings them.
 *
 * The id of a snapshot or a delta is a place: who comes back with it goes on behind it, without a
 * snapshot. A place that is unknown (another epoch, no more held) or far behind gets a snapshot in
 * its stead, and so does a reader that lags too far. An item that no place can be is junk. Of a message
 * that is settled there are the snapshot and the end at once. One that is deleted just ends.
 *
 * Nobody waits for a reader: it is a cursor on the session's frames (hub.h), and holds one snapshot
 * at most; the engine drops it when it takes nothing (drops_slow). The snapshot is made of one
 * commit, and what follows is of the frames behind that: so nothing is lost or told twice between.
 * Loop thread. */
#ifndef GENERATION_H
#define GENERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "server/hub/view.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

#define GENERATION_BEHIND 4096 /* frames; a snapshot is shorter than so many deltas */

struct log;
struct hub;

struct generation_open {
	struct log *log;
	struct hub *hub;
	const char *session; /* that the caller may read */
	bool is_agent;       /* who looks (hub.h) */
	struct vy_str message;
	struct vy_str after;      /* the id of the last item held; empty: none */
	void (*ready)(void *ctx); /* later in this turn, and whenever it had run dry */
	void *ctx;
};

/* VY_NOT_FOUND: the session has no such message, or no more. VY_BAD_INPUT: `after` names no event. */
VY_MUST_USE int generation_open(
	const struct generation_open *o, struct view *out, struct vy_err *e);

extern const struct view_ops view_generation;

#endif
