/* acp_say.h -- what the ACP driver tells the agent: JSON-RPC lines, whole or not at all. Pure. */
#ifndef PROVIDER_ACP_SAY_H
#define PROVIDER_ACP_SAY_H

#include "server/provider/acp_state.h"

void acp_say_initialize(struct acp *c, struct agent_out *out);
void acp_say_session(struct acp *c, struct agent_out *out); /* resume, load or new, as it can */
void acp_say_new(struct acp *c, struct agent_out *out);
void acp_say_cancel(struct acp *c, struct agent_out *out);

/* Sets what is wanted; false when this agent has no such mode. */
bool acp_say_mode(struct acp *c, struct vy_str word, struct agent_out *out);
void acp_say_model(struct acp *c, struct vy_str model, struct agent_out *out);
void acp_say_effort(struct acp *c, struct vy_str effort, struct agent_out *out);

/* AC_SAY: told at once, or held until the turn before it is over. */
void acp_say_word(struct acp *c, const struct agent_command *cmd, struct agent_out *out);
void acp_say_next(struct acp *c, struct agent_out *out); /* the next that waits, if it may go */
void acp_say_take_back(struct acp *c, struct vy_str uuid, struct agent_out *out);
void acp_say_give_back_all(struct acp *c, struct agent_out *out);

/* Answers; `id` as JSON. */
void acp_respond(struct agent_out *out, struct vy_str id, const struct vy_json *result);
void acp_respond_error(struct agent_out *out, struct vy_str id, int code, const char *why);

/* Is one of ours with this purpose not answered? */
bool acp_is_asked(const struct acp *c, enum acp_purpose purpose);

#endif
