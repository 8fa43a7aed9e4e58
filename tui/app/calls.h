/* calls.h -- what a key asked of the server, kept while there is none.
 *
 * A call that finds nobody (the server restarts, the line is down) is made again with the same key
 * once the line is up, so an answer or an interrupt pressed in that moment counts, and counts once.
 * After CALLS_WAIT_MS it is given up with a sentence: an old key press must not act late. Messages
 * are not made here: they have the outbox. Loop thread only. */
#ifndef APP_CALLS_H
#define APP_CALLS_H

#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/json.h"

struct calls;
struct rpc;

#define CALLS_WAIT_MS 30000
#define CALLS_MAX     64

/* `failed` says that a call did not work, in a sentence. */
struct calls *calls_new(struct rpc *rpc, void (*failed)(void *ctx, const char *why), void *ctx);
void calls_free(struct calls *c); /* NULL is fine; nothing is told any more */

void calls_make(struct calls *c, const char *method, struct vy_json *own_params, int64_t now_ms);
void calls_retry(struct calls *c, int64_t now_ms); /* the line is up */

#endif
