/* acp_offer.h -- what an ACP agent offers: modes, models, efforts, slash commands. Two generations
 * of the protocol say them: blocks of their own (`modes`, `models`), and config options by category;
 * where both are, the options win. Pure. */
#ifndef PROVIDER_ACP_OFFER_H
#define PROVIDER_ACP_OFFER_H

#include "server/provider/acp_state.h"

/* Of session/new, load, resume. */
void acp_offer_session(struct acp *c, const struct vy_json *result, struct agent_out *out);

void acp_offer_options(struct acp *c, const struct vy_json *options, struct agent_out *out);
void acp_offer_commands(struct acp *c, const struct vy_json *list, struct agent_out *out);

/* The agent is in this mode: said if it is one of ours, set back if not. */
/* It is in such a mode, and there is no way out: it is over. */
void acp_offer_asks_nobody(const struct acp *c, struct agent_out *out);
void acp_offer_mode(struct acp *c, struct vy_str id, struct agent_out *out);
void acp_offer_model(struct acp *c, struct vy_str model, struct agent_out *out);

/* AE_READY's json. Owned by the caller. */
struct vy_json *acp_offer_ready(const struct acp *c);

/* What the launch wanted is asked for, where the agent is not so already. */
void acp_offer_want(struct acp *c, struct agent_out *out);

/* AC_MODE, AC_MODEL, AC_EFFORT: asked for, or said that there is none. */
void acp_offer_choose(struct acp *c, const struct agent_command *cmd, struct agent_out *out);

#endif
