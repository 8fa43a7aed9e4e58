/* outbox.h -- what a person said and the log has not shown yet, kept on disk.
 *
 * An entry is written and synced before outbox_add() returns, so that neither a crash of the client
 * nor of the server loses a line. Its id is the key of threads.send and of the message: sending it
 * again is a replay, never a second message. Its file goes when the server took it, its row when
 * the session's stream shows a user-message of that id. What the server refused for good stays,
 * with the reason, until the person has dropped it (its text given back to the composer); so does
 * one that a former client left behind longer ago than the server remembers keys, since nobody
 * can tell any more whether it was sent.
 *
 * Who sends: outbox_flush(), over the given rpc, oldest first within a session and one at a time;
 * what was refused just now holds back what was said after it. A try that found nobody is repeated
 * by the outbox itself for as long as it has an rpc. Entries of other clients of the same user
 * that still run are left to them.
 * Loop thread only; add blocks on one small fsync. */
#ifndef OUTBOX_H
#define OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/str.h"

struct outbox;
struct rpc;
struct vy_clock;
struct vy_loop;

enum outbox_state {
	OUTBOX_WAITING,
	OUTBOX_SENDING,
	OUTBOX_TAKEN, /* the server has it; the stream has not shown it yet */
	OUTBOX_REFUSED
};

/* Lent until the next call that changes the outbox. */
struct outbox_entry {
	char id[VY_UUID_LEN + 1]; /* the key, and the message's id */
	char session[VY_UUID_LEN + 1];
	const char *mode; /* steer, queue or now */
	struct vy_str text;
	int64_t made_ms; /* wall clock */
	enum outbox_state state;
	struct vy_err why; /* of OUTBOX_REFUSED, and of the last try while waiting */
};

struct outbox_events {
	/* What became of entries of a session: draw again. Never from inside a call of ours. */
	void (*changed)(void *ctx, const char *session);
};

/* `dir` is <state_dir>/outbox; it and the folders above are made. Reads what former clients left
 * for `box` (the target of the dial). NULL when the folder cannot be used. */
struct outbox *outbox_new(struct vy_loop *l, const struct vy_clock *clock, const char *dir,
	const char *box, const struct outbox_events *ev, void *ctx, struct vy_err *e);
void outbox_free(struct outbox *o); /* the entries stay on disk; NULL is fine */

/* Files that could not be read were put aside: a sentence that says where; NULL when all is well. */
const char *outbox_trouble(const struct outbox *o);

/* What goes with the words; both may be NULL, both are handed over. */
struct outbox_with {
	struct vy_json *extra;   /* mentions …: merged into the params */
	struct vy_json *uploads; /* [{mime, b64}]: pictures, put into the session's files when it is
				  * this entry's turn, and sent by reference */
	const char *id;          /* its key, when the caller made it: a uuid; borrowed */
};
#define OUTBOX_UPLOADS_MAX (48 * VY_MIB) /* of one message, as base64 */

/* Keeps it, the pictures too; `id` gets its key. `with` may be NULL. Fails, and keeps nothing: a
 * text or a call over its limit, a full disk. */
VY_MUST_USE int outbox_add(struct outbox *o, const char *session, struct vy_str text,
	const char *mode, const struct outbox_with *with, char id[VY_UUID_LEN + 1],
	struct vy_err *e);

/* Sends what waits. Called after an add, when a link comes up, and after a refusal was settled.
 * `rpc` is borrowed until outbox_hold(). */
void outbox_flush(struct outbox *o, struct rpc *rpc);
void outbox_hold(struct outbox *o); /* the link went down: calls under way are tried again later */

/* The log shows this message: the entry goes. False when there is none of that id. */
bool outbox_seen(struct outbox *o, struct vy_str message);
/* The person took it back, or read the refusal. */
bool outbox_drop(struct outbox *o, const char *id);

size_t outbox_count(const struct outbox *o, const char *session); /* NULL: all */
bool outbox_get(const struct outbox *o, const char *session, size_t i, struct outbox_entry *out);

#endif
