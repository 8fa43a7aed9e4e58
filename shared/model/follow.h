/* follow.h -- the client's side of a session that is followed (wire 8): one pure machine.
 *
 * It eats the items of `follow` as they come, whatever was lost or came twice on the way, and says each
 * event once, in order, and of each attempt under way what it has. A settlement of an attempt that
 * is open is kept back until the attempt's end names it, and what comes behind it too; then it takes
 * the attempt's place. Anything that is missing is cured by one thing: follow anew behind
 * vy_follow_last(). What was open is void then, and what was kept back is said as it is.
 *
 *	for each item: switch (vy_follow_take(f, item, say, ctx)) {
 *	case VY_FOLLOW_AGAIN: close, open with {from: vy_follow_last(), epoch: vy_follow_epoch()}
 *	case VY_FOLLOW_RESET: drop what it said, open with {from: 0}
 *	the line is lost:     vy_follow_lost(f, say, ctx), open as for AGAIN
 *
 * So the events said are those of an undisturbed reader, whatever happened, and the words of an attempt
 * are always a beginning of those that its settlement has. Pure. */
#ifndef VY_MODEL_FOLLOW_H
#define VY_MODEL_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/str.h"
#include "shared/model/settle.h"

#define VY_FOLLOW_HELD_MAX (64 * 1024 * 1024) /* kept back, and waiting; more: AGAIN */

struct vy_follow;

enum vy_follow_got {
	VY_FOLLOW_OK,
	VY_FOLLOW_AGAIN, /* something is missing */
	VY_FOLLOW_RESET  /* this is another history: nothing that was said is of it */
};

enum vy_follow_what {
	VY_FOLLOW_EVENT, /* of the journal: `seq`, `item` */
	VY_FOLLOW_BEGUN, /* an attempt, with what it has: nothing yet, or a baseline */
	VY_FOLLOW_GROWN, /* by one chunk */
	VY_FOLLOW_ENDED, /* the event that is said next has all of it; abandoned: none has */
	VY_FOLLOW_VOID,  /* the attempt: it comes again, or as its settlement */
	VY_FOLLOW_LIVE   /* all of the past was said */
};

struct vy_follow_said { /* all lent */
	enum vy_follow_what what;
	int64_t seq;
	struct vy_str item;                  /* as it came; of VOID empty */
	const struct vy_settlement *attempt; /* BEGUN … VOID: what it has now */
};
typedef void vy_follow_fn(void *ctx, const struct vy_follow_said *s);

struct vy_follow *vy_follow_new(void);
void vy_follow_free(struct vy_follow *f); /* says nothing; NULL is fine */

/* An item of a connection that was opened behind vy_follow_last(), a JSON object. What is none is missing. */
VY_MUST_USE enum vy_follow_got vy_follow_take(
	struct vy_follow *f, struct vy_str item, vy_follow_fn *say, void *ctx);
/* The connection is no more, whatever it would have said. */
void vy_follow_lost(struct vy_follow *f, vy_follow_fn *say, void *ctx);

int64_t vy_follow_last(const struct vy_follow *f);      /* the last event it holds; 0: none */
const char *vy_follow_epoch(const struct vy_follow *f); /* "": not known yet */
const char *vy_follow_why(const struct vy_follow *f);   /* of the last AGAIN, a few words */
bool vy_follow_is_live(const struct vy_follow *f);
/* The i-th open attempt, in the order of their beginning; false past the last. The list of blocks is in
 * `mem`, the rest is lent until the next item. */
bool vy_follow_attempt(
	const struct vy_follow *f, size_t i, struct vy_arena *mem, struct vy_settlement *out);

#endif
