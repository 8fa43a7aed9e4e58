/* openers.h -- which process goes on with a conversation of an agent, or has its file open to write.
 *
 * Looks through /proc once, at the processes of this user: their arguments say which conversation an
 * agent program was started to go on with, their descriptors what they write. Blocks on procfs alone;
 * what it finds is true of that moment. */
#ifndef OPENERS_H
#define OPENERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/base/str.h"

struct opener {
	pid_t pid;
	uint64_t born;
	char program[64]; /* by which it is known: "claude" */
};

struct openers_ask {
	struct vy_str id;            /* the agent's own name of the conversation */
	const char *path;            /* its file, links followed; NULL: none is known */
	const char *const *programs; /* names of agent programs, NULL at the end */
	pid_t but;                   /* one that does not count; 0 */
};

struct openers {
	struct opener named;    /* pid 0: none */
	struct opener has_file; /* the same */
};

void openers_find(const struct openers_ask *ask, struct openers *out);

/* Do these arguments, each ended by NUL, go on with the conversation? A copy of it is another one. Pure. */
bool openers_goes_on(struct vy_str args, struct vy_str id, const char *path);

/* The name by which arguments are an agent program's, its own or of what it interprets; NULL: they are
 * none's. Pure. */
const char *openers_program(struct vy_str args, const char *const *programs);

#endif
