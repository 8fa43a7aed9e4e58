/* menu.c -- see menu.h: what is the same for every kind. */
#include "tui/app/menu.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/app/back.h"
#include "tui/app/hint.h"
#include "tui/app/ledger.h"
#include "tui/app/say.h"
#include "tui/app/state.h"
#include "tui/app/suggest.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

static const struct {
	enum keymap_action action;
	const struct menu_kind *kind;
} openers[] = {
	{ ACTION_SWITCHER, &menu_sessions },
	{ ACTION_MODEL, &menu_model },
	{ ACTION_TODOS, &menu_todos },
	{ ACTION_TASKS, &menu_tasks },
	{ ACTION_HISTORY, &menu_history },
	{ ACTION_REWIND, &menu_back },
	{ ACTION_USAGE, &menu_usage },
};

/* ---- life ---- */

void menu_init(struct menu *m)
{
	*m = (struct menu){ 0 };
	picker_init(&m->picker);
}

void menu_fini(struct menu *m)
{
	picker_fini(&m->picker);
	free(m->about);
	*m = (struct menu){ 0 };
}

bool menu_is_open(const struct app_state *s)
{
	return s->menu.kind != NULL;
}

void menu_fill(struct app_state *s, struct app_effects *fx)
{
	s->menu.kind->fill(s, fx);
	menu_follow(s, fx);
}

void menu_open(struct app_state *s, const struct menu_kind *kind, struct app_effects *fx)
{
	struct menu *m = &s->menu;

	menu_close(s);
	m->serial++;
	m->kind = kind;
	m->is_wide = false;
	s->flash_until_ms = s->now_ms; /* what a key before this one came to */
	picker_begin(&m->picker, kind->title ? _(kind->title) : NULL,
		kind->empty ? _(kind->empty) : NULL);
	s->panel.is_focused = false;
	s->focus = APP_MENU;
	s->flash_until_ms = s->now_ms; /* its hints stand there now */
	menu_fill(s, fx);
}

void menu_close(struct app_state *s)
{
	struct menu *m = &s->menu;

	if (!m->kind) {
		return;
	}
	m->kind = NULL;
	m->serial++;
	free(m->about);
	m->about = NULL;
	picker_begin(&m->picker, NULL, NULL);
	if (s->focus == APP_MENU) {
		s->focus = APP_COMPOSER;
	}
}

struct vy_json *menu_ask(struct app_state *s, const char *method, struct app_effects *fx)
{
	s->menu.picker.is_waiting = true;
	return app_query(fx, method, (struct app_tag){ APP_FOR_MENU, s->menu.serial });
}

void menu_choose_about(struct app_state *s)
{
	if (s->menu.about) {
		picker_choose(&s->menu.picker, s->menu.about);
		free(s->menu.about);
		s->menu.about = NULL;
	}
}

/* ---- what it hears ---- */

void menu_reply(struct app_state *s, uint32_t serial, const struct vy_json *result,
	const struct vy_err *e, struct app_effects *fx)
{
	struct menu *m = &s->menu;

	if (!m->kind || serial != m->serial) {
		return;
	}
	m->picker.is_waiting = false;
	if (!result) {
		picker_fail(&m->picker, e->text);
	} else if (m->kind->reply) {
		m->kind->reply(s, result, fx);
	}
	menu_follow(s, fx);
}

void menu_changed(struct app_state *s)
{
	if (s->menu.kind && s->menu.kind->changed) {
		s->menu.kind->changed(s);
	}
}

void menu_follow(struct app_state *s, struct app_effects *fx)
{
	struct menu *m = &s->menu;
	struct vy_str sought = { 0 };

	if (!m->kind || !m->kind->is_inline) {
		return;
	}
	if (m->kind->follow(s, &sought, fx)) {
		picker_seek(&m->picker, sought);
	} else {
		menu_close(s);
	}
}

/* ---- keys ---- */

bool menu_opener(struct app_state *s, enum keymap_action a, struct app_effects *fx)
{
	for (size_t i = 0; i < VY_COUNT(openers); i++) {
		if (openers[i].action == a) {
			if (s->menu.kind == openers[i].kind) {
				menu_close(s);
			} else if (a != ACTION_REWIND || back_may(s)) {
				menu_open(s, openers[i].kind, fx);
			}
			return true;
		}
	}
	return false;
}

/* A copy that outlives the list: choosing closes it, and may open another. */
struct choice {
	struct picker_item item;
	struct picker holder;
};

static void copy_choice(struct choice *c, const struct picker_item *it)
{
	picker_init(&c->holder);
	picker_add(&c->holder, it);
	c->item = *picker_at(&c->holder, 0);
}

static void on_accept(struct app_state *s, bool is_tab, struct app_effects *fx)
{
	const struct menu_kind *kind = s->menu.kind;
	const struct picker_item *it = picker_chosen(&s->menu.picker);
	struct choice c;

	if (!it && kind->take && !is_tab) {
		struct vy_str words = picker_sought(&s->menu.picker);
		char *kept = vy_memdup0(words.p, words.n);

		if (words.n) { /* nothing typed is nothing taken */
			kind->take(s, vy_str_n(kept, words.n), fx);
		}
		free(kept);
		return;
	}
	if (!it && kind->is_inline && !is_tab) { /* nothing of the list is meant */
		menu_close(s);
		app_say(s, fx);
		return;
	}
	if (!it || it->is_off) {
		return;
	}
	copy_choice(&c, it);
	if (is_tab && kind->complete) {
		kind->complete(s, &c.item, fx);
	} else {
		if (!kind->is_inline) { /* an inline one needs its word: it closes by itself */
			menu_close(s);
		}
		if (kind->choose) {
			kind->choose(s, &c.item, fx);
		}
		if (kind->is_inline && s->menu.kind == kind) {
			menu_close(s);
		}
	}
	picker_fini(&c.holder);
}

bool menu_key(struct app_state *s, enum keymap_action a, struct app_effects *fx)
{
	const struct menu_kind *kind = s->menu.kind;

	if (kind->key && kind->key(s, a, picker_chosen(&s->menu.picker), fx)) {
		return true;
	}
	switch ((int)a) {
	case ACTION_MENU_ACCEPT: on_accept(s, false, fx); return true;
	case ACTION_MENU_COMPLETE: on_accept(s, true, fx); return true;
	case ACTION_MENU_CLOSE:
		if (kind->is_inline) {
			suggest_no_more(s);
		}
		menu_close(s);
		return true;
	default: return picker_action(&s->menu.picker, a);
	}
}

bool menu_type(struct app_state *s, struct vy_str text)
{
	if (s->menu.kind->is_inline) {
		return false;
	}
	picker_type(&s->menu.picker, text);
	return true;
}

/* ---- words ---- */

void menu_hint(struct app_state *s, struct vy_buf *out)
{
	const struct menu_kind *kind = s->menu.kind;
	bool has_one = picker_chosen(&s->menu.picker) != NULL;

	hint_add(&s->keymap, out, ACTION_MENU_CLOSE, _("close"));
	if (kind->choose && (has_one || kind->take)) {
		hint_add(&s->keymap, out, ACTION_MENU_ACCEPT, _("choose"));
	}
	if (kind->complete && has_one) {
		hint_add(&s->keymap, out, ACTION_MENU_COMPLETE, _("complete"));
	}
	if (kind->hint) {
		kind->hint(s, out);
	}
}
