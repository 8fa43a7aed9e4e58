/* menu.h -- a list to choose from, opened by a key or by a sign in the composer: one at a time.
 *
 * The list itself is tui/view/picker. What it lists, and what choosing does, is its kind. To add
 * one:
 *	1. tui/app/menu_WHAT.c with one `const struct menu_kind menu_WHAT`; declare it below.
 *	2. If a key opens it: a line in `openers` of menu.c. Else call menu_open() where it begins.
 *	3. What it must ask the server: in fill(), menu_ask(); the answer comes to reply(). A menu that
 *	   was closed, or opened anew, hears no late answers.
 * A kind that is_inline follows a word of the composer ("/co", "@src/st"): its picker has no line of
 * its own, keys that are not the list's write in the composer, and after each of them follow() says
 * what is sought now, or that the menu closes.
 *
 * While a menu is open the focus is APP_MENU; closing gives it back to the composer. Pure. */
#ifndef APP_MENU_H
#define APP_MENU_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/json.h"
#include "tui/input/keymap.h"
#include "tui/view/picker.h"

struct app_state;
struct app_effects;
struct vy_row;

/* Callbacks may be NULL but for fill. A const state is only read. */
struct menu_kind {
	const char *title, *empty; /* msgids, N_() */
	bool is_inline;
	/* Opened: adds items to s->menu.picker, or asks for them. */
	void (*fill)(struct app_state *s, struct app_effects *fx);
	/* The answer to menu_ask(); a failure shows by itself. */
	void (*reply)(struct app_state *s, const struct vy_json *result, struct app_effects *fx);
	/* Something of the session changed while it is open. */
	void (*changed)(struct app_state *s);
	/* is_inline: what is sought now; false closes. */
	bool (*follow)(struct app_state *s, struct vy_str *sought, struct app_effects *fx);
	/* Enter. The menu is closed already; the item is lent. NULL: it only shows. */
	void (*choose)(struct app_state *s, const struct picker_item *it, struct app_effects *fx);
	/* Tab: the same where NULL. May leave the menu open. */
	void (*complete)(struct app_state *s, const struct picker_item *it, struct app_effects *fx);
	/* Enter with nothing to choose: the words typed are the choice (a new name). */
	void (*take)(struct app_state *s, struct vy_str words, struct app_effects *fx);
	/* Its further keys, from KEYMAP_MENU; false: not one of them. `it` is NULL when none is shown. */
	bool (*key)(struct app_state *s, enum keymap_action a, const struct picker_item *it,
		struct app_effects *fx);
	/* What its further keys do, for the hint line: by hint_add(). */
	void (*hint)(struct app_state *s, struct vy_buf *out);
};

struct menu {
	const struct menu_kind *kind; /* NULL: none is open */
	struct picker picker;
	uint32_t serial; /* of this opening */
	char *about;     /* the kind's own: what it was opened for; owned; NULL */
	bool is_wide;    /* the kind's own: it shows all there is (archived sessions …) */
	int64_t asked;   /* the kind's own: column_mark() when its list was asked for */
};

extern const struct menu_kind menu_sessions, menu_model, menu_todos, menu_tasks;
extern const struct menu_kind menu_back;
extern const struct menu_kind menu_commands, menu_files, menu_history, menu_sessions;

void menu_init(struct menu *m);
void menu_fini(struct menu *m);

bool menu_is_open(const struct app_state *s);
/* Closes what is open first. */
void menu_open(struct app_state *s, const struct menu_kind *kind, struct app_effects *fx);
void menu_close(struct app_state *s);
/* The item that `about` names, once: the list is filled. */
void menu_choose_about(struct app_state *s);
/* The list is filled again: after a change its kind made. */
void menu_fill(struct app_state *s, struct app_effects *fx);
/* A call whose answer is for this menu; its parameters, to be added to. Lent. */
struct vy_json *menu_ask(struct app_state *s, const char *method, struct app_effects *fx);

/* The control plane told of a session: the switcher, if it is open, shows it. */
void menu_sessions_told(struct app_state *s);

/* How to go back to that message of the person; the list of all to fork from. */
void menu_back_to(struct app_state *s, const struct vy_row *row, struct app_effects *fx);
void menu_again_open(struct app_state *s, struct app_effects *fx);
void menu_branch_open(struct app_state *s, struct app_effects *fx);
/* Which of the files would go back, or why none does. */
void menu_back_told(struct app_state *s, const struct vy_json *result, const struct vy_err *e);
bool menu_back_wants_older(const struct app_state *s); /* the list comes to its end */

/* ---- for keys.c, state.c, paint.c ---- */

/* Opens, or closes, the menu of a key; false: the key opens none. */
bool menu_opener(struct app_state *s, enum keymap_action a, struct app_effects *fx);
bool menu_key(struct app_state *s, enum keymap_action a, struct app_effects *fx);
/* Text was typed or pasted while it is open. False: it is the composer's (see menu_follow()). */
bool menu_type(struct app_state *s, struct vy_str text);
void menu_follow(struct app_state *s, struct app_effects *fx); /* the composer changed */
void menu_reply(struct app_state *s, uint32_t serial, const struct vy_json *result,
	const struct vy_err *e, struct app_effects *fx);
void menu_changed(struct app_state *s);
/* "esc close  enter choose  ctrl-x archive": what can be done with what is chosen now. */
void menu_hint(struct app_state *s, struct vy_buf *out);

#endif
