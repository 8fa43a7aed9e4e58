/* brand.h -- a sign on every process of an agent that it cannot take off.
 *
 * Its parent, group, session and environment are a process's own to change. A hard limit is not: it
 * goes to every child, through fork and exec, and only the machine's root raises one again, not even
 * in a user namespace. RLIMIT_LOCKS has meant nothing to Linux since 2.4.25, so a hard limit of it that
 * is lower than the one who asks has says: below an agent. It is still there when the holder and
 * vyred are both gone, without a word of anybody's (auth/caller.h).
 *
 * Who has a low limit itself (an agent that tests a vyred of its own) brands lower; with none left to
 * lower there is no brand. Facts of one moment, from /proc. */
#ifndef HOLDER_BRAND_H
#define HOLDER_BRAND_H

#include <stdint.h>
#include <sys/types.h>

/* What an agent started from here gets; 0: there is none to give (or a kernel of somebody else's make
 * does not have it). */
uint64_t brand_of_ours(void);

/* Puts it on this process, for good. -1 with errno. Safe between fork and exec. */
int brand_put(uint64_t brand);

/* Does PID bear it, or a lower one? 1, 0, or -1: /proc would not say. Without a brand: 0. */
int brand_is_on(pid_t pid, uint64_t brand);

#endif
