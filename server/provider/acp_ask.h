/* acp_ask.h -- an ACP agent asks: permission for a call, or a form. All else it requests is refused
 * (-32601): it was told that nothing else is offered. Pure. */
#ifndef PROVIDER_ACP_ASK_H
#define PROVIDER_ACP_ASK_H

#include "server/provider/acp_state.h"

void acp_ask_request(struct acp *c, const struct vy_json *line, struct agent_out *out);
void acp_ask_answer(struct acp *c, const struct agent_command *cmd, struct agent_out *out);
void acp_ask_checked(struct acp *c, const struct agent_command *cmd, struct agent_out *out);

/* All that is open is withdrawn; the agent hears "cancelled" if it still listens. */
void acp_ask_drop(struct acp *c, bool tell, struct agent_out *out);

/* The beginning of a line that was too long: refuses the request in it, if it is one. */
bool acp_ask_refuse_head(struct vy_str head, struct agent_out *out);

#endif
