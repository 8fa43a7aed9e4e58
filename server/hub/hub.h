/* hub.h -- who hears what: every viewer is a cursor on a session's log and asks when it can write.
 *
 * Replay and live are one thing: hub_next() lends the frame after the viewer's cursor, from memory
 * or from the store. `ready` is called when there is something for a viewer that had run dry; a
 * slow viewer just does not ask, costs nothing, and is caught up when it does. Memory per viewer
 * is bounded (one page of replay, HUB_LIVE_MAX small frames that are not logged).
 *
 *	ready(ctx)            -> the peer sends, or asks its socket for writable
 *	writable: while (hub_next(sub, room, &item) == HUB_ITEM) { send; hub_item_done(&item); }
 *
 * While the log is paused every viewer is told once, and each that comes: a `status` that is not logged
 * (cur 0) says paused, reason and note; another one says that it is over, with the session's state.
 *
 * `hub_next` never frees a subscription; only hub_unsubscribe does, and it may be called from
 * anywhere, within `ready` too. Nothing of the hub wakes up while there is no subscription. Loop thread. */
#ifndef HUB_H
#define HUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/log/ring.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

struct log;
struct vy_loop;
struct hub;
struct hub_sub;

#define HUB_NO_CURSOR (-1) /* the viewer holds nothing: it gets all that is held */
#define HUB_LIVE_MAX  32

enum hub_close { /* wire 4 */
	HUB_DONE = 1000,
	HUB_RESTARTING = 1012,
	HUB_TRY_LATER = 1013,
	HUB_ACCESS_ENDED = 4403
};

struct hub *hub_new(struct log *log, struct vy_loop *loop);
void hub_free(struct hub *h); /* all subscriptions are gone */

/* The one door out: what this viewer gets in place of a logged frame (shared/model/seal). Answers
 * with a reference of the caller's. NULL hook: everybody gets every frame as it is. */
typedef struct frame_ref *hub_seal_fn(void *ctx, const char *viewer, struct frame_ref *f);
void hub_on_seal(struct hub *h, hub_seal_fn *fn, void *ctx);
/* The number of viewers of a session changed. */
typedef void hub_viewers_fn(void *ctx, const char *session, int viewers);
void hub_on_viewers(struct hub *h, hub_viewers_fn *fn, void *ctx);

/* The word of a session's state (wire 3), for when a pause is over; NULL hook: "waiting". */
typedef const char *hub_state_fn(void *ctx, const char *session);
void hub_on_state(struct hub *h, hub_state_fn *fn, void *ctx);

/* ---- a subscription ---- */

struct hub_open {
	const char *session;
	const char *viewer; /* who looks, for the seal and for closing; copied */
	int64_t from;       /* the last cursor held, HUB_NO_CURSOR */
	const char *epoch;  /* the history `from` belongs to; NULL: not said */
	bool is_merged;     /* runs of deltas may come as one frame while replaying */
	bool is_agent;      /* it is never told of a private message (seal.h) */
	bool is_counted;    /* a screen, not a tool: shows in `viewers` */
	void (*ready)(void *ctx);
	void *ctx;
};

/* Never fails: a `from` that cannot be served gives a subscription that yields `reset` and ends.
 * `ready` is called later in this turn. */
struct hub_sub *hub_subscribe(struct hub *h, const struct hub_open *o);
void hub_unsubscribe(struct hub_sub *s); /* NULL is fine */

enum hub_kind { HUB_FRAME, HUB_EPHEMERAL, HUB_HEARTBEAT, HUB_RESET };
struct hub_item {
	enum hub_kind kind;
	struct frame_ref *frame; /* the bytes to send; cur is 0 but for HUB_FRAME */
};

enum hub_got {
	HUB_ITEM,  /* one item; give it back with hub_item_done */
	HUB_EMPTY, /* nothing more now: `ready` comes when there is */
	HUB_LARGE, /* the next one is over `room`; ask again with more */
	HUB_CLOSED /* nothing ever more: close with hub_code, then hub_unsubscribe */
};
enum hub_got hub_next(struct hub_sub *s, size_t room, struct hub_item *out);
void hub_item_done(struct hub_item *it);
int hub_code(const struct hub_sub *s);               /* close code after HUB_CLOSED */
int64_t hub_cursor(const struct hub_sub *s);         /* last logged cursor handed out */
void hub_stands_for(struct hub_sub *s, int viewers); /* it counts as so many */

/* ---- for those who know ---- */

int hub_viewers(const struct hub *h, const char *session);
/* One small frame that is not logged (cur 0), to the viewers of a session. One with the same `key`
 * still waiting is replaced; a slow viewer loses the oldest. only_viewer may be NULL. */
void hub_ephemeral(struct hub *h, const char *session, const char *key, struct vy_str bytes,
	const char *only_viewer);
/* Ends subscriptions before the next frame leaves. viewer NULL: of all viewers. */
void hub_close_session(struct hub *h, const char *session, const char *viewer, int code);
void hub_close_all(struct hub *h, int code);

#endif
