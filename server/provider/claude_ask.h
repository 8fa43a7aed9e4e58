/* claude_ask.h -- claude asks: permission for a call, questions of its own, a plan to approve.
 *
 * A can_use_tool request becomes an ask (AE_ASK), a PreToolUse callback a check (AE_CHECK). Both
 * stay open, with their request id, until answered or withdrawn; a new vyred answers what the one
 * before it was asked (claude.md 15.3, 15.4). Pure. */
#ifndef PROVIDER_CLAUDE_ASK_H
#define PROVIDER_CLAUDE_ASK_H

#include "server/provider/claude_state.h"

/* A control_request of the agent, whatever its kind; an unknown kind is refused at once. */
void claude_ask_request(struct claude *c, const struct vy_json *line, struct agent_out *out);

/* control_cancel_request: it waits no more. */
void claude_ask_withdrawn(struct claude *c, struct vy_str id, struct agent_out *out);

/* At an interrupt's end (main thread only) or at the agent's own end. */
void claude_ask_drop(struct claude *c, bool is_all, struct agent_out *out);

/* AC_ANSWER and AC_CHECKED. */
void claude_ask_answer(struct claude *c, const struct agent_command *cmd, struct agent_out *out);
void claude_ask_checked(struct claude *c, const struct agent_command *cmd, struct agent_out *out);

/* The beginning of a line that was too long: refuses the request in it, if it is one. */
bool claude_ask_refuse_head(struct vy_str head, struct agent_out *out);

#endif
