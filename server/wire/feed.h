/* feed.h -- the subscriptions of one connection: of a control WebSocket or a line socket.
 *
 * Each is a view (server/hub/view.h) with a name. What they have to say comes out of feed_take(), one
 * JSON-RPC notification at a time, those of the lower planes first: a flood in one never holds up the
 * control plane. It is asked for when the connection has room, and so bounded by it. A
 * subscription is silent until the answer that names it has been given. Private to server/wire.
 * Loop thread. */
#ifndef WIRE_FEED_H
#define WIRE_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "server/hub/view.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

#define FEED_MAX    64 /* subscriptions of one connection */
#define FEED_ID_MAX 24
#define FEED_ITEM   (36 * 1024 * 1024) /* one notification */

struct feed;

/* `wants_write`: there is something to take; never from inside a call of ours. `access` may be NULL. */
struct feed *feed_new(struct access *access, void (*wants_write)(void *ctx), void *ctx);
void feed_free(struct feed *f); /* closes all; NULL is fine */

struct feed_open {
	uint64_t request;         /* the call that asked for it */
	const struct caller *who; /* whose connection it is */
	view_open_fn *open;
	void *ctx;
};
/* Its name is in `id`. VY_BUSY: it has FEED_MAX. */
VY_MUST_USE int feed_open(
	struct feed *f, const struct feed_open *o, char id[FEED_ID_MAX], struct vy_err *e);
bool feed_close(struct feed *f, struct vy_str id); /* false: there is none */
void feed_answered(struct feed *f, uint64_t request);
/* Who reads it is not who subscribed: all of it is over with 4403 before another item leaves. */
void feed_end_access(struct feed *f);

/* Appends the next notification; false: wants_write comes. One that is over says so with
 * {"method":"subscription.closed","params":{subscription, code}} and is gone. */
bool feed_take(struct feed *f, struct vy_buf *out);

#endif
