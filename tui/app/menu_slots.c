/* menu_slots.c -- how many subagents and teammates may work, who does and who waits (ledger.h). A limit is
 * changed by choosing it; a session is gone to. */
#include "tui/app/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "tui/app/hint.h"
#include "tui/app/look.h"
#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/app/sessions.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* An id says what the line is: a limit "=teammate/PROJECT", or "SESSION holder". */
#define LIMIT      '='
#define SLOTS_MOST 1000000

static const struct menu_kind menu_limit;

static bool is_limit(const struct picker_item *it)
{
	return it && it->id[0] == LIMIT;
}

static const char *kind_word(struct vy_str kind)
{
	return vy_str_is(kind, "teammate") ? _("teammates") : _("subagents");
}

static void add_limit(struct app_state *s, const struct vy_json *o)
{
	VY_AUTO_BUF id = VY_BUF_INIT(1024), label = VY_BUF_INIT(1024), use = VY_BUF_INIT(256);
	VY_AUTO_BUF wait = VY_BUF_INIT(256);
	struct vy_str kind = vy_json_str(o, "kind"), project = vy_json_str(o, "project");
	long long limit = vy_json_int(o, "limit", 0), used = vy_json_int(o, "used", 0);
	long long waiting = vy_json_int(o, "waiting", 0);

	vy_buf_addf(&id, "%c%.*s/%.*s", LIMIT, VY_STR_ARG(kind), VY_STR_ARG(project));
	vy_buf_addf(
		&label, "%s%s%.*s", kind_word(kind), project.n ? " · " : "", VY_STR_ARG(project));
	if (limit > 0) {
		vy_buf_addf(&use, _("%lld of %lld at work"), used, limit);
	} else {
		vy_buf_addf(&use, _("%lld at work, no limit"), used);
	}
	if (waiting) {
		vy_buf_addf(&wait, words_count("%lld waits", "%lld wait", waiting), waiting);
	}
	picker_add(&s->menu.picker,
		&(struct picker_item){ .id = vy_buf_c(&id),
			.mark = "▦",
			.mark_role = THEME_DIM,
			.label = vy_buf_c(&label),
			.detail = vy_buf_c(&use),
			.aside = wait.len              ? vy_buf_c(&wait)
				 : ledger_is_narrow(s) ? vy_buf_c(&use)
						       : NULL,
			.aside_role = THEME_QUEUE,
			.preview = vy_str_is(vy_json_str(o, "from"), "set")
					   ? _("set by a person; enter changes it")
					   : _("as the configuration has it; enter changes it") });
}

static void add_place(struct app_state *s, const struct vy_json *o, bool is_waiting)
{
	struct vy_str session = vy_json_str(o, "session"), kind = vy_json_str(o, "kind");
	const struct roster_row *row = roster_find(&s->column.roster, session);
	VY_AUTO_BUF id = VY_BUF_INIT(1024), label = VY_BUF_INIT(8192), line = VY_BUF_INIT(256);
	char age[40];

	vy_buf_addf(&id, "%.*s %.*s", VY_STR_ARG(session), VY_STR_ARG(vy_json_str(o, "holder")));
	vy_buf_addstr(&label, row ? roster_title(row) : session);
	look_age(s->wall_ms - vy_json_int(o, "since", s->wall_ms), age, sizeof(age));
	if (is_waiting) {
		struct standing st = { .kind = STANDING_PLACE,
			.position = vy_json_int(o, "position", 0) };

		standing_words(&st, s->wall_ms, true, &line);
	}
	picker_add(&s->menu.picker,
		&(struct picker_item){ .id = vy_buf_c(&id),
			.mark = is_waiting ? "⧗" : "●",
			.mark_role = is_waiting ? THEME_QUEUE : THEME_OK,
			.label = vy_buf_c(&label),
			.detail = vy_str_is(kind, "teammate") ? _("a teammate") : _("a subagent"),
			.aside = is_waiting ? vy_buf_c(&line) : age,
			.aside_role = is_waiting ? THEME_QUEUE : THEME_DIM,
			.preview = _("enter goes to that session") });
}

static void reply(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	const struct vy_json *slots = vy_json_get(result, "slots");
	const struct vy_json *holders = vy_json_get(result, "holders");
	const struct vy_json *waiting = vy_json_get(result, "waiting");

	if (!slots) { /* a limit was given back to the configuration */
		menu_fill(s, fx);
		return;
	}
	picker_clear(&s->menu.picker);
	for (size_t i = 0; i < vy_json_len(slots); i++) {
		add_limit(s, vy_json_at(slots, i));
	}
	for (size_t i = 0; i < vy_json_len(holders); i++) {
		add_place(s, vy_json_at(holders, i), false);
	}
	for (size_t i = 0; i < vy_json_len(waiting); i++) {
		add_place(s, vy_json_at(waiting, i), true);
	}
	menu_choose_about(s);
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	menu_ask(s, "sessions.slots", fx);
}

/* The parameters that name a limit: of its line's id. */
static void name_limit(struct vy_json *p, const char *id)
{
	const char *slash = strchr(id, '/');
	size_t n = slash ? (size_t)(slash - id) - 1 : strlen(id) - 1;

	vy_json_set_str(p, "kind", vy_str_n(id + 1, n));
	if (slash && slash[1]) {
		vy_json_set_c(p, "project", slash + 1);
	}
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	if (is_limit(it)) {
		menu_open(s, &menu_limit, fx);
		s->menu.about = vy_strdup(it->id);
	} else {
		const char *blank = strchr(it->id, ' ');

		sessions_go(s, vy_str_n(it->id, blank ? (size_t)(blank - it->id) : 0), fx);
	}
}

static bool key(struct app_state *s, enum keymap_action a, const struct picker_item *it,
	struct app_effects *fx)
{
	if (a != ACTION_MENU_DROP) {
		return false;
	}
	if (is_limit(it)) {
		char *id = vy_strdup(it->id);

		name_limit(menu_ask(s, "sessions.slots.set", fx), id);
		free(id);
	}
	return true;
}

static void hint(struct app_state *s, struct vy_buf *out)
{
	if (is_limit(picker_chosen(&s->menu.picker))) {
		hint_add(&s->keymap, out, ACTION_MENU_DROP, _("as configured"));
	}
}

const struct menu_kind menu_slots = {
	.title = N_("Places of subagents and teammates"),
	.empty = N_("nobody works, nobody waits"),
	.fill = fill,
	.reply = reply,
	.choose = choose,
	.key = key,
	.hint = hint,
};

/* ---- another limit ---- */

static void fill_nothing(struct app_state *s, struct app_effects *fx)
{
	(void)s, (void)fx;
}

/* "none" is 0; -1: no number. */
static int64_t limit_of(struct vy_str words)
{
	long long n = 0;

	if (vy_str_is(words, "none")) {
		return 0;
	}
	return vy_parse_i64(words, &n) && n >= 0 && n <= SLOTS_MOST ? n : -1;
}

static void take_limit(struct app_state *s, struct vy_str words, struct app_effects *fx)
{
	int64_t limit = limit_of(words);

	if (limit < 0) {
		app_flash(s, _("a number, or none"));
		return;
	}
	struct vy_json *p = menu_ask(s, "sessions.slots.set", fx);

	name_limit(p, s->menu.about);
	vy_json_set_int(p, "limit", limit);
}

static void limit_told(struct app_state *s, const struct vy_json *result, struct app_effects *fx)
{
	char *id = vy_strdup(s->menu.about);

	(void)result;
	menu_open(s, &menu_slots, fx);
	s->menu.about = id; /* to be chosen again */
}

static const struct menu_kind menu_limit = {
	.title = N_("How many may work at once (a number, or none)"),
	.empty = N_("enter takes it"),
	.fill = fill_nothing,
	.reply = limit_told,
	.take = take_limit,
};
