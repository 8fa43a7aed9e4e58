/* hint.h -- "esc close  ↑↓ scroll": what keys do here, by the keys the person has. An action that no key
 * leads to is left out. Pure. */
#ifndef APP_HINT_H
#define APP_HINT_H

#include "shared/base/buf.h"
#include "tui/input/keymap.h"

/* Appends the action's first key and what it does, two blanks behind what stands there. */
void hint_add(const struct keymap *m, struct vy_buf *out, enum keymap_action a, const char *does);
/* Two ways of one thing: "↑↓ scroll", "n N matches". */
void hint_two(const struct keymap *m, struct vy_buf *out, enum keymap_action a,
	enum keymap_action b, const char *does);

#endif
