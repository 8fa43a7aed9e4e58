/* suggest.h -- the menus that follow what is typed: "/" and "@". Pure. */
#ifndef APP_SUGGEST_H
#define APP_SUGGEST_H

#include "tui/app/state.h"
#include "tui/view/complete.h"

/* Something was typed, or taken back, in the composer: opens the menu of the word under the cursor,
 * if that word has one and the person has not closed it. */
void suggest(struct app_state *s, struct app_effects *fx);
/* The person closed it: this word is left alone. */
void suggest_no_more(struct app_state *s);
/* The composer may be about something else now. */
void suggest_forget(struct app_state *s);

#endif
