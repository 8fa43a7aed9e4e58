/* screen.h -- where a grid becomes visible: the terminal (screen_curses.c) or text (screen_dump.c).
 *
 * The program draws a whole grid and presents it; the back end knows what is visible already and
 * brings over only what differs. A screen owns its terminal from open to close: alternate screen,
 * raw mode, keyboard, paste and focus reports; all of it is given back by close, by suspend and,
 * should the program die, by the handlers of rescue.h.
 *
 * screen_present() never waits for a slow terminal: what does not fit is kept and sent by
 * screen_flush() when screen_fd() is writable, and until then nothing new is painted (a late frame
 * is dropped whole, never half). Loop thread only. */
#ifndef INK_SCREEN_H
#define INK_SCREEN_H

#include <stdbool.h>

#include "shared/base/err.h"
#include "shared/base/str.h"
#include "tui/ink/cell.h"
#include "tui/ink/theme.h"

struct screen;
struct vy_buf;

enum screen_shape { SCREEN_CURSOR_BLOCK, SCREEN_CURSOR_BAR, SCREEN_CURSOR_UNDERLINE };

struct screen_cursor {
	int x, y; /* where the next character would go: input methods follow it, so set it always */
	bool visible;
	enum screen_shape shape;
};

struct screen_options {
	bool mouse; /* ask the terminal for mouse events (the wheel, selection) */
	bool ascii; /* the locale is not UTF-8: borders and marks in ASCII */
};

/* ---- life ---- */

/* Is there a terminal, and can it be drawn on? Nothing is sent to it. -1 says why not. */
VY_MUST_USE int screen_curses_check(struct vy_err *e);
/* NULL and an error when there is no terminal. */
struct screen *screen_curses_open(const struct screen_options *o, struct vy_err *e);
struct screen *screen_dump_open(int cols, int rows);
void screen_close(struct screen *s); /* NULL is fine; the terminal is as it was before open */

int screen_suspend(struct screen *s, struct vy_err *e); /* gives the terminal back for a while */
int screen_resume(struct screen *s, struct vy_err *e); /* takes it again; the next paint is whole */

/* ---- asking ---- */

/* The terminal's size, at least 1x1; it is asked again after screen_redraw() and screen_resume(). */
void screen_size(struct screen *s, int *cols, int *rows);
/* Pixels of one of its cells as of the last screen_size(); 0 where it does not say. */
void screen_cell(const struct screen *s, int *w, int *h);
int screen_fd(
	const struct screen *s); /* read keys from it, watch it for writing; -1: no terminal */
struct theme_env screen_theme_env(const struct screen *s); /* for theme_depth_of() */
bool screen_is_pending(const struct screen *s);            /* bytes wait for screen_flush() */

/* ---- showing ---- */

void screen_set_theme(struct screen *s, struct theme t); /* the next paint is whole */
struct theme screen_theme(const struct screen *s);       /* as it was set last */
void screen_set_mouse(struct screen *s, bool on);

/* Shows the grid: one write, inside of a synchronized update, with the cursor at its place.
 * 0: on its way; 1: not taken, the terminal still eats the last one (present again after flush);
 * -1: the terminal is gone. */
int screen_present(
	struct screen *s, const struct cell_grid *g, struct screen_cursor c, struct vy_err *e);
int screen_flush(struct screen *s, struct vy_err *e); /* 0 all sent, 1 some waits, -1 gone */
void screen_redraw(struct screen *s);                 /* trust nothing: the next paint is whole */

void screen_bell(struct screen *s);
void screen_title(struct screen *s, struct vy_str title); /* control bytes are dropped */
/* A control string made by the caller (a clipboard write, a notification, a query): goes out in
 * order, between paints. */
void screen_send(struct screen *s, struct vy_str bytes);

/* ---- text back end ---- */

/* Appends the grid as two lanes: glyphs, then one letter a cell for its style, with a legend. Rows
 * lose their trailing blanks. For golden files. */
void screen_dump_grid(const struct cell_grid *g, const struct screen_cursor *c, struct vy_buf *out);
struct vy_str screen_dump_text(const struct screen *s); /* of the last present; borrow */

#endif
