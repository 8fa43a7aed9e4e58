/* codex_state.h -- what the codex driver remembers: one value, opaque to the house.
 *
 * As claude_state.h: positions, sums and ids, written down at every commit, each field in a table of
 * codex_state.c. Whole texts are kept in two cases: a message that waits for the turn's end, since
 * codex has no queue, and the change of a file that is not decided, since codex asks without it. */
#ifndef PROVIDER_CODEX_STATE_H
#define PROVIDER_CODEX_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/provider/fields.h"
#include "server/provider/provider.h"

#define CODEX_STATE_VERSION 1

/* A text that streams: of an answer, a thought or a plan. */
struct codex_text {
	char *item;
	int64_t index;
	int64_t length, hash; /* of what was told */
	bool is_reasoning;
};

/* An item that has begun and not ended. */
struct codex_item {
	char *id, *type;
	char *name;              /* as a tool; NULL: it is words */
	char *about;             /* the command, the path: what a person knows it by */
	char *process;           /* codex's name of a running command; no pid */
	struct vy_json *changes; /* of a fileChange, until it is decided */
	char *tail;              /* the end of what it printed */
	int64_t printed;         /* bytes of it that were told */
	bool is_judged;          /* the floor has seen it */
	bool is_behind;          /* its turn has ended, it has not */
};

/* A person's message that codex has not taken. */
struct codex_said {
	char *uuid;
	char *turn;      /* the turn that shall take it; NULL: codex has not said */
	char *held;      /* its input, while it waits for the end of a turn; NULL: it was told */
	bool is_compact; /* no words, but the order to summarise */
};

enum codex_purpose {
	CODEX_INITIALIZE = 1,
	CODEX_ACCOUNT,
	CODEX_MODELS,
	CODEX_START,
	CODEX_RESUME,
	CODEX_FORK,
	CODEX_SAY,
	CODEX_INTERRUPT,
	CODEX_CLEAN,
	CODEX_MODE,
	CODEX_MODEL,
	CODEX_EFFORT,
	CODEX_KILL,
	CODEX_COMPACT,
	CODEX_WORDS,
	CODEX_COPY,
	CODEX_ASIDE,
	CODEX_LEAVE
};

/* A request of ours that is not answered. */
struct codex_ours {
	int64_t id, purpose;
	char *about; /* uuid, mode, model, effort */
};

enum codex_theirs_kind {
	CODEX_COMMAND = 1,
	CODEX_PATCH,
	CODEX_QUESTION,
	CODEX_FORM, /* of an MCP server, answered by fields */
	CODEX_YES,  /* of an MCP server, answered by yes or no */
	CODEX_PLAN  /* none of codex's: codex_plan.h */
};

/* A request of codex that is not answered. */
struct codex_theirs {
	char *id;  /* as the house knows it */
	char *raw; /* codex's own, as JSON: a number, or a string */
	int64_t kind;
	struct vy_json *keep; /* {question: {id, type}}; of a command {rule: [word]} */
};

/* A question beside the conversation. */
struct codex_aside {
	char *name, *question;
	char *thread, *turn; /* of the copy that answers; NULL: not yet */
	char *answer;
};

struct codex_line {
	char *text;
};

struct codex {
	char *who; /* the provider's name, for sentences */
	char *cwd, *thread, *fork_of;
	char *mark; /* the last turn that has ended */
	char *model, *mode, *effort, *version;
	struct vy_json *hello;   /* until the thread has begun */
	struct vy_json *models;  /* until codex is ready */
	struct vy_json *efforts; /* {model: its own effort} */
	bool is_trusted;         /* its folder: settings of the project count */
	bool is_resume, has_account, has_models, has_thread, is_ready, is_ending;
	bool was_plan; /* collaborationMode has been said: it must be said back */
	char *plan;    /* that it wrote in this turn; NULL: none */
	char *turn;    /* the one that runs; NULL: none */
	char *last_call;
	bool is_ordered, is_interrupting, wants_interrupt;
	int64_t bad_lines;
	int64_t used, window, input, output, input_before, output_before;
	struct vy_json *windows, *limit; /* of the plan, merged; the last that was told */
	int64_t next_id;
	FIELD_LIST_OF(struct codex_text) texts;
	FIELD_LIST_OF(struct codex_item) items;
	FIELD_LIST_OF(struct codex_said) said;
	FIELD_LIST_OF(struct codex_ours) ours;
	FIELD_LIST_OF(struct codex_theirs) theirs;
	FIELD_LIST_OF(struct codex_aside) asides;
	FIELD_LIST_OF(struct codex_line) stderr_tail;
};

extern const struct field_set codex_text_set, codex_item_set, codex_said_set, codex_ours_set,
	codex_theirs_set, codex_aside_set, codex_line_set;

struct codex *codex_new(const struct provider_launch *l);
void codex_free(struct codex *c);
void codex_encode(const struct codex *c, struct vy_jw *w);
struct codex *codex_decode(const struct vy_json *v, struct vy_err *e);

/* ---- finding; NULL when there is none; borrowed until the list changes ---- */

struct codex_item *codex_item_find(struct codex *c, struct vy_str id);
struct codex_said *codex_said_find(struct codex *c, struct vy_str uuid);
struct codex_theirs *codex_theirs_find(struct codex *c, struct vy_str id);

void codex_item_del(struct codex *c, struct codex_item *item);
void codex_said_del(struct codex *c, struct codex_said *said);
void codex_theirs_del(struct codex *c, struct codex_theirs *t);

#endif
