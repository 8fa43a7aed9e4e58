/* child.h -- the one child of a holder: an agent on pipes or a shell on a PTY.
 *
 * It starts from nothing: a session of its own, exactly the environment of the spec and the marker
 * VYRE_HOLDER, an agent its brand, default signals, the given umask and folder, no fd but its three and, when there is a
 * secret, a pipe at 3 that holds it and is closed behind it. Whether its program could be run comes a
 * moment later by `report`. Our ends never block and are closed on exec. */
#ifndef HOLDER_CHILD_H
#define HOLDER_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

struct child_spec {
	bool is_pty;
	struct vy_str argv, env; /* lists as in msg.h */
	const char *cwd;
	unsigned cols, rows;
	unsigned umask;
	struct vy_str secret;
	const char *hid;
	const char *user;   /* who it becomes (user.h); "": nobody else */
	uint64_t brand;     /* an agent's (brand.h); 0: a person's shell has none */
	struct rlimit core; /* the limit to give back: ours is 0 */
};

enum { CHILD_OUT, CHILD_ERR, CHILD_OUTS };

struct child {
	pid_t pid; /* 0: none was started */
	bool is_pty;
	int in; /* -1: closed; a PTY has the same fd in `in` and `outs[CHILD_OUT]` */
	int outs[CHILD_OUTS];
	int report; /* -1: told */
};

void child_init(struct child *c);
void child_fini(struct child *c); /* closes; the process is not touched */

/* -1: it could not even be forked; `c` is as before. */
VY_MUST_USE int child_start(struct child *c, const struct child_spec *spec, struct vy_err *e);

/* Reads `report`: 1 its program runs, 0 not known yet, -1 it could not be run (a sentence). */
VY_MUST_USE int child_report(struct child *c, struct vy_err *e);

void child_close_in(struct child *c);
void child_close_out(struct child *c, int which);
void child_resize(struct child *c, unsigned cols, unsigned rows); /* nothing without a PTY */

#endif
