/* menu_commands.c -- "/": the commands, ours and the agent's, while one is typed (suggest.h). */
#include "tui/app/suggest.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/app/command.h"
#include "tui/app/menu.h"
#include "tui/app/say.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static void add_all(struct app_state *s)
{
	struct command c;

	for (size_t i = 0; command_at(s, i, &c); i++) {
		VY_AUTO_BUF label = VY_BUF_INIT(1024);

		vy_buf_addf(&label, "/%s", c.name);
		picker_add(&s->menu.picker, &(struct picker_item){ .id = c.name,
						    .label = vy_buf_c(&label),
						    .detail = c.is_ours ? _(c.help) : c.help,
						    .aside = c.words[0] ? c.words : NULL,
						    .aside_role = THEME_DIM });
	}
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	add_all(s);
	command_ask(s, fx);
}

static void changed(struct app_state *s)
{
	picker_clear(&s->menu.picker);
	add_all(s);
}

static bool follow(struct app_state *s, struct vy_str *sought, struct app_effects *fx)
{
	struct complete_word w = complete_at(&s->composer.edit);

	(void)fx;
	*sought = w.query;
	return w.kind == COMPLETE_COMMAND;
}

static bool find(const struct app_state *s, const char *name, struct command *out)
{
	for (size_t i = 0; command_at(s, i, out); i++) {
		if (strcmp(out->name, name) == 0) {
			return true;
		}
	}
	return false;
}

static void put(struct app_state *s, const struct picker_item *it, bool is_whole)
{
	struct complete_word w = complete_at(&s->composer.edit);

	if (w.kind == COMPLETE_COMMAND) {
		complete_put(&s->composer.edit, &w, vy_str_c(it->id), is_whole);
	}
	menu_close(s);
}

static void complete(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	(void)fx;
	put(s, it, false);
}

/* One that wants words gets them first; one that was typed whole, or takes none, is done. */
static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	struct complete_word w = complete_at(&s->composer.edit);
	struct command c = { 0 };
	bool is_whole = vy_str_is(w.query, it->id) || !find(s, it->id, &c) || !c.words[0];

	put(s, it, is_whole);
	if (is_whole) {
		app_say(s, fx);
	}
}

const struct menu_kind menu_commands = {
	.title = N_("Commands"),
	.is_inline = true,
	.fill = fill,
	.changed = changed,
	.follow = follow,
	.choose = choose,
	.complete = complete,
};
