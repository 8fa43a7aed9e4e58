/* left.h -- what other programs left in this machine's folders, beside the sessions of ours.
 *
 * The switcher shows it behind them, each with the program it is of: a session of a terminal is opened
 * as one of ours by being chosen (threads.adopt). The list is asked for whenever the switcher opens;
 * until the answer is here the last one stands. A server that looks for none is not asked twice. And
 * the way back: the command that goes on with a session in a terminal. Pure. */
#ifndef APP_LEFT_H
#define APP_LEFT_H

#include <stdbool.h>

#include "shared/base/err.h"
#include "shared/base/json.h"

struct app_state;
struct app_effects;
struct picker_item;

struct left {
	struct vy_json *list; /* the newest answer; NULL: none yet */
	bool is_none;         /* the server has no such list */
};

void left_fini(struct left *l);

void left_ask(struct app_state *s, struct app_effects *fx);
void left_told(struct app_state *s, const struct vy_json *result, const struct vy_err *e);

/* Adds what is not ours yet to the picker. */
void left_add(struct app_state *s);
/* It is one of those, and is opened. False: it is none. */
bool left_choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx);
bool left_is(const struct picker_item *it);

/* The command that goes on with our session in a terminal: shown and copied, once our agent has let go
 * of it. */
void left_resume(struct app_state *s, struct app_effects *fx);
void left_resume_told(struct app_state *s, const struct vy_json *record, const struct vy_err *e,
	struct app_effects *fx);

#endif
