/* undo.h -- files as they are before an agent puts them back, kept so that a redo brings them again.
 *
 * Kept as outputs of the session ("undo/NAME", a list, and "undo/NAME/N", the bytes), so they commit with
 * the frames, live in the database (0600) and go with the session. Bounded: UNDO_FILES, UNDO_BYTES. Only
 * regular files, and files that are not there. Writing is all or nothing as far as a file system
 * has it: every file is written beside its place first, then all are moved. Loop thread. */
#ifndef UNDO_H
#define UNDO_H

#include <stdbool.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/str.h"

#define UNDO_FILES 500
#define UNDO_BYTES (32 * VY_MIB)

struct log;

/* Reads the files [path, …] and stages them under that name. Nothing is staged on failure. */
VY_MUST_USE int undo_keep(struct log *l, struct vy_str session, const char *name,
	const struct vy_json *paths, struct vy_err *e);
/* They were put back: from now on undo_check() knows when somebody changed one since. */
void undo_seal(struct log *l, struct vy_str session, const char *name);
/* VY_CONFLICT: one is not as it was sealed. */
VY_MUST_USE int undo_check(
	struct log *l, struct vy_str session, const char *name, struct vy_err *e);
/* All are again as they were when they were kept. Of what is committed. */
VY_MUST_USE int undo_write(
	struct log *l, struct vy_str session, const char *name, struct vy_err *e);
void undo_drop(struct log *l, struct vy_str session, const char *name);

#endif
