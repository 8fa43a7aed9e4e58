/* ask_form.c -- see ask_form.h. */
#include "tui/view/ask_form.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

void ask_form_fini(struct ask_form *f)
{
	for (size_t q = 0; q < ASK_FORM_QUESTIONS; q++) {
		free(f->words[q]);
	}
	free(f->ask);
	*f = (struct ask_form){ 0 };
}

bool ask_form_is_multi(const struct vy_json *questions, size_t q)
{
	return vy_json_bool(vy_json_at(questions, q), "multi", false);
}

void ask_form_skip(struct ask_form *f, size_t q)
{
	free(f->words[q]);
	f->words[q] = NULL;
	f->ticked[q] = 0;
}

void ask_form_choose(struct ask_form *f, size_t q, unsigned i, bool is_multi)
{
	if (i >= ASK_FORM_OPTIONS) {
		return;
	}
	if (is_multi) {
		f->ticked[q] ^= 1u << i;
		return;
	}
	ask_form_skip(f, q);
	f->ticked[q] = 1u << i;
}

void ask_form_say(struct ask_form *f, size_t q, struct vy_str words, bool is_multi)
{
	if (!is_multi) {
		f->ticked[q] = 0;
	}
	free(f->words[q]);
	f->words[q] = words.n ? vy_memdup0(words.p, words.n) : NULL;
}

bool ask_form_has(const struct ask_form *f, size_t q)
{
	return f->ticked[q] || f->words[q];
}

static struct vy_json *labels_of(
	const struct ask_form *f, const struct vy_json *questions, size_t q)
{
	const struct vy_json *options = vy_json_get(vy_json_at(questions, q), "options");
	struct vy_json *list = vy_json_new_arr(), *one;

	for (size_t i = 0; i < vy_json_len(options) && i < ASK_FORM_OPTIONS; i++) {
		if (f->ticked[q] & (1u << i)) {
			vy_json_add_take(list,
				vy_json_new_str(vy_json_str(vy_json_at(options, i), "label")));
		}
	}
	if (f->words[q]) {
		vy_json_add_take(list, vy_json_new_str(vy_str_c(f->words[q])));
	}
	if (ask_form_is_multi(questions, q) || vy_json_len(list) == 0) {
		return list;
	}
	one = vy_json_ref(vy_json_at(list, 0));
	vy_json_free(list);
	return one;
}

struct vy_json *ask_form_answers(const struct ask_form *f, const struct vy_json *questions)
{
	struct vy_json *answers = vy_json_new_obj();

	for (size_t q = 0; q < vy_json_len(questions) && q < ASK_FORM_QUESTIONS; q++) {
		const char *text = vy_json_cstr(vy_json_at(questions, q), "question");

		if (text && ask_form_has(f, q)) {
			vy_json_take(answers, text, labels_of(f, questions, q));
		}
	}
	if (vy_json_len(answers) == 0) {
		vy_json_free(answers);
		return NULL;
	}
	return answers;
}
