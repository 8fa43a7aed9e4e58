/* proc.h -- one process read from /proc, for caller_place().
 *
 * Reads stat, environ, cmdline and exe, and stat again: a pid that came to belong to another
 * process in between is "no such process". Blocks only on procfs. */
#ifndef AUTH_PROC_H
#define AUTH_PROC_H

#include "server/auth/caller.h"

int proc_read(void *unused, pid_t pid, struct caller_proc *out); /* fits caller_world.proc */

#endif
