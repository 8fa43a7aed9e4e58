/* method_test.c -- the table of methods reads, finds and judges. */
#include "tests/check.h"

#include "shared/base/limits.h"
#include "shared/rpc/method.h"
#include "shared/base/ban.h"

/* Each row by itself, so that a slip names its method. */
static void every_schema_reads(void **state)
{
	(void)state;
	static const struct {
		const char *name, *params, *result;
	} table[] = {
#define VY_METHOD(name, reach, writes, key, params, result) { name, params, result },
#include "shared/rpc/methods.def"
#undef VY_METHOD
	};

	for (size_t i = 0; i < VY_COUNT(table); i++) {
		struct vy_arena a;
		struct vy_err e = { 0 };

		vy_arena_init(&a);
		check_true(
			table[i].name, vy_schema_parse(vy_str_c(table[i].params), &a, &e) != NULL);
		check_true(
			table[i].name, vy_schema_parse(vy_str_c(table[i].result), &a, &e) != NULL);
		vy_arena_fini(&a);
	}
}

static void finds_each_and_no_other(void **state)
{
	(void)state;
	struct vy_methods *ms = vy_methods_new();
	static const char *const none[] = { "", "threads", "threads.", "threads.gets", "threads.ge",
		"zzz", "Threads.get" };

	for (size_t i = 0; i < vy_methods_len(ms); i++) {
		const struct vy_method *m = vy_methods_at(ms, i);

		check_true(m->name, vy_methods_find(ms, vy_str_c(m->name)) == m);
		check_true(m->name, i == 0 || strcmp(vy_methods_at(ms, i - 1)->name, m->name) < 0);
	}
	for (size_t i = 0; i < VY_COUNT(none); i++) {
		check_true(none[i], vy_methods_find(ms, vy_str_c(none[i])) == NULL);
	}
	check_true("past the end", vy_methods_at(ms, vy_methods_len(ms)) == NULL);
	vy_methods_free(ms);
}

/* The promises of wire 2 that a slip in the table would break quietly. */
static void only_people_approve(void **state)
{
	(void)state;
	struct vy_methods *ms = vy_methods_new();
	static const char *const persons[] = { "threads.answer", "threads.mode", "threads.model",
		"threads.trust", "threads.rename", "threads.pids", "threads.edit",
		"threads.unqueue", "threads.send_now", "threads.move", "threads.release" };

	for (size_t i = 0; i < VY_COUNT(persons); i++) {
		const struct vy_method *m = vy_methods_find(ms, vy_str_c(persons[i]));

		check_true(persons[i], m && m->reach == VY_REACH_PERSON);
	}
	for (size_t i = 0; i < vy_methods_len(ms); i++) {
		const struct vy_method *m = vy_methods_at(ms, i);

		check_int(m->name, m->writes, m->key != VY_KEY_NONE);
	}
	vy_methods_free(ms);
}

static void judges_params(void **state)
{
	(void)state;
	static const struct {
		const char *name, *method, *params, *error;
	} rows[] = {
		{ "a send", "threads.send", "{\"session\":\"s\",\"text\":\"hi\",\"_key\":\"k\"}",
			NULL },
		{ "no params where none are needed", "server.info", NULL, NULL },
		{ "no params", "threads.get", NULL, "params.session is missing" },
		{ "text is a number", "threads.send", "{\"session\":\"s\",\"text\":5}",
			"params.text: expected a string, got a number" },
		{ "a mode nobody has", "threads.mode",
			"{\"session\":\"s\",\"mode\":\"bypassPermissions\"}",
			"params.mode: expected default, acceptEdits or plan, got "
			"\"bypassPermissions\"" },
		{ "always, simply", "threads.answer",
			"{\"ask\":\"a\",\"decision\":\"allow\",\"always\":true}", NULL },
		{ "always, with a rule", "threads.answer",
			"{\"ask\":\"a\",\"decision\":\"allow\",\"always\":{\"rule\":\"Bash(ls)\","
			"\"scope\":\"user\"}}",
			NULL },
		{ "always, for ever", "threads.answer",
			"{\"ask\":\"a\",\"decision\":\"allow\",\"always\":{\"rule\":\"Bash\","
			"\"scope\":\"world\"}}",
			"params.always.scope: expected session, project or user, got \"world\"" },
	};
	struct vy_methods *ms = vy_methods_new();

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_err e = { 0 };
		VY_AUTO_JSON *v =
			rows[i].params ? vy_json_parse(vy_str_c(rows[i].params), &e) : NULL;
		int got = vy_method_check(vy_methods_find(ms, vy_str_c(rows[i].method)), v, &e);

		check_str(rows[i].name, got == 0 ? "fits" : e.text,
			rows[i].error ? rows[i].error : "fits");
	}
	vy_methods_free(ms);
}

static void discovers(void **state)
{
	(void)state;
	struct vy_methods *ms = vy_methods_new();
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
	struct vy_jw w = VY_JW(&b);
	struct vy_err e = { 0 };

	vy_methods_discover(ms, &w);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&b), &e);

	check_str("is JSON", e.text, "");
	struct vy_json *list = vy_json_get(v, "methods");

	check_int("all of them", (long long)vy_json_len(list), (long long)vy_methods_len(ms));
	/* and it fits what the table itself promises about it */
	const struct vy_method *self = vy_methods_find(ms, VY_STR_LIT("rpc.discover"));

	check_int("as told", vy_schema_check(self->result, v, "result", &e), 0);
	vy_methods_free(ms);
}

static struct vy_json *sample(const struct vy_json *schema);

/* With the members it must have. */
static struct vy_json *sample_object(const struct vy_json *schema)
{
	const struct vy_json *required = vy_json_get(schema, "required");
	struct vy_json *o = vy_json_new_obj();

	for (size_t i = 0; i < vy_json_len(required); i++) {
		const char *key = vy_json_strval(vy_json_at(required, i)).p;

		vy_json_take(o, key, sample(vy_json_get(vy_json_get(schema, "properties"), key)));
	}
	return o;
}

/* A value that fits a simple schema, as rpc.discover shows it. */
static struct vy_json *sample(const struct vy_json *schema)
{
	if (vy_json_get(schema, "anyOf")) {
		schema = vy_json_at(vy_json_get(schema, "anyOf"), 0);
	}
	struct vy_str type = vy_json_str(schema, "type");
	struct vy_json *words = vy_json_get(schema, "enum");

	return words ? vy_json_copy(vy_json_at(words, 0))
	       : vy_str_is(type, "integer") || vy_str_is(type, "number")
		       ? vy_json_new_int(vy_json_int(schema, "minimum", 1))
	       : vy_str_is(type, "array")   ? vy_json_new_arr()
	       : vy_str_is(type, "object")  ? sample_object(schema)
	       : vy_str_is(type, "boolean") ? vy_json_new_bool(true)
					    : vy_json_new_str(VY_STR_LIT("x"));
}

/* Params that fit but for one of them, which has a type that its schema does not take. */
static struct vy_json *all_but(const struct vy_json *params, const char *name)
{
	struct vy_json *o = vy_json_new_obj(), *all = vy_json_get(params, "properties"), *schema;
	const char *key;

	VY_JSON_EACH (all, key, schema) {
		if (strcmp(key, name) != 0) {
			vy_json_take(o, key, sample(schema));
		} else if (vy_str_is(vy_json_str(schema, "type"), "array")) {
			vy_json_set_int(o, key, 7);
		} else {
			vy_json_take(o, key, vy_json_new_arr());
		}
	}
	return o;
}

/* Every parameter of every method there is. */
static void each_wrong_type_is_named(void **state)
{
	(void)state;
	struct vy_methods *ms = vy_methods_new();
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
	struct vy_jw w = VY_JW(&b);
	size_t tried = 0;

	vy_methods_discover(ms, &w);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&b), NULL);

	for (size_t i = 0; i < vy_methods_len(ms); i++) {
		const struct vy_json *m = vy_json_at(vy_json_get(v, "methods"), i);
		const struct vy_json *params = vy_json_get(m, "params");
		const struct vy_method *method = vy_methods_find(ms, vy_json_str(m, "name"));
		struct vy_json *schema;
		const char *key;

		VY_JSON_EACH (vy_json_get(params, "properties"), key, schema) {
			VY_AUTO_JSON *wrong = all_but(params, key);
			char row[128], want[128];
			struct vy_err e = { 0 };

			if (vy_json_len(schema) == 0) {
				continue; /* anything fits */
			}
			snprintf(row, sizeof(row), "%s %s", method->name, key);
			snprintf(want, sizeof(want), "params.%s: expected ", key);
			check_int(row, vy_method_check(method, wrong, &e), -1);
			check_int(row, e.code, VY_BAD_INPUT);
			check_vstr(row, vy_str_n(e.text, strnlen(e.text, strlen(want))),
				vy_str_c(want));
			check_true(row, strstr(e.text, ", got a") != NULL);
			tried++;
		}
	}
	check_true("there are many", tried > 40);
	vy_methods_free(ms);
}

CHECK_MAIN(CHECK_TEST(every_schema_reads), CHECK_TEST(finds_each_and_no_other),
	CHECK_TEST(only_people_approve), CHECK_TEST(judges_params),
	CHECK_TEST(each_wrong_type_is_named), CHECK_TEST(discovers))
