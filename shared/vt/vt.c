/* vt.c -- see vt.h.
 *
 * Bytes are first cut into whole tokens (vt_scan.h). Text, controls and most sequences are then
 * given to libvterm one token at a time, so that it never has half of anything, and what it does
 * comes back through callbacks that write our grid. Some tokens are done here instead: those it
 * does not know, and those it gets wrong (each named at its case). */
#include "shared/vt/vt.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "shared/vt/vt_answer.h"
#include "shared/vt/vt_clean.h"
#include "shared/vt/vt_inside.h"
#include "shared/vt/vt_osc.h"
#include "shared/vt/vt_scan.h"
#include "shared/base/ban.h"

#define TITLE_MAX 512
#define SIZE_MIN  2 /* a wide glyph must fit */
#define COUNT_MAX 9999

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

/* ---- tokens ---- */

static void give(struct vy_vt *v, struct vy_str bytes)
{
	if (bytes.n > 0) {
		vterm_input_write(v->vt, bytes.p, bytes.n);
	}
}

static void give_csi(struct vy_vt *v, const struct vt_token *t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(512);

	give(v, vt_clean_csi(t, &b));
}

static void move_to(struct vy_vt *v, int x, int y)
{
	char t[32];

	snprintf(t, sizeof(t), "\033[%d;%dH", y + 1, x + 1);
	give(v, vy_str_c(t));
}

/* Marks that come in a write of their own behind the last column, where libvterm drops them: they are
 * put on the glyph that waits there. Returns what follows them. */
static struct vy_str late_marks(struct vy_vt *v, struct vy_str text)
{
	const struct vy_vt_cell *c = vy_grid_cell(v->grid, v->last.col, v->last.row);
	struct vy_vt_pen pen = { c->fg, c->bg, c->link, c->attrs };
	size_t at = 0, had = v->last_n;
	uint32_t cp;

	while (at < text.n) {
		size_t n = vy_utf8_get(text, at, &cp);

		if (cp < 0x300 || vy_width_cp(cp, (struct vy_width){ 0 }) > 0) {
			break;
		}
		if (v->last_n < LAST_MAX) {
			v->last_chars[v->last_n++] = cp;
		}
		at += n;
	}
	if (v->last_n > had) {
		vy_grid_put(v->grid, v->last.col, v->last.row, v->last_chars, v->last_n,
			v->last_width, pen, false);
	}
	return vy_str_from(text, at);
}

static void do_text(struct vy_vt *v, struct vy_str text)
{
	int cols, rows;

	text = v->wrap_due && v->last_n > 0 ? late_marks(v, text) : text;
	if (text.n == 0) {
		return;
	}
	vy_grid_size(v->grid, &cols, &rows);
	v->in_text = true;
	v->text_x = vt_cursor(v).col;
	give(v, text);
	v->in_text = false;
	v->wrap_due = v->text_x >= cols;
}

/* libvterm would repeat a glyph that was never there, and for ever. */
static void do_repeat(struct vy_vt *v, int count)
{
	VY_AUTO_BUF b = VY_BUF_INIT(COUNT_MAX * sizeof(v->last_chars));

	for (int i = 0; i < (count < 1 ? 1 : count) && i < COUNT_MAX; i++) {
		for (size_t k = 0; k < v->last_n; k++) {
			char one[4];

			vy_buf_add(&b, one, vy_utf8_put(v->last_chars[k], one));
		}
	}
	if (b.len > 0) {
		do_text(v, vy_buf_str(&b));
	}
}

/* A cursor that was saved on a larger screen is restored outside of this one by libvterm, which
 * then reads behind its own arrays. */
static void keep_inside(struct vy_vt *v)
{
	VTermPos p = vt_cursor(v);
	int cols, rows;

	vy_grid_size(v->grid, &cols, &rows);
	if (p.row >= rows || p.col >= cols || p.row < 0 || p.col < 0) {
		move_to(v, p.col < cols ? p.col : cols - 1, p.row < rows ? p.row : rows - 1);
	}
}

static void save_cursor(struct vy_vt *v, bool save)
{
	if (save) {
		v->own_saved = v->own;
	} else {
		v->own = v->own_saved;
	}
	give(v, save ? VY_STR_LIT("\0337") : VY_STR_LIT("\0338"));
}

static void reset_own(struct vy_vt *v, bool hard)
{
	v->own = v->own_saved = 0;
	v->pen.link = 0;
	v->modes.app_cursor = v->modes.app_keypad = false;
	if (hard) {
		v->modes.bracketed_paste = v->modes.focus = v->modes.sync = v->modes.mouse_sgr =
			false;
		if (v->modes.alt) { /* a reset leaves libvterm on the alternate screen */
			give(v, VY_STR_LIT("\033[?1047l"));
		}
		vy_grid_clear_scrollback(v->grid);
	}
}

static void do_esc(struct vy_vt *v, const struct vt_token *t)
{
	if (t->intermediate == 0) {
		switch (t->final) {
		case '7':
		case '8': save_cursor(v, t->final == '7'); return;
		case '=':
		case '>': v->modes.app_keypad = t->final == '='; break;
		case 'c': reset_own(v, true); break;
		default: break;
		}
	} else if (strchr("P[]X^_", t->final)) {
		return; /* no sequence; libvterm would take it for the begin of one */
	}
	give(v, t->bytes);
}

static void do_sgr(struct vy_vt *v, const struct vt_token *t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1024);

	give(v, vt_clean_sgr(t, &v->own, &b));
}

/* Private modes; returns false when libvterm must not see it. */
static bool do_mode(struct vy_vt *v, int mode, bool on)
{
	switch (mode) {
	case 1: v->modes.app_cursor = on; break;
	case 66: v->modes.app_keypad = on; return false;
	case 69: return false;
	case 1004: v->modes.focus = on; break;
	case 1006: v->modes.mouse_sgr = on; break;
	case 1048:
	case 1049:
		if (on) {
			v->own_saved = v->own;
		}
		break;
	case 2004: v->modes.bracketed_paste = on; break;
	case 2026: v->modes.sync = on; return false;
	default: break;
	}
	return true;
}

static void do_modes(struct vy_vt *v, const struct vt_token *t)
{
	bool on = t->final == 'h', was_alt = v->modes.alt;

	for (int i = 0; i < t->n; i++) {
		char one[32];

		if (do_mode(v, t->p[i].v, on)) {
			snprintf(one, sizeof(one), "\033[?%d%c", t->p[i].v, t->final);
			give(v, vy_str_c(one));
		}
	}
	if (was_alt && !v->modes.alt && v->main_moved) { /* its cursor went with its text */
		move_to(v, v->main_x, v->main_y);
	}
}

/* A sequence with ? that is not about setting modes. */
static void do_question(struct vy_vt *v, const struct vt_token *t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(64);
	int mode = t->n ? t->p[0].v : 0;

	if (t->final == 'p' && t->intermediate == '$' &&
		(mode == 2026 || mode == 69 || mode == 66)) {
		bool on = mode == 2026 ? v->modes.sync : v->modes.app_keypad;

		vt_answer_mode(mode, mode == 69 ? 0 : on ? 1 : 2, &b);
		vt_output(v, vy_buf_str(&b));
	} else if (t->final != 'u' && t->final != 'm') { /* no kitty keyboard */
		give_csi(v, t);
	}
}

static void do_csi(struct vy_vt *v, const struct vt_token *t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(64);
	int cols, rows, first = t->n ? t->p[0].v : -1;

	if (t->leader == '?') {
		if ((t->final == 'h' || t->final == 'l') && t->intermediate == 0) {
			do_modes(v, t);
		} else {
			do_question(v, t);
		}
		return;
	}
	if (t->leader == '>' && t->final == 'q') {
		vt_output(v, VY_STR_LIT("\033P>|vyre\033\\"));
		return;
	}
	if (t->leader == '>' && t->final == 'c') {
		give_csi(v, t);
		return;
	}
	if (t->leader) { /* keyboards we do not have; libvterm would take some for others */
		return;
	}
	switch (t->intermediate ? 0 : t->final) {
	case 'm': do_sgr(v, t); return;
	case 'b': do_repeat(v, first); return;
	case 's': /* libvterm takes it for margins, whether mode 69 is on or not */
	case 'u':
		if (t->n == 0) {
			save_cursor(v, t->final == 's');
		}
		return;
	case 'J':
		if (first == 3) {
			vy_grid_clear_scrollback(v->grid);
			return;
		}
		break;
	case 't':
		if (first == 18) {
			vy_grid_size(v->grid, &cols, &rows);
			vt_answer_size(cols, rows, &b);
			vt_output(v, vy_buf_str(&b));
		}
		return;
	default: break;
	}
	if (t->intermediate == '!' && t->final == 'p') {
		reset_own(v, false);
	}
	give_csi(v, t);
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
		if (v->ev.osc) {
			v->ev.osc(v->ev.ctx, body);
		}
		return;
	}
}

static void do_string(struct vy_vt *v, const struct vt_token *t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(256);
	struct vy_vt_pen pen = v->pen;

	if (t->final == ']') {
		do_osc(v, t->bytes);
	} else if (t->final == 'P' && vy_str_starts(t->bytes, "$q")) {
		pen.attrs |= v->own;
		vt_answer_setting(vy_str_from(t->bytes, 2), pen, v->modes, &b);
		vt_output(v, vy_buf_str(&b));
	}
}

static void do_controls(struct vy_vt *v, struct vy_str bytes)
{
	v->wrap_due = false;
	if (!v->newline) {
		give(v, bytes);
		return;
	}
	for (size_t i = 0; i < bytes.n; i++) {
		give(v, bytes.p[i] == '\n' ? VY_STR_LIT("\r\n") : vy_str_n(bytes.p + i, 1));
	}
}

static void on_token(void *ctx, const struct vt_token *t)
{
	struct vy_vt *v = ctx;

	switch (t->kind) {
	case VT_TEXT: do_text(v, t->bytes); return;
	case VT_CONTROL: do_controls(v, t->bytes); return;
	case VT_STRING: do_string(v, t); return;
	case VT_ESC:
		v->wrap_due = false;
		do_esc(v, t);
		break;
	case VT_CSI:
		if (t->final == 'm') {
			do_csi(v, t);
			return;
		}
		v->wrap_due = false;
		do_csi(v, t);
		break;
	}
	keep_inside(v);
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
	free(v);
}

void vy_vt_feed(struct vy_vt *v, struct vy_str bytes)
{
	vt_scan_step(&v->scan, bytes, on_token, v);
}

/* Puts the cursor behind the glyph at x that it waited on, waiting again if that fills its row now. */
static void wrap_again(struct vy_vt *v, int x, int y, int cols)
{
	int next = x + v->last_width;

	v->wrap_due = next >= cols;
	move_to(v, v->wrap_due ? cols - 1 : next, y);
	if (v->wrap_due) { /* libvterm can only be made to wait by writing there */
		v->is_mute = true;
		give(v, VY_STR_LIT(" "));
		v->is_mute = false;
	}
}

void vy_vt_resize(struct vy_vt *v, int cols, int rows)
{
	VTermPos p = vt_cursor(v);
	int x = v->modes.alt ? v->main_x : p.col, y = v->modes.alt ? v->main_y : p.row;

	cols = at_least(cols);
	rows = at_least(rows);
	vy_grid_resize(v->grid, cols, rows, &x, &y);
	vterm_set_size(v->vt, rows, cols);
	give(v, VY_STR_LIT("\033[r")); /* margins of the old size hold no longer */
	if (v->modes.alt) {
		v->main_x = x;
		v->main_y = y;
		v->main_moved = true;
		v->wrap_due = false;
		move_to(v, p.col < cols ? p.col : cols - 1, p.row < rows ? p.row : rows - 1);
	} else if (v->wrap_due) {
		wrap_again(v, x, y, cols);
	} else {
		move_to(v, x, y);
	}
}

void vy_vt_set_colors(struct vy_vt *v, uint32_t fg_rgb, uint32_t bg_rgb)
{
	v->has_colors = true;
	v->fg_rgb = fg_rgb;
	v->bg_rgb = bg_rgb;
}

void vt_set_newline(struct vy_vt *v, bool on)
{
	v->newline = on;
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
	*x = v->wrap_due ? cols - 1 : p.col; /* libvterm stays on a wide glyph's left half */
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
