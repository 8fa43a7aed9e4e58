/* control.h -- the control plane: what happens to all sessions, as one stream of few events.
 *
 * Events (shared/model/registry.def) are drawn as things are staged, get their seq there, which counts the
 * whole database and never goes back, are kept in the same transaction (control_event.h), and exist
 * from their commit on. The newest stand in a ring; who comes from further back, also from an
 * earlier vyred, reads from the store, in pages. A subscription is a place and such a page and
 * nothing else: it costs its reader's delay to nobody. One that falls behind what is kept, or
 * comes with a `since` that is not, gets one control.reset {head} and goes on from the head.
 *
 *	ready(ctx) -> while (control_next(sub, &buf)) { send }
 *
 * Who may not read a session gets nothing of it: judged event by event as it is handed out. Loop
 * thread. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "server/auth/caller.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"

#define CONTROL_RING  (2 * 1024)
#define CONTROL_BYTES (16 * 1024 * 1024)

struct log;
struct vy_clock;
struct vy_loop;
struct control;
struct control_sub;

struct control *control_new(struct log *log, struct vy_loop *loop, const struct vy_clock *clock);
void control_free(struct control *c); /* all subscriptions are gone; NULL is fine */
int64_t control_head(const struct control *c);

/* A provider is another than it was (registry.h). For everybody who reads the plane whole; its event is staged
 * as the others are. A store that takes nothing takes this neither. */
void control_provider(struct control *c, const char *name, const char *why);

struct vy_control_defaults;
/* What people set for all sessions is another: told as a provider is. */
void control_of_defaults(struct control *c, const struct vy_control_defaults *d);

struct vy_control_slot;
/* A slot changed hands, or a place in the line (registry.h): told with its session. */
void control_of_slot(struct control *c, const struct vy_control_slot *slot);

struct vy_control_term;
/* A terminal of a session was opened, ended, or is forgotten: told with its session. */
void control_of_term(struct control *c, const struct vy_control_term *term);

/* Whose a session is has changed, or it is gone: called as that is staged, from its record alone, so
 * nobody who writes one need say so. */
typedef void control_owner_fn(void *ctx, const char *session);
void control_on_owner(struct control *c, control_owner_fn *fn, void *ctx);

struct control_open {
	const struct caller *who; /* copied */
	bool has_since;           /* else: what happens from now on */
	int64_t since;
	const struct vy_json
		*filter;          /* {session?, project?, types?: ["ask.raised", "session.run."]} */
	void (*ready)(void *ctx); /* later in this turn, and whenever it had run dry */
	void *ctx;
};
/* VY_BAD_INPUT: the filter names no event. */
struct control_sub *control_subscribe(
	struct control *c, const struct control_open *o, struct vy_err *e);
void control_unsubscribe(struct control_sub *s); /* NULL is fine */

/* Appends the next event, a JSON object {id, seq, type, time, session?, data}; false: `ready`
 * comes when there is one. */
bool control_next(struct control_sub *s, struct vy_buf *out);
int64_t control_at(const struct control_sub *s); /* the seq it is past: where to go on from */

#endif
