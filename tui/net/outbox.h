/* outbox.h -- what a person said and the log has not shown yet, kept on disk.
 *
 * One file an entry in a 0700 folder, written and synced before outbox_add() returns, so that
 * neither a crash of the client nor of the server loses a line. The entry's id is the key of
 * threads.send and of the message: sending it again is a replay, never a second message. It is
 * dropped when the session's stream shows a user-message of that id, or when the server refused it
 * for good (the text then stands in `refused` for the composer to give back).
 *
 * Who sends: outbox_flush(), over the given rpc, oldest first within a session, one at a time.
 * Entries of other clients of the same user that still run are left to them (a lock per client).
 * Loop thread only; add and drop block on one small fsync. */
#ifndef OUTBOX_H
#define OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

struct outbox;
struct rpc;

enum outbox_state { OUTBOX_WAITING, OUTBOX_SENDING, OUTBOX_TAKEN, OUTBOX_REFUSED };

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
	/* Something about the entries of a session changed: draw again. */
	void (*changed)(void *ctx, const char *session);
};

/* `dir` NULL: $XDG_STATE_HOME/vyre/outbox. Reads what a former client left for `box` (the target
 * of the dial); NULL with VY_IO when the folder cannot be used. */
struct outbox *outbox_new(const char *dir, const char *box, const struct outbox_events *ev,
	void *ctx, struct vy_err *e);
void outbox_free(struct outbox *o); /* the entries stay on disk */

/* Keeps it; `id` gets its key. `own_extra` (images, mentions …; NULL) is merged into the params. */
VY_MUST_USE int outbox_add(struct outbox *o, const char *session, struct vy_str text,
	const char *mode, struct vy_json *own_extra, char id[VY_UUID_LEN + 1], struct vy_err *e);

/* Sends what waits. Called after an add, when a link comes up, and after a refusal was settled.
 * `rpc` is borrowed until outbox_hold(). */
void outbox_flush(struct outbox *o, struct rpc *rpc);
void outbox_hold(struct outbox *o); /* the link went down: calls under way are tried again later */

/* The log shows this message: the entry goes. False when there is none of that id. */
bool outbox_seen(struct outbox *o, struct vy_str message);
bool outbox_drop(
	struct outbox *o, const char *id); /* the person took it back, or read the refusal */

size_t outbox_count(const struct outbox *o, const char *session); /* NULL: all */
bool outbox_get(const struct outbox *o, const char *session, size_t i, struct outbox_entry *out);

#endif
