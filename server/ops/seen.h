/* seen.h -- what of an agent can be seen on this machine: its processes, and what a command of its made.
 *
 * Reads /proc; a process that has ended and was not waited for yet counts as gone. */
#ifndef OPS_SEEN_H
#define OPS_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* An agent, as it is placed. */
struct pids {
	pid_t pid, group, session;
};

bool seen_file(const char *folder, const char *name);
bool seen_process(pid_t pid);
bool seen_session(pid_t sid); /* any process of that POSIX session */

/* How many run `sleep WORD`. */
size_t seen_sleepers(const char *word);
/* Waits until some run, or none does: whether it came so within `ms`. */
bool seen_come(const char *word, int ms);
bool seen_gone(const char *word, int ms);

#endif
