/* call.h -- one connection of a dial as a thing of ours: what was asked, what came, whom to tell.
 *
 * No libwebsockets here: that side is dial.c, which owns `wsi` and tells what happens. A call that
 * is over is told and freed by calls_settle(), on the turn after, so nothing is freed or called
 * back from inside a callback or a call of ours. Private to tui/net. */
#ifndef NET_CALL_H
#define NET_CALL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tui/net/dial.h"

#define CALL_MAGIC 0x63616c6cu
#define CALL_PRE   32   /* room before what is sent, for lws to write its header into */
#define CALL_LOST  1006 /* a WebSocket's end without a close frame */

struct lws;

enum call_kind { CALL_REQUEST, CALL_WS };

struct saying { /* a message that waits to be sent */
	STAILQ_ENTRY(saying) link;
	size_t n;
	bool is_binary;
	unsigned char bytes[]; /* CALL_PRE, then n */
};

struct calls {
	struct vy_loop *loop;
	struct vy_timer *soon;
	void (*drop)(struct lws *wsi); /* closes it now; it will not be heard of again */
	TAILQ_HEAD(, call) list;
};

struct call {
	VY_MAGIC;
	enum call_kind kind;
	struct calls *all;
	struct lws *wsi;        /* NULL: none yet, or none any more */
	struct vy_timer *timer; /* an answer's, or an opening's; may be NULL */
	bool is_over;           /* to be told and freed */
	bool is_silent;         /* nobody wants to hear of it */
	struct vy_err err;
	struct vy_buf in; /* the answer; the message being received */
	TAILQ_ENTRY(call) link;
};

struct dial_request {
	struct call c;
	char *method, *path, *key, *last_id;
	struct dial_events events;
	bool is_stream;    /* it is open */
	struct vy_buf out; /* CALL_PRE, then the body */
	size_t out_at;
	int status;
	long long length; /* of the answer's body, as announced; -1: not */
	bool is_whole;
	dial_answer_fn *fn;
	void *ctx;
};

struct dial_ws {
	struct call c;
	struct dial_ws_events ev;
	void *ctx;
	STAILQ_HEAD(, saying) sayings;
	size_t waiting; /* bytes of them */
	bool is_open, wants_ping;
	int code;
	char why[128];
};

void calls_init(struct calls *a, struct vy_loop *l, void (*drop)(struct lws *wsi));
void calls_fini(struct calls *a); /* all of them, silently */

/* Both join the list; -1 in the request's err when its body is too large. */
struct dial_request *request_new(
	struct calls *a, const struct dial_ask *ask, dial_answer_fn *fn, void *ctx);
struct dial_ws *ws_new(struct calls *a, const struct dial_ws_events *ev, void *ctx);

void call_over(struct call *c);
void call_fail(struct call *c, enum vy_code code, const char *why); /* the first reason stands */
void call_forget(struct call *c);                                   /* over, and silent */

/* The connection of a request is closed: was its answer whole by then? */
void request_ended(struct dial_request *r);
/* The close frame of the other side. */
void ws_told(struct dial_ws *ws, const unsigned char *in, size_t n);

#endif
