/* render_block.h -- what a tool showed, as a few plain lines. Pure. */
#ifndef CMD_RENDER_BLOCK_H
#define CMD_RENDER_BLOCK_H

#include <stdbool.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/str.h"

/* `text` (already fit for a terminal) with `indent` before each line; before the first one not when
 * `is_begun`. Always ends with a newline. */
void render_indented(struct vy_str text, const char *indent, bool is_begun, struct vy_buf *out);

/* A block as JSON (wire 11). Long ones are cut to their beginning and end, and say so. */
void render_block(struct vy_str json, const char *indent, struct vy_arena *a, struct vy_buf *out);

#endif
