/* keep.h -- small files of this user: written as a whole, so a reader sees the old or the new.
 *
 * Modes are 0600 in a folder of 0700. Nothing is synced: what is kept here outlives the program
 * however it ends, not the power. Blocks on the disk. */
#ifndef NET_KEEP_H
#define NET_KEEP_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

/* dir/name holds `bytes`, and nothing else of them is left whatever happens. */
VY_MUST_USE int keep_write(
	const char *dir, const char *name, struct vy_str bytes, struct vy_err *e);
/* False: there is none, or it is no plain file, or longer than out's maximum (out is over then).
 * Without `dir`, `name` is a whole path, and may be a link. */
bool keep_read(const char *dir, const char *name, struct vy_buf *out);
void keep_remove(const char *dir, const char *name);

/* All of it, to a file, pipe or terminal that is open; false: errno says why not. */
bool keep_all(int fd, struct vy_str bytes);

#endif
