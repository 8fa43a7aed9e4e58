/* inside.h -- what the files of this room share, and nobody else sees.
 *
 * A connection is one struct conn from accept to close, whatever it turns into. libwebsockets owns
 * its socket and calls us by wsi; we find the conn in the wsi's user pointer, and drop it in
 * LWS_CALLBACK_WSI_DESTROY and nowhere else. What may outlive it (an RPC under way) knows it by id.
 *
 * libwebsockets 4.1.6 has its ways (doc/TRAPS.md); those that shape this room:
 *   - over HTTP/1 it must not read while an answer is being made or events run, and cannot write
 *     while it does not read: http.c has an eye of its own on such a socket (conn->eye);
 *   - timeouts set from outside its callbacks are not armed on a libev loop, so the deadlines are
 *     ours (wire->sweep);
 *   - one send is cut at tx_packet_size or, if that is 0, at rx_buffer_size. */
#ifndef WIRE_INSIDE_H
#define WIRE_INSIDE_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <uthash.h>

#include "server/io/peercred.h"
#include "server/wire/listen.h"
#include "server/wire/peer.h"
#include "server/wire/target.h"
#include "server/wire/wire.h"
#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"

#define CONN_MAGIC 0x636f6e6eu
#define WIRE_MAGIC 0x77697265u

#define ANSWER_MAX (64 * VY_MIB) /* one answer: a snapshot, a batch of them */
#define CHUNK      VY_BATCH_BYTES

enum conn_phase {
	CONN_HEAD,   /* waiting for a request or reading its head; due_ms counts */
	CONN_BODY,   /* reading a request's body; due_ms counts */
	CONN_WAIT,   /* the request was handed up */
	CONN_WRITE,  /* an answer is on its way */
	CONN_STREAM, /* a viewer */
	CONN_CLOSE   /* was told its last; due_ms counts */
};

struct events;
struct talk;
struct wire_term;

struct agent_socket {
	struct listener *listener;
	char session[VY_UUID_LEN + 1], person[CALLER_ID_MAX + 1];
	LIST_ENTRY(agent_socket) link;
};

struct conn {
	VY_MAGIC;
	struct wire *wire;
	struct lws *wsi;
	int fd;               /* lws owns it */
	struct vy_watch *eye; /* ours, while lws does not read */
	unsigned eye_events;
	bool is_tcp;
	struct peercred cred; /* pidfd -1 and pid 0 on TCP */
	struct caller caller;
	enum conn_phase phase;
	int64_t due_ms; /* on the boot clock */
	bool is_post;   /* what is asked for is made with POST */
	bool is_early;  /* answered before its body was read */
	bool is_doomed; /* close in the next turn */
	bool wants_ping;
	int64_t pinged_ms; /* since when a ping is not answered; 0: none */

	wire_call_id call; /* CONN_WAIT; the hash's key */
	UT_hash_handle hh;
	char *say_to;          /* inline.h: the session; NULL: the request is RPC */
	struct vy_buf in, key; /* a request's body; a viewer's message */
	struct vy_buf out;     /* LWS_PRE, then the answer with its head */
	size_t out_at;

	struct ticket_grant grant; /* of a stream, from the ticket on */
	struct peer *peer;
	struct talk *talk;      /* it is the control WebSocket */
	struct events *events;  /* it reads a view */
	struct wire_term *term; /* it looks at a terminal */
	enum peer_form form;
	bool has_from;
	int64_t from;
	int close_code;
	TAILQ_ENTRY(conn) link;
};
TAILQ_HEAD(conn_list, conn);

struct line_world;
struct talk_call;

struct wire {
	VY_MAGIC;
	struct wire_conf conf;
	struct lws_context *lws;
	struct lws_vhost *vhost;
	struct listener *main, *line, *tcp;
	LIST_HEAD(, agent_socket) agents;
	struct listen_ops listen_ops, line_ops;
	struct line_world *lines;
	char *agent_dir;                             /* with its slash, or "" */
	struct vy_timer *sweep, *soon, *late, *beat; /* beat.h */
	struct conn_list conns;
	struct conn *calls; /* by call */
	struct talk_call *talk_calls;
	struct conn *adopting; /* between accept and lws taking it */
	wire_call_id next_call;
	struct vy_buf scratch; /* LWS_PRE, then one message of a stream */
	struct wire_counts counts;
	bool is_draining, is_being_freed;
	vy_call_fn *drained;
	void *drained_ctx;
};

/* ---- wire.c ---- */
unsigned wire_max_streams(const struct wire *w);

/* ---- conn.c ---- */
void conn_accepted(void *ctx, struct listener *l, int fd);
void conn_refused(void *ctx);
void conn_due(struct conn *c, enum conn_phase phase, int64_t ms); /* into a phase with a deadline */
void conn_kill(struct conn *c);                                   /* in the next turn */
void conn_gone(struct conn *c);                                   /* LWS_CALLBACK_WSI_DESTROY */
/* Who is at the other end as of now; when that is somebody else than before, what the connection
 * looks at is over. `why` may be NULL. */
void conn_place(struct conn *c, struct caller *out, const char **why);
/* Who is at the other end of a local socket, as of now. `why` may be NULL. */
void wire_place_peer(
	struct wire *w, const struct peercred *cred, struct caller *out, const char **why);
void conn_sweep(void *ctx); /* wire->sweep: whose deadline has passed */
void conn_soon(void *ctx);  /* wire->soon: who is doomed, and whether all are gone */
void conn_late(void *ctx);  /* wire->late: vyred ends, and who is no call any more was told */
void conn_check_drained(struct wire *w);

/* ---- doors.c ---- */
void doors_close(struct wire *w);

/* ---- http.c ---- */
struct http_target {
	int method; /* LWSHUMETH_… */
	struct target target;
	struct vy_str args[8];
	size_t n_args;
	char room[2048]; /* of args */
};

int http_event(struct conn *c, struct lws *wsi, enum lws_callback_reasons why, void *in, size_t n);
/* What is asked for, and by TCP whether it may be asked at all: VY_DENIED, VY_BAD_INPUT. */
int http_target(struct conn *c, struct lws *wsi, struct http_target *t, struct vy_err *e);
/* Puts an answer on its way. The caller of a callback returns 0 after it. */
void http_answer(struct conn *c, int status, const char *type, struct vy_str body);
void http_refuse(struct conn *c, int status, const struct vy_err *e);
int http_status(const char *kind); /* of an error, where no JSON-RPC is around it */
/* The head of a POST is right: its body may come. For lws. */
int http_take_body(struct conn *c, struct lws *wsi, long long length);
/* The body is handed up as a call; its answer comes by wire_reply(). */
void http_call(struct conn *c, struct vy_str body);
/* The same within an upgrade that is not to be; returns what the callback returns. */
int http_refuse_now(struct conn *c, int status, const struct vy_err *e);
/* One header, "name:", into the head being built. */
bool http_add_line(
	struct conn *c, const char *name, const char *value, unsigned char **p, unsigned char *end);
/* Stops or resumes lws' own reading; while stopped, the eye looks, and http_want_write() brings an
 * LWS_CALLBACK_HTTP_WRITEABLE. */
void http_quiet(struct conn *c, bool is_quiet);
void http_want_write(struct conn *c);
/* Writes the next chunk of conn->out. HTTP_ALL: it is empty now; HTTP_SOME: more was asked for. */
enum http_wrote { HTTP_LOST, HTTP_SOME, HTTP_ALL };
enum http_wrote http_write(struct conn *c, enum lws_write_protocol last);

/* ---- stream.c ---- */
int stream_upgrade(struct conn *c, struct lws *wsi); /* 0: go on, 1: answered, -1: hang up */
int stream_events(struct conn *c, struct lws *wsi, struct http_target *t); /* SSE */
/* What a reader of events has in common, whatever they are of: 0, or the HTTP status to refuse with. */
int stream_has_place(struct conn *c, struct vy_err *e);
bool stream_asks_events(struct lws *wsi); /* by name */
int stream_takes_events(struct lws *wsi, struct vy_err *e);
bool stream_takes_json(struct lws *wsi);                  /* and no events */
int stream_begin_events(struct conn *c, struct lws *wsi); /* their head; for lws */
void stream_want_write(struct conn *c); /* a viewer's; never from a callback of lws */
int stream_event(
	struct conn *c, struct lws *wsi, enum lws_callback_reasons why, void *in, size_t n);
void stream_close(struct conn *c, int code); /* soon; SSE just ends */
/* -1 for lws, which sends the close frame and waits for the answer. */
int stream_close_with(struct conn *c, struct lws *wsi, int code, const char *why);
int stream_write_events(struct conn *c);

#endif
