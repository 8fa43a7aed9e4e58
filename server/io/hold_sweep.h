/* hold_sweep.h -- what a holder leaves behind that died before its time: a socket, and processes.
 *
 * They are found by the holder's cgroup, where it has one (cgroup.h), and by the mark VYRE_HOLDER in the
 * environment they were started with, so also those that left the tree. Loop thread only. */
#ifndef HOLD_SWEEP_H
#define HOLD_SWEEP_H

#include <stdbool.h>

/* Sends `signo` to every process that bears the mark; how many there were (signo 0 only counts).
 * With SIGKILL it walks again as long as it meets new ones: they may be starting others just then. */
int hold_sweep(const char *hid, int signo);

/* Ends the holders that listen in `dir` and are nobody's, with all that they hold: vyred died after it
 * forgot them and before it could let them go. How many; the sockets of dead ones go too. Only
 * under vyred's lock. */
typedef bool hold_known_fn(void *ctx, const char *hid);
int hold_end_strays(const char *dir, hold_known_fn *is_known, void *ctx);

void hold_unlink(const char *dir, const char *hid); /* the socket; only under vyred's lock */

#endif
