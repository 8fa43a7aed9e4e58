/* ask_panel_read.c -- what an ask is, as its panel shows it: a head, what will happen, the choices. */
#include "tui/view/ask_panel_read.h"

#include "shared/base/mem.h"
#include "tui/words/said.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* ---- reading an ask with options ---- */

static enum ask_effect effect_of(const struct vy_ask_option *o)
{
	if (vy_str_is(o->decision.n ? o->decision : o->id, "deny")) {
		return ASK_DENY;
	}
	return o->rule.n || o->rules.n || vy_str_is(o->id, "always") ? ASK_ALWAYS : ASK_ALLOW;
}

/* The first no: a word may go with it. Another one says more (it ends the turn, or is for good), and is whole. */
static bool is_plain_no(const struct ask_panel *p, enum ask_effect effect)
{
	bool is_first = effect == ASK_DENY;

	for (int i = 0; i < p->n_choices; i++) {
		is_first = is_first && p->choices[i].effect != ASK_DENY;
	}
	return is_first;
}

/* What every agent offers is said in the person's language; the rest as the provider does. */
static struct vy_str label_of(
	enum vy_ask_kind kind, const struct vy_ask_option *o, enum ask_effect effect, bool is_no)
{
	if (effect == ASK_ALWAYS && (o->rule.n || o->rules.n)) {
		return vy_str_c(_("Always"));
	}
	if (kind == VY_ASK_PERMISSION && is_no) {
		return vy_str_c(_("No, and say"));
	}
	if (kind == VY_ASK_PERMISSION && vy_str_is(o->id, "allow")) {
		return vy_str_c(_("Yes"));
	}
	return o->label.n ? words_said(o->label) : o->id;
}

/* What "always" would store, where no table says it: a line a rule. */
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
	bool is_no = is_plain_no(p, effect);
	struct ask_choice *c = &p->choices[p->n_choices];
	struct ask_rules rules;

	ask_rules_read(o, &p->arena, &rules);
	*c = (struct ask_choice){ .effect = effect,
		.id = o->id,
		.label = label_of(p->copy.kind, o, effect, is_no),
		.scope = ask_rules_where(&rules),
		.says = is_no };
	if (effect == ASK_ALWAYS && p->always < 0) {
		p->always = p->n_choices;
		p->rules = rules;
		c->has_table = rules.n > 0;
	}
	c->rule = c->has_table ? vy_str_n(NULL, 0) : rule_of(o, &p->arena);
	p->n_choices++;
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
	p->laid_cols = 0;
	p->is_multi = ask_form_is_multi(p->questions, p->form->question);
	p->head = vy_arena_str(&p->arena, vy_json_str(q, "header"));
	p->head = p->head.n ? p->head : vy_str_c(_("A question"));
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
void ask_panel_look(struct ask_panel *p, size_t question)
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

void ask_panel_read(struct ask_panel *p, const struct vy_ask *a)
{
	struct vy_str *const texts[] = { &p->copy.tool, &p->copy.title, &p->copy.summary,
		&p->copy.detail, &p->copy.blocked_path, &p->copy.source, &p->copy.options,
		&p->copy.questions };

	vy_arena_reset(&p->arena);
	vy_json_free(p->questions);
	p->questions = NULL;
	p->n_questions = 0;
	p->form = NULL;
	p->is_fetched = false;
	p->laid_cols = 0;
	p->always = -1;
	p->rules = (struct ask_rules){ 0 };
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
		ask_panel_look(p, p->form->question);
	} else {
		p->head = head_of(p);
		read_options(p);
	}
}
