/* foot.h -- the last line of the chat: what this place is about, what Esc does here and now, what runs
 * in the background, the key that helps, and how the line to the server is.
 *
 * What Esc does is said in any case (tui.md 6): the rest makes room for it. */
#ifndef APP_FOOT_H
#define APP_FOOT_H

#include "tui/app/state.h"
#include "tui/ink/cell.h"

void foot_draw(struct app_state *s, struct cell_win w); /* of one row */

#endif
