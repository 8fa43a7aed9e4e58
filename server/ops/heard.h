/* heard.h -- one turn of a session, as its frames tell it (wire 3). Pure; fed frame by frame. */
#ifndef OPS_HEARD_H
#define OPS_HEARD_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"

struct heard {
	char *session, *turn; /* frames of other turns are passed over */
	size_t pieces;        /* deltas of what the agent says, its thoughts left out */
	size_t foreign;       /* frames of any kind that name another session */
	struct vy_buf words;
	size_t shells, done, failed; /* shell commands that began; calls that went well; did not */
	size_t asks, withdrawn;
	char *ask, *about; /* the ask that is open, and its summary; NULL: none */
	char *odd_mode; /* what an ask offers: a mode that is none of ours, to be asked no more; NULL */
	char *note;     /* the last that a status of the turn said; NULL */
	bool is_resumed; /* the process was launched on an older conversation */
	bool is_over, is_failed;
	bool is_stopped; /* the session has no process any more */
};

void heard_init(struct heard *t, const char *session, const char *turn);
void heard_fini(struct heard *t);
void heard_frame(struct heard *t, const struct vy_json *frame);

/* One of the modes that the house has: default, acceptEdits, plan. */
bool heard_is_mode(struct vy_str word);

#endif
