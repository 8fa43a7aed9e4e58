/* menu_models.c -- which model a new session of each purpose begins with, and who said so (ledger.h): of
 * this project, or of all. */
#include "tui/app/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/app/hint.h"
#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static const struct menu_kind menu_purpose;

static const char *purpose_word(const char *purpose)
{
	static const char *const words[][2] = { { "chat", N_("chat with a person") },
		{ "agent", N_("started by an agent") }, { "project", N_("work on a project") },
		{ "capsule", N_("capsules") }, { "job", N_("jobs") }, { "memory", N_("memory") },
		{ "planner", N_("planning") }, { "learn", N_("learning") } };

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		if (strcmp(words[i][0], purpose) == 0) {
			return _(words[i][1]);
		}
	}
	return NULL;
}

static const char *from_word(struct vy_str from)
{
	return vy_str_is(from, "project")  ? _("set for the project")
	       : vy_str_is(from, "set")    ? _("set for all")
	       : vy_str_is(from, "config") ? _("from the configuration")
					   : _("as vyred has it");
}

static void add(struct app_state *s, const struct vy_json *o)
{
	struct vy_str from = vy_json_str(o, "from");
	const char *purpose = vy_json_cstr(o, "purpose"), *model = vy_json_cstr(o, "model");
	bool is_set = vy_str_is(from, "set") || vy_str_is(from, "project");

	if (purpose) {
		picker_add(&s->menu.picker,
			&(struct picker_item){ .id = purpose,
				.mark = is_set ? "●" : "○",
				.mark_role = is_set ? THEME_OK : THEME_DIM,
				.label = purpose,
				.detail = model ? model : _("the agent's own"),
				.aside = ledger_is_narrow(s) ? model : from_word(from),
				.aside_role = THEME_DIM,
				.preview = purpose_word(purpose) });
	}
}

static void reply(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	const struct vy_json *models = vy_json_get(result, "models");

	if (!models) { /* one was given back */
		menu_fill(s, fx);
		return;
	}
	picker_clear(&s->menu.picker);
	for (size_t i = 0; i < vy_json_len(models); i++) {
		add(s, vy_json_at(models, i));
	}
	menu_choose_about(s);
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	ledger_put_project(s, menu_ask(s, "sessions.models.get", fx));
}

static void set_model(struct app_state *s, const char *purpose, const char *project,
	struct vy_str model, struct app_effects *fx)
{
	struct vy_json *p = menu_ask(s, "sessions.models.set", fx);

	vy_json_set_c(p, "purpose", purpose);
	if (model.n) {
		vy_json_set_str(p, "model", model);
	}
	if (project) {
		vy_json_set_c(p, "project", project);
	}
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	bool is_wide = s->menu.is_wide;

	menu_open(s, &menu_purpose, fx);
	s->menu.about = vy_strdup(it->id);
	s->menu.is_wide = is_wide;
}

static bool key(struct app_state *s, enum keymap_action a, const struct picker_item *it,
	struct app_effects *fx)
{
	if (a == ACTION_MENU_ALL && s->stand.project) {
		s->menu.is_wide = !s->menu.is_wide;
		menu_fill(s, fx);
		return true;
	}
	if (a == ACTION_MENU_DROP && it) {
		char *purpose = vy_strdup(it->id);

		set_model(s, purpose, ledger_project(s), vy_str_n(NULL, 0), fx);
		free(purpose);
		return true;
	}
	return a == ACTION_MENU_DROP;
}

static void hint(struct app_state *s, struct vy_buf *out)
{
	if (picker_chosen(&s->menu.picker)) {
		hint_add(&s->keymap, out, ACTION_MENU_DROP, _("as configured"));
	}
	if (s->stand.project) {
		hint_add(&s->keymap, out, ACTION_MENU_ALL,
			s->menu.is_wide ? _("this project") : _("all projects"));
	}
}

const struct menu_kind menu_models = {
	.title = N_("Models for each purpose"),
	.empty = N_("nothing is known yet"),
	.fill = fill,
	.reply = reply,
	.choose = choose,
	.key = key,
	.hint = hint,
};

/* ---- another model for one ---- */

static void fill_purpose(struct app_state *s, struct app_effects *fx)
{
	vy_json_set_c(menu_ask(s, "threads.model", fx), "session", s->session);
}

static void told(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	const struct vy_json *models = vy_json_get(result, "models");

	if (vy_json_get(result, "purpose")) { /* it is set */
		bool is_wide = s->menu.is_wide;
		char *purpose = vy_strdup(s->menu.about);

		menu_open(s, &menu_models, fx);
		s->menu.about = purpose; /* to be chosen again */
		if (is_wide) {
			s->menu.is_wide = true;
			menu_fill(s, fx);
		}
		return;
	}
	picker_clear(&s->menu.picker);
	for (size_t i = 0; i < vy_json_len(models); i++) {
		const struct vy_json *m = vy_json_at(models, i);
		struct vy_str name = vy_json_str(m, "name");

		picker_add(&s->menu.picker,
			&(struct picker_item){ .id = vy_json_cstr(m, "id"),
				.mark = "○",
				.mark_role = THEME_DIM,
				.label = name.n ? vy_json_cstr(m, "name") : vy_json_cstr(m, "id"),
				.detail = vy_json_cstr(m, "text") });
	}
}

/* The menu is closed when something was chosen of it: its words are taken over first. */
static void take(struct app_state *s, struct vy_str words, struct app_effects *fx)
{
	if (s->menu.about) {
		set_model(s, s->menu.about, ledger_project(s), words, fx);
	}
}

static bool take_chosen(struct app_state *s, enum keymap_action a, const struct picker_item *it,
	struct app_effects *fx)
{
	if (a != ACTION_MENU_ACCEPT || !it) {
		return false;
	}
	char *id = vy_strdup(it->id);

	take(s, vy_str_c(id), fx);
	free(id);
	return true;
}

static void hint_purpose(struct app_state *s, struct vy_buf *out)
{
	hint_add(&s->keymap, out, ACTION_MENU_ACCEPT, _("takes it, or the name typed"));
}

static const struct menu_kind menu_purpose = {
	.title = N_("The model for it"),
	.empty = N_("the agent names none; type one, enter takes it"),
	.fill = fill_purpose,
	.reply = told,
	.take = take,
	.key = take_chosen,
	.hint = hint_purpose,
};
