/* errand.h -- the frames of one message's turn, from the message to the turn's end: what became of what
 * somebody said.
 *
 * The machine is fed the session's frames from the message's first one on, in order, and says which
 * are the turn's. A message that waits has none but its own until a turn takes it in (a steered one: from
 * there on those of the turn that runs). It is over with that turn's `status waiting`, when the message is taken
 * back, and when it waits in a queue that is held: nobody knows until when. Pure.
 *
 * The view gives these frames as they are, then {type: "ended", reason, message, turn?}, its last item; a
 * place to go on from there is not, but it can be opened anew for as long as the log has the frames. */
#ifndef ERRAND_H
#define ERRAND_H

#include <stdbool.h>

#include "server/hub/view.h"
#include "shared/base/err.h"
#include "shared/base/limits.h"
#include "shared/base/str.h"
#include "shared/frame/frame.h"

struct errand {
	char message[VY_ID_MAX + 1], turn[VY_ID_MAX + 1];
	bool is_taken;      /* by `turn`, or by the one of the next frame that has any */
	const char *reason; /* it is over: "done", "taken-back", "held" */
};

void errand_init(struct errand *er, struct vy_str message);
bool errand_step(struct errand *er, const struct vy_frame *f); /* is it one of its frames? */

struct log;
struct hub;

struct errand_open {
	struct log *log;
	struct hub *hub;
	const char *session; /* that the caller may read */
	struct vy_str message;
	bool is_held;  /* the session's queue is, as of now */
	bool is_agent; /* who looks (hub.h) */
	void (*ready)(void *ctx);
	void *ctx;
};

/* VY_NOT_FOUND: the session has no such message of a person. VY_GONE: its frames are no more held.
 * VY_UNSUPPORTED: a private one, which no agent is told. */
VY_MUST_USE int errand_open(const struct errand_open *o, struct view *out, struct vy_err *e);

extern const struct view_ops view_errand;

#endif
