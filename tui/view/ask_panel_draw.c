/* ask_panel_draw.c -- how an ask looks: a box with what will happen, and the choices (tui.md 6).
 *
 * What will happen is drawn in the words it came in: a diff line is coloured by its first
 * character, everything else is text. Rows are wrapped, and scrolled when there are too many. */
#include "tui/view/ask_panel.h"

#include <stdio.h>

#include "shared/text/utf8.h"
#include "shared/text/wrap.h"
#include "tui/ink/theme.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define BODY_SHARE 2 /* of the height: one half is what will happen */

static struct vy_str shown(struct ask_panel *p, struct vy_str s, unsigned keep)
{
	struct vy_buf b = VY_BUF_INIT(64 * 1024);

	vy_utf8_visible(s, keep, &b);
	struct vy_str out = vy_arena_str(&p->arena, vy_buf_str(&b));

	vy_buf_fini(&b);
	return out;
}

/* ---- what will happen ---- */

static size_t body_rows(struct ask_panel *p, int cols, struct vy_width width,
	struct vy_wrap_row **rows, struct vy_str *text)
{
	struct vy_wrap how = { .cells = (unsigned)(cols > 6 ? cols - 4 : 2),
		.width = width,
		.verbatim = p->copy.kind == VY_ASK_PERMISSION };

	*text = shown(p, p->body, VY_UTF8_PROSE);
	return vy_wrap_all(&how, *text, &p->arena, rows);
}

static struct cell_style line_style(const struct ask_panel *p, struct vy_str line)
{
	bool is_diff = vy_str_is(p->copy.tool, "Edit") || vy_str_is(p->copy.tool, "Write");

	if (is_diff && line.n && line.p[0] == '+') {
		return (struct cell_style){ CELL_ROLE(THEME_DIFF_ADD), CELL_ROLE(THEME_DIFF_ADD), 0,
			0 };
	}
	if (is_diff && line.n && line.p[0] == '-') {
		return (struct cell_style){ CELL_ROLE(THEME_DIFF_DEL), CELL_ROLE(THEME_DIFF_DEL), 0,
			0 };
	}
	return (struct cell_style){ .fg = CELL_ROLE(THEME_ASK_BODY), .attrs = CELL_BOLD };
}

static int draw_body(struct ask_panel *p, struct cell_win w, int y, int room)
{
	struct vy_wrap_row *rows;
	struct vy_str text;
	int n = (int)body_rows(p, w.w, cell_pool_width(w.grid->pool), &rows, &text);
	int most = n > room ? n - room : 0;

	p->scroll = p->scroll > most ? most : p->scroll;
	for (int i = 0; i < room && i + p->scroll < n; i++) {
		const struct vy_wrap_row *r = &rows[i + p->scroll];
		struct vy_str line = vy_str_n(text.p + r->start, r->end - r->start);
		struct cell_style s = line_style(p, line);
		struct cell_rect ground = { 1, y + i, w.w - 2, 1 };

		cell_fill(w, ground,
			(struct cell_style){ .fg = CELL_ROLE(THEME_ASK_BODY),
				.bg = s.bg ? s.bg : CELL_ROLE(THEME_ASK_BODY) });
		cell_put(w, 2, y + i, line, s);
	}
	if (most > p->scroll) {
		char more[48];

		snprintf(more, sizeof(more), _(" … %d more rows (pgdn) "), most - p->scroll);
		cell_puts_right(w, w.w - 2, y + room - 1, more, theme_ink(THEME_DIM));
	}
	return n < room ? n : room;
}

/* ---- choices ---- */

static int choice_cells(const struct ask_choice *c, struct cell_win w)
{
	struct cell_pool *pool = w.grid->pool;

	return 2 + cell_width(pool, c->label) +
	       (c->detail.n ? 2 + cell_width(pool, c->detail) : 0) + +3;
}

/* A rule may be long: what does not fit before the border ends in "…". */
static int put_rule(struct cell_win w, int x, int y, struct vy_str rule)
{
	VY_AUTO_BUF cut = VY_BUF_INIT(16384);
	int room = w.w - 2 - x;

	if (room > 0) {
		vy_width_ellipsis(rule, (size_t)room, cell_pool_width(w.grid->pool), &cut);
		x += cell_put(w, x, y, vy_buf_str(&cut), theme_ink(THEME_CODE));
	}
	return x;
}

static int draw_choice(const struct ask_panel *p, struct cell_win w, int x, int y, int i)
{
	const struct ask_choice *c = &p->choices[i];
	struct cell_style key = { .fg = CELL_ROLE(THEME_ASK_KEY), .attrs = CELL_BOLD };
	struct cell_style text = theme_ink(THEME_TEXT);
	char digit[12];

	if (p->is_focused && i == p->sel) {
		text.attrs |= CELL_BOLD | CELL_UNDERLINE;
	}
	snprintf(digit, sizeof(digit), "%d", i + 1);
	x += cell_puts(w, x, y, digit, key) + 1;
	x += cell_put(w, x, y, c->label, text);
	if (c->detail.n) {
		x += cell_puts(w, x, y, ": ", text);
		x = put_rule(w, x, y, c->detail);
	}
	return x + 3;
}

/* Options side by side where they fit, else one a row. */
static int draw_options(struct ask_panel *p, struct cell_win w, int y)
{
	int x = 2;

	for (int i = 0; i < p->n_choices; i++) {
		if (x > 2 && x + choice_cells(&p->choices[i], w) > w.w - 2) {
			x = 2;
			y++;
		}
		x = draw_choice(p, w, x, y, i);
	}
	return y + 1;
}

static int option_rows(const struct ask_panel *p, struct cell_win w)
{
	int x = 2, rows = 1;

	for (int i = 0; i < p->n_choices; i++) {
		int cells = choice_cells(&p->choices[i], w);

		if (x > 2 && x + cells > w.w - 2) {
			x = 2;
			rows++;
		}
		x += cells;
	}
	return p->n_choices ? rows : 0;
}

static int draw_form(struct ask_panel *p, struct cell_win w, int y)
{
	int widest = 0;

	for (int i = 0; i < p->n_choices; i++) {
		int cells = cell_width(w.grid->pool, p->choices[i].label);

		widest = cells > widest ? cells : widest;
	}
	for (int i = 0; i < p->n_choices; i++, y++) {
		const struct ask_choice *c = &p->choices[i];
		bool is_sel = i == p->sel, is_ticked = p->ticked[p->question] & (1u << i);
		struct cell_style s = { .fg = CELL_ROLE(is_sel ? THEME_ASK_KEY : THEME_TEXT),
			.attrs = is_sel ? CELL_BOLD : 0 };
		char lead[32];

		if (is_sel) {
			struct cell_rect bar = { 1, y, w.w - 2, 1 };

			cell_fill(w, bar, (struct cell_style){ .bg = CELL_ROLE(THEME_SELECT) });
		}
		snprintf(lead, sizeof(lead), "%s %s%d ", is_sel ? "▸" : " ",
			p->is_multi ? (is_ticked ? "☑ " : "☐ ") : "", i + 1);
		int x = 2 + cell_puts(w, 2, y, lead, s);

		cell_put(w, x, y, c->label, s);
		cell_put(w, x + widest + 2, y, c->detail, theme_ink(THEME_DIM));
	}
	return y;
}

/* ---- the panel ---- */

int ask_panel_rows(struct ask_panel *p, int cols, int max, struct vy_width width)
{
	struct cell_pool *pool;
	struct cell_grid g;
	struct vy_wrap_row *rows;
	struct vy_str text;

	if (!p->ask) {
		return 0;
	}
	if (p->is_folded) {
		return 1;
	}
	pool = cell_pool_new(width);
	cell_grid_init(&g, pool, cols > 0 ? cols : 1, 1);
	int below = p->n_questions ? p->n_choices : option_rows(p, cell_win_all(&g));
	int body = (int)body_rows(p, cols, width, &rows, &text);

	cell_grid_fini(&g);
	cell_pool_free(pool);
	if (body > max / BODY_SHARE && body + below + 2 > max) {
		body = max - below - 2;
	}
	return body < 1 ? below + 3 : body + below + 2;
}

static void draw_title(struct ask_panel *p, struct cell_win w)
{
	char count[48] = "";
	int x = 2;

	cell_puts(w, x, 0, " ", theme_ink(THEME_ASK_BORDER));
	x += 1 + cell_put(w, x + 1, 0, shown(p, p->head, VY_UTF8_LINE),
			 (struct cell_style){ .fg = CELL_ROLE(THEME_TITLE), .attrs = CELL_BOLD });
	if (p->n_questions > 1) {
		snprintf(count, sizeof(count), _("  %zu of %zu"), p->question + 1, p->n_questions);
	} else if (p->count > 1) {
		snprintf(count, sizeof(count), _("  ask %zu of %zu"), p->index + 1, p->count);
	}
	x += cell_puts(w, x, 0, count, theme_ink(THEME_ASK_BORDER));
	cell_puts(w, x, 0, " ", theme_ink(THEME_ASK_BORDER));
}

static void draw_folded(const struct ask_panel *p, struct cell_win w)
{
	int x = cell_puts(w, 2, 0, "◐ ", theme_ink(THEME_ASK_BORDER)) + 2;

	x += cell_put(w, x, 0, p->head, (struct cell_style){ .fg = CELL_ROLE(THEME_TITLE) });
	x += cell_puts(w, x, 0, "  ", theme_ink(THEME_DIM));
	cell_put(w, x, 0, p->copy.summary, theme_ink(THEME_DIM));
	cell_puts_right(w, w.w - 1, 0, _("tab to answer"), theme_ink(THEME_DIM));
}

void ask_panel_draw(struct ask_panel *p, struct cell_win w)
{
	struct cell_rect all = { 0, 0, w.w, w.h };

	if (!p->ask || w.h < 1) {
		return;
	}
	if (p->is_folded) {
		draw_folded(p, w);
		return;
	}
	cell_box(w, all, theme_ink(THEME_ASK_BORDER));
	draw_title(p, w);
	int below = p->n_questions ? p->n_choices : option_rows(p, w);
	int room = w.h - 2 - below, y = 1;

	if (room > 0) {
		y += draw_body(p, w, y, room);
	}
	if (p->n_questions) {
		draw_form(p, w, y);
	} else {
		draw_options(p, w, y);
	}
	if (p->is_focused) {
		cell_puts(w, 2, w.h - 1,
			p->n_questions ? _(" enter choose   s skip   l later   esc fold ")
				       : _(" y yes   n no   l later   esc fold "),
			theme_ink(THEME_DIM));
	} else {
		cell_puts(w, 2, w.h - 1, _(" tab to answer "), theme_ink(THEME_DIM));
	}
}
