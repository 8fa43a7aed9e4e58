/* peercred.h -- who is at the other end of a Unix socket, and what /proc says about a process.
 *
 * Answers are facts of one moment: a process may end and its number be given again. A peer is
 * therefore held by a pidfd where the kernel has SO_PEERPIDFD, and by its birth time elsewhere:
 * ask first, then peercred_is_same(); only then believe what was read. Nothing here judges; that
 * is server/auth. -1 means that /proc would not say (gone, or another user's), never "no". */
#ifndef PEERCRED_H
#define PEERCRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/base/err.h"

#define PEERCRED_DEPTH_MAX 256 /* ancestors looked at */

struct peercred {
	pid_t pid;
	uid_t uid;
	gid_t gid;
	uint64_t born; /* in ticks since boot; 0: unknown */
	int pidfd;     /* owned; -1: the kernel has none */
};

struct peercred_proc {
	pid_t ppid, pgid, sid;
	uint64_t born;
	char comm[64]; /* the program's short name, as it says itself */
};

VY_MUST_USE int peercred_get(int sock, struct peercred *out, struct vy_err *e);
void peercred_fini(struct peercred *p);
bool peercred_is_same(const struct peercred *p); /* still the process that connected */

VY_MUST_USE int peercred_proc(pid_t pid, struct peercred_proc *out, struct vy_err *e);

/* Is `pid` the process `root` or below it? 1, 0 or -1. */
int peercred_descends(pid_t pid, pid_t root);
/* Parent, grandparent … up to the first process, nearest first; how many, or -1. */
int peercred_ancestors(pid_t pid, pid_t *out, size_t room);

/* The value of VYRE_HOLDER in the environment the process was started with: 1, 0 (has none), -1. */
int peercred_marker(pid_t pid, char *out, size_t room);
/* Is one of the names ("NAME=", NULL at the end) in it? 1, 0, -1. */
int peercred_has_env(pid_t pid, const char *const *names);
/* Path of the program file; its arguments, each ended by NUL, cut at `room`: length or -1. */
long peercred_exe(pid_t pid, char *out, size_t room);
long peercred_args(pid_t pid, char *out, size_t room);
/* Path in the cgroup tree (v2): length or -1. */
long peercred_cgroup(pid_t pid, char *out, size_t room);

#endif
