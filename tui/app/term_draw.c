/* term_draw.c -- where the pane stands, and how it looks (term.h): a title row with the tabs, below it
 * the terminal; beside the chat there is an edge between them. */
#include <stdio.h>
#include <string.h>

#include "tui/app/hint.h"
#include "tui/app/look.h"
#include "tui/app/state.h"
#include "tui/app/term.h"
#include "tui/ink/theme.h"
#include "tui/view/turn.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define CHAT_ROWS_LEAST 7 /* words, the composer, and room to breathe */
#define PANE_ROWS_LEAST 5 /* the title among them */
#define CHAT_COLS_LEAST 40
#define PANE_COLS_LEAST 30
#define TAB_MOST        24 /* cells of a tab's name */
#define TAB_LEAST       6
#define QUIET_MS        2000

/* ---- where ---- */

static int within(int n, int least, int most)
{
	n = n > most ? most : n;
	return n < least ? least : n;
}

struct term_split term_split(const struct app_state *s, int w, int h)
{
	const struct terms *t = &s->terms;
	struct cell_rect all = { 0, 0, w, h };
	struct term_split split = { .chat = all, .layout = t->layout };

	if (!t->is_shown) {
		return split;
	}
	if (t->is_alone) {
		split.layout = TERM_FULL;
	}
	if (split.layout == TERM_BESIDE && w < CHAT_COLS_LEAST + PANE_COLS_LEAST) {
		split.layout = TERM_BELOW;
	}
	if (split.layout == TERM_BELOW && h < CHAT_ROWS_LEAST + PANE_ROWS_LEAST) {
		split.layout = TERM_FULL;
	}
	if (split.layout == TERM_BESIDE) {
		int cols = within(w * t->beside / 100, PANE_COLS_LEAST, w - CHAT_COLS_LEAST);

		split.chat.w = w - cols;
		split.pane = (struct cell_rect){ w - cols, 0, cols, h };
	} else if (split.layout == TERM_BELOW) {
		int rows = within(h * t->below / 100, PANE_ROWS_LEAST, h - CHAT_ROWS_LEAST);

		split.chat.h = h - rows;
		split.pane = (struct cell_rect){ 0, h - rows, w, rows };
	} else if (s->focus == APP_TERM) {
		split.chat = (struct cell_rect){ 0 };
		split.pane = all;
	}
	return split;
}

/* Without the title row and the edge. */
static struct cell_rect inside(const struct app_state *s, struct cell_rect pane, int layout)
{
	int edge = layout == TERM_BESIDE;

	if (s->terms.is_alone) {
		return pane;
	}

	return (struct cell_rect){ pane.x + edge, pane.y + 1, pane.w - edge, pane.h - 1 };
}

void term_room(const struct app_state *s, int *cols, int *rows)
{
	const struct terms *t = &s->terms;
	int w = t->whole_w ? t->whole_w : 80, h = t->whole_h ? t->whole_h : 22;
	struct term_split split = term_split(s, w, h);
	struct cell_rect in = inside(
		s, split.pane.w ? split.pane : (struct cell_rect){ 0, 0, w, h }, split.layout);

	*cols = in.w > 0 ? in.w : 1;
	*rows = in.h > 0 ? in.h : 1;
}

/* ---- the title row ---- */

static void name_of(const struct term_tab *tab, struct vy_buf *out)
{
	struct vy_str title = pane_title(tab->pane);

	if (title.n) {
		vy_buf_addstr(out, title);
	} else {
		vy_buf_adds(out, _("terminal"));
	}
}

/* What is wrong or strange, in a word or two; false: nothing is. */
static bool say_state(const struct app_state *s, const struct term_tab *tab, struct vy_buf *out)
{
	int cols, rows, behind = pane_behind(tab->pane);
	int64_t down = tab->down_since_ms < 0 ? 0 : s->now_ms - tab->down_since_ms;

	pane_size(tab->pane, &cols, &rows);
	if (tab->line == TERM_LINK_OVER || tab->line == TERM_LINK_GONE) {
		vy_buf_adds(out, _("ended"));
	} else if (tab->wants_close || tab->closes) {
		vy_buf_adds(out, tab->first ? "" : tab->wants_close ? _("closing") : "");
	} else if (tab->line == TERM_LINK_DOWN && tab->is_known && down >= QUIET_MS) {
		vy_buf_adds(out, s->line == APP_ENDED ? _("○ the server was ended; a key starts it")
						      : _("◌ reconnecting"));
	} else if (tab->viewer.is_open && !tab->viewer.has_keys) {
		vy_buf_adds(out, _("another viewer types"));
	} else if (behind > 0) {
		vy_buf_addf(out, words_count("↓ %d line", "↓ %d lines", (unsigned)behind), behind);
	} else if (tab->viewer.is_open && (cols != s->terms.body.w || rows != s->terms.body.h) &&
		   tab->is_known) {
		vy_buf_addf(out, "%d×%d", cols, rows);
	}
	return out->len > 0;
}

static void draw_tabs(struct app_state *s, struct cell_win w, int x, int right)
{
	struct terms *t = &s->terms;
	int share = t->n ? (right - x) / (int)t->n - 4 : 0;

	share = within(share, TAB_LEAST, TAB_MOST);
	for (size_t i = 0; i < t->n; i++) {
		const struct term_tab *tab = t->tabs[i];
		bool is_now = i == t->at, has_keys = is_now && s->focus == APP_TERM;
		struct cell_style style = has_keys ? theme_bold(THEME_ACCENT)
					  : is_now ? theme_bold(THEME_TEXT)
						   : theme_ink(THEME_DIM);
		VY_AUTO_BUF name = VY_BUF_INIT(2048);
		char number[40];

		t->tab_x[i] = w.x + x;
		t->tab_x[i + 1] = w.x + x;
		if (x + TAB_LEAST > right) {
			continue;
		}
		snprintf(number, sizeof(number), " %zu%s ", i + 1,
			tab->has_news && !is_now ? "•" : "");
		x += cell_puts(w, x, 0, number, style);
		name_of(tab, &name);
		x += look_line(w, x, 0, vy_buf_str(&name),
			share < right - x - 1 ? share : right - x - 1, style);
		x += cell_puts(w, x, 0, " ", style);
		t->tab_x[i + 1] = w.x + x;
		x++;
	}
}

static void draw_title(struct app_state *s, struct cell_win w)
{
	const struct term_tab *tab = terms_now(&s->terms);
	struct cell_style line = theme_ink(s->focus == APP_TERM ? THEME_ACCENT : THEME_LINE);
	VY_AUTO_BUF state = VY_BUF_INIT(512);
	int right = w.w - 1;

	cell_hline(w, 0, 0, w.w, "─", line);
	if (tab && say_state(s, tab, &state)) {
		char text[200];

		snprintf(text, sizeof(text), " %s ", vy_buf_c(&state));
		right = cell_puts_right(w, w.w - 2, 0, text,
			theme_ink(tab->line == TERM_LINK_LIVE ? THEME_DIM : THEME_WARN));
	}
	draw_tabs(s, w, 1, right - 1);
}

/* ---- the terminal ---- */

static void draw_words(struct cell_win w, int y, const char *text, enum theme_role role)
{
	look_line(w, 1, y, vy_str_c(text), w.w - 2, theme_ink(role));
}

/* Over the last row, where a prompt would be: what became of it, and what to do. */
static void draw_end(const struct app_state *s, const struct term_tab *tab, struct cell_win w)
{
	VY_AUTO_BUF b = VY_BUF_INIT(2048);
	char enter[KEY_NAME_MAX];

	cell_fill(w, (struct cell_rect){ 0, w.h - 1, w.w, 1 },
		(struct cell_style){ .bg = CELL_ROLE(THEME_STATUS) });
	term_say_end(tab, &b);
	vy_buf_addf(&b, _(" · %s opens another"),
		key_format((struct key){ KEY_ENTER, 0 }, true, enter));
	if (s->terms.is_alone) {
		hint_two(&s->keymap, &b, ACTION_PANE_LITERAL, ACTION_PREFIX_LEAVE, _("leave"));
	}
	draw_words(w, w.h - 1, vy_buf_c(&b), THEME_STATUS);
}

static void draw_body(struct app_state *s, struct cell_win w, struct screen_cursor *cursor)
{
	struct term_tab *tab = terms_now(&s->terms);
	struct screen_cursor c = { .x = w.x, .y = w.y, .visible = false };

	if (tab && tab->is_known) {
		pane_draw(tab->pane, w, s->now_ms, &c);
	} else if (!tab || !tab->why) {
		draw_words(w, 0, _("opening a shell …"), THEME_DIM);
	}
	if (tab && (tab->line == TERM_LINK_OVER || tab->line == TERM_LINK_GONE)) {
		draw_end(s, tab, w);
		c.visible = false;
	} else if (tab && !tab->is_known && tab->why) {
		draw_words(w, 0, tab->why, THEME_WARN);
	}
	if (s->focus == APP_TERM) {
		*cursor = c;
	}
}

void term_draw(struct app_state *s, struct cell_win w, int layout, struct screen_cursor *cursor)
{
	struct cell_rect in = inside(s, (struct cell_rect){ 0, 0, w.w, w.h }, layout);

	s->terms.pane = (struct cell_rect){ w.x, w.y, w.w, w.h };
	s->terms.body = (struct cell_rect){ w.x + in.x, w.y + in.y, in.w, in.h };
	if (layout == TERM_BESIDE) {
		for (int y = 0; y < w.h; y++) {
			cell_puts(w, 0, y, y ? "│" : "┌",
				theme_ink(s->focus == APP_TERM ? THEME_ACCENT : THEME_LINE));
		}
	}
	draw_title(s, cell_win_sub(w, (struct cell_rect){ in.x, 0, in.w, 1 }));
	draw_body(s, cell_win_sub(w, in), cursor);
}

void term_draw_alone(struct app_state *s, struct cell_win w, struct screen_cursor *cursor)
{
	const struct term_tab *tab = terms_now(&s->terms);
	VY_AUTO_BUF words = VY_BUF_INIT(4096);
	const struct terms *t = &s->terms;

	s->terms.whole_w = w.w;
	s->terms.whole_h = w.h;
	s->terms.pane = s->terms.body = (struct cell_rect){ w.x, w.y, w.w, w.h };
	draw_body(s, w, cursor);
	if (t->is_seeking) {
		term_seek_draw(s, w, w.h - 1, cursor);
		return;
	}
	if (s->flash) {
		vy_buf_adds(&words, s->flash);
	} else if (t->is_prefixed || (tab && pane_is_looking(tab->pane))) {
		term_hint(s, &words);
	} else if (!tab || !say_state(s, tab, &words) ||
		   (tab->viewer.has_keys && !pane_behind(tab->pane) &&
			   tab->line == TERM_LINK_LIVE)) {
		return;
	}
	look_fit(&words, w.grid->pool, w.w - 2);
	cell_fill(w, (struct cell_rect){ 0, w.h - 1, w.w, 1 },
		(struct cell_style){ .bg = CELL_ROLE(THEME_STATUS) });
	draw_words(w, w.h - 1, vy_buf_c(&words), THEME_STATUS);
}

/* ---- the last line ---- */

void term_seek_draw(struct app_state *s, struct cell_win w, int y, struct screen_cursor *cursor)
{
	const struct term_tab *tab = terms_now(&s->terms);
	struct vy_str text = edit_text(&s->terms.query);
	size_t at = 0, total = tab ? pane_found(tab->pane, &at) : 0;
	char count[80] = "";

	if (text.n) {
		snprintf(count, sizeof(count), total ? _("match %zu of %zu") : _("not found"), at,
			total);
	}
	cell_fill(w, (struct cell_rect){ 0, y, w.w, 1 }, (struct cell_style){ .bg = CELL_BARE });
	int right =
		cell_puts_right(w, w.w - 1, y, count, theme_ink(total ? THEME_DIM : THEME_WARN));
	struct cell_win field = cell_win_sub(w, (struct cell_rect){ 3, y, right - 5, 1 });

	cell_puts(w, 2, y, "/", theme_ink(THEME_ACCENT));
	*cursor = (struct screen_cursor){
		.x = w.x + 3 + turn_field(field, text, s->terms.query.at, theme_ink(THEME_TEXT)),
		.y = w.y + y,
		.visible = true,
		.shape = SCREEN_CURSOR_BAR
	};
}

static void say_prefix(const struct keymap *m, bool has_others, struct vy_buf *out)
{
	hint_add(m, out, ACTION_PREFIX_NEW, _("new"));
	if (has_others) {
		hint_two(m, out, ACTION_PREFIX_NEXT, ACTION_PREFIX_PREV, _("others"));
	}
	hint_add(m, out, ACTION_PREFIX_CLOSE, _("close"));
	hint_add(m, out, ACTION_PREFIX_LOOK, _("look back"));
	hint_add(m, out, ACTION_PREFIX_FIND, _("search"));
	hint_two(m, out, ACTION_PREFIX_LARGER, ACTION_PREFIX_SMALLER, _("size"));
	hint_add(m, out, ACTION_PREFIX_TAKE, _("take the keyboard"));
	hint_add(m, out, ACTION_PREFIX_LEAVE, _("leave"));
	hint_add(m, out, ACTION_PREFIX_HELP, _("help"));
}

static void say_look(const struct keymap *m, const struct pane *p, struct vy_buf *out)
{
	size_t at;

	if (pane_is_selecting(p)) {
		hint_add(m, out, ACTION_LOOK_COPY, _("copy"));
		hint_add(m, out, ACTION_LOOK_LEAVE, _("drop"));
		return;
	}
	if (pane_found(p, &at)) {
		hint_two(m, out, ACTION_LOOK_FIND_NEXT, ACTION_LOOK_FIND_PREV, _("matches"));
		hint_add(m, out, ACTION_LOOK_LEAVE, _("drop"));
	} else {
		hint_add(m, out, ACTION_LOOK_LEAVE, _("back"));
	}
	hint_add(m, out, ACTION_LOOK_SELECT, _("select"));
	hint_add(m, out, ACTION_LOOK_COPY, _("copy"));
	hint_add(m, out, ACTION_LOOK_FIND, _("search"));
}

void term_hint(struct app_state *s, struct vy_buf *out)
{
	const struct terms *t = &s->terms;
	const struct term_tab *tab = terms_now(t);
	const struct keymap *m = &s->keymap;

	if (t->is_prefixed) {
		say_prefix(m, t->n > 1, out);
	} else if (tab && pane_is_looking(tab->pane)) {
		say_look(m, tab->pane, out);
	} else {
		hint_add(m, out, ACTION_PANE_LEAVE, _("back to the chat"));
		hint_add(m, out, ACTION_PANE_LITERAL, _("more"));
		hint_add(m, out, ACTION_PANE_FOCUS, _("other pane"));
		hint_add(m, out, ACTION_PANE_LAYOUT, _("below, beside, full"));
	}
}

int64_t term_next_ms(const struct app_state *s)
{
	const struct terms *t = &s->terms;
	const struct term_tab *tab = terms_now(t);
	int64_t next = -1;

	if (!t->is_shown || !tab) {
		return -1;
	}
	if (tab->is_known) {
		next = pane_next_ms(tab->pane, s->now_ms);
	}
	if (tab->down_since_ms >= 0 && s->now_ms - tab->down_since_ms < QUIET_MS) {
		int64_t left = QUIET_MS - (s->now_ms - tab->down_since_ms);

		next = next < 0 || left < next ? left : next;
	}
	return next;
}
