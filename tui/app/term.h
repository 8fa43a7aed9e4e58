/* term.h -- the terminals of the session as the screen has them: tabs, where they stand, what keys do.
 *
 * A tab is a pane (view/pane.h) and what is known of its line. The state here only wishes: a tab
 * without an id is to be opened, `wants_close` and `wants_take` are to be told the server; the edge
 * (term_wire.h) does it at the end of the loop turn and brings what comes by term_effect() and the
 * others. A tab that goes stays in `gone` until the edge has let go of it.
 *
 * In the pane every key is the program's, but those of KEYMAP_PANE; behind the prefix key one of
 * KEYMAP_PREFIX is ours too, and any other goes to the program as it is. Esc is the program's. Pure. */
#ifndef APP_TERM_H
#define APP_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/frame/term.h"
#include "tui/ink/cell.h"
#include "tui/ink/screen.h"
#include "tui/input/key.h"
#include "tui/input/keymap.h"
#include "tui/net/term_link.h"
#include "tui/view/edit.h"
#include "tui/view/pane.h"

struct app_state;
struct app_effects;

#define TERM_MAX 9 /* tabs */

enum term_layout { TERM_BELOW, TERM_BESIDE, TERM_FULL, TERM_LAYOUTS };

struct term_tab {
	uint32_t serial; /* of this client; never again */
	char *id;        /* NULL: it is being opened */
	struct pane *pane;
	struct vy_term_viewer viewer;
	enum term_link_state line;
	int64_t down_since_ms; /* boot clock; -1 while up */
	char *why;             /* why not, a sentence; NULL */
	char *first;           /* typed as soon as it is there; NULL */
	bool is_known;         /* something of it came: what is drawn is the terminal */
	bool wants_close, wants_take;
	bool is_ours; /* opened by us */
	bool closes;  /* it goes as soon as it has ended */
	bool has_news;
};

struct terms {
	struct term_tab *tabs[TERM_MAX];
	size_t n, at;
	struct term_tab **gone;
	size_t n_gone, cap_gone;
	uint32_t serial;

	bool is_here;    /* the shells are of this machine: they see the files that we see */
	bool is_alone;   /* nothing else is on the screen; leaving it ends the client */
	bool wants_quit; /* the last shell has ended, or the person left */
	bool is_shown, wants_list; /* wants_list: which are there already? */
	int layout;                /* enum term_layout */
	int below, beside;         /* hundredths of the height, of the width */
	uint64_t rev;              /* counts the changes of those three: they are kept */

	bool is_prefixed, is_seeking;
	struct edit query;
	int64_t close_ms; /* the closing key was pressed once */
	bool has_colors;
	uint32_t fg, bg;

	struct cell_rect pane, body; /* where they were painted last; w 0: nowhere */
	int tab_x[TERM_MAX + 1];     /* of the tabs in the title row, and the end of the last */
	int whole_w, whole_h;        /* of what the chat and the pane share */
	bool is_pressed, is_drag, is_sizing, is_programs; /* the mouse's button, and whose it is */
	int press_x, press_y;
};

/* How the chat and the pane share a place; w 0: it is not seen. */
struct term_split {
	struct cell_rect chat, pane;
	int layout; /* as it could be done */
};

void terms_init(struct terms *t);
void terms_fini(struct terms *t);
void terms_sweep(struct terms *t);                 /* frees those that are gone */
struct term_tab *terms_now(const struct terms *t); /* NULL: there is none */
struct term_tab *terms_find(const struct terms *t, uint32_t serial);

/* ---- what a person does ---- */

void term_toggle(struct app_state *s); /* there with the keys, or away */
void term_next_layout(struct app_state *s);
void term_next_focus(struct app_state *s);
struct term_tab *term_new(struct app_state *s);             /* NULL: there are TERM_MAX */
void term_close(struct app_state *s, struct term_tab *tab); /* the shell, or what is left of it */
void term_leave_session(struct app_state *s);               /* its tabs go, the pane too */
/* The "/terminal" command: "", "new", "close", "below", "beside", "full". */
void term_command(struct app_state *s, struct vy_str words);
/* Opens a file in the editor in a tab of its own, if the pane is there to show it. */
bool term_edit(struct app_state *s, const char *path, size_t line);

/* From now on there is nothing else. */
void term_alone(struct app_state *s);

/* While it has the keys. */
void term_event(struct app_state *s, const struct key_event *ev, struct app_effects *fx);
/* False: it is somewhere else. */
bool term_mouse(struct app_state *s, const struct key_mouse *m, struct app_effects *fx);
void term_focus(struct app_state *s, bool is_focused); /* our own terminal got it, or lost it */
/* An answer about its colours: what programs in the pane are told, too. */
void term_color(struct app_state *s, int which, struct vy_str answer);

/* ---- what the server brings, for a tab ---- */

void term_listed(struct app_state *s, const struct vy_json *result);
void term_opened(
	struct app_state *s, uint32_t serial, const struct vy_json *result, const struct vy_err *e);
void term_effect(struct term_tab *tab, const struct vy_term_effect *e);
void term_line(struct app_state *s, struct term_tab *tab, enum term_link_state line,
	int64_t down_since_ms, const struct vy_err *why);

/* ---- drawing ---- */

struct term_split term_split(const struct app_state *s, int w, int h);
/* The cells a program gets there. */
void term_room(const struct app_state *s, int *cols, int *rows);
void term_draw(struct app_state *s, struct cell_win w, int layout, struct screen_cursor *cursor);
/* The whole screen is the pane's; what must be said lies over its last row. */
void term_draw_alone(struct app_state *s, struct cell_win w, struct screen_cursor *cursor);
void term_seek_draw(struct app_state *s, struct cell_win w, int y, struct screen_cursor *cursor);
void term_hint(struct app_state *s, struct vy_buf *out);
int64_t term_next_ms(const struct app_state *s);

/* What became of the shell, in a sentence; appends. */
void term_say_end(const struct term_tab *tab, struct vy_buf *out);

#endif
