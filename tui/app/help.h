/* help.h -- every key of the place one is in, read from the keymap, so it cannot lie. Pure. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include <stdbool.h>

#include "tui/app/state.h"

void help_open(struct app_state *s);
bool help_key(struct app_state *s, enum keymap_action a); /* false: not one of its own */
void help_draw(struct app_state *s, struct cell_win w);

#endif
