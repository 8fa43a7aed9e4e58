/* codex_words.h -- what an item of codex is called, and what it is about. Results live in the arena,
 * are slices of the input or static. Pure. */
#ifndef PROVIDER_CODEX_WORDS_H
#define PROVIDER_CODEX_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

#define CODEX_CHECK   "check:" /* before an item's id: the request of an AE_CHECK */
#define CODEX_CONTENT 100000   /* index of a thought's first content; its summary begins at 0 */

bool codex_is_words(struct vy_str type);

const char *codex_tool_kind(struct vy_str type);
/* As the floor and the person know the tool: shell, apply_patch, mcp__SERVER__TOOL, … */
struct vy_str codex_tool_name(const struct vy_json *item, struct vy_arena *a);
struct vy_str codex_about(const struct vy_json *item, struct vy_str cwd, struct vy_arena *a);

/* It runs, and nobody was asked: a command with a process, a call of a server. Of a change of files
 * that is seen only when it is done (A6). */
bool codex_runs_unasked(const struct vy_json *item);

int64_t codex_hash(int64_t hash, struct vy_str s); /* of a text, piece by piece; begins with 0 */

#endif
