/* queue.h -- what a key does to the messages that wait. Pure. */
#ifndef APP_QUEUE_H
#define APP_QUEUE_H

#include <stdbool.h>

#include "tui/app/state.h"

const struct vy_row *queue_newest(struct app_state *s); /* NULL: nothing waits */
void queue_edit(struct app_state *s);                   /* there must be one */
void queue_drop(struct app_state *s, struct app_effects *fx);
void queue_now(struct app_state *s, struct app_effects *fx);
void queue_move(struct app_state *s, bool up, struct app_effects *fx);

#endif
