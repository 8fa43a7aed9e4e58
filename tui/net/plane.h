/* plane.h -- the control plane of the server: what happens to all sessions, told at once.
 *
 * One WebSocket, /v1/stream, held as long as it is wanted; it comes back by itself and goes on behind the
 * last event it saw: soon at first, then ever less often (backoff.h), and at once when a socket appears at its
 * path. A line without a byte for VY_HEARTBEAT_MS is asked (a WebSocket's ping), and one without a byte for
 * VY_DEAD_MS is closed like one that broke. A server that has no such thing is asked once, and plane_is_there() says no: what it would have told
 * has to be read. Loop thread. */
#ifndef NET_PLANE_H
#define NET_PLANE_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/json.h"
#include "shared/base/str.h"

struct dial;
struct plane;
struct vy_loop;
struct vy_watch;

struct plane_events {
	/* Subscribed: what happens behind `head` is told from now on. */
	void (*begins)(void *ctx, int64_t head);
	/* The params of a control.event; a control.reset too. Lent. */
	void (*event)(void *ctx, const struct vy_json *event);
	/* Nobody tells any more: it is tried again, or (plane_is_there()) it is not. */
	void (*ends)(void *ctx);
};

/* `watch` is the caller's, who gives it what comes; it says where to go on. */
struct plane *plane_new(struct vy_loop *loop, struct dial *d, const struct vy_watch *watch,
	const struct plane_events *ev, void *ctx);
void plane_free(struct plane *p); /* NULL is fine */

/* Which events, as control.subscribe has it (JSON, borrowed); else the sessions' records. Before it is
 * wanted. */
void plane_filter(struct plane *p, const char *filter);
/* When to ask a quiet line and when to give it up, for tests; before it is wanted. */
void plane_pace(struct plane *p, int64_t beat_ms, int64_t dead_ms);
void plane_want(struct plane *p, bool is_wanted); /* not wanted: it is not tried again */
bool plane_is_there(const struct plane *p);

#endif
