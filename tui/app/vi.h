/* vi.h -- vi's keys in the composer (view/edit_vim.h), when the person writes that way.
 *
 * It has a key first while the composer has the keys and no list is open over it; what it gives back
 * does what it does without it. Enter sends, tab and the rest are as ever. Pure. */
#ifndef APP_VI_H
#define APP_VI_H

#include "tui/app/state.h"

/* True: the key is done. */
bool vi_key(struct app_state *s, const struct key_event *ev, struct app_effects *fx);
/* A key that is bound to nothing: alt-x may be Esc and x, typed faster than a terminal tells apart. */
bool vi_hasty_key(struct app_state *s, struct key k, struct app_effects *fx);
/* After any other key or event that wrote there. */
void vi_after(struct app_state *s);
void vi_toggle(struct app_state *s); /* "/vim" */

bool vi_inserts(const struct app_state *s); /* Esc would end it */
bool vi_is_busy(const struct app_state *s); /* Esc would drop what is selected, or half typed */
void vi_escape(struct app_state *s);
/* "normal 2d" for the hint line; NULL: it is not vi's. Returns out. */
#define VI_WORD_MAX 80
const char *vi_word(const struct app_state *s, char out[VI_WORD_MAX]);

/* A line of the help, what normal mode has; false: there are no more. */
bool vi_help(size_t i, const char **keys, const char **help);

#endif
