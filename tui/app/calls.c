/* calls.c -- see calls.h. */
#include "tui/app/calls.h"

#include <stdlib.h>
#include <sys/queue.h>

#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "tui/net/rpc.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

struct one_call {
	struct calls *calls;
	const char *method; /* static */
	struct vy_json *params;
	char key[VY_UUID_LEN + 1];
	int64_t made_ms;
	struct rpc_call *under_way; /* NULL: it waits for the line */
	TAILQ_ENTRY(one_call) link;
};

struct calls {
	struct rpc *rpc;
	void (*failed)(void *ctx, const char *why);
	void *ctx;
	TAILQ_HEAD(call_list, one_call) list;
	size_t n;
};

struct calls *calls_new(struct rpc *rpc, void (*failed)(void *ctx, const char *why), void *ctx)
{
	struct calls *c = VY_NEW(struct calls);

	c->rpc = rpc;
	c->failed = failed;
	c->ctx = ctx;
	TAILQ_INIT(&c->list);
	return c;
}

static void drop(struct one_call *o)
{
	TAILQ_REMOVE(&o->calls->list, o, link);
	o->calls->n--;
	vy_json_free(o->params);
	free(o);
}

void calls_free(struct calls *c)
{
	struct one_call *o;

	if (!c) {
		return;
	}
	while ((o = TAILQ_FIRST(&c->list))) {
		rpc_cancel(o->under_way);
		drop(o);
	}
	free(c);
}

static void on_done(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct one_call *o = ctx;

	(void)result;
	o->under_way = NULL;
	if (e->code == VY_RETRY) {
		return; /* nobody there: calls_retry() goes on */
	}
	if (e->code != VY_OK) {
		o->calls->failed(o->calls->ctx, e->text);
	}
	drop(o);
}

static void send(struct one_call *o)
{
	o->under_way =
		rpc_call(o->calls->rpc, o->method, vy_json_copy(o->params), o->key, 0, on_done, o);
}

void calls_make(struct calls *c, const char *method, struct vy_json *own_params, int64_t now_ms)
{
	struct one_call *o;

	if (c->n >= CALLS_MAX) {
		vy_json_free(own_params);
		c->failed(c->ctx, _("too much waits for the server already"));
		return;
	}
	o = VY_NEW(struct one_call);
	o->calls = c;
	o->method = method;
	o->params = own_params;
	o->made_ms = now_ms;
	vy_uuid(o->key);
	TAILQ_INSERT_TAIL(&c->list, o, link);
	c->n++;
	send(o);
}

void calls_retry(struct calls *c, int64_t now_ms)
{
	struct one_call *o, *next;

	for (o = TAILQ_FIRST(&c->list); o; o = next) {
		next = TAILQ_NEXT(o, link);
		if (o->under_way) {
			continue;
		}
		if (now_ms - o->made_ms > CALLS_WAIT_MS) {
			c->failed(c->ctx, _("the server was away too long: press the key again"));
			drop(o);
		} else {
			send(o);
		}
	}
}
