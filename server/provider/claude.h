/* claude.h -- Claude Code as an agent: how it is found and started. What is said is claude_wire.h. */
#ifndef PROVIDER_CLAUDE_H
#define PROVIDER_CLAUDE_H

#include "server/provider/provider.h"

extern const struct provider_ops claude_ops;

/* The driver's doors for struct agent, shared with the demo, which speaks the same lines. */
struct agent *claude_agent_new(const struct provider_launch *l);
void claude_agent_free(struct agent *a);
void claude_agent_line(
	struct agent *a, enum agent_stream stream, struct vy_str line, struct agent_out *out);
void claude_agent_command(struct agent *a, const struct agent_command *cmd, struct agent_out *out);
void claude_agent_line_too_long(
	struct agent *a, int64_t bytes, struct vy_str head, struct agent_out *out);
void claude_agent_exited(struct agent *a, int status, int signo, struct agent_out *out);
struct vy_json *claude_agent_encode(const struct agent *a);
struct agent *claude_agent_decode(const struct vy_json *v, struct vy_err *e);

#endif
