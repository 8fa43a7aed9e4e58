/* paint.c -- see paint.h.
 *
 * One frame in three steps: scroll what moved as a block, paint the cells that differ, place the
 * cursor. `shown` is changed along with what is written, so at the end it equals the grid. The pen
 * (colours, attributes, link) is plain at the start and the end of each frame; between, only what
 * changes is written. A position of -1 means the terminal's cursor could be anywhere. */
#include "tui/ink/paint.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/ink/cell_pool.h"
#include "tui/ink/cell_rows.h"
#include "tui/ink/kitty.h"
#include "tui/ink/paint_ascii.h"
#include "tui/ink/paint_scroll.h"
#include "shared/base/ban.h"

#define FRAME_MAX (64 * 1024 * 1024)
/* Attributes that show where there is no text. */
#define SEEN_ON_BLANK (CELL_UNDERLINE | CELL_REVERSE | CELL_STRIKE)

#define JUMP_CELLS 6   /* a gap of equal cells up to this is written again: a jump costs as much */
#define SHORT_BODY 200 /* bytes up to which the cursor may be seen moving */

/* The terminal's state while a frame is written. */
struct brush {
	struct paint *p;
	const struct cell_grid *g;
	struct vy_buf *out;
	int x, y; /* where the terminal's cursor is; x -1: unknown */
	struct theme_pen pen;
	uint16_t link;
	bool has_memo; /* the last style that was looked up, and what came out */
	struct cell memo;
	struct theme_pen memo_pen;
};

void paint_init(struct paint *p, struct paint_caps caps)
{
	*p = (struct paint){ .caps = caps };
	vy_buf_init(&p->body, FRAME_MAX);
}

void paint_fini(struct paint *p)
{
	cell_grid_fini(&p->shown);
	vy_buf_fini(&p->body);
}

void paint_forget(struct paint *p)
{
	p->is_known = false;
}

#define NUMBER_MAX 12

/* As vy_buf_addf() with %d does, for what every frame has several of. */
static char *put_number(char *at, unsigned v)
{
	char digits[NUMBER_MAX];
	size_t k = 0;

	do {
		digits[k++] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	while (k > 0) {
		*at++ = digits[--k];
	}
	return at;
}

/* ---- the pen ---- */

/* SGR parameters in the making. */
struct sgr {
	char text[96];
	size_t n;
};

static void sgr_add(struct sgr *s, unsigned v)
{
	vy_assert(s->n + NUMBER_MAX < sizeof(s->text));
	if (s->n > 0) {
		s->text[s->n++] = ';';
	}
	s->n = (size_t)(put_number(s->text + s->n, v) - s->text);
}

static void sgr_color(struct sgr *s, const struct paint_caps *caps, uint32_t color, unsigned base)
{
	uint32_t v = color & 0xffffff;

	if (color == CELL_DEFAULT) {
		sgr_add(s, base + 9);
	} else if (CELL_KIND(color) == CELL_KIND(CELL_RGB(0))) {
		sgr_add(s, base + 8);
		sgr_add(s, 2);
		sgr_add(s, v >> 16);
		sgr_add(s, v >> 8 & 255);
		sgr_add(s, v & 255);
	} else if (v >= 16) {
		sgr_add(s, base + 8);
		sgr_add(s, 5);
		sgr_add(s, v);
	} else if (v >= 8 && !caps->eight) {
		sgr_add(s, base + 60 + v - 8);
	} else {
		sgr_add(s, base + (v & 7));
	}
}

static void set_pen(struct brush *b, struct theme_pen want)
{
	static const struct {
		uint8_t bit, on;
	} attrs[] = { { CELL_BOLD, 1 }, { CELL_DIM, 2 }, { CELL_ITALIC, 3 }, { CELL_UNDERLINE, 4 },
		{ CELL_REVERSE, 7 }, { CELL_STRIKE, 9 } };
	static const struct theme_pen plain;
	struct sgr s = { .n = 0 };
	struct theme_pen has = b->pen;

	if (want.fg == has.fg && want.bg == has.bg && want.attrs == has.attrs) {
		return;
	}
	b->pen = want;
	if (has.attrs & ~want.attrs) { /* there is no short way to take one off everywhere */
		has = plain;
		if (want.fg != has.fg || want.bg != has.bg || want.attrs != has.attrs) {
			sgr_add(&s, 0);
		}
	}
	for (size_t i = 0; i < VY_COUNT(attrs); i++) {
		if (want.attrs & ~has.attrs & attrs[i].bit) {
			sgr_add(&s, attrs[i].on);
		}
	}
	if (want.fg != has.fg) {
		sgr_color(&s, &b->p->caps, want.fg, 30);
	}
	if (want.bg != has.bg) {
		sgr_color(&s, &b->p->caps, want.bg, 40);
	}
	vy_buf_add(b->out, "\033[", 2);
	vy_buf_add(b->out, s.text, s.n);
	vy_buf_addc(b->out, 'm');
}

static struct theme_pen pen_of(struct brush *b, const struct cell *c)
{
	if (b->has_memo && c->fg == b->memo.fg && c->bg == b->memo.bg &&
		c->attrs == b->memo.attrs) {
		return b->memo_pen;
	}
	struct theme_pen pen = theme_pen_of(b->p->theme, c->fg, c->bg, c->attrs & CELL_LOOKS);
	uint32_t v = pen.fg & 0xffffff;

	if (b->p->caps.eight && pen.fg == CELL_INDEX(8)) {
		pen.fg = CELL_DEFAULT; /* bold black is black on many: nobody could read it */
		pen.attrs |= CELL_DIM;
	} else if (b->p->caps.eight && CELL_KIND(pen.fg) == CELL_KIND(CELL_INDEX(0)) && v > 8 &&
		   v < 16) {
		pen.attrs |= CELL_BOLD;
	}
	pen.attrs &= (uint8_t)~b->p->caps.no_attrs;
	b->has_memo = true;
	b->memo = *c;
	b->memo_pen = pen;
	return pen;
}

static bool is_plain_blank(const struct cell *c, uint8_t attrs)
{
	return c->text[0] == '\0' && c->width == 1 && c->link == 0 && (attrs & SEEN_ON_BLANK) == 0;
}

/* What cannot be seen on a blank stays as it is. */
static void set_pen_for(struct brush *b, const struct cell *c)
{
	struct theme_pen pen = pen_of(b, c);

	if (is_plain_blank(c, pen.attrs) && (b->pen.attrs & SEEN_ON_BLANK) == 0) {
		pen.fg = b->pen.fg;
		pen.attrs = b->pen.attrs;
	}
	set_pen(b, pen);
}

static void set_link(struct brush *b, uint16_t link)
{
	if (link == b->link || b->p->caps.no_strings) {
		return;
	}
	b->link = link;
	if (link == 0) {
		vy_buf_adds(b->out, "\033]8;;\033\\");
		return;
	}
	struct vy_str url = cell_link_url(b->g->pool, link);

	vy_buf_addf(b->out, "\033]8;id=v%u;%.*s\033\\", link, VY_STR_ARG(url));
}

static void move_to(struct brush *b, int x, int y)
{
	if (b->x != x || b->y != y) {
		char text[32] = "\033[", *at = put_number(text + 2, (unsigned)y + 1);

		*at++ = ';';
		at = put_number(at, (unsigned)x + 1);
		*at++ = 'H';
		vy_buf_add(b->out, text, (size_t)(at - text));
		b->x = x;
		b->y = y;
	}
}

/* ---- cells ---- */

/* May terminals disagree about its width? */
static bool is_disputed(struct vy_str text, int width)
{
	uint32_t cp;
	size_t n = vy_utf8_get(text, 0, &cp);

	if (cp == KITTY_PLACEHOLDER) {
		return false; /* only those get them that know what they are */
	}
	if (n < text.n) {
		return true;
	}
	return cp >= 0x2000 && (vy_cp_is_pictograph(cp) || (width == 2 && cp >= 0x1f000));
}

/* Where the sum of its parts would not fit in the row only its first part is shown: a terminal that
 * sums would go on in the next row, and in the last one scroll. */
static int put_disputed(struct brush *b, int x, int y, struct vy_str text, int width)
{
	struct vy_width sums = { .sums = true };
	int spill = (int)vy_width_cells(text, sums);
	unsigned cells = 0;

	if (x + spill > b->g->cols) {
		text.n = vy_width_piece(text, 0, sums, &cells);
		spill = (int)cells;
	}
	if (width == 2) { /* a terminal that draws it narrow must not leave an old right half */
		vy_buf_adds(b->out, "  ");
		b->x = -1;
		move_to(b, x, y);
	}
	vy_buf_addstr(b->out, text);
	b->x = -1;
	return x + (spill > width ? spill : width);
}

/* Writes the glyph at x; returns the first cell behind all it may have touched. */
static int put_cell(struct brush *b, int x, int y)
{
	const struct cell *c = cell_at(b->g, x, y);
	struct vy_str text = cell_text(b->g, c);
	int width = c->width ? c->width : 1, until = x + width;

	move_to(b, x, y);
	set_pen_for(b, c);
	set_link(b, c->link);
	if (b->p->caps.ascii && text.n > 1) {
		paint_ascii(text, width, b->out);
	} else if (text.n == 1 || !is_disputed(text, width)) {
		vy_buf_addstr(b->out, text);
	} else {
		return put_disputed(b, x, y, text, width);
	}
	b->x = until < b->g->cols ? until : -1; /* behind the last column terminals differ */
	return until;
}

/* Where the row's blank tail of one background begins; cols when it has none worth erasing. */
static int tail_of(struct brush *b, int y)
{
	int x = b->g->cols;
	uint32_t bg = 0;

	const struct cell *row = cell_at(b->g, 0, y), *end = &row[x - 1];

	while (x > 0) {
		const struct cell *c = &row[x - 1];

		if (c == end || !cell_same(c, end)) {
			struct theme_pen pen = pen_of(b, c);

			bg = c == end ? pen.bg : bg;
			if (pen.bg != bg || !is_plain_blank(c, pen.attrs)) {
				break;
			}
		}
		x--;
	}
	return bg != CELL_DEFAULT && b->p->caps.no_bce ? b->g->cols : x;
}

static void erase_tail(struct brush *b, int x, int y)
{
	move_to(b, x, y);
	set_link(b, 0);
	set_pen_for(b, cell_at(b->g, x, y));
	vy_buf_adds(b->out, "\033[K");
}

static bool same(const struct paint *p, const struct cell_grid *g, int x, int y)
{
	size_t at = (size_t)y * (size_t)g->cols + (size_t)x;

	return p->is_known && cell_same(&p->shown.cells[at], &g->cells[at]);
}

/* The next cell from x on that must be written; `last` + 1 when there is none. */
static int next_changed(const struct brush *b, int x, int y, int last)
{
	while (x <= last && same(b->p, b->g, x, y)) {
		x++;
	}
	if (x <= last && x > 0 && cell_at(b->g, x, y)->width == 0) {
		x--;
	}
	return x;
}

static void paint_row(struct brush *b, int y)
{
	int x = 0, last = b->g->cols - 1, forced = 0;

	if (b->p->is_known && !cell_diff_row(&b->p->shown, b->g, y, &x, &last)) {
		return;
	}
	int tail = cell_at(b->g, last, y)->text[0] == '\0' ? tail_of(b, y) : b->g->cols;

	while (x <= last) {
		if (x >= forced) {
			int to = next_changed(b, x, y, last);

			if (to > x && (to - x > JUMP_CELLS || b->x != x || b->y != y)) {
				x = to;
			}
		}
		if (x > last) {
			break;
		}
		if (x >= tail && last + 1 - x > 3) {
			erase_tail(b, x, y);
			break;
		}
		int until = put_cell(b, x, y);

		x += cell_at(b->g, x, y)->width == 2 ? 2 : 1;
		if (until > x) { /* a disputed glyph: its neighbours too, changed or not */
			forced = until < b->g->cols ? until : b->g->cols;
			last = forced - 1 > last ? forced - 1 : last;
		}
	}
	cell_row_copy(&b->p->shown, y, b->g, y);
}

/* ---- blocks that moved ---- */

/* A row that came in as the terminal has it: blank, on its own ground, which is not ours in every
 * theme. */
static void row_came(const struct paint *p, struct cell_grid *s, int y)
{
	struct cell *c = &s->cells[(size_t)y * (size_t)s->cols];

	cell_row_touch(s, y, 0, s->cols);
	cell_clear(c, (size_t)s->cols);
	for (int x = 0; theme_pen_of(p->theme, 0, 0, 0).bg != CELL_DEFAULT && x < s->cols; x++) {
		c[x].bg = CELL_BARE; /* as no cell of a grid is */
	}
}

static void scroll_block(struct brush *b, struct paint_move m)
{
	struct cell_grid *s = &b->p->shown;
	int step = m.by > 0 ? 1 : -1, y = m.by > 0 ? m.y : m.y + m.rows - 1; /* none is lost */
	int top = m.by > 0 ? m.y : m.y + m.by, n = m.rows + abs(m.by);
	int gap = m.by > 0 ? top + m.rows : top; /* where rows come in blank */

	set_pen(b, (struct theme_pen){ 0 });
	vy_buf_addf(b->out, "\033[%d;%dr\033[%d%c\033[r", top + 1, top + n, abs(m.by),
		m.by > 0 ? 'S' : 'T');
	b->x = -1; /* setting a region moves the cursor */
	for (int i = 0; i < m.rows; i++, y += step) {
		cell_row_copy(s, y, s, y + m.by);
	}
	for (int i = 0; i < abs(m.by); i++) {
		row_came(b->p, s, gap + i);
	}
}

/* Most rows are as they were, and most of those are known to be by their numbers: the others are
 * compared once, and not looked at again. */
static void paint_changes(struct brush *b)
{
	struct cell_grid *s = &b->p->shown;
	bool *differs = vy_calloc((size_t)s->rows, sizeof(*differs));
	struct paint_move m;

	int changed = paint_scroll_differs(s, b->g, differs);

	if (!b->p->caps.no_scroll && paint_scroll_find(s, b->g, changed, &m)) {
		scroll_block(b, m);
		paint_scroll_differs(s, b->g, differs);
	}
	for (int y = 0; y < s->rows; y++) {
		if (differs[y]) {
			paint_row(b, y);
		}
	}
	free(differs);
}

/* ---- the frame ---- */

static void place_cursor(struct brush *b, struct screen_cursor c)
{
	static const int shapes[] = {
		[SCREEN_CURSOR_BLOCK] = 2, [SCREEN_CURSOR_BAR] = 6, [SCREEN_CURSOR_UNDERLINE] = 4
	};

	if ((!b->p->is_known || c.shape != b->p->cursor.shape) && !b->p->caps.no_strings) {
		vy_buf_addf(b->out, "\033[%d q", shapes[c.shape]);
	}
	move_to(b, c.x, c.y);
}

static struct screen_cursor inside(struct screen_cursor c, const struct cell_grid *g)
{
	c.x = c.x < 0 ? 0 : c.x >= g->cols ? g->cols - 1 : c.x;
	c.y = c.y < 0 ? 0 : c.y >= g->rows ? g->rows - 1 : c.y;
	return c;
}

/* Wraps the body: begin, hidden cursor while much is drawn, body, cursor, end. */
static void emit(struct paint *p, struct screen_cursor c, struct vy_buf *out)
{
	bool was_visible = p->is_known && p->cursor.visible;
	bool hide = !p->is_known || (was_visible && (!c.visible || p->body.len > SHORT_BODY));

	if (p->body.len == 0 && c.visible == was_visible && p->is_known) {
		return;
	}
	vy_buf_adds(out, "\033[?2026h");
	vy_buf_adds(out, hide ? "\033[?25l" : "");
	vy_buf_addstr(out, vy_buf_str(&p->body));
	vy_buf_adds(out, c.visible && (hide || !was_visible) ? "\033[?25h" : "");
	vy_buf_adds(out, "\033[?2026l");
}

void paint_frame(
	struct paint *p, const struct cell_grid *g, struct screen_cursor c, struct vy_buf *out)
{
	if (g->cols < 1 || g->rows < 1) {
		return;
	}
	if (!p->shown.pool || p->shown.cols != g->cols || p->shown.rows != g->rows) {
		cell_grid_fini(&p->shown);
		cell_grid_init(&p->shown, g->pool, g->cols, g->rows);
		cell_grid_watch(&p->shown);
		p->is_known = false;
	}
	cell_grid_split(&p->shown, g->split);
	vy_buf_clear(&p->body);
	c = inside(c, g);
	struct brush b = { .p = p, .g = g, .out = &p->body, .x = p->cursor.x, .y = p->cursor.y };

	if (!p->is_known) {
		vy_buf_adds(&p->body, "\033[?7l\033[r\033[m\033[H\033[2J");
		b.x = -1;
		for (int y = 0; y < g->rows; y++) {
			paint_row(&b, y);
		}
	} else {
		paint_changes(&b);
	}
	set_link(&b, 0);
	set_pen(&b, (struct theme_pen){ 0 });
	place_cursor(&b, c);
	emit(p, c, out);
	p->cursor = c;
	p->is_known = true;
}
