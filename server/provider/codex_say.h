/* codex_say.h -- the lines the codex driver tells its agent (codex-acp.md A2 to A6).
 *
 * Each function appends whole lines to out->tell. Requests of ours have numbers of their own; codex
 * answers them in any order. Pure. */
#ifndef PROVIDER_CODEX_SAY_H
#define PROVIDER_CODEX_SAY_H

#include "server/provider/codex_state.h"

/* default, acceptEdits, plan */
bool codex_mode_is_ours(struct vy_str mode);

void codex_say_hello(struct codex *c, const struct agent_command *cmd, struct agent_out *out);
/* What comes behind the answer to it: the account, the models, and the thread of this session. */
void codex_say_begin(struct codex *c, struct agent_out *out);
void codex_say_start(struct codex *c, struct agent_out *out); /* a thread of its own */

/* A turn of its own, or into the one that runs: turn/start does both (A4), and unlike turn/steer it
 * cannot come too late. One that is to wait is kept, and told by codex_say_held(). */
void codex_say_message(struct codex *c, const struct agent_command *cmd, struct agent_out *out);
/* What a person said beside an answer: of the turn that runs, or of one that begins with it. */
void codex_say_words(struct codex *c, struct vy_str text, struct agent_out *out);
/* A copy of the thread that is kept nowhere; the question to it; no more of it. */
void codex_say_copy(struct codex *c, struct vy_str name, struct agent_out *out);
void codex_say_aside(struct codex *c, struct vy_str thread, struct vy_str name,
	struct vy_str question, struct agent_out *out);
void codex_say_leave(
	struct codex *c, struct vy_str thread, struct vy_str turn, struct agent_out *out);
void codex_say_held(struct codex *c, struct agent_out *out); /* the first that waits, if any */
void codex_say_take_back(struct codex *c, struct vy_str uuid, struct agent_out *out);
void codex_came_back(struct codex *c, struct codex_said *s, struct agent_out *out);

void codex_say_interrupt(struct codex *c, struct agent_out *out);
void codex_say_clean(struct codex *c, struct agent_out *out); /* ends what still runs */
void codex_say_kill(struct codex *c, struct vy_str task, struct agent_out *out);

/* The mode with what the thread has beside it, or one of these anew. */
void codex_say_mode(struct codex *c, struct vy_str mode, struct agent_out *out);
void codex_say_model(struct codex *c, struct vy_str model, struct agent_out *out);
void codex_say_effort(struct codex *c, struct vy_str word, struct agent_out *out);

/* `raw`: the request's id as codex wrote it. The result is borrowed. */
void codex_respond(struct agent_out *out, struct vy_str raw, const struct vy_json *result);
void codex_respond_error(struct agent_out *out, struct vy_str raw, const char *why);

#endif
