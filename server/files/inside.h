/* inside.h -- opens files of one folder, and nothing outside it, whatever ".." and links say.
 *
 * Links are followed as long as they stay inside; the kernel judges that while it walks the path
 * (openat2), so nobody can swap a link in between. Where the kernel cannot, the opened file is
 * asked where it is. Blocks on the disk; any thread. */
#ifndef INSIDE_H
#define INSIDE_H

#include <sys/types.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

/* The folder itself, or -1. */
VY_MUST_USE int inside_root(const char *folder, struct vy_err *e);

/* `path` relative to the folder. A descriptor of the caller's (close-on-exec, never blocking), or
 * -1: VY_NOT_FOUND; VY_DENIED when it leads out. `mode` as open() wants it with O_CREAT. */
VY_MUST_USE int inside_open(int root, const char *path, int flags, mode_t mode, struct vy_err *e);

/* The path inside `folder` that a person's path means, in `out` ("." for the folder): relative, or
 * absolute below it. -1 with VY_DENIED for another absolute one, VY_BAD_INPUT for what is no path. */
VY_MUST_USE int inside_path(
	struct vy_str path, const char *folder, char out[4096], struct vy_err *e);

#endif
