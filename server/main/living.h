/* living.h -- the processes of all sessions, as the placing of callers wants to know them.
 *
 * Agents, and the commands that persons gave in a session (`!`), which are the persons'. */
#ifndef LIVING_H
#define LIVING_H

#include "server/auth/caller.h"

struct table;
struct terms;

void living_each(struct table *t, struct terms *terms, caller_live_each_fn *each, void *arg);

#endif
