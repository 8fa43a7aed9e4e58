/* secret.h -- keys for agents, each a file of its own: <state-dir>/secrets/NAME, 0600, sealed (seal.h).
 *
 * Read when an agent is started and given to it on fd 3, never in argv or the environment. The
 * caller wipes what it read. A file that an earlier version wrote, which did not seal, is read as it is
 * and sealed then. Blocks on the disk. */
#ifndef SECRET_H
#define SECRET_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

bool secret_is_name(const char *name); /* 1 to 64 of a-z 0-9 - _ . */

/* Replaces as a whole: a crash leaves the old one or the new one. */
VY_MUST_USE int secret_set(
	const char *state_dir, const char *name, struct vy_str value, struct vy_err *e);
/* Appends. VY_NOT_FOUND says how to set it. */
VY_MUST_USE int secret_get(
	const char *state_dir, const char *name, struct vy_buf *out, struct vy_err *e);
/* Is there one? Only looked for, never opened. */
bool secret_is_there(const char *state_dir, const char *name);
VY_MUST_USE int secret_remove(const char *state_dir, const char *name, struct vy_err *e);
/* Names, in no order. A folder that is not there has none. */
VY_MUST_USE int secret_each(const char *state_dir, void (*fn)(void *ctx, const char *name),
	void *ctx, struct vy_err *e);

#endif
