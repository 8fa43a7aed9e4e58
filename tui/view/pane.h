/* pane.h -- a terminal in a part of the screen: an emulator inside, cells outside.
 *
 * Bytes of a program go in by pane_feed(); a person's keys, pastes and mouse come out as bytes for the
 * program in pane_out(), by the modes it has set. While what is fed is history (pane_set_muted()), the
 * program's questions are not answered again and nothing rings.
 *
 * A person may look back: 10,000 lines that left at the top, with a mark that moves, a selection and
 * a search. Places are lines counted since the terminal began, so output that comes meanwhile moves
 * nothing. What is copied has no padding and no line end that only the width made.
 *
 * A window smaller than the terminal shows the part with the cursor. While a program draws a frame
 * (mode 2026) the last whole one is shown, PANE_SYNC_MS at most. Drawing costs the rows that changed.
 * Pure: time comes in as a value. */
#ifndef VIEW_PANE_H
#define VIEW_PANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"
#include "tui/ink/cell.h"
#include "tui/ink/screen.h"
#include "tui/input/key.h"

#define PANE_SCROLLBACK 10000
#define PANE_SYNC_MS    150
#define PANE_OUT_MAX    (KEY_PASTE_MAX + 4096)
#define PANE_CLIP_MAX   (1024 * 1024) /* of a clipboard that a program sets, decoded */
#define PANE_COLS_MIN   2
#define PANE_SIZE_MAX   1000 /* columns or rows */

struct pane;

struct pane *pane_new(struct cell_pool *pool, int cols, int rows);
void pane_free(struct pane *p); /* NULL is fine */

/* ---- the program's side ---- */

void pane_feed(struct pane *p, struct vy_str bytes);
void pane_resize(struct pane *p, int cols, int rows);
/* As a terminal that nothing was written to yet; what the person looks at goes too. */
void pane_reset(struct pane *p, int cols, int rows);
void pane_set_muted(struct pane *p, bool is_muted);
/* What it is told of the screen's colours when it asks; 0xRRGGBB. */
void pane_set_colors(struct pane *p, uint32_t fg, uint32_t bg);
void pane_size(const struct pane *p, int *cols, int *rows);
struct vy_str pane_title(const struct pane *p); /* as the program set it; clean for a line */
/* What is to be sent; the caller takes from the front what it has sent. */
struct vy_buf *pane_out(struct pane *p);
bool pane_take_bell(struct pane *p); /* it rang since the last call */
/* A program set the clipboard since the last call: its text, decoded, appended. */
bool pane_take_clip(struct pane *p, struct vy_buf *text);

/* ---- the person's side ---- */

/* A key, a text or a paste, for the program; the view is at the end again. */
void pane_key(struct pane *p, const struct key_event *ev);
bool pane_wants_mouse(const struct pane *p);
/* x, y in the window as last drawn. False: the program does not take it. The wheel becomes arrow keys
 * where a program has the whole screen and knows no mouse. */
bool pane_mouse(struct pane *p, const struct key_mouse *m, int x, int y);
void pane_focus(struct pane *p, bool is_focused);

/* ---- looking back ---- */

enum pane_move {
	PANE_LEFT,
	PANE_RIGHT,
	PANE_UP,
	PANE_DOWN,
	PANE_PAGE_UP,
	PANE_PAGE_DOWN,
	PANE_TOP,
	PANE_BOTTOM,
	PANE_WORD_LEFT,
	PANE_WORD_RIGHT,
	PANE_LINE_START,
	PANE_LINE_END
};

void pane_scroll(struct pane *p, int lines); /* down if positive; no mark is needed for it */
void pane_page(struct pane *p, int pages);
int pane_behind(const struct pane *p); /* lines that are below the view; 0: it follows */
void pane_follow(struct pane *p);      /* to the end, nothing selected, no mark, no search */

void pane_look(struct pane *p); /* the mark appears, at the cursor or in the view */
bool pane_is_looking(const struct pane *p);
void pane_go(struct pane *p, enum pane_move m);
/* Selects from the mark on: characters, or whole lines; the same once more ends it. */
void pane_select(struct pane *p, bool is_lines);
bool pane_is_selecting(const struct pane *p);
void pane_unselect(struct pane *p);
void pane_drag(struct pane *p, int x0, int y0, int x, int y); /* in the window as last drawn */
/* The selection; without one the line of the mark. */
void pane_copy(const struct pane *p, struct vy_buf *out);
/* The link under a cell of the window; empty: none. */
struct vy_str pane_link_at(const struct pane *p, int x, int y);

/* From the mark backwards, as the newest is what is looked for; "" ends it. */
void pane_find(struct pane *p, struct vy_str query);
bool pane_find_step(struct pane *p, int direction);  /* -1: older; false: there is none */
size_t pane_found(const struct pane *p, size_t *at); /* how many; which, from 1, the oldest first */

/* ---- drawing ---- */

/* Into the whole window. The cursor is set where the program has it, or at the mark. */
void pane_draw(struct pane *p, struct cell_win w, int64_t now_ms, struct screen_cursor *cursor);
/* Until what is hidden by a frame in the making is shown after all; -1: nothing is. */
int64_t pane_next_ms(const struct pane *p, int64_t now_ms);

#endif
