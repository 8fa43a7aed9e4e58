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
		s->browse.is_page_alone = false;
		pager_open(&s->browse.pager, row, reveal, cell_pool_width(s->pool));
		s->focus = APP_PAGER;
	}
}

void page_open_text(struct app_state *s, const char *title, struct vy_str text)
{
	struct vy_row row = { .kind = VY_ROW_TERM_COMMAND,
		.term = { .command = vy_str_c(title), .output = text } };

	pager_open(&s->browse.pager, &row, false, cell_pool_width(s->pool));
	s->browse.is_page_alone = true;
	s->focus = APP_PAGER;
}

void page_told(
	struct app_state *s, uint32_t opened, const struct vy_json *result, const struct vy_err *e)
{
	struct vy_str text = vy_json_str(result, "text");

	if (opened != s->n_opened || s->focus != APP_COMPOSER) {
		return; /* who asked does something else by now */
	}
	if (!result) {
		app_failed(s, e->text);
	} else if (text.n == 0) {
		app_flash(s, _("it has said nothing yet"));
	} else {
		page_open_text(s,
			vy_json_bool(result, "truncated", false) ? _("the end of its output")
								 : _("its output"),
			text);
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
		s->focus = s->browse.is_page_alone ? APP_COMPOSER : APP_BROWSE;
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
