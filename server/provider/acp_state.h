/* acp_state.h -- what the ACP driver remembers: one value, opaque to the house.
 *
 * The driver is a pure machine over this struct (acp_wire.h). It is written down at every commit;
 * every field stands in a table of acp_state.c. Of what a tool printed it keeps no more than a
 * frame can show, of a word that waits for its turn all. */
#ifndef PROVIDER_ACP_STATE_H
#define PROVIDER_ACP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/provider/acp_facts.h"
#include "server/provider/fields.h"
#include "server/provider/provider.h"

#define ACP_STATE_VERSION 1

/* A word of the person that is not told yet: the agent is busy, or not ready. */
struct acp_word {
	char *uuid, *text, *context;
	struct vy_json *images;
};

enum acp_call_state { ACP_HELD, ACP_OPEN, ACP_DONE }; /* held: announced, no event yet */
enum acp_verdict { ACP_NOT_JUDGED, ACP_JUDGED, ACP_MUST_ASK, ACP_DENIED };

struct acp_call {
	char *id;      /* the agent's */
	char *own;     /* ours, never the same twice */
	char *name;    /* the tool's own name */
	char *kind;    /* the protocol's word */
	char *title;   /* the newest */
	char *command; /* of a shell */
	char *text;    /* its output so far */
	char *why;     /* of the verdict */
	int64_t state, verdict;
	bool is_running, was_asked, is_cut, was_checked;
	struct vy_json *paths, *diffs; /* [path], [diff block] */
};

enum acp_purpose {
	ACP_INITIALIZE = 1,
	ACP_NEW,
	ACP_LOAD, /* or resume */
	ACP_PROMPT,
	ACP_SET_MODE,
	ACP_SET_MODEL,
	ACP_SET_EFFORT
};

struct acp_ours {
	int64_t id, purpose;
	char *about;
};

enum acp_theirs_kind { ACP_PERMISSION = 1, ACP_FORM, ACP_CHECK };

struct acp_theirs {
	char *id;   /* the request's id as JSON; of a check ours */
	char *call; /* our name of the call */
	int64_t kind;
	struct vy_json *keep; /* permission: {option: optionId}; form: {question: how to answer} */
};

struct acp_line {
	char *text;
};

struct acp {
	/* of the launch */
	char *who, *cwd, *system;
	char *session;                /* the agent's own id; NULL: none yet */
	char *want_mode, *want_model; /* to be set before the first word */
	bool is_resume;
	/* as the agent says */
	char *agent, *version, *ways; /* ways: how one may log in, for a sentence */
	bool can_load, can_resume, can_images;
	char *mode_option;                  /* config option of the mode; NULL: session/set_mode */
	char *model_option, *effort_option; /* NULL: session/set_model; none */
	struct vy_json *modes, *models, *commands; /* [id], as in AE_READY, as in AE_READY */
	char *mode, *model, *effort;               /* mode in the house's word */
	/* how far it is */
	bool is_answered, is_ready, is_ending, is_replaying, is_late_told, was_told;
	bool is_loose; /* in a mode that asks nobody: nothing is done in it */
	int64_t next_id, bad_lines;
	/* the turn */
	char *prompt; /* uuid of the word that was told; NULL: none */
	bool in_turn, is_interrupting;
	char *denied;       /* the floor's words that ended it */
	int64_t block;      /* number of the newest block; names of blocks and calls count on */
	int64_t block_kind; /* 0 none is open, 1 text, 2 thought */
	char *block_of;     /* the agent's message id */
	double turn_cost;
	/* sums */
	int64_t used, window, input, output;
	double cost;
	bool knows_cost; /* it told one, in dollars */
	struct vy_json *todo;
	FIELD_LIST_OF(struct acp_word) words;
	FIELD_LIST_OF(struct acp_call) calls;
	FIELD_LIST_OF(struct acp_ours) ours;
	FIELD_LIST_OF(struct acp_theirs) theirs;
	FIELD_LIST_OF(struct acp_line) stderr_tail;
};

extern const struct field_set acp_word_set, acp_call_set, acp_ours_set, acp_theirs_set,
	acp_line_set;

struct acp *acp_new(const struct provider_launch *l);
void acp_free(struct acp *c);
void acp_encode(const struct acp *c, struct vy_jw *w);
struct acp *acp_decode(const struct vy_json *v, struct vy_err *e);

const struct acp_facts *acp_facts_for(const struct acp *c);

/* The newest of that id; NULL when there is none; borrowed until the list changes. */
struct acp_call *acp_call_find(struct acp *c, struct vy_str id);
struct acp_call *acp_call_own(struct acp *c, struct vy_str own);
struct acp_theirs *acp_theirs_find(struct acp *c, struct vy_str id);
void acp_theirs_del(struct acp *c, struct acp_theirs *t);

#endif
