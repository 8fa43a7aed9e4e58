/* ask_hints.h -- the line at the foot of an ask: the keys that do something now, and nothing else.
 *
 * Read from the keymap, so a rebound key shows. Where there is no room for all of them the less
 * needed ones make way; how to fold it is always said. Pure. */
#ifndef VIEW_ASK_HINTS_H
#define VIEW_ASK_HINTS_H

#include "shared/base/buf.h"
#include "tui/ink/cell.h"

struct ask_panel;

/* Appends at most so many cells of words; nothing while no key of the panel can be reached. */
void ask_hints(const struct ask_panel *p, struct cell_pool *pool, int cells, struct vy_buf *out);

#endif
