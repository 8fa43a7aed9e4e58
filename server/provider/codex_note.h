/* codex_note.h -- what codex tells about itself, in the house's shapes and sentences: models, usage,
 * the plan's limits, retries, why a turn failed, how it ended. Pure. */
#ifndef PROVIDER_CODEX_NOTE_H
#define PROVIDER_CODEX_NOTE_H

#include "server/provider/codex_state.h"

struct vy_json *codex_note_ready(const struct codex *c); /* json of AE_READY; owned */
/* Keeps of model/list what AE_READY and an effort that is given back need. */
void codex_note_models(struct codex *c, const struct vy_json *result);

void codex_note_usage(struct codex *c, const struct vy_json *usage, struct agent_out *out);
/* Sparse: what is null is not known, and stands as it was (A5). */
void codex_note_limits(struct codex *c, const struct vy_json *limits, struct agent_out *out);

/* A retry, as one quiet line. */
struct vy_str codex_note_retry(const struct vy_json *error, struct vy_arena *a);
/* Why a turn failed (A7), and whether what pays has reached its limit. */
struct vy_str codex_note_why(
	const struct codex *c, const struct vy_json *error, bool *is_limit, struct vy_arena *a);
struct vy_str codex_note_exit(const struct codex *c, int status, int signo, struct vy_arena *a);

void codex_note(struct agent_out *out, const char *text); /* text in the arena or static */

#endif
