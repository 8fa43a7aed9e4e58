/* menu_effort.c -- see effort.h. The words are the model's, told with the models. */
#include "tui/app/effort.h"

#include <string.h>

#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define AUTO "auto" /* no model has such a word: none is set */

static bool can_try(struct app_state *s)
{
	if (!s->can_effort) {
		app_flash(s, _("this agent has no such setting"));
	}
	return s->can_effort;
}

void effort_set(struct app_state *s, struct vy_str how, struct app_effects *fx)
{
	if (can_try(s)) {
		vy_json_set_str(app_call(s, fx, "threads.model"), "effort",
			vy_str_is(how, AUTO) ? VY_STR_LIT("") : how);
	}
}

static void add(struct app_state *s, const char *id, const char *label, struct vy_str now)
{
	bool is_here = strcmp(id, AUTO) == 0 ? now.n == 0 : vy_str_is(now, id);
	const char *detail = strcmp(id, "low") == 0    ? _("answers sooner, for less")
			     : strcmp(id, "high") == 0 ? _("takes its time")
						       : NULL;

	picker_add(&s->menu.picker, &(struct picker_item){ .id = id,
					    .mark = is_here ? "●" : "○",
					    .mark_role = is_here ? THEME_OK : THEME_DIM,
					    .label = label,
					    .detail = detail,
					    .is_here = is_here });
}

/* The model at hand, else the one that is named "default": an agent tells the models by the names one
 * chooses them by, and may call the one it runs otherwise. */
static const struct vy_json *model_of(const struct vy_json *models, struct vy_str now)
{
	const struct vy_json *found = NULL;

	for (size_t i = 0; i < vy_json_len(models); i++) {
		const struct vy_json *m = vy_json_at(models, i);
		struct vy_str id = vy_json_str(m, "id");

		if (vy_str_eq(id, now)) {
			return m;
		}
		found = vy_str_is(id, "default") ? m : found;
	}
	return found;
}

static void reply(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	const struct vy_json *words = vy_json_get(
		model_of(vy_json_get(result, "models"), vy_json_str(result, "model")), "efforts");
	struct vy_str now = vy_json_str(result, "effort");

	(void)fx;
	picker_clear(&s->menu.picker);
	for (size_t i = 0; i < vy_json_len(words); i++) {
		VY_AUTO_BUF word = VY_BUF_INIT(256);

		if (i == 0) {
			add(s, AUTO, _("as the agent likes"), now);
		}
		vy_buf_addstr(&word, vy_json_strval(vy_json_at(words, i)));
		add(s, vy_buf_c(&word), vy_buf_c(&word), now);
	}
	picker_choose(&s->menu.picker, now.n ? vy_json_cstr(result, "effort") : AUTO);
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	vy_json_set_c(menu_ask(s, "threads.model", fx), "session", s->session);
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	if (!it->is_here) {
		effort_set(s, vy_str_c(it->id), fx);
	}
}

static const struct menu_kind menu_effort = {
	.title = N_("How hard it tries"),
	.empty = N_("this model knows no other way"),
	.fill = fill,
	.reply = reply,
	.choose = choose,
};

void effort_open(struct app_state *s, struct app_effects *fx)
{
	if (s->menu.kind == &menu_effort) {
		menu_close(s);
	} else if (can_try(s)) {
		menu_open(s, &menu_effort, fx);
	}
}
