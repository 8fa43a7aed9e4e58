/* acp_call.h -- the tool calls of an ACP agent: tool_call, tool_call_update and the call that a
 * permission is asked for, merged by their id; whichever comes first makes it.
 *
 * A call that is announced "pending" says little yet (often not even what it runs), so its event
 * waits for the next word about it. An update replaces what was there; what comes after a call's
 * end is ignored. Pure. */
#ifndef PROVIDER_ACP_CALL_H
#define PROVIDER_ACP_CALL_H

#include "server/provider/acp_state.h"

/* An update, or the `toolCall` of a permission (is_ask). NULL: it has no id, or belongs to no turn. */
struct acp_call *acp_call_hear(struct acp *c, const struct vy_json *update, bool is_announced,
	bool is_ask, struct agent_out *out);

/* What a yes would run, in names the floor rules know: {name, input}. Owned by the caller. */
struct vy_json *acp_call_for_floor(const struct acp_call *call, const struct vy_json *update);

/* The house's kind of a call; "shell", "edit" … */
const char *acp_call_kind(const struct acp *c, const struct acp_call *call);
struct vy_str acp_call_summary(
	const struct acp *c, const struct acp_call *call, struct vy_arena *a);

/* The floor's verdict about it has come. */
void acp_call_judged(struct acp *c, struct acp_call *call, const struct agent_command *cmd,
	struct agent_out *out);

void acp_call_refused(struct acp *c, struct acp_call *call, struct agent_out *out);
void acp_call_end_all(struct acp *c, struct agent_out *out); /* at the turn's end: all are gone */

/* [{content, status}] as a task block; also of a to-do tool's input. Told when it changed. */
void acp_call_todo(struct acp *c, const struct vy_json *entries, struct agent_out *out);

#endif
