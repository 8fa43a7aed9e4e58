/* claude_ask_shape.h -- how an ask of claude looks: words, detail, options, questions. Pure. */
#ifndef PROVIDER_CLAUDE_ASK_SHAPE_H
#define PROVIDER_CLAUDE_ASK_SHAPE_H

#include "server/provider/claude_state.h"

/* The json of AE_ASK for a can_use_tool request; owned by the caller. */
struct vy_json *claude_ask_shape(const struct claude *c, const struct claude_theirs *t,
	const struct vy_json *request, struct vy_arena *a);

/* AskUserQuestion's input with the answers put in: labels, several joined by ", ", or free text.
 * A question nobody answered is left out, and named as skipped where claude understands that.
 * Owned by the caller. */
struct vy_json *claude_ask_answers(
	const struct vy_json *input, const struct vy_json *answers, bool can_say_unanswered);

#endif
