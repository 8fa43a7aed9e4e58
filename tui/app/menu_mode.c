/* menu_mode.c -- see mode.h. */
#include "tui/app/mode.h"

#include <string.h>

#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static const struct {
	const char *name, *short_name, *label, *detail;
	enum theme_role role;
} modes[] = {
	{ "default", "default", N_("default"), N_("asks before it changes or runs anything"),
		THEME_OK },
	{ "acceptEdits", "accept", N_("accept edits"),
		N_("changes files here, and asks for the rest"), THEME_MODE_ACCEPT },
	{ "plan", "plan", N_("plan mode"), N_("only looks, and proposes what to do"),
		THEME_MODE_PLAN },
};

void mode_set(struct app_state *s, struct vy_str name, struct app_effects *fx)
{
	for (size_t i = 0; i < VY_COUNT(modes); i++) {
		if (vy_str_is(name, modes[i].name) || vy_str_is(name, modes[i].short_name)) {
			vy_json_set_c(app_call(s, fx, "threads.mode"), "mode", modes[i].name);
			return;
		}
	}
	app_flash(s, _("the modes are default, accept and plan"));
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	const char *now = s->mode ? s->mode : "default";

	(void)fx;
	for (size_t i = 0; i < VY_COUNT(modes); i++) {
		bool is_here = strcmp(now, modes[i].name) == 0;

		picker_add(
			&s->menu.picker, &(struct picker_item){ .id = modes[i].name,
						 .mark = is_here ? "●" : "○",
						 .mark_role = is_here ? modes[i].role : THEME_DIM,
						 .label = _(modes[i].label),
						 .detail = _(modes[i].detail),
						 .is_here = is_here });
	}
	picker_choose(&s->menu.picker, now);
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	if (!it->is_here) {
		mode_set(s, vy_str_c(it->id), fx);
	}
}

static const struct menu_kind menu_mode = {
	.title = N_("What it may do without asking"),
	.empty = N_("there is no such mode"),
	.fill = fill,
	.choose = choose,
};

void mode_open(struct app_state *s, struct app_effects *fx)
{
	menu_open(s, &menu_mode, fx);
}
