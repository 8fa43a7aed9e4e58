/* codex_form.c -- see codex_form.h. */
#include "server/provider/codex_form.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define QUESTIONS_MAX 32

static void choice(struct vy_json *list, struct vy_str label, struct vy_str description)
{
	struct vy_json *to = vy_json_new_obj();

	vy_json_set_str(to, "label", label);
	vy_json_set_str(to, "description", description);
	vy_json_add_take(list, to);
}

/* A question's words name it: of two that say the same the first is asked. */
static bool question(struct vy_json *list, struct vy_json *keep, struct vy_str header,
	const char *words, bool is_free, struct vy_json *own_options, const char *id,
	struct vy_str type)
{
	struct vy_json *to, *at;

	if (!words || !*words || !id || vy_json_get(keep, words)) {
		vy_json_free(own_options);
		return false;
	}
	to = vy_json_new_obj();
	at = vy_json_new_obj();
	vy_json_set_str(to, "header", header);
	vy_json_set_c(to, "question", words);
	vy_json_set_bool(to, "multi", false);
	vy_json_set_bool(to, "free", is_free);
	vy_json_take(to, "options", own_options);
	vy_json_add_take(list, to);
	vy_json_set_c(at, "id", id);
	vy_json_set_str(at, "type", type);
	vy_json_take(keep, words, at);
	return true;
}

/* ---- questions ---- */

struct vy_json *codex_form_questions(const struct vy_json *questions, struct vy_json **keep)
{
	struct vy_json *list = vy_json_new_arr();

	*keep = vy_json_new_obj();
	for (size_t i = 0; i < vy_json_len(questions) && i < QUESTIONS_MAX; i++) {
		const struct vy_json *q = vy_json_at(questions, i),
				     *from = vy_json_get(q, "options");
		struct vy_json *options = vy_json_new_arr();
		size_t n = vy_json_len(from);

		for (size_t k = 0; k < n && k < QUESTIONS_MAX; k++) {
			const struct vy_json *o = vy_json_at(from, k);

			choice(options, vy_json_str(o, "label"), vy_json_str(o, "description"));
		}
		question(list, *keep, vy_json_str(q, "header"), vy_json_cstr(q, "question"),
			n == 0 || vy_json_bool(q, "isOther", false), options, vy_json_cstr(q, "id"),
			VY_STR_LIT("string"));
	}
	return list;
}

static void add_answer(struct vy_json *list, const struct vy_json *v)
{
	if (vy_json_strval(v).n) {
		vy_json_add_take(list, vy_json_new_str(vy_json_strval(v)));
	}
}

struct vy_json *codex_form_answers(const struct vy_json *keep, const struct vy_json *answers)
{
	struct vy_json *all = vy_json_new_obj(), *at;
	const char *words;

	VY_JSON_EACH (keep, words, at) {
		const struct vy_json *said = vy_json_get(answers, words);
		const char *id = vy_json_cstr(at, "id");
		struct vy_json *list = vy_json_new_arr(), *one;

		add_answer(list, said);
		for (size_t i = 0; i < vy_json_len(said); i++) {
			add_answer(list, vy_json_at(said, i));
		}
		if (!id || vy_json_len(list) == 0) {
			vy_json_free(list);
			continue;
		}
		one = vy_json_new_obj();
		vy_json_take(one, "answers", list);
		vy_json_take(all, id, one);
	}
	return all;
}

/* ---- forms ---- */

/* enum, or oneOf [{const, title}]; a yes-or-no has these two. */
static struct vy_json *choices_of(const struct vy_json *p)
{
	struct vy_json *options = vy_json_new_arr();
	const struct vy_json *names = vy_json_get(p, "enum"), *one = vy_json_get(p, "oneOf");
	struct vy_str nothing = { NULL, 0 };

	for (size_t i = 0; i < vy_json_len(names) && i < QUESTIONS_MAX; i++) {
		choice(options, vy_json_strval(vy_json_at(names, i)), nothing);
	}
	for (size_t i = 0; i < vy_json_len(one) && i < QUESTIONS_MAX; i++) {
		const struct vy_json *o = vy_json_at(one, i);

		choice(options, vy_json_str(o, "const"), vy_json_str(o, "title"));
	}
	if (vy_str_is(vy_json_str(p, "type"), "boolean")) {
		choice(options, VY_STR_LIT("Yes"), nothing);
		choice(options, VY_STR_LIT("No"), nothing);
	}
	return options;
}

struct vy_json *codex_form_fields(
	const struct vy_json *schema, struct vy_json **keep, struct vy_arena *a)
{
	struct vy_json *list = vy_json_new_arr(), *p;
	const char *name;

	*keep = vy_json_new_obj();
	VY_JSON_EACH (vy_json_get(schema, "properties"), name, p) {
		struct vy_str title = vy_json_str(p, "title");
		struct vy_str words = vy_json_str(p, "description");
		struct vy_json *options = choices_of(p);
		bool is_free = vy_json_len(options) == 0;
		const char *said;

		title = title.n ? title : vy_str_c(name);
		said = vy_arena_printf(a, "%.*s", VY_STR_ARG(words.n ? words : title));
		if (vy_json_get(*keep, said)) {
			said = vy_arena_printf(a, "%s (%s)", said, name);
		}
		if (vy_json_len(list) < QUESTIONS_MAX) {
			question(list, *keep, title, said, is_free, options, name,
				vy_json_str(p, "type"));
		} else {
			vy_json_free(options);
		}
	}
	return list;
}

static struct vy_json *value_of(struct vy_str said, struct vy_str type)
{
	char text[64], *rest;
	long long n;

	if (vy_str_is(type, "boolean")) {
		return vy_json_new_bool(vy_str_is(said, "Yes") || vy_str_is(said, "true"));
	}
	if (vy_str_is(type, "integer") && vy_parse_i64(vy_str_trim(said), &n)) {
		return vy_json_new_int(n);
	}
	if (vy_str_is(type, "number") && said.n && said.n < sizeof(text)) {
		memcpy(text, said.p, said.n);
		text[said.n] = '\0';
		double d = strtod(text, &rest);

		if (rest != text && d == d && d - d == 0) {
			return vy_json_new_real(d);
		}
	}
	return vy_json_new_str(said);
}

struct vy_json *codex_form_content(const struct vy_json *keep, const struct vy_json *answers)
{
	struct vy_json *all = vy_json_new_obj(), *at;
	const char *words;

	VY_JSON_EACH (keep, words, at) {
		const struct vy_json *said = vy_json_get(answers, words);
		struct vy_str text = vy_json_strval(vy_json_len(said) ? vy_json_at(said, 0) : said);
		const char *id = vy_json_cstr(at, "id");

		if (id && text.n) {
			vy_json_take(all, id, value_of(text, vy_json_str(at, "type")));
		}
	}
	return all;
}
