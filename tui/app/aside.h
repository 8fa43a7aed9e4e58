/* aside.h -- a side question: what the agent knows, asked beside its conversation.
 *
 * Its answer is in a panel (view/aside_panel.h) and in no history; the session goes on meanwhile.
 * The panel has the keys while it is open, the composer keeps its text. Closed, it keeps what was
 * asked, and an answer that comes then is told. Pure. */
#ifndef APP_ASIDE_H
#define APP_ASIDE_H

#include "tui/app/state.h"

/* Opens the panel, and asks if there are words. Of an agent that takes none it is said, and nothing opened. */
void aside_open(struct app_state *s, struct vy_str words, struct app_effects *fx);
bool aside_key(struct app_state *s, enum keymap_action a, struct app_effects *fx);
void aside_reply(
	struct app_state *s, uint32_t serial, const struct vy_json *result, const struct vy_err *e);
/* "esc cancel  enter ask …": what can be done now. Appends. */
void aside_hint(const struct app_state *s, struct vy_buf *out);

#endif
