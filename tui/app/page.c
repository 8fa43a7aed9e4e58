/* page.c -- the pager has the keys (browse.h). */
#include "shared/base/mem.h"
#include "tui/app/browse.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

void page_open(struct app_state *s, bool reveal)
{
	const struct vy_row *row = transcript_selected(s->transcript, s->fold);

	if (!row) {
		transcript_select(s->transcript, s->fold, TRANSCRIPT_ROW, -1);
		row = transcript_selected(s->transcript, s->fold);
	}
	if (row) {
		pager_open(&s->browse.pager, row, reveal, cell_pool_width(s->pool));
		s->focus = APP_PAGER;
	}
}

static void find_step(struct app_state *s, int direction)
{
	if (s->browse.pager.find.query.len == 0) {
		seek_begin(s);
	} else if (!pager_find_step(&s->browse.pager, direction)) {
		app_flash(s, _("not found"));
	}
}

static void close_step(struct app_state *s)
{
	struct pager *p = &s->browse.pager;

	if (p->find.query.len) {
		pager_find(p, vy_str_n(NULL, 0));
	} else {
		pager_close(p);
		s->focus = APP_BROWSE;
	}
}

bool page_key(struct app_state *s, enum keymap_action a, struct app_effects *fx)
{
	struct pager *p = &s->browse.pager;

	switch ((int)a) {
	case ACTION_VIEW_UP: pager_scroll(p, -1); return true;
	case ACTION_VIEW_DOWN: pager_scroll(p, 1); return true;
	case ACTION_VIEW_PAGE_UP: pager_page(p, -1); return true;
	case ACTION_VIEW_PAGE_DOWN: pager_page(p, 1); return true;
	case ACTION_VIEW_TOP: pager_top(p); return true;
	case ACTION_VIEW_BOTTOM: pager_bottom(p); return true;
	case ACTION_VIEW_LEFT: pager_sideways(p, -1); return true;
	case ACTION_VIEW_RIGHT: pager_sideways(p, 1); return true;
	case ACTION_SEARCH:
	case ACTION_VIEW_FIND: seek_begin(s); return true;
	case ACTION_VIEW_FIND_NEXT: find_step(s, 1); return true;
	case ACTION_VIEW_FIND_PREV: find_step(s, -1); return true;
	case ACTION_VIEW_COPY:
		app_effect(fx, APP_COPY)->text =
			vy_memdup0(p->text.data ? p->text.data : "", p->text.len);
		return true;
	case ACTION_VIEW_CLOSE: close_step(s); return true;
	default: return false;
	}
}
