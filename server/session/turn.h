/* turn.h -- what a session does next: the pure heart between people and an agent.
 *
 * A turn value holds where the process and the turn stand, the words on their way to the agent,
 * and what the agent has open (blocks, tools, asks). People's acts and the agent's events go in;
 * what comes out is a list of effects in order: frames for the log, commands for the driver,
 * process starts and ends, ask rows. It does none of them. No fd, no clock, no randomness: time
 * comes in, ids are derived from a salt that the session was born with, so a run that is cut at
 * any point and goes on from its encoded state makes the same frames.
 *
 * Promises: a word leaves only by a frame that says so; a tool that was started is finished
 * exactly once; every turn's last frame is `status waiting`; several asks may be open, and the
 * turn is asking exactly while one is. Loop thread; no errors but bad acts, which change nothing.
 */
#ifndef TURN_H
#define TURN_H

#include <stdbool.h>
#include <stdint.h>

#include "server/provider/provider.h"
#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/frame/frame.h"

struct rewind;
struct rewind_step;
struct turn;
struct vy_queue_item;

/* ---- effects ------------------------------------------------------------------------------ */

enum effect_kind {
	FX_FRAME,   /* frame: into the log (cursor, id, session and time are given there) */
	FX_COMMAND, /* command: through the driver to the agent */
	FX_WANT,   /* it wants a process: turn_go() when it may have one, turn_waits() until then */
	FX_UNWANT, /* not any more */
	FX_START,  /* start the agent's process; turn_started() or turn_gone() follows */
	FX_END,    /* let the agent leave; kill its tree when `grace_ms` is over */
	FX_CHECK,  /* judge a tool call by the floor rules: command.request, text = tool, json =
		       * input; ask = the call when it starts a subagent; the judgement goes back to the agent as AC_CHECKED */
	FX_ASK_OPEN,   /* ask, json: the row of an ask that is open now */
	FX_ASK_CLOSED, /* ask, json: its row; text = decision, by */
	FX_ASK_LOST,   /* ask: it was answered, and the agent was gone before it had the answer */
	FX_MARK,       /* text = a message; json = {as, at, chapter}: its mark (rewind.h) */
	FX_FILES, /* json = {pending, said?}: what was pending is over, the agent having said that
			* (AE_FILES), or, without, being gone */
	FX_UNDO_OVER /* text = the name of kept files that nobody can bring again any more */
};

struct effect {
	enum effect_kind kind;
	struct vy_frame frame;
	struct agent_command command;
	struct vy_str ask, text, by;
	struct vy_json *json; /* owned by the list */
	int64_t grace_ms;
	bool is_rest; /* FX_END: it comes back; what it left running may go on */
};

/* Strings live in the arena; the list is emptied by effects_clear, which keeps its memory. */
struct effects {
	struct vy_arena *arena;
	struct effect *v;
	size_t n, cap;
};

void effects_init(struct effects *fx, struct vy_arena *arena);
void effects_clear(struct effects *fx);
void effects_fini(struct effects *fx);
/* One more, zeroed; lent until the next is added. */
struct effect *effects_add(struct effects *fx, enum effect_kind kind);

/* ---- life --------------------------------------------------------------------------------- */

/* `salt` is secret and random: ask ids are made from it. `assistant` is the author of what the
 * agent says ("assistant:claude"). */
struct turn *turn_new(struct vy_str session, struct vy_str salt, struct vy_str assistant);
void turn_free(struct turn *t);
struct vy_json *turn_encode(const struct turn *t); /* owned by the caller; has a version */
struct turn *turn_decode(const struct vy_json *v, struct vy_err *e);
uint64_t turn_rev(const struct turn *t); /* grows whenever the encoded value changes */

/* ---- people's acts: 0, or -1 with a reason and nothing changed ------------------------------ */

struct turn_say {
	struct vy_str message; /* a uuid */
	struct vy_str text, author;
	struct vy_str reply_to, parent;
	struct vy_str surface;          /* what it was said with, a label; empty: not known */
	const struct vy_json *images;   /* [{ref, mime}], NULL */
	const struct vy_json *mentions; /* who else is to look: turn_mention(); NULL */
	const struct vy_json *enc;      /* turn_post() alone: in place of text; NULL */
	enum agent_when when;
	bool has_no_place; /* it would have to wait for a process: it stands in the queue until then */
	int64_t now_ms;
};

int turn_say(struct turn *t, const struct turn_say *say, struct effects *fx, struct vy_err *e);
/* What nobody answers: a frame. The turn does not know of it, so no agent ever will. */
void turn_post(struct turn *t, const struct turn_say *say, struct effects *fx);
void turn_mention(
	struct turn *t, const struct turn_say *say, struct effects *fx); /* a frame, or none */
/* A word that has its turn already is no more in the queue: VY_CONFLICT. Of one the agent was told
 * but has not taken, edit and unqueue ask it to give it back first; the frames say how that
 * ended. */
int turn_edit(struct turn *t, struct vy_str queued, struct vy_str text, struct effects *fx,
	struct vy_err *e);
int turn_unqueue(struct turn *t, struct vy_str queued, struct effects *fx, struct vy_err *e);
int turn_send_now(struct turn *t, struct vy_str queued, struct effects *fx, struct vy_err *e);
int turn_move(struct turn *t, struct vy_str queued, struct vy_str before, struct effects *fx,
	struct vy_err *e);
int turn_release(struct turn *t, struct effects *fx, struct vy_err *e);
int turn_interrupt(struct turn *t, struct effects *fx, struct vy_err *e);
int turn_stop(struct turn *t, int64_t grace_ms, struct effects *fx, struct vy_err *e);

/* Its process is there, or is asked for without a word to tell. True: it can be told things now. */
bool turn_wake(struct turn *t, struct effects *fx);
/* Nobody waits any more for what it was woken for: it leaves the line, unless a word has it wait too. */
void turn_unwake(struct turn *t, struct effects *fx);
/* The budget is spent, `why` in a sentence: no turn begins, what waits stays as it is; `why` empty: it is
 * not any more, and it goes on. A turn that runs is ended by turn_spent_cut(), unless it ends. */
void turn_spent(struct turn *t, struct vy_str why, struct effects *fx);
void turn_spent_cut(struct turn *t, struct effects *fx);
bool turn_is_spent(const struct turn *t);

/* Lets an idle agent go; it comes back with the next word. Nothing when turn_can_rest() says no.
 * `reason`: idle, restart or rewind; or done, of a job that is finished with it. */
void turn_rest(struct turn *t, const char *reason, int64_t grace_ms, struct effects *fx);
/* It is there, is not busy, has nothing to take in, and does not work in the background. */
bool turn_can_rest(const struct turn *t);

/* Whoever gives out places answers FX_WANT with one of these; without a wish all are nothing. */
void turn_go(struct turn *t, struct effects *fx); /* it may have its process */
/* Its process is wanted before any word is there: nobody is told. */
void turn_warm(struct turn *t, struct effects *fx);
void turn_soon(struct turn *t, struct effects *fx); /* as soon as another has left */
/* reason: live-cap, slots, or elsewhere */
void turn_waits(
	struct turn *t, const char *reason, int64_t position, const char *note, struct effects *fx);
/* Words that somebody may be given who has the conversation open: the first that wait and are text alone,
 * `max` bytes together at most. Their ids are added to the array, the words to `text`. */
size_t turn_to_hand(
	const struct turn *t, size_t max, struct vy_json *messages, struct vy_buf *text);
/* That word was given to them: it is the queue's no more. False: it does not wait (any more). */
bool turn_handed(struct turn *t, struct vy_str message, struct effects *fx);
/* Out of the line: what waits stays in the queue, held. */
void turn_leave_line(struct turn *t, struct effects *fx);

struct turn_answer {
	struct vy_str ask, decision, by, text;
	const struct vy_json *json; /* {answers, always, mode, stop} as asked; NULL */
};

/* What was answered, and by whom; `already` when that was before, perhaps otherwise. Borrowed from
 * the answer or the turn. */
struct turn_outcome {
	struct vy_str decision, by;
	bool already;
	bool is_lost; /* the agent was gone before it had the answer */
};

int turn_answer(struct turn *t, const struct turn_answer *a, struct turn_outcome *out,
	struct effects *fx, struct vy_err *e);
int turn_mode(struct turn *t, struct vy_str mode, struct effects *fx, struct vy_err *e);
int turn_model(struct turn *t, struct vy_str model, struct effects *fx, struct vy_err *e);
/* thinking: on, off, or a number of tokens. */
int turn_thinking(struct turn *t, struct vy_str how, struct effects *fx, struct vy_err *e);
/* A word of the agent's, for how hard it tries; empty: as it likes. */
int turn_effort(struct turn *t, struct vy_str word, struct effects *fx, struct vy_err *e);
int turn_kill_task(struct turn *t, struct vy_str task, struct effects *fx, struct vy_err *e);
/* Something the agent is to know with the next message it is given, and that is no part of it. */
void turn_add_context(struct turn *t, struct vy_str text);
void turn_note(struct turn *t, const char *note, struct effects *fx);     /* a quiet line */
void turn_title(struct turn *t, struct vy_str title, struct effects *fx); /* it has a name now */
/* A line of ours at an open call, in the place of what it said; empty takes it away. */
void turn_tool_says(struct turn *t, struct vy_str tool, struct vy_str text, struct effects *fx);

/* ---- going back (rewind.h); who asks has checked the message ---- */

struct turn_back {
	struct vy_str message, author;
	struct vy_str agent, fork_of,
		at;                /* the history it will have: a copy of fork_of up to there; at
					  * empty: one anew */
	struct vy_str agent_now;   /* the history as it is */
	struct vy_str files;       /* rewind_step.files */
	struct vy_str key, answer; /* rewind.key, .answer */
	int64_t to, head; /* what is behind frame `to` is folded away; the newest frame now */
};

/* 0 when nobody works and nothing is on its way to the agent; else VY_CONFLICT. */
int turn_may_go_back(const struct turn *t, bool may_start, struct vy_err *e);
/* The agent rests, its next start goes back. After turn_may_go_back(). */
void turn_go_back(struct turn *t, const struct turn_back *b, struct effects *fx);
/* The agent puts the files back, then FX_FILES: nothing begins meanwhile. `pending` is given back with
 * it; with a member `redo` it is not the agent's to do, and the caller ends it by turn_files_over(). Of a
 * live agent, after turn_may_go_back(). */
void turn_put_files(
	struct turn *t, struct vy_str as, const struct vy_json *pending, struct effects *fx);
void turn_files_over(struct turn *t, struct effects *fx);
const struct vy_json *turn_pending(const struct turn *t); /* NULL: nothing */
/* The newest way back again; NULL: there is none. Borrowed until the next change. */
const struct rewind_step *turn_redo_step(const struct turn *t);
/* Takes it, as above. */
void turn_redo(struct turn *t, struct vy_str author, struct effects *fx);
/* What that call was answered, for who asks again with its key: nobody may have heard it. */
void turn_back_answered(struct turn *t, struct vy_str key, struct vy_str answer);
/* A new turn value is a copy's: it goes on where another one was. */
struct turn_past {
	struct vy_str at, fork_of, mode, model, thinking;
	int64_t chapter, number, messages;
	bool is_taken; /* the agent has it: it is resumed, not made a copy of */
};
void turn_begin_from(struct turn *t, const struct turn_past *past);
/* Of one that is idle: more was said elsewhere meanwhile, up to that turn. mark empty: as it was. */
void turn_went_on(struct turn *t, int64_t number, int64_t messages, struct vy_str mark);
const struct rewind *turn_rewind(const struct turn *t);

/* ---- the agent's side ------------------------------------------------------------------------ */

void turn_started(struct turn *t, struct effects *fx); /* the process is there */
void turn_heard(struct turn *t, const struct agent_event *ev, struct effects *fx);
/* The answer of that ask is on its way to the agent, as this tell of its runner. */
void turn_answer_told(struct turn *t, struct vy_str ask, int64_t seq);
/* The process is no more, and its tells from `seq` on never arrived: the answers among them are lost,
 * which is said. Before turn_gone() or turn_again(). */
void turn_untold(struct turn *t, int64_t seq, struct effects *fx);
/* The process is no more, or could not be started: `why` in a sentence, empty for a wanted end. */
void turn_gone(struct turn *t, struct vy_str why, struct effects *fx);

/* What shall come of a turn that ended by the limit of what pays for its agent. */
struct turn_limit {
	bool goes_on; /* something else pays: its process is ended, the next one is told again */
	struct vy_str note; /* what is said of it, once */
	int64_t until;      /* wall ms: when the limit resets */
};

/* AE_TURN_END with is_limit, in the place of turn_heard(). No word is lost: what the turn's agent took
 * is told again, in the same turn, or waits, held, before all else. */
void turn_limited(struct turn *t, const struct agent_event *ev, const struct turn_limit *l,
	struct effects *fx);

/* The process ended because it was launched the wrong way round (AE_OTHER_WAY): it is started once
 * more, and what was told is told again. One that was to end anyway is gone. */
void turn_again(struct turn *t, struct effects *fx);

/* The process that FX_START asked for never came to be, nothing was told to it: it is asked for once
 * more, and nobody sees a difference. */
void turn_unborn(struct turn *t, struct effects *fx);

/* ---- what others may know --------------------------------------------------------------------- */

const char *turn_state(const struct turn *t); /* the record's word: idle running waiting … */
int64_t turn_number(const struct turn *t); /* of the running turn, else of the last; 0: none yet */
int64_t turn_messages(const struct turn *t); /* of the assistant so far; subagents' not counted */
struct vy_str turn_mode_get(const struct turn *t);
struct vy_str turn_model_get(const struct turn *t);
struct vy_str turn_thinking_get(const struct turn *t);
struct vy_str turn_effort_get(const struct turn *t);
bool turn_is_busy(const struct turn *t);        /* a turn runs or an ask is open */
bool turn_has_process(const struct turn *t);    /* starting, live or stopping */
const char *turn_process(const struct turn *t); /* absent, starting, live, stopping */
const char *turn_reason(const struct turn *t);  /* why it rests, failed or waits; NULL */
bool turn_wants(const struct turn *t);          /* a process */
int64_t turn_place(const struct turn *t);       /* in the line for one, from 1; 0: in none */
/* Its process is there, or on its way, and has not answered the handshake. */
bool turn_is_unready(const struct turn *t);
bool turn_waits_for_slot(const struct turn *t);  /* that is the line of teammates */
bool turn_waits_elsewhere(const struct turn *t); /* for another that has its conversation open */
bool turn_is_taken(const struct turn *t);        /* the agent has taken a turn: it can be resumed */
bool turn_is_held(const struct turn *t);
bool turn_is_stopping(const struct turn *t); /* its process is on its way out, for good or a rest */
/* A word the agent has not taken; `has_turn` when one was begun for it, so that it is not in the
 * queue as people see it. Borrowed until the next change; NULL: there is none. */
const struct vy_queue_item *turn_find(const struct turn *t, struct vy_str message, bool *has_turn);
int64_t turn_until(const struct turn *t); /* held by a limit that resets then; 0: by none */
size_t turn_queued(const struct turn *t);
size_t turn_asks(const struct turn *t);
struct vy_json *turn_queue_json(const struct turn *t); /* threads.queue's answer; owned */
struct vy_json *turn_facts(const struct turn *t); /* {usage, context, tasks, commands}; owned */

/* The rule for what waits after an interrupt: queue_after_interrupt=go. */
void turn_set_goes_on(struct turn *t, bool goes_on);

#endif
