/* escape.h -- what Esc does now: one written order, for the key and for the line that names it.
 *
 * A list or a search, the help or a pager, browsing, what vi's keys have selected or
 * half typed, their insert mode, words meant for an answer, a waiting message or one that is said
 * otherwise in the composer, the ask (folded, never answered), the turn; and where there is nothing
 * of that and the composer is empty, pressed twice, the list of what can be gone back to. Else it
 * acts at the first press. It removes nothing. Pure. */
#ifndef APP_ESCAPE_H
#define APP_ESCAPE_H

#include "tui/app/state.h"

enum escape {
	ESCAPE_NOTHING,
	ESCAPE_MENU, /* or the line of a search */
	ESCAPE_HELP, /* or a pager */
	ESCAPE_BROWSE,
	ESCAPE_PART,   /* of vi: a selection, a command half typed */
	ESCAPE_INSERT, /* of vi: to normal mode */
	ESCAPE_SAYING,
	ESCAPE_EDITING,
	ESCAPE_AGAIN,
	ESCAPE_ASK,
	ESCAPE_TURN,
	ESCAPE_BACK, /* twice */
};

enum escape escape_now(const struct app_state *s);
/* "esc interrupt", with the key as it is bound now; empty when it does nothing. Appends. */
void escape_words(const struct app_state *s, struct vy_buf *out);
/* It would do nothing but begin that: worth a hint where there is room. */
bool escape_is_offer(const struct app_state *s);
/* How long a second press means the list still; -1: none is waited for. */
int64_t escape_again_ms(const struct app_state *s);
/* The key in the composer: the last ones of them. */
void escape_do(struct app_state *s, struct app_effects *fx);

#endif
