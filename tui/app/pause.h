/* pause.h -- the server says that sessions wait, and why: a state of the server, beside the log. */
#ifndef APP_PAUSE_H
#define APP_PAUSE_H

#include "tui/app/state.h"

/* A status that is not logged: it begins, goes on or is over. */
void pause_told(struct app_state *s, const struct vy_frame *status);
void pause_forget(struct app_state *s); /* another connection will say it again */

/* Above what waits, a sentence: how many rows it takes at that width, and it. */
int pause_rows(const struct app_state *s, int cols);
void pause_draw(const struct app_state *s, struct cell_win w);

#endif
