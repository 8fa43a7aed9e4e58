/* settings.h -- the hooks of vyred in the text of a claude settings file: put in, taken out, seen.
 *
 * The file is a person's: what is not ours stays byte for byte, wherever it stands and however it is
 * laid out. Taking out what was put in gives the text from before, but for members that were empty.
 * Ours is what runs "vyred … hook run EVENT"; a person may have moved it anywhere below "hooks".
 * A text that is no JSON object, or has a "hooks" of another shape, is refused and nothing is done.
 * Pure. */
#ifndef HOOK_SETTINGS_H
#define HOOK_SETTINGS_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

/* One of ours: when it is called, and of which tools (NULL: of all, or it is of no tool). */
struct hook_event {
	const char *name;
	const char *matcher;
	int timeout_s;
};

extern const struct hook_event hook_events[]; /* ends with a NULL name */

/* What an empty, or no, file is taken for. It is told by that from one that a person emptied. */
#define HOOK_SETTINGS_NONE "{\n }\n"

/* The line that runs ours: `program` and `options` are words for a shell already. One that is not
 * there any more says nothing. */
void hook_line(struct vy_buf *out, const char *program, const char *options, const char *event);

/* Every event of ours, with what is ours already taken out before. VY_BAD_INPUT; `out` is whole or
 * as it was. */
VY_MUST_USE int hook_settings_add(struct vy_str text, const char *program, const char *options,
	struct vy_buf *out, struct vy_err *e);

VY_MUST_USE int hook_settings_remove(struct vy_str text, struct vy_buf *out, struct vy_err *e);

/* How many of our events have a hook of ours; *line, when not NULL, is the first one's, appended. */
VY_MUST_USE int hook_settings_count(
	struct vy_str text, struct vy_buf *line, size_t *n, struct vy_err *e);

/* The value as a shell's word, quoted only where it must be. */
void hook_word(struct vy_buf *out, const char *value);

#endif
