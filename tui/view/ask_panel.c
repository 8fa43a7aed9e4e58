/* ask_panel.c -- see ask_panel.h: reading the ask, and the keys. */
#include "tui/view/ask_panel.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/words/said.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

void ask_panel_init(struct ask_panel *p)
{
	*p = (struct ask_panel){ 0 };
	vy_arena_init(&p->arena);
}

static void drop_forms(struct ask_panel *p)
{
	for (size_t i = 0; i < ASK_PANEL_FORMS; i++) {
		ask_form_fini(&p->forms[i]);
	}
	p->form = NULL;
}

void ask_panel_fini(struct ask_panel *p)
{
	drop_forms(p);
	free(p->ask);
	vy_json_free(p->questions);
	vy_arena_fini(&p->arena);
	if (p->has_sheets) {
		block_sheet_fini(&p->above);
		block_sheet_fini(&p->below);
	}
	*p = (struct ask_panel){ 0 };
}

bool ask_panel_is_open(const struct ask_panel *p)
{
	return p->ask && !p->is_folded;
}

/* ---- reading an ask with options ---- */

static struct vy_str scope_words(struct vy_str scope)
{
	static const struct {
		const char *scope, *words;
	} known[] = { { "project", N_("in this project") }, { "session", N_("in this session") },
		{ "user", N_("in all your projects") } };

	for (size_t i = 0; i < VY_COUNT(known); i++) {
		if (vy_str_is(scope, known[i].scope)) {
			return vy_str_c(_(known[i].words));
		}
	}
	return scope;
}

static enum ask_effect effect_of(const struct vy_ask_option *o)
{
	if (vy_str_is(o->decision.n ? o->decision : o->id, "deny")) {
		return ASK_DENY;
	}
	return o->rule.n || o->rules.n || vy_str_is(o->id, "always") ? ASK_ALWAYS : ASK_ALLOW;
}

/* What every permission offers is said in the person's language; the rest as the provider does. */
static struct vy_str label_of(
	enum vy_ask_kind kind, const struct vy_ask_option *o, enum ask_effect effect)
{
	if (effect == ASK_ALWAYS && (o->rule.n || o->rules.n)) {
		return vy_str_c(_("Always"));
	}
	if (kind == VY_ASK_PERMISSION && effect == ASK_DENY) {
		return vy_str_c(_("No, and say"));
	}
	if (kind == VY_ASK_PERMISSION && vy_str_is(o->id, "allow")) {
		return vy_str_c(_("Yes"));
	}
	return o->label.n ? o->label : o->id;
}

/* What "always" would store: a line for each part of a compound command. */
static struct vy_str rule_of(const struct vy_ask_option *o, struct vy_arena *mem)
{
	VY_AUTO_JSON *rules = o->rules.n ? vy_json_parse(o->rules, NULL) : NULL;
	VY_AUTO_BUF all = VY_BUF_INIT(64 * 1024);

	for (size_t i = 0; i < vy_json_len(rules); i++) {
		vy_buf_adds(&all, i ? "\n" : "");
		vy_buf_addstr(&all, vy_json_strval(vy_json_at(rules, i)));
	}
	return all.len ? vy_arena_str(mem, vy_buf_str(&all)) : o->rule;
}

static void add_option(struct ask_panel *p, const struct vy_ask_option *o)
{
	enum ask_effect effect = effect_of(o);

	p->choices[p->n_choices++] = (struct ask_choice){ .effect = effect,
		.id = o->id,
		.label = label_of(p->copy.kind, o, effect),
		.rule = rule_of(o, &p->arena),
		.scope = scope_words(o->scope),
		.says = effect == ASK_DENY };
}

static void read_options(struct ask_panel *p)
{
	const struct vy_ask_option yes = { .id = VY_STR_LIT("allow"), .label = VY_STR_LIT("Yes") };
	const struct vy_ask_option no = { .id = VY_STR_LIT("deny"), .label = VY_STR_LIT("No") };
	struct vy_ask_option o;

	p->n_choices = 0;
	p->is_multi = false;
	for (size_t i = 0;
		p->n_choices < ASK_PANEL_CHOICES && vy_ask_option(&p->copy, i, &p->arena, &o);
		i++) {
		add_option(p, &o);
	}
	if (p->n_choices == 0) { /* these every ask takes */
		add_option(p, &yes);
		add_option(p, &no);
	}
}

/* ---- reading a form ---- */

static void read_question(struct ask_panel *p)
{
	const struct vy_json *q = vy_json_at(p->questions, p->form->question);
	const struct vy_json *options = vy_json_get(q, "options");
	const char *words = p->form->words[p->form->question];

	p->n_choices = 0;
	p->scroll = 0;
	p->is_multi = ask_form_is_multi(p->questions, p->form->question);
	p->head = vy_arena_str(&p->arena, vy_json_str(q, "header"));
	p->body = vy_arena_str(&p->arena, vy_json_str(q, "question"));
	for (size_t i = 0; i < vy_json_len(options) && i < ASK_FORM_OPTIONS; i++) {
		const struct vy_json *o = vy_json_at(options, i);

		p->choices[p->n_choices++] = (struct ask_choice){
			.label = vy_arena_str(&p->arena, vy_json_str(o, "label")),
			.detail = vy_arena_str(&p->arena, vy_json_str(o, "description")),
		};
	}
	if (vy_json_bool(q, "free", true) || p->n_choices == 0) {
		struct vy_str typed = vy_str_c(words ? words : _("type your own answer"));

		p->choices[p->n_choices++] = (struct ask_choice){ .label = vy_str_c(_("Other…")),
			.detail = vy_arena_str(&p->arena, typed),
			.says = true };
	}
	p->sel = p->sel < p->n_choices ? p->sel : 0;
}

/* The kept one of this ask, or the place of the one unused for longest. */
static struct ask_form *form_of(struct ask_panel *p, const char *ask)
{
	struct ask_form *oldest = &p->forms[0];
	uint64_t newest = 0;

	for (size_t i = 0; i < ASK_PANEL_FORMS; i++) {
		struct ask_form *f = &p->forms[i];

		newest = f->used > newest ? f->used : newest;
		oldest = f->used < oldest->used ? f : oldest;
	}
	for (size_t i = 0; i < ASK_PANEL_FORMS; i++) {
		if (p->forms[i].ask && strcmp(p->forms[i].ask, ask) == 0) {
			p->forms[i].used = newest + 1;
			return &p->forms[i];
		}
	}
	ask_form_fini(oldest);
	oldest->ask = vy_strdup(ask);
	oldest->used = newest + 1;
	return oldest;
}

/* Shows a question of the form, the cursor on what was chosen there before. */
static void look_at(struct ask_panel *p, size_t question)
{
	p->form->question = question;
	if (question > p->form->furthest) {
		p->form->furthest = question;
	}
	p->sel = 0;
	read_question(p);
	if (!p->is_multi && p->form->words[question]) {
		p->sel = p->n_choices - 1;
	}
	while (!p->is_multi && p->form->ticked[question] >> p->sel > 1u) {
		p->sel++;
	}
}

/* ---- reading either ---- */

static struct vy_str head_of(struct ask_panel *p)
{
	const struct vy_ask *a = &p->copy;

	if (a->tool.n && vy_str_is(a->title, "Run a command")) {
		return vy_str_c(
			vy_arena_printf(&p->arena, _("%.*s wants to run"), VY_STR_ARG(a->tool)));
	}
	return a->title.n ? words_said(a->title) : a->tool;
}

static void read_ask(struct ask_panel *p, const struct vy_ask *a)
{
	struct vy_str *const texts[] = { &p->copy.tool, &p->copy.title, &p->copy.summary,
		&p->copy.detail, &p->copy.blocked_path, &p->copy.source, &p->copy.options,
		&p->copy.questions };

	vy_arena_reset(&p->arena);
	vy_json_free(p->questions);
	p->questions = NULL;
	p->n_questions = 0;
	p->form = NULL;
	p->copy = *a;
	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		*texts[i] = vy_arena_str(&p->arena, *texts[i]);
	}
	if (a->kind == VY_ASK_QUESTION && p->copy.questions.n) {
		p->questions = vy_json_parse(p->copy.questions, NULL);
		p->n_questions = vy_json_len(p->questions);
		if (p->n_questions > ASK_FORM_QUESTIONS) {
			p->n_questions = ASK_FORM_QUESTIONS;
		}
	}
	if (p->n_questions) {
		p->form = form_of(p, p->ask);
		look_at(p, p->form->question);
	} else {
		p->head = head_of(p);
		p->body = p->copy.detail.n ? p->copy.detail : p->copy.summary;
		read_options(p);
	}
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
		drop_forms(p);
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
	read_ask(p, &row->ask);
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
		look_at(p, p->form->question + 1);
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
		look_at(p, by < 0 ? p->form->question - 1 : p->form->question + 1);
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
