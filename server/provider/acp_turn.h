/* acp_turn.h -- the turn of an ACP agent: opened by its first sign after a prompt, closed by the
 * prompt's answer, with all that is open in it. Pure. */
#ifndef PROVIDER_ACP_TURN_H
#define PROVIDER_ACP_TURN_H

#include "server/provider/acp_state.h"

/* Opens it, if there is a prompt. False: what the agent said belongs to no turn, and is not shown. */
bool acp_turn_open(struct acp *c, struct agent_out *out);

/* A chunk of the answer (or of a thought): blocks end where the kind or the message's id changes. */
void acp_turn_chunk(
	struct acp *c, const struct vy_json *update, bool is_thought, struct agent_out *out);
void acp_turn_end_block(struct acp *c, struct agent_out *out);

/* Asks the agent to stop, and answers what it asks. `why`: the floor's words, else empty. */
void acp_turn_cancel(struct acp *c, struct vy_str why, struct agent_out *out);

void acp_turn_usage(struct acp *c, const struct vy_json *update, struct agent_out *out);
void acp_turn_result(struct acp *c, const struct vy_json *result, struct agent_out *out);
void acp_turn_error(struct acp *c, const struct vy_json *error, struct agent_out *out);
void acp_turn_over(struct acp *c, enum agent_outcome outcome, struct vy_str why,
	struct vy_json *own_usage, struct agent_out *out);

/* An error of JSON-RPC as a sentence. */
struct vy_str acp_error_words(const struct acp *c, const struct vy_json *error, struct vy_arena *a);

#endif
