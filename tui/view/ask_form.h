/* ask_form.h -- what a person has answered so far in an ask of several questions.
 *
 * Kept while the ask is folded or another one is looked at: a partial answer is not lost. The
 * questions are JSON as they came: [{question, header, options: [{label, …}], multi, free}]; what
 * else is in them is passed over. A value; zero is empty, fini frees. Pure. */
#ifndef VIEW_ASK_FORM_H
#define VIEW_ASK_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/json.h"
#include "shared/base/str.h"

#define ASK_FORM_QUESTIONS 8
#define ASK_FORM_OPTIONS   11 /* of one question that can be chosen */

struct ask_form {
	char *ask;                           /* id of the ask; NULL: not in use */
	uint64_t used;                       /* the newest is the largest */
	size_t question;                     /* the one looked at */
	size_t furthest;                     /* reached so far */
	uint32_t ticked[ASK_FORM_QUESTIONS]; /* a bit an option */
	char *words[ASK_FORM_QUESTIONS];     /* typed; NULL: none */
};

void ask_form_fini(struct ask_form *f);

bool ask_form_is_multi(const struct vy_json *questions, size_t q);
/* Chooses option i of question q in place of another, or ticks and unticks it. */
void ask_form_choose(struct ask_form *f, size_t q, unsigned i, bool is_multi);
void ask_form_say(struct ask_form *f, size_t q, struct vy_str words, bool is_multi);
void ask_form_skip(struct ask_form *f, size_t q); /* as if never answered */
bool ask_form_has(const struct ask_form *f, size_t q);

/* {question: label | [labels]} of those that are answered; owned by the caller. NULL: none is. */
struct vy_json *ask_form_answers(const struct ask_form *f, const struct vy_json *questions);

#endif
