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

/* How many processes have `word`, as a word of its own, in their command line. */
size_t seen_with(const char *word);
/* Waits until there are some: whether it came so within `ms`. */
bool seen_come(const char *word, int ms);
/* Waits until there are none, nor any of that session (0: whoever that is): whether it came so. */
bool seen_gone(const char *word, pid_t session, int ms);

#endif
