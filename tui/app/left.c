/* left.c -- see left.h. */
#include "tui/app/left.h"

#include <stdio.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/app/look.h"
#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/words/adopted.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define LIMIT      500
#define PATIENCE_S 120 /* a long history is read and stored */
#define SIGN       "left:" /* what stands before "PROVIDER:ID" in an item's id; no session is called so */

void left_fini(struct left *l)
{
	vy_json_free(l->list);
	*l = (struct left){ 0 };
}

void left_ask(struct app_state *s, struct app_effects *fx)
{
	if (!s->left.is_none) {
		vy_json_set_int(
			app_query(fx, "threads.adoptable", (struct app_tag){ APP_FOR_LEFT, 0 }),
			"limit", LIMIT);
	}
}

void left_told(struct app_state *s, const struct vy_json *result, const struct vy_err *e)
{
	if (!result) {
		s->left.is_none |= e->code == VY_UNSUPPORTED || e->code == VY_NOT_FOUND;
		return;
	}
	vy_json_free(s->left.list);
	s->left.list = vy_json_copy(vy_json_get(result, "sessions"));
	menu_sessions_told(s);
}

/* ---- in the switcher ---- */

static void say_aside(const struct vy_json *row, int64_t wall_ms, char *out, size_t room)
{
	struct vy_str program = vy_json_str(row, "provider");
	char age[40];

	look_age(wall_ms - vy_json_int(row, "updated", wall_ms), age, sizeof(age));
	/* TRANSLATORS: where a session was begun: "terminal: claude · 5 min" */
	int n = snprintf(out, room, _("terminal: %.*s"), VY_STR_ARG(program));

	if (n > 0 && (size_t)n < room) {
		snprintf(out + n, room - (size_t)n, " · %s",
			vy_json_bool(row, "open", false)   ? _("open elsewhere")
			: vy_json_bool(row, "gone", false) ? _("its folder is gone")
							   : age);
	}
}

static void add_one(struct app_state *s, const struct vy_json *row)
{
	VY_AUTO_BUF id = VY_BUF_INIT(1024), folder = VY_BUF_INIT(8192), line = VY_BUF_INIT(16384);
	const char *title = vy_json_cstr(row, "title"), *cwd = vy_json_cstr(row, "cwd");
	bool is_open = vy_json_bool(row, "open", false);
	char aside[120];

	vy_buf_addf(&id, SIGN "%.*s:%.*s", VY_STR_ARG(vy_json_str(row, "provider")),
		VY_STR_ARG(vy_json_str(row, "id")));
	if (cwd) {
		look_folder(cwd, s->home, &folder);
	}
	(void)adopted_command(row, &line);
	say_aside(row, s->wall_ms, aside, sizeof(aside));
	const struct picker_item it = { .id = vy_buf_c(&id),
		.mark = s->is_ascii ? ">" : "❯",
		.mark_role = is_open ? THEME_QUEUE : THEME_DIM,
		.label = title ? title : _("new session"),
		.detail = vy_buf_c(&folder),
		.aside = aside,
		.aside_role = is_open ? THEME_QUEUE : THEME_DIM,
		.preview = vy_buf_c(&line),
		.is_off = vy_json_cstr(row, "why") != NULL };

	picker_add(&s->menu.picker, &it);
}

void left_add(struct app_state *s)
{
	for (size_t i = 0; i < vy_json_len(s->left.list); i++) {
		const struct vy_json *row = vy_json_at(s->left.list, i);

		if (!vy_json_cstr(row, "session")) {
			add_one(s, row);
		}
	}
}

bool left_is(const struct picker_item *it)
{
	return it && it->id && strncmp(it->id, SIGN, strlen(SIGN)) == 0;
}

bool left_choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	if (!left_is(it)) {
		return false;
	}
	const char *at = it->id + strlen(SIGN), *colon = strchr(at, ':');
	struct app_effect *e = app_effect(fx, APP_QUERY);

	e->word = "threads.adopt";
	e->number = PATIENCE_S;
	e->tag = (struct app_tag){ APP_FOR_OPENING, 0 };
	e->params = vy_json_new_obj();
	vy_json_set_str(e->params, "provider", vy_str_n(at, colon ? (size_t)(colon - at) : 0));
	vy_json_set_c(e->params, "id", colon ? colon + 1 : "");
	app_flash(s, it->aside_role == THEME_QUEUE ? _("open elsewhere: what you say waits until "
						       "that has ended; /fork goes on")
						   : _("its history is read …"));
	return true;
}

/* ---- back into a terminal ---- */

void left_resume(struct app_state *s, struct app_effects *fx)
{
	vy_json_set_c(app_query(fx, "threads.get", (struct app_tag){ APP_FOR_RESUME, s->n_opened }),
		"session", s->session);
}

void left_resume_told(struct app_state *s, const struct vy_json *record, const struct vy_err *e,
	struct app_effects *fx)
{
	VY_AUTO_BUF line = VY_BUF_INIT(16384);
	struct vy_str state = vy_json_str(record, "state"), is = vy_json_str(record, "process");

	if (!record) {
		app_failed(s, e->text);
		return;
	}
	if (!adopted_command(record, &line)) {
		app_flash(s,
			_("this agent has no command that goes on with a session in a terminal"));
		return;
	}
	if (vy_str_is(state, "running") || vy_str_is(state, "waiting")) {
		app_flash(s, _("it is at work: wait for the end of its turn, or interrupt it"));
		return;
	}
	if (is.n && !vy_str_is(is, "absent")) { /* two at once would tear it apart */
		app_call(s, fx, "threads.stop");
	}
	struct app_effect *copy = app_effect(fx, APP_COPY);

	copy->text = vy_strdup(vy_buf_c(&line));
	copy->word = "command"; /* to be seen, too */
}
