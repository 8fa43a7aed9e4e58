/* codex_wire.h -- what `codex app-server` prints, line by line (codex-acp.md A1): the doors of the
 * driver. Pure over struct codex. */
#ifndef PROVIDER_CODEX_WIRE_H
#define PROVIDER_CODEX_WIRE_H

#include "server/provider/codex_state.h"

#define CODEX_TESTED "0.171.0"

void codex_line(
	struct codex *c, enum agent_stream stream, struct vy_str line, struct agent_out *out);
void codex_command_do(struct codex *c, const struct agent_command *cmd, struct agent_out *out);
void codex_line_too_long(struct codex *c, int64_t bytes, struct vy_str head, struct agent_out *out);
void codex_exited(struct codex *c, int status, int signo, struct agent_out *out);

#endif
