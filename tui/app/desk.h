/* desk.h -- what a person left in the composer, kept: drafts, cuts, and what was said before.
 *
 * A draft is on disk at the end of the loop turn that changed it (a giant one a little later, so
 * that writing it never slows the typing down): it survives a kill of the client. One file a
 * session; the kill ring is one for all; the history is one a project (past.h). The server has the
 * draft too, so another machine goes on with it. Nothing here is
 * needed to go on: what cannot be written is said once, and the text stays on the screen.
 * Loop thread only; blocks on small writes. */
#ifndef APP_DESK_H
#define APP_DESK_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "tui/view/composer.h"

struct desk;
struct rpc;
struct vy_loop;
struct vy_clock;

struct desk_events {
	void (*failed)(void *ctx, const char *why); /* once, until it works again */
	void (*changed)(void *ctx);                 /* the text is another: draw */
	/* A message of that id was kept before its client died; NULL: none ever is. */
	bool (*is_kept)(void *ctx, const char *id);
};

struct desk_conf {
	struct vy_loop *loop;
	const struct vy_clock *clock;
	const char *state_dir;
	struct rpc *rpc;    /* NULL: nothing goes to a server */
	struct composer *c; /* borrowed for the desk's life, as the others are */
};

struct desk *desk_new(const struct desk_conf *conf, const struct desk_events *ev, void *ctx);
void desk_free(struct desk *d); /* what was not written is written; NULL is fine */

/* Another session's text from now on: the one that stood there is kept, its own comes back. */
void desk_open(struct desk *d, const char *session);
/* The folder whose history up and ctrl-r walk through. */
void desk_project(struct desk *d, const char *cwd);
/* The line to the server: up, the draft is read there and written there (share.h). */
void desk_line(struct desk *d, bool is_up);
/* The text is about to become the message `id`. The outbox keeps it now and the draft goes at the
 * end of the turn: a client that dies in between would leave the words in both. */
void desk_sends(struct desk *d, const char *id);
/* At the end of a loop turn: writes what changed. Costs nothing when nothing did. */
void desk_turn(struct desk *d);

#endif
