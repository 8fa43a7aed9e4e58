/* vt.c -- see vt.h.
 *
 * Bytes are first cut into whole tokens (vt_scan.h). Text, controls and most sequences are then
 * given to libvterm one token at a time, so that it never has half of anything, and what it does
 * comes back through callbacks that write our grid. Some tokens are done here instead: those it
 * does not know, and those it gets wrong (vt_seq.c). */
#include "shared/vt/vt.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/vt/vt_answer.h"
#include "shared/vt/vt_inside.h"
#include "shared/vt/vt_osc.h"
#include "shared/vt/vt_scan.h"
#include "shared/base/ban.h"

#define TITLE_MAX 512
#define SIZE_MIN  2 /* a wide glyph must fit */

/* ---- to the program ---- */

void vt_output(struct vy_vt *v, struct vy_str bytes)
{
	if (v->ev.output) {
		v->ev.output(v->ev.ctx, bytes);
	}
}

static void on_output(const char *s, size_t n, void *user)
{
	vt_output(user, vy_str_n(s, n));
}

/* ---- strings ---- */

static void do_title(struct vy_vt *v, struct vy_str title)
{
	vy_buf_clear(&v->title);
	vy_buf_add(&v->title, title.p, title.n < TITLE_MAX ? title.n : TITLE_MAX);
	if (v->ev.title) {
		v->ev.title(v->ev.ctx, vy_buf_str(&v->title));
	}
}

static void do_color_query(struct vy_vt *v, int which)
{
	VY_AUTO_BUF b = VY_BUF_INIT(64);

	if (v->has_colors) {
		vt_answer_color(which, which == 11 ? v->bg_rgb : v->fg_rgb, &b);
		vt_output(v, vy_buf_str(&b));
	}
}

static void do_osc(struct vy_vt *v, struct vy_str body)
{
	struct vt_osc o = vt_osc_parse(body);

	switch (o.kind) {
	case VT_OSC_TITLE: do_title(v, o.text); return;
	case VT_OSC_LINK: v->pen.link = vy_grid_link(v->grid, o.text, o.which); return;
	case VT_OSC_FG_QUERY: do_color_query(v, 10); return;
	case VT_OSC_BG_QUERY: do_color_query(v, 11); return;
	case VT_OSC_CLIPBOARD:
		if (v->ev.clipboard) {
			v->ev.clipboard(v->ev.ctx, o.which, o.text);
		}
		return;
	case VT_OSC_CLIPBOARD_QUERY: return; /* what people copy is nobody's to read */
	case VT_OSC_OTHER:
		vt_palette_take(&v->palette, body);
		if (v->ev.osc) {
			v->ev.osc(v->ev.ctx, body);
		}
		return;
	}
}

static void do_string(struct vy_vt *v, const struct vt_token *t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(256);
	struct vt_settings now = { v->pen, v->modes, v->top, v->bottom };

	if (t->final == ']') {
		do_osc(v, t->bytes);
	} else if (t->final == 'P' && vy_str_starts(t->bytes, "=v")) {
		vt_private(v, vy_str_from(t->bytes, 2));
	} else if (t->final == 'P' && vy_str_starts(t->bytes, "$q")) {
		now.pen.attrs |= v->own;
		vt_answer_setting(vy_str_from(t->bytes, 2), &now, &b);
		vt_output(v, vy_buf_str(&b));
	}
}

/* ---- tokens ---- */

void vt_give(struct vy_vt *v, struct vy_str bytes)
{
	if (bytes.n > 0) {
		vterm_input_write(v->vt, bytes.p, bytes.n);
	}
}

static void do_control(struct vy_vt *v, char c)
{
	switch (c) {
	case 0x0e:
	case 0x0f: v->charset.gl = c == 0x0e; return;
	case '\n':
	case '\v':
	case '\f':
	case '\r':
	case '\b': vt_leave_edge(v); break;
	case '\t':
		if (v->at_edge) { /* there is no stop behind it; libvterm stands on a wide glyph's left half */
			return;
		}
		break;
	default: break;
	}
	vt_give(v, v->is_raw && c == '\n' ? VY_STR_LIT("\r\n") : vy_str_n(&c, 1));
}

static void do_controls(struct vy_vt *v, struct vy_str bytes)
{
	for (size_t i = 0; i < bytes.n; i++) {
		do_control(v, bytes.p[i]);
	}
}

static void on_token(void *ctx, const struct vt_token *t)
{
	struct vy_vt *v = ctx;

	switch (t->kind) {
	case VT_TEXT: vt_text(v, t->bytes); return;
	case VT_CONTROL: do_controls(v, t->bytes); return;
	case VT_STRING: do_string(v, t); return;
	case VT_ESC: vt_esc(v, t); return;
	case VT_CSI: vt_csi(v, t); return;
	}
}

/* ---- life ---- */

static int at_least(int v)
{
	return v < SIZE_MIN ? SIZE_MIN : v;
}

struct vy_vt *vy_vt_new(int cols, int rows, int scrollback, const struct vy_vt_events *ev)
{
	struct vy_vt *v = VY_NEW(struct vy_vt);

	cols = at_least(cols);
	rows = at_least(rows);
	v->ev = ev ? *ev : (struct vy_vt_events){ 0 };
	v->grid = vy_grid_new(cols, rows, scrollback);
	vt_scan_init(&v->scan, VY_VT_OSC_MAX);
	vy_buf_init(&v->title, TITLE_MAX + 1);
	v->vt = vterm_new(rows, cols);
	vy_assert(v->vt != NULL);
	vterm_set_utf8(v->vt, 1);
	vterm_output_set_callback(v->vt, on_output, v);
	v->state = vterm_obtain_state(v->vt);
	vterm_state_set_callbacks(v->state, &vt_state_callbacks, v);
	vterm_state_reset(v->state, 1);
	v->bottom = rows;
	v->charset = vt_charset_default();
	v->tabs = vy_calloc((size_t)cols, sizeof(*v->tabs));
	vt_tabs_reset(v);
	vt_set_last(v,
		&(struct vt_last){ .at.row = -1 }); /* libvterm would join to what is not there */
	return v;
}

void vy_vt_free(struct vy_vt *v)
{
	if (!v) {
		return;
	}
	vterm_free(v->vt);
	vy_grid_free(v->grid);
	vt_scan_fini(&v->scan);
	vy_buf_fini(&v->title);
	free(v->tabs);
	free(v);
}

void vy_vt_feed(struct vy_vt *v, struct vy_str bytes)
{
	vt_scan_step(&v->scan, bytes, on_token, v);
}

/* Puts the cursor behind the glyph at x it stayed on, at the edge again if that fills its row now. */
static void wrap_again(struct vy_vt *v, int x, int y, int cols)
{
	struct vt_last last = v->last;
	int next = x + last.width;

	last.at = (VTermPos){ .row = y, .col = x };
	v->last = last;
	if (next >= cols) {
		vt_stay_at_edge(v);
	} else {
		vt_move(v, next, y);
		vt_set_last(v, &last);
	}
}

/* A saved cursor stays inside; where it was the main screen's own, it went along with the text. */
static void resize_saved(struct vy_vt *v, bool follows, int x, int y)
{
	int cols, rows;

	vy_grid_size(v->grid, &cols, &rows);
	for (size_t i = 0; i < VY_COUNT(v->saved); i++) {
		struct vt_place *p = &v->saved[i];

		if (i == 0 && follows) {
			p->x = x;
			p->y = y;
		}
		p->x = p->x < cols ? p->x : cols - 1;
		p->y = p->y < rows ? p->y : rows - 1;
	}
}

void vy_vt_resize(struct vy_vt *v, int cols, int rows)
{
	VTermPos p = vt_cursor(v);
	struct vt_last last = v->last;
	int x = v->modes.alt ? v->main_x : p.col, y = v->modes.alt ? v->main_y : p.row, had, had_y;
	bool follows = v->saved[0].is_set && v->saved[0].x == x && v->saved[0].y == y;

	cols = at_least(cols);
	rows = at_least(rows);
	vy_grid_size(v->grid, &had, &had_y);
	if (cols == had && rows == had_y) {
		return;
	}
	vy_grid_resize(v->grid, cols, rows, &x, &y);
	vterm_set_size(v->vt, rows, cols);
	vt_tabs_resize(v, had, cols);
	vt_margins(v, 0, rows); /* those of the old size hold no longer */
	resize_saved(v, follows, x, y);
	if (v->at_edge && !v->modes.alt) {
		wrap_again(v, x, y, cols);
		return;
	}
	if (v->modes.alt) {
		v->main_x = x;
		v->main_y = y;
		v->main_moved = true;
		x = p.col < cols ? p.col : cols - 1;
		y = p.row < rows ? p.row : rows - 1;
	}
	vt_move(v, x, y);
	last.at.row = -1; /* the last glyph is somewhere else now */
	vt_set_last(v, &last);
}

void vy_vt_set_colors(struct vy_vt *v, uint32_t fg_rgb, uint32_t bg_rgb)
{
	v->has_colors = true;
	v->fg_rgb = fg_rgb;
	v->bg_rgb = bg_rgb;
}

void vt_set_raw(struct vy_vt *v, bool on)
{
	v->is_raw = on;
}

/* ---- asking ---- */

const struct vy_grid *vy_vt_grid(const struct vy_vt *v)
{
	return v->grid;
}

void vy_vt_clean(struct vy_vt *v)
{
	vy_grid_clean(v->grid);
}

void vy_vt_cursor(const struct vy_vt *v, int *x, int *y)
{
	VTermPos p = vt_cursor(v);
	int cols, rows;

	vy_grid_size(v->grid, &cols, &rows);
	*x = v->at_edge ? cols - 1 : p.col; /* libvterm stays on a wide glyph's left half */
	*y = p.row;
}

struct vy_vt_modes vy_vt_modes(const struct vy_vt *v)
{
	return v->modes;
}

struct vy_str vy_vt_title(const struct vy_vt *v)
{
	return vy_buf_str(&v->title);
}
