/* claude_result.h -- what a tool of claude gave back, as a block of the wire (wire 11).
 *
 * Made from the tool_result of the model and, where there is one, its structured twin
 * (`tool_use_result`; absent for subagents). Never JSON for a person: what nobody knows becomes a
 * short text. Every text is cut to what a frame holds. Pure. */
#ifndef PROVIDER_CLAUDE_RESULT_H
#define PROVIDER_CLAUDE_RESULT_H

#include "server/provider/claude_state.h"
#include "server/provider/patch.h"

struct claude_result {
	const struct claude *c;
	const struct claude_call *call;
	struct vy_str text;          /* of the tool_result, without claude's frames around it */
	const struct vy_json *parts; /* the tool_result's content if it is a list, or NULL */
	const struct vy_json *twin;  /* object, or NULL */
	enum agent_outcome outcome;
	struct patch_change change; /* filled */
	struct vy_arena *arena;
};

/* The block, owned by the caller. */
struct vy_json *claude_result_block(struct claude_result *r);

/* Text of a tool_result's content (string or blocks), without "<tool_use_error>" and the like. */
struct vy_str claude_result_text(const struct vy_json *content, struct vy_arena *a);

#endif
