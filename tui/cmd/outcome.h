/* outcome.h -- how the turn of one message ends, told from the session's frames.
 *
 * Feed every frame from before the message was sent on. Pure. */
#ifndef CMD_OUTCOME_H
#define CMD_OUTCOME_H

#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/frame/frame.h"

enum outcome_state {
	OUTCOME_UNSEEN,  /* the log has not shown the message */
	OUTCOME_WAITING, /* it is queued */
	OUTCOME_RUNNING, /* its turn goes on */
	OUTCOME_OK,
	OUTCOME_FAILED /* failed, interrupted, stopped, taken back, or held back: see why */
};

struct outcome {
	char message[VY_UUID_LEN + 1];
	char turn[VY_ID_MAX + 1]; /* "": not begun */
	enum outcome_state state;
	char why[400]; /* of FAILED, a sentence */
};

void outcome_init(struct outcome *o, const char *message);
void outcome_step(struct outcome *o, const struct vy_frame *f);

static inline bool outcome_is_over(const struct outcome *o)
{
	return o->state == OUTCOME_OK || o->state == OUTCOME_FAILED;
}

/* Is this frame of the turn that answers? */
bool outcome_is_of(const struct outcome *o, const struct vy_frame *f);

#endif
