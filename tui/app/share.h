/* share.h -- one session's draft on the server: there on the next screen, on any machine.
 *
 * Read once when the session is opened and the line is up; written a moment after a change. Each
 * side's newest wins where the other did not change; where both did, ours stays and theirs is not
 * lost: other() gets it. The server's revision decides that, no clock. What the server does not
 * take (too large, an old server) stays here. Loop thread only. */
#ifndef APP_SHARE_H
#define APP_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/json.h"

struct rpc;
struct share;
struct vy_loop;

struct share_events {
	void (*look)(
		void *ctx); /* before anything is decided: share_changed() if ours did change */
	/* The draft as it stands, owned, NULL when nothing does. False: not for the server. */
	bool (*ours)(void *ctx, struct vy_json **out);
	void (*theirs)(
		void *ctx, const struct vy_json *draft); /* takes the place of ours; NULL: none */
	void (*other)(
		void *ctx, const struct vy_json *draft); /* ours stays, this one was there too */
	void (*settled)(void *ctx); /* rev or is_sent are others now: to be kept with the draft */
};

/* Where a draft stands to the server's: kept with it on disk. */
struct share_mark {
	int64_t rev;  /* of the server's that ours comes from; -1: never seen */
	bool is_sent; /* ours is that one */
};

#define SHARE_PAUSE_MS 300 /* of typing, then it is written */

struct share *share_new(struct vy_loop *l, struct rpc *rpc, int64_t pause_ms,
	const struct share_events *ev, void *ctx);
void share_free(struct share *s); /* NULL is fine */

void share_open(struct share *s, const char *session, struct share_mark mark);
void share_changed(struct share *s); /* by the person */
void share_up(struct share *s);      /* the line is */
void share_down(struct share *s);
struct share_mark share_mark(const struct share *s);

#endif
