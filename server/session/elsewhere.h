/* elsewhere.h -- who else has a conversation open, so that it never has two writers.
 *
 * The ledger of claudes in terminals: which process has which conversation open, as its hook said
 * (server/hook), and which of its calls hold a subagent's slot; which sessions wait for such a one to
 * end; which words are on their way to it. And the judgement: a conversation is open elsewhere when
 * a living process holds it, or its file grew in the last ELSEWHERE_QUIET_MS by nobody whose end is
 * known. A conversation is named by its agent's own id.
 *
 * A value: it encodes, decodes and goes on. Whether a process lives is the caller's to say
 * (elsewhere_gone), as are time and what was seen of files. Pure. */
#ifndef ELSEWHERE_H
#define ELSEWHERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

#define ELSEWHERE_QUIET_MS 30000

struct elsewhere_proc {
	int64_t pid;
	uint64_t born; /* tells it from a later one of the same number */
};

/* ---- the judgement ---- */

enum elsewhere_what {
	ELSEWHERE_NOWHERE,
	ELSEWHERE_HELD,   /* by a living process; until it has ended */
	ELSEWHERE_GROWING /* by somebody not known; until it has been quiet for long enough */
};

/* What was seen. A pid of 0: none. */
struct elsewhere_seen {
	int64_t now_ms;              /* wall */
	struct elsewhere_proc bound; /* its hook said so */
	struct elsewhere_proc named; /* its arguments say that it goes on with it */
	struct elsewhere_proc has_file;
	int64_t grew_ms;      /* when its file did last; 0: it has none, or it is not known */
	int64_t explained_ms; /* up to then it is known who wrote, and that they have ended */
};

struct elsewhere_is {
	enum elsewhere_what what;
	struct elsewhere_proc by; /* of HELD */
	int64_t until_ms;         /* of GROWING: look again then */
};

void elsewhere_judge(const struct elsewhere_seen *seen, struct elsewhere_is *out);

/* The same in a sentence, appended; `program` may be empty. */
void elsewhere_say(const struct elsewhere_is *is, const char *program, struct vy_buf *out);

/* ---- the ledger ---- */

struct elsewhere;

struct elsewhere_bound {
	struct elsewhere_proc proc;
	const char *conversation, *program;
};

struct elsewhere *elsewhere_new(void);
void elsewhere_free(struct elsewhere *e);
struct vy_json *elsewhere_encode(const struct elsewhere *e); /* owned */
bool elsewhere_decode(struct elsewhere *e, const struct vy_json *v);
uint64_t elsewhere_rev(const struct elsewhere *e); /* grows whenever the encoded value changes */

/* It has that one open from now on, and no other. False: it had it already. */
bool elsewhere_bind(struct elsewhere *e, const struct elsewhere_proc *p, struct vy_str conversation,
	struct vy_str program);
/* It has ended, or let go of it. False: it had none open. */
bool elsewhere_unbind(struct elsewhere *e, const struct elsewhere_proc *p);
/* NULL: none. Borrowed until the next change, as all below. */
const struct elsewhere_bound *elsewhere_of(const struct elsewhere *e, struct vy_str conversation);
const struct elsewhere_bound *elsewhere_by(
	const struct elsewhere *e, const struct elsewhere_proc *p);
const struct elsewhere_bound *elsewhere_at(const struct elsewhere *e, size_t i);

/* Up to `ms` all that was written into it is accounted for. What is older than
 * ELSEWHERE_QUIET_MS is forgotten with the next one. */
void elsewhere_explain(struct elsewhere *e, struct vy_str conversation, int64_t ms, int64_t now_ms);
int64_t elsewhere_explained(const struct elsewhere *e, struct vy_str conversation);

/* ---- subagents of a bound process: its calls that hold a slot ---- */

void elsewhere_call(struct elsewhere *e, const struct elsewhere_proc *p, struct vy_str call);
/* The call goes on behind its answer, as that agent. */
void elsewhere_call_is(struct elsewhere *e, const struct elsewhere_proc *p, struct vy_str call,
	struct vy_str agent);
/* That call, or that agent's, is over: its name is appended to `call`. False: there is none such. */
bool elsewhere_call_over(struct elsewhere *e, const struct elsewhere_proc *p, struct vy_str call,
	struct vy_str agent, struct vy_buf *name);
/* One that no agent of `running` (an array of their ids) stands for is over, too. */
bool elsewhere_call_stale(struct elsewhere *e, const struct elsewhere_proc *p,
	const struct vy_json *running, struct vy_buf *name);

/* ---- sessions that wait ---- */

struct elsewhere_wait {
	const char *session, *conversation;
	struct elsewhere_proc by; /* for the end of that one; pid 0: for quiet */
	int64_t until_ms;
};

void elsewhere_wait(struct elsewhere *e, struct vy_str session, struct vy_str conversation,
	const struct elsewhere_is *is);
bool elsewhere_unwait(struct elsewhere *e, struct vy_str session); /* false: it did not */
const struct elsewhere_wait *elsewhere_waiting(const struct elsewhere *e, size_t i);
const struct elsewhere_wait *elsewhere_wait_of(const struct elsewhere *e, struct vy_str session);
const struct elsewhere_wait *elsewhere_wait_for(
	const struct elsewhere *e, struct vy_str conversation);

/* ---- words on their way to the one that has it open ---- */

/* Lent under a token until that is confirmed; an older loan of the session is over. */
void elsewhere_lend(
	struct elsewhere *e, struct vy_str session, const char *token, struct vy_json *messages);
/* The loan of that token: its session is appended, its messages are given (owned). NULL: none. */
struct vy_json *elsewhere_lent(struct elsewhere *e, struct vy_str token, struct vy_buf *session);

#endif
