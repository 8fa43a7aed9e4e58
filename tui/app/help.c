/* help.c -- see help.h. The lines are made anew for each draw: a rebound key shows at once. */
#include "tui/app/help.h"

#include <stdio.h>

#include "tui/app/look.h"
#include "tui/ink/theme.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define WIDE    110 /* columns from which the lines stand in two */
#define KEY_AT  4
#define TEXT_AT 22
#define NAMED   76 /* columns of a part from which actions are named */
#define LINES   (ACTION_COUNT + 3 * KEYMAP_MODE_COUNT)

static const char *const titles[KEYMAP_MODE_COUNT] = {
	[KEYMAP_GLOBAL] = N_("Anywhere"),
	[KEYMAP_EDIT] = N_("In a text"),
	[KEYMAP_COMPOSER] = N_("The composer"),
	[KEYMAP_MENU] = N_("A list"),
	[KEYMAP_ASK] = N_("A question of the agent"),
	[KEYMAP_BROWSE] = N_("The transcript"),
	[KEYMAP_VIEW] = N_("A long text"),
	[KEYMAP_PANE] = N_("The terminal"),
};

void help_open(struct app_state *s)
{
	s->help_mode = s->focus == APP_BROWSE ? KEYMAP_BROWSE
		       : s->focus == APP_ASK  ? KEYMAP_ASK
		       : s->focus == APP_MENU ? KEYMAP_MENU
					      : KEYMAP_COMPOSER;
	menu_close(s);
	s->focus = APP_HELP;
	s->help_top = 0;
}

/* Back to where it was asked for; a list that was open then is closed. */
static void close_help(struct app_state *s)
{
	s->focus = s->help_mode == KEYMAP_BROWSE ? APP_BROWSE : APP_COMPOSER;
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
	case ACTION_VIEW_BOTTOM: s->help_top = LINES; break;
	case ACTION_VIEW_CLOSE:
	case ACTION_HELP: close_help(s); break;
	default: return false;
	}
	s->help_top = s->help_top < 0 ? 0 : s->help_top;
	return true;
}

/* ---- lines ---- */

/* An action, or (ACTION_NONE) the title of a mode, or (mode -1) nothing. */
struct help_line {
	enum keymap_action action;
	int mode;
};

static size_t add_mode(const struct app_state *s, int mode, struct help_line *lines, size_t n)
{
	struct key k;

	lines[n++] = (struct help_line){ ACTION_NONE, mode };
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		if ((int)keymap_mode_of(a) == mode && app_does(a) &&
			keymap_key(&s->keymap, a, 0, &k)) {
			lines[n++] = (struct help_line){ (enum keymap_action)a, mode };
		}
	}
	lines[n++] = (struct help_line){ ACTION_NONE, -1 };
	return n;
}

/* The place it was asked for, the ones it stands on, and what works anywhere. */
static size_t all_lines(const struct app_state *s, struct help_line *lines)
{
	size_t n = 0;
	bool has_global = false;

	for (int m = (int)s->help_mode; m >= 0; m = keymap_parent((enum keymap_mode)m)) {
		n = add_mode(s, m, lines, n);
		has_global |= m == KEYMAP_GLOBAL;
	}
	return has_global ? n : add_mode(s, KEYMAP_GLOBAL, lines, n);
}

/* "↑ ^p": as many of its keys as there is room for. */
static void keys_of(const struct keymap *m, enum keymap_action a, struct cell_win w, int y)
{
	int x = KEY_AT;
	struct key k;

	for (size_t i = 0; keymap_key(m, a, i, &k); i++) {
		char name[KEY_NAME_MAX];

		key_format(k, true, name);
		if (x + cell_width(w.grid->pool, vy_str_c(name)) >= TEXT_AT) {
			return;
		}
		x += 1 + cell_puts(w, x, y, name, theme_ink(i ? THEME_DIM : THEME_ASK_KEY));
	}
}

static void draw_line(const struct app_state *s, struct cell_win w, int y, struct help_line l)
{
	int right = w.w - 1;

	if (l.mode < 0) {
		return;
	}
	if (l.action == ACTION_NONE) {
		cell_puts(w, 2, y, _(titles[l.mode]), theme_bold(THEME_TITLE));
		return;
	}
	keys_of(&s->keymap, l.action, w, y);
	if (w.w >= NAMED) {
		right = cell_puts_right(w, right, y, keymap_name(l.action), theme_ink(THEME_DIM));
	}
	look_line(w, TEXT_AT, y, vy_str_c(_(keymap_help(l.action))), right - TEXT_AT - 1,
		theme_ink(THEME_TEXT));
}

/* A column should not begin with the end of a part: the blank line, or its title at the foot. */
static int half_of(const struct help_line *lines, int n)
{
	int half = (n + 1) / 2;

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
	int half = is_wide ? half_of(lines, n) : n;
	int most = half - w.h + 2;
	struct cell_win left = w, right = w;

	if (is_wide) {
		left = cell_win_sub(w, (struct cell_rect){ 0, 0, w.w / 2, w.h });
		right = cell_win_sub(w, (struct cell_rect){ w.w / 2, 0, w.w - w.w / 2, w.h });
	}
	most = most > 0 ? most : 0;
	s->help_top = s->help_top > most ? most : s->help_top;
	for (int i = 0; i < n; i++) {
		bool is_left = i < half;

		draw_line(s, is_left ? left : right, 1 + i - (is_left ? 0 : half) - s->help_top,
			lines[i]);
	}
}
