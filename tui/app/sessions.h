/* sessions.h -- the other sessions: going to one, making one, and the list of them (menu_sessions).
 *
 * The list is read from the server when it is asked for and never polled. Its order is the order
 * of alt-1 to alt-9: who needs a person first, then the newest. Pure. */
#ifndef APP_SESSIONS_H
#define APP_SESSIONS_H

#include "tui/app/state.h"

void sessions_new(struct app_state *s, struct app_effects *fx); /* here, with this provider */
void sessions_number(struct app_state *s, unsigned n, struct app_effects *fx); /* from 1 */
/* The answer to one of these two. */
void sessions_opened(struct app_state *s, uint32_t serial, const struct vy_json *result,
	const struct vy_err *e, struct app_effects *fx);

#endif
