/* ask_panel.c -- see ask_panel.h: its life, and the keys. */
#include "tui/view/ask_panel.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/view/ask_panel_read.h"
#include "shared/base/ban.h"

void ask_panel_init(struct ask_panel *p, const struct keymap *keymap)
{
	*p = (struct ask_panel){ .keymap = keymap, .always = -1 };
	vy_arena_init(&p->arena);
}

void ask_panel_fini(struct ask_panel *p)
{
	for (size_t i = 0; i < ASK_PANEL_FORMS; i++) {
		ask_form_fini(&p->forms[i]);
	}
	free(p->ask);
	vy_json_free(p->questions);
	vy_arena_fini(&p->arena);
	if (p->has_sheets) {
		block_sheet_fini(&p->above);
		block_sheet_fini(&p->below);
	}
	*p = (struct ask_panel){ .keymap = p->keymap, .always = -1 };
}

bool ask_panel_is_open(const struct ask_panel *p)
{
	return p->ask && !p->is_folded;
}

void ask_panel_sync(
	struct ask_panel *p, const struct vy_row *row, size_t index, size_t count, int64_t now_ms)
{
	p->index = index;
	p->count = count;
	if (!row) {
		free(p->ask);
		p->ask = NULL;
		p->is_focused = p->is_folded = false;
		p->form = NULL; /* kept: another session may just be looked at */
		return;
	}
	if (p->ask && vy_str_is(row->ask.id, p->ask)) {
		return;
	}
	free(p->ask);
	p->ask = vy_memdup0(row->ask.id.p, row->ask.id.n);
	p->is_folded = false;
	p->sel = p->scroll = 0;
	p->shown_ms = now_ms;
	ask_panel_read(p, &row->ask);
}

bool ask_panel_is_cut(const struct ask_panel *p)
{
	return p->ask && p->copy.more;
}

void ask_panel_whole(struct ask_panel *p, struct vy_str detail)
{
	if (p->ask && detail.n >= p->copy.detail.n) {
		p->copy.detail = vy_arena_str(&p->arena, detail);
		p->copy.more = false;
		p->laid_cols = 0;
	}
}

/* ---- keys ---- */

void ask_panel_touched(struct ask_panel *p, int64_t now_ms)
{
	p->key_ms = now_ms;
}

bool ask_panel_takes_digit(const struct ask_panel *p, bool composer_is_empty, int64_t now_ms)
{
	return ask_panel_is_open(p) && composer_is_empty &&
	       now_ms - p->shown_ms >= ASK_PANEL_SAFE_MS && now_ms - p->key_ms >= ASK_PANEL_SAFE_MS;
}

/* The next question, or behind the last one the whole form: what was left out stays out. */
static enum ask_outcome go_on(struct ask_panel *p, struct ask_answer *out)
{
	if (p->form->question + 1 < p->n_questions) {
		ask_panel_look(p, p->form->question + 1);
		return ASK_PANEL_DONE;
	}
	out->answers = ask_form_answers(p->form, p->questions);
	out->decision = out->answers ? VY_STR_LIT("allow") : VY_STR_LIT("skip");
	return ASK_PANEL_ANSWER;
}

/* Takes a choice: an option answers, a label is chosen, and one of several is ticked. */
static enum ask_outcome choose(struct ask_panel *p, int i, struct ask_answer *out)
{
	if (i < 0 || i >= p->n_choices) {
		return ASK_PANEL_DONE;
	}
	p->sel = i;
	if (p->choices[i].says) {
		return ASK_PANEL_SAY;
	}
	if (!p->form) {
		out->decision = p->choices[i].id;
		out->scope = i == p->always ? ask_rules_scope(&p->rules) : vy_str_n(NULL, 0);
		return ASK_PANEL_ANSWER;
	}
	ask_form_choose(p->form, p->form->question, (unsigned)i, p->is_multi);
	return p->is_multi ? ASK_PANEL_DONE : go_on(p, out);
}

/* Enter: of several choices the ticked ones, or the one under the cursor if none is. */
static enum ask_outcome confirm(struct ask_panel *p, struct ask_answer *out)
{
	if (!p->is_multi || p->choices[p->sel].says) {
		return choose(p, p->sel, out);
	}
	if (!ask_form_has(p->form, p->form->question)) {
		ask_form_choose(p->form, p->form->question, (unsigned)p->sel, true);
	}
	return go_on(p, out);
}

enum ask_outcome ask_panel_said(struct ask_panel *p, struct vy_str words, struct ask_answer *out)
{
	*out = (struct ask_answer){ 0 };
	if (!p->ask) {
		return ASK_PANEL_NOTHING;
	}
	if (!p->form) {
		out->decision = p->choices[p->sel].id;
		return ASK_PANEL_ANSWER;
	}
	ask_form_say(p->form, p->form->question, words, p->is_multi);
	return go_on(p, out);
}

/* The first choice with this effect; a plain one before one that changes the mode as well. */
static enum ask_outcome by_effect(
	struct ask_panel *p, enum ask_effect effect, struct ask_answer *out)
{
	int found = -1;

	for (int i = p->form ? p->n_choices : 0; i < p->n_choices; i++) {
		bool is_plain = vy_str_is(p->choices[i].id, "allow");

		if (p->choices[i].effect == effect && (found < 0 || is_plain)) {
			found = i;
		}
	}
	return found < 0 ? ASK_PANEL_DONE : choose(p, found, out);
}

static enum ask_outcome skip(struct ask_panel *p, struct ask_answer *out)
{
	if (p->form) {
		ask_form_skip(p->form, p->form->question);
		return go_on(p, out);
	}
	out->decision = VY_STR_LIT("skip");
	return ASK_PANEL_ANSWER;
}

/* Where the rule shall hold: the next place, shown before anything is answered. */
static enum ask_outcome next_scope(struct ask_panel *p)
{
	if (p->always >= 0 && p->rules.n_scopes) {
		ask_rules_next_scope(&p->rules);
		p->choices[p->always].scope = ask_rules_where(&p->rules);
		p->laid_cols = 0;
	}
	return ASK_PANEL_DONE;
}

static enum ask_outcome fold(struct ask_panel *p)
{
	p->is_folded = true;
	p->is_focused = false;
	return ASK_PANEL_LEAVE;
}

/* Sideways: through the questions of a form first, then to the asks beside it. */
static enum ask_outcome sideways(struct ask_panel *p, int by)
{
	if (p->form && (by < 0 ? p->form->question > 0 : p->form->question < p->form->furthest)) {
		ask_panel_look(p, by < 0 ? p->form->question - 1 : p->form->question + 1);
		return ASK_PANEL_DONE;
	}
	if (p->count < 2) {
		return ASK_PANEL_DONE;
	}
	return by < 0 ? ASK_PANEL_PREV : ASK_PANEL_NEXT;
}

static enum ask_outcome move(struct ask_panel *p, int by)
{
	p->sel = (p->sel + by + p->n_choices) % p->n_choices;
	return ASK_PANEL_DONE;
}

static enum ask_outcome scroll(struct ask_panel *p, int by)
{
	p->scroll = p->scroll + by > 0 ? p->scroll + by : 0; /* the end is known at the draw */
	return ASK_PANEL_DONE;
}

enum ask_outcome ask_panel_action(
	struct ask_panel *p, enum keymap_action a, struct key k, struct ask_answer *out)
{
	*out = (struct ask_answer){ 0 };
	if (!p->ask) {
		return ASK_PANEL_NOTHING;
	}
	switch ((int)a) {
	case ACTION_ASK_NUMBER: return choose(p, (int)k.code - '1', out);
	case ACTION_ASK_YES: return by_effect(p, ASK_ALLOW, out);
	case ACTION_ASK_NO: return by_effect(p, ASK_DENY, out);
	case ACTION_ASK_ALWAYS: return by_effect(p, ASK_ALWAYS, out);
	case ACTION_ASK_SCOPE: return next_scope(p);
	case ACTION_ASK_UP: return move(p, -1);
	case ACTION_ASK_DOWN: return move(p, 1);
	case ACTION_ASK_TOGGLE:
		return p->is_multi && !p->choices[p->sel].says ? choose(p, p->sel, out)
							       : ASK_PANEL_DONE;
	case ACTION_ASK_CHOOSE: return confirm(p, out);
	case ACTION_ASK_SKIP: return skip(p, out);
	case ACTION_ASK_LATER:
	case ACTION_ASK_FOLD: return fold(p);
	case ACTION_ASK_PAGE_UP: return scroll(p, -5);
	case ACTION_ASK_PAGE_DOWN: return scroll(p, 5);
	case ACTION_ASK_NEXT: return sideways(p, 1);
	case ACTION_ASK_PREV: return sideways(p, -1);
	case ACTION_ASK_LEAVE: p->is_focused = false; return ASK_PANEL_LEAVE;
	default: return ASK_PANEL_NOTHING;
	}
}
