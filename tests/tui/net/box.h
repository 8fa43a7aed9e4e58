/* box.h -- a client's loop, dial and calls, and a server of tests/server/wire/stand.c to talk to. */
#ifndef TESTS_NET_BOX_H
#define TESTS_NET_BOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/io/loop.h"
#include "tui/net/dial.h"
#include "tui/net/rpc.h"

#define PATIENCE_MS 20000 /* no measure of anything: when to give a test up */

struct box {
	struct vy_loop *loop;
	struct dial *dial;
	struct rpc *rpc;
	char dir[64], path[100];
	pid_t server;
	int leash;
	const char *epoch; /* of the next server; NULL: the usual */
	unsigned frames;   /* that it has logged before */
	uint64_t turns;
	/* what came */
	unsigned answers;
	struct vy_err err;
	struct vy_json *result;
	struct vy_buf said; /* messages, one a line */
	unsigned messages;
	bool is_open, is_closed;
	int code;
	char why[200];
	bool (*until)(struct box *b);
	bool is_done;
};

struct box *box_new(bool is_served);
void box_free(struct box *b);
void serve(struct box *b);   /* starts the server */
void unserve(struct box *b); /* lets it end well */
void slay(struct box *b);    /* kill -9, and its socket away */
void rest(struct box *b, int64_t ms);
bool run(struct box *b, bool (*until)(struct box *b)); /* false: out of patience */

/* One call, and its answer in err and result. */
void on_done(void *ctx, const struct vy_json *result, const struct vy_err *e);
bool has_answer(struct box *b);
void push(struct box *b, const char *frame); /* the server's next frame of session "s" */
void call(struct box *b, const char *method, struct vy_json *own_params, const char *key);

#endif
