/* acp_block.h -- what a call of an ACP agent gave back, as a block of the wire (wire 11): a
 * terminal's output, what an edit changed, a text. Cut to what a frame holds. Pure. */
#ifndef PROVIDER_ACP_BLOCK_H
#define PROVIDER_ACP_BLOCK_H

#include "server/provider/acp_state.h"

/* Keeps what an update says of the result: `content` replaces, a terminal's delta is appended.
 * True when there is new output to be shown. */
bool acp_block_take(
	struct acp *c, struct acp_call *call, const struct vy_json *update, struct vy_arena *a);

int64_t acp_block_exit(const struct acp_facts *f, const struct vy_json *update); /* -1: not said */

/* Owned by the caller. */
struct vy_json *acp_block_of(const struct acp *c, const struct acp_call *call, int64_t exit_code,
	bool failed, struct vy_arena *a);
struct vy_json *acp_block_text(struct vy_str text);

struct vy_str acp_block_tail(struct vy_str text); /* the end of it, as much as progress shows */

#endif
