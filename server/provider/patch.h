/* patch.h -- what an edit changes, as lines. Claude's own shape (structuredPatch) is the one in the middle: it is made for the
 * places where an agent gives two texts or none of it, and becomes the hunks of a block (wire 11). Pure. */
#ifndef PROVIDER_PATCH_H
#define PROVIDER_PATCH_H

#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

/* [{oldStart, newStart, lines: [" a", "-b", "+c"]}]: makes `after` of `before`, three lines of
 * context. Of whole files; pieces of one (`is_piece`) stand at line 0: nobody said where. Owned by
 * the caller. */
struct vy_json *patch_make(
	struct vy_str before, struct vy_str after, bool is_piece, struct vy_arena *a);

/* Words that come in the place of others as unified text, appended; `before` empty says that the
 * file is new. Else they are pieces of a file: where they stand is not known, and that they end
 * without a newline says nothing about it. */
void patch_print(struct vy_str path, struct vy_str before, struct vy_str after, struct vy_arena *a,
	struct vy_buf *out);

/* A file that a call changed; path empty: none. */
struct patch_change {
	struct vy_str path;
	const char *op; /* create, edit */
	int64_t added, removed;
};

/* [{old_start, new_start, lines}] of such a patch, as much as one frame holds; adds up what all of it adds and
 * removes. Owned by the caller. */
struct vy_json *patch_hunks(const struct vy_json *patch, struct patch_change *change);

#endif
