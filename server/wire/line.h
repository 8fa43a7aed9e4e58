/* line.h -- the line socket: JSON-RPC 2.0, one message a line (wire 1). Private to server/wire.
 *
 * For programs that would rather not speak HTTP: a call is a line, its answer is a line, in the order
 * in which the answers are ready. What a call means, who may make it and when it is answered is as
 * on POST /v1/rpc; an idempotency key comes as params._key. Nothing of libwebsockets is in it.
 *
 * A connection may have LINE_CALLS_MAX calls under way; then, and while it does not read its answers, it is
 * not read from: it delays itself only. */
#ifndef WIRE_LINE_H
#define WIRE_LINE_H

#include <stdbool.h>

#include "server/wire/inside.h"

#define LINE_CALLS_MAX 64

struct line_world; /* all connections of a wire */

struct line_world *line_new(struct wire *w);
void line_free(struct line_world *lw); /* closes them; NULL is fine */

/* Of a listener, ctx is the world: takes the fd; no descriptor was left for one. */
void line_accepted(void *ctx, struct listener *l, int fd);
void line_refused(void *ctx);
/* The answer of a call; false: it is none of these. An empty one is not sent. */
bool line_reply(struct line_world *lw, wire_call_id id, struct vy_str body);
bool line_place_again(struct line_world *lw, wire_call_id id, struct caller *out);
bool line_peer(struct line_world *lw, wire_call_id id, struct caller_peer *out);
void line_recheck(struct line_world *lw);                                 /* wire_recheck's */
const struct caller *line_caller(struct line_world *lw, wire_call_id id); /* NULL: none of these */
/* The subscriptions of a call's connection; NULL: it is none of these. */
struct feed *line_feed(struct line_world *lw, wire_call_id id);
/* No more is read; each closes behind its last answer. */
void line_drain(struct line_world *lw);
bool line_is_empty(const struct line_world *lw);

#endif
