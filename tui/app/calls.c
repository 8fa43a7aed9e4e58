/* calls.c -- see calls.h.
 *
 * One timer for all that waits: it is set only while something does, and doubles its pace until an
 * answer comes. */
#include "tui/app/calls.h"

#include <stdlib.h>
#include <sys/queue.h>

#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tui/net/rpc.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define RETRY_FIRST_MS 250
#define RETRY_MAX_MS   4000

struct one_call {
	struct calls *calls;
	const char *method; /* static */
	struct vy_json *params;
	char key[VY_UUID_LEN + 1];
	int64_t made_ms;
	struct rpc_call *under_way; /* NULL: it waits to be made again */
	struct vy_err why;          /* what kept it; VY_BUSY is the server's own word */
	TAILQ_ENTRY(one_call) link;
};

struct calls {
	struct rpc *rpc;
	const struct vy_clock *clock;
	struct vy_timer *timer;
	int64_t retry_ms;
	void (*failed)(void *ctx, const char *why);
	void *ctx;
	TAILQ_HEAD(call_list, one_call) list;
	size_t n;
};

static void on_time(void *ctx);

struct calls *calls_new(struct vy_loop *l, const struct vy_clock *clock, struct rpc *rpc,
	void (*failed)(void *ctx, const char *why), void *ctx)
{
	struct calls *c = VY_NEW(struct calls);

	c->rpc = rpc;
	c->clock = clock;
	c->timer = vy_loop_timer(l, on_time, c);
	c->retry_ms = RETRY_FIRST_MS;
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
	vy_timer_del(c->timer);
	free(c);
}

static void retry_later(struct calls *c)
{
	if (!vy_timer_is_set(c->timer)) {
		vy_timer_set(c->timer, c->retry_ms);
		c->retry_ms = c->retry_ms * 2 < RETRY_MAX_MS ? c->retry_ms * 2 : RETRY_MAX_MS;
	}
}

static void give_up(struct one_call *o)
{
	struct calls *c = o->calls;
	struct vy_err why = o->why;

	drop(o);
	c->failed(c->ctx, why.code == VY_BUSY
				  ? why.text
				  : _("the server was away too long: press the key again"));
}

static void on_done(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct one_call *o = ctx;
	struct calls *c = o->calls;

	(void)result;
	o->under_way = NULL;
	if (e->code == VY_RETRY || e->code == VY_BUSY) {
		o->why = *e;
		retry_later(c);
		return;
	}
	c->retry_ms = RETRY_FIRST_MS;
	drop(o);
	if (e->code != VY_OK) {
		c->failed(c->ctx, e->text);
	}
}

static void send(struct one_call *o)
{
	o->under_way =
		rpc_call(o->calls->rpc, o->method, vy_json_copy(o->params), o->key, 0, on_done, o);
}

void calls_make(struct calls *c, const char *method, struct vy_json *own_params)
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
	o->made_ms = vy_boot_ms(c->clock);
	vy_uuid(o->key);
	TAILQ_INSERT_TAIL(&c->list, o, link);
	c->n++;
	send(o);
}

static void on_time(void *ctx)
{
	struct calls *c = ctx;
	struct one_call *o, *next;

	for (o = TAILQ_FIRST(&c->list); o; o = next) {
		next = TAILQ_NEXT(o, link);
		if (o->under_way) {
			continue;
		}
		if (vy_boot_ms(c->clock) - o->made_ms > CALLS_WAIT_MS) {
			give_up(o);
		} else {
			send(o);
		}
	}
}

void calls_retry(struct calls *c)
{
	vy_timer_set(c->timer, -1);
	c->retry_ms = RETRY_FIRST_MS;
	on_time(c);
}
