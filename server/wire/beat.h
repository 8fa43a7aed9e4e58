/* beat.h -- one timer for all that is held open: what a reader of events is sent while nothing happens, and
 * whether a WebSocket still has somebody at its other end.
 *
 * Set while there is such a connection. A WebSocket of events and the control WebSocket get the protocol's own
 * ping each time, of which an answer has to come, or anything else: the one that was silent for VY_DEAD_MS is
 * closed, at the beat behind it. A session's stream has its heartbeats from the hub, and is not asked.
 *
 * Private to server/wire. Loop thread. */
#ifndef WIRE_BEAT_H
#define WIRE_BEAT_H

#include "server/wire/inside.h"

void beat_begin(struct wire *w); /* there is a connection to beat for */
void beat_due(void *ctx);        /* wire->beat */
/* Within lws' callbacks: it spoke; and it can be written to. True: a ping was owed, and *rc is for lws. */
void beat_heard(struct conn *c);
bool beat_write(struct conn *c, struct lws *wsi, int *rc);

#endif
