/* tell.h -- a person is needed, or something is done: the bell, the desktop, the person's command.
 *
 * Each is a setting. The desktop is told only while the terminal has not the focus. */
#ifndef APP_TELL_H
#define APP_TELL_H

#include "tui/app/settings.h"
#include "tui/app/state.h"
#include "tui/ink/screen.h"

/* `fx` is an APP_NOTICE of `s`. */
void tell(struct screen *screen, const struct settings *how, const struct app_state *s,
	const struct app_effect *fx);

#endif
