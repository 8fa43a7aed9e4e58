/* source.h -- a row of the transcript as text: what `y` copies, what is searched, what a pager shows.
 *
 * A message is its markdown as it was written; a command its line and what it printed without the
 * colours; a change a unified diff; a list its lines. Control bytes (but newline and tab) are left
 * out, so that what is pasted somewhere obeys nobody; with `reveal` they are named in their place
 * instead ("⟨ESC⟩", "⟨U+202E RIGHT-TO-LEFT OVERRIDE⟩"). Pure; text in the row is borrowed. */
#ifndef VIEW_SOURCE_H
#define VIEW_SOURCE_H

#include <stdbool.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/model/row.h"

#define SOURCE_MAX (64 * 1024 * 1024)

void source_row(const struct vy_row *row, struct vy_buf *out);
void source_reveal(const struct vy_row *row, struct vy_buf *out);

/* The row's pieces of code: fences of a message, a command, a file's content, the new text of a
 * change. false past the last. */
bool source_code(const struct vy_row *row, size_t i, struct vy_buf *out);

/* Calls for each piece of words the row holds, without copying or decoding where that is possible:
 * a result comes as JSON (is_json). To look for something that is not there at little cost. */
typedef bool source_fn(void *ctx, struct vy_str words, bool is_json); /* true: stop */
bool source_each(const struct vy_row *row, source_fn *fn, void *ctx);

#endif
