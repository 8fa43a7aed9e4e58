/* session_in.h -- the inside of a session, for session*.c alone (session.h is the contract).
 *
 * session.c does the effects and keeps the rows, session_start.c has the agent launched and hears
 * it, session_say.c is what people say, session_acts.c what else they do. */
#ifndef SESSION_IN_H
#define SESSION_IN_H

#include <stdio.h>
#include <sys/queue.h>

#include "server/session/live.h"
#include "server/session/rewind.h"
#include "server/session/runner.h"
#include "server/session/session.h"
#include "server/session/table.h"
#include "shared/base/arena.h"
#include "shared/base/mem.h"
#include "shared/model/message.h"

#define SESSION_MAGIC    0x53455353u
#define SESSION_SHELLS   4    /* `!` commands at once */
#define SESSION_GRACE_MS 1500 /* for an agent to leave by itself that rests */

struct session_asked;
struct session_shell;

struct session {
	VY_MAGIC;
	struct table *table;
	const struct table_conf *conf;
	struct record *record;
	struct turn *turn;
	struct session_files *files; /* who waits for files that go back; NULL */
	struct runner *runner;       /* NULL: no process */
	struct vy_timer *hello;      /* for its first answer; NULL: it came */
	int64_t hello_due;           /* on the boot clock */
	LIST_HEAD(session_shells, session_shell) shells; /* a person's commands that run */
	LIST_HEAD(session_askeds, session_asked) asked;  /* beside the conversation */
	struct vy_arena arena;
	struct effects fx;
	size_t at; /* effects done */
	bool is_running, is_dirty;
	bool is_spare;         /* nobody's yet: nothing of it is kept */
	bool is_spare_over;    /* and never will be anybody's */
	bool is_fresh;         /* it was one, and what a start says is still to be said */
	bool is_record_new;    /* something of the record changed that the turn does not know */
	bool is_other_way;     /* launch it the other way round than the turn would say */
	bool says_other_way;   /* it ended saying so */
	bool was_turned_round; /* for this start already: not once more */
	int use;               /* live.h, as the table was told; -1: whatever it is, it is news */
	int64_t waits_until;   /* for a limit to reset, as the table was told; 0: it does not */
	uint64_t turn_rev;     /* of the stored turn */
	uint8_t doc[VY_SHA256_LEN];          /* digest of the stored record */
	uint8_t doc_but_life[VY_SHA256_LEN]; /* of what of it is news (put_record) */
};

static inline struct vy_str session_str(const struct session *s)
{
	return vy_str_c(s->record->session);
}

#define SESSION_WHO_MAX 320

/* Who speaks for its agent: "assistant:claude". */
static inline void session_assistant(const struct session *s, char out[SESSION_WHO_MAX])
{
	snprintf(out, SESSION_WHO_MAX, "assistant:%s", s->record->provider);
}

/* Does the effects that have gathered, in order; from inside itself it leaves them to the outer. */
void session_run(struct session *s);
void session_touch(struct session *s);      /* its rows are staged once in this loop turn */
void session_take_facts(struct session *s); /* the record says what the turn knows */
void session_keep_offer(struct session *s, const struct vy_json *said); /* AE_READY's json */
/* Deleted: nothing of it goes on, and when nothing runs any more it is buried. */
bool session_is_over(struct session *s);

/* An ask about a change to a file says where in the file it stands, if that can be known from the
 * file, and `edit` goes (provider.h). */
/* A `screen` block of the driver's, whose picture is in it as b64: kept, and named by a ref. */
void session_keep_picture(struct session *s, struct vy_json *block);
void session_place(const struct session *s, struct vy_json *ask);

/* session_floor.c. FX_CHECK: the verdict goes back to the agent, with a slot where one is needed. */
void session_floor_check(struct session *s, struct effect *fx);
/* An ask whose call the floor denies is answered so, and nobody is asked. */
bool session_floor_refuses(struct session *s, const struct agent_event *ev);

/* session_slots.c. A call that starts a subagent (fx: FX_CHECK) was judged: true: it has a slot, or needs
 * none; false: it waits, and gets the verdict with its slot. */
bool session_slot_door(struct session *s, const struct effect *fx, const struct agent_command *c);
void session_slot_heard(struct session *s, const struct agent_event *ev);
/* session_rewind.c. A message, and all that is known of it. */
struct session_point {
	struct vy_arena mem;
	struct vy_message m;     /* revision 0: there is none */
	struct rewind_mark mark; /* `as` empty: none */
	bool is_bad;
};
void session_point_init(struct session_point *p);
void session_point_fini(struct session_point *p);
int session_point_find(
	struct session *s, struct vy_str message, struct session_point *p, struct vy_err *e);
int session_may_rewind(struct session *s, const struct session_back *b, struct vy_err *e);
/* What session_rewind() answers; nothing is done. */
struct vy_json *session_rewound_json(
	struct session *s, const struct session_back *b, struct vy_err *e);
int session_go_back(struct session *s, const struct session_back *b, struct vy_err *e);

/* session_files.c */
void session_tell_files(struct session *s); /* it is live: what waits is asked */
void session_files_heard(struct session *s, const struct vy_json *said);
void session_files_gone(struct session *s, bool is_again); /* is_again: it is started once more */
void session_files_over(struct session *s, const struct vy_json *v); /* FX_FILES */
void session_undo_over(struct session *s, struct vy_str name);       /* FX_UNDO_OVER */
void session_redo_go_on(void *ctx); /* a session: what was to be brought again when vyred died */
void session_files_left(struct session *s, const struct vy_err *why); /* unless it is begun */
void session_files_end(
	struct session *s); /* vyred ends: who waits is told, what is begun goes on */

/* session_rewind.c. What a copy of it begins with: what came before a message, or all of it (empty). */
struct session_origin {
	int64_t upto;            /* the last frame of it; INT64_MAX: all */
	struct rewind_mark mark; /* where its agent's history ends then; slices are `mem`'s */
	struct vy_str fork_of;   /* whose history that is; empty: nobody's, it begins anew */
};
int session_origin_of(struct session *s, struct vy_str message, struct vy_arena *mem,
	struct session_origin *out, struct vy_err *e);
/* session.c. A new one begins with that behind it. */
void session_begin_from(struct session *s, const struct turn_past *past);

/* session_rewind.c. Where the agent's history stood before it took that message. */
void session_keep_mark(struct session *s, struct vy_str message, struct vy_json *mark);
/* What the agent goes by: its own id, else the session's. */
static inline struct vy_str session_agent(const struct session *s)
{
	return s->record->agent_id ? vy_str_c(s->record->agent_id) : session_str(s);
}

/* session_tools.c */
bool session_tools_allow(const struct session *s, struct vy_str tool);
/* Of a session that the agent of s starts (NULL: a person does): none that s has not. Owned; NULL: all. */
struct vy_json *session_tools_handed_on(const struct session *s, const struct vy_json *asked);

/* session_budget.c. What its agent said of the cost may have spent the budget. */
void session_pay(struct session *s);
void session_pay_forget(struct session *s);
double session_budget_left(const struct session *s); /* 0: there is none, or nothing */

/* session_say.c. A frame may not hold all of a text: the whole is kept beside, under the message's id. */
void session_keep_whole(struct session *s, struct vy_str message, struct vy_str text);

/* ---- session_spare.c: for table_spare.c ---- */

/* Its agent is started, and what it is launched with added to `key`. */
void session_warm(struct session *s, struct vy_buf *key);
bool session_can_be_taken(const struct session *s);
/* What it would be launched with if that were its record; false: it could not be. */
bool session_key_as(struct session *s, struct record *r, struct vy_buf *key);
/* It is somebody's from now on: that is its record, under its own id. */
void session_take(struct session *s, struct record **own_r);
void session_end_spare(struct session *s);
/* session_start.c */
bool session_launch_key(struct session *s, struct vy_buf *key);
void session_tell_of_trust(struct session *s);

/* ---- session_life.c: for table_life.c ---- */

enum live_use session_use(const struct session *s);
bool session_is_finished(
	const struct session *s); /* a job that can rest and has nothing left to do */
bool session_wants(const struct session *s);
int64_t session_place_in_line(const struct session *s);
void session_rest(struct session *s, const char *reason);
void session_go(struct session *s);
void session_soon(struct session *s);
void session_waits(struct session *s, const char *reason, int64_t position, const char *note);

/* session_shell.c */
void session_shell_go_on(struct session *s, const struct row_live *live);
void session_shells_pause(struct session *s, bool is_paused);
void session_shell_tasks(const struct session *s, struct vy_json *list); /* adds them */
bool session_shell_kill(struct session *s, struct vy_str term);          /* false: none such */
void session_shells_free(struct session *s);

/* session_ask.c */
void session_tell_asked(struct session *s); /* the agent can be told */
void session_replied(struct session *s, const struct agent_event *ev);
/* The agent was gone before it had that answer: its row says so. */
void session_answer_lost(struct session *s, struct vy_str ask);
void session_asked_drop(struct session *s); /* nobody will answer */
/* It left the line for a process, or its vyred is another: whoever waits for its agent is told. */
void session_nobody_comes(struct session *s);
bool session_is_waited_for(
	const struct session *s);          /* something was asked beside the conversation */
void session_let_sleep(struct session *s); /* … and nothing is any more */

/* session_paid.c. This pays for the agent that is started now (a word of auth.h). */
void session_is_paid(struct session *s, const char *auth);
void session_tell_of_payer(struct session *s); /* once, when that is another than people know */
void session_limit_heard(
	struct session *s, struct vy_json *limit); /* {status, kind, used, resets_at} */
void session_limited(
	struct session *s, const struct agent_event *ev); /* AE_TURN_END with is_limit */

void session_start_agent(struct session *s);
/* From now on its agent has VY_HELLO_MS to answer the handshake, if it has not. */
void session_await_hello(struct session *s);
struct runner_conf session_runner_conf(struct session *s, const struct provider_ops *driver);

#endif
