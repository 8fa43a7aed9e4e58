/* claude_say.h -- what the claude driver writes to its agent's stdin: whole lines, appended to
 * `tell`, and the memory of what they asked for. Pure. See claude.md 3, 4, 6 for the shapes. */
#ifndef PROVIDER_CLAUDE_SAY_H
#define PROVIDER_CLAUDE_SAY_H

#include "server/provider/claude_state.h"
#include "server/provider/provider.h"

/* The hook that lets the floor rules see every call (claude.md 15.3). */
#define CLAUDE_HOOK         "floor"
#define CLAUDE_HOOK_TIMEOUT 86400 /* seconds; vyred may be away while its agent works on */

/* A control request: begin, write the request's further members, end. `about` is remembered with
 * the open request (a uuid, a mode, a model; may be empty). */
struct vy_jw claude_request_begin(struct claude *c, struct agent_out *out,
	enum claude_purpose purpose, const char *subtype, struct vy_str about);
void claude_request_end(struct vy_jw *w);

/* The answer to a request of theirs. `response` is one JSON value; NULL leaves it out. */
void claude_respond(struct agent_out *out, struct vy_str id, const struct vy_json *response);
void claude_respond_error(struct agent_out *out, struct vy_str id, const char *why);

void claude_say_hello(struct claude *c, const struct agent_command *cmd, struct agent_out *out);
void claude_say_message(struct claude *c, const struct agent_command *cmd, struct agent_out *out);
void claude_say_interrupt(struct claude *c, struct agent_out *out);
void claude_say_take_back(struct claude *c, struct vy_str uuid, struct agent_out *out);
void claude_say_mode(struct claude *c, struct vy_str mode, struct agent_out *out);
void claude_say_model(struct claude *c, struct vy_str model, struct agent_out *out);
void claude_say_thinking(struct claude *c, const struct vy_json *how, struct agent_out *out);
void claude_say_effort(struct claude *c, struct vy_str word, struct agent_out *out);
/* A question beside the conversation; what a task printed so far; either is forgotten. */
void claude_say_aside(
	struct claude *c, struct vy_str name, struct vy_str question, struct agent_out *out);
void claude_say_task_output(
	struct claude *c, struct vy_str name, struct vy_str task, struct agent_out *out);
void claude_say_forget(struct claude *c, struct vy_str name, struct agent_out *out);
void claude_say_kill_task(struct claude *c, struct vy_str task, struct agent_out *out);
void claude_say_files(struct claude *c, const struct agent_command *cmd, struct agent_out *out);
void claude_say_end(struct claude *c, struct agent_out *out);

#endif
