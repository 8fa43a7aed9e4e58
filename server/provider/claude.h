/* claude.h -- Claude Code as an agent: how it is found and started. What is said is claude_wire.h. */
#ifndef PROVIDER_CLAUDE_H
#define PROVIDER_CLAUDE_H

#include "server/provider/provider.h"

extern const struct provider_ops claude_ops;

/* The driver's doors for struct agent, and what it can do: shared with the demo, which speaks the same
 * lines. */
struct agent *claude_agent_new(const struct provider_launch *l);
void claude_agent_free(struct agent *a);
void claude_agent_line(
	struct agent *a, enum agent_stream stream, struct vy_str line, struct agent_out *out);
void claude_agent_command(struct agent *a, const struct agent_command *cmd, struct agent_out *out);
void claude_agent_line_too_long(
	struct agent *a, int64_t bytes, struct vy_str head, struct agent_out *out);
void claude_agent_exited(struct agent *a, int status, int signo, struct agent_out *out);
void claude_agent_encode(const struct agent *a, struct vy_jw *w);
struct agent *claude_agent_decode(const struct vy_json *v, struct vy_err *e);

#define CLAUDE_SPEAKS                                                                              \
	.caps = { .can_stream = true,                                                              \
		.can_steer = true,                                                                 \
		.can_interrupt = true,                                                             \
		.can_take_back = true,                                                             \
		.can_resume = true,                                                                \
		.can_ask = true,                                                                   \
		.can_question = true,                                                              \
		.can_plan = true,                                                                  \
		.can_images = true,                                                                \
		.can_model = true,                                                                 \
		.has_modes = true,                                                                 \
		.has_thinking = true,                                                              \
		.can_rewind = true,                                                                \
		.can_fork = true,                                                                  \
		.can_files = true,                                                                 \
		.can_tools = true,                                                                 \
		.has_effort = true,                                                                \
		.can_aside = true,                                                                 \
		.can_task_output = true },                                                         \
	.compact = "/compact", .new = claude_agent_new, .free = claude_agent_free,                 \
	.line = claude_agent_line, .command = claude_agent_command,                                \
	.line_too_long = claude_agent_line_too_long, .exited = claude_agent_exited,                \
	.encode = claude_agent_encode, .decode = claude_agent_decode

#endif
