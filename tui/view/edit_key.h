/* edit_key.h -- the keys of any text field (KEYMAP_EDIT) as the verbs of edit.h. Pure. */
#ifndef VIEW_EDIT_KEY_H
#define VIEW_EDIT_KEY_H

#include <stdbool.h>

#include "tui/input/keymap.h"
#include "tui/view/edit.h"

bool edit_key(struct edit *e, enum keymap_action a); /* false: not one of a text field */

#endif
