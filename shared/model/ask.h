/* ask.h -- a question of the agent that only a person may answer: an object with a whole life.
 *
 * open → answered, skipped, superseded (another way answered it) or withdrawn (the agent or an
 * interrupt took it back); never timed out into an answer. The first answer stands: the same one
 * again is fine, another gets the first outcome. A value; slices are borrowed from what it was
 * made of (an arena, a row). Pure; any thread. */
#ifndef VY_MODEL_ASK_H
#define VY_MODEL_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/str.h"

enum vy_ask_kind { VY_ASK_PERMISSION, VY_ASK_QUESTION, VY_ASK_PLAN, VY_ASK_APPROVAL, VY_ASK_KINDS };

enum vy_ask_state {
	VY_ASK_OPEN,
	VY_ASK_ANSWERED,
	VY_ASK_SKIPPED,
	VY_ASK_SUPERSEDED,
	VY_ASK_WITHDRAWN,
	VY_ASK_STATES
};

/* One way to answer, as the provider offered it. On the wire
 * {id, label, decision?, rule?, scope?, scopes?: [scope], mode?, rules?: [rule],
 * parts?: [{text, rule?}]}. */
struct vy_ask_option {
	struct vy_str id, label;
	struct vy_str decision; /* what it amounts to: allow, deny; empty: its id */
	struct vy_str rule;     /* that would be stored: "Bash(git push:*)"; empty: none */
	struct vy_str rules;    /* where they are several, each: JSON; empty: none */
	struct vy_str parts;    /* of a compound command, and the rule of each: JSON; empty: none */
	struct vy_str scope;    /* where: session, project, user */
	struct vy_str scopes;   /* where else it may be: JSON; empty: nowhere */
	struct vy_str mode;     /* a plan's: the mode to go on in; empty: as it is */
};

struct vy_ask {
	struct vy_str id, session, turn;
	enum vy_ask_kind kind;
	enum vy_ask_state state;
	struct vy_str tool, tool_id, title, summary, detail, blocked_path, source;
	struct vy_str options, questions; /* JSON arrays as they came; empty: none */
	int64_t raised;
	bool more; /* the detail here is cut */
	/* once it is closed */
	struct vy_str decision, by; /* allow, deny, skip, an option's id, cancelled, superseded */
	struct vy_str answers, message; /* answers: JSON object; message: "No, and say" */
	int64_t closed;
	struct vy_str delivered; /* JSON: false, the agent was gone before it had it; or empty */
};

const char *vy_ask_kind_word(enum vy_ask_kind k);
bool vy_ask_kind_parse(struct vy_str word, enum vy_ask_kind *out);
const char *vy_ask_state_word(enum vy_ask_state s);

/* Where a decision word leads: skip → SKIPPED, superseded → SUPERSEDED, cancelled → WITHDRAWN,
 * all others → ANSWERED. */
enum vy_ask_state vy_ask_state_of(struct vy_str decision);

/* Is it one a person may give to this ask: allow, deny, skip or one of its options' ids? */
bool vy_ask_takes(const struct vy_ask *a, struct vy_str decision);

/* Closes an open ask. `already` is set when it was closed before: then the ask keeps its first
 * outcome and the answer is 0. VY_GONE for a withdrawn one, VY_BAD_INPUT for a decision it does
 * not take. `decision` and `by` are kept as slices. */
VY_MUST_USE int vy_ask_answer(struct vy_ask *a, struct vy_str decision, struct vy_str by,
	int64_t now_ms, bool *already, struct vy_err *e);

/* cancelled or superseded, by the house; a closed ask stays as it is. */
void vy_ask_close(struct vy_ask *a, struct vy_str decision, int64_t now_ms);

/* The i-th option; false past the end. Slices live in the arena. */
bool vy_ask_option(
	const struct vy_ask *a, size_t i, struct vy_arena *mem, struct vy_ask_option *out);

/* Everything, for rows and storage. threads.asks adds nothing to it. */
void vy_ask_encode(const struct vy_ask *a, struct vy_jw *w);
VY_MUST_USE int vy_ask_decode(
	const struct vy_json *v, struct vy_arena *mem, struct vy_ask *out, struct vy_err *e);

#endif
