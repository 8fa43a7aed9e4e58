/* acts.h -- what a person who listens can type beside messages: going back, side questions …
 *
 * "/rewind" lists one's own messages by number, "/rewind 2" or "/rewind 2 files" goes back to one,
 * "/edit 2 WORDS" says it otherwise, "/branch 2" begins a session before it; "/redo", "/retry",
 * "/fork", "/btw QUESTION", "/compact [HINT]", "/effort [WORD]"; "/usage", "/budget AMOUNT", "/slots",
 * "/models", "/prompt" tell who may run and what it costs. What is no such line is none of
 * ours: a message, or the agent's own command. Pure. */
#ifndef CMD_ACTS_H
#define CMD_ACTS_H

#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/model/fold.h"

enum acts_said {
	ACTS_NOTHING, /* not one of them */
	ACTS_NOTE,    /* `say` is to be said: one note a line */
	ACTS_CALL     /* of the method, with the parameters, which are the caller's */
};

enum acts_said acts_line(const struct vy_fold *f, const char *session, struct vy_str line,
	const char **method, struct vy_json **params, struct vy_buf *say);

/* What an answer to such a call says to who listens; nothing where frames tell it. `now`: wall ms.
 * Appends. */
void acts_told(const char *method, const struct vy_json *result, int64_t now, struct vy_buf *say);
/* After a frame: what a rewind folded away, or that it is there again. Appends. */
void acts_frame(const struct vy_fold *f, const struct vy_frame *frame, struct vy_buf *say);

#endif
