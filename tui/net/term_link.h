/* term_link.h -- one viewer of one terminal, over however many connections it takes.
 *
 * Asks for a ticket (term.attach), opens the WebSocket, gives what comes to the viewer's machine
 * (shared/frame/term) and tells its effects in order: every byte of the terminal once. When the line
 * breaks it comes again from the offset it has, soon at first and then ever less often, and at once
 * when a local server's socket appears. A line without a byte for VY_HEARTBEAT_MS is asked, and one
 * without for VY_DEAD_MS is given up.
 *
 * Whoever held the keyboard when the line broke claims it again.
 *
 * The machine is the caller's: a link that is made later goes on where an earlier one ended. A link
 * is not freed from inside of its callbacks. Loop thread only. */
#ifndef NET_TERM_LINK_H
#define NET_TERM_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/frame/term.h"

struct dial;
struct rpc;
struct term_link;
struct vy_clock;
struct vy_loop;

enum term_link_state {
	TERM_LINK_DOWN,   /* nothing open; a try may be under way or due */
	TERM_LINK_REPLAY, /* open; what was said before comes */
	TERM_LINK_LIVE,   /* all that there was at the hello has come */
	TERM_LINK_OVER,   /* the shell has ended and all it printed was told */
	TERM_LINK_GONE /* no for good: no such terminal, no access any more; `why` is a sentence */
};

struct term_link_events {
	/* RESET, SIZE, FEED, KEYS or EXIT; lent. What is fed while the state is not LIVE is history. */
	void (*effect)(void *ctx, const struct vy_term_effect *e);
	void (*state)(void *ctx, enum term_link_state s, const struct vy_err *why);
};

struct term_link_conf {
	struct vy_loop *loop;
	struct dial *dial;
	struct rpc *rpc;
	const struct vy_clock *clock;
	const char *term;              /* its id; copied */
	struct vy_term_viewer *viewer; /* initialised; borrowed for the link's life */
	int cols, rows;                /* the room there is */
	bool claims_keys;              /* it was opened by us: the keyboard is ours at first */
};

struct term_link *term_link_new(
	const struct term_link_conf *conf, const struct term_link_events *ev, void *ctx);
void term_link_free(struct term_link *l); /* NULL is fine */

/* Keys for the program: takes from the front what the line takes now. Nothing while there is no hello. */
void term_link_send(struct term_link *l, struct vy_buf *from);
/* The room there is; said now and on every later connection. */
void term_link_size(struct term_link *l, int cols, int rows);
void term_link_take(struct term_link *l);  /* the keyboard */
void term_link_retry(struct term_link *l); /* the person said: now, not when the wait ends */

enum term_link_state term_link_state(const struct term_link *l);
int64_t term_link_down_since_ms(const struct term_link *l); /* boot clock; -1 while up */

#endif
