/* table.h -- all sessions of this vyred: find, start, list, bring back at boot.
 *
 * A session is read from the store when it is first asked for and then stays. Everything a session
 * needs of the house (log, config, sockets, secrets) is given here once, as callbacks, so the room
 * knows none of those who provide it. Loop thread only. */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/guard/rules.h"
#include "server/provider/provider.h"
#include "server/session/defaults.h"
#include "server/session/elsewhere.h"
#include "server/session/session.h"
#include "server/session/slots.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"

struct agent_user;
struct attic;
struct log;
struct observe;
struct table;
struct terms;
struct vy_clock;
struct vy_loop;

/* [sessions] max_live, idle_minutes, warm_spare as they are now. */
struct table_life {
	int64_t max_live; /* 0: any number */
	int64_t idle_ms;  /* 0: never */
	bool has_spare;
};

struct table_conf {
	struct vy_loop *loop;
	struct log *log;
	const struct vy_clock *clock;
	struct terms *terms;     /* NULL: there are none */
	struct observe *observe; /* NULL: what is said to agents is not shown */
	struct attic *attic;     /* NULL: other programs' sessions are not for this server */
	const char *state_dir, *config_file; /* absolute */
	const char *self;                    /* the vyred binary */
	const char *home, *user, *path;      /* of the account; path: when a person sent none */
	const char *shell;                   /* the account's; NULL: /bin/sh */

	uint32_t (*orphan_s)(void *ctx);
	void (*life)(void *ctx, struct table_life *out); /* NULL: no limit, never idle */
	const struct provider_conf *(*provider)(void *ctx, const char *name); /* NULL: no such */
	/* All of them, from 0; NULL: there are no more. */
	const struct provider_conf *(*provider_at)(void *ctx, size_t i);
	/* defaults_file_fn: the model of a purpose, as the configuration has it. */
	bool (*model)(void *ctx, const char *project, const char *purpose, const char **model);
	/* What people set for all sessions is another: "model" of a purpose, revision `rev` of a
	 * "prompt", or the "slots" of a kind (as `purpose`); project NULL: of all. */
	void (*defaults)(
		void *ctx, const char *what, const char *project, const char *purpose, int64_t rev);
	/* How many of a kind (slots.h) the configuration lets work; project NULL: on the box. */
	int64_t (*slot_limit)(void *ctx, const char *kind, const char *project);
	/* A slot changed hands, or a place in the line. */
	void (*slot)(void *ctx, const struct slots_item *it);
	bool (*goes_on)(void *ctx);             /* queue_after_interrupt=go */
	bool (*goes_on_after_limit)(void *ctx); /* queue_after_limit=go; NULL: no */
	/* The agent's own socket; NULL when it cannot be had (the agent then has none). */
	const char *(*socket_open)(void *ctx, const char *session, const char *person);
	void (*socket_close)(void *ctx, const char *session);
	/* Appends the secret of that name; VY_NOT_FOUND with a sentence how to set it. */
	int (*secret)(void *ctx, const char *name, struct vy_buf *out, struct vy_err *e);
	bool (*has_secret)(void *ctx, const char *name); /* looked for, not opened; NULL: no */
	/* Whom agents run as; NULL: who we are. */
	const struct agent_user *(*agent_user)(void *ctx);
	int (*viewers)(void *ctx, const char *session);
	void *ctx;
};

/* Brings back every session that has a living process: call once everything stands. */
struct table *table_new(const struct table_conf *conf);
void table_boot(struct table *t);
void table_free(struct table *t);

/* NULL when there is none of that id (VY_NOT_FOUND) or it is damaged (VY_CORRUPT). */
struct session *table_find(struct table *t, struct vy_str id, struct vy_err *e);
/* The session an ask belongs to, open or closed. */
struct session *table_find_by_ask(struct table *t, struct vy_str ask, struct vy_err *e);

struct table_start {
	struct vy_str provider, cwd, project, purpose, model, mode, title, system;
	struct vy_str person, started_by; /* person:ID without the prefix; an agent's session */
	const struct vy_json *env;        /* as the caller sent it; filtered here */
	const struct vy_json *tools;      /* [name]: no others; NULL: all */
	double budget_usd;                /* 0: none */
	bool is_once;
};
/* NULL on failure: an unknown provider (with the list of those there are), a bad folder. */
struct session *table_start(struct table *t, const struct table_start *st, struct vy_err *e);
/* In the turn of the loop it was started in: as if it had never been. What was to follow failed. */
void table_unstart(struct table *t, struct session *own);

/* A session as it is listed: its public record, and what says who may see it. Borrowed. */
struct table_item {
	const struct vy_json *record;
	const char *id, *person, *started_by; /* NULL: nobody */
};

/* Calls fn with each, newest first, loaded or not; fn asks the store for nothing. */
typedef bool table_each_fn(void *ctx, const struct table_item *item);
int table_each(struct table *t, table_each_fn *fn, void *ctx, struct vy_err *e);
int64_t table_count(struct table *t);
/* As its frames say it (wire 3); one that is not loaded waits. */
const char *table_state_word(struct table *t, const char *id);
/* The loaded ones only; fn must not add or remove. */
void table_each_loaded(struct table *t, void (*fn)(void *ctx, struct session *s), void *ctx);

/* It and all that is kept of it, for good: from now on there is no such session. What still runs is
 * ended first; a vyred that dies meanwhile goes on with that. Its folder stays. VY_CONFLICT while a
 * turn runs. */
int table_delete(struct table *t, struct session *s, struct vy_err *e);
/* Its last process is gone: its rows go behind this commit, and then it. */
void table_bury(struct table *t, struct session *s);

bool table_is_trusted(struct table *t, const char *cwd);
void table_trust(struct table *t, const char *cwd, bool is_trusted);

/* ---- what people set for all sessions (table_defaults.c): project NULL: of all ---- */

#define TABLE_PROMPT_MAX (256 * 1024)

struct defaults_choice table_model(struct table *t, const char *project, const char *purpose);
/* model NULL: no more; "": the agent's own choice. */
void table_model_set(struct table *t, const char *project, const char *purpose, const char *model);
/* {text, rev, revs}, owned; NULL on failure. */
struct vy_json *table_prompt(struct table *t, const char *project, struct vy_err *e);
/* The revision that counts now, -1 on failure; `by` is who says so. `if_rev`: no other may be set now
 * (VY_CONFLICT); -1: whichever is. */
int64_t table_prompt_set(struct table *t, const char *project, struct vy_str text, int64_t if_rev,
	struct vy_str by, struct vy_err *e);
int64_t table_prompt_revert(
	struct table *t, const char *project, int64_t rev, struct vy_str by, struct vy_err *e);
/* All that is appended to the prompt of this session's agent when it is started. */
void table_system(struct table *t, const struct record *r, struct vy_buf *out);
#define TABLE_SYSTEM_MAX (3 * TABLE_PROMPT_MAX + 16)

/* The ledger of slots, and the acts on it: table_slots.c. What changes is stored, told on the control
 * plane and to the sessions it concerns. */
const struct slots *table_slots(const struct table *t);
bool table_slot_take(struct table *t, const struct slots_who *who, struct vy_str ticket);
void table_slot_give(
	struct table *t, enum slots_kind kind, const char *session, struct vy_str holder);
void table_slot_give_all(struct table *t, enum slots_kind kind, const char *session, bool waiting);
/* limit -1: as the configuration has it; project NULL: on the box. */
void table_slots_set(struct table *t, enum slots_kind kind, const char *project, int64_t limit);
void table_slots_look(struct table *t); /* the configuration was read again */
/* False: a word to this session would wait for a teammate's slot. */
bool table_teammate_has_room(struct table *t, struct session *s);

/* ---- who else has a conversation open (table_elsewhere.c, table_hook.c) ---- */

/* A word to this session would wait for another to end. Looks at /proc, once a word. */
bool table_is_elsewhere(struct table *t, struct session *s);
/* Its own agent is gone: what that wrote last is no stranger's. */
void table_elsewhere_left(struct table *t, struct session *s);

/* What the hook of a claude in a terminal says (server/hook): that process, of that conversation. */
struct table_hook {
	struct vy_str event, conversation, call, agent, status, token;
	const struct vy_json *running; /* agents that work behind the turn's end; NULL: not said */
	struct elsewhere_proc proc;
	const char *program;
};

/* What the hook is to print, owned; NULL: nothing. With a `token` it says when it has ("Handed"). */
struct vy_json *table_hook(
	struct table *t, const struct table_hook *h, char token[VY_UUID_LEN + 1]);

/* ---- the life of processes (table_life.c) ---- */

/* The session's turn wants a process (FX_WANT), or does not any more. */
void table_want(struct table *t, struct session *s);
void table_unwant(struct table *t, struct session *s);
/* Is there a place for one more, now or when one that can rest has rested? */
bool table_has_room(struct table *t);
/* How it stands may have changed; cheap when it did not. */
void table_life_is(struct table *t, struct session *s);
void table_spare_gone_as(struct session *s);              /* of a spare; it is freed */
void table_viewers(struct table *t, const char *session); /* their number changed */
void table_life_changed(struct table *t);                 /* what conf.life says, did */

/* ---- what pays (table_payer.c, payer.h) ---- */

struct payer_next;

const char *table_pays(struct table *t, const struct provider_conf *pc);
/* What was said last of the limit; borrowed, NULL: nothing. */
struct vy_json *table_limit(const struct table *t, const char *provider, const char *auth);
int64_t table_limit_until(struct table *t, const char *provider, const char *auth);
void table_limit_heard(
	struct table *t, const char *provider, const char *auth, const struct vy_json *limit);
void table_limit_reached(
	struct table *t, const struct provider_conf *pc, const char *auth, struct payer_next *next);
/* The session is held until then (0: no more); it is let go by itself if that is wanted. */
void table_limit_waits(struct table *t, const char *session, int64_t until);
bool table_goes_on_after_limit(struct table *t);
/* [{auth, pays, secret?, is_set?, limit?, until?}] of a provider, the first one first; owned. */
struct vy_json *table_credentials(struct table *t, const struct provider_conf *pc);

void table_drain(struct table *t);                      /* vyred ends; sessions with work live on */
bool table_is_quiet(struct table *t);                   /* no idle agent is left to end */
bool table_is_still(struct table *t);                   /* no agent is left at all */
void table_stop_all(struct table *t, int64_t grace_ms); /* every agent is ended */

const struct table_conf *table_conf(const struct table *t);       /* for session.c */
const struct agent_user *table_agent_user(const struct table *t); /* NULL: nobody else than we */
void table_guard(struct table *t, const struct record *r, struct guard_context *out);

#endif
