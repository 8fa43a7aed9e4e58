/* welcome.h -- what an empty session shows: where one is, the few keys to begin with, and what the
 * person should know of this machine (no agent is installed). Gone with the first row. Pure. */
#ifndef APP_WELCOME_H
#define APP_WELCOME_H

#include "tui/app/state.h"

/* Draws into the transcript's window; what does not fit is left out from below. */
void welcome_draw(const struct app_state *s, struct cell_win w);

#endif
