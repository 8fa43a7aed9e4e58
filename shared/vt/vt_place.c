/* vt_place.c -- where the cursor is and may go: margins, tab stops, saving and restoring, resets.
 *
 * libvterm has one saved cursor for both screens, saves neither character sets nor the origin mode
 * but whether the cursor is shown, restores colours never set as black, and a place outside of a
 * screen that shrank, behind its own arrays. So it is done here. */
#include <stdio.h>

#include "shared/base/mem.h"
#include "shared/vt/vt_inside.h"
#include "shared/vt/vt_pen.h"
#include "shared/base/ban.h"

void vt_move(struct vy_vt *v, int x, int y)
{
	char t[32];

	y = v->origin ? y - v->top : y;
	snprintf(t, sizeof(t), "\033[%d;%dH", (y < 0 ? 0 : y) + 1, x + 1);
	vt_give(v, vy_str_c(t));
}

/* libvterm keeps a wrap due through much that should end it (an erase, a line feed on the last row, a
 * move to the same place), and stays on the left half of a wide glyph. */
void vt_leave_edge(struct vy_vt *v)
{
	char t[16];
	int cols, rows;

	if (v->at_edge) {
		vy_grid_size(v->grid, &cols, &rows);
		snprintf(t, sizeof(t), "\033[%dG", cols);
		vt_give(v, vy_str_c(t));
		v->at_edge = false;
	}
}

void vt_margins(struct vy_vt *v, int top, int bottom)
{
	char t[32];

	v->top = top;
	v->bottom = bottom;
	snprintf(t, sizeof(t), "\033[%d;%dr", top + 1, bottom);
	vt_give(v, vy_str_c(t));
}

static void set_origin(struct vy_vt *v, bool on)
{
	if (v->origin != on) {
		v->origin = on;
		vt_give(v, on ? VY_STR_LIT("\033[?6h") : VY_STR_LIT("\033[?6l"));
	}
}

/* ---- saving and restoring ---- */

void vt_save(struct vy_vt *v, struct vt_place *to)
{
	*to = (struct vt_place){
		.is_set = true, .pen = v->pen, .origin = v->origin, .charset = v->charset
	};
	to->pen.attrs |= v->own;
	to->charset.single = 0;
	vy_vt_cursor(v, &to->x, &to->y);
}

static void set_pen(struct vy_vt *v, struct vy_vt_pen pen)
{
	VY_AUTO_BUF b = VY_BUF_INIT(128);

	vy_buf_adds(&b, "\033[m");
	vt_pen_sgr((struct vy_vt_pen){ 0 }, pen, &b);
	vt_give(v, vy_buf_str(&b));
	v->own = pen.attrs & (VY_VT_DIM | VY_VT_CONCEAL);
}

void vt_restore(struct vy_vt *v, const struct vt_place *from)
{
	int y = from->y;

	vt_leave_edge(v);
	set_origin(v, from->origin);
	if (v->origin) {
		y = y < v->top ? v->top : y >= v->bottom ? v->bottom - 1 : y;
	}
	vt_move(v, from->x, y);
	set_pen(v, from->pen);
	v->charset = from->is_set ? from->charset : vt_charset_default();
}

/* ---- tab stops ---- */

void vt_tabs_reset(struct vy_vt *v)
{
	int cols, rows;

	vy_grid_size(v->grid, &cols, &rows);
	for (int x = 0; x < cols; x++) {
		v->tabs[x] = x % 8 == 0;
	}
}

void vt_tabs_resize(struct vy_vt *v, int had, int cols)
{
	v->tabs = vy_realloc(v->tabs, (size_t)cols * sizeof(*v->tabs));
	for (int x = had; x < cols; x++) {
		v->tabs[x] = x % 8 == 0;
	}
}

/* ---- resets ---- */

static void reset_common(struct vy_vt *v)
{
	v->own = 0;
	v->pen.link = 0;
	v->modes.app_cursor = v->modes.app_keypad = false;
	v->insert = v->origin = v->no_wrap = false;
	v->charset = vt_charset_default();
}

/* libvterm 0.1.4 does not know DECSTR, and later ones clear the tab stops with it. */
void vt_soft_reset(struct vy_vt *v)
{
	int x, y, cols, rows;

	vt_leave_edge(v);
	vy_vt_cursor(v, &x, &y);
	vy_grid_size(v->grid, &cols, &rows);
	vt_give(v, VY_STR_LIT("\033[4l\033[?6l\033[?7h\033[?25h\033[?1l\033>\033[m"));
	reset_common(v);
	v->saved[v->modes.alt] = (struct vt_place){ 0 };
	vt_margins(v, 0, rows);
	vt_move(v, x, y);
}

/* Its own reset leaves libvterm on the alternate screen, and with its mouse and reversed colours. */
void vt_hard_reset(struct vy_vt *v)
{
	int cols, rows;

	if (v->modes.alt) {
		vt_give(v, VY_STR_LIT("\033[?1047l"));
	}
	vt_give(v, VY_STR_LIT("\033[?1000l\033[?1006l\033[?5l\033c"));
	vy_grid_size(v->grid, &cols, &rows);
	reset_common(v);
	v->newline = v->at_edge = v->main_moved = v->may_switch = false;
	v->top = 0;
	v->bottom = rows;
	v->mouse_protocol = 0;
	v->palette = (struct vt_palette){ 0 };
	v->modes.bracketed_paste = v->modes.focus = v->modes.sync = v->modes.mouse_sgr = false;
	v->saved[0] = v->saved[1] = (struct vt_place){ 0 };
	vt_tabs_reset(v);
	vy_grid_clear_scrollback(v->grid);
}
