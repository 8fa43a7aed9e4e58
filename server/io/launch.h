/* launch.h -- starts the program vyre-holder and says when it listens.
 *
 * vyred may have a worker thread, so there is no fork here but posix_spawn; the holder detaches by
 * itself, and the short-lived process that was started is waited for here. The token goes over a
 * socket at fd 3; its other end closes when the holder listens, or brings the sentence why not.
 * Loop thread only; `fn` is called once, from the loop, unless launch_free comes first. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"

#define LAUNCH_TOKEN_LEN 32

struct vy_loop;
struct launch;

typedef void launch_fn(void *ctx, const struct vy_err *why); /* NULL: it listens */

/* Strings are copied; `program` NULL is launch_program(). Failing is told through fn as well. */
struct launch *launch_new(struct vy_loop *l, const char *program, const char *dir, const char *hid,
	const uint8_t token[LAUNCH_TOKEN_LEN], launch_fn *fn, void *ctx);
void launch_free(struct launch *s); /* NULL is fine; a holder that is coming up is left alone */

/* The file of the program: beside this one, in ../libexec/vyre, else where `make install` puts it. */
VY_MUST_USE int launch_program(char *out, size_t room, struct vy_err *e);

#endif
