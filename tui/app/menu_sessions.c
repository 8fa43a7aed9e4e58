/* menu_sessions.c -- the switcher, and renaming from it. */
#include "tui/app/menu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/app/back.h"
#include "tui/app/column.h"
#include "tui/app/hint.h"
#include "tui/app/left.h"
#include "tui/app/look.h"
#include "tui/app/say.h"
#include "tui/app/sessions.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* ---- the list ---- */

static void say_preview(const struct app_state *s, const struct roster_row *r, struct vy_buf *out)
{
	vy_buf_addf(out, "%.*s%s%.*s", VY_STR_ARG(r->provider), r->model.n ? " · " : "",
		VY_STR_ARG(r->model));
	if (r->queued) {
		vy_buf_adds(out, "   ");
		vy_buf_addf(out, words_count("%lld queued", "%lld queued", r->queued),
			(long long)r->queued);
	}
	if (r->viewers) {
		vy_buf_adds(out, "   ");
		vy_buf_addf(out, words_count("%lld viewer", "%lld viewers", r->viewers),
			(long long)r->viewers);
	}
	if (r->left_by.n) {
		vy_buf_addf(out, _("   from a terminal: %.*s"), VY_STR_ARG(r->left_by));
	}
	if (r->from.n) {
		vy_buf_adds(out, "   ⎇ ");
		back_say_origin(s, r->from, out);
	}
}

static void add_session(struct app_state *s, const struct roster_row *r, size_t number)
{
	VY_AUTO_BUF folder = VY_BUF_INIT(8192), preview = VY_BUF_INIT(8192);
	struct look look = roster_look(r);
	char key[4] = "", aside[80];

	look_folder(r->cwd.p, s->home, &folder);
	say_preview(s, r, &preview);
	if (number <= 9) {
		snprintf(key, sizeof(key), "%zu", number);
	}
	struct picker_item it = { .id = r->session.p,
		.key = key,
		.mark = look.mark,
		.mark_role = look.role,
		.label = roster_title(r).p,
		.detail = vy_buf_c(&folder),
		.aside = aside,
		.preview = vy_buf_c(&preview) };

	it.aside_role = roster_aside(r, s->wall_ms, false, aside, sizeof(aside));
	if (cell_width(s->pool, vy_str_c(aside)) > s->chat_cols / 2 && s->chat_cols > 0) {
		roster_aside(r, s->wall_ms, true, aside, sizeof(aside));
	}
	it.is_here = s->session && vy_str_is(r->session, s->session);
	picker_add(&s->menu.picker, &it);
}

static void add_all(struct app_state *s, const struct roster *r)
{
	picker_clear(&s->menu.picker);
	for (size_t i = 0; i < r->n; i++) {
		add_session(s, &r->rows[i], i + 1);
	}
	if (!s->menu.is_wide) {
		left_add(s);
	}
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	if (!s->menu.is_wide && s->column.is_known) { /* at once; who looks is told by the answer */
		add_all(s, &s->column.roster);
	}
	if (!s->menu.is_wide) {
		left_ask(s, fx);
	}
	struct vy_json *p = menu_ask(s, "threads.list", fx);

	s->menu.asked = column_mark(s);
	if (s->menu.is_wide) {
		struct vy_json *filter = vy_json_new_obj();

		vy_json_set_bool(filter, "archived", true);
		vy_json_take(p, "filter", filter);
	}
}

void menu_sessions_told(struct app_state *s)
{
	if (s->menu.kind == &menu_sessions && !s->menu.is_wide && s->column.is_known) {
		add_all(s, &s->column.roster);
	}
}

/* Answers overtake each other: the list of before the person asked for the other one is no answer. */
static bool is_asked(const struct app_state *s, const struct vy_json *threads)
{
	const struct vy_json *first = vy_json_at(threads, 0);

	return !first || vy_json_bool(first, "archived", false) == s->menu.is_wide;
}

static void reply(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	const struct vy_json *threads = vy_json_get(result, "threads");
	struct roster archived;

	if (!threads) { /* something was archived: how does it look now? */
		column_stale(s);
		menu_fill(s, fx);
		return;
	}
	if (!is_asked(s, threads)) {
		return;
	}
	if (!s->menu.is_wide) { /* the column shows the same */
		column_list(s, result, s->menu.asked);
		add_all(s, &s->column.roster);
		return;
	}
	roster_init(&archived);
	roster_read(&archived, result, &s->seen);
	add_all(s, &archived);
	roster_fini(&archived);
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	if (!left_choose(s, it, fx)) {
		sessions_go(s, vy_str_c(it->id), fx);
	}
}

static const struct menu_kind menu_rename;

static void archive(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	bool is_archived = it->aside && strcmp(it->aside, _("archived")) == 0;
	struct vy_json *p = menu_ask(s, is_archived ? "threads.unarchive" : "threads.archive", fx);

	vy_json_set_c(p, "session", it->id);
}

static bool key(struct app_state *s, enum keymap_action a, const struct picker_item *it,
	struct app_effects *fx)
{
	switch ((int)a) {
	case ACTION_MENU_DROP:
		if (it && !left_is(it)) {
			archive(s, it, fx);
		}
		return true;
	case ACTION_MENU_ALL:
		s->menu.is_wide = !s->menu.is_wide;
		menu_fill(s, fx);
		return true;
	case ACTION_MENU_RENAME:
		if (it && !left_is(it)) {
			char *id = vy_strdup(it->id), *label = vy_strdup(it->label);

			menu_open(s, &menu_rename, fx);
			s->menu.about = id;
			picker_type(&s->menu.picker, vy_str_c(label));
			free(label);
		}
		return true;
	default: return false;
	}
}

static void hint(struct app_state *s, struct vy_buf *out)
{
	hint_add(&s->keymap, out, ACTION_SESSION_NEW, _("new"));
	if (picker_chosen(&s->menu.picker) && !left_is(picker_chosen(&s->menu.picker))) {
		hint_add(&s->keymap, out, ACTION_MENU_RENAME, _("rename"));
		hint_add(&s->keymap, out, ACTION_MENU_DROP, _("archive"));
	}
	hint_add(&s->keymap, out, ACTION_MENU_ALL, s->menu.is_wide ? _("fewer") : _("all"));
}

const struct menu_kind menu_sessions = {
	.title = N_("Sessions"),
	.empty = N_("no session yet"),
	.fill = fill,
	.reply = reply,
	.choose = choose,
	.key = key,
	.hint = hint,
};

/* ---- another name ---- */

static void fill_nothing(struct app_state *s, struct app_effects *fx)
{
	(void)s, (void)fx;
}

static void take_name(struct app_state *s, struct vy_str words, struct app_effects *fx)
{
	struct vy_json *p = menu_ask(s, "threads.rename", fx);

	vy_json_set_c(p, "session", s->menu.about);
	vy_json_set_str(p, "title", words);
}

static void renamed(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	if (s->session && vy_str_is(vy_json_str(result, "session"), s->session)) {
		app_record(s, result);
	}
	column_stale(s);
	menu_open(s, &menu_sessions, fx);
}

static const struct menu_kind menu_rename = {
	.title = N_("Another name for the session"),
	.empty = N_("enter takes it"),
	.fill = fill_nothing,
	.reply = renamed,
	.take = take_name,
};
