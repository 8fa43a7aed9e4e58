/* write.h -- the composer has the keys: editing, enter, tab, Esc and ctrl-c. Pure. */
#ifndef APP_WRITE_H
#define APP_WRITE_H

#include <stdbool.h>

#include "tui/app/state.h"

/* False: the action is not one of the composer's. */
bool write_key(struct app_state *s, enum keymap_action a, struct app_effects *fx);

#endif
