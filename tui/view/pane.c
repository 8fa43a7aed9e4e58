/* pane.c -- see pane.h: the emulator, its lines, a person's keys. */
#include "tui/view/pane.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/view/pane_core.h"
#include "shared/base/ban.h"

#define TITLE_MAX 1024
#define WHEEL     3

/* ---- what the emulator says ---- */

static void on_output(void *ctx, struct vy_str bytes)
{
	struct pane *p = ctx;

	if (!p->is_feeding || !p->is_muted) {
		vy_buf_addstr(&p->out, bytes);
	}
}

static void on_title(void *ctx, struct vy_str title)
{
	struct pane *p = ctx;

	vy_buf_clear(&p->title);
	vy_utf8_visible(title, VY_UTF8_LINE, &p->title);
}

static void on_bell(void *ctx)
{
	struct pane *p = ctx;

	p->has_bell |= !p->is_muted;
}

static void on_clipboard(void *ctx, struct vy_str which, struct vy_str base64)
{
	struct pane *p = ctx;
	char *text;
	long n;

	(void)which; /* the primary selection is the clipboard, too: there is one here */
	if (p->is_muted || base64.n > (size_t)PANE_CLIP_MAX / 3 * 4) {
		return;
	}
	text = vy_calloc(1, base64.n + 1);
	n = vy_base64_decode(base64, text, base64.n + 1);
	if (n > 0) {
		vy_buf_clear(&p->clip);
		p->has_clip = vy_buf_add(&p->clip, text, (size_t)n);
	}
	free(text);
}

static void make(struct pane *p, int cols, int rows)
{
	const struct vy_vt_events ev = { .output = on_output,
		.title = on_title,
		.bell = on_bell,
		.clipboard = on_clipboard,
		.ctx = p };

	p->vt = vy_vt_new(cols, rows, PANE_SCROLLBACK, &ev);
	if (p->has_colors) {
		vy_vt_set_colors(p->vt, p->fg, p->bg);
	}
}

/* ---- life ---- */

static int bound(int n, int least)
{
	return n < least ? least : n > PANE_SIZE_MAX ? PANE_SIZE_MAX : n;
}

struct pane *pane_new(struct cell_pool *pool, int cols, int rows)
{
	struct pane *p = VY_NEW(struct pane);

	p->pool = pool;
	p->out = VY_BUF_INIT(PANE_OUT_MAX);
	p->clip = VY_BUF_INIT(PANE_CLIP_MAX + 1);
	p->title = VY_BUF_INIT(TITLE_MAX);
	p->sync_since_ms = -1;
	p->is_stale = true;
	find_init(&p->find);
	cell_grid_init(&p->shown, pool, 1, 1);
	p->number = vy_calloc(1, sizeof(*p->number));
	make(p, bound(cols, PANE_COLS_MIN), bound(rows, 1));
	return p;
}

void pane_free(struct pane *p)
{
	if (p) {
		vy_vt_free(p->vt);
		vy_buf_fini(&p->out);
		vy_buf_fini(&p->clip);
		vy_buf_fini(&p->title);
		find_fini(&p->find);
		free(p->hits);
		free(p->number);
		cell_grid_fini(&p->shown);
		free(p);
	}
}

void pane_feed(struct pane *p, struct vy_str bytes)
{
	p->is_feeding = true;
	vy_vt_feed(p->vt, bytes);
	p->is_feeding = false;
	p->fed += bytes.n;
	if (p->is_back && p->top < pane_first(p)) {
		p->top = pane_first(p); /* its line fell out of what is kept */
	}
}

void pane_resize(struct pane *p, int cols, int rows)
{
	int had_cols, had_rows;

	cols = bound(cols, PANE_COLS_MIN);
	rows = bound(rows, 1);
	vy_grid_size(vy_vt_grid(p->vt), &had_cols, &had_rows);
	if (cols != had_cols || rows != had_rows) {
		vy_vt_resize(p->vt, cols, rows);
		p->is_stale = true;
		if (cols != had_cols) {
			pane_lost(p);
		}
	}
}

void pane_reset(struct pane *p, int cols, int rows)
{
	vy_vt_free(p->vt);
	make(p, bound(cols, PANE_COLS_MIN), bound(rows, 1));
	vy_buf_clear(&p->title);
	p->is_stale = true;
	p->sync_since_ms = -1;
	pane_lost(p);
}

void pane_set_muted(struct pane *p, bool is_muted)
{
	p->is_muted = is_muted;
}

void pane_set_colors(struct pane *p, uint32_t fg, uint32_t bg)
{
	p->has_colors = true;
	p->fg = fg;
	p->bg = bg;
	vy_vt_set_colors(p->vt, fg, bg);
}

void pane_size(const struct pane *p, int *cols, int *rows)
{
	vy_grid_size(vy_vt_grid(p->vt), cols, rows);
}

struct vy_str pane_title(const struct pane *p)
{
	return vy_buf_str(&p->title);
}

struct vy_buf *pane_out(struct pane *p)
{
	return &p->out;
}

bool pane_take_bell(struct pane *p)
{
	bool had = p->has_bell;

	p->has_bell = false;
	return had;
}

bool pane_take_clip(struct pane *p, struct vy_buf *text)
{
	bool had = p->has_clip;

	if (had) {
		vy_buf_addstr(text, vy_buf_str(&p->clip));
		vy_buf_fini(&p->clip);
	}
	p->has_clip = false;
	return had;
}

/* ---- lines ---- */

int64_t pane_screen(const struct pane *p)
{
	return (int64_t)vy_grid_scrolled(vy_vt_grid(p->vt));
}

int64_t pane_first(const struct pane *p)
{
	return pane_screen(p) - vy_grid_scrollback(vy_vt_grid(p->vt));
}

int64_t pane_last(const struct pane *p)
{
	int cols, rows;

	pane_size(p, &cols, &rows);
	return pane_screen(p) + rows - 1;
}

const struct vy_vt_row *pane_row(const struct pane *p, int64_t line)
{
	return line < pane_first(p) || line > pane_last(p)
		       ? NULL
		       : vy_grid_row(vy_vt_grid(p->vt), (int)(line - pane_screen(p)));
}

int64_t pane_end(const struct pane *p)
{
	int64_t line = pane_last(p), cursor;
	int x, y;

	vy_vt_cursor(p->vt, &x, &y);
	cursor = pane_screen(p) + y;
	for (; line > cursor; line--) {
		const struct vy_vt_row *r = pane_row(p, line);

		for (int i = 0; r && i < r->n; i++) {
			if (r->cells[i].ch && r->cells[i].ch != ' ') {
				return line;
			}
		}
	}
	return line;
}

/* Following: the last rows, or where the cursor is if that would be above them. */
static int64_t following_top(const struct pane *p, int rows)
{
	int64_t top = pane_last(p) - rows + 1, cursor;
	int x, y;

	vy_vt_cursor(p->vt, &x, &y);
	cursor = pane_screen(p) + y;
	top = top > cursor ? cursor : top;
	return top > pane_screen(p) ? top : pane_screen(p);
}

int64_t pane_view_top(const struct pane *p, int rows)
{
	return p->is_back ? p->top : following_top(p, rows);
}

/* ---- keys ---- */

static unsigned mods_of(uint8_t mods)
{
	return (mods & KEY_SHIFT ? VY_VT_SHIFT : 0u) | (mods & KEY_ALT ? VY_VT_ALT : 0u) |
	       (mods & KEY_CTRL ? VY_VT_CTRL : 0u);
}

static int named(uint32_t code)
{
	static const struct {
		uint32_t code;
		int key;
	} all[] = {
		{ KEY_ENTER, VY_VT_KEY_ENTER },
		{ KEY_TAB, VY_VT_KEY_TAB },
		{ KEY_BACKSPACE, VY_VT_KEY_BACKSPACE },
		{ KEY_ESC, VY_VT_KEY_ESC },
		{ KEY_UP, VY_VT_KEY_UP },
		{ KEY_DOWN, VY_VT_KEY_DOWN },
		{ KEY_RIGHT, VY_VT_KEY_RIGHT },
		{ KEY_LEFT, VY_VT_KEY_LEFT },
		{ KEY_HOME, VY_VT_KEY_HOME },
		{ KEY_END, VY_VT_KEY_END },
		{ KEY_INSERT, VY_VT_KEY_INSERT },
		{ KEY_DELETE, VY_VT_KEY_DELETE },
		{ KEY_PGUP, VY_VT_KEY_PGUP },
		{ KEY_PGDN, VY_VT_KEY_PGDN },
	};

	for (size_t i = 0; i < VY_COUNT(all); i++) {
		if (all[i].code == code) {
			return all[i].key;
		}
	}
	return code >= KEY_F1 && code < KEY_F1 + 12 ? VY_VT_KEY_F1 + (int)(code - KEY_F1)
						    : VY_VT_KEY_NONE;
}

void pane_key(struct pane *p, const struct key_event *ev)
{
	int key = named(ev->key.code);

	if (p->is_back || p->is_looking) {
		pane_follow(p);
	}
	switch (ev->kind) {
	case KEY_EV_PASTE: vy_vt_send_paste(p->vt, ev->text); return;
	case KEY_EV_TEXT: vy_buf_addstr(&p->out, ev->text); return;
	case KEY_EV_KEY: break;
	default: return;
	}
	if (key != VY_VT_KEY_NONE) {
		vy_vt_send_key(p->vt, key, mods_of(ev->key.mods));
	} else if (ev->key.mods & (KEY_ALT | KEY_CTRL) && ev->key.code < KEY_NAMED) {
		vy_vt_send_char(p->vt, ev->key.code, mods_of(ev->key.mods));
	} else if (ev->text.n) {
		vy_buf_addstr(&p->out, ev->text);
	} else if (ev->key.code < KEY_NAMED && ev->key.code >= ' ') {
		vy_vt_send_char(p->vt, ev->key.code, 0);
	}
}

void pane_focus(struct pane *p, bool is_focused)
{
	vy_vt_send_focus(p->vt, is_focused);
}

/* ---- the mouse ---- */

bool pane_wants_mouse(const struct pane *p)
{
	return vy_vt_modes(p->vt).mouse != VY_VT_MOUSE_NONE;
}

static void wheel_as_keys(struct pane *p, bool is_up)
{
	for (int i = 0; i < WHEEL; i++) {
		vy_vt_send_key(p->vt, is_up ? VY_VT_KEY_UP : VY_VT_KEY_DOWN, 0);
	}
}

static void send_mouse(struct pane *p, const struct key_mouse *m, int x, int y)
{
	unsigned mods = mods_of(m->mods);
	int button = m->button >= 1 && m->button <= 3 ? m->button : 0;

	switch (m->kind) {
	case KEY_MOUSE_PRESS: vy_vt_send_mouse(p->vt, x, y, button, VY_VT_PRESS, mods); break;
	case KEY_MOUSE_RELEASE: vy_vt_send_mouse(p->vt, x, y, button, VY_VT_RELEASE, mods); break;
	case KEY_MOUSE_DRAG: vy_vt_send_mouse(p->vt, x, y, button, VY_VT_MOTION, mods); break;
	case KEY_MOUSE_MOVE: vy_vt_send_mouse(p->vt, x, y, 0, VY_VT_MOTION, mods); break;
	case KEY_MOUSE_WHEEL_UP: vy_vt_send_mouse(p->vt, x, y, 4, VY_VT_PRESS, mods); break;
	case KEY_MOUSE_WHEEL_DOWN: vy_vt_send_mouse(p->vt, x, y, 5, VY_VT_PRESS, mods); break;
	case KEY_MOUSE_WHEEL_LEFT:
	case KEY_MOUSE_WHEEL_RIGHT: break;
	}
}

bool pane_mouse(struct pane *p, const struct key_mouse *m, int x, int y)
{
	bool is_wheel = m->kind == KEY_MOUSE_WHEEL_UP || m->kind == KEY_MOUSE_WHEEL_DOWN;
	int64_t line = p->shown_top + y;

	if (p->is_back || p->is_looking || (m->mods & KEY_SHIFT)) {
		return false; /* what the person sees is ours */
	}
	if (pane_wants_mouse(p)) {
		if (line >= pane_screen(p)) {
			send_mouse(p, m, x, (int)(line - pane_screen(p)));
		}
		return true;
	}
	if (is_wheel && vy_vt_modes(p->vt).alt) {
		wheel_as_keys(p, m->kind == KEY_MOUSE_WHEEL_UP);
		return true;
	}
	return false;
}
