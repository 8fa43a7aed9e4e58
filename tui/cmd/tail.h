/* tail.h -- what happens, for as long as somebody reads: of a session, or on one of the other planes of the
 * server. A server that goes away is waited for; then it goes on where it was. Private to tui/cmd.
 *
 * A plane is a row of a table and one function, which prints until the loop is stopped. The session's frames
 * are for people, or with --json for programs; all other planes are for programs, an item a line. */
#ifndef CMD_TAIL_H
#define CMD_TAIL_H

#include <stdbool.h>

#include "tui/cmd/verb.h"
#include "tui/net/events.h"

struct tail {
	struct cmd *c;
	struct vy_timer *down; /* set while the line is down and nobody was told */
	bool is_down_told;
	struct vy_err err;
};

struct tail_plane {
	const char *name;
	/* `session` is "" where none was named and none is needed. */
	void (*run)(struct tail *t, const struct tail_plane *p, const char *session);
	bool needs_session;
	const char *path; /* of an endpoint, for the session, and … for its place */
	enum events_fit (*judge)(void *ctx, const struct events_item *it); /* of its items */
};

/* ---- for a plane ---- */
void tail_down(struct tail *t); /* is told when it lasts */
void tail_up(struct tail *t);
void tail_over(struct tail *t, const struct vy_err *why); /* for good */
void tail_run(struct tail *t);                            /* until it is over */

/* ---- tail_planes.c ---- */
void tail_events(struct tail *t, const struct tail_plane *p, const char *session);
void tail_follow(struct tail *t, const struct tail_plane *p, const char *session);
void tail_control(struct tail *t, const struct tail_plane *p, const char *session);

#endif
