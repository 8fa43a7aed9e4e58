/* calls.h -- what a key asked of the server, until the server has answered.
 *
 * A call that finds nobody (the server restarts, the line is down), has no answer in time or is told
 * "busy" is made again by itself, soon, and at once when the line is up; always with the same key,
 * so an answer or an interrupt pressed in that moment counts, and counts once. After CALLS_WAIT_MS
 * it is given up with a sentence: an old key press must not act late. Nothing wakes up while no
 * call waits. Messages are not made here: they have the outbox. Loop thread only. */
#ifndef APP_CALLS_H
#define APP_CALLS_H

#include "shared/base/json.h"

struct calls;
struct rpc;
struct vy_clock;
struct vy_loop;

#define CALLS_WAIT_MS 30000
#define CALLS_MAX     64

/* Borrows the loop, the clock and the rpc. `failed` says that a call did not work, in a sentence;
 * calls may be made from inside it. */
struct calls *calls_new(struct vy_loop *l, const struct vy_clock *clock, struct rpc *rpc,
	void (*failed)(void *ctx, const char *why), void *ctx);
void calls_free(struct calls *c); /* NULL is fine; nothing is told any more */

void calls_make(struct calls *c, const char *method, struct vy_json *own_params);
void calls_retry(struct calls *c); /* the line is up */

#endif
