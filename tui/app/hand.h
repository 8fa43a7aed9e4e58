/* hand.h -- what browsing hands to others: the clipboard, an editor, a browser, a pager. */
#ifndef APP_HAND_H
#define APP_HAND_H

#include "tui/app/state.h"
#include "tui/ink/screen.h"

/* Does an APP_COPY, APP_LINK, APP_EDIT_FILE, APP_PRINT or APP_PAGE; what came of it is said on the
 * hint line. An editor, a pager and the print give the terminal away and wait. -1: it did not come back. */
int hand_effect(
	struct screen *screen, const char *dir, struct app_state *s, const struct app_effect *fx);

#endif
