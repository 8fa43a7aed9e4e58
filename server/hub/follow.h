/* follow.h -- one session followed: its journal's events in order, and with `attempts` what its
 * assistants say while they say it (wire 8).
 *
 *	follow.open   first, and again when a reader was too slow: {epoch, head}
 *	events        what the journal holds behind `from`: {seq, after, id, type, time, actor, …, data};
 *	              `after` is the seq of the one before, or `from`: who holds less has missed one
 *	attempt.start with a baseline, for each attempt under way: where they are cut, live begins
 *	follow.live   {seq, revision, attempts}: that was all there is; what comes now happens now
 *	events and frames of attempts (attempts.h) in one order, as they are committed
 *	follow.reset  instead of all this {reason: ahead|epoch, head, epoch}: `from` is of another history
 *
 * A follower is a place: in the journal until it has caught up, then in a ring of the newest items
 * that all followers of its session share. A slow one costs nobody anything: who falls off the ring
 * begins again with follow.open, behind the last event it was given, and gets new baselines. So it
 * loses chunks that their settlement has as well, never an event, and is never dropped for it. It holds
 * nothing but the baselines that were drawn for it and not taken yet.
 *
 * A session is read while somebody follows it, its frames only while somebody wants attempts: then
 * once, however many follow. Who may follow is asked before (rpc, wire). A session that is deleted ends its
 * followers at once. `ready` never comes from inside a call. Loop thread. */
#ifndef FOLLOW_H
#define FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "server/hub/view.h"
#include "shared/base/err.h"

#define FOLLOW_ITEMS 2048 /* of one session, or … */
#define FOLLOW_BYTES (2 * 1024 * 1024)

struct log;
struct vy_loop;
struct follow;
struct follow_sub;

struct follow *follow_new(struct log *log, struct vy_loop *loop);
void follow_free(struct follow *f); /* all subscriptions are gone; NULL is fine */

struct follow_open {
	const char *session;
	int64_t from;      /* the last seq held; 0: all of it */
	const char *epoch; /* the history `from` is of; NULL: not said */
	bool attempts;
	void (*ready)(void *ctx); /* later in this turn, and whenever it had run dry */
	void *ctx;
};
/* Fails only where the log cannot be read. */
struct follow_sub *follow_subscribe(
	struct follow *f, const struct follow_open *o, struct vy_err *e);
void follow_unsubscribe(struct follow_sub *s); /* NULL is fine */

enum view_got follow_next(struct follow_sub *s, struct vy_buf *out);
int follow_code(const struct follow_sub *s); /* enum hub_close, behind VIEW_CLOSED */

/* Ends those of a session, or all (NULL); so is the end of vyred told. */
void follow_close(struct follow *f, const char *session, int code);

/* For tests: sessions that are read, frames of attempts made. */
struct follow_counts {
	size_t sessions, frames;
};
void follow_counts(const struct follow *f, struct follow_counts *out);

extern const struct view_ops view_follow; /* sub: a follow_sub */

#endif
