/* talk.h -- the control WebSocket, GET /v1/stream: JSON-RPC, one message a call or an answer, and
 * what the connection is subscribed to (wire 9, 15). Private to server/wire.
 *
 * What a call means is as on POST /v1/rpc; a key comes as params._key. A connection may have
 * TALK_CALLS_MAX calls under way; then, and while it does not read its answers, it is not read
 * from: it delays itself only. */
#ifndef WIRE_TALK_H
#define WIRE_TALK_H

#include "server/wire/inside.h"

#define TALK_CALLS_MAX 64

struct talk *talk_new(struct conn *c);
void talk_free(struct talk *t); /* NULL is fine */

/* What lws says of it. */
int talk_receive(struct talk *t, struct lws *wsi, const void *in, size_t n);
int talk_writeable(struct talk *t, struct lws *wsi);
void talk_end(struct talk *t); /* closes behind its last answer */

/* The connection of a call under way, or NULL. */
struct talk *talk_of(struct wire *w, wire_call_id id);
void talk_reply(struct talk *t, wire_call_id id, struct vy_str body);
struct conn *talk_conn(const struct talk *t);
struct feed *talk_feed(struct talk *t);
bool talk_is_quiet(const struct talk *t); /* we do not read it */

#endif
