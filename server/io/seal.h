/* seal.h -- closes a secret before it goes to the disk, and opens it again.
 *
 * XChaCha20-Poly1305 under a key of 32 random bytes in a file of its own, <state-dir>/seal.key (0600, made
 * when the first secret is sealed). The secret's name is sealed in: a file that was renamed to another
 * one's name does not open. What it protects is the secrets' folder without that key: a copy, a
 * backup, an index, what a disk keeps of a removed file. It protects from nobody who may read the
 * key as well, which is whoever has the user's account (doc/SECURITY.md).
 *
 * The caller wipes what it gets. Blocks on the disk. */
#ifndef SEAL_H
#define SEAL_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

#define SEAL_MORE 64 /* bytes that a sealed one has more, at most */

bool seal_is_sealed(struct vy_str bytes);

/* Appends the sealed value. Makes the key where there is none. */
VY_MUST_USE int seal_close(const char *state_dir, const char *name, struct vy_str value,
	struct vy_buf *out, struct vy_err *e);

/* Appends the value. -1: the key is gone or not ours alone, or the seal is broken; says what to do. */
VY_MUST_USE int seal_open(const char *state_dir, const char *name, struct vy_str sealed,
	struct vy_buf *out, struct vy_err *e);

#endif
