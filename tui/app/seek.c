/* seek.c -- the line of a search, over the transcript or over the pager (browse.h). */
#include <stdio.h>

#include "tui/app/browse.h"
#include "tui/app/state.h"
#include "tui/ink/theme.h"
#include "tui/view/edit_key.h"
#include "tui/view/transcript_text.h"
#include "tui/view/turn.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

void seek_begin(struct app_state *s)
{
	s->browse.is_seeking_page = s->focus == APP_PAGER;
	s->browse.has_link = false;
	if (!s->browse.is_seeking_page) {
		transcript_find_begin(s->transcript, s->fold);
	}
	edit_clear(&s->browse.query);
	s->focus = APP_SEEK;
}

static void seek(struct app_state *s, struct vy_str query)
{
	if (s->browse.is_seeking_page) {
		pager_find(&s->browse.pager, query);
	} else {
		transcript_find(s->transcript, s->fold, query);
	}
}

static void step(struct app_state *s, int direction)
{
	if (s->browse.is_seeking_page) {
		pager_find_step(&s->browse.pager, direction);
	} else {
		transcript_find_step(s->transcript, s->fold, direction);
	}
}

static void end(struct app_state *s)
{
	s->focus = s->browse.is_seeking_page ? APP_PAGER : APP_BROWSE;
}

bool seek_key(struct app_state *s, enum keymap_action a)
{
	struct edit *e = &s->browse.query;
	uint64_t rev = e->rev;

	switch ((int)a) {
	case ACTION_MENU_UP: step(s, -1); return true;
	case ACTION_MENU_DOWN: step(s, 1); return true;
	case ACTION_MENU_ACCEPT:
	case ACTION_MENU_COMPLETE: end(s); return true;
	case ACTION_MENU_CLOSE:
		if (s->browse.is_seeking_page) {
			seek(s, vy_str_n(NULL, 0));
		} else {
			transcript_find_cancel(s->transcript, s->fold);
		}
		end(s);
		return true;
	default: break;
	}
	if (a == ACTION_DELETE_BACK && edit_is_empty(e)) {
		end(s); /* one step further back */
		return true;
	}
	if (edit_key(e, a)) {
		if (e->rev != rev) {
			seek(s, edit_text(e));
		}
		return true;
	}
	return keymap_mode_of(a) == KEYMAP_MENU;
}

/* One line: what was pasted behind a line end is left out. */
void seek_type(struct app_state *s, struct vy_str text)
{
	const char *nl = text.n ? memchr(text.p, '\n', text.n) : NULL;

	text.n = nl ? (size_t)(nl - text.p) : text.n;
	if (text.n + edit_text(&s->browse.query).n < FIND_QUERY_MAX) {
		edit_insert(&s->browse.query, text);
		seek(s, edit_text(&s->browse.query));
	}
}

void seek_draw(struct app_state *s, struct cell_win w, int y, struct screen_cursor *cursor)
{
	struct vy_str text = edit_text(&s->browse.query);
	size_t at = s->browse.pager.found, total = s->browse.pager.find.total;
	char count[80] = "";
	struct cell_rect all = { 0, y, w.w, 1 };

	if (!s->browse.is_seeking_page) {
		total = transcript_found(s->transcript, s->fold, &at);
	}
	if (text.n) {
		snprintf(count, sizeof(count), total ? _("match %zu of %zu") : _("not found"), at,
			total);
	}
	cell_fill(w, all, (struct cell_style){ .bg = CELL_BARE });
	int right =
		cell_puts_right(w, w.w - 1, y, count, theme_ink(total ? THEME_DIM : THEME_WARN));
	struct cell_win field = cell_win_sub(w, (struct cell_rect){ 3, y, right - 5, 1 });

	cell_puts(w, 2, y, "/", theme_ink(THEME_ACCENT));
	*cursor = (struct screen_cursor){
		.x = w.x + 3 + turn_field(field, text, s->browse.query.at, theme_ink(THEME_TEXT)),
		.y = w.y + y,
		.visible = true,
		.shape = SCREEN_CURSOR_BAR
	};
}
