/* claude_patch.h -- what an edit changes, in claude's own shape of a patch (structuredPatch), for the
 * places where claude gives none: an ask before the edit, a subagent's result. Pure. */
#ifndef PROVIDER_CLAUDE_PATCH_H
#define PROVIDER_CLAUDE_PATCH_H

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

/* [{oldStart, newStart, lines: [" a", "-b", "+c"]}]: makes `after` of `before`, three lines of
 * context. Of whole files; pieces of one (`is_piece`) stand at line 0: nobody said where. Owned by
 * the caller. */
struct vy_json *claude_patch(
	struct vy_str before, struct vy_str after, bool is_piece, struct vy_arena *a);

/* Words that come in the place of others as unified text, appended; `before` empty says that the
 * file is new. Else they are pieces of a file: where they stand is not known, and that they end
 * without a newline says nothing about it. */
void claude_patch_print(struct vy_str path, struct vy_str before, struct vy_str after,
	struct vy_arena *a, struct vy_buf *out);

#endif
