/* acp_wire.h -- the machine of the Agent Client Protocol (version 1): lines of an agent in, events
 * and bytes out. Pure: same state, same line, same answer; struct acp is all it knows.
 *
 * One prompt runs at a time: agents differ in what they make of a second one, so words wait here.
 * JSON-RPC is read and written in this room only (acp_say.c, acp_wire.c). What nobody knows of what an
 * agent says is ignored, of what it requests refused. */
#ifndef PROVIDER_ACP_WIRE_H
#define PROVIDER_ACP_WIRE_H

#include "server/provider/acp_state.h"

#define ACP_TESTED "recordings of opencode 1.18, gemini 0.61, claude-agent-acp 0.49, codex-acp 2.6"

void acp_line(struct acp *c, enum agent_stream stream, struct vy_str line, struct agent_out *out);
void acp_command(struct acp *c, const struct agent_command *cmd, struct agent_out *out);
void acp_line_too_long(struct acp *c, int64_t bytes, struct vy_str head, struct agent_out *out);
void acp_exited(struct acp *c, int status, int signo, struct agent_out *out);

#endif
