/* menu_model.c -- which model the session goes on with, and the way to how much it thinks. A name
 * that is not in the list may be typed: agents know more than they tell. */
#include "tui/app/menu.h"

#include <string.h>

#include "tui/app/effort.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/app/thinking.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static const char thinking[] = " thinking", effort[] = " effort"; /* no model is called so */

static void fill(struct app_state *s, struct app_effects *fx)
{
	vy_json_set_c(menu_ask(s, "threads.model", fx), "session", s->session);
}

static void add(struct app_state *s, const struct vy_json *m, struct vy_str now)
{
	struct vy_str id = vy_json_str(m, "id"), name = vy_json_str(m, "name");
	bool is_here = vy_str_eq(id, now);
	struct picker_item it = { .id = vy_json_cstr(m, "id"),
		.mark = is_here ? "●" : "○",
		.mark_role = is_here ? THEME_OK : THEME_DIM,
		.label = name.n ? vy_json_cstr(m, "name") : vy_json_cstr(m, "id"),
		.detail = vy_json_cstr(m, "text"),
		.aside = name.n && !vy_str_eq(name, id) ? vy_json_cstr(m, "id") : NULL,
		.aside_role = THEME_DIM,
		.is_here = is_here };

	picker_add(&s->menu.picker, &it);
}

static void add_thinking(struct app_state *s)
{
	char now[80];

	thinking_say(s->thinking, now, sizeof(now));
	picker_add(&s->menu.picker, &(struct picker_item){ .id = thinking,
					    .mark = "✻",
					    .mark_role = THEME_THINKING,
					    .label = _("How much it thinks"),
					    .detail = now,
					    .aside = "…",
					    .aside_role = THEME_DIM });
}

static void add_effort(struct app_state *s, struct vy_str now)
{
	VY_AUTO_BUF how = VY_BUF_INIT(256);

	vy_buf_addstr(&how, now.n ? now : vy_str_c(_("as the agent likes")));
	picker_add(&s->menu.picker, &(struct picker_item){ .id = effort,
					    .mark = "≈",
					    .mark_role = THEME_DIM,
					    .label = _("How hard it tries"),
					    .detail = vy_buf_c(&how),
					    .aside = "…",
					    .aside_role = THEME_DIM });
}

static void reply(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	const struct vy_json *models = vy_json_get(result, "models");
	struct vy_str now = vy_json_str(result, "model");

	(void)fx;
	picker_clear(&s->menu.picker);
	for (size_t i = 0; i < vy_json_len(models); i++) {
		add(s, vy_json_at(models, i), now);
	}
	if (s->can_think) {
		add_thinking(s);
	}
	if (s->can_effort) {
		add_effort(s, vy_json_str(result, "effort"));
	}
	picker_choose(&s->menu.picker, vy_json_cstr(result, "model"));
}

static void set_model(struct app_state *s, struct vy_str model, struct app_effects *fx)
{
	vy_json_set_str(app_call(s, fx, "threads.model"), "model", model);
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	if (strcmp(it->id, thinking) == 0) {
		thinking_open(s, fx);
	} else if (strcmp(it->id, effort) == 0) {
		effort_open(s, fx);
	} else if (!it->is_here) {
		set_model(s, vy_str_c(it->id), fx);
	}
}

static void take(struct app_state *s, struct vy_str words, struct app_effects *fx)
{
	menu_close(s);
	if (words.n) {
		set_model(s, words, fx);
	}
}

const struct menu_kind menu_model = {
	.title = N_("Model"),
	.empty = N_("the agent names none; type one, enter takes it"),
	.fill = fill,
	.reply = reply,
	.choose = choose,
	.take = take,
};
