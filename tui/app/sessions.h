/* sessions.h -- going to another session, and making one; the list to choose from is menu_sessions.
 *
 * alt-1 to alt-9 count what the column shows (column.h); without it the list is read for them. Pure. */
#ifndef APP_SESSIONS_H
#define APP_SESSIONS_H

#include "tui/app/state.h"

void sessions_go(struct app_state *s, struct vy_str session, struct app_effects *fx);
void sessions_new(struct app_state *s, struct app_effects *fx); /* here, with this provider */
void sessions_number(struct app_state *s, unsigned n, struct app_effects *fx); /* from 1 */
/* The answer to one of these two. */
void sessions_opened(struct app_state *s, uint32_t serial, const struct vy_json *result,
	const struct vy_err *e, struct app_effects *fx);

#endif
