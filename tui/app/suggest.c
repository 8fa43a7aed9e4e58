/* suggest.c -- see suggest.h. */
#include "tui/app/suggest.h"

#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "shared/base/ban.h"

void suggest(struct app_state *s, struct app_effects *fx)
{
	struct complete_word w = complete_at(&s->composer.edit);

	if (s->focus != APP_COMPOSER || w.kind == COMPLETE_NOTHING) {
		s->closed_word = SIZE_MAX;
		return;
	}
	if (s->closed_word == w.from ||
		(w.kind == COMPLETE_COMMAND && app_kind(s) != COMPOSER_COMMAND)) {
		return;
	}
	s->closed_word = SIZE_MAX;
	menu_open(s, w.kind == COMPLETE_COMMAND ? &menu_commands : &menu_files, fx);
}

void suggest_no_more(struct app_state *s)
{
	s->closed_word = complete_at(&s->composer.edit).from;
}

void suggest_forget(struct app_state *s)
{
	if (complete_at(&s->composer.edit).kind == COMPLETE_NOTHING) {
		s->closed_word = SIZE_MAX;
	}
}
