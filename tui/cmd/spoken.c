/* spoken.c -- see spoken.h: answering. What is printed is spoken_print.c's. */
#include "tui/cmd/spoken.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tui/cmd/spoken_in.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define NUMBERS_MAX 16 /* of one line */
#define LINE_MAX    64 /* a longer one is no answer by number */

/* ---- life ---- */

static void forget(struct spoken *s)
{
	free(s->ask);
	vy_json_free(s->options);
	vy_json_free(s->questions);
	vy_json_free(s->answers);
	vy_json_free(s->picked);
	vy_buf_fini(&s->head);
	*s = (struct spoken){ 0 };
}

void spoken_init(struct spoken *s)
{
	*s = (struct spoken){ 0 };
}

void spoken_fini(struct spoken *s)
{
	forget(s);
}

static void add_option(struct vy_json *options, const char *id, const char *label)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "id", id);
	vy_json_set_c(o, "label", label);
	vy_json_add_take(options, o);
}

void spoken_take(struct spoken *s, const struct vy_ask *a)
{
	forget(s);
	if (!a) {
		return;
	}
	s->ask = vy_memdup0(a->id.p, a->id.n);
	s->answers = vy_json_new_obj();
	s->options = a->options.n ? vy_json_parse(a->options, NULL) : NULL;
	s->questions = a->kind == VY_ASK_QUESTION && a->questions.n
			       ? vy_json_parse(a->questions, NULL)
			       : NULL;
	if (vy_json_len(s->questions) == 0) {
		vy_json_free(s->questions);
		s->questions = NULL;
		vy_buf_init(&s->head, VY_FRAME_MAX * 4);
		spoken_head(a, &s->head);
	}
	if (!s->questions && vy_json_len(s->options) == 0) { /* these every ask takes */
		vy_json_free(s->options);
		s->options = vy_json_new_arr();
		add_option(s->options, "allow", "Yes");
		add_option(s->options, "deny", "No");
	}
}

/* ---- what can be chosen ---- */

const struct vy_json *spoken_question(const struct spoken *s)
{
	return vy_json_at(s->questions, s->at);
}

size_t spoken_choices(const struct spoken *s)
{
	const struct vy_json *q = spoken_question(s);

	return q ? vy_json_len(vy_json_get(q, "options")) + spoken_is_free(q)
		 : vy_json_len(s->options);
}

bool spoken_is_free(const struct vy_json *question)
{
	return vy_json_bool(question, "free", true) ||
	       vy_json_len(vy_json_get(question, "options")) == 0;
}

static bool is_no(const struct vy_json *option)
{
	struct vy_str decision = vy_json_str(option, "decision");

	return vy_str_is(decision.n ? decision : vy_json_str(option, "id"), "deny");
}

/* ---- a line ---- */

struct numbers {
	size_t v[NUMBERS_MAX], n;
	struct vy_str word; /* behind them; empty: none */
};

/* "1 3", "1, 3", "2 project"; false when it is something else. */
static bool read_numbers(struct vy_str line, struct numbers *out)
{
	size_t i = 0;

	*out = (struct numbers){ 0 };
	while (line.n <= LINE_MAX && i < line.n && out->n < NUMBERS_MAX) {
		size_t v = 0, from = i;

		while (i < line.n && line.p[i] >= '0' && line.p[i] <= '9' && v < 1000) {
			v = v * 10 + (size_t)(line.p[i++] - '0');
		}
		if (i == from) {
			break;
		}
		out->v[out->n++] = v;
		while (i < line.n && (line.p[i] == ' ' || line.p[i] == ',')) {
			i++;
		}
	}
	out->word = vy_str_from(line, i);
	return out->n > 0 && (out->word.n == 0 || (i > 0 && line.p[i - 1] == ' '));
}

static bool has_word(const struct vy_json *list, struct vy_str word)
{
	for (size_t i = 0; i < vy_json_len(list); i++) {
		if (vy_str_eq(vy_json_strval(vy_json_at(list, i)), word)) {
			return true;
		}
	}
	return false;
}

/* What is answered is over: the next line is for the agent. */
static struct vy_json *params_of(struct spoken *s, struct vy_str decision)
{
	struct vy_json *params = vy_json_new_obj();

	s->is_over = true;
	s->words_for = 0;
	vy_json_set_c(params, "ask", s->ask);
	vy_json_set_str(params, "decision", decision);
	return params;
}

/* ---- a permission, a plan ---- */

static enum spoken_outcome choose_option(
	struct spoken *s, const struct numbers *n, struct vy_json **own_params, const char **note)
{
	const struct vy_json *o = vy_json_at(s->options, n->v[0] - 1);

	if (n->n != 1 || n->v[0] < 1 || !o ||
		(n->word.n && !has_word(vy_json_get(o, "scopes"), n->word))) {
		*note = _("there is no such answer; nothing was said");
		return SPOKEN_NOTE;
	}
	if (is_no(o)) {
		s->words_for = n->v[0];
		*note = _("type what to do instead, and enter; an empty line says nothing");
		return SPOKEN_NOTE;
	}
	*own_params = params_of(s, vy_json_str(o, "id"));
	if (n->word.n) {
		struct vy_json *always = vy_json_new_obj();

		vy_json_set_str(always, "scope", n->word);
		vy_json_take(*own_params, "always", always);
	}
	return SPOKEN_ANSWER;
}

static enum spoken_outcome say_no(
	struct spoken *s, struct vy_str words, struct vy_json **own_params)
{
	const struct vy_json *o = vy_json_at(s->options, s->words_for - 1);

	*own_params = params_of(s, vy_json_str(o, "id"));
	if (words.n) {
		vy_json_set_str(*own_params, "message", words);
	}
	return SPOKEN_ANSWER;
}

/* ---- a form ---- */

static enum spoken_outcome go_on(struct spoken *s, struct vy_json **own_params)
{
	s->words_for = 0;
	vy_json_free(s->picked);
	s->picked = NULL;
	s->at++;
	if (s->at < vy_json_len(s->questions)) {
		return SPOKEN_NEXT;
	}
	bool has_any = vy_json_len(s->answers) > 0;

	*own_params = params_of(s, has_any ? VY_STR_LIT("allow") : VY_STR_LIT("skip"));
	if (has_any) {
		vy_json_set(*own_params, "answers", s->answers);
	}
	return SPOKEN_ANSWER;
}

/* The labels picked become the answer of the question at hand. */
static enum spoken_outcome keep(struct spoken *s, struct vy_json **own_params)
{
	const struct vy_json *q = spoken_question(s);
	const char *text = vy_json_cstr(q, "question");

	if (text && vy_json_bool(q, "multi", false)) {
		vy_json_set(s->answers, text, s->picked);
	} else if (text) {
		vy_json_set(s->answers, text, vy_json_at(s->picked, 0));
	}
	return go_on(s, own_params);
}

static enum spoken_outcome choose_labels(
	struct spoken *s, const struct numbers *n, struct vy_json **own_params, const char **note)
{
	const struct vy_json *q = spoken_question(s);
	const struct vy_json *options = vy_json_get(q, "options");
	size_t last = spoken_choices(s), other = spoken_is_free(q) ? last : 0;
	bool is_multi = vy_json_bool(q, "multi", false), is_bad = n->word.n > 0;

	is_bad |= n->n > 1 && !is_multi;
	for (size_t i = 0; i < n->n; i++) {
		is_bad |= n->v[i] < 1 || n->v[i] > last;
	}
	if (is_bad) {
		*note = _("there is no such answer; nothing was said");
		return SPOKEN_NOTE;
	}
	vy_json_free(s->picked);
	s->picked = vy_json_new_arr();
	for (size_t i = 0; i < n->n; i++) {
		struct vy_str label = vy_json_str(vy_json_at(options, n->v[i] - 1), "label");

		if (n->v[i] == other) {
			s->words_for = other;
		} else if (!has_word(s->picked, label)) {
			vy_json_add_take(s->picked, vy_json_new_str(label));
		}
	}
	if (s->words_for) {
		*note = _("type your own answer, and enter");
		return SPOKEN_NOTE;
	}
	return keep(s, own_params);
}

static enum spoken_outcome say_other(
	struct spoken *s, struct vy_str words, struct vy_json **own_params, const char **note)
{
	s->words_for = 0;
	if (words.n == 0) {
		*note = _("nothing was answered; type a number");
		return SPOKEN_NOTE;
	}
	vy_json_add_take(s->picked, vy_json_new_str(words));
	return keep(s, own_params);
}

/* ---- either ---- */

enum spoken_outcome spoken_line(
	struct spoken *s, struct vy_str line, struct vy_json **own_params, const char **note)
{
	struct numbers n;

	if (!s->ask) {
		return SPOKEN_NOTHING;
	}
	if (s->is_over) { /* a number typed twice is still no message */
		*note = _("there is no such answer; nothing was said");
		return read_numbers(line, &n) && !n.word.n ? SPOKEN_NOTE : SPOKEN_NOTHING;
	}
	if (vy_str_is(line, "/skip")) {
		if (s->questions) {
			return go_on(s, own_params);
		}
		*own_params = params_of(s, VY_STR_LIT("skip"));
		return SPOKEN_ANSWER;
	}
	if (s->words_for) {
		return s->questions ? say_other(s, line, own_params, note)
				    : say_no(s, line, own_params);
	}
	if (!read_numbers(line, &n)) {
		return SPOKEN_NOTHING;
	}
	/* a number, but more than a scope behind it: a sentence for the agent */
	if (n.word.n && (s->questions || !spoken_is_scope(n.word))) {
		return SPOKEN_NOTHING;
	}
	return s->questions ? choose_labels(s, &n, own_params, note)
			    : choose_option(s, &n, own_params, note);
}
