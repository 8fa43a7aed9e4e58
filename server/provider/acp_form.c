/* acp_form.c -- see acp_form.h. */
#include "server/provider/acp_form.h"

#include <stdlib.h>
#include <string.h>

#include "server/provider/brief.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define QUESTIONS_MAX 20
#define CHOICES_MAX   50
#define CUSTOM        "_custom" /* a free word beside a choice (claude-agent-acp) */

/* "Red — Choose Red" is the label "Red" and what it means. */
static struct vy_str meaning_of(struct vy_str title, struct vy_str label)
{
	static const char dash[] = " — ";

	if (title.n > label.n + sizeof(dash) - 1 && memcmp(title.p, label.p, label.n) == 0 &&
		memcmp(title.p + label.n, dash, sizeof(dash) - 1) == 0) {
		return vy_str_from(title, label.n + sizeof(dash) - 1);
	}
	return vy_str_eq(title, label) ? vy_str_n(NULL, 0) : title;
}

static void choice(struct vy_json *list, struct vy_json *values, struct vy_str label,
	struct vy_str title, struct vy_json *value)
{
	struct vy_json *o = vy_json_new_obj();
	char *key = vy_memdup0(label.p, label.n);

	vy_json_set_str(o, "label", label);
	vy_json_set_str(o, "description", meaning_of(title, label));
	vy_json_add_take(list, o);
	vy_json_set(values, key, value);
	free(key);
}

/* oneOf, anyOf, enum: of a member, or of its items. */
static void choices(const struct vy_json *schema, struct vy_json *list, struct vy_json *values)
{
	static const char *const words[] = { "oneOf", "anyOf", "enum" };
	const struct vy_json *titles = vy_json_get(schema, "enumNames");

	for (size_t w = 0; w < VY_COUNT(words); w++) {
		const struct vy_json *from = vy_json_get(schema, words[w]);

		for (size_t i = 0; i < vy_json_len(from) && i < CHOICES_MAX; i++) {
			struct vy_json *one = vy_json_at(from, i);
			struct vy_json *value =
				vy_json_type(one) == VY_JSON_OBJ ? vy_json_get(one, "const") : one;
			struct vy_str title = vy_json_str(one, "title");

			if (vy_json_type(value) == VY_JSON_STR && vy_json_strval(value).n) {
				choice(list, values, vy_json_strval(value),
					title.n ? title : vy_json_strval(vy_json_at(titles, i)),
					value);
			}
		}
	}
	if (vy_str_is(vy_json_str(schema, "type"), "boolean")) {
		VY_AUTO_JSON *yes = vy_json_new_bool(true), *no = vy_json_new_bool(false);

		choice(list, values, VY_STR_LIT("Yes"), vy_str_n(NULL, 0), yes);
		choice(list, values, VY_STR_LIT("No"), vy_str_n(NULL, 0), no);
	}
}

static bool is_custom(const struct vy_json *properties, const char *key)
{
	size_t n = strlen(key), tail = sizeof(CUSTOM) - 1;

	if (n <= tail || strcmp(key + n - tail, CUSTOM) != 0) {
		return false;
	}
	char *of = vy_memdup0(key, n - tail);
	bool has = vy_json_get(properties, of) != NULL;

	free(of);
	return has;
}

static void question(struct vy_json *list, struct vy_json *keep, const char *key,
	const struct vy_json *schema, const struct vy_json *properties, struct vy_str words,
	struct vy_arena *a)
{
	const char *custom = vy_arena_printf(a, "%s" CUSTOM, key);
	bool is_multi = vy_str_is(vy_json_str(schema, "type"), "array");
	const struct vy_json *of = is_multi ? vy_json_get(schema, "items") : schema;
	struct vy_json *q = vy_json_new_obj(), *options = vy_json_new_arr();
	struct vy_json *how = vy_json_new_obj(), *values = vy_json_new_obj();
	const char *name = vy_arena_dup(a, words.p, words.n);

	if (vy_json_get(keep, name)) { /* a question's words are its name in the answer */
		name = vy_arena_printf(a, "%s (%s)", name, key);
	}
	choices(of, options, values);
	bool has_custom = vy_json_get(properties, custom) != NULL;

	vy_json_set_str(q, "header", brief_one_line(vy_json_str(schema, "title"), a));
	vy_json_set_c(q, "question", name);
	vy_json_set_bool(q, "multi", is_multi);
	vy_json_set_bool(q, "free", has_custom || vy_json_len(options) == 0);
	vy_json_take(q, "options", options);
	vy_json_add_take(list, q);
	vy_json_set_c(how, "key", key);
	vy_json_set_str(how, "type", vy_json_str(schema, "type"));
	if (has_custom) {
		vy_json_set_c(how, "custom", custom);
	}
	vy_json_take(how, "values", values);
	vy_json_take(keep, name, how);
}

struct vy_json *acp_form_questions(
	const struct vy_json *params, struct vy_json **keep, struct vy_arena *a)
{
	struct vy_json *properties = vy_json_path(params, "requestedSchema.properties"), *schema;
	struct vy_str message = vy_json_str(params, "message");
	struct vy_json *list = vy_json_new_arr();
	const char *key;
	size_t n = 0;

	*keep = vy_json_new_obj();
	VY_JSON_EACH (properties, key, schema) {
		n += !is_custom(properties, key);
	}
	VY_JSON_EACH (properties, key, schema) {
		struct vy_str words = vy_json_str(schema, "description");

		if (is_custom(properties, key) || vy_json_len(list) >= QUESTIONS_MAX) {
			continue;
		}
		words = n == 1 && message.n ? message
			: words.n           ? words
					    : vy_json_str(schema, "title");
		question(list, *keep, key, schema, properties, words.n ? words : vy_str_c(key), a);
	}
	return list;
}

/* ---- answers ---- */

static struct vy_json *value_of(const struct vy_json *how, struct vy_str said, bool *is_free)
{
	char *label = vy_memdup0(said.p, said.n);
	struct vy_json *v = vy_json_ref(vy_json_get(vy_json_get(how, "values"), label));
	struct vy_str type = vy_json_str(how, "type");
	char *end = label;

	*is_free = !v;
	if (!v && (vy_str_is(type, "number") || vy_str_is(type, "integer"))) {
		double d = strtod(label, &end);

		v = end == label || *end ? NULL
		    : vy_str_is(type, "integer") && d > -1e15 && d < 1e15
			    ? vy_json_new_int((int64_t)d)
			    : vy_json_new_real(d);
	}
	free(label);
	return v ? v : vy_json_new_str(said);
}

static void answer(struct vy_json *content, const struct vy_json *how, const struct vy_json *said)
{
	const char *key = vy_json_cstr(how, "key"), *custom = vy_json_cstr(how, "custom");
	bool is_multi = vy_str_is(vy_json_str(how, "type"), "array"), is_free;
	struct vy_json *list = vy_json_new_arr();

	if (vy_json_type(said) == VY_JSON_STR) {
		vy_json_add_take(list, value_of(how, vy_json_strval(said), &is_free));
		if (is_free && custom) {
			vy_json_set(content, custom, vy_json_at(list, 0));
			vy_json_free(list);
			return;
		}
	}
	for (size_t i = 0; vy_json_type(said) == VY_JSON_ARR && i < vy_json_len(said); i++) {
		struct vy_json *v = value_of(how, vy_json_strval(vy_json_at(said, i)), &is_free);

		if (is_free && custom) {
			vy_json_set(content, custom, v);
			vy_json_free(v);
		} else {
			vy_json_add_take(list, v);
		}
	}
	if (is_multi && vy_json_len(list)) {
		vy_json_set(content, key, list);
	} else if (vy_json_len(list)) {
		vy_json_set(content, key, vy_json_at(list, 0));
	}
	vy_json_free(list);
}

struct vy_json *acp_form_content(const struct vy_json *keep, const struct vy_json *answers)
{
	struct vy_json *content = vy_json_new_obj(), *how;
	const char *name;

	VY_JSON_EACH (keep, name, how) {
		const struct vy_json *said = vy_json_get(answers, name);

		if (said && vy_json_cstr(how, "key")) {
			answer(content, how, said);
		}
	}
	return content;
}
