/* wire.h -- how the world reaches vyred: HTTP, WebSocket and SSE on sockets (wire.md 1, 2, 4).
 *
 * The only room of the server that knows libwebsockets. It accepts connections, says who the
 * caller is, carries requests in and answers out, and moves the frames of streams; what a request
 * means is decided above, through the callbacks given at construction.
 *
 * Promises: a ticket's URL is never logged; a slow or dead connection holds at most
 * VY_PEER_UNSENT_MAX unsent bytes and delays nobody; with nobody connected nothing wakes up but
 * libwebsockets' own timer; connections are capped below the file limit, with one fd in reserve.
 *
 * Loop thread only. */
#ifndef WIRE_H
#define WIRE_H

#include <stdint.h>

#include "server/auth/access.h"
#include "server/auth/caller.h"
#include "server/auth/ticket.h"
#include "server/hub/view.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/io/loop.h"

struct hub;
struct wire;

#define WIRE_FD_LIMIT 16384 /* RLIMIT_NOFILE is set to this where it may be */
#define WIRE_STALL_MS 30000 /* a request must arrive, piece by piece, within this */

/* Names one request that waits for its answer. Never reused; it may outlive its connection. */
struct rpc_snapshot_ask;

typedef uint64_t wire_call_id;

struct wire_request {
	wire_call_id id;
	const struct caller *who; /* placed when the request arrived */
	struct vy_str body;
	struct vy_str key; /* Idempotency-Key; empty when none came */
};

/* A view that a connection reads for itself: by the method that subscribes to it. */
struct wire_view {
	const struct caller *who; /* as of now */
	const char *method;
	const struct vy_json *params;
	void (*ready)(void *ctx); /* view.h */
	void *ready_ctx;
};

struct wire_conf {
	struct vy_loop *loop;
	const struct vy_clock *clock;
	struct hub *hub;
	struct ticket_table *tickets;
	struct terms *terms; /* NULL: there are none */
	const struct caller_world *world;
	struct access *access; /* asked before each item of a stream or view; NULL: it never ends */
	unsigned max_connections; /* 0: as many as the file limit and WIRE_FD_LIMIT allow */

	/* POST /v1/rpc. Everything lent lives during the call only. Answered by wire_reply(), now
	 * or later; every request is answered exactly once. */
	void (*call)(void *ctx, const struct wire_request *r);

	/* GET /v1/sessions/ID/snapshot: appends the JSON. VY_NOT_FOUND for what may not be read. */
	int (*snapshot)(void *ctx, const struct caller *who, const struct rpc_snapshot_ask *ask,
		struct vy_buf *out, struct vy_err *e);

	/* GET on an endpoint (endpoints.h): opens its view; NULL: there are none. */
	int (*view)(void *ctx, const struct wire_view *v, struct view *out, struct vy_err *e);
	int64_t beat_ms; /* between two heartbeats there; 0: VY_HEARTBEAT_MS */
	int64_t dead_ms; /* a WebSocket this silent is closed (beat.h); 0: VY_DEAD_MS */
	int64_t late_ms; /* at a drain a stream may take so long to close; 0: VY_LATE_MS */

	void *ctx;
};

struct wire *wire_new(const struct wire_conf *conf, struct vy_err *e);
void wire_free(struct wire *w); /* closes what is still open, removes the sockets it made */

/* The main socket, 0600. The caller holds the state folder's lock, so what lies in that folder is stale and
 * is replaced; in another one (`is_apart`) it may be somebody else's, and if that one answers the path is
 * VY_CONFLICT; a socket that somebody removes later is made again. A path over VY_SOCK_PATH_MAX
 * bytes gets a 0700 folder of ours under /tmp; wire_socket_path() is where it really is. */
VY_MUST_USE int wire_listen_unix(struct wire *w, const char *path, bool is_apart, struct vy_err *e);
const char *wire_socket_path(const struct wire *w);

/* The line socket: JSON-RPC, one message a line. As the main one. */
VY_MUST_USE int wire_listen_line(struct wire *w, const char *path, struct vy_err *e);

/* A listening socket that somebody else made (systemd); takes the fd. */
VY_MUST_USE int wire_listen_fd(struct wire *w, int fd, struct vy_err *e);

/* "127.0.0.1:7780", "[::1]:0", "localhost:7780". Plain text, so loopback only: anything else is
 * VY_BAD_INPUT with a sentence saying what to do. wire_tcp_port() is the port it got. */
VY_MUST_USE int wire_listen_tcp(struct wire *w, const char *addr_port, struct vy_err *e);
int wire_tcp_port(const struct wire *w);

/* One socket for the agent of one session, a/SESSION.sock beside the main socket or its short
 * stand-in; whoever connects is that agent, but for what is known as another's: that stays who it is. The path is lent until the close, which also ends its
 * connections; the same session always gets the same path. NULL on failure. */
const char *wire_agent_socket_open(
	struct wire *w, const char *session, const char *person, struct vy_err *e);
void wire_agent_socket_close(struct wire *w, const char *session);

/* The answer of a request. status is 200, 400, 413, …; an empty body with 200 is sent as 204 (a
 * batch of notifications). A connection that is gone is no error. Takes a copy. */
void wire_reply(struct wire *w, wire_call_id id, int status, struct vy_str body);

/* Places the caller of a waiting request anew; false when its connection is gone, and then it is
 * no person. For every call that only a person may make. */
bool wire_place_again(struct wire *w, wire_call_id id, struct caller *out);
/* The local process that a waiting request comes from; false: it is gone, or came by TCP. */
bool wire_peer(struct wire *w, wire_call_id id, struct caller_peer *out);

/* A subscription for the connection that made this waiting request; its name is in `name`, and what
 * it says comes behind the answer. VY_UNSUPPORTED where connections have none. */
#define WIRE_SUBSCRIPTION_MAX 24
VY_MUST_USE int wire_subscribe(struct wire *w, wire_call_id id, view_open_fn *open, void *open_ctx,
	char name[WIRE_SUBSCRIPTION_MAX], struct vy_err *e);
bool wire_unsubscribe(struct wire *w, wire_call_id id, struct vy_str name);

/* Callers may be placed differently now (what counts as an agent has changed): each local connection's
 * is placed anew, and who turns out to be somebody else loses all it looks at, with 4403, before the
 * next item leaves. The same is done when a call finds it out (wire_place_again). */
void wire_recheck(struct wire *w);

/* No new connections; streams are closed with 1012 (SSE just ends), waiting requests are given
 * until they are answered. `done` is called once when nothing is connected any more; the caller
 * bounds the wait and then frees. */
void wire_drain(struct wire *w, vy_call_fn *done, void *ctx);

struct wire_counts {
	unsigned connections, streams, waiting;
	uint64_t accepted, refused, frames_sent, bytes_sent;
};
void wire_counts(const struct wire *w, struct wire_counts *out);

#endif
