/* peer.h -- one viewer of one session, without its transport.
 *
 * It is a subscription of the hub in the shape a connection sends: frame by frame, several in one
 * message (subprotocol vyre.lines), or as server-sent events. It asks its connection for room
 * (`wants_write`) when the hub has something, and makes the next message when there is; between
 * the two it holds nothing. So a slow connection holds one message and is caught up from the log
 * when it drains, which is all the back pressure there is.
 *
 * A viewer that did not say in its URL from where may say so in its first message; the peer waits
 * PEER_ASK_MS for that before it sends all that is held. Loop thread only. */
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

#define PEER_ASK_MS      300
#define PEER_SAY_MAX     4096 /* a message from a viewer */
#define PEER_MESSAGE_MAX (VY_BATCH_BYTES + 2 * VY_FRAME_MAX)

struct access;
struct caller;
struct hub;
struct peer;
struct vy_loop;

enum peer_form { PEER_SINGLE, PEER_LINES, PEER_SSE, PEER_CONTROL /* no peer at all */ };

struct peer_conf {
	struct hub *hub;
	struct vy_loop *loop;
	struct access *access;    /* NULL: access never ends */
	const struct caller *who; /* copied */
	enum peer_form form;
	const char *session, *viewer; /* copied */
	const char *epoch;            /* of `from`; NULL or "": not said */
	bool has_from;                /* false: PEER_SSE holds nothing, the others are asked */
	int64_t from;
	bool is_agent;                  /* no person: never told of a private message */
	bool is_counted;                /* a person's: shows in the session's `viewers` */
	void (*wants_write)(void *ctx); /* never from inside a call of ours */
	void *ctx;
};

struct peer *peer_new(const struct peer_conf *conf);
void peer_free(struct peer *p); /* NULL is fine */

/* What the viewer says: {"t":"subscribe","from":N}. Unknown things are ignored; VY_BAD_INPUT for
 * what is no JSON object or names no cursor. */
VY_MUST_USE int peer_hear(struct peer *p, struct vy_str text, struct vy_err *e);

enum peer_got {
	PEER_NOTHING, /* wants_write comes when there is something */
	PEER_MESSAGE, /* one message was appended, and nothing more waits */
	PEER_MORE,    /* one message was appended; take again */
	PEER_OVER     /* nothing ever more: close with peer_code() */
};
enum peer_got peer_take(struct peer *p, struct vy_buf *out);
int peer_code(const struct peer *p); /* a WebSocket close code, after PEER_OVER */
/* Who looks is not who came: over with 4403 before another frame leaves. */
void peer_end_access(struct peer *p);
uint64_t peer_sent(const struct peer *p); /* frames so far */

#endif
