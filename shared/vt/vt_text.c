/* vt_text.c -- text for libvterm, and what it makes of it.
 *
 * It gets valid UTF-8 in pieces that begin with a glyph of their own wherever that can be, and never
 * so long that its arrays on the stack matter. A few marks have two cells of their own in its tables
 * and would widen the glyph they stand on (in decomposed kana, say) if they came with it in one write. The last glyph is kept, since libvterm's own memory
 * of it decides where a late mark goes; vt_set_last() sets both to the same. */
#include <stdio.h>
#include <string.h>

#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "shared/vt/vt_inside.h"
#include "shared/base/ban.h"

#define PIECE_MAX 1000 /* libvterm 0.3 takes 1024 code points at a time */
#define COUNT_MAX 9999
#define RUN_LEAST 4 /* below that libvterm is as quick */

bool vt_is_wide_mark(uint32_t cp)
{
	return (cp >= 0x302a && cp <= 0x302f) || cp == 0x3099 || cp == 0x309a;
}

/* Up to the first of them that stands behind something. */
static size_t until_wide_mark(struct vy_str text)
{
	uint32_t cp;

	for (size_t at = 1; at < text.n;) {
		const char *p = memchr(text.p + at, 0xe3, text.n - at);

		if (!p) {
			break;
		}
		at = (size_t)(p - text.p);
		vy_utf8_get(text, at, &cp);
		if (vt_is_wide_mark(cp)) {
			return at;
		}
		at++;
	}
	return text.n;
}

/* Looks no further than it must: a write may be large, and is asked for piece by piece. */
static size_t piece_len(struct vy_str text)
{
	uint32_t cp;

	text.n = text.n < PIECE_MAX + 4 ? text.n : PIECE_MAX + 4;
	text.n = until_wide_mark(text);
	if (text.n <= PIECE_MAX) {
		return text.n;
	}
	vy_assert(text.p != NULL);
	for (size_t n = PIECE_MAX; n > PIECE_MAX / 2; n--) {
		if (((unsigned char)text.p[n] & 0xc0) != 0x80 && vy_utf8_get(text, n, &cp) > 0 &&
			(cp < 0x300 || vy_width_cp(cp, (struct vy_width){ 0 }) > 0)) {
			return n;
		}
	}
	return vy_utf8_cut(text, PIECE_MAX);
}

/* ---- the last glyph ---- */

static size_t chars_put(const uint32_t *chars, size_t n, char *out)
{
	size_t len = 0;

	for (size_t i = 0; i < n; i++) {
		len += vy_utf8_put(chars[i], out + len);
	}
	return len;
}

/* Code point by code point: see until_wide_mark(). At the edge marks would wrap. */
static void give_last(struct vy_vt *v, const struct vt_last *last, bool at_edge)
{
	char one[4];

	for (size_t i = 0; i < (at_edge ? 1 : last->n); i++) {
		vt_give(v, vy_str_n(one, vy_utf8_put(last->chars[i], one)));
	}
}

/* Nothing can be joined to what stands at the edge. */
static void stand_alone(struct vy_vt *v, int row, int cols)
{
	vt_move(v, cols - 1, row);
	vt_give(v, VY_STR_LIT(" "));
}

/* Writes the glyph where nobody sees it; false when libvterm makes something else of it. */
static bool measure(struct vy_vt *v, struct vt_last *last, int row, int cols)
{
	stand_alone(v, row, cols);
	vt_move(v, 0, row);
	give_last(v, last, true);
	last->width = v->mute_width;
	if (last->width >= cols) {
		return last->width == cols; /* its marks would wrap */
	}
	stand_alone(v, row, cols);
	vt_move(v, 0, row);
	give_last(v, last, false);
	return v->mute_n == (int)last->n;
}

void vt_set_last(struct vy_vt *v, const struct vt_last *last)
{
	VTermPos p = vt_cursor(v);
	int cols, rows;

	v->last = *last;
	vy_grid_size(v->grid, &cols, &rows);
	v->is_mute = true;
	bool is_glyph = last->n > 0 && measure(v, &v->last, p.row, cols);

	v->last.n = is_glyph ? last->n : 0;
	stand_alone(v, p.row, cols);
	if (is_glyph && last->at.row >= 0 && last->at.col + v->last.width <= cols) {
		vt_move(v, last->at.col, last->at.row);
		give_last(v, &v->last, last->at.col + v->last.width == cols);
	} else {
		v->last.at.row = -1;
	}
	vt_move(v, p.col, p.row);
	v->is_mute = false;
	v->at_edge = false;
}

void vt_stay_at_edge(struct vy_vt *v)
{
	v->is_mute = true;
	vt_move(v, v->last.at.col, v->last.at.row);
	give_last(v, &v->last, true);
	v->is_mute = false;
	v->at_edge = true;
}

/* Does libvterm join it to the glyph before? It has tables of its own; so it is asked. */
static bool is_mark(struct vy_vt *v, uint32_t cp)
{
	char text[5] = "a";

	if (cp < 0x300 || (cp >= 0x3400 && cp < 0xa000) || (cp >= 0xac00 && cp < 0xd7a4)) {
		return false;
	}
	v->is_mute = true;
	v->mute_count = 0;
	vt_move(v, 0, v->origin ? v->top : 0);
	vt_give(v, vy_str_n(text, 1 + vy_utf8_put(cp, text + 1)));
	v->is_mute = false;
	return v->mute_count == 1 && v->mute_n == 2;
}

/* Marks that come in a write of their own behind the last column, where libvterm drops them: they are
 * put on the glyph that stands there. Returns what follows them. */
static struct vy_str late_marks(struct vy_vt *v, struct vy_str text)
{
	struct vt_last *l = &v->last;
	size_t at = 0, had = l->n;
	uint32_t cp;
	bool asked = false;

	while (at < text.n) {
		size_t n = vy_utf8_get(text, at, &cp);
		bool known = cp < 0x300;

		asked = asked || !known;
		if (known || !is_mark(v, cp)) {
			break;
		}
		if (l->n < LAST_MAX) {
			l->chars[l->n++] = cp;
		}
		at += n;
	}
	if (l->n > had) {
		const struct vy_vt_cell *c = vy_grid_cell(v->grid, l->at.col, l->at.row);
		struct vy_vt_pen pen = { c->fg, c->bg, c->link, c->attrs };

		vy_grid_put(v->grid, l->at.col, l->at.row, l->chars, l->n, l->width, &pen, false);
	}
	if (asked) {
		vt_stay_at_edge(v);
	}
	return vy_str_from(text, at);
}

static size_t ascii_len(struct vy_str text)
{
	size_t n = 0;

	while (text.p && n < text.n && text.p[n] >= 0x20 && text.p[n] < 0x7f) {
		n++;
	}
	return n;
}

/* Most text is ASCII that fits where it is: it goes into the grid at once and libvterm only hears where the
 * cursor is then. Not so the last of it, which a mark may join, nor what stands in the last column, behind
 * which the cursor waits. Returns how much of the text libvterm is to get next. */
static size_t put_ascii(struct vy_vt *v, struct vy_str *text, int cols)
{
	size_t n = ascii_len(
		vy_str_n(text->p, text->n < (size_t)cols + 2 ? text->n : (size_t)cols + 2));
	VTermPos p = vt_cursor(v);
	struct vy_vt_pen pen = v->pen;
	size_t room = p.col < cols - 1 ? (size_t)(cols - 1 - p.col) : 0;
	size_t k = n > 0 && n - 1 < room ? n - 1 : room;
	char move[32];

	if (n < RUN_LEAST || v->insert || v->is_mute) {
		return piece_len(*text);
	}
	if (v->at_edge) {
		return 1; /* it wraps, and then there is room */
	}
	if (k >= RUN_LEAST - 1) {
		pen.attrs = (uint8_t)(pen.attrs | v->own);
		vy_grid_put_ascii(v->grid, p.col, p.row, vy_str_n(text->p, k), &pen);
		vt_give(v, vy_str_n(move, (size_t)snprintf(move, sizeof(move), "\033[%zuC", k)));
		*text = vy_str_from(*text, k);
		n -= k;
	}
	return n > 1 ? 1 : piece_len(*text);
}

static void give_text(struct vy_vt *v, struct vy_str text)
{
	int cols, rows;

	vy_grid_size(v->grid, &cols, &rows);
	while (text.n > 0) {
		text = v->at_edge && v->last.n > 0 ? late_marks(v, text) : text;
		size_t n = put_ascii(v, &text, cols);

		v->in_text = true;
		v->text_x = v->at_edge ? cols : vt_cursor(v).col;
		v->text_y = vt_cursor(v).row;
		v->text_scrolled = false;
		vt_give(v, vy_str_n(text.p, n));
		v->in_text = false;
		v->at_edge = n > 0 ? v->text_x >= cols : v->at_edge;
		text = vy_str_from(text, n);
	}
}

/* ---- text ---- */

void vt_text(struct vy_vt *v, struct vy_str text)
{
	VY_AUTO_BUF clean = VY_BUF_INIT(3 * text.n + 1);
	VY_AUTO_BUF mapped = VY_BUF_INIT(9 * text.n + 1);

	if (!vy_utf8_is_valid(text)) {
		vy_utf8_clean(text, &clean);
		text = vy_buf_str(&clean);
	}
	if (!vt_charset_is_plain(&v->charset)) {
		vt_charset_map(&v->charset, text, &mapped);
		text = vy_buf_str(&mapped);
	}
	give_text(v, text);
}

/* libvterm would repeat a glyph that was never there, and for ever. */
void vt_repeat(struct vy_vt *v, int count)
{
	VY_AUTO_BUF b = VY_BUF_INIT(COUNT_MAX * (size_t)LAST_MAX * 4);
	char one[LAST_MAX * 4];
	size_t n = chars_put(v->last.chars, v->last.n, one);

	for (int i = 0; i < (count < 1 ? 1 : count) && i < COUNT_MAX; i++) {
		vy_buf_add(&b, one, n);
	}
	if (b.len > 0) {
		give_text(v, vy_buf_str(&b));
	}
}
