/* dial.h -- one box to talk to: HTTP requests and WebSockets over its socket.
 *
 * The only file of the client that knows libwebsockets. A dial is a target and a libwebsockets
 * context on the caller's loop; nothing is connected until something is asked for, and nothing
 * wakes up while nothing is. Every request ends in exactly one call of its callback, never from
 * inside the function that started it. Cancelling is silent: no callback follows.
 *
 * Loop thread only. */
#ifndef DIAL_H
#define DIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"
#include "shared/io/loop.h"

#define DIAL_OPEN_MS 10000 /* for a WebSocket to open */

struct dial;
struct dial_request;
struct dial_ws;

/* `target` is a socket's path, or http://HOST:PORT for a loopback listener. */
struct dial *dial_new(struct vy_loop *l, const char *target, struct vy_err *e);
void dial_free(struct dial *d); /* cancels what is under way */
const char *dial_target(const struct dial *d);
bool dial_is_local(const struct dial *d); /* a Unix socket */

/* ---- one request, one answer ---- */

struct dial_answer {
	int status;         /* of HTTP; 0 when there was no answer, and then err says why */
	struct vy_str body; /* lent during the call; at most VY_RPC_ANSWER_MAX */
	struct vy_err
		err; /* VY_RETRY: nobody there, or it went away; VY_BAD_INPUT: not HTTP, too big */
};
typedef void dial_answer_fn(void *ctx, const struct dial_answer *a);

/* A stream of events: what comes of it as it comes, lent for the call. Then the answer, with no body, says
 * that it ended; of anything but a 200 the body is in the answer as ever. Either may cancel the request. */
struct dial_events {
	void (*open)(void *ctx);
	void (*bytes)(void *ctx, struct vy_str bytes);
};

struct dial_ask {
	const char *method;               /* "GET" or "POST" */
	const char *path;                 /* the whole request target */
	struct vy_str body;               /* copied */
	const char *key;                  /* Idempotency-Key; NULL for none */
	int64_t timeout_ms;               /* for the answer, or for a stream to open; 0: none */
	const struct dial_events *events; /* NULL: it is no stream */
	const char *last_id;              /* Last-Event-ID; NULL or "": none */
};
struct dial_request *dial_ask(
	struct dial *d, const struct dial_ask *ask, dial_answer_fn *fn, void *ctx);
void dial_cancel(struct dial_request *r); /* NULL is fine */

/* ---- a WebSocket ---- */

struct dial_ws_events {
	void (*open)(void *ctx);
	/* One whole text message, lent during the call; at most VY_WS_MESSAGE_MAX, else 1009. */
	void (*message)(void *ctx, struct vy_str text);
	/* The last call. `code` is the close code, 1006 without one; 403 and other refusals before
	 * the upgrade come as their HTTP status. The struct dial_ws is gone afterwards. */
	void (*closed)(void *ctx, int code, const char *why);
	/* A part of a message came, or the answer to a ping. NULL: nobody wants to know. */
	void (*heard)(void *ctx);
	/* One whole binary message, as long as one of text. NULL: they are messages like others. */
	void (*bytes)(void *ctx, struct vy_str bytes);
};

struct dial_ws *dial_ws_open(struct dial *d, const char *path, const char *subprotocol,
	const struct dial_ws_events *ev, void *ctx);
void dial_ws_send(struct dial_ws *ws, struct vy_str text); /* copied; kept until it is open */
void dial_ws_send_bytes(struct dial_ws *ws, struct vy_str bytes); /* the same, binary */
size_t dial_ws_waiting(const struct dial_ws *ws); /* bytes that the line has not taken yet */
/* Asks whether the server is there. Its own pings are answered, but lws tells nobody of them. */
void dial_ws_ping(struct dial_ws *ws);
void dial_ws_close(struct dial_ws *ws); /* silent, at once; NULL is fine */

#endif
