/* menu_thinking.c -- see thinking.h. A budget that is not in the list may be typed. */
#include "tui/app/thinking.h"

#include <stdio.h>
#include <string.h>

#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define LEAST 1024 /* as the method takes it: shared/rpc/methods.def */
#define MOST  1000000

/* ---- words ---- */

/* "16000", "16k": in tokens; false for anything else, or what no agent takes. */
static bool parse_tokens(struct vy_str how, long long *tokens)
{
	long long unit = 1;

	if (how.n && (how.p[how.n - 1] == 'k' || how.p[how.n - 1] == 'K')) {
		how.n--;
		unit = 1000;
	}
	if (how.n > 7 || !vy_parse_i64(how, tokens)) {
		return false;
	}
	*tokens *= unit;
	return *tokens >= LEAST && *tokens <= MOST;
}

static void say_tokens(long long tokens, char *out, size_t room)
{
	if (tokens % 1000 == 0) {
		snprintf(out, room, _("at most %lldk tokens"), tokens / 1000);
	} else {
		snprintf(out, room, _("at most %lld tokens"), tokens);
	}
}

void thinking_say(const char *how, char *out, size_t room)
{
	long long tokens = 0;

	if (how && parse_tokens(vy_str_c(how), &tokens)) {
		say_tokens(tokens, out, room);
	} else {
		snprintf(out, room, "%s",
			!how                      ? _("as the agent likes")
			: strcmp(how, "off") == 0 ? _("off")
						  : _("on"));
	}
}

/* ---- setting ---- */

static bool can_think(struct app_state *s)
{
	if (!s->can_think) {
		app_flash(s, _("this agent has no such setting"));
	}
	return s->can_think;
}

void thinking_set(struct app_state *s, struct vy_str how, struct app_effects *fx)
{
	bool is_word = vy_str_is(how, "on") || vy_str_is(how, "off");
	long long tokens = 0;

	if (!can_think(s)) {
		return;
	}
	if (!is_word && !parse_tokens(how, &tokens)) {
		app_flash(s, _("on, off, or how many tokens at most, from 1024 to 1000k"));
		return;
	}
	struct vy_json *p = app_call(s, fx, "threads.thinking");

	vy_json_set_str(p, "thinking", is_word ? how : VY_STR_LIT("on"));
	if (tokens) {
		vy_json_set_int(p, "tokens", tokens);
	}
}

/* ---- the list ---- */

static void add(struct app_state *s, const char *id, const char *detail)
{
	bool is_here = s->thinking && strcmp(s->thinking, id) == 0;
	char label[80];

	thinking_say(id, label, sizeof(label));
	picker_add(&s->menu.picker, &(struct picker_item){ .id = id,
					    .mark = is_here ? "●" : "○",
					    .mark_role = is_here ? THEME_OK : THEME_DIM,
					    .label = label,
					    .detail = detail,
					    .is_here = is_here });
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	static const char *const known[] = { "on", "off", "4000", "16000", "32000" };
	bool is_known = !s->thinking;

	(void)fx;
	for (size_t i = 0; i < VY_COUNT(known); i++) {
		add(s, known[i],
			i == 0   ? _("as much as it takes")
			: i == 1 ? _("answers at once")
				 : NULL);
		is_known = is_known || strcmp(s->thinking, known[i]) == 0;
	}
	if (!is_known) {
		add(s, s->thinking, NULL);
	}
	picker_choose(&s->menu.picker, s->thinking ? s->thinking : "on");
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	if (!it->is_here) {
		thinking_set(s, vy_str_c(it->id), fx);
	}
}

static void take(struct app_state *s, struct vy_str words, struct app_effects *fx)
{
	menu_close(s);
	if (words.n) {
		thinking_set(s, words, fx);
	}
}

/* A number means itself, whatever line of the list is like it: "2k" is in "32k". */
static bool key(struct app_state *s, enum keymap_action a, const struct picker_item *it,
	struct app_effects *fx)
{
	struct vy_str words = picker_sought(&s->menu.picker);
	long long tokens;

	if (a != ACTION_MENU_ACCEPT || !it || !parse_tokens(words, &tokens)) {
		return false;
	}
	thinking_set(s, words, fx);
	menu_close(s);
	return true;
}

static const struct menu_kind menu_thinking = {
	.title = N_("How much it thinks"),
	.empty = N_("enter takes it"),
	.fill = fill,
	.choose = choose,
	.take = take,
	.key = key,
};

void thinking_open(struct app_state *s, struct app_effects *fx)
{
	if (can_think(s)) {
		menu_open(s, &menu_thinking, fx);
	}
}
