/* claude_wire.h -- the claude driver's machine: lines of claude in, events and bytes out.
 *
 * Stream-json with the control protocol, as measured in claude 2.1.332 (2.1.197 works with fewer
 * receipts). Pure: same state, same line, same answer; struct claude is all it knows. Fields it does
 * not know are ignored, since the set grows with every release; a kind of line that is new is said
 * once, with which of the two to upgrade, and the rest goes on. The demo agent
 * speaks the same and is driven by the same functions. */
#ifndef PROVIDER_CLAUDE_WIRE_H
#define PROVIDER_CLAUDE_WIRE_H

#include "server/provider/claude_state.h"
#include "server/provider/provider.h"

#define CLAUDE_TESTED "2.1.332"

void claude_line(
	struct claude *c, enum agent_stream stream, struct vy_str line, struct agent_out *out);
void claude_command(struct claude *c, const struct agent_command *cmd, struct agent_out *out);
void claude_line_too_long(
	struct claude *c, int64_t bytes, struct vy_str head, struct agent_out *out);
void claude_exited(struct claude *c, int status, int signo, struct agent_out *out);

#endif
