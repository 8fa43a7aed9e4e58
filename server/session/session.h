/* session.h -- one conversation with an agent: its record, its turn, its living process.
 *
 * The shell round the pure turn: it does the turn's effects in order and feeds back what comes of
 * them. Frames go to the log, commands through the runner, asks and the record to rows that commit
 * with the frames. Acts of people come from server/rpc, already judged (who, reach, schema);
 * what is wrong with them is a vy_err and nothing has changed.
 *
 * Sessions live in a table (table.h) and are freed with it. Loop thread only. */
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "server/provider/provider.h"
#include "server/session/record.h"
#include "server/session/turn.h"
#include "server/term/terms.h"
#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"

struct row_live;
struct runner_pids;
struct slots_item;
struct session;
struct table;

const char *session_id(const struct session *s);
const struct record *session_record(const struct session *s);

/* threads.get's answer: the record as it is now; owned by the caller. */
struct vy_json *session_json(struct session *s);
bool session_is_busy(const struct session *s);
bool session_is_live(const struct session *s);  /* it has a process */
bool session_is_spare(const struct session *s); /* it is nobody's yet (table_spare.c) */

/* ---- people's acts ---- */

struct session_say {
	struct vy_str message; /* a uuid; empty: one is made */
	struct vy_str text, author;
	struct vy_str reply_to, parent; /* messages of this session; empty: none */
	struct vy_str surface;          /* what it was said with, a label; empty: not known */
	const struct vy_json *images;   /* [{ref}], NULL */
	const struct vy_json *mentions; /* ["person:ID", "assistant:NAME"], NULL */
	const struct vy_json *enc; /* {alg, kid, ct}: a private message, in place of text; NULL */
	enum agent_when when;
};

/* {message, state, turn?, queued?, reason?}, with `replayed` for one that is here already; NULL on
 * failure. Without `turn` and `queued` nobody answers it: it stands in the log, and that is all. */
struct vy_json *session_say(struct session *s, const struct session_say *say, struct vy_err *e);
int session_edit(struct session *s, struct vy_str queued, struct vy_str text, struct vy_err *e);
struct vy_json *session_queued_text(
	const struct session *s, struct vy_str queued); /* owned; NULL */
int session_unqueue(struct session *s, struct vy_str queued, struct vy_err *e);
int session_send_now(struct session *s, struct vy_str queued, struct vy_err *e);
int session_move(struct session *s, struct vy_str queued, struct vy_str before, struct vy_err *e);
int session_release(struct session *s, struct vy_err *e);
int session_interrupt(struct session *s, bool *was_busy, struct vy_err *e);
int session_stop(struct session *s, int64_t grace_ms, struct vy_err *e);
int session_set_mode(struct session *s, struct vy_str mode, struct vy_err *e);
int session_set_model(struct session *s, struct vy_str model, struct vy_err *e);
void session_set_budget(struct session *s, double usd); /* 0: none */
bool session_is_spent(const struct session *s);         /* its budget is, so it is paused */
/* tokens: a budget, 0: the agent's own. VY_UNSUPPORTED where the agent cannot. */
int session_set_thinking(struct session *s, bool is_on, int64_t tokens, struct vy_err *e);
/* Out of the list of sessions, or in again; nothing else changes but that an idle agent may leave.
 * Not while a turn runs: VY_CONFLICT. */
int session_archive(struct session *s, bool is_archived, struct vy_err *e);
int session_kill_task(struct session *s, struct vy_str task, struct vy_err *e);
/* A line for the agent's memory file: the project's, in the session's folder, or the user's, below
 * the home; *path says which (static). VY_UNSUPPORTED where the agent has none. */
int session_remember(struct session *s, struct vy_str text, bool is_users, struct vy_str author,
	const char **path, struct vy_err *e);
/* A `!` command of a person: `term` (VY_UUID_LEN + 1) names it. Its end is a frame, as is all it
 * prints. VY_BUSY when as many as there may be run already. */
int session_shell(struct session *s, struct vy_str command, struct vy_str author, char term[],
	struct vy_err *e);
/* A person's login shell in its folder (server/term): `fn` as terms_open(). */
int session_term(struct session *s, unsigned cols, unsigned rows, struct vy_str asked,
	terms_opened_fn *fn, void *ctx, struct vy_err *e);
/* What a shell there says of a command, or a person typed: into the log, without its secrets; the agent
 * hears of it with the next message it is given. */
void session_term_marked(
	struct session *s, const struct term_facts *f, const struct marks_event *ev);
/* Ends all of them, -1: as a ctrl-c does; how many there were. */
size_t session_shells_end(struct session *s, int64_t grace_ms);
bool session_has_shell(const struct session *s);

/* ---- going back (life.md); each is checked whole before anything of it is done ---- */

struct session_back {
	struct vy_str message;       /* empty: the last of one's own words */
	struct vy_str who;           /* "person:ID" */
	struct vy_str text;          /* said in its place; empty: its own words (retry) */
	struct vy_str key;           /* of the call; empty: none */
	struct vy_str files, answer; /* session_files.c's own */
	struct vy_str uuid;          /* … under that id; empty: one is made */
};

/* {message, to, text, images?, redo: false}; NULL on failure. */
struct vy_json *session_rewind(struct session *s, const struct session_back *b, struct vy_err *e);
/* {message, to, redo: true}: the newest rewind is undone. VY_CONFLICT: there is none. */
struct vy_json *session_redo(struct session *s, struct vy_str who, struct vy_err *e);
/* The same with the files, once the agent said which: `fn` is called once with the answer (owned; `files` in
 * it) or with why not. is_dry: it only says what would be. VY_UNSUPPORTED: the agent keeps none. */
typedef void session_files_fn(void *ctx, struct vy_json *own_answer, const struct vy_err *why);
int session_rewind_files(struct session *s, const struct session_back *b, bool is_dry,
	session_files_fn *fn, void *ctx, struct vy_err *e);
/* The newest rewind put files back: its redo brings them again (or has, by that call's key). VY_CONFLICT: one was changed since. */
bool session_redo_has_files(const struct session *s, struct vy_str key);
int session_redo_files(struct session *s, const struct session_back *b, session_files_fn *fn,
	void *ctx, struct vy_err *e);
/* Goes back to a message and says it, or something else, anew: as session_say, with `of`. */
struct vy_json *session_retry(struct session *s, const struct session_back *b, struct vy_err *e);
/* {text, images?} of a message of this session; owned. */
struct vy_json *session_words(struct session *s, struct vy_str message, struct vy_err *e);
void session_forget_marks(struct session *s); /* it is deleted */

int session_rename(struct session *s, struct vy_str title, struct vy_err *e);
/* {ask, decision, by?, already?}; NULL on failure. */
struct vy_json *session_answer(struct session *s, const struct turn_answer *a, struct vy_err *e);
struct vy_json *session_queue(const struct session *s);
/* [{task, kind, text, status}]: what works in the background; owned. */
struct vy_json *session_tasks(const struct session *s);
/* {commands?, models?, fresh}: what its agent offers, or did when one of the kind was last started in
 * this folder (fresh: false); owned. */
struct vy_json *session_offer(const struct session *s);

/* What is asked of the agent beside its conversation: the answer is in no history. `fn` is called
 * once, perhaps from within a later act, with the answer or with why there is none (all lent). Any
 * time, also while a turn runs; an agent that rests is woken. VY_UNSUPPORTED where it cannot. */
enum session_query { SESSION_ASIDE, SESSION_TASK_OUTPUT };
struct session_reply {
	struct vy_str text;
	int64_t total; /* of a task's output, in bytes: text may be its end alone */
	bool is_cut;
};
typedef void session_reply_fn(void *ctx, const struct session_reply *r, const struct vy_err *why);
int session_ask(struct session *s, enum session_query what, struct vy_str text,
	session_reply_fn *fn, void *ctx, struct vy_err *e);
size_t session_ask_back(struct session *s, enum session_query what); /* how many there were */

/* The agent is to summarise what was said, with `hint`: as a message of the author, which waits while a turn runs.
 * As session_say(). */
struct vy_json *session_compact(
	struct session *s, struct vy_str hint, struct vy_str author, struct vy_err *e);
int session_set_effort(struct session *s, struct vy_str word, struct vy_err *e);

int session_tools_check(const struct vy_json *tools, struct vy_err *e); /* names, all of them */

/* The folder's trust changed: a resting session starts anew with it, the person was told. */
void session_trust_changed(struct session *s);

/* First process of a live agent; false while there is none. */
bool session_pids(const struct session *s, struct runner_pids *out);

/* Of its commands: fn is called with each. */
typedef void session_pids_fn(void *ctx, const struct session *s, const struct runner_pids *pids);
void session_shell_pids(const struct session *s, session_pids_fn *fn, void *ctx);

/* ---- for the table ---- */

/* It is deleted: all it has is ended at once. table_bury() is called when nothing is left of that,
 * perhaps from within. */
void session_delete(struct session *s);

struct session *session_new(struct table *t, struct record *own_record);
struct session *session_load(struct table *t, struct record *own_record, struct vy_json *turn,
	struct vy_err *e); /* NULL on failure; the record is freed then too. turn may be NULL
			    * while the log is read only */
/* May it have this one too? One agent, and a few commands. */
bool session_can_go_on(const struct session *s, const struct row_live *live);
/* Goes on with the process an earlier vyred started. */
void session_go_on(struct session *s, const struct row_live *live);
/* Read back without a process of its own: a turn that thinks it has one is ended as lost. */
void session_settle(struct session *s);
/* It has a slot at last, or stands elsewhere in the line. */
void session_slot_news(struct session *s, const struct slots_item *it);
void session_free(struct session *s); /* its agent lives on in the holder */
void session_pause(struct session *s, bool is_paused);
/* vyred ends: an agent with nothing to do is let go, one with a turn or an ask lives on. */
void session_drain(struct session *s);

#endif
