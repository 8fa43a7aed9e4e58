/* claude_state.h -- what the claude driver remembers: one value, opaque to the house.
 *
 * The driver is a pure machine over this struct (claude_wire.h). It is written down at every
 * commit, so it holds positions, sums and ids, never whole texts: of a block that is streaming its
 * length and a hash, of a tool call the few words its result needs. Every field stands in a table
 * of claude_state.c, which encodes, decodes and frees it. The demo agent speaks the same lines
 * and is driven by the same value. */
#ifndef PROVIDER_CLAUDE_STATE_H
#define PROVIDER_CLAUDE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/provider/fields.h"
#include "server/provider/provider.h"
#include "shared/base/json_twin.h"

#define CLAUDE_STATE_VERSION 1

enum claude_block_kind { CLAUDE_TEXT = 1, CLAUDE_THINKING, CLAUDE_CALL, CLAUDE_OTHER };

/* A block of a message that is being written. */
struct claude_block {
	int64_t index, kind;  /* enum claude_block_kind */
	int64_t length, hash; /* of the text told so far */
	bool is_final;
};

/* The newest message of the main thread, or of one subagent. */
struct claude_message {
	char *id, *parent; /* parent NULL: the main thread */
	int64_t next;      /* index of the next block that no stream announced */
	bool is_streaming; /* its blocks were announced; an `assistant` line completes them */
	FIELD_LIST_OF(struct claude_block) blocks;
};

/* A tool call without its result. */
struct claude_call {
	char *id, *name, *parent;
	struct vy_json *input; /* its short strings: what result and summary need */
};

enum claude_said_state { SAID_TOLD, SAID_QUEUED, SAID_TAKEN };

/* A person's message that the agent has, or has not yet finished. */
struct claude_said {
	char *uuid;
	int64_t state;
};

enum claude_purpose {
	OURS_HELLO = 1,
	OURS_INTERRUPT,
	OURS_TAKE_BACK,
	OURS_MODE,
	OURS_MODEL,
	OURS_END,
	OURS_THINKING,
	OURS_KILL_TASK,
	OURS_FILES_DRY,
	OURS_FILES,
	OURS_EFFORT,
	OURS_ASIDE,
	OURS_TASK_OUTPUT
};

/* A request of ours that is not answered. */
struct claude_ours {
	int64_t id, purpose;
	char *about; /* uuid, mode or model; the name of what was asked */
};

enum claude_theirs_kind { THEIRS_PERMISSION = 1, THEIRS_QUESTION, THEIRS_PLAN, THEIRS_CHECK };

/* A request of the agent that is not answered. */
struct claude_theirs {
	char *id, *tool_id, *tool;
	char *agent; /* a subagent's id; NULL: the main thread */
	char *source; /* where the MCP server of the tool comes from; NULL: it is none's, or not told */
	int64_t kind;
	/* Of a permission: what each option may change, {option id: [update, …]}. Of a question:
	 * its input, which goes back with the answers. */
	struct vy_json *keep;
};

/* A subagent that runs, and the Agent call it belongs to. */
struct claude_sub {
	char *id, *call;
	bool is_listed; /* it was among the background tasks */
};

struct claude_todo {
	char *id, *text;
	int64_t status; /* 0 pending, 1 running, 2 done */
};

/* A person allowed it for good: claude_trust.h. */
struct claude_trust {
	char *source, *tool;
};

struct claude_line {
	char *text;
};

struct claude {
	/* of the launch */
	char *who; /* the provider's name, for sentences */
	char *session, *cwd;
	/* as the agent says */
	char *model, *mode, *version;
	bool is_ready, is_ending;
	bool is_trusted; /* it reads the project's settings; else a rule stored there is idle */
	bool has_lifecycle, can_cancel_queued, can_say_unanswered;
	bool is_strange; /* it said something we do not know, and that was told */
	bool other_way;  /* it said that the session id is taken, or unknown */
	/* the turn */
	bool in_turn, has_taken, is_interrupting;
	char *last_call;   /* last finished call of the main thread in this turn */
	char *mark;        /* uuid of the newest line of the main thread's chain (claude.md 10) */
	char *woke;        /* what the newest task notification said */
	int64_t bad_lines; /* in this turn or between turns */
	/* sums */
	int64_t used, window, input, output;
	double cost;
	struct vy_json *limit; /* the last that was told of the usage limit */
	int64_t next_id;       /* of our requests */
	FIELD_LIST_OF(struct claude_message) messages;
	FIELD_LIST_OF(struct claude_call) calls;
	FIELD_LIST_OF(struct claude_said) said;
	FIELD_LIST_OF(struct claude_ours) ours;
	FIELD_LIST_OF(struct claude_theirs) theirs;
	FIELD_LIST_OF(struct claude_sub) subs;
	FIELD_LIST_OF(struct claude_todo) todos;
	FIELD_LIST_OF(struct claude_trust) trusted;
	FIELD_LIST_OF(struct claude_line) asked; /* calls that the house wants asked */
	FIELD_LIST_OF(struct claude_line) stderr_tail;
	struct vy_json_twin twin; /* of lines; nothing of it is kept */
};

extern const struct field_set claude_block_set, claude_message_set, claude_call_set,
	claude_said_set, claude_ours_set, claude_theirs_set, claude_sub_set, claude_todo_set,
	claude_line_set, claude_trust_set;

struct claude *claude_new(const struct provider_launch *l);
void claude_free(struct claude *c);
void claude_encode(const struct claude *c, struct vy_jw *w);
struct claude *claude_decode(const struct vy_json *v, struct vy_err *e);

/* ---- finding; NULL when there is none; borrowed until the list changes ---- */

struct claude_call *claude_call_find(struct claude *c, struct vy_str id);
struct claude_said *claude_said_find(struct claude *c, struct vy_str uuid);
struct claude_theirs *claude_theirs_find(struct claude *c, struct vy_str id);
struct claude_message *claude_message_find(struct claude *c, struct vy_str parent);
struct claude_sub *claude_sub_find(struct claude *c, struct vy_str id);

void claude_call_del(struct claude *c, struct claude_call *call);
void claude_said_del(struct claude *c, struct claude_said *said);
void claude_theirs_del(struct claude *c, struct claude_theirs *t);

#endif
