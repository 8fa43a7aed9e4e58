/* composer.c -- see composer.h.
 *
 * A layout is the rows of the text as shared/text/wrap breaks them, made anew when it is asked
 * for: a message is short, and one of megabytes is chips. */
#include "tui/view/composer.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/text/wrap.h"
#include "tui/ink/theme.h"
#include "shared/base/ban.h"

#define PROMPT_CELLS 2 /* "> " */

struct layout {
	struct vy_str text; /* with the chips' labels in place of their marks */
	size_t *source;     /* per byte of text: the byte of the edit it stands for */
	struct vy_wrap_row *rows;
	size_t n;
	size_t cursor; /* in text */
	size_t row;    /* of the cursor */
	struct vy_wrap how;
};

void composer_init(struct composer *c)
{
	*c = (struct composer){ 0 };
	edit_init(&c->edit);
	vy_arena_init(&c->arena);
}

void composer_fini(struct composer *c)
{
	edit_fini(&c->edit);
	for (size_t i = 0; i < c->n_history; i++) {
		free(c->history[i]);
	}
	free(c->draft);
	vy_arena_fini(&c->arena);
	*c = (struct composer){ 0 };
}

/* ---- history ---- */

static void forget_oldest(struct composer *c)
{
	c->history_bytes -= strlen(c->history[0]);
	free(c->history[0]);
	c->n_history--;
	memmove(c->history, c->history + 1, c->n_history * sizeof(*c->history));
}

void composer_remember(struct composer *c, struct vy_str text)
{
	if (text.n == 0 || (c->n_history && vy_str_is(text, c->history[c->n_history - 1]))) {
		c->at = c->n_history;
		return;
	}
	while (c->n_history == COMPOSER_HISTORY ||
		(c->n_history && c->history_bytes + text.n > COMPOSER_HISTORY_BYTES)) {
		forget_oldest(c);
	}
	c->history[c->n_history] = vy_memdup0(text.p, text.n);
	c->history_bytes += strlen(c->history[c->n_history++]);
	c->at = c->n_history;
}

static bool is_blank(struct vy_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != ' ' && s.p[i] != '\n' && s.p[i] != '\t') {
			return false;
		}
	}
	return true;
}

char *composer_take(struct composer *c, size_t *len)
{
	struct vy_buf whole = VY_BUF_INIT(EDIT_MAX);

	if (is_blank(edit_text(&c->edit)) || !edit_whole(&c->edit, &whole)) {
		vy_buf_fini(&whole);
		return NULL;
	}
	composer_remember(c, vy_buf_str(&whole));
	free(c->draft);
	c->draft = NULL;
	edit_clear(&c->edit);
	c->top = 0;
	return vy_buf_take(&whole, len);
}

void composer_put(struct composer *c, struct vy_str text)
{
	edit_set(&c->edit, text);
	c->at = c->n_history;
}

static bool walk(struct composer *c, size_t to)
{
	if (to > c->n_history) {
		return false;
	}
	if (c->at == c->n_history) {
		struct vy_str now = edit_text(&c->edit);

		free(c->draft);
		c->draft = vy_memdup0(now.p, now.n);
	}
	edit_set(&c->edit, vy_str_c(to == c->n_history ? c->draft : c->history[to]));
	c->at = to;
	return true;
}

/* ---- layout ---- */

static void put_piece(struct layout *l, size_t *n, struct vy_str s, size_t at, size_t step)
{
	memcpy((char *)(uintptr_t)l->text.p + *n, s.p, s.n);
	for (size_t i = 0; i < s.n; i++) {
		l->source[*n + i] = at + (step ? i : 0);
	}
	*n += s.n;
}

static void lay_out(struct composer *c, int cols, struct vy_width width, struct layout *l)
{
	struct vy_str s = edit_text(&c->edit), label;
	size_t room = s.n + c->edit.n_chips * 64 + 2, n = 0;
	struct vy_wrap_row *rows;

	vy_arena_reset(&c->arena);
	*l = (struct layout){ 0 };
	l->text.p = vy_arena_alloc(&c->arena, room);
	l->source = vy_arena_calloc(&c->arena, room, sizeof(*l->source));
	for (size_t i = 0; i < s.n;) {
		size_t chip = (unsigned char)s.p[i] == 0xEF ? edit_chip_at(&c->edit, i, &label) : 0;

		if (i == c->edit.at) {
			l->cursor = n;
		}
		put_piece(l, &n, chip ? label : vy_str_n(s.p + i, 1), i, !chip);
		i += chip ? chip : 1;
	}
	if (c->edit.at >= s.n) {
		l->cursor = n;
	}
	l->source[n] = s.n;
	l->text.n = n;
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

int composer_rows(struct composer *c, int cols, struct vy_width width)
{
	struct layout l;

	lay_out(c, cols, width, &l);
	return l.n > 0 ? (int)l.n : 1;
}

/* Column of a byte in its row, as the eye sees it. */
static unsigned column_of(const struct layout *l, size_t row, size_t at)
{
	unsigned col = 0;

	if (row >= l->n) {
		return 0;
	}
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as above */
	for (size_t i = l->rows[row].start; i < at && i < l->rows[row].next;) {
		size_t next;

		col += vy_wrap_cells(&l->how, l->text, i, col, &next);
		i = next;
	}
	return col;
}

static size_t byte_at(const struct layout *l, size_t row, unsigned goal)
{
	const struct vy_wrap_row *r = &l->rows[row];
	size_t i = r->start;
	unsigned col = 0;

	while (i < r->end) {
		size_t next;
		unsigned cells = vy_wrap_cells(&l->how, l->text, i, col, &next);

		if (col + cells > goal) {
			break;
		}
		col += cells;
		i = next;
	}
	return i;
}

static void go_to_row(struct composer *c, const struct layout *l, size_t row)
{
	unsigned here = column_of(l, l->row, l->cursor);

	if (c->edit.goal == SIZE_MAX) {
		c->edit.goal = here;
	}
	edit_move_to(&c->edit, l->source[byte_at(l, row, (unsigned)c->edit.goal)]);
}

bool composer_up(struct composer *c, int cols, struct vy_width width)
{
	struct layout l;

	lay_out(c, cols, width, &l);
	if (l.row > 0) {
		go_to_row(c, &l, l.row - 1);
		return true;
	}
	return c->at > 0 && walk(c, c->at - 1);
}

bool composer_down(struct composer *c, int cols, struct vy_width width)
{
	struct layout l;

	lay_out(c, cols, width, &l);
	if (l.row + 1 < l.n) {
		go_to_row(c, &l, l.row + 1);
		return true;
	}
	return c->at < c->n_history && walk(c, c->at + 1);
}

/* ---- drawing ---- */

/* The bytes of a chip's label all stand for the same place. */
static bool is_chip(const struct layout *l, size_t i)
{
	return l->source[i] == l->source[i + 1] || (i > 0 && l->source[i] == l->source[i - 1]);
}

static void draw_row(struct cell_win w, int y, const struct layout *l, const struct vy_wrap_row *r)
{
	int x = (int)r->indent;

	for (size_t i = r->start; i < r->end;) {
		size_t next;
		unsigned cells = vy_wrap_cells(&l->how, l->text, i, (unsigned)x - r->indent, &next);

		if (l->text.p[i] != '\t' && l->text.p[i] != '\n') {
			VY_AUTO_BUF b = VY_BUF_INIT(VY_CLUSTER_MAX * 8);

			vy_utf8_visible(vy_str_n(l->text.p + i, next - i), VY_UTF8_LINE, &b);
			cell_put(w, x, y, vy_buf_str(&b),
				theme_ink(is_chip(l, i) ? THEME_ACCENT : THEME_TEXT));
		}
		x += (int)cells;
		i = next;
	}
}

void composer_draw(struct composer *c, struct cell_win w, const char *hint, int *x, int *y)
{
	struct layout l;
	struct cell_style prompt = { .fg = CELL_ROLE(THEME_ACCENT), .attrs = CELL_BOLD };
	struct cell_style dim = { .fg = CELL_ROLE(THEME_DIM) };
	size_t shown = w.h > 0 ? (size_t)w.h : 1;

	lay_out(c, w.w, cell_pool_width(w.grid->pool), &l);
	if (l.row < c->top) {
		c->top = l.row;
	}
	if (l.row >= c->top + shown) {
		c->top = l.row - shown + 1;
	}
	if (c->top + shown > l.n) {
		c->top = l.n > shown ? l.n - shown : 0;
	}
	cell_puts(w, 0, 0, c->top ? "⋮" : ">", prompt);
	if (edit_is_empty(&c->edit) && hint) {
		cell_puts(w, PROMPT_CELLS, 0, hint, dim);
	}
	for (size_t i = c->top; i < l.n && i < c->top + shown; i++) {
		draw_row(w, (int)(i - c->top), &l, &l.rows[i]);
	}
	*x = PROMPT_CELLS + (int)column_of(&l, l.row, l.cursor);
	*y = (int)(l.row - c->top);
	if (*x >= w.w) {
		*x = w.w - 1;
	}
}
