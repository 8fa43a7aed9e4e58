/* menu_sessions.c -- see sessions.h: the switcher, and renaming from it. */
#include "tui/app/sessions.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/app/look.h"
#include "tui/app/say.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define MOST 2000 /* of one list */

/* ---- order ---- */

static bool needs_you(const struct vy_json *r)
{
	return vy_json_int(r, "asks", 0) > 0;
}

static int by_need(const void *a, const void *b)
{
	const struct vy_json *x = *(const struct vy_json *const *)a;
	const struct vy_json *y = *(const struct vy_json *const *)b;
	bool xa = vy_json_bool(x, "archived", false), ya = vy_json_bool(y, "archived", false);
	int64_t xu = vy_json_int(x, "updated", 0), yu = vy_json_int(y, "updated", 0);

	if (xa != ya) {
		return xa ? 1 : -1;
	}
	if (needs_you(x) != needs_you(y)) {
		return needs_you(x) ? -1 : 1;
	}
	return xu > yu ? -1 : xu < yu;
}

/* The records of an answer in the order they are shown; lent by it, the array is the caller's. */
static const struct vy_json **in_order(const struct vy_json *result, size_t *n)
{
	const struct vy_json *threads = vy_json_get(result, "threads");
	size_t len = vy_json_len(threads);

	*n = len < MOST ? len : MOST;
	const struct vy_json **list = vy_calloc(*n + 1, sizeof(struct vy_json *));

	for (size_t i = 0; i < *n; i++) {
		list[i] = vy_json_at(threads, i);
	}
	qsort(list, *n, sizeof(struct vy_json *), by_need);
	return list;
}

/* ---- opening ---- */

static void go_to(struct app_state *s, struct vy_str id, struct app_effects *fx)
{
	if (id.n && !vy_str_is(id, s->session)) {
		app_effect(fx, APP_OPEN)->text = vy_memdup0(id.p, id.n);
	}
}

void sessions_new(struct app_state *s, struct app_effects *fx)
{
	struct app_effect *e = app_effect(fx, APP_START);

	menu_close(s);
	e->word = "threads.start";
	e->tag = (struct app_tag){ APP_FOR_OPENING, 0 };
	e->params = vy_json_new_obj();
	vy_json_set_c(e->params, "provider", s->provider);
	vy_json_set_c(e->params, "cwd", s->cwd);
}

void sessions_number(struct app_state *s, unsigned n, struct app_effects *fx)
{
	(void)s;
	app_query(fx, "threads.list", (struct app_tag){ APP_FOR_OPENING, n });
}

void sessions_opened(struct app_state *s, uint32_t serial, const struct vy_json *result,
	const struct vy_err *e, struct app_effects *fx)
{
	char line[80];
	size_t n;

	if (!result) {
		app_failed(s, e->text);
		return;
	}
	if (serial == 0) {
		go_to(s, vy_json_str(result, "session"), fx);
		return;
	}
	const struct vy_json **list = in_order(result, &n);

	if (serial <= n) {
		menu_close(s);
		go_to(s, vy_json_str(list[serial - 1], "session"), fx);
	} else {
		snprintf(line, sizeof(line),
			words_count("there is %lld session", "there are %lld sessions", n),
			(long long)n);
		app_flash(s, line);
	}
	free(list);
}

/* ---- the list ---- */

static void fill(struct app_state *s, struct app_effects *fx)
{
	struct vy_json *p = menu_ask(s, "threads.list", fx);

	if (s->menu.is_wide) {
		struct vy_json *filter = vy_json_new_obj();

		vy_json_set_bool(filter, "archived", true);
		vy_json_take(p, "filter", filter);
	}
}

/* "2 asks", "working", "3 min": the one thing worth the right edge. */
static enum theme_role say_aside(const struct app_state *s, const struct vy_json *r,
	enum vy_state state, char *out, size_t room)
{
	int64_t asks = vy_json_int(r, "asks", 0);
	struct look look = look_of(state, false);

	if (vy_json_bool(r, "archived", false)) {
		snprintf(out, room, "%s", _("archived"));
		return THEME_DIM;
	}
	if (asks) {
		snprintf(out, room, asks > 1 ? _("needs you · %lld") : _("needs you"),
			(long long)asks);
		return THEME_WARN;
	}
	if (state == VY_STATE_WORKING || state == VY_STATE_STARTING || state == VY_STATE_FAILED) {
		snprintf(out, room, "%s", look.word);
		return look.role;
	}
	look_age(s->wall_ms - vy_json_int(r, "updated", s->wall_ms), out, room);
	return THEME_DIM;
}

static void say_preview(const struct vy_json *r, struct vy_buf *out)
{
	struct vy_str model = vy_json_str(r, "model"), provider = vy_json_str(r, "provider");
	long long queued = vy_json_int(r, "queued", 0), viewers = vy_json_int(r, "viewers", 0);

	vy_buf_addf(
		out, "%.*s%s%.*s", VY_STR_ARG(provider), model.n ? " · " : "", VY_STR_ARG(model));
	if (queued) {
		vy_buf_adds(out, "   ");
		vy_buf_addf(out, words_count("%lld queued", "%lld queued", queued), queued);
	}
	if (viewers) {
		vy_buf_adds(out, "   ");
		vy_buf_addf(out, words_count("%lld viewer", "%lld viewers", viewers), viewers);
	}
}

static void add_session(struct app_state *s, const struct vy_json *r, size_t number)
{
	VY_AUTO_BUF folder = VY_BUF_INIT(8192), preview = VY_BUF_INIT(8192);
	enum vy_record record = VY_RECORD_IDLE;
	char key[4] = "", aside[80];

	vy_record_parse(vy_json_str(r, "state"), &record);
	enum vy_state state = needs_you(r) ? VY_STATE_ASKING : vy_record_state(record);
	struct look look = look_of(state, false);

	look_folder(vy_json_cstr(r, "cwd"), s->home, &folder);
	say_preview(r, &preview);
	if (number <= 9) {
		snprintf(key, sizeof(key), "%zu", number);
	}
	struct picker_item it = { .id = vy_json_cstr(r, "session"),
		.key = key,
		.mark = look.mark,
		.mark_role = look.role,
		.label = vy_json_str(r, "title").n ? vy_json_cstr(r, "title") : _("new session"),
		.detail = vy_buf_c(&folder),
		.aside = aside,
		.preview = vy_buf_c(&preview) };

	it.aside_role = say_aside(s, r, state, aside, sizeof(aside));
	it.is_here = s->session && strcmp(it.id, s->session) == 0;
	picker_add(&s->menu.picker, &it);
}

static void reply(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	size_t n;

	if (!vy_json_get(result, "threads")) { /* something was archived: how does it look now? */
		menu_fill(s, fx);
		return;
	}
	const struct vy_json **list = in_order(result, &n);

	picker_clear(&s->menu.picker);
	for (size_t i = 0; i < n; i++) {
		add_session(s, list[i], i + 1);
	}
	free(list);
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	go_to(s, vy_str_c(it->id), fx);
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
		if (it) {
			archive(s, it, fx);
		}
		return true;
	case ACTION_MENU_ALL:
		s->menu.is_wide = !s->menu.is_wide;
		menu_fill(s, fx);
		return true;
	case ACTION_MENU_RENAME:
		if (it) {
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

static void hint(const struct app_state *s, struct vy_buf *out)
{
	menu_hint_key(s, out, ACTION_SESSION_NEW, _("new"));
	menu_hint_key(s, out, ACTION_MENU_RENAME, _("rename"));
	menu_hint_key(s, out, ACTION_MENU_DROP, _("archive"));
	menu_hint_key(s, out, ACTION_MENU_ALL, s->menu.is_wide ? _("fewer") : _("all"));
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
	menu_open(s, &menu_sessions, fx);
}

static const struct menu_kind menu_rename = {
	.title = N_("Another name for the session"),
	.empty = N_("enter takes it"),
	.fill = fill_nothing,
	.reply = renamed,
	.take = take_name,
};
