/* queue.h -- the messages that wait, and what a key does to them. Pure.
 *
 * A key acts on the one that is picked, else on the newest. Up in an empty composer picks the
 * newest: its words stand in the composer, to be changed; up and down go on to the others. A change
 * is kept when one moves on or presses enter, given up by Esc. What the agent takes meanwhile is
 * said, and a change of it stays in the composer. */
#ifndef APP_QUEUE_H
#define APP_QUEUE_H

#include <stdbool.h>

#include "tui/app/state.h"

/* False: up and down mean something else here. */
bool queue_up(struct app_state *s, struct app_effects *fx);
bool queue_down(struct app_state *s, struct app_effects *fx);
void queue_keep(struct app_state *s, struct app_effects *fx); /* enter: the change, and done */
void queue_give_up(struct app_state *s);                      /* Esc */

void queue_drop(struct app_state *s, struct app_effects *fx); /* the words stay, in the composer */
void queue_now(struct app_state *s, struct app_effects *fx);
void queue_move(struct app_state *s, bool up, struct app_effects *fx);

/* The queue is another: is the picked one still in it, and does it go on after our interrupt? */
void queue_changed(struct app_state *s, struct app_effects *fx);

/* Rows it takes with what was said and is not in the log yet; queue_draw.c. */
int queue_rows(const struct app_state *s);
void queue_draw(const struct app_state *s, struct cell_win w);

#endif
