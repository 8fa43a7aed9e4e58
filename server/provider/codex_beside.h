/* codex_beside.h -- what is asked of codex beside the conversation: a question, what a task prints.
 *
 * A side question is asked of a copy of the thread that codex keeps nowhere (thread/fork, ephemeral), and is
 * answered from what was said alone: whatever the copy begins to run ends it, and what it asks for is
 * refused. The copy knows the turns that have ended. Of a command that went on behind its turn the end of
 * what it printed is kept; codex tells a command's first words to nobody (A5). Pure. */
#ifndef PROVIDER_CODEX_BESIDE_H
#define PROVIDER_CODEX_BESIDE_H

#include <stdbool.h>

#include "server/provider/codex_state.h"

void codex_beside_ask(
	struct codex *c, struct vy_str name, struct vy_str question, struct agent_out *out);
void codex_beside_forget(struct codex *c, struct vy_str name, struct agent_out *out);

/* The copy is there: the question goes to it. */
void codex_beside_forked(
	struct codex *c, struct vy_str name, const struct vy_json *result, struct agent_out *out);
void codex_beside_refused(
	struct codex *c, struct vy_str name, struct vy_str why, struct agent_out *out);
/* True: that was of a copy. */
bool codex_beside_told(
	struct codex *c, struct vy_str method, const struct vy_json *params, struct agent_out *out);
bool codex_beside_is_copy(const struct codex *c, struct vy_str thread);

void codex_beside_printed(struct codex_item *item, struct vy_str text);
void codex_beside_output(
	struct codex *c, struct vy_str name, struct vy_str task, struct agent_out *out);

#endif
