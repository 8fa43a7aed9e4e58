/* term_wire.h -- the terminals of the screen and the server: does what term.h wishes.
 *
 * Which terminals there are, opening one, closing one, a line to each that is shown (net/term_link.h),
 * its keys and its room. While the pane is away nothing comes: a tab goes on from its offset when it
 * is shown again. How the pane stands is kept for the next
 * start. All at the end of the loop turn, by term_wire_turn(); what the server brings changes
 * the state and is told by `changed`. Loop thread only. */
#ifndef APP_TERM_WIRE_H
#define APP_TERM_WIRE_H

#include "shared/base/str.h"

struct app_state;
struct dial;
struct rpc;
struct term_wire;
struct vy_loop;

struct term_wire_conf {
	struct vy_loop *loop;
	struct dial *dial;
	struct rpc *rpc;
	struct app_state *state;
	const char *state_dir; /* where the place of the pane is kept; NULL: nowhere */
	void (*changed)(void *ctx);
	void (*bell)(void *ctx);
	void (*clip)(void *ctx, struct vy_str text); /* a program set the clipboard */
	void *ctx;
};

struct term_wire *term_wire_new(const struct term_wire_conf *conf); /* all of it borrowed */
void term_wire_free(struct term_wire *w);                           /* NULL is fine */
/* Costs nothing while there is no terminal. */
void term_wire_turn(struct term_wire *w);

#endif
