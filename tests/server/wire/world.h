/* world.h -- a wire, what stands behind it, and clients made of bare bytes, all on one loop.
 *
 * Nothing here sleeps: waiting for something runs the loop until it is there. A wait that never
 * ends fails the test after WORLD_PATIENCE_MS, which is no measure of anything. */
#ifndef TESTS_WIRE_WORLD_H
#define TESTS_WIRE_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "server/auth/ticket.h"
#include "server/wire/wire.h"
#include "shared/base/buf.h"

#define WORLD_PATIENCE_MS 20000

struct fake_hub;

enum world_answer { ANSWER_ECHO, ANSWER_HOLD, ANSWER_JUNK, ANSWER_NOTHING, ANSWER_SAW };

struct world {
	struct vy_loop *loop;
	struct wire *wire;
	struct ticket_table *tickets;
	struct caller_world callers;
	struct access *access;
	const char *denied; /* the session that nobody may see any more; NULL: none */
	char dir[64], path[100];
	unsigned max_connections;
	uint64_t turns; /* of the loop */
	/* the RPC handler */
	enum world_answer answer;
	wire_call_id held[256];
	unsigned n_held, n_calls;
	struct caller last_caller;
	char last_key[300], last_text[512]; /* of its body, as much as fits */
	size_t last_body;
	/* The view behind every endpoint; NULL: there is none */
	int (*view)(void *ctx, const struct wire_view *v, struct view *out, struct vy_err *e);
	void *view_ctx;
	int64_t beat_ms, dead_ms, late_ms; /* before world_wire() */
	struct caller_live live;           /* a child of ours; session NULL: none */
	/* the wait */
	bool is_over;
	bool (*until)(void *ctx);
	void *until_ctx;
};

struct world *world_new(unsigned max_connections);
void world_again(struct world *w); /* another wire in its place: for its settings */
void world_free(struct world *w);
struct wire *world_wire(struct world *w); /* one that listens nowhere yet */
bool world_run(struct world *w, bool (*until)(void *ctx), void *ctx); /* false: out of patience */
void world_rest(struct world *w, int64_t ms);                         /* lets that much time pass */
void world_place_differently(struct world *w);       /* this process is an agent's now */
void world_push(struct world *w, const char *bytes); /* a committed frame of session "s" */
void world_push_many(struct world *w, unsigned n, size_t size);
unsigned world_subscribers(struct world *w);
/* A ticket for session "s" and this process, as the whole request target. */
const char *world_target(struct world *w, const char *more);

/* ---- a client ---- */

struct raw {
	struct world *w;
	int fd;
	struct vy_watch *watch;
	struct vy_buf in; /* what came and was not taken yet */
	size_t came;
	bool is_closed, is_paused;
	const char *wanted;
};

struct raw *raw_open(struct world *w);
struct raw *raw_open_path(struct world *w, const char *path);
struct raw *raw_open_tcp(struct world *w, int port);
void raw_close(struct raw *r);
void raw_send(struct raw *r, const char *text);
void raw_send_n(struct raw *r, const void *p, size_t n);
void raw_pause(struct raw *r, bool is_paused);  /* stops reading */
bool raw_wait(struct raw *r, const char *text); /* until it has come */
bool raw_wait_close(struct raw *r);
bool raw_wait_bytes(struct raw *r, size_t n);
void raw_post(struct raw *r, const char *body); /* POST /v1/rpc on a kept connection */
/* One whole answer with its length: its status; the body is at the start of r->in until raw_take. */
int raw_answer(struct raw *r, struct vy_str *body);
void raw_take(struct raw *r, size_t n);

/* ---- a WebSocket on it ---- */

enum { WS_TEXT = 1, WS_BINARY = 2, WS_CLOSE = 8, WS_PING = 9, WS_PONG = 10 };

bool ws_open(struct raw *r, const char *target, const char *subprotocol);
void ws_send(struct raw *r, int opcode, const char *text, size_t n);
/* The next message: its opcode, or -1 when the connection ended. The payload lives until the next. */
int ws_next(struct raw *r, struct vy_str *payload);
int ws_close_code(struct raw *r); /* reads on to the close frame: its code */

#endif
