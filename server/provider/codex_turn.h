/* codex_turn.h -- the turn of codex (codex-acp.md A4): how it begins, what it takes, how it ends.
 *
 * A message of ours is taken when its item comes; what a turn was to take and did not comes back when
 * it ends, and what is open then is closed. Pure. */
#ifndef PROVIDER_CODEX_TURN_H
#define PROVIDER_CODEX_TURN_H

#include "server/provider/codex_state.h"

void codex_turn_started(struct codex *c, const struct vy_json *params, struct agent_out *out);
void codex_turn_completed(struct codex *c, const struct vy_json *params, struct agent_out *out);
/* Ends what is open; the turn, when there is one. Also at the end of the process. */
void codex_turn_end(struct codex *c, enum agent_outcome outcome, struct vy_str why, bool is_limit,
	struct agent_out *out);
/* A message that codex refused: a turn of its own says why. */
void codex_turn_refused(
	struct codex *c, struct codex_said *s, struct vy_str why, struct agent_out *out);
/* The item of a person's message: by the name we gave it; by its place among those that were told,
 * where codex gives none back. */
void codex_turn_takes(struct codex *c, const struct vy_json *item, struct agent_out *out);

#endif
