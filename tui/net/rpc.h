/* rpc.h -- calls to the server by name, answered later.
 *
 * A call is one POST /v1/rpc. Its callback comes exactly once, never from inside rpc_call():
 * with the result, or with an error whose code is the house's word for the wire's kind
 * (person_only is VY_PERSON_ONLY …) and whose text is a sentence for a person. A server that is
 * not there, or went away before it answered, is VY_RETRY: the call may have happened, so a write
 * is repeated with the same key or not at all. Loop thread only. */
#ifndef NET_RPC_H
#define NET_RPC_H

#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/json.h"

struct dial;
struct rpc;
struct rpc_call;

#define RPC_TIMEOUT_MS 30000

/* `result` is lent and NULL exactly when `e->code` is not VY_OK; `data` is the error's data. */
typedef void rpc_done_fn(void *ctx, const struct vy_json *result, const struct vy_err *e);

struct rpc *rpc_new(struct dial *d); /* borrows the dial, which must live longer */
void rpc_free(struct rpc *r);        /* cancels every call: no callback follows */

/* `own_params` is handed over (NULL: no parameters); `key` may be NULL; timeout 0 is
 * RPC_TIMEOUT_MS, negative is none. */
struct rpc_call *rpc_call(struct rpc *r, const char *method, struct vy_json *own_params,
	const char *key, int64_t timeout_ms, rpc_done_fn *fn, void *ctx);
void rpc_cancel(struct rpc_call *c); /* silent; NULL is fine */

/* GET of a JSON document (a snapshot). */
struct rpc_call *rpc_get(struct rpc *r, const char *path, rpc_done_fn *fn, void *ctx);

#endif
