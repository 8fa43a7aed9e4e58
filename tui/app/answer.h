/* answer.h -- the ask panel has the keys, or takes a digit in passing. Pure. */
#ifndef APP_ANSWER_H
#define APP_ANSWER_H

#include <stdbool.h>

#include "tui/app/state.h"

void answer_begin(struct app_state *s); /* the panel gets the keys */
/* What a frame had no room for is asked for, once, and told when it comes (NULL: it does not). */
void answer_ask_whole(struct app_state *s, struct app_effects *fx);
void answer_told(struct app_state *s, const struct vy_json *result);
/* False: the action is not one of the panel's. */
bool answer_key(struct app_state *s, enum keymap_action a, struct key k, struct app_effects *fx);
/* A digit that answers the ask in sight without the focus (tui.md 4); `was_safe` is what
 * ask_panel_takes_digit() said before the key was seen. */
bool answer_quick(
	struct app_state *s, const struct key_event *ev, bool was_safe, struct app_effects *fx);

#endif
