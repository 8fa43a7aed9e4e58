/* query.h -- calls whose answers come back to the state as events (app_reply()).
 *
 * One that finds no server is answered so, at once: it was asked for the screen as it is now, and
 * nobody waits for it. Each carries a key of its own, so a write counts once. Loop thread only. */
#ifndef APP_QUERY_H
#define APP_QUERY_H

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "tui/app/state.h"

struct queries;
struct rpc;

/* `result` is NULL exactly when `e` says why. Never called from inside queries_make(). */
typedef void query_done_fn(
	void *ctx, struct app_tag tag, const struct vy_json *result, const struct vy_err *e);

struct queries *queries_new(struct rpc *rpc, query_done_fn *done, void *ctx);
void queries_free(struct queries *q); /* NULL is fine; nothing is told any more */
/* timeout_ms 0: as other calls. */
void queries_make(struct queries *q, const char *method, struct vy_json *own_params,
	struct app_tag tag, int64_t timeout_ms);

#endif
