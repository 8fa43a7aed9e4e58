/* vt_state.c -- what libvterm's state layer tells, done to the grid. */
#include <string.h>

#include "shared/vt/grid_rows.h"
#include "shared/vt/vt_inside.h"
#include "shared/base/ban.h"

VTermPos vt_cursor(const struct vy_vt *v)
{
	VTermPos p;

	vterm_state_get_cursorpos(v->state, &p);
	return p;
}

static int on_glyph(VTermGlyphInfo *info, VTermPos pos, void *user)
{
	struct vy_vt *v = user;
	struct vy_vt_pen pen = v->pen;
	size_t n = 0;

	while (n < LAST_MAX && info->chars[n]) {
		n++;
	}
	if (v->is_mute) {
		v->mute_n = (int)n;
		v->mute_width = info->width;
		v->mute_count++;
		return 1;
	}
	/* Text that comes to column 0 of another row though it was due elsewhere: the terminal wrapped. */
	bool moved = pos.row != v->text_y || v->text_scrolled;
	bool wrapped = v->in_text && moved && pos.col == 0 && v->text_x != 0;

	pen.attrs |= v->own;
	if (wrapped) {
		grid_row_full(v->grid, pos.row - 1, v->text_x);
	}
	vy_grid_put(v->grid, pos.col, pos.row, info->chars, n, info->width, &pen, wrapped);
	v->text_x = pos.col + info->width;
	v->text_y = pos.row;
	v->text_scrolled = false;
	v->last.at = pos;
	v->last.width = info->width;
	v->last.n = n;
	memcpy(v->last.chars, info->chars, n * sizeof(info->chars[0]));
	return 1;
}

static struct vy_vt_rect rect_of(VTermRect r)
{
	return (struct vy_vt_rect){ r.start_col, r.start_row, r.end_col, r.end_row };
}

static int on_scroll(VTermRect rect, int downward, int rightward, void *user)
{
	struct vy_vt *v = user;

	if (!v->is_mute) {
		vy_grid_scroll(v->grid, rect_of(rect), downward, rightward, v->pen);
		v->text_scrolled = v->text_scrolled || downward != 0;
	}
	return 1;
}

static int on_erase(VTermRect rect, int selective, void *user)
{
	struct vy_vt *v = user;

	(void)selective;
	vy_grid_erase(v->grid, rect_of(rect), v->pen);
	return 1;
}

static int on_init_pen(void *user)
{
	struct vy_vt *v = user;

	v->pen = (struct vy_vt_pen){ .link = v->pen.link };
	return 1;
}

static uint32_t color_of(const VTermColor *c)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(c) || VTERM_COLOR_IS_DEFAULT_BG(c)) {
		return VY_VT_DEFAULT;
	}
	if (VTERM_COLOR_IS_INDEXED(c)) {
		return VY_VT_INDEX(c->indexed.idx);
	}
	return VY_VT_RGB((uint32_t)c->rgb.red << 16 | (uint32_t)c->rgb.green << 8 | c->rgb.blue);
}

static void set_bit(uint8_t *bits, uint8_t bit, bool on)
{
	*bits = on ? *bits | bit : *bits & (uint8_t)~bit;
}

static int on_pen(VTermAttr attr, VTermValue *val, void *user)
{
	struct vy_vt *v = user;
	uint8_t *a = &v->pen.attrs;

	switch (attr) {
	case VTERM_ATTR_BOLD: set_bit(a, VY_VT_BOLD, val->boolean); break;
	case VTERM_ATTR_UNDERLINE: set_bit(a, VY_VT_UNDERLINE, val->number != 0); break;
	case VTERM_ATTR_ITALIC: set_bit(a, VY_VT_ITALIC, val->boolean); break;
	case VTERM_ATTR_BLINK: set_bit(a, VY_VT_BLINK, val->boolean); break;
	case VTERM_ATTR_REVERSE: set_bit(a, VY_VT_REVERSE, val->boolean); break;
	case VTERM_ATTR_STRIKE: set_bit(a, VY_VT_STRIKE, val->boolean); break;
	case VTERM_ATTR_FOREGROUND: v->pen.fg = color_of(&val->color); break;
	case VTERM_ATTR_BACKGROUND: v->pen.bg = color_of(&val->color); break;
	default: break;
	}
	return 1;
}

static void set_alt(struct vy_vt *v, bool on)
{
	VTermPos at = vt_cursor(v);

	if (on && !v->modes.alt) {
		v->main_x = at.col;
		v->main_y = at.row;
		v->main_moved = false;
	}
	v->modes.alt = on;
	vy_grid_set_alt(v->grid, on);
}

static int on_prop(VTermProp prop, VTermValue *val, void *user)
{
	struct vy_vt *v = user;
	struct vy_vt_modes *m = &v->modes;

	switch (prop) {
	case VTERM_PROP_CURSORVISIBLE: m->cursor_visible = val->boolean; break;
	case VTERM_PROP_CURSORBLINK: m->cursor_blink = val->boolean; break;
	case VTERM_PROP_ALTSCREEN: set_alt(v, val->boolean); break;
	case VTERM_PROP_REVERSE: m->reverse = val->boolean; break;
	case VTERM_PROP_CURSORSHAPE:
		m->shape = val->number == VTERM_PROP_CURSORSHAPE_UNDERLINE  ? VY_VT_UNDER
			   : val->number == VTERM_PROP_CURSORSHAPE_BAR_LEFT ? VY_VT_BAR
									    : VY_VT_BLOCK;
		break;
	case VTERM_PROP_MOUSE: m->mouse = (enum vy_vt_mouse)val->number; break;
	default: break;
	}
	return 1;
}

static int on_bell(void *user)
{
	struct vy_vt *v = user;

	if (v->ev.bell) {
		v->ev.bell(v->ev.ctx);
	}
	return 1;
}

static int on_move(VTermPos pos, VTermPos old, int visible, void *user)
{
	(void)pos, (void)old, (void)visible, (void)user;
	return 1;
}

const VTermStateCallbacks vt_state_callbacks = {
	.putglyph = on_glyph,
	.movecursor = on_move,
	.scrollrect = on_scroll,
	.erase = on_erase,
	.initpen = on_init_pen,
	.setpenattr = on_pen,
	.settermprop = on_prop,
	.bell = on_bell,
};
