/* wear.h -- which theme the screen wears: what a person chose, else what the terminal says it is.
 *
 * COLORFGBG is the first guess, the answer to OSC 11 the knowledge; a terminal whose own theme
 * changes (mode 2031) says so, and is asked again. Loop thread only. */
#ifndef APP_WEAR_H
#define APP_WEAR_H

#include "tui/app/settings.h"
#include "tui/ink/screen.h"
#include "tui/input/key.h"

void wear_start(struct screen *s, const struct settings *how);
/* An event of the terminal: KEY_EV_COLOR or KEY_EV_LOOK; others change nothing. */
void wear_event(struct screen *s, const struct settings *how, const struct key_event *ev);

#endif
