/* menu_tasks.c -- what runs in the background of the session, what it said, and how to end it. The list is part
 * of what the server tells by itself, so it is always as it is now. */
#include "tui/app/menu.h"

#include <stdio.h>

#include "tui/app/hint.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static bool is_over(struct vy_str status)
{
	return !vy_str_is(status, "running") && !vy_str_is(status, "starting");
}

static void list(struct app_state *s)
{
	picker_clear(&s->menu.picker);
	for (size_t i = 0; i < vy_json_len(s->tasks); i++) {
		const struct vy_json *t = vy_json_at(s->tasks, i);
		struct vy_str text = vy_json_str(t, "text"), status = vy_json_str(t, "status");
		bool over = is_over(status);
		struct picker_item it = { .id = vy_json_cstr(t, "task"),
			.mark = over ? "○" : "●",
			.mark_role = over ? THEME_DIM : THEME_OK,
			.label = text.n ? vy_json_cstr(t, "text") : vy_json_cstr(t, "task"),
			.aside = vy_json_cstr(t, "status"),
			.aside_role = over ? THEME_DIM : THEME_OK,
			.preview = vy_json_cstr(t, "kind"),
			.is_done = over };

		picker_add(&s->menu.picker, &it);
	}
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	(void)fx;
	list(s);
}

static bool key(struct app_state *s, enum keymap_action a, const struct picker_item *it,
	struct app_effects *fx)
{
	char line[300];

	if (a != ACTION_MENU_DROP) {
		return false;
	}
	if (it && !it->is_done) {
		vy_json_set_c(app_call(s, fx, "threads.kill_task"), "task", it->id);
		snprintf(line, sizeof(line), _("ending: %.200s"), it->label);
		app_flash(s, line);
	}
	return true;
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	struct app_tag tag = { APP_FOR_OUTPUT, s->n_opened };
	struct vy_json *p = app_query(fx, "threads.task_output", tag);

	vy_json_set_c(p, "session", s->session);
	vy_json_set_c(p, "task", it->id);
}

static void hint(struct app_state *s, struct vy_buf *out)
{
	const struct picker_item *it = picker_chosen(&s->menu.picker);

	if (it && !it->is_done) {
		hint_add(&s->keymap, out, ACTION_MENU_DROP, _("end it"));
	}
}

const struct menu_kind menu_tasks = {
	.title = N_("In the background"),
	.empty = N_("nothing runs in the background"),
	.fill = fill,
	.changed = list,
	.choose = choose,
	.key = key,
	.hint = hint,
};
