/* claude_rules.h -- claude's permission rules: their spelling, and which of them may be stored.
 *
 * An answer may add only rules that name a tool, or a path in the session's folder (wire 6). What
 * amounts to a bypass ("Bash" without a command, "*", "bash -c:*", a mode that is not ours) is
 * dropped, whoever sends it, and so is what the floor rules deny or ask about. Pure. */
#ifndef PROVIDER_CLAUDE_RULES_H
#define PROVIDER_CLAUDE_RULES_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

/* {toolName, ruleContent?} as "Tool" or "Tool(content)", appended. */
void claude_rule_print(const struct vy_json *rule, struct vy_buf *out);

/* The other way; owned by the caller, NULL when it is no rule. */
struct vy_json *claude_rule_parse(struct vy_str text);

bool claude_rule_is_allowed(const struct vy_json *rule, struct vy_str cwd);

/* Is `path` inside the folder `cwd` (both absolute, by their spelling: no ".." inside)? */
bool claude_path_is_inside(struct vy_str path, struct vy_str cwd);

bool claude_mode_is_ours(struct vy_str mode); /* default, acceptEdits, plan */

/* session | project | user as claude's destination and back; NULL when it is none of them. */
const char *claude_destination(struct vy_str scope);
const char *claude_scope(struct vy_str destination);
struct vy_json *claude_scopes(void); /* all of them; owned by the caller */

/* What may be kept of permission_suggestions: {"always": [update…], "accept-edits": [update…]},
 * each only when there is one; new rules go to `destination`. Owned by the caller. */
struct vy_json *claude_updates(
	const struct vy_json *suggestions, struct vy_str cwd, const char *destination);

/* One update each; owned by the caller. */
struct vy_json *claude_update_rules(struct vy_json *own_rules, const char *destination);
struct vy_json *claude_update_mode(struct vy_str mode);

#endif
