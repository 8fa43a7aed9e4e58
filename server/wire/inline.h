/* inline.h -- POST /v1/sessions/ID/messages: something is said, and the answer is its turn (wire 9, 15).
 *
 * It is a threads.send, judged as that, and behind its answer the view of the message's turn
 * (session.turn.subscribe) as server-sent events: `event: accepted` with the result of the call first, then
 * frames, then `event: ended` with why. What the call refuses is an HTTP status with a sentence. The stream
 * belongs to the request: there is no place to go on from, but the same key gives the same turn once
 * more. Whoever hangs up only stops listening. Private to server/wire. Loop thread. */
#ifndef WIRE_INLINE_H
#define WIRE_INLINE_H

#include "server/wire/inside.h"

int inline_head(struct conn *c, struct lws *wsi, const struct target *t, long long length);
void inline_say(struct conn *c);                                  /* its body, in c->in, is whole */
void inline_said(struct conn *c, int status, struct vy_str body); /* the answer of the call */

#endif
