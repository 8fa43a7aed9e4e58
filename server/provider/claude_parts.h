/* claude_parts.h -- a compound command part by part: what each would run, and which rule covers it.
 *
 * Read by server/guard/words, so a command in a substitution is a part too. Rules are claude's:
 * "npm test" is that command, "npm test:*" and "npm test *" all that begin so, "*" anything. A part
 * that no rule of those covers says none: it would be asked about again. Pure. */
#ifndef PROVIDER_CLAUDE_PARTS_H
#define PROVIDER_CLAUDE_PARTS_H

#include <stdbool.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

struct guard_command;

/* [{text, rule?}]; NULL for a command of one part. rules: [{toolName, ruleContent?}]. Owned. */
struct vy_json *claude_parts(
	struct vy_str command, const struct vy_json *rules, struct vy_arena *a);

/* One command as a rule spells it, with or without the files it writes to. Appended. */
void claude_part_print(const struct guard_command *c, bool with_writes, struct vy_buf *b);

/* Does the content of a Bash rule cover this one command? */
bool claude_parts_covers(struct vy_str content, struct vy_str command);

#endif
