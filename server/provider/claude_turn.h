/* claude_turn.h -- claude's turns and what frames them: lifecycle, init, status, usage, result.
 *
 * Busy is from the first sign of a turn (a message begun, system/init, a message of the model) to
 * its `result`; turns may begin that nobody asked for (claude.md 5.1). Pure. */
#ifndef PROVIDER_CLAUDE_TURN_H
#define PROVIDER_CLAUDE_TURN_H

#include "server/provider/claude_state.h"

void claude_turn_lifecycle(struct claude *c, const struct vy_json *line, struct agent_out *out);
void claude_turn_init(struct claude *c, const struct vy_json *line, struct agent_out *out);
void claude_turn_result(struct claude *c, const struct vy_json *line, struct agent_out *out);

/* Busy, if it was not; `origin` "" or as in AE_TURN_BEGIN. */
void claude_turn_begin(struct claude *c, const char *origin, struct agent_out *out);

/* Closes what the main thread left open and ends the turn. */
void claude_turn_end(struct claude *c, enum agent_outcome outcome, struct vy_str why,
	struct vy_json *own_usage, struct agent_out *out);

/* An agent that does not tell when it takes a message (claude.md 12): they are taken at the next
 * boundary, as it does with them. */
void claude_turn_take_silently(struct claude *c, struct agent_out *out);

/* The mode as it says: told when it changed; one that is not ours is set back and noted. */
void claude_turn_mode(struct claude *c, struct vy_str mode, struct agent_out *out);
void claude_turn_model(struct claude *c, struct vy_str model, struct agent_out *out);

/* Where its history stands: seen in a line, told as AE_MARK. */
void claude_turn_mark(struct claude *c, const struct vy_json *line);
void claude_turn_tell_mark(struct claude *c, struct agent_out *out);

/* Usage of one request of the main thread. */
void claude_turn_usage(struct claude *c, const struct vy_json *usage, struct agent_out *out);

/* AE_CAME_BACK for one message that the agent will not take. */
void claude_turn_came_back(struct claude *c, struct vy_str uuid, struct agent_out *out);

#endif
