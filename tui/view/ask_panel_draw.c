/* ask_panel_draw.c -- how an ask looks: a box with what will happen, and the choices (tui.md 6).
 *
 * Both are sheets, laid out by the renderers of tui/block: a change as a diff, a plan as markdown,
 * a command as it is. What will happen is scrolled when there is too much of it, and how much is
 * out of sight is said; a rule that would be stored is shown whole, wrapped over rows. */
#include "tui/view/ask_panel.h"

#include <stdio.h>

#include "shared/text/utf8.h"
#include "shared/text/wrap.h"
#include "tui/block/shape.h"
#include "tui/view/turn.h"
#include "tui/view/ask_hints.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define EDGE       2  /* cells from the window's edge to the words */
#define GAP        3  /* between choices in a row */
#define MIN_DETAIL 24 /* cells beside a label, else its description is below */

/* A piece of a line, in the order it is seen; returns the x behind. */
static int put_piece(struct cell_win w, int x, struct vy_str text, int room, struct cell_style s,
	struct block_sheet *out)
{
	int end = shape_put(w, x, text, room, s, out);

	turn_piece(w, 0, x, end);
	return end;
}

static void turn_of(struct turn_text *t, struct vy_str text, struct block_sheet *out)
{
	turn_text(t, text, cell_pool_is_straight(out->grid.pool), &out->arena);
}

/* ---- what will happen ---- */

static void lay_out_above(struct ask_panel *p, int cols)
{
	struct block_sheet *out = &p->above;

	if (p->laid_cols == cols) {
		return; /* it may be long, and is the same at every key */
	}
	p->laid_cols = cols;
	block_sheet_reset(out, cols);
	if (p->form) {
		shape_words(p->body, THEME_TEXT, 0, 0, out);
	} else {
		shape_asked(&p->copy, 0, out);
	}
	shape_asked_facts(&p->copy, 0, out);
	ask_rules_draw(&p->rules, out);
}

/* ---- options: side by side where they fit ---- */

/* "2 Always: " and what follows it, as it is put. */
static int option_cells(const struct ask_choice *c, struct block_sheet *out)
{
	struct cell_pool *pool = out->grid.pool;
	int n = 2 + cell_width(pool, shape_safe(out, c->label, VY_UTF8_LINE));

	if (c->rule.n && memchr(c->rule.p, '\n', c->rule.n)) {
		return out->grid.cols + 1; /* several rules are read one below the other */
	}
	if (c->rule.n) {
		n += 2 + cell_width(pool, shape_safe(out, c->rule, VY_UTF8_LINE));
	}
	if (c->rule.n || c->has_table) {
		n += 1 + cell_width(pool, c->scope);
	}
	return n;
}

/* A rule is read before it is stored: it goes on below itself, whole. Returns the x behind. */
static int put_rule(const struct ask_choice *c, int x, struct block_sheet *out)
{
	struct vy_str rule = shape_safe(out, c->rule, VY_UTF8_KEEP_LF);
	int room = out->grid.cols - x, end = x;
	struct vy_wrap how = { .cells = (unsigned)(room > 1 ? room : 1),
		.width = cell_pool_width(out->grid.pool) };
	struct vy_wrap_row row = { 0 };
	struct turn_text turn;

	turn_of(&turn, rule, out);
	for (bool is_first = true; vy_wrap_next(&how, rule, &row); is_first = false) {
		if (!is_first) {
			block_lines(out, 1, 0);
		}
		end = x + turn_put(block_line(out, out->lines - 1), x, 0, &turn, row.start, row.end,
				  theme_ink(THEME_CODE));
	}
	if (end + 1 + cell_width(out->grid.pool, c->scope) > out->grid.cols) {
		block_lines(out, 1, 0);
		end = x - 1;
	}
	return put_piece(block_line(out, out->lines - 1), end + 1, c->scope,
		out->grid.cols - end - 1, theme_ink(THEME_DIM), out);
}

static int put_option(const struct ask_panel *p, int i, int x, struct block_sheet *out)
{
	const struct ask_choice *c = &p->choices[i];
	struct cell_win w = block_line(out, out->lines - 1);
	struct cell_style s = theme_ink(THEME_TEXT);
	char digit[16];

	if (p->is_focused && i == p->sel) {
		s = (struct cell_style){ .fg = CELL_ROLE(THEME_TEXT),
			.bg = CELL_ROLE(THEME_SELECT),
			.attrs = CELL_BOLD };
	}
	snprintf(digit, sizeof(digit), "%d", i + 1);
	x += cell_puts(w, x, 0, digit, theme_bold(THEME_ASK_KEY)) + 1;
	x = put_piece(w, x, c->label, w.w - x, s, out);
	if (c->rule.n) {
		x += cell_puts(w, x, 0, ": ", theme_ink(THEME_TEXT));
		x = put_rule(c, x, out);
	} else if (c->has_table) {
		x = put_piece(w, x + 1, c->scope, w.w - x - 1, theme_ink(THEME_DIM), out);
	}
	return x + GAP;
}

/* A choice whose rule took several rows has the last of them for itself. */
static void lay_out_options(struct ask_panel *p, struct block_sheet *out)
{
	int x = 0, row = 0;

	for (int i = 0; i < p->n_choices; i++) {
		bool is_alone = row < out->lines - 1;

		if (i == 0 || is_alone || x + option_cells(&p->choices[i], out) > out->grid.cols) {
			block_lines(out, 1, 0);
			x = 0;
		}
		row = out->lines - 1;
		out->at = (size_t)i;
		x = put_option(p, i, x, out);
	}
}

/* ---- the labels of a question: one below the other ---- */

static int widest_label(const struct ask_panel *p, struct block_sheet *out)
{
	int widest = 0;

	for (int i = 0; i < p->n_choices; i++) {
		int cells = cell_width(
			out->grid.pool, shape_safe(out, p->choices[i].label, VY_UTF8_LINE));

		widest = cells > widest ? cells : widest;
	}
	return widest;
}

static bool is_ticked(const struct ask_panel *p, int i)
{
	size_t q = p->form->question;

	return p->choices[i].says ? p->form->words[q] != NULL : p->form->ticked[q] >> i & 1u;
}

/* Cells left of a label: the cursor, a tick where there is one, the number. */
static int lead_cells(const struct ask_panel *p)
{
	bool has_ticks = p->is_multi || ask_form_has(p->form, p->form->question);

	return 3 + (has_ticks ? 2 : 0) + (p->n_choices > 9 ? 3 : 2);
}

static int put_label(const struct ask_panel *p, int i, struct cell_win w, struct cell_style s,
	struct block_sheet *out)
{
	int x = lead_cells(p);
	char digit[16];

	if (i == p->sel) {
		cell_puts(w, 1, 0, mark_of(out, MARK_NOW), s);
	}
	if (is_ticked(p, i)) {
		cell_puts(w, 3, 0, mark_of(out, MARK_TICKED), s);
	} else if (p->is_multi) {
		cell_puts(w, 3, 0, mark_of(out, MARK_OPEN), s);
	}
	snprintf(digit, sizeof(digit), "%d", i + 1);
	cell_puts_right(w, x - 1, 0, digit, s);
	return put_piece(w, x, p->choices[i].label, w.w - x, s, out);
}

static void put_choice(struct ask_panel *p, int i, int column, struct block_sheet *out)
{
	bool is_sel = i == p->sel, is_beside = out->grid.cols - column >= MIN_DETAIL;
	struct cell_style s = is_sel ? theme_bold(THEME_ASK_KEY) : theme_ink(THEME_TEXT);

	out->at = (size_t)i;

	struct cell_win w = block_lines(out, 1, 0);
	int from = out->lines - 1, end = put_label(p, i, w, s, out);
	struct vy_str detail = shape_safe(out, p->choices[i].detail, VY_UTF8_LINE);
	int x = is_beside ? column : lead_cells(p), room = out->grid.cols - x;
	struct vy_wrap how = { .cells = (unsigned)(room > 1 ? room : 1),
		.width = cell_pool_width(out->grid.pool) };
	struct vy_wrap_row row = { 0 };
	struct turn_text turn;

	turn_of(&turn, detail, out);
	for (int y = is_beside ? from : from + 1; detail.n && vy_wrap_next(&how, detail, &row);
		y++) {
		if (y == out->lines) {
			block_lines(out, 1, 0);
		}
		int last = x + turn_put(block_line(out, y), x, 0, &turn, row.start, row.end,
				       theme_ink(THEME_DIM));

		end = last > end ? last : end;
	}
	for (int y = from; is_sel && y < out->lines; y++) {
		cell_tint(block_line(out, y), (struct cell_rect){ 0, 0, end + 1, 1 },
			(struct cell_style){ .bg = CELL_ROLE(THEME_SELECT) });
	}
}

static void lay_out_form(struct ask_panel *p, struct block_sheet *out)
{
	int column = lead_cells(p) + widest_label(p, out) + 2;

	for (int i = 0; i < p->n_choices; i++) {
		put_choice(p, i, column, out);
	}
}

/* ---- folded ---- */

static void lay_out_folded(struct ask_panel *p, int cols)
{
	struct block_sheet *out = &p->below;

	block_sheet_reset(out, cols);

	struct cell_win w = block_lines(out, 1, 0);
	VY_AUTO_BUF hints = VY_BUF_INIT(256);

	ask_hints(p, w.grid->pool, w.w, &hints);
	int right = cell_puts_right(w, w.w - 1, 0, vy_buf_c(&hints), theme_ink(THEME_DIM)) - 2;
	int x = EDGE + 2;

	cell_puts(w, EDGE, 0, mark_of(out, MARK_ASK), theme_ink(THEME_ASK_BORDER));
	x = put_piece(w, x, p->head, right - x, theme_ink(THEME_TITLE), out);
	put_piece(w, x + 2, p->form ? p->body : p->copy.summary, right - x - 2,
		theme_ink(THEME_DIM), out);
}

/* ---- the panel ---- */

static int clamp(int n, int low, int high)
{
	return n > high ? high : n < low ? low : n;
}

/* A plan is prose, as the choices are: a line of nothing keeps them apart. */
static int gap_of(const struct ask_panel *p)
{
	return p->copy.kind == VY_ASK_PLAN;
}

int ask_panel_rows(struct ask_panel *p, struct cell_pool *pool, int cols, int max)
{
	int inner = cols - 2 * EDGE;

	if (!p->ask || max < 1) {
		return 0;
	}
	if (!p->has_sheets) {
		block_sheet_init(&p->above, pool);
		block_sheet_init(&p->below, pool);
		p->has_sheets = true;
	}
	if (p->above.is_plain != cell_pool_width(pool).ambiguous_wide) {
		p->above.is_plain = p->below.is_plain = cell_pool_width(pool).ambiguous_wide;
		p->laid_cols = 0;
	}
	if (p->is_folded) {
		lay_out_folded(p, cols);
		return 1;
	}
	lay_out_above(p, inner);
	block_sheet_reset(&p->below, inner);
	if (p->form) {
		lay_out_form(p, &p->below);
	} else {
		lay_out_options(p, &p->below);
	}
	return clamp(p->above.lines + gap_of(p) + p->below.lines + 2, 3, max);
}

static void draw_hints(const struct ask_panel *p, struct cell_win w)
{
	VY_AUTO_BUF text = VY_BUF_INIT(1024), hints = VY_BUF_INIT(1024);

	ask_hints(p, w.grid->pool, w.w - 2, &hints);
	if (hints.len) {
		vy_buf_addf(&text, " %s ", vy_buf_c(&hints));
		cell_put(w, 0, 0, vy_buf_str(&text), theme_ink(THEME_DIM));
	}
}

/* The box with its name, which of how many it is, and what is out of sight. */
static void draw_border(struct ask_panel *p, struct cell_win w, int hidden)
{
	struct cell_style border = theme_ink(THEME_ASK_BORDER);
	int x = EDGE, right = w.w - 2;
	char text[80] = "", key[KEY_NAME_MAX] = "";

	cell_box(w, (struct cell_rect){ 0, 0, w.w, w.h }, border);
	if (hidden > 0) {
		if (p->is_focused && p->keymap) {
			keymap_hint(p->keymap, ACTION_ASK_PAGE_DOWN, key);
		}
		snprintf(text, sizeof(text), words_count(" %d more row ", " %d more rows ", hidden),
			hidden);
		if (key[0]) {
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "(%s) ", key);
		}
		right = cell_puts_right(w, right, 0, text, theme_ink(THEME_WARN));
		text[0] = '\0';
	}
	if (p->n_questions > 1) {
		snprintf(text, sizeof(text), _("  %zu of %zu"), p->form->question + 1,
			p->n_questions);
	} else if (p->count > 1) {
		snprintf(text, sizeof(text), _("  ask %zu of %zu"), p->index + 1, p->count);
	}
	int room = right - x - 2 - cell_width(w.grid->pool, vy_str_c(text));

	x += cell_puts(w, x, 0, " ", border);
	x = put_piece(w, x, p->head, room, theme_bold(THEME_TITLE), &p->below);
	x += cell_puts(w, x, 0, text, border);
	cell_puts(w, x, 0, " ", border);
	draw_hints(p, cell_win_sub(w, (struct cell_rect){ EDGE, w.h - 1, w.w - 2 * EDGE, 1 }));
}

/* The rows of a sheet from `top` on, on the panel's ground where it has one; where they stand. */
static struct cell_win put_sheet(
	struct cell_win w, int y, int rows, struct block_sheet *s, int top, bool has_ground)
{
	if (has_ground) {
		cell_fill(w, (struct cell_rect){ 1, y, w.w - 2, rows },
			(struct cell_style){ .bg = CELL_ROLE(THEME_ASK_BODY) });
	}
	cell_blit(w, EDGE, y, &s->grid, (struct cell_rect){ 0, top, s->grid.cols, rows });
	return cell_win_sub(w, (struct cell_rect){ EDGE, y, w.w - EDGE, rows });
}

void ask_panel_draw(struct ask_panel *p, struct cell_win w)
{
	if (!p->ask || !p->has_sheets || w.h < 1) {
		return;
	}
	if (p->is_folded) {
		cell_blit(w, 0, 0, &p->below.grid, (struct cell_rect){ 0, 0, w.w, 1 });
		return;
	}
	/* the choices come first: one row of what will happen is kept beside them */
	int room = w.h - 2, below = clamp(p->below.lines, 0, room > 1 ? room - 1 : room);
	int gap = room - below > gap_of(p) ? gap_of(p) : 0;
	int above = clamp(p->above.lines, 0, room - below - gap);
	int sel = block_line_of(&p->below, (size_t)p->sel, 0);

	p->scroll = clamp(p->scroll, 0, p->above.lines - above);
	draw_border(p, w, p->above.lines - above - p->scroll);
	struct cell_win text =
		put_sheet(w, 1, above, &p->above, p->scroll, p->copy.kind == VY_ASK_PERMISSION);

	for (int y = 0; y < above && !cell_pool_is_straight(w.grid->pool); y++) {
		turn_line(text, y, &p->above, p->scroll + y);
	}
	put_sheet(w, 1 + above + gap, below, &p->below, clamp(sel - below + 1, 0, p->below.lines),
		false);
}
