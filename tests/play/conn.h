/* conn.h -- a client of vyred's socket written from the RFCs alone: HTTP, WebSocket, events.
 *
 * It shares no line with the programs under test, so that what both of them get wrong is seen. It
 * blocks, with a limit: a script does one thing after the other, and what a viewer did not read yet
 * waits in the socket. */
#ifndef TESTS_PLAY_CONN_H
#define TESTS_PLAY_CONN_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

#define CONN_ANSWER_MAX (64u << 20)

/* Connected, and cut when nothing is heard for `ms`. -1: nobody listens. */
VY_MUST_USE int conn_dial(const char *sock, int ms, struct vy_err *e);

/* ---- one request, one answer ---- */

struct conn_ask {
	const char *method, *path;
	const char *head; /* further lines, each with its \r\n; NULL */
	struct vy_str body;
};

/* The HTTP status; the body is appended. -1: it broke off. */
int conn_request(const char *sock, const struct conn_ask *ask, int ms, struct vy_buf *body,
	struct vy_err *e);

/* ---- a stream ---- */

/* A WebSocket, one with vyre.lines, server-sent events; and those that carry JSON-RPC: the line socket
 * and the control WebSocket, where a stream is a subscription. */
enum conn_form { CONN_SINGLE, CONN_LINES, CONN_EVENTS, CONN_SOCKET, CONN_TALK, CONN_FORMS };

extern const char *const conn_words[CONN_FORMS]; /* single lines events socket talk */
static inline bool conn_is_rpc(enum conn_form form)
{
	return form == CONN_SOCKET || form == CONN_TALK;
}

struct conn {
	int fd; /* -1: closed */
	enum conn_form form;
	struct vy_buf in;      /* bytes that are not whole yet */
	struct vy_buf message; /* of several fragments */
	bool is_binary;        /* the message at hand */
	int code;              /* of the close frame; 1006 without one */
	/* of events: what the one at hand is called, and its id, lent while it is given */
	struct vy_str event, id;
	unsigned comments, retry; /* how many came; what `retry:` said */
};

/* One frame as text; `id` is what an event said it is, -1 without. */
typedef void conn_frame_fn(void *ctx, struct vy_str frame, int64_t id);

/* 0, or the HTTP status of a refusal (the sentence is in `e`), or -1 when nobody answers. `last_id` is
 * Last-Event-ID, NULL or empty: none. What a refusal said is left in `in`. */
int conn_open(struct conn *c, const char *sock, const char *path, enum conn_form form,
	const char *last_id, int ms, struct vy_err *e);
/* The same of a request with a body that is answered by events. */
int conn_post(
	struct conn *c, const char *sock, const struct conn_ask *ask, int ms, struct vy_err *e);
/* Of those that carry JSON-RPC: connects and says `request`, one JSON text. Its answer is appended; -1
 * when none came. What conn_read() gives from then on is one message each. `sock` is vyred's main one. */
int conn_ask(struct conn *c, const char *sock, enum conn_form form, struct vy_str request, int ms,
	struct vy_buf *answer, struct vy_err *e);
void conn_say(struct conn *c, struct vy_str request); /* another one; its answer is a message */
/* Takes what is there, without waiting. False when it is over; then `code` says how. */
bool conn_read(struct conn *c, conn_frame_fn *fn, void *ctx);
/* A message to a WebSocket of another kind. */
void conn_bytes(struct conn *c, struct vy_str bytes);
void conn_text(struct conn *c, struct vy_str text);
void conn_over(struct conn *c, int code); /* it is, and that is why */
void conn_close(struct conn *c);          /* at once, without a word */

#endif
