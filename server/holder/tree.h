/* tree.h -- every process that came from the child, however far it went.
 *
 * The holder is their subreaper: what loses its parent (setsid, double fork, nohup) becomes the
 * holder's own child, so a walk of /proc from here finds all of them and wait() says when the last
 * is gone. */
#ifndef HOLDER_TREE_H
#define HOLDER_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "server/holder/procfs.h"
#include "shared/base/err.h"

VY_MUST_USE int tree_own(struct vy_err *e); /* become the subreaper */

/* Sends `sig` to all that descend from this process, and to the groups they lead or are in, which a
 * fork in the middle cannot slip through. How many there were; -1: /proc could not be read. */
int tree_signal(int sig);

/* Waits for one that ended: its pid, 0 when none ended, -1 when none is left. */
pid_t tree_reap(int *status);

/* Marks in `is_below[n]` which of all[n] descend from `root` and are not over: how many. Pure. */
size_t tree_find(const struct procfs_stat *all, size_t n, pid_t root, bool *is_below);

#endif
