/* browse.h -- the transcript has the keys: moving, selecting, copying, searching, opening.
 *
 * Esc drops what is nearest: the selection, the search, then browsing itself. A long output opens in
 * a pager (the focus is APP_PAGER), a search has a line of its own (APP_SEEK) over either. The
 * mouse scrolls, selects by dragging and opens by a click, whatever has the keys. Pure. */
#ifndef APP_BROWSE_H
#define APP_BROWSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "tui/ink/cell.h"
#include "tui/ink/screen.h"
#include "tui/input/key.h"
#include "tui/input/keymap.h"
#include "tui/view/edit.h"
#include "tui/view/pager.h"

struct app_state;
struct app_effects;

struct browse {
	struct edit query; /* the line of the search */
	bool is_seeking_page;
	struct pager pager;
	bool is_page_alone; /* what it shows is no row of the transcript */

	char *row;                  /* key of the row that `code` and `link` count in; NULL */
	size_t code, link;          /* the next piece of code; the link at hand */
	bool has_link;              /* one is at hand: enter opens it, y copies it */
	int view_x, view_y, view_h; /* where the transcript is on the screen, as last painted */
	bool is_pressed, is_drag;   /* the left button is down; it was moved since */
	int press_x, press_y;
};

void browse_init(struct browse *b);
void browse_fini(struct browse *b);
/* Another session: nothing of the old one is selected, sought or open. */
void browse_clear(struct browse *b);

void browse_begin(struct app_state *s);
void browse_flip_lines(struct app_state *s); /* of code: wrapped, or cut and slid */
void browse_leave(struct app_state *s);      /* to the composer, from wherever the keys are */
/* false: not one of its own */
bool browse_key(struct app_state *s, enum keymap_action a, struct key k, struct app_effects *fx);
/* Enter on the selected row: in place, or in the pager when it is longer than the window. */
void browse_open(struct app_state *s);
/* What the keys do now, for the hint line; and Esc of them: "drop", "back". */
const char *browse_esc_does(const struct app_state *s);
void browse_hint(struct app_state *s, struct vy_buf *out);

/* ---- seek.c: the line of a search ---- */

void seek_begin(struct app_state *s); /* over the pager if it has the keys */
bool seek_key(struct app_state *s, enum keymap_action a);
void seek_type(struct app_state *s, struct vy_str text);
void seek_draw(struct app_state *s, struct cell_win w, int y, struct screen_cursor *cursor);

/* ---- page.c: the pager ---- */

void page_open(struct app_state *s, bool reveal);
/* A text that is no row: closed, the composer has the keys again. */
void page_open_text(struct app_state *s, const char *title, struct vy_str text);
/* The output of a background task (menu_tasks.c), asked for when `opened` sessions had been. */
void page_told(
	struct app_state *s, uint32_t opened, const struct vy_json *result, const struct vy_err *e);
bool page_key(struct app_state *s, enum keymap_action a, struct app_effects *fx);

/* ---- point.c: the mouse ---- */

void point_mouse(struct app_state *s, const struct key_mouse *m, struct app_effects *fx);

#endif
