/* turn_state.h -- the inside of a turn, for turn*.c alone (turn.h is the contract). */
#ifndef TURN_STATE_H
#define TURN_STATE_H

#include "server/session/rewind.h"
#include "server/session/turn.h"
#include "shared/base/limits.h"
#include "shared/model/queue.h"
#include "shared/model/state.h"

#define TURN_CONTEXT_MAX (96 * VY_KIB) /* what came first goes first */
#define TURN_OVER_CALLS  32            /* calls that ended, remembered: none begins twice */
#define TURN_CLOSED      64 /* closed asks remembered, so that a late answer gets a true reply */

/* `outlives`: of a subagent, or in the background: the end of the turn leaves it open. */

struct open_block {
	char *message;
	int64_t index;
	bool outlives;
};

struct open_tool {
	char *id;
	bool outlives;
};

struct open_ask {
	char *ask, *request;
	struct vy_json *json; /* the row: {ask, session, kind, tool, summary, detail, options, …} */
	bool outlives;
};

struct closed_ask {
	char *ask, *decision, *by;
	int64_t told; /* the tell that carries the answer (runner.h); 0: none is on its way */
	bool is_lost; /* the agent was gone before it had it */
};

/* What a person wants of a word that the agent was told and must first give back. */
enum wish { WISH_NONE, WISH_DROP, WISH_EDIT };

struct told_word {
	char *message;
	unsigned taken_back; /* the uuid it is told with changes with it (wire 5) */
	bool is_recalled;    /* we asked for it; what comes back by itself is held */
	bool is_unseen;      /* so it waits, and people were not told: to them the agent has it */
	bool is_again;       /* it was taken before, and limited: its mark is where it was then */
	enum wish wish;
	char *text;    /* WISH_EDIT */
	char *context; /* what it is told beside it; kept until it is taken */
};

/* What a process is waited for: a place among the living, a slot of teammates (before that), the end of
 * another that has the conversation open (before both). */
enum turn_line { TURN_LINE_LIVE, TURN_LINE_SLOT, TURN_LINE_ELSEWHERE };

enum turn_line turn_line_of(const char *reason);
const char *turn_line_word(enum turn_line line);

struct turn {
	char *session, *salt, *assistant;
	uint64_t rev;
	bool goes_on;

	enum vy_process process;
	enum vy_turn turn;
	enum vy_record end; /* how it rests: IDLE, STOPPED, FAILED */
	int64_t n;          /* turns so far; the running one's number */
	int64_t step;       /* tool boundaries passed in this turn */
	int64_t messages; /* of the assistant's own, in all turns: what unread counts are made of */
	bool is_announced; /* `status working` of this turn is out */
	bool is_interrupting, is_taken_once;
	bool is_crossed; /* the agent began by itself just as we did: the turn is its own */
	bool is_late;    /* its word was to steer another turn, which was over first */
	bool is_aside;   /* the agent is in no turn: this one is there for its asks alone */
	bool is_ready;   /* its process has answered the handshake */
	bool is_woken;   /* its process was asked for without a word to tell */
	bool is_resting; /* its process is let go for a while; that is no stop */
	bool wants;      /* a process, and has no place for one yet */
	bool is_warm;  /* its process was there before its first word: that it began is not said */
	bool is_soon;  /* it gets one in a moment: that is said as "starting" */
	int64_t place; /* in the line for one, as it was said; 0: in none */
	enum turn_line line;  /* which line that is */
	char *reason;         /* why it rests, or failed; NULL: it does not */
	char *first;          /* the message this turn is for, until the agent took it */
	bool is_first_queued; /* it waited: its receipt is picked-up, not sent */
	char *broken;         /* why the agent cannot go on; its end is under way */
	char *spent; /* no turn begins: the budget is spent, in a sentence; NULL: it is not */

	bool is_switching; /* its process ends so that one paid otherwise goes on with the turn */
	int64_t switched;  /* how often that was so */
	int64_t until;     /* held by a limit that resets then (wall ms); 0: by none */

	struct vy_queue queue;
	char *before; /* where the agent's history stood before the first of `spoken`; NULL: not known */
	struct vy_queue spoken; /* what the running turn's agent took, in order: it may have to be
				 * told again */
	struct told_word *words;
	size_t n_words, cap_words;
	struct open_block *blocks;
	size_t n_blocks, cap_blocks;
	struct open_tool *tools;
	size_t n_tools, cap_tools;
	int64_t over_calls[TURN_OVER_CALLS]; /* hashes of their ids, a ring */
	size_t n_over_calls;
	struct open_ask *asks;
	size_t n_asks, cap_asks;
	struct closed_ask closed[TURN_CLOSED]; /* a ring */
	size_t n_closed;

	char *context; /* for the next word that is told; NULL: nothing */
	char *mode, *model;
	char *thinking; /* on, off, or a budget in tokens; NULL: as the agent likes */
	char *effort;   /* a word of the agent's; NULL: as it likes */
	bool is_mode_due,
		is_model_due; /* changed while the agent started: it was launched without */
	bool is_unpriced;     /* it tells no money */
	double cost_seen,
		cost_before; /* as the agent said last; what it said before it began anew */
	struct vy_json *usage, *tasks, *commands; /* NULL: not known */
	struct rewind rewind; /* where the agent's history stands; what can be redone */
};

/* ---- effects ---- */

/* A frame by the assistant, of the turn that runs or is about to; between turns (what works in the
 * background goes on) it is of none. Its data is still empty. */
struct vy_frame *fx_frame(struct turn *t, enum vy_kind kind, struct effects *fx);
struct agent_command *fx_command(struct turn *t, enum agent_command_kind kind, struct effects *fx);
struct vy_frame *fx_status(struct turn *t, enum vy_state state, struct effects *fx);
/* Of the turn that just ended: its last words. */
struct vy_frame *fx_status_last(struct turn *t, enum vy_state state, struct effects *fx);
/* Of the session, not of a turn. */
struct vy_frame *fx_status_apart(struct turn *t, enum vy_state state, struct effects *fx);
/* The state frame of where the machines stand now, for a note, a mode, a hold. */
struct vy_frame *fx_status_now(struct turn *t, struct effects *fx);
struct vy_frame *fx_user(
	struct turn *t, const struct vy_queue_item *it, const char *state, struct effects *fx);
/* It stands in the queue, and there: at its place among what people see. */
void fx_queued_at(struct turn *t, const struct vy_queue_item *it, struct effects *fx);
/* That waits which people do not see waiting (told_word.is_unseen). */
void turn_show_unseen(struct turn *t, struct effects *fx);
struct vy_str fx_keep(struct effects *fx, struct vy_str s);
struct vy_str fx_keep_json(struct effects *fx, const struct vy_json *v);

/* ---- moves ---- */

void turn_set(char **at, struct vy_str value); /* empty: NULL */
void turn_move_process(struct turn *t, enum vy_process to);
void turn_move_turn(struct turn *t, enum vy_turn to);
void turn_begin(struct turn *t, struct vy_str first, bool was_queued);
void turn_announce(struct turn *t, struct vy_str origin, struct effects *fx);
/* Closes what is open: blocks done, tools canceled, asks withdrawn. `all` takes what outlives a
 * turn too. */
void turn_close_open(struct turn *t, bool all, struct effects *fx);
void turn_withdraw_asks(struct turn *t, bool all, struct effects *fx);
void turn_say_spent(struct turn *t, struct effects *fx); /* it is, and no turn runs: paused */
void turn_drop_tool(struct turn *t, size_t i);
bool turn_was_called(const struct turn *t, struct vy_str id); /* one that has ended */
void turn_drop_block(struct turn *t, size_t i);
void turn_close_block(struct turn *t, size_t i, struct effects *fx); /* it is done */
void turn_close_ask(
	struct turn *t, size_t i, struct vy_str decision, struct vy_str by, struct effects *fx);

void turn_say_thinking(struct turn *t, struct effects *fx); /* to the agent */
/* Nothing waits that could go: no process is wanted. */
void turn_check_want(struct turn *t, struct effects *fx);
void turn_say_effort(struct turn *t, struct effects *fx);
/* Nothing works in the background any more: its process is gone. */
void turn_drop_tasks(struct turn *t, struct effects *fx);

#define TURN_LINE_MAX 4000 /* a summary, a note: one line for a person */

/* The longest piece of `s` that is at most `max` bytes and ends between characters. */
struct vy_str turn_cut(struct vy_str s, size_t max);

/* ---- the agent's events, where they are not in turn_agent.c ---- */

void turn_on_ask(struct turn *t, const struct agent_event *ev, struct effects *fx);
void turn_on_ask_gone(struct turn *t, const struct agent_event *ev, struct effects *fx);
void turn_on_check(struct turn *t, const struct agent_event *ev, struct effects *fx);
void turn_on_taken(struct turn *t, const struct agent_event *ev, struct effects *fx);
void turn_on_came_back(struct turn *t, const struct agent_event *ev, struct effects *fx);
void turn_on_turn_begin(struct turn *t, const struct agent_event *ev, struct effects *fx);
void turn_on_turn_end(struct turn *t, const struct agent_event *ev, struct effects *fx);
void turn_on_files(struct turn *t, const struct agent_event *ev, struct effects *fx);
void turn_files_lost(struct turn *t, struct effects *fx); /* its process is gone */
void turn_redo_over(struct turn *t, struct effects *fx);  /* it took a word */
void turn_on_mark(struct turn *t, const struct agent_event *ev, struct effects *fx);
/* It took that one. `was_taken`: others before it. */
void turn_mark_word(struct turn *t, struct vy_str message, const struct agent_event *ev,
	bool was_taken, struct effects *fx);
void turn_on_broken(struct turn *t, const struct agent_event *ev, struct effects *fx);

/* Anything the agent does outside a turn we began is a turn of its own. */
void turn_ensure_running(struct turn *t, struct effects *fx);
/* What the end of a turn says of it, before it is over. */
void turn_settle(struct turn *t, const struct agent_event *ev, struct effects *fx);
/* The agent took it: it is the queue's no more, and kept until the turn is over. */
void turn_took(struct turn *t, struct vy_str message);
/* What it says while it is let go for that: nobody is to see it, but the names of its words are spent. */
void turn_heard_leaving(struct turn *t, const struct agent_event *ev);
/* The process that had reached its limit is gone: on with the next. False: that is not why. */
bool turn_switched(struct turn *t, struct effects *fx);
/* The running turn is over and the agent lives on. */
void turn_over(struct turn *t, enum agent_outcome outcome, struct vy_str why, struct effects *fx);
/* … for a reason of its own, when it failed. */
void turn_over_for(struct turn *t, enum agent_outcome outcome, const char *reason,
	struct vy_str why, struct effects *fx);
/* A turn for asks that come, or stay open, while the agent is in none; it ends with the last. */
void turn_begin_aside(struct turn *t, struct effects *fx);
void turn_asked_all(struct turn *t, struct effects *fx); /* an ask is closed: was it the last? */
/* The call has ended: what was asked about it is settled, whoever did that. */
void turn_settle_asks(struct turn *t, struct vy_str tool, struct effects *fx);

/* ---- words on their way: turn_words.c ---- */

struct told_word *turn_word(struct turn *t, struct vy_str message, bool make);
void turn_word_drop(struct turn *t, struct vy_str message);
/* The message will not be told: what was to go with it goes with the next one. */
void turn_context_back(struct turn *t, struct vy_str message);
void turn_uuid(struct turn *t, struct vy_str message, char out[]); /* VY_UUID_LEN + 1 */
bool turn_any_told(const struct turn *t);
void turn_pump(struct turn *t, struct effects *fx); /* hands on what may be handed on */
/* `first` is in the queue again, at its old place: its turn is over, or never was its own. */
void turn_give_back_first(struct turn *t, struct effects *fx);
/* The agent is no more: all it was told waits again, as people wished meanwhile. */
void turn_all_came_back(struct turn *t, struct effects *fx);
/* An empty queue is not held; said, so that screens know. */
void turn_let_go(struct turn *t, struct effects *fx);

#endif
