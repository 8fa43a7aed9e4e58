/* browse.c -- see browse.h. */
#include "tui/app/browse.h"

#include "tui/app/help.h"
#include "shared/base/ban.h"

void browse_begin(struct app_state *s)
{
	s->focus = APP_BROWSE;
}

void browse_leave(struct app_state *s)
{
	transcript_unselect(s->transcript);
	s->focus = APP_COMPOSER;
}

bool browse_key(struct app_state *s, enum keymap_action a)
{
	struct transcript *t = s->transcript;

	switch ((int)a) {
	case ACTION_ROW_UP: transcript_select(t, s->fold, TRANSCRIPT_ROW, -1); return true;
	case ACTION_ROW_DOWN: transcript_select(t, s->fold, TRANSCRIPT_ROW, 1); return true;
	case ACTION_MESSAGE_UP: transcript_select(t, s->fold, TRANSCRIPT_MESSAGE, -1); return true;
	case ACTION_MESSAGE_DOWN: transcript_select(t, s->fold, TRANSCRIPT_MESSAGE, 1); return true;
	case ACTION_MINE_UP: transcript_select(t, s->fold, TRANSCRIPT_MINE, -1); return true;
	case ACTION_MINE_DOWN: transcript_select(t, s->fold, TRANSCRIPT_MINE, 1); return true;
	case ACTION_PAGE_UP: transcript_page(t, s->fold, -1); return true;
	case ACTION_PAGE_DOWN: transcript_page(t, s->fold, 1); return true;
	case ACTION_TOP: transcript_top(t, s->fold); return true;
	case ACTION_BOTTOM: transcript_follow(t); return true;
	case ACTION_ROW_OPEN: transcript_toggle(t, s->fold); return true;
	case ACTION_HELP_BROWSE: help_open(s); return true;
	case ACTION_BROWSE_LEAVE: browse_leave(s); return true;
	default: return false;
	}
}
