/* vt_seq.c -- escape and control sequences: which are libvterm's, which are ours.
 *
 * Only what it knows and does rightly is given to it; each other is named at its case. A sequence
 * that could move the cursor or change cells leaves the edge first. */
#include <stdio.h>
#include <string.h>

#include "shared/vt/vt_answer.h"
#include "shared/vt/vt_clean.h"
#include "shared/vt/vt_inside.h"
#include "shared/base/ban.h"

static void give_csi(struct vy_vt *v, const struct vt_token *t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(512);

	vt_give(v, vt_clean_csi(t, &b));
}

/* ---- ESC ---- */

/* All E: the margins are gone and the cursor goes home, which libvterm leaves out. */
static void do_aligned(struct vy_vt *v)
{
	struct vt_last last = v->last; /* libvterm's own is not that E */
	int cols, rows;

	vt_leave_edge(v);
	vy_grid_size(v->grid, &cols, &rows);
	vt_give(v, VY_STR_LIT("\033[?6l\033#8"));
	v->last = last;
	v->origin = false;
	vt_margins(v, 0, rows);
	vt_move(v, 0, 0);
}

static void do_esc_with(struct vy_vt *v, const struct vt_token *t)
{
	if (strchr("()*+", t->intermediate)) {
		vt_charset_designate(&v->charset, t->intermediate, t->final);
	} else if (t->intermediate == '#' && t->final == '8') {
		do_aligned(v);
	} /* double lines and 8-bit answers are not for us */
}

void vt_esc(struct vy_vt *v, const struct vt_token *t)
{
	if (t->intermediate) {
		do_esc_with(v, t);
		return;
	}
	switch (t->final) {
	case '7': vt_save(v, &v->saved[v->modes.alt]); break;
	case '8': vt_restore(v, &v->saved[v->modes.alt]); break;
	case '=':
	case '>': v->modes.app_keypad = t->final == '='; break;
	case 'c': vt_hard_reset(v); break;
	case 'D':
	case 'E':
	case 'M':
		vt_leave_edge(v);
		vt_give(v, t->bytes);
		break;
	case 'H':
		v->tabs[vt_cursor(v).col] = true;
		vt_give(v, t->bytes);
		break;
	default: vt_charset_shift(&v->charset, t->final); break;
	}
}

/* ---- modes ---- */

static void set_alt(struct vy_vt *v, bool on)
{
	bool was = v->modes.alt;

	vt_leave_edge(v);
	if (on && !was) {
		v->saved[1] = (struct vt_place){ 0 };
	}
	vt_give(v, on ? VY_STR_LIT("\033[?1047h") : VY_STR_LIT("\033[?1047l"));
	if (was && !on && v->main_moved) { /* its cursor went with its text */
		vt_move(v, v->main_x, v->main_y);
	}
}

static void do_1049(struct vy_vt *v, bool on)
{
	if (on && !v->modes.alt) {
		vt_save(v, &v->saved[0]);
	}
	set_alt(v, on);
	if (!on) {
		vt_restore(v, &v->saved[0]);
	}
}

static void do_mouse_protocol(struct vy_vt *v, int mode, bool on)
{
	v->mouse_protocol = on ? mode : 0;
	v->modes.mouse_sgr = v->mouse_protocol == 1006;
}

/* The size is the person's, so nothing gets wider; the rest is done, as it is asked for in order to begin anew. */
static void switch_columns(struct vy_vt *v)
{
	int cols, rows;

	vt_leave_edge(v);
	vy_grid_size(v->grid, &cols, &rows);
	vt_give(v, VY_STR_LIT("\033[?6l"));
	v->origin = false;
	vt_margins(v, 0, rows);
	vt_give(v, VY_STR_LIT("\033[2J"));
	vt_move(v, 0, 0);
}

/* One private mode; returns true when libvterm is to have it, too. */
static bool do_mode(struct vy_vt *v, int mode, bool on)
{
	switch (mode) {
	case 1: v->modes.app_cursor = on; return true;
	case 3:
		if (v->may_switch) {
			switch_columns(v);
		}
		return false;
	case 40: v->may_switch = on; return false;
	case 5:
	case 12:
	case 25:
	case 1000:
	case 1002:
	case 1003: return true;
	case 6:
		vt_leave_edge(v);
		v->origin = on;
		return true;
	case 7:
		if (v->no_wrap == on) {
			vt_leave_edge(v);
		}
		v->no_wrap = !on;
		return true;
	case 47: /* libvterm does not know it */
	case 1047: set_alt(v, on); return false;
	case 66: v->modes.app_keypad = on; return false;
	case 1004: v->modes.focus = on; return true;
	case 1005:
	case 1006:
	case 1015: do_mouse_protocol(v, mode, on); return true;
	case 1048:
		if (on) {
			vt_save(v, &v->saved[v->modes.alt]);
		} else {
			vt_restore(v, &v->saved[v->modes.alt]);
		}
		return false;
	case 1049: do_1049(v, on); return false;
	case 2004: v->modes.bracketed_paste = on; return true;
	case 2026: v->modes.sync = on; return false;
	default: return false;
	}
}

static void do_modes(struct vy_vt *v, const struct vt_token *t)
{
	bool on = t->final == 'h';

	for (int i = 0; i < t->n; i++) {
		int mode = t->p[i].v;
		bool is_ours = !t->leader && (mode == 4 || mode == 20);
		char one[32];

		if (t->leader ? do_mode(v, mode, on) : is_ours) {
			snprintf(one, sizeof(one), "\033[%s%d%c", t->leader ? "?" : "", mode,
				t->final);
			vt_give(v, vy_str_c(one));
		}
		v->insert = is_ours && mode == 4 ? on : v->insert;
		v->newline = is_ours && mode == 20 ? on : v->newline;
	}
}

/* ---- CSI ---- */

/* 1: set, 2: not set, 0: not known to us though it may be to libvterm; -1: it answers. */
static int state_of(const struct vy_vt *v, int mode)
{
	switch (mode) {
	case 47:
	case 1049: return v->modes.alt ? 1 : 2;
	case 40: return v->may_switch ? 1 : 2;
	case 66: return v->modes.app_keypad ? 1 : 2;
	case 69: return 0;
	case 2026: return v->modes.sync ? 1 : 2;
	default: return -1;
	}
}

static void do_mode_query(struct vy_vt *v, const struct vt_token *t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(64);
	int mode = t->n ? t->p[0].v : 0, state;

	if (t->leader) {
		state = state_of(v, mode);
	} else {
		state = mode == 4 ? 2 - v->insert : mode == 20 ? 2 - v->newline : 0;
	}
	if (state < 0) {
		give_csi(v, t);
		return;
	}
	vt_answer_mode(t->leader != 0, mode, state, &b);
	vt_output(v, vy_buf_str(&b));
}

/* A sequence with ? that is not about setting modes. */
static void do_question(struct vy_vt *v, const struct vt_token *t)
{
	if (t->final == 'p' && t->intermediate == '$') {
		do_mode_query(v, t);
	} else if (t->intermediate == 0 && strchr("JKn", t->final)) { /* no kitty keyboard */
		if (t->final != 'n') {
			vt_leave_edge(v);
		}
		give_csi(v, t);
	}
}

static void do_leader(struct vy_vt *v, const struct vt_token *t)
{
	if (t->leader == '?' && (t->final == 'h' || t->final == 'l') && t->intermediate == 0) {
		do_modes(v, t);
	} else if (t->leader == '?') {
		do_question(v, t);
	} else if (t->leader == '>' && t->final == 'q') {
		vt_output(v, VY_STR_LIT("\033P>|vyre\033\\"));
	} else if (t->leader == '>' && t->final == 'c') {
		give_csi(v, t);
	} else if (t->leader == '=' && t->final == 'c') {
		vt_output(v, VY_STR_LIT("\033P!|00000000\033\\"));
	} /* keyboards we do not have; libvterm would take some for others */
}

static void do_margins(struct vy_vt *v, const struct vt_token *t)
{
	int cols, rows, top = t->n > 0 ? t->p[0].v : 1, bottom = t->n > 1 ? t->p[1].v : 0;

	vy_grid_size(v->grid, &cols, &rows);
	top = top < 1 ? 1 : top;
	bottom = bottom < 1 || bottom > rows ? rows : bottom;
	if (top < bottom) { /* else they are no margins, and nothing moves */
		vt_margins(v, top - 1, bottom);
	}
}

static void do_tab_clear(struct vy_vt *v, const struct vt_token *t)
{
	int cols, rows, which = t->n && t->p[0].v > 0 ? t->p[0].v : 0;

	vy_grid_size(v->grid, &cols, &rows);
	if (which == 0) {
		v->tabs[vt_cursor(v).col] = false;
	} else if (which == 3 || which == 5) {
		memset(v->tabs, 0, (size_t)cols * sizeof(*v->tabs));
	}
	give_csi(v, t);
}

static void do_size_query(struct vy_vt *v, int what)
{
	VY_AUTO_BUF b = VY_BUF_INIT(64);
	int cols, rows;

	if (what == 18) {
		vy_grid_size(v->grid, &cols, &rows);
		vt_answer_size(cols, rows, &b);
		vt_output(v, vy_buf_str(&b));
	}
}

/* libvterm counts the place from the screen's corner even in origin mode. */
static void do_report(struct vy_vt *v, const struct vt_token *t)
{
	char s[32];
	int x, y;

	if (t->n == 0 || t->p[0].v != 6) {
		give_csi(v, t);
		return;
	}
	vy_vt_cursor(v, &x, &y);
	snprintf(s, sizeof(s), "\033[%d;%dR", y - (v->origin ? v->top : 0) + 1, x + 1);
	vt_output(v, vy_str_c(s));
}

static void do_intermediate(struct vy_vt *v, const struct vt_token *t)
{
	if (t->intermediate == '!' && t->final == 'p') {
		vt_soft_reset(v);
	} else if (t->intermediate == '\'') { /* columns: DECIC, DECDC */
		vt_leave_edge(v);
		give_csi(v, t);
	} else if (t->intermediate == '$' && t->final == 'p') {
		do_mode_query(v, t);
	} else if (t->intermediate == ' ' && t->final == 'q') {
		give_csi(v, t);
	}
}

static void do_sgr(struct vy_vt *v, const struct vt_token *t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1024);

	vt_give(v, vt_clean_sgr(t, &v->own, &b));
}

/* Up and down stop at a margin that lies ahead; libvterm knows the screen's end alone. */
static void do_rows(struct vy_vt *v, const struct vt_token *t)
{
	bool up = t->final == 'A' || t->final == 'F';
	int cols, rows, y = vt_cursor(v).row, n = t->n && t->p[0].v > 0 ? t->p[0].v : 1, room;
	char s[32];

	vy_grid_size(v->grid, &cols, &rows);
	room = up ? (y >= v->top ? y - v->top : y) : (y < v->bottom ? v->bottom : rows) - 1 - y;
	n = n < room ? n : room;
	if (n > 0) {
		snprintf(s, sizeof(s), "\033[%d%c", n, up ? 'A' : 'B');
		vt_give(v, vy_str_c(s));
	}
	if (t->final == 'E' || t->final == 'F') {
		vt_give(v, VY_STR_LIT("\r"));
	}
}

/* Lines come and go between the margins, and the cursor then begins its own. */
static void do_lines(struct vy_vt *v, const struct vt_token *t)
{
	int y = vt_cursor(v).row;

	give_csi(v, t);
	if (y >= v->top && y < v->bottom) {
		vt_give(v, VY_STR_LIT("\r"));
	}
}

static bool has_colons(const struct vt_token *t)
{
	for (int i = 0; i < t->n; i++) {
		if (t->p[i].joins) {
			return true;
		}
	}
	return false;
}

void vt_csi(struct vy_vt *v, const struct vt_token *t)
{
	int first = t->n ? t->p[0].v : -1;

	if (t->final != 'm' && has_colons(t)) {
		return;
	}
	if (t->leader) {
		do_leader(v, t);
		return;
	}
	if (t->intermediate) {
		do_intermediate(v, t);
		return;
	}
	switch (t->final) {
	case 'm': do_sgr(v, t); return;
	case 'b': vt_repeat(v, first); return;
	case 'h':
	case 'l': do_modes(v, t); return;
	case 'n': do_report(v, t); return;
	case 'c': give_csi(v, t); return;
	case 'g': do_tab_clear(v, t); return;
	case 't': do_size_query(v, first); return;
	case 's': /* libvterm takes it for margins, whether mode 69 is on or not */
		if (t->n == 0) {
			vt_save(v, &v->saved[v->modes.alt]);
		}
		return;
	case 'u':
		if (t->n == 0) {
			vt_restore(v, &v->saved[v->modes.alt]);
		}
		return;
	default: break;
	}
	vt_leave_edge(v);
	if (t->final == 'r') {
		do_margins(v, t);
	} else if (t->final == 'A' || t->final == 'B' || t->final == 'E' || t->final == 'F') {
		do_rows(v, t);
	} else if (t->final == 'L' || t->final == 'M') {
		do_lines(v, t);
	} else if (t->final == 'J' && first == 3) {
		vy_grid_clear_scrollback(v->grid);
	} else {
		give_csi(v, t);
	}
}
