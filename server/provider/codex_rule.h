/* codex_rule.h -- the rule that codex proposes with a command: all that begins like it runs unasked.
 *
 * Codex keeps such rules in a file of its own, for all folders of its user (scope user); what is proposed
 * are the words of the command, or fewer. One that says anything but plain words, hands on to an
 * interpreter, or lets a floor rule's business through is not offered. Pure. */
#ifndef PROVIDER_CODEX_RULE_H
#define PROVIDER_CODEX_RULE_H

#include <stdbool.h>

#include "shared/base/arena.h"
#include "shared/base/json.h"

bool codex_rule_is_allowed(const struct vy_json *words, struct vy_str cwd);
/* prefix_rule(pattern=["npm","test"], decision="allow"): as it stands in codex's file. In the arena. */
const char *codex_rule_print(const struct vy_json *words, struct vy_arena *a);

#endif
