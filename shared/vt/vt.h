/* vt.h -- a terminal emulator: bytes of a program in, a grid and events out.
 *
 * libvterm keeps the terminal's state; the cells are ours (grid.h). What Debian's 0.1.4 lacks is
 * added before it: strings are joined over writes (bounded), SGR 2 and 8 are kept, colours in
 * colon form are understood, soft wraps are noticed, OSC 8 becomes links, OSC 52 an event, CSI s
 * and u save the cursor, a restored cursor stays inside of a screen that shrank. Left and right
 * margins (mode 69) are not supported, and DECRQM says so. Bytes that the program must get back (answers to queries, keys) go to the
 * output callback. Not thread-safe; callbacks come from within vy_vt_feed() and must not call back
 * into the emulator. Only vt*.c know libvterm. */
#ifndef VY_VT_VT_H
#define VY_VT_VT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/str.h"
#include "shared/vt/grid.h"

struct vy_vt;

enum vy_vt_mouse { VY_VT_MOUSE_NONE, VY_VT_MOUSE_CLICK, VY_VT_MOUSE_DRAG, VY_VT_MOUSE_MOVE };
enum vy_vt_shape { VY_VT_BLOCK, VY_VT_UNDER, VY_VT_BAR };

/* What the program has switched on; a pane that is attached again sets its own to the same. */
struct vy_vt_modes {
	bool cursor_visible, cursor_blink, reverse, alt, bracketed_paste, focus, mouse_sgr;
	bool app_cursor, app_keypad;
	bool sync; /* 2026: a frame is being drawn, better not to look */
	enum vy_vt_shape shape;
	enum vy_vt_mouse mouse;
};

/* All may be NULL. Strings are borrowed for the call. */
struct vy_vt_events {
	void (*output)(void *ctx, struct vy_str bytes); /* to the program */
	void (*title)(void *ctx, struct vy_str title);
	void (*bell)(void *ctx);
	void (*clipboard)(void *ctx, struct vy_str which, struct vy_str base64); /* OSC 52 set; a
							 * query is never answered */
	void (*osc)(void *ctx, struct vy_str body); /* any other: "133;A", "7;file://…" */
	void *ctx;
};

#define VY_VT_OSC_MAX (256 * 1024) /* a longer string is dropped whole */

struct vy_vt *vy_vt_new(int cols, int rows, int scrollback, const struct vy_vt_events *ev);
void vy_vt_free(struct vy_vt *v);

void vy_vt_feed(struct vy_vt *v, struct vy_str bytes);
void vy_vt_resize(struct vy_vt *v, int cols, int rows);
/* Answers to "which colour is the background" (OSC 10, 11); unset, such a query gets no answer. */
void vy_vt_set_colors(struct vy_vt *v, uint32_t fg_rgb, uint32_t bg_rgb);

const struct vy_grid *vy_vt_grid(const struct vy_vt *v);
void vy_vt_clean(struct vy_vt *v); /* vy_grid_clean() */
void vy_vt_cursor(const struct vy_vt *v, int *x, int *y);
struct vy_vt_modes vy_vt_modes(const struct vy_vt *v);
struct vy_str vy_vt_title(const struct vy_vt *v);

/* ---- a person's keys to bytes for the program, by the modes it has set ---- */

enum vy_vt_key {
	VY_VT_KEY_NONE,
	VY_VT_KEY_ENTER,
	VY_VT_KEY_TAB,
	VY_VT_KEY_BACKSPACE,
	VY_VT_KEY_ESC,
	VY_VT_KEY_UP,
	VY_VT_KEY_DOWN,
	VY_VT_KEY_RIGHT,
	VY_VT_KEY_LEFT,
	VY_VT_KEY_HOME,
	VY_VT_KEY_END,
	VY_VT_KEY_INSERT,
	VY_VT_KEY_DELETE,
	VY_VT_KEY_PGUP,
	VY_VT_KEY_PGDN,
	VY_VT_KEY_F1, /* + n - 1, up to F12 */
	VY_VT_KEY_F12 = VY_VT_KEY_F1 + 11,
};
enum vy_vt_mod { VY_VT_SHIFT = 1, VY_VT_ALT = 2, VY_VT_CTRL = 4 };
enum vy_vt_click { VY_VT_PRESS, VY_VT_RELEASE, VY_VT_MOTION };

void vy_vt_send_char(struct vy_vt *v, uint32_t code_point, unsigned mods);
void vy_vt_send_key(struct vy_vt *v, int key, unsigned mods);
/* Bracketed when the program asked for it; ESC and other controls in the text are left out then. */
void vy_vt_send_paste(struct vy_vt *v, struct vy_str text);
/* Buttons 1 to 3, 4 and 5 for the wheel, 0 for none. Sent only if the program wants to know. */
void vy_vt_send_mouse(
	struct vy_vt *v, int x, int y, int button, enum vy_vt_click is, unsigned mods);
void vy_vt_send_focus(struct vy_vt *v, bool focused);

/* ---- a command's output as lines ---- */

struct vy_vt_run { /* text in one style */
	struct vy_str text;
	struct vy_str url; /* empty: no link */
	uint32_t fg, bg;
	uint8_t attrs;
	int cells;
};

struct vy_vt_line {
	const struct vy_vt_run *runs;
	size_t n;
	int cells;
	bool continues; /* wrapped: goes on from the line above */
};

struct vy_vt_lines {
	const struct vy_vt_line *lines;
	size_t n;
	size_t dropped; /* lines before these that did not fit in `max` */
};

/* Runs a finished command's output (\n ends a line) through a terminal of that many columns and
 * gives what it would show, at most the last `max` lines. Lives in the arena. */
struct vy_vt_lines vy_vt_plain(struct vy_str bytes, int cols, size_t max, struct vy_arena *a);

#endif
