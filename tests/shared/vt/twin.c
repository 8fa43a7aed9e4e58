/* twin.c -- see twin.h. */
#include "tests/shared/vt/twin.h"

#include <string.h>

#include "shared/vt/grid_rows.h"
#include "shared/vt/vt_inside.h"
#include "shared/vt/vt_prologue.h"
#include "shared/base/ban.h"

static bool same_int(const char *what, long a, long b, struct vy_buf *why)
{
	if (a != b) {
		vy_buf_addf(why, "%s: %ld and %ld\n", what, a, b);
	}
	return a == b;
}

static bool same_links(const struct vy_grid *a, uint16_t la, const struct vy_grid *b, uint16_t lb)
{
	return vy_str_eq(grid_pool_get(&a->links, la - 1u), grid_pool_get(&b->links, lb - 1u)) &&
	       (la == 0) == (lb == 0);
}

static bool same_cells(const struct vy_grid *a, const struct vy_vt_cell *ca,
	const struct vy_grid *b, const struct vy_vt_cell *cb)
{
	char ta[VY_GRID_TEXT_MAX], tb[VY_GRID_TEXT_MAX];
	size_t na = vy_grid_text(a, ca, ta), nb = vy_grid_text(b, cb, tb);

	return ca->fg == cb->fg && ca->bg == cb->bg && ca->attrs == cb->attrs &&
	       ca->width == cb->width && (ca->ch == 0) == (cb->ch == 0) && na == nb &&
	       memcmp(ta, tb, na) == 0 && same_links(a, ca->link, b, cb->link);
}

static bool same_rows(const struct vy_grid *a, const struct vy_vt_row *ra, const struct vy_grid *b,
	const struct vy_vt_row *rb, bool goes_on, int y, struct vy_buf *why)
{
	int na = goes_on ? ra->n : grid_row_used(ra), nb = goes_on ? rb->n : grid_row_used(rb);

	if (ra->continues != rb->continues || na != nb) {
		vy_buf_addf(why, "row %d: continues %d %d, cells %d %d\n", y, ra->continues,
			rb->continues, na, nb);
		return false;
	}
	for (int x = 0; x < na; x++) {
		if (!same_cells(a, &ra->cells[x], b, &rb->cells[x])) {
			vy_buf_addf(why, "row %d: cell %d: %x %x, bg %x %x, attrs %d %d, %d %d\n",
				y, x, ra->cells[x].ch, rb->cells[x].ch, ra->cells[x].bg,
				rb->cells[x].bg, ra->cells[x].attrs, rb->cells[x].attrs,
				ra->cells[x].width, rb->cells[x].width);
			return false;
		}
	}
	return true;
}

static bool same_screen(const struct vy_grid *a, const struct vy_vt_row *ra,
	const struct vy_grid *b, const struct vy_vt_row *rb, struct vy_buf *why)
{
	for (int y = 0; y < a->rows; y++) {
		if (!same_rows(
			    a, &ra[y], b, &rb[y], y + 1 < a->rows && ra[y + 1].continues, y, why)) {
			return false;
		}
	}
	return true;
}

static bool same_grids(const struct vy_grid *a, const struct vy_grid *b, struct vy_buf *why)
{
	if (!same_int("columns", a->cols, b->cols, why) ||
		!same_int("rows", a->rows, b->rows, why) ||
		!same_int("alternate", a->is_alt, b->is_alt, why) ||
		!same_int("scrollback", (long)a->ring.n, (long)b->ring.n, why)) {
		return false;
	}
	for (size_t i = 0; i < a->ring.n; i++) {
		const struct vy_vt_row *next =
			i + 1 < a->ring.n ? grid_ring_at(&a->ring, i + 1) : &a->main[0];

		if (!same_rows(a, grid_ring_at(&a->ring, i), b, grid_ring_at(&b->ring, i),
			    next->continues, (int)i - (int)a->ring.n, why)) {
			return false;
		}
	}
	return same_screen(a, a->main, b, b->main, why) &&
	       (!a->is_alt || same_screen(a, a->alt, b, b->alt, why));
}

static bool same_pens(const struct vy_vt *a, struct vy_vt_pen pa, const struct vy_vt *b,
	struct vy_vt_pen pb, const char *what, struct vy_buf *why)
{
	bool ok = pa.fg == pb.fg && pa.bg == pb.bg && pa.attrs == pb.attrs;

	if (!ok) {
		vy_buf_addf(why, "%s: %x %x, %x %x, %x %x\n", what, pa.fg, pb.fg, pa.bg, pb.bg,
			pa.attrs, pb.attrs);
	}
	(void)a, (void)b;
	return ok;
}

static bool same_charsets(struct vt_charset a, struct vt_charset b, struct vy_buf *why)
{
	return same_int("charsets", memcmp(&a, &b, sizeof(a)), 0, why);
}

static bool same_saved(const struct vy_vt *a, const struct vy_vt *b, int i, struct vy_buf *why)
{
	const struct vt_place *pa = &a->saved[i], *pb = &b->saved[i];

	if (!pa->is_set && !pb->is_set) {
		return true;
	}
	return same_int("saved", pa->is_set, pb->is_set, why) &&
	       same_int("saved x", pa->x, pb->x, why) && same_int("saved y", pa->y, pb->y, why) &&
	       same_int("saved origin", pa->origin, pb->origin, why) &&
	       same_pens(a, pa->pen, b, pb->pen, "saved pen", why) &&
	       same_charsets(pa->charset, pb->charset, why);
}

static bool same_last(const struct vt_last *a, const struct vt_last *b, struct vy_buf *why)
{
	return same_int("last glyph", (long)a->n, (long)b->n, why) &&
	       (a->n == 0 ||
		       (same_int("its text", memcmp(a->chars, b->chars, a->n * sizeof(a->chars[0])),
				0, why) &&
			       same_int("its width", a->width, b->width, why) &&
			       same_int("its row", a->at.row, b->at.row, why) &&
			       (a->at.row < 0 ||
				       same_int("its column", a->at.col, b->at.col, why))));
}

static bool same_modes(const struct vy_vt *a, const struct vy_vt *b, struct vy_buf *why)
{
	const struct vy_vt_modes *m = &a->modes, *n = &b->modes;

	return same_int("visible", m->cursor_visible, n->cursor_visible, why) &&
	       same_int("blink", m->cursor_blink, n->cursor_blink, why) &&
	       same_int("reverse", m->reverse, n->reverse, why) &&
	       same_int("alt", m->alt, n->alt, why) &&
	       same_int("paste", m->bracketed_paste, n->bracketed_paste, why) &&
	       same_int("focus", m->focus, n->focus, why) &&
	       same_int("mouse sgr", m->mouse_sgr, n->mouse_sgr, why) &&
	       same_int("app cursor", m->app_cursor, n->app_cursor, why) &&
	       same_int("app keypad", m->app_keypad, n->app_keypad, why) &&
	       same_int("sync", m->sync, n->sync, why) &&
	       same_int("shape", m->shape, n->shape, why) &&
	       same_int("mouse", m->mouse, n->mouse, why) &&
	       same_int("mouse protocol", a->mouse_protocol, b->mouse_protocol, why) &&
	       same_int("insert", a->insert, b->insert, why) &&
	       same_int("newline", a->newline, b->newline, why) &&
	       same_int("origin", a->origin, b->origin, why) &&
	       same_int("mode 40", a->may_switch, b->may_switch, why) &&
	       same_int("no wrap", a->no_wrap, b->no_wrap, why);
}

static bool same_places(const struct vy_vt *a, const struct vy_vt *b, struct vy_buf *why)
{
	int ax, ay, bx, by;

	vy_vt_cursor(a, &ax, &ay);
	vy_vt_cursor(b, &bx, &by);
	return same_int("x", ax, bx, why) && same_int("y", ay, by, why) &&
	       same_int("waits to wrap", a->at_edge, b->at_edge, why) &&
	       same_int("top", a->top, b->top, why) &&
	       same_int("bottom", a->bottom, b->bottom, why) &&
	       same_int("tabs", memcmp(a->tabs, b->tabs, (size_t)a->grid->cols * sizeof(*a->tabs)),
		       0, why) &&
	       (!a->modes.alt ||
		       (same_int("main x", a->main_x, b->main_x, why) &&
			       same_int("main y", a->main_y, b->main_y, why) &&
			       same_int("main moved", a->main_moved, b->main_moved, why)));
}

static bool same_pending(const struct vy_vt *a, const struct vy_vt *b, struct vy_buf *why)
{
	VY_AUTO_BUF pa = VY_BUF_INIT(VY_VT_OSC_MAX + 64);
	VY_AUTO_BUF pb = VY_BUF_INIT(VY_VT_OSC_MAX + 64);

	vt_scan_pending(&a->scan, &pa);
	vt_scan_pending(&b->scan, &pb);
	return same_int("pending bytes", vy_str_eq(vy_buf_str(&pa), vy_buf_str(&pb)), 1, why);
}

bool twin_same(const struct vy_vt *a, const struct vy_vt *b, struct vy_buf *why)
{
	struct vy_vt_pen pa = a->pen, pb = b->pen;

	pa.attrs |= a->own;
	pb.attrs |= b->own;
	return same_grids(a->grid, b->grid, why) && same_places(a, b, why) &&
	       same_modes(a, b, why) && same_pens(a, pa, b, pb, "pen", why) &&
	       same_int("link", same_links(a->grid, pa.link, b->grid, pb.link), 1, why) &&
	       same_charsets(a->charset, b->charset, why) && same_saved(a, b, 0, why) &&
	       (!a->modes.alt || same_saved(a, b, 1, why)) && same_last(&a->last, &b->last, why) &&
	       same_int("palette", memcmp(&a->palette, &b->palette, sizeof(a->palette)), 0, why) &&
	       same_int("title", vy_str_eq(vy_buf_str(&a->title), vy_buf_str(&b->title)), 1, why) &&
	       same_pending(a, b, why);
}

struct vy_vt *twin_of(const struct vy_vt *a)
{
	VY_AUTO_BUF out = VY_BUF_INIT(16 << 20);
	struct vy_vt *b = vy_vt_new(a->grid->cols, a->grid->rows, (int)a->grid->ring.max, NULL);

	vy_vt_prologue(a, &out);
	vy_vt_feed(b, vy_buf_str(&out));
	return b;
}
