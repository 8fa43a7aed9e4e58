/* events.h -- the one engine that serves a view (server/hub/view.h) on a connection of its own: as
 * server-sent events, or as a WebSocket where its endpoint (endpoints.h) allows that.
 *
 * SSE: `retry:` and a comment at once, then each item as `event:` (when it has a name), `id:` (when it
 * is a place) and `data:`; a comment every VY_HEARTBEAT_MS; no compression, X-Accel-Buffering: no. A
 * view that ends with anything but HUB_DONE says so first, as `event: closed` with {code,
 * reason}; then, as behind an item that is the last by its nature, the connection ends. WebSocket: one item
 * is one message (several, one a line, as vyre.lines), {"type":"heartbeat"} in place of the comment, the
 * code as its close code.
 *
 * It asks the view when the socket has room, and for 64 KiB at a time: what a reader does not take is
 * held by nobody. One that takes nothing from one heartbeat to the next lags, or, if its view is of the
 * moment (drops_slow), is dropped.
 *
 * Where its endpoint has pages, Accept: application/json gets what there is now as one answer:
 * {items, …} and what the view says beside them, at most 500 items or 256 KiB.
 *
 * Refused before anything is opened: 400 with a sentence for junk (also in Last-Event-ID), 404 for a
 * session that is not there or not the caller's, 403, 406, 503. Private to server/wire. Loop thread. */
#ifndef WIRE_EVENTS_H
#define WIRE_EVENTS_H

#include "server/wire/inside.h"

struct events;

/* A GET on the endpoint of t->target: 0 for lws, answered or begun; -1: hang up. */
int events_get(struct conn *c, struct lws *wsi, const struct http_target *t);
/* The same by an upgrade: the view is open, or the HTTP status to refuse with and *e. */
int events_upgrade(struct conn *c, struct lws *wsi, const struct http_target *t, struct vy_err *e);
/* The view of that method in answer to a request that waits for one, as SSE, with something of ours before its
 * first item. When it cannot be opened the answer is that. */
struct events_first {
	const char *event;
	struct vy_str data; /* one line */
};
void events_answer(struct conn *c, const char *method, const struct vy_json *params,
	const struct events_first *first);
void events_free(struct events *ev); /* NULL is fine */

/* The next message, as peer_take() has it. */
enum peer_got events_take(struct events *ev, enum peer_form form, struct vy_buf *out);
int events_code(const struct events *ev);     /* after PEER_OVER */
void events_end(struct events *ev, int code); /* with that code, before the next item */
void events_end_access(struct events *ev);    /* who reads it is not who came */

void events_beat(struct events *ev); /* beat.h; it may end */

#endif
