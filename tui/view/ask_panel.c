/* ask_panel.c -- see ask_panel.h. Reading the ask, and the keys; ask_panel_draw.c shows it. */
#include "tui/view/ask_panel.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

void ask_panel_init(struct ask_panel *p)
{
	*p = (struct ask_panel){ 0 };
	vy_arena_init(&p->arena);
}

static void drop_answers(struct ask_panel *p)
{
	for (size_t i = 0; i < ASK_PANEL_QUESTIONS; i++) {
		free(p->words[i]);
		p->words[i] = NULL;
		p->ticked[i] = 0;
	}
}

void ask_panel_fini(struct ask_panel *p)
{
	drop_answers(p);
	free(p->ask);
	vy_json_free(p->questions);
	vy_arena_fini(&p->arena);
	*p = (struct ask_panel){ 0 };
}

bool ask_panel_is_open(const struct ask_panel *p)
{
	return p->ask && !p->is_folded;
}

/* ---- reading the ask ---- */

static struct vy_str joined_rules(const struct vy_json *option, struct vy_arena *a)
{
	const struct vy_json *rules = vy_json_get(option, "rules");
	struct vy_buf b = VY_BUF_INIT(8192);

	if (vy_json_str(option, "rule").n) {
		return vy_arena_str(a, vy_json_str(option, "rule"));
	}
	for (size_t i = 0; i < vy_json_len(rules); i++) {
		if (i) {
			vy_buf_adds(&b, ", ");
		}
		vy_buf_addstr(&b, vy_json_strval(vy_json_at(rules, i)));
	}
	struct vy_str s = vy_arena_str(a, vy_buf_str(&b));

	vy_buf_fini(&b);
	return s;
}

static bool denies(const struct vy_json *option)
{
	return vy_str_is(vy_json_str(option, "effect"), "deny") ||
	       vy_str_is(vy_json_str(option, "decision"), "deny") ||
	       vy_str_is(vy_json_str(option, "id"), "deny");
}

static void read_options(struct ask_panel *p)
{
	VY_AUTO_JSON *options = vy_json_parse(p->copy.options, NULL);

	p->n_choices = 0;
	p->is_multi = false;
	for (size_t i = 0; i < vy_json_len(options) && p->n_choices < ASK_PANEL_CHOICES; i++) {
		const struct vy_json *o = vy_json_at(options, i);

		p->choices[p->n_choices++] = (struct ask_choice){
			.id = vy_arena_str(&p->arena, vy_json_str(o, "id")),
			.label = vy_arena_str(&p->arena, vy_json_str(o, "label")),
			.detail = joined_rules(o, &p->arena),
			.scope = vy_arena_str(&p->arena, vy_json_str(o, "scope")),
			.says = denies(o),
		};
	}
}

static const struct vy_json *question_of(const struct ask_panel *p)
{
	return vy_json_at(p->questions, p->question);
}

static void read_question(struct ask_panel *p)
{
	const struct vy_json *q = question_of(p), *options = vy_json_get(q, "options");

	p->n_choices = 0;
	p->is_multi = vy_json_bool(q, "multi", false);
	p->head = vy_arena_str(&p->arena, vy_json_str(q, "header"));
	p->body = vy_arena_str(&p->arena, vy_json_str(q, "question"));
	for (size_t i = 0; i < vy_json_len(options) && p->n_choices < ASK_PANEL_CHOICES - 1; i++) {
		const struct vy_json *o = vy_json_at(options, i);

		p->choices[p->n_choices++] = (struct ask_choice){
			.label = vy_arena_str(&p->arena, vy_json_str(o, "label")),
			.detail = vy_arena_str(&p->arena, vy_json_str(o, "description")),
		};
	}
	if (vy_json_bool(q, "free", true)) {
		p->choices[p->n_choices++] = (struct ask_choice){ .label = vy_str_c(_("Other…")),
			.detail = p->words[p->question] ? vy_str_c(p->words[p->question])
							: vy_str_c(_("type your own answer")),
			.says = true };
	}
	if (p->sel >= p->n_choices) {
		p->sel = 0;
	}
}

static struct vy_str copied(struct ask_panel *p, struct vy_str s)
{
	return vy_arena_str(&p->arena, s);
}

static void read_ask(struct ask_panel *p, const struct vy_ask *a)
{
	vy_arena_reset(&p->arena);
	vy_json_free(p->questions);
	p->questions = NULL;
	p->copy = *a;
	p->copy.tool = copied(p, a->tool);
	p->copy.title = copied(p, a->title);
	p->copy.summary = copied(p, a->summary);
	p->copy.detail = copied(p, a->detail);
	p->copy.blocked_path = copied(p, a->blocked_path);
	p->copy.source = copied(p, a->source);
	p->copy.options = copied(p, a->options);
	p->copy.questions = copied(p, a->questions);
	p->n_questions = 0;
	if (a->kind == VY_ASK_QUESTION && p->copy.questions.n) {
		p->questions = vy_json_parse(p->copy.questions, NULL);
		p->n_questions = vy_json_len(p->questions);
		if (p->n_questions > ASK_PANEL_QUESTIONS) {
			p->n_questions = ASK_PANEL_QUESTIONS;
		}
	}
	if (p->n_questions) {
		read_question(p);
	} else {
		p->head = p->copy.title.n ? p->copy.title : p->copy.tool;
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
		return;
	}
	if (p->ask && vy_str_is(row->ask.id, p->ask)) {
		return;
	}
	free(p->ask);
	p->ask = vy_memdup0(row->ask.id.p, row->ask.id.n);
	p->is_folded = false;
	p->sel = p->scroll = 0;
	p->question = 0;
	p->shown_ms = now_ms;
	drop_answers(p);
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

static struct vy_json *labels_of(struct ask_panel *p, size_t q)
{
	const struct vy_json *options = vy_json_get(vy_json_at(p->questions, q), "options");
	bool multi = vy_json_bool(vy_json_at(p->questions, q), "multi", false);
	struct vy_json *list = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(options); i++) {
		if (p->ticked[q] & (1u << i)) {
			vy_json_add_take(list,
				vy_json_new_str(vy_json_str(vy_json_at(options, i), "label")));
		}
	}
	if (p->words[q]) {
		vy_json_add_take(list, vy_json_new_str(vy_str_c(p->words[q])));
	}
	if (!multi && vy_json_len(list) > 0) {
		struct vy_json *one = vy_json_ref(vy_json_at(list, 0));

		vy_json_free(list);
		return one;
	}
	return list;
}

/* The next question without an answer, else the whole form is the answer. */
static enum ask_outcome next_question(struct ask_panel *p, struct ask_answer *out)
{
	if (p->question + 1 < p->n_questions) {
		p->question++;
		p->sel = 0;
		read_question(p);
		return ASK_PANEL_DONE;
	}
	out->decision = VY_STR_LIT("allow");
	out->answers = vy_json_new_obj();
	for (size_t i = 0; i < p->n_questions; i++) {
		struct vy_str text = vy_json_str(vy_json_at(p->questions, i), "question");
		char *key = vy_memdup0(text.p, text.n);

		if (p->ticked[i] || p->words[i]) {
			vy_json_take(out->answers, key, labels_of(p, i));
		}
		free(key);
	}
	return ASK_PANEL_ANSWER;
}

static enum ask_outcome choose(struct ask_panel *p, int i, struct ask_answer *out)
{
	if (i < 0 || i >= p->n_choices) {
		return ASK_PANEL_DONE;
	}
	p->sel = i;
	if (p->choices[i].says) {
		return ASK_PANEL_SAY;
	}
	if (p->n_questions == 0) {
		out->decision = p->choices[i].id;
		return ASK_PANEL_ANSWER;
	}
	if (!p->is_multi) {
		p->ticked[p->question] = 1u << i;
	} else if (p->ticked[p->question] == 0) {
		p->ticked[p->question] = 1u << i;
	}
	return next_question(p, out);
}

enum ask_outcome ask_panel_said(struct ask_panel *p, struct vy_str words, struct ask_answer *out)
{
	if (p->n_questions == 0) {
		out->decision = p->sel < p->n_choices ? p->choices[p->sel].id : VY_STR_LIT("deny");
		return ASK_PANEL_ANSWER;
	}
	free(p->words[p->question]);
	p->words[p->question] = words.n ? vy_memdup0(words.p, words.n) : NULL;
	return next_question(p, out);
}

/* The choice with this effect: what y, n and a mean whatever the provider calls its options. */
static int choice_for(const struct ask_panel *p, const char *effect)
{
	VY_AUTO_JSON *options = vy_json_parse(p->copy.options, NULL);

	for (size_t i = 0; i < vy_json_len(options); i++) {
		const struct vy_json *o = vy_json_at(options, i);

		if (vy_str_is(vy_json_str(o, "effect"), effect) ||
			vy_str_is(vy_json_str(o, "id"), effect)) {
			return (int)i;
		}
	}
	return -1;
}

static enum ask_outcome by_effect(struct ask_panel *p, const char *effect, struct ask_answer *out)
{
	int i = p->n_questions ? -1 : choice_for(p, effect);

	if (i >= 0) {
		return choose(p, i, out);
	}
	return ASK_PANEL_DONE;
}

static enum ask_outcome skip(struct ask_answer *out)
{
	out->decision = VY_STR_LIT("skip");
	return ASK_PANEL_ANSWER;
}

static enum ask_outcome fold(struct ask_panel *p)
{
	p->is_folded = true;
	p->is_focused = false;
	return ASK_PANEL_LEAVE;
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
	case ACTION_ASK_YES: return by_effect(p, "allow", out);
	case ACTION_ASK_NO: return by_effect(p, "deny", out);
	case ACTION_ASK_ALWAYS: return by_effect(p, "always", out);
	case ACTION_ASK_UP:
		p->sel = p->sel > 0 ? p->sel - 1 : p->n_choices - 1;
		return ASK_PANEL_DONE;
	case ACTION_ASK_DOWN:
		p->sel = p->sel + 1 < p->n_choices ? p->sel + 1 : 0;
		return ASK_PANEL_DONE;
	case ACTION_ASK_TOGGLE:
		if (p->is_multi && p->sel < p->n_choices && !p->choices[p->sel].says) {
			p->ticked[p->question] ^= 1u << p->sel;
		}
		return ASK_PANEL_DONE;
	case ACTION_ASK_CHOOSE: return choose(p, p->sel, out);
	case ACTION_ASK_SKIP: return skip(out);
	case ACTION_ASK_LATER:
	case ACTION_ASK_FOLD: return fold(p);
	case ACTION_ASK_PAGE_UP:
		p->scroll = p->scroll > 5 ? p->scroll - 5 : 0;
		return ASK_PANEL_DONE;
	case ACTION_ASK_PAGE_DOWN: p->scroll += 5; return ASK_PANEL_DONE;
	case ACTION_ASK_NEXT: return ASK_PANEL_NEXT;
	case ACTION_ASK_PREV: return ASK_PANEL_PREV;
	case ACTION_ASK_LEAVE: p->is_focused = false; return ASK_PANEL_LEAVE;
	default: return ASK_PANEL_NOTHING;
	}
}
