/* link.h -- one session's frames, in order, whole, over however many connections it takes.
 *
 * Drives the pure machine of shared/frame/resume: stream.open → WebSocket → frames → callback, and
 * on any trouble the same again from the last cursor. A reset brings a snapshot first. On a local
 * path a dead server costs no time: the link watches the folder of the socket and dials the
 * moment it appears. Frames already delivered are never delivered again, and none is skipped.
 *
 * `state` says what a screen may claim: live only once the server's head is reached, and down as
 * soon as the line is closed or silent for 70 s. A link is not freed from inside its callbacks.
 * Loop thread only. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/io/loop.h"

struct dial;
struct link;
struct rpc;
struct vy_clock;
struct vy_frame;

enum link_state {
	LINK_DOWN,    /* nothing open; a try may be under way or due */
	LINK_REPLAY,  /* open, still catching up */
	LINK_LIVE,    /* caught up with the head the server named */
	LINK_REFUSED, /* no for good: not found, no access, too big; `why` is a sentence */
	LINK_ENDED    /* access ended while it was open; `why` is a sentence */
};

struct link_events {
	/* A frame to fold, lent during the call: logged ones in cursor order, ephemeral ones as they
	 * come. Control frames (reset, heartbeat) stay inside. */
	void (*frame)(void *ctx, const struct vy_frame *f);
	/* What was held is void: start again from this snapshot {record, rows, cur, epoch}. */
	void (*snapshot)(void *ctx, const struct vy_json *snapshot);
	void (*state)(void *ctx, enum link_state s, const struct vy_err *why);
	/* Nobody answered on the local path, this time: start a server if you may, then link_retry().
	 * May be NULL. */
	void (*no_server)(void *ctx);
	/* What link_older() asked for; NULL: it did not come, ask again when it is wanted. May be
	 * NULL if it is never asked for. */
	void (*older)(void *ctx, const struct vy_json *page);
};

struct link_conf {
	struct vy_loop *loop;
	struct dial *dial;
	struct rpc *rpc;
	const struct vy_clock *clock;
	const char *session;
	int64_t from;       /* last cursor held; -1: none, start with a snapshot */
	const char *epoch;  /* the epoch of `from`; NULL when it is -1 */
	int64_t rows;       /* about so many of a snapshot's rows are wanted; 0: all */
	bool is_from_start; /* with from -1: replay from the floor instead of a snapshot */
	bool wants_words; /* words that expired from the log: a snapshot, which has them, instead */
};

struct link *link_new(const struct link_conf *conf, const struct link_events *ev, void *ctx);
void link_free(struct link *l);

/* Asks for the page of rows that ends with that cursor (vy_fold_older()); one at a time. */
void link_older(struct link *l, int64_t to);

void link_retry(struct link *l); /* the person said: now, not when the back-off ends */
enum link_state link_state(const struct link *l);
/* The last server said that it was ending (1012): whoever ended it brings it back, or a person's
 * next act; not a viewer by itself. Until the line stands again. */
bool link_was_ended(const struct link *l);
int64_t link_last(const struct link *l);          /* cursor of the last frame delivered; -1: none */
int64_t link_heard_ms(const struct link *l);      /* boot clock of the last byte received */
int64_t link_down_since_ms(const struct link *l); /* boot clock; -1 while up */

#endif
