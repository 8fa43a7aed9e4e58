/* codex_ask.h -- requests of codex: approvals, questions, forms of MCP servers (codex-acp.md A6).
 *
 * Each is an ask of the house until it is answered, or until codex withdraws it
 * (serverRequest/resolved). What nobody here can answer is refused with an error, which codex takes.
 * And the verdict of the floor on a call that was not asked about: it ends the turn. Pure. */
#ifndef PROVIDER_CODEX_ASK_H
#define PROVIDER_CODEX_ASK_H

#include "server/provider/codex_state.h"

void codex_ask_request(struct codex *c, const struct vy_json *line, struct agent_out *out);
void codex_ask_resolved(struct codex *c, const struct vy_json *params, struct agent_out *out);
void codex_ask_drop(struct codex *c, struct agent_out *out); /* nobody waits for any of them */

void codex_ask_answer(struct codex *c, const struct agent_command *cmd, struct agent_out *out);
void codex_ask_checked(struct codex *c, const struct agent_command *cmd, struct agent_out *out);

/* A line that was too long and skipped: was it a request, and refused? `head` is no JSON. */
bool codex_ask_refuse_head(struct vy_str head, struct agent_out *out);

#endif
