/* codex_plan.h -- a plan that codex proposes, as the question what shall come of it.
 *
 * In plan mode codex writes its plan as an item of its own and ends the turn; it asks nothing, its own
 * client does. So does this: behind the end of such a turn there is a plan to answer, which goes when
 * anything else happens (another turn, another mode, an interrupt). A yes leaves plan mode and tells
 * codex to go on, in a turn it begins; a no with words tells it those, one without nothing. Pure. */
#ifndef PROVIDER_CODEX_PLAN_H
#define PROVIDER_CODEX_PLAN_H

#include "server/provider/codex_state.h"

void codex_plan_proposed(struct codex *c, struct vy_str plan);
void codex_plan_ask(
	struct codex *c, struct agent_out *out); /* when nothing runs, and there is one */
void codex_plan_drop(struct codex *c, struct agent_out *out);
void codex_plan_answer(struct codex *c, const struct agent_command *cmd, struct agent_out *out);

#endif
