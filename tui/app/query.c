/* query.c -- see query.h. */
#include "tui/app/query.h"

#include <stdlib.h>
#include <sys/queue.h>

#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "tui/net/rpc.h"
#include "shared/base/ban.h"

struct query {
	struct queries *all;
	struct app_tag tag;
	struct rpc_call *call;
	LIST_ENTRY(query) link;
};

struct queries {
	struct rpc *rpc;
	query_done_fn *done;
	void *ctx;
	LIST_HEAD(query_list, query) list;
};

struct queries *queries_new(struct rpc *rpc, query_done_fn *done, void *ctx)
{
	struct queries *q = VY_NEW(struct queries);

	q->rpc = rpc;
	q->done = done;
	q->ctx = ctx;
	LIST_INIT(&q->list);
	return q;
}

void queries_free(struct queries *q)
{
	struct query *one;

	if (!q) {
		return;
	}
	while ((one = LIST_FIRST(&q->list))) {
		LIST_REMOVE(one, link);
		rpc_cancel(one->call);
		free(one);
	}
	free(q);
}

static void on_done(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct query *one = ctx;
	struct queries *q = one->all;
	struct app_tag tag = one->tag;

	LIST_REMOVE(one, link);
	free(one);
	q->done(q->ctx, tag, result, e);
}

void queries_make(struct queries *q, const char *method, struct vy_json *own_params,
	struct app_tag tag, int64_t timeout_ms)
{
	struct query *one = VY_NEW(struct query);
	char key[VY_UUID_LEN + 1];

	vy_uuid(key);
	one->all = q;
	one->tag = tag;
	LIST_INSERT_HEAD(&q->list, one, link);
	one->call = rpc_call(q->rpc, method, own_params, key, timeout_ms, on_done, one);
}
