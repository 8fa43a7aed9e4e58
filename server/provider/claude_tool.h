/* claude_tool.h -- the tool calls of claude: begun by a tool_use block, ended by a tool_result.
 *
 * Each begun call is ended exactly once, whatever the agent leaves open. Pure. */
#ifndef PROVIDER_CLAUDE_TOOL_H
#define PROVIDER_CLAUDE_TOOL_H

#include "server/provider/claude_state.h"

/* shell edit read search todo web agent other; static. */
const char *claude_tool_kind(struct vy_str name);

bool claude_tool_spawns(struct vy_str name); /* it starts a subagent */

/* One line that says what the call is about: a command, a path, a question. In the arena. */
struct vy_str claude_tool_summary(
	struct vy_str name, const struct vy_json *input, struct vy_str cwd, struct vy_arena *a);

/* A tool_use block of the thread `parent` (empty: the main thread). Its event, lent until the next is
 * added; NULL: there is none. */
struct agent_event *claude_tool_start(
	struct claude *c, struct vy_str parent, const struct vy_json *block, struct agent_out *out);

/* A `user` line: its tool_result blocks, with their twin where the line has one of them. */
void claude_tool_results(struct claude *c, const struct vy_json *line, struct agent_out *out);

/* Ends a thread (empty: the main one, else a subagent's call): what it left open is canceled. */
void claude_tool_end_thread(struct claude *c, struct vy_str parent, struct agent_out *out);
void claude_tool_cancel_all(struct claude *c, struct agent_out *out);

#endif
