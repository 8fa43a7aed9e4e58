/* user.h -- a child becomes another user, and keeps no capability of ours.
 *
 * Between fork and exec. A holder may have been given capabilities so that it can start agents as another
 * user (io/agent_user.h); whatever it starts, a person's shell too, gets none of them. */
#ifndef HOLDER_USER_H
#define HOLDER_USER_H

#include "shared/base/err.h"

/* With all groups of that user; "" stays who we are. The three standard files become its own, so that it
 * can open them by name. -1 with a sentence. */
VY_MUST_USE int user_become(const char *name, struct vy_err *e);

#endif
