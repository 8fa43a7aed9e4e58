/* menu_compact.c -- see compact.h. */
#include "tui/app/compact.h"

#include <string.h>

#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define NOW  "now"
#define HINT "hint"

void compact_now(struct app_state *s, struct vy_str hint, struct app_effects *fx)
{
	struct app_tag tag = { APP_FOR_COMPACT, 0 };
	struct vy_json *p = app_query(fx, "threads.compact", tag);

	vy_json_set_c(p, "session", s->session);
	if (hint.n) {
		vy_json_set_str(p, "hint", hint);
	}
	transcript_follow(s->transcript);
}

void compact_reply(struct app_state *s, const struct vy_json *result, const struct vy_err *e)
{
	if (!result) {
		app_failed(s, e->text);
	}
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	VY_AUTO_BUF used = VY_BUF_INIT(256);

	(void)fx;
	if (s->max > 0) {
		vy_buf_addf(&used, _("its context is %d%% full"), (int)(s->used * 100 / s->max));
	}
	picker_add(&s->menu.picker,
		&(struct picker_item){ .id = NOW,
			.mark = "›",
			.mark_role = THEME_DIM,
			.label = _("Sum up what was said"),
			.detail = used.len ? vy_buf_c(&used) : NULL,
			.preview = _("the agent goes on with the summary; all of it stays here") });
	picker_add(&s->menu.picker, &(struct picker_item){ .id = HINT,
					    .mark = "›",
					    .mark_role = THEME_DIM,
					    .label = _("Say first what it should keep"),
					    .detail = "/compact …",
					    .preview = _("the words go behind /compact") });
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	if (strcmp(it->id, NOW) == 0) {
		compact_now(s, vy_str_n(NULL, 0), fx);
	} else {
		composer_drop(&s->composer); /* a draft is in the history */
		composer_put(&s->composer, VY_STR_LIT("/compact "));
	}
}

static const struct menu_kind menu_compact = {
	.title = N_("Compact"),
	.fill = fill,
	.choose = choose,
};

void compact_open(struct app_state *s, struct app_effects *fx)
{
	if (s->menu.kind == &menu_compact) {
		menu_close(s);
	} else {
		menu_open(s, &menu_compact, fx);
	}
}
