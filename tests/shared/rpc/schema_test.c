/* schema_test.c -- the little language: what it says about values, and as JSON Schema. */
#include "tests/check.h"

#include "shared/base/limits.h"
#include "shared/rpc/schema.h"
#include "shared/base/ban.h"

static const struct {
	const char *name, *schema, *value, *error; /* error NULL: fits */
} rows[] = {
	{ "str", "str", "\"\"", NULL },
	{ "str: a number", "str", "5", "params: expected a string, got a number" },
	{ "str: nothing of it", "str", "null", "params: expected a string, got null" },
	{ "str<=3", "str<=3", "\"abc\"", NULL },
	{ "str<=3: 4 bytes", "str<=3", "\"ab\u00E9\"", "params: 4 bytes, at most 3 are allowed" },
	{ "int", "int", "-7", NULL },
	{ "int: a fraction", "int", "1.5", "params: expected a whole number, got a number" },
	{ "int: a string", "int", "\"1\"", "params: expected a whole number, got a string" },
	{ "int>=0", "int>=0", "0", NULL },
	{ "int>=0: below", "int>=0", "-1", "params: must be at least 0" },
	{ "int>=1<=9: above", "int>=1<=9", "10", "params: must be at most 9" },
	{ "int: exact where a double is not", "int<=9007199254740992", "9007199254740993",
		"params: must be at most 9007199254740992" },
	{ "num: whole", "num>=0", "2", NULL },
	{ "num: a fraction", "num>=0", "0.5", NULL },
	{ "num: below", "num>=0", "-0.5", "params: must be at least 0" },
	{ "bool", "bool", "true", NULL },
	{ "bool: a number", "bool", "1", "params: expected a boolean, got a number" },
	{ "null", "null", "null", NULL },
	{ "any", "any", "[{}]", NULL },
	{ "obj", "obj", "{\"a\":1}", NULL },
	{ "obj: a list", "obj", "[]", "params: expected an object, got an array" },
	{ "a named type", "agent_task",
		"{\"task\":\"t\",\"kind\":\"shell\",\"text\":\"x\",\"status\":\"running\"}", NULL },
	{ "a named type: a member", "[agent_task]", "[{}]", "params[0].task is missing" },
	{ "one in another", "{asks: [ask_record]}",
		"{\"asks\":[{\"ask\":\"a\",\"session\":\"s\",\"kind\":\"plan\",\"summary\":\"\","
		"\"options\":["
		"{\"id\":\"x\"}],\"raised\":1}]}",
		"params.asks[0].options[0].label is missing" },
	{ "{...: int}", "{...: int}", "{\"any\":1,\"name\":2}", NULL },
	{ "{...: int}: another", "{...: int}", "{\"any\":1,\"name\":\"2\"}",
		"params.name: expected a whole number, got a string" },
	{ "{...}", "{...}", "{\"any\":[1]}", NULL },
	{ "id", "id", "\"x\"", NULL },
	{ "id: empty", "id", "\"\"", "params: is empty" },
	{ "a word", "on", "\"on\"", NULL },
	{ "a word: another", "on", "\"off\"", "params: expected on, got \"off\"" },
	{ "words", "steer|queue|now", "\"now\"", NULL },
	{ "words: another", "steer|queue|now", "\"later\"",
		"params: expected steer, queue or now, got \"later\"" },
	{ "words: a number", "steer|queue|now", "5",
		"params: expected steer, queue or now, got a number" },
	{ "a choice of types", "bool|{rule: str}", "true", NULL },
	{ "the other", "bool|{rule: str}", "{\"rule\":\"x\"}", NULL },
	{ "the other, wrong inside", "bool|{rule: str}", "{\"rule\":1}",
		"params.rule: expected a string, got a number" },
	{ "neither", "bool|{rule: str}", "[]",
		"params: expected a boolean or an object, got an array" },
	{ "a list", "[int]", "[1,2,3]", NULL },
	{ "a list: an item", "[int]", "[1,\"2\"]",
		"params[1]: expected a whole number, got a string" },
	{ "a list: too long", "[int]<=2", "[1,2,3]", "params: 3 items, at most 2 are allowed" },
	{ "a list: too short", "[int]>=1", "[]", "params: 0 items, at least 1 are needed" },
	{ "members", "{a: str, b?: int}", "{\"a\":\"\",\"b\":1}", NULL },
	{ "an optional one may be absent", "{a: str, b?: int}", "{\"a\":\"\"}", NULL },
	{ "or null", "{a: str, b?: int}", "{\"a\":\"\",\"b\":null}", NULL },
	{ "a needed one may not be null", "{a: str}", "{\"a\":null}",
		"params.a: expected a string, got null" },
	{ "nor absent", "{a: str, b?: int}", "{\"b\":1}", "params.a is missing" },
	{ "strangers are passed over", "{a: str}", "{\"z\":[],\"a\":\"\"}", NULL },
	{ "far down", "{a: [{b: {c: [str]}}]}",
		"{\"a\":[{\"b\":{\"c\":[]}},{\"b\":{\"c\":[\"x\",0]}}]}",
		"params.a[1].b.c[1]: expected a string, got a number" },
	{ "blanks and lines", " { a : [ str ] <= 2 ,\n b ? : x | y } ",
		"{\"a\":[\"1\"],\"b\":\"y\"}", NULL },
};

static void checks(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_arena a;
		struct vy_err e = { 0 };

		vy_arena_init(&a);
		const struct vy_schema *s = vy_schema_parse(vy_str_c(rows[i].schema), &a, &e);

		check_str(rows[i].name, e.text, "");
		check_true(rows[i].name, s != NULL);
		VY_AUTO_JSON *v = vy_json_parse(vy_str_c(rows[i].value), &e);

		check_true(rows[i].name, v != NULL);
		int got = vy_schema_check(s, v, "params", &e);

		check_str(rows[i].name, got == 0 ? "fits" : e.text,
			rows[i].error ? rows[i].error : "fits");
		check_true(rows[i].name, got == 0 || e.code == VY_BAD_INPUT);
		vy_arena_fini(&a);
	}
}

static void refuses_bad_schemas(void **state)
{
	(void)state;
	static const struct {
		const char *text, *error;
	} bad[] = {
		{ "", "schema: a type is missing at byte 0 of " },
		{ "{a str}", "schema: : is missing at byte 3 of {a str}" },
		{ "{a: str", "schema: } is missing at byte 7 of {a: str" },
		{ "[str", "schema: ] is missing at byte 4 of [str" },
		{ "{: str}", "schema: a name is missing at byte 1 of {: str}" },
		{ "str<=", "schema: a number is missing at byte 5 of str<=" },
		{ "str str", "schema: more than one type at byte 4 of str str" },
		{ "a|", "schema: a type is missing at byte 2 of a|" },
		{ "{...", "schema: } is missing at byte 4 of {..." },
		{ "str<=99999999999999999999",
			"schema: a number is missing at byte 25 of str<=99999999999999999999" },
	};

	for (size_t i = 0; i < VY_COUNT(bad); i++) {
		struct vy_arena a;
		struct vy_err e = { 0 };

		vy_arena_init(&a);
		check_true(bad[i].text, vy_schema_parse(vy_str_c(bad[i].text), &a, &e) == NULL);
		check_str(bad[i].text, e.text, bad[i].error);
		vy_arena_fini(&a);
	}
}

/* A path of any length is cut, never written past its room. */
static void long_paths_end_in_dots(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_err e = { 0 };
	VY_AUTO_BUF schema = VY_BUF_INIT(65536), value = VY_BUF_INIT(65536);
	enum { DEEP = 20 };

	vy_arena_init(&a);
	for (int i = 0; i < DEEP; i++) {
		vy_buf_adds(&schema, "{a_rather_long_name: ");
		vy_buf_adds(&value, "{\"a_rather_long_name\":");
	}
	vy_buf_adds(&schema, "str");
	vy_buf_adds(&value, "5");
	for (int i = 0; i < DEEP; i++) {
		vy_buf_adds(&schema, "}");
		vy_buf_adds(&value, "}");
	}
	const struct vy_schema *s = vy_schema_parse(vy_buf_str(&schema), &a, &e);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&value), &e);

	check_int("refused", vy_schema_check(s, v, "params", &e), -1);
	check_true("with dots", strstr(e.text, "...: expected a string, got a number") != NULL);
	check_int("all of its room", (long long)(strchr(e.text, ':') - e.text), 255);
	vy_arena_fini(&a);
}

/* What we say ourselves may hold nothing that nobody was told of. */
static void the_whole_of_it(void **state)
{
	static const struct {
		const char *name, *schema, *value, *want;
	} table[] = {
		{ "all named", "{a: str, b?: {c: int}}", "{\"a\":\"\",\"b\":{\"c\":1}}", "" },
		{ "a stranger", "{a: str}", "{\"a\":\"\",\"z\":1}",
			"result.z: is not in the schema" },
		{ "a stranger far down", "[{a: {b?: str}}]", "[{\"a\":{\"c\":1}}]",
			"result[0].a.c: is not in the schema" },
		{ "of a choice", "null|{a: str}", "{\"a\":\"\",\"b\":null}",
			"result.b: is not in the schema" },
		{ "and more", "{a: str, ...}", "{\"a\":\"\",\"z\":1}", "" },
		{ "and more, but not less", "{a: str, ...}", "{\"z\":1}", "result.a is missing" },
		{ "an object of anything has none", "{...}", "{\"z\":1}", "" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(table); i++) {
		struct vy_arena a;
		struct vy_err e = { 0 };
		VY_AUTO_JSON *v = vy_json_parse(vy_str_c(table[i].value), NULL);

		vy_arena_init(&a);
		const struct vy_schema *s = vy_schema_parse(vy_str_c(table[i].schema), &a, &e);

		check_int(table[i].name, vy_schema_check_whole(s, v, "result", &e),
			table[i].want[0] ? -1 : 0);
		check_str(table[i].name, e.text, table[i].want);
		vy_arena_fini(&a);
	}
}

/* No type holds itself, and none is called like a word that is chosen from elsewhere. */
static void the_named_ones(void **state)
{
	static const char *const names[] = {
#define VY_RPC_TYPE(name, text) name,
#include "shared/rpc/types.def"
#undef VY_RPC_TYPE
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		struct vy_arena a;
		struct vy_err e = { 0 };

		vy_arena_init(&a);
		check_true(names[i], vy_schema_parse(vy_str_c(names[i]), &a, &e) != NULL);
		check_str(names[i], e.text, "");
		vy_arena_fini(&a);
	}
}

static void as_json_schema(void **state)
{
	(void)state;
	static const struct {
		const char *schema, *json;
	} out[] = {
		{ "str<=5", "{\"type\":\"string\",\"maxLength\":5}" },
		{ "id", "{\"type\":\"string\",\"minLength\":1,\"maxLength\":256}" },
		{ "int>=0<=9", "{\"type\":\"integer\",\"minimum\":0,\"maximum\":9}" },
		{ "[num]<=2",
			"{\"type\":\"array\",\"maxItems\":2,\"items\":{\"type\":\"number\"}}" },
		{ "a|b", "{\"enum\":[\"a\",\"b\"]}" },
		{ "bool|null", "{\"anyOf\":[{\"type\":\"boolean\"},{\"type\":\"null\"}]}" },
		{ "any", "{}" },
		{ "{a: str, b?: obj}",
			"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
			"\"b\":{\"type\":\"object\"}},\"required\":[\"a\"]}" },
		{ "{...: int}",
			"{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\"}}" },
		{ "image_ref", "{\"type\":\"object\",\"properties\":{\"ref\":{\"type\":\"string\"},"
			       "\"mime\":"
			       "{\"type\":\"string\"}},\"required\":[\"ref\"]}" },
	};

	for (size_t i = 0; i < VY_COUNT(out); i++) {
		struct vy_arena a;
		VY_AUTO_BUF b = VY_BUF_INIT(4096);
		struct vy_jw w = VY_JW(&b);

		vy_arena_init(&a);
		vy_schema_write(vy_schema_parse(vy_str_c(out[i].schema), &a, NULL), &w);
		check_str(out[i].schema, vy_buf_c(&b), out[i].json);
		vy_arena_fini(&a);
	}
}

CHECK_MAIN(CHECK_TEST(checks), CHECK_TEST(refuses_bad_schemas), CHECK_TEST(long_paths_end_in_dots),
	CHECK_TEST(the_whole_of_it), CHECK_TEST(the_named_ones), CHECK_TEST(as_json_schema))
