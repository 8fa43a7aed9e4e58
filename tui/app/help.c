/* help.c -- see help.h. */
#include "tui/app/help.h"

#include "tui/ink/theme.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

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

bool help_key(struct app_state *s, enum keymap_action a)
{
	int page = s->rows > 4 ? s->rows - 4 : 1;

	switch ((int)a) {
	case ACTION_VIEW_UP: s->help_top--; break;
	case ACTION_VIEW_DOWN: s->help_top++; break;
	case ACTION_VIEW_PAGE_UP: s->help_top -= page; break;
	case ACTION_VIEW_PAGE_DOWN: s->help_top += page; break;
	case ACTION_VIEW_TOP: s->help_top = 0; break;
	case ACTION_VIEW_CLOSE:
	case ACTION_HELP: s->focus = APP_COMPOSER; break;
	default: return false;
	}
	s->help_top = s->help_top < 0 ? 0 : s->help_top;
	return true;
}

/* The actions of one mode, each with its keys; returns the line behind them. */
static int help_of(const struct app_state *s, struct cell_win w, int y, enum keymap_mode mode)
{
	cell_puts(w, 2, y++, _(keymap_mode_name(mode)), theme_bold(THEME_TITLE));
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		char key[KEY_NAME_MAX];

		if (keymap_mode_of(a) == mode && app_does(a)) {
			cell_puts(
				w, 4, y, keymap_hint(&s->keymap, a, key), theme_ink(THEME_ASK_KEY));
			cell_puts(w, 20, y++, _(keymap_help(a)), theme_ink(THEME_TEXT));
		}
	}
	return y + 1;
}

/* Help for the place it was asked for: its mode, the modes it stands on, and what works anywhere. */
void help_draw(struct app_state *s, struct cell_win w)
{
	int y = 1 - s->help_top, start = y;

	for (int m = (int)s->help_mode; m >= 0; m = keymap_parent((enum keymap_mode)m)) {
		y = help_of(s, w, y, (enum keymap_mode)m);
	}
	if (s->help_mode != KEYMAP_GLOBAL && keymap_parent(s->help_mode) != KEYMAP_GLOBAL) {
		y = help_of(s, w, y, KEYMAP_GLOBAL);
	}
	int most = y - start - w.h + 1;

	s->help_top = s->help_top > most ? (most > 0 ? most : 0) : s->help_top;
}
