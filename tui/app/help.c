/* help.c -- see help.h. The lines are made anew for each draw: a rebound key shows at once. What an
 * action does is said whole, in as many rows as it takes: in a narrow window, and in languages that
 * need more room. */
#include "tui/app/help.h"

#include <limits.h>
#include <stdio.h>

#include "shared/text/wrap.h"
#include "tui/app/look.h"
#include "tui/app/vi.h"
#include "tui/ink/theme.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define WIDE    110 /* columns from which the lines stand in two */
#define KEY_AT  4
#define TEXT_AT 22
#define SLIM    60 /* columns below which the text begins further left, behind fewer keys */
#define SLIM_AT 16
#define NAMED   76                /* columns of a part from which actions are named */
#define VI      KEYMAP_MODE_COUNT /* a part like a mode: what is not in the keymap */
#define VI_MOST 16
#define LINES   (ACTION_COUNT + 3 * KEYMAP_MODE_COUNT + VI_MOST + 2)

static const char *const titles[KEYMAP_MODE_COUNT + 1] = {
	[KEYMAP_GLOBAL] = N_("Anywhere"),
	[KEYMAP_EDIT] = N_("In a text"),
	[KEYMAP_COMPOSER] = N_("The composer"),
	[KEYMAP_MENU] = N_("A list"),
	[KEYMAP_ASK] = N_("A question of the agent"),
	[KEYMAP_BROWSE] = N_("The transcript"),
	[KEYMAP_ASIDE] = N_("A side question"),
	[KEYMAP_VIEW] = N_("A long text"),
	[KEYMAP_PANE] = N_("The terminal"),
	[KEYMAP_PREFIX] = N_("Behind the terminal's own key"),
	[KEYMAP_LOOK] = N_("Looking back in the terminal"),
	[VI] = N_("vi's keys, in normal mode"),
};

void help_open(struct app_state *s)
{
	s->help_mode = s->focus == APP_BROWSE  ? KEYMAP_BROWSE
		       : s->focus == APP_ASK   ? KEYMAP_ASK
		       : s->focus == APP_MENU  ? KEYMAP_MENU
		       : s->focus == APP_ASIDE ? KEYMAP_ASIDE
		       : s->focus == APP_TERM  ? KEYMAP_PANE
					       : KEYMAP_COMPOSER;
	menu_close(s);
	s->focus = APP_HELP;
	s->help_top = 0;
}

/* Back to where it was asked for; a list that was open then is closed. */
static void close_help(struct app_state *s)
{
	s->focus = s->help_mode == KEYMAP_BROWSE  ? APP_BROWSE
		   : s->help_mode == KEYMAP_ASIDE ? APP_ASIDE
		   : s->help_mode == KEYMAP_PANE  ? APP_TERM
						  : APP_COMPOSER;
	if (s->help_mode == KEYMAP_ASK && ask_panel_is_open(&s->panel)) {
		s->focus = APP_ASK;
	}
}

bool help_key(struct app_state *s, enum keymap_action a)
{
	int page = s->rows > 4 ? s->rows - 4 : 1;

	switch ((int)a) {
	case ACTION_VIEW_UP: s->help_top--; break;
	case ACTION_VIEW_DOWN: s->help_top++; break;
	case ACTION_VIEW_PAGE_UP: s->help_top -= page; break;
	case ACTION_VIEW_PAGE_DOWN: s->help_top += page; break;
	case ACTION_VIEW_TOP: s->help_top = 0; break;
	case ACTION_VIEW_BOTTOM: s->help_top = INT_MAX / 2; break;
	case ACTION_VIEW_CLOSE:
	case ACTION_HELP: close_help(s); break;
	default: return false;
	}
	s->help_top = s->help_top < 0 ? 0 : s->help_top;
	return true;
}

/* ---- lines ---- */

/* An action, keys of vi's, or (ACTION_NONE) the title of a mode, or (mode -1) nothing. */
struct help_line {
	enum keymap_action action;
	int mode;
	const char *keys, *help; /* of vi's */
	int y;                   /* from the first line's */
};

static size_t add_mode(const struct app_state *s, int mode, struct help_line *lines, size_t n)
{
	struct key k;

	lines[n++] = (struct help_line){ .mode = mode };
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		if ((int)keymap_mode_of(a) == mode && app_does(a) &&
			keymap_key(&s->keymap, a, 0, &k)) {
			lines[n++] =
				(struct help_line){ .action = (enum keymap_action)a, .mode = mode };
		}
	}
	lines[n++] = (struct help_line){ .mode = -1 };
	return n;
}

static size_t add_vi(struct help_line *lines, size_t n)
{
	struct help_line l = { .mode = VI };

	lines[n++] = l;
	for (size_t i = 0; i < VI_MOST && vi_help(i, &l.keys, &l.help); i++) {
		lines[n++] = l;
	}
	lines[n++] = (struct help_line){ .mode = -1 };
	return n;
}

/* The place it was asked for, the ones it stands on, and what works anywhere. */
static size_t all_lines(const struct app_state *s, struct help_line *lines)
{
	size_t n = 0;
	bool has_global = false;

	for (int m = (int)s->help_mode; m >= 0; m = keymap_parent((enum keymap_mode)m)) {
		n = add_mode(s, m, lines, n);
		if (m == KEYMAP_COMPOSER && s->composer.is_vim) {
			n = add_vi(lines, n);
		}
		if (m == KEYMAP_PANE) {
			n = add_mode(s, KEYMAP_PREFIX, lines, n);
			n = add_mode(s, KEYMAP_LOOK, lines, n);
		}
		has_global |= m == KEYMAP_GLOBAL;
	}
	return has_global ? n : add_mode(s, KEYMAP_GLOBAL, lines, n);
}

static int text_at(struct cell_win w)
{
	return w.w < SLIM ? SLIM_AT : TEXT_AT;
}

/* "↑ ^p": as many of its keys as there is room for. */
static void keys_of(const struct keymap *m, enum keymap_action a, struct cell_win w, int y)
{
	int x = KEY_AT;
	struct key k;

	for (size_t i = 0; keymap_key(m, a, i, &k); i++) {
		char name[KEY_NAME_MAX];

		key_format(k, true, name);
		if (i && x + cell_width(w.grid->pool, vy_str_c(name)) >= text_at(w)) {
			return;
		}
		x += 1 + look_line(w, x, y, vy_str_c(name), text_at(w) - x - 1,
				 theme_ink(i ? THEME_DIM : THEME_ASK_KEY));
	}
}

/* What it does, from row y on, or (y INT_MIN) only measured; returns its rows. */
static int put_text(struct cell_win w, int y, const char *text, int right)
{
	struct vy_wrap how = { .cells = (unsigned)(right - text_at(w)),
		.width = cell_pool_width(w.grid->pool) };
	struct vy_wrap_row row = { 0 };
	int n = 0;

	for (; vy_wrap_next(&how, vy_str_c(text), &row); n++) {
		if (y != INT_MIN) {
			cell_put(w, text_at(w), y + n,
				vy_str_n(text + row.start, row.end - row.start),
				theme_ink(THEME_TEXT));
		}
	}
	return n;
}

/* The column where the text of a line must end: in a wide part its action is named there. */
static int end_of_text(struct cell_win w, enum keymap_action a)
{
	int name = w.w >= NAMED ? cell_width(w.grid->pool, vy_str_c(keymap_name(a))) + 1 : 0;

	return w.w - 1 - name;
}

static int rows_of(struct cell_win w, struct help_line l)
{
	return l.help ? put_text(w, INT_MIN, l.help, w.w - 1)
	       : l.action == ACTION_NONE
		       ? 1
		       : put_text(w, INT_MIN, _(keymap_help(l.action)), end_of_text(w, l.action));
}

static void draw_line(const struct app_state *s, struct cell_win w, int y, struct help_line l)
{
	if (l.mode < 0) {
		return;
	}
	if (l.help) {
		look_line(w, KEY_AT, y, vy_str_c(l.keys), text_at(w) - KEY_AT - 1,
			theme_ink(THEME_ASK_KEY));
		put_text(w, y, l.help, w.w - 1);
		return;
	}
	if (l.action == ACTION_NONE) {
		cell_puts(w, 2, y, _(titles[l.mode]), theme_bold(THEME_TITLE));
		return;
	}
	keys_of(&s->keymap, l.action, w, y);
	if (w.w >= NAMED) {
		cell_puts_right(w, w.w - 1, y, keymap_name(l.action), theme_ink(THEME_DIM));
	}
	put_text(w, y, _(keymap_help(l.action)), end_of_text(w, l.action));
}

/* Where each line stands; returns the rows of all. */
static int place(struct cell_win w, struct help_line *lines, int n)
{
	int y = 0;

	for (int i = 0; i < n; i++) {
		lines[i].y = y;
		y += rows_of(w, lines[i]);
	}
	return y;
}

/* The first line of the second column, which should not begin with the end of a part: the blank
 * line, or its title at the foot. */
static int half_of(const struct help_line *lines, int n, int rows)
{
	int half = 0;

	while (half < n && lines[half].y < (rows + 1) / 2) {
		half++;
	}
	while (half < n && lines[half].mode < 0) {
		half++;
	}
	return half;
}

void help_draw(struct app_state *s, struct cell_win w)
{
	struct help_line lines[LINES];
	int n = (int)all_lines(s, lines) - 1; /* no blank line at the end */
	bool is_wide = w.w >= WIDE;
	struct cell_win left = w, right = w;

	if (is_wide) {
		left = cell_win_sub(w, (struct cell_rect){ 0, 0, w.w / 2, w.h });
		right = cell_win_sub(w, (struct cell_rect){ w.w / 2, 0, w.w - w.w / 2, w.h });
	}
	int rows = place(left, lines, n);
	int half = is_wide ? half_of(lines, n, rows) : n;
	int longest = half < n ? lines[half].y : rows;

	if (half < n && rows - lines[half].y > longest) {
		longest = rows - lines[half].y;
	}
	int most = longest - w.h + 2 > 0 ? longest - w.h + 2 : 0;

	s->help_top = s->help_top > most ? most : s->help_top;
	for (int i = 0; i < n; i++) {
		bool is_left = i < half;

		draw_line(s, is_left ? left : right,
			1 + lines[i].y - (is_left ? 0 : lines[half].y) - s->help_top, lines[i]);
	}
}
