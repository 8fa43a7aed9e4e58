/* agent_user.h -- the user that agents run as when it is another than vyred's: [sessions] user=NAME.
 *
 * Holders stay vyred's own processes; only what they start becomes that user. So an agent can neither
 * signal nor trace vyred or a holder, nor read the state folder: it reaches its own socket and no other
 * (wire.h). To start, end and look at another user's processes vyred is root, or a service with
 * AmbientCapabilities=CAP_SETUID CAP_SETGID CAP_KILL CAP_SYS_PTRACE; whoever has these is as trusted as
 * root. What is started keeps none of them, a person's shell neither. */
#ifndef AGENT_USER_H
#define AGENT_USER_H

#include <stdbool.h>
#include <sys/types.h>

#include "shared/base/err.h"

struct agent_user {
	char *name, *home;
	char *path; /* the PATH of whoever sends none */
	uid_t uid;
};

/* Looks NAME up. -1 with a sentence that says what to do: there is none, it is nobody else, or vyred may
 * not start programs as another user. */
VY_MUST_USE int agent_user_find(const char *name, struct agent_user *out, struct vy_err *e);
void agent_user_fini(struct agent_user *u); /* a zero value is fine */

#endif
