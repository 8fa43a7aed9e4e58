/* menu_history.c -- ctrl-r: what was said in this project, the newest first. */
#include <stdio.h>
#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/app/menu.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define TYPED_MAX 80 /* of a line that stands in the composer, to be sought at once */

static bool is_later(const struct composer *c, size_t i)
{
	for (size_t k = i + 1; k < c->n_history; k++) {
		if (strcmp(c->history[k], c->history[i]) == 0) {
			return true;
		}
	}
	return false;
}

/* Its lines as one: the list has a row for each. */
static void add_line(struct picker *p, const char *text, size_t i)
{
	char id[32], *line = vy_strdup(text);

	for (char *c = line; *c; c++) {
		*c = *c == '\n' || *c == '\t' ? ' ' : *c;
	}
	snprintf(id, sizeof(id), "%zu", i);
	picker_add(p, &(struct picker_item){ .id = id, .label = line });
	free(line);
}

static void fill(struct app_state *s, struct app_effects *fx)
{
	const struct composer *c = &s->composer;

	(void)fx;
	for (size_t i = c->n_history; i-- > 0;) {
		if (is_later(c, i)) {
			continue; /* the same said again stands where it was said last */
		}
		add_line(&s->menu.picker, c->history[i], i);
	}
	struct vy_str typed = edit_text(&c->edit);

	if (typed.n && typed.n <= TYPED_MAX && !memchr(typed.p, '\n', typed.n) &&
		c->at == c->n_history && !c->edit.n_chips) {
		picker_type(&s->menu.picker, typed);
	}
}

static void choose(struct app_state *s, const struct picker_item *it, struct app_effects *fx)
{
	(void)fx;
	composer_go(&s->composer, (size_t)strtoul(it->id, NULL, 10));
}

/* ctrl-r once more: the one before. */
static bool key(struct app_state *s, enum keymap_action a, const struct picker_item *it,
	struct app_effects *fx)
{
	(void)it;
	(void)fx;
	return a == ACTION_MENU_RENAME && picker_action(&s->menu.picker, ACTION_MENU_DOWN);
}

const struct menu_kind menu_history = {
	.title = N_("Said before"),
	.empty = N_("nothing was said in this project yet"),
	.fill = fill,
	.choose = choose,
	.key = key,
};
