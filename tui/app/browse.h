/* browse.h -- the transcript has the keys: moving, opening, back to the composer. Pure. */
#ifndef APP_BROWSE_H
#define APP_BROWSE_H

#include <stdbool.h>

#include "tui/app/state.h"

void browse_begin(struct app_state *s);
void browse_leave(struct app_state *s); /* to the composer, from wherever the keys are */
bool browse_key(struct app_state *s, enum keymap_action a); /* false: not one of its own */

#endif
