/* proc.h -- one process as the placing sees it, put together from what /proc says of it.
 *
 * Looks at its birth again at the end: a number that came to belong to another process in between
 * is no process. Blocks only on procfs. */
#ifndef AUTH_PROC_H
#define AUTH_PROC_H

#include "server/auth/caller.h"

enum caller_look proc_read(
	void *unused, pid_t pid, struct caller_proc *out); /* fits caller_world.proc */

#endif
