/* whole.h -- what is done with the whole session: its older rows are read first.
 *
 * The transcript holds what was looked at; a print or a pager wants all. Page after page comes, and
 * then the effect; a key of the person ends the waiting. Without a server it is done with what is
 * here, and says so. Pure. */
#ifndef APP_WHOLE_H
#define APP_WHOLE_H

#include "tui/app/state.h"

void whole_begin(struct app_state *s, enum app_effect_kind what, struct app_effects *fx);
/* A page came, or (false) did not: is that all? Then the effect is done. */
void whole_step(struct app_state *s, bool came, struct app_effects *fx);
void whole_stop(struct app_state *s); /* a key: it is not waited for any more */

#endif
