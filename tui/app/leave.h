/* leave.h -- the line that is left on the shell when the person left the screen.
 *
 * It names the session, what becomes of it, and the command that comes back to it: `vyre-tui` alone
 * where that opens the same one, `vyre-tui ID` from elsewhere. Pure. */
#ifndef APP_LEAVE_H
#define APP_LEAVE_H

#include <stdbool.h>

#include "tui/app/app.h"
#include "tui/app/state.h"

struct vy_buf;

/* Appends the line, with its end. `is_newest`: the program, called here without a word, opened it. */
void leave_words(
	const struct app_state *s, const struct app_options *o, bool is_newest, struct vy_buf *out);

#endif
