/* composer_draw.c -- the composer's rows (composer.h).
 *
 * A layout is the rows of the lines round the cursor as shared/text/wrap breaks them, made anew
 * when it is asked for: so many lines each way as could be in sight, whatever stands beyond. */
#include "tui/view/composer.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/text/wrap.h"
#include "tui/ink/theme.h"
#include "tui/view/turn.h"
#include "shared/base/ban.h"

#define PROMPT_CELLS 2 /* "> " */
#define LABEL_ROOM   64
#define WORD_MAX     4096

struct layout {
	struct vy_str text; /* with the chips' labels in place of their marks */
	size_t *source;     /* per byte of text: the byte of the edit it stands for */
	struct vy_wrap_row *rows;
	size_t n;
	size_t cursor; /* in text */
	size_t row;    /* of the cursor */
	bool is_from_start, is_straight;
	struct turn_text para; /* the paragraph asked for last, from byte para_from of text on */
	size_t para_from, para_to;
	struct vy_arena *arena;
	size_t selected, selected_to; /* bytes of the edit; equal: nothing is */
	struct vy_wrap how;
};

/* ---- layout ---- */

/* The start of the line so many lines above the one `at` is in. */
static size_t lines_up(struct vy_str s, size_t at, size_t lines)
{
	for (;;) {
		const char *nl = at ? memrchr(s.p, '\n', at) : NULL;

		if (!nl || lines-- == 0) {
			return nl ? (size_t)(nl - s.p) + 1 : 0;
		}
		at = (size_t)(nl - s.p);
	}
}

/* The end of the line so many lines below. */
static size_t lines_down(struct vy_str s, size_t at, size_t lines)
{
	for (;;) {
		const char *nl = at < s.n ? memchr(s.p + at, '\n', s.n - at) : NULL;

		if (!nl || lines-- == 0) {
			return nl ? (size_t)(nl - s.p) : s.n;
		}
		at = (size_t)(nl - s.p) + 1;
	}
}

static void put_piece(struct layout *l, size_t *n, struct vy_str s, size_t at, size_t step)
{
	memcpy((char *)(uintptr_t)l->text.p + *n, s.p, s.n);
	for (size_t i = 0; i < s.n; i++) {
		l->source[*n + i] = at + (step ? i : 0);
	}
	*n += s.n;
}

/* The text between two places, chips as their labels. */
static void put_text(const struct composer *c, size_t from, size_t to, struct layout *l)
{
	struct vy_str s = edit_text(&c->edit), label;
	size_t n = 0;

	for (size_t i = from; i < to;) {
		size_t chip = (unsigned char)s.p[i] == 0xEF ? edit_chip_at(&c->edit, i, &label) : 0;

		if (i == c->edit.at) {
			l->cursor = n;
		}
		put_piece(l, &n, chip ? label : vy_str_n(s.p + i, 1), i, !chip);
		i += chip ? chip : 1;
	}
	if (c->edit.at >= to) {
		l->cursor = n;
	}
	l->source[n] = to;
	l->text.n = n;
}

/* A chip may stand in a text more than once. */
static size_t chips_in(const struct edit *e, size_t from, size_t to)
{
	struct vy_str s = edit_text(e);
	size_t n = 0;

	for (size_t i = from; e->n_chips && i < to; i++) {
		n += (unsigned char)s.p[i] == 0xEF && edit_chip_at(e, i, NULL) > 0;
	}
	return n;
}

static void lay_out(
	struct composer *c, int cols, struct vy_width width, size_t lines, struct layout *l)
{
	struct vy_str s = edit_text(&c->edit);
	size_t from = lines_up(s, c->edit.at, lines), to = lines_down(s, c->edit.at, lines);
	size_t room = to - from + chips_in(&c->edit, from, to) * LABEL_ROOM + 2;
	struct vy_wrap_row *rows;

	vy_arena_reset(&c->arena);
	*l = (struct layout){ .is_from_start = from == 0,
		.is_straight = c->is_straight,
		.para_from = SIZE_MAX,
		.arena = &c->arena };
	l->text.p = vy_arena_alloc(&c->arena, room);
	l->source = vy_arena_calloc(&c->arena, room, sizeof(*l->source));
	put_text(c, from, to, l);
	/* the last column is the cursor's, when it stands behind a full row */
	l->how = (struct vy_wrap){ .cells = (unsigned)(cols > 5 ? cols - 1 : 4),
		.first = PROMPT_CELLS,
		.rest = PROMPT_CELLS,
		.width = width };
	l->n = vy_wrap_all(&l->how, l->text, &c->arena, &rows);
	l->rows = rows;
	for (size_t i = 0; i < l->n; i++) {
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): vy_wrap_all() set n and rows */
		if (l->rows[i].start <= l->cursor) {
			l->row = i;
		}
	}
}

int composer_rows(struct composer *c, int cols, struct vy_width width, int most)
{
	struct layout l;

	most = most > 1 ? most : 1;
	lay_out(c, cols, width, (size_t)most, &l);
	return l.n == 0 ? 1 : l.n < (size_t)most ? (int)l.n : most;
}

/* ---- moving ---- */

/* A glyph of a row as the eye sees it; x counts from the row's indent. */
struct glyph {
	size_t at, next; /* in text */
	unsigned x, cells;
	bool is_turned;
};

/* The paragraph of a row, looked at as a whole. */
static const struct turn_text *para_of(struct layout *l, const struct vy_wrap_row *r)
{
	if (l->para_from == SIZE_MAX || r->start < l->para_from || r->start > l->para_to) {
		size_t from = lines_up(l->text, r->start, 0);

		l->para_from = from;
		l->para_to = lines_down(l->text, r->start, 0);
		turn_text(&l->para, vy_str_n(l->text.p + from, l->para_to - from), l->is_straight,
			l->arena);
	}
	return &l->para;
}

/* The row's glyphs, from the left; in *is_rtl the direction of its paragraph. */
static size_t glyphs_of(struct layout *l, size_t row, struct glyph **out, bool *is_rtl)
{
	const struct vy_wrap_row *r = &l->rows[row];
	const struct turn_text *para = para_of(l, r);
	struct turn_glyph *seen;
	size_t from = l->para_from;
	size_t n = turn_row(para, r->start - from, r->end - from, l->arena, &seen);
	unsigned col = 0;

	*is_rtl = para->is_rtl;
	*out = vy_arena_calloc(l->arena, n + 1, sizeof(**out));
	for (size_t i = 0; i < n; i++) {
		size_t at = from + seen[i].at, next;
		unsigned cells = vy_wrap_cells(&l->how, l->text, at, col, &next);

		(*out)[i] = (struct glyph){ at, next, col, cells, seen[i].is_turned };
		col += cells;
	}
	return n;
}

/* Where in its row something would be written at this byte: at the left of what runs to the right,
 * at the right of what runs to the left, at the row's end where its paragraph goes on. */
static unsigned column_in(const struct glyph *g, size_t n, bool is_rtl, size_t at, bool is_on_glyph)
{
	for (size_t i = 0; i < n; i++) {
		if (g[i].at <= at && at < g[i].next) {
			return g[i].is_turned && !is_on_glyph ? g[i].x + g[i].cells : g[i].x;
		}
	}
	return is_rtl || n == 0 ? 0 : g[n - 1].x + g[n - 1].cells;
}

static unsigned column_of(struct layout *l, size_t row, size_t at, bool is_on_glyph)
{
	struct glyph *g;
	bool is_rtl;

	if (row >= l->n) {
		return 0;
	}
	size_t n = glyphs_of(l, row, &g, &is_rtl);

	return column_in(g, n, is_rtl, at, is_on_glyph);
}

/* The place whose column is the wanted one, or the nearest to its left. */
static size_t byte_at(struct layout *l, size_t row, unsigned goal)
{
	struct glyph *g;
	bool is_rtl;
	size_t n = glyphs_of(l, row, &g, &is_rtl), best = l->rows[row].end;
	unsigned col = column_in(g, n, is_rtl, best, false);
	bool has_best = col <= goal;

	for (size_t i = 0; i < n; i++) {
		unsigned x = column_in(g, n, is_rtl, g[i].at, false);

		if (x <= goal && (!has_best || x > col)) {
			best = g[i].at;
			col = x;
			has_best = true;
		}
	}
	return has_best ? best : l->rows[row].start;
}

static void go_to_row(struct composer *c, struct layout *l, size_t row)
{
	unsigned here = column_of(l, l->row, l->cursor, false);

	if (c->edit.goal == SIZE_MAX) {
		c->edit.goal = here;
	}
	edit_move_to(&c->edit, l->source[byte_at(l, row, (unsigned)c->edit.goal)]);
}

bool composer_up(struct composer *c, int cols, struct vy_width width)
{
	struct layout l;

	lay_out(c, cols, width, 1, &l);
	if (l.row > 0) {
		go_to_row(c, &l, l.row - 1);
		return true;
	}
	return composer_back(c);
}

bool composer_down(struct composer *c, int cols, struct vy_width width)
{
	struct layout l;

	lay_out(c, cols, width, 1, &l);
	if (l.row + 1 < l.n) {
		go_to_row(c, &l, l.row + 1);
		return true;
	}
	return composer_forth(c);
}

/* ---- drawing ---- */

/* The bytes of a chip's label all stand for the same place. */
static bool is_chip(const struct layout *l, size_t i)
{
	return l->source[i] == l->source[i + 1] || (i > 0 && l->source[i] == l->source[i - 1]);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

/* "@path": a word of its own with something behind the sign. */
static bool is_mention(const struct layout *l, size_t i)
{
	size_t start = i, least = i > WORD_MAX ? i - WORD_MAX : 0;

	while (start > least && !is_space(l->text.p[start - 1])) {
		start--;
	}
	return l->text.p[start] == '@' && start + 1 < l->text.n &&
	       !is_space(l->text.p[start + 1]) && !is_space(l->text.p[i]);
}

static enum theme_role role_of(enum composer_kind kind)
{
	switch (kind) {
	case COMPOSER_SHELL: return THEME_WARN;
	case COMPOSER_QUEUE: return THEME_QUEUE;
	case COMPOSER_MEMORY:
	case COMPOSER_COMMAND:
	case COMPOSER_MESSAGE:
	default: return THEME_ACCENT;
	}
}

/* What stands in front says what enter does. */
static const char *mark_of(enum composer_kind kind)
{
	switch (kind) {
	case COMPOSER_SHELL: return "$";
	case COMPOSER_QUEUE: return "⧗";
	case COMPOSER_MEMORY: return "+";
	case COMPOSER_COMMAND:
	case COMPOSER_MESSAGE:
	default: return ">";
	}
}

/* The first word of a command, and the sign that makes the text what it is. */
static bool is_sign(const struct layout *l, size_t i, enum composer_kind kind)
{
	if (kind == COMPOSER_MESSAGE || !l->is_from_start) {
		return false;
	}
	if (kind != COMPOSER_COMMAND) {
		return i == 0;
	}
	for (size_t k = 0; k <= i; k++) {
		if (k > WORD_MAX || is_space(l->text.p[k])) {
			return false;
		}
	}
	return true;
}

static struct cell_style style_of(const struct layout *l, size_t i, enum composer_kind kind)
{
	if (is_sign(l, i, kind)) {
		return theme_bold(role_of(kind));
	}
	return theme_ink(is_chip(l, i) || is_mention(l, i) ? THEME_ACCENT : THEME_TEXT);
}

static bool is_selected(const struct layout *l, size_t i)
{
	return l->source[i] >= l->selected && l->source[i] < l->selected_to;
}

static void draw_glyph(struct cell_win w, int x, int y, struct layout *l, const struct glyph *g,
	struct cell_style style)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_CLUSTER_MAX * 8);
	struct turn_glyph one = { g->at - l->para_from, g->next - l->para_from, g->is_turned };
	char own[4];

	vy_utf8_visible(turn_shown(&l->para, &one, own), VY_UTF8_LINE, &b);
	cell_put(w, x, y, vy_buf_str(&b), style);
}

static void draw_row(
	struct cell_win w, int y, struct layout *l, size_t row, enum composer_kind kind)
{
	const struct vy_wrap_row *r = &l->rows[row];
	const struct cell_style chosen = { .bg = CELL_ROLE(THEME_SELECT) };
	struct glyph *g;
	bool is_rtl;
	size_t n = glyphs_of(l, row, &g, &is_rtl);

	for (size_t i = 0; i < n; i++) {
		int x = (int)(r->indent + g[i].x);
		char c = l->text.p[g[i].at];

		if (c != '\t' && c != '\n') {
			draw_glyph(w, x, y, l, &g[i], style_of(l, g[i].at, kind));
		}
		if (is_selected(l, g[i].at)) {
			cell_tint(w, (struct cell_rect){ x, y, (int)g[i].cells, 1 }, chosen);
		}
	}
	if (r->is_hard && r->end < l->text.n && is_selected(l, r->end)) { /* the line's end, too */
		int x = (int)(r->indent + column_in(g, n, false, r->end, false));

		cell_tint(w, (struct cell_rect){ x, y, 1, 1 }, chosen);
	}
}

/* The first row to show: where it was, moved as little as the cursor and the end allow. */
static size_t top_row(const struct composer *c, const struct layout *l, size_t shown)
{
	size_t top = 0;

	while (top + 1 < l->n && l->source[l->rows[top + 1].start] <= c->top) {
		top++;
	}
	if (l->row < top) {
		top = l->row;
	}
	if (l->row >= top + shown) {
		top = l->row - shown + 1;
	}
	if (top + shown > l->n) {
		top = l->n > shown ? l->n - shown : 0;
	}
	return top;
}

void composer_draw(struct composer *c, struct cell_win w, const char *hint, enum composer_kind kind,
	int *x, int *y)
{
	struct layout l;
	size_t shown = w.h > 0 ? (size_t)w.h : 1;

	c->is_straight = cell_pool_is_straight(w.grid->pool);
	lay_out(c, w.w, cell_pool_width(w.grid->pool), shown, &l);
	if (c->is_vim) {
		edit_vim_selected(&c->vim, &c->edit, &l.selected, &l.selected_to);
	}
	size_t top = top_row(c, &l, shown);

	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): vy_wrap_all() gives a row at least */
	c->top = l.source[l.rows[top].start];
	cell_puts(
		w, 0, 0, top || !l.is_from_start ? "⋮" : mark_of(kind), theme_bold(role_of(kind)));
	if (edit_is_empty(&c->edit) && hint) {
		VY_AUTO_BUF cut = VY_BUF_INIT(4096);

		vy_width_ellipsis(vy_str_c(hint), (size_t)(w.w - PROMPT_CELLS),
			cell_pool_width(w.grid->pool), &cut);
		cell_put(w, PROMPT_CELLS, 0, vy_buf_str(&cut), theme_ink(THEME_DIM));
	}
	for (size_t i = top; i < l.n && i < top + shown; i++) {
		draw_row(w, (int)(i - top), &l, i, kind);
	}
	/* a block lies on a glyph, a bar stands where the next one would come */
	*x = PROMPT_CELLS +
	     (int)column_of(&l, l.row, l.cursor, c->is_vim && c->vim.mode != EDIT_VIM_INSERT);
	*y = (int)(l.row - top);
	if (*x >= w.w) {
		*x = w.w - 1;
	}
}
