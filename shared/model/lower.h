/* lower.h -- the inverse of lift.h: the frame that an event of the journal came of, made again.
 *
 * As far as the journal, the record of the message and that of the ask hold it, and never further: what a
 * frame must say and nobody knows any more (what a tool answered, what was typed) is left out, and
 * the frame says `expired`, as one whose words are too old (wire 3). A word that streams is in no
 * event; settlements give those (settle.h, vy_settlement_deltas), and vy_lower_done() their end.
 *
 * A small machine: a status that tells a fact (a mode, a title) does not say in its event what state the
 * session was in, so that is followed. Which fields come back is a table in the test. Pure. */
#ifndef VY_MODEL_LOWER_H
#define VY_MODEL_LOWER_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/frame/frame.h"
#include "shared/model/ask.h"
#include "shared/model/lift.h"
#include "shared/model/message.h"

struct vy_lower {
	char state[24]; /* of a session, as a status says it; "": waiting */
};

/* What is known beside the event; either may be NULL. */
struct vy_lower_beside {
	const struct vy_message *message; /* its subject, of a user's message */
	const struct vy_ask *ask;         /* its subject */
};

/* The event's frame, but for id and session; slices live in `mem`, in the event, or beside it. False:
 * no frame is known to give such an event. */
bool vy_lower(struct vy_lower *l, const struct vy_event *ev, const struct vy_lower_beside *beside,
	struct vy_arena *mem, struct vy_frame *out);

/* The cursor of the frame an event came of; 0: it does not say (an earlier vyred's, a private message's). */
int64_t vy_lower_cur(struct vy_str data);

/* Behind the last delta of a block that is whole. */
void vy_lower_done(const struct vy_frame *delta, struct vy_frame *out);

#endif
