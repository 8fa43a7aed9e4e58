/* whole.c -- see whole.h. */
#include "tui/app/whole.h"

#include "tui/app/say.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static void finish(struct app_state *s, struct app_effects *fx)
{
	enum app_effect_kind what = s->whole_for;

	s->wants_whole = false;
	app_effect(fx, what);
}

void whole_begin(struct app_state *s, enum app_effect_kind what, struct app_effects *fx)
{
	s->whole_for = what;
	s->wants_whole = true;
	if (vy_fold_older(s->fold) == 0 || s->line != APP_LIVE) {
		finish(s, fx);
	} else {
		app_flash(s, _("reading what was said before; a key stops it"));
	}
}

void whole_step(struct app_state *s, bool came, struct app_effects *fx)
{
	if (s->wants_whole && (!came || vy_fold_older(s->fold) == 0)) {
		finish(s, fx);
	}
}

void whole_stop(struct app_state *s)
{
	s->wants_whole = false;
}
