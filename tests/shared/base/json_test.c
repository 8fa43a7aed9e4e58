/* json_test.c -- JSON at the border: what is let in, how it is asked, how it is printed. */
#include "tests/check.h"

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static const char *dumped(const struct vy_json *v, struct vy_buf *b)
{
	vy_buf_clear(b);
	vy_json_dump(v, b);
	return vy_buf_c(b);
}

static void lets_in(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct vy_str in;
		const char *strict, *lenient; /* what is printed again; NULL: refused */
	} rows[] = {
		{ "object keeps its order", VY_STR_LIT("{\"b\":1,\"a\":[true,null]}"),
			"{\"b\":1,\"a\":[true,null]}", "{\"b\":1,\"a\":[true,null]}" },
		{ "any value at the top", VY_STR_LIT(" 17 "), "17", "17" },
		{ "an escaped NUL is text", VY_STR_LIT("\"a\\u0000b\""), "\"a\\u0000b\"",
			"\"a\\u0000b\"" },
		{ "nothing", VY_STR_LIT(""), NULL, NULL },
		{ "two values", VY_STR_LIT("1 2"), NULL, NULL },
		{ "a NUL behind the value", VY_STR_LIT("1\0 2"), NULL, NULL },
		{ "half an object", VY_STR_LIT("{\"a\":"), NULL, NULL },
		{ "a key twice", VY_STR_LIT("{\"a\":1,\"a\":2}"), NULL, "{\"a\":2}" },
		{ "bad UTF-8", VY_STR_LIT("\"a\xFFz\""), NULL, "\"a\uFFFDz\"" },
		{ "overlong", VY_STR_LIT("\"\xC0\xAF\""), NULL, "\"\uFFFD\uFFFD\"" },
		{ "lone surrogate", VY_STR_LIT("\"\\ud83d!\""), NULL, "\"\uFFFD!\"" },
		{ "low one first", VY_STR_LIT("\"\\udc00\\ud83d\""), NULL, "\"\uFFFD\uFFFD\"" },
		{ "a pair", VY_STR_LIT("\"\\ud83d\\ude00\""), "\"\U0001F600\"", "\"\U0001F600\"" },
		{ "escaped backslash before u", VY_STR_LIT("\"\\\\ud83d\xFF\""), NULL,
			"\"\\\\ud83d\uFFFD\"" },
		{ "the last of 64 bits", VY_STR_LIT("[9223372036854775807]"),
			"[9223372036854775807]", "[9223372036854775807]" },
		{ "one more", VY_STR_LIT("[9223372036854775808,1]"), NULL,
			"[9.2233720368547758e18,1.0]" },
	};
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_err e;
		VY_AUTO_JSON *strict = vy_json_parse(rows[i].in, &e);
		VY_AUTO_JSON *lenient = vy_json_parse_lenient(rows[i].in, &e);

		check_str(rows[i].name, strict ? dumped(strict, &b) : NULL, rows[i].strict);
		check_str(rows[i].name, lenient ? dumped(lenient, &b) : NULL, rows[i].lenient);
	}
}

static void bounds_depth(void **state)
{
	(void)state;
	char text[2 * VY_JSON_DEPTH + 4];
	struct vy_err e;

	memset(text, '[', VY_JSON_DEPTH);
	memset(text + VY_JSON_DEPTH, ']', VY_JSON_DEPTH);
	VY_AUTO_JSON *deep = vy_json_parse(vy_str_n(text, 2 * VY_JSON_DEPTH), &e);

	check_true("as deep as allowed", deep != NULL);
	memset(text, '[', VY_JSON_DEPTH + 1);
	memset(text + VY_JSON_DEPTH + 1, ']', VY_JSON_DEPTH + 1);
	check_true("one deeper", vy_json_parse(vy_str_n(text, 2 * VY_JSON_DEPTH + 2), &e) == NULL);
	check_int("is bad input", e.code, VY_BAD_INPUT);
	VY_AUTO_JSON *brackets = vy_json_parse(VY_STR_LIT("\"[[[[\\\"[[[[\""), &e);

	check_true("brackets in a string are text", brackets != NULL);
}

static void answers_nothing_for_what_is_not_there(void **state)
{
	(void)state;
	VY_AUTO_JSON *v = vy_json_parse(
		VY_STR_LIT("{\"s\":\"x\",\"n\":3,\"r\":2.9,\"o\":{\"in\":{\"k\":1}},\"a\":[1]}"),
		NULL);
	struct vy_str s;
	int64_t n = 0;
	struct vy_err e;

	check_vstr("string", vy_json_str(v, "s"), vy_str_c("x"));
	check_vstr("no string", vy_json_str(v, "n"), vy_str_c(""));
	check_true("no C string", vy_json_cstr(v, "n") == NULL);
	check_int("number", vy_json_int(v, "n", -1), 3);
	check_int("a real is cut", vy_json_int(v, "r", -1), 2);
	check_int("no number", vy_json_int(v, "s", -1), -1);
	check_int("path", vy_json_int(vy_json_path(v, "o.in"), "k", -1), 1);
	check_true("path into nothing", vy_json_path(v, "o.out.k") == NULL);
	check_true("NULL all the way", vy_json_get(NULL, "x") == NULL && vy_json_len(NULL) == 0 &&
					       vy_json_at(vy_json_get(v, "a"), 1) == NULL &&
					       vy_json_type(NULL) == VY_JSON_NONE);
	check_int("need a string", vy_json_need_str(v, "params.", "s", &s, &e), 0);
	check_int("need a string, got a number", vy_json_need_str(v, "params.", "n", &s, &e), -1);
	check_str("said so", e.text, "params.n: expected a string, got a whole number");
	check_int("need a number, got nothing", vy_json_need_int(v, "", "zz", &n, &e), -1);
	check_str("said so", e.text, "zz: expected a whole number, got nothing");
}

static void gives_an_array_as_strings(void **state)
{
	VY_AUTO_JSON *v = vy_json_parse(VY_STR_LIT("[\"a\",\"\",7,\"b c\"]"), NULL);
	struct vy_arena a;

	(void)state;
	vy_arena_init(&a);
	const char **s = vy_json_strings(v, &a);

	assert_string_equal(s[0], "a");
	assert_string_equal(s[1], "");
	assert_string_equal(s[2], "");
	assert_string_equal(s[3], "b c");
	assert_null(s[4]);
	assert_null(vy_json_strings(NULL, &a)[0]);
	vy_arena_fini(&a);
}

static void builds_and_prints(void **state)
{
	(void)state;
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
	VY_AUTO_JSON *v = vy_json_new_obj();
	struct vy_json *list = vy_json_new_arr();
	const char *key;
	struct vy_json *value;
	size_t n = 0;

	vy_json_set_str(v, "z", VY_STR_LIT("\xFFok"));
	vy_json_set_int(v, "a", 1);
	vy_json_set_c(v, "none", NULL);
	vy_json_add_take(list, vy_json_new_int(2));
	vy_json_insert_take(list, 0, vy_json_new_bool(true));
	vy_json_take(v, "list", list);
	check_str("own order", dumped(v, &b), "{\"z\":\"\uFFFDok\",\"a\":1,\"list\":[true,2]}");
	vy_buf_clear(&b);
	vy_json_dump_canonical(v, &b);
	check_str("sorted", vy_buf_c(&b), "{\"a\":1,\"list\":[true,2],\"z\":\"\uFFFDok\"}");
	VY_AUTO_JSON *copy = vy_json_copy(v);

	check_true("a copy is equal", vy_json_equal(v, copy));
	vy_json_del_at(vy_json_get(copy, "list"), 0);
	check_true("and apart", !vy_json_equal(v, copy));
	vy_json_del(copy, "z");
	VY_JSON_EACH (copy, key, value) {
		check_true("walks in order", strcmp(key, n == 0 ? "a" : "list") == 0 && value);
		n++;
	}
	check_int("all of it", (long long)n, 2);
	VY_AUTO_BUF tiny = VY_BUF_INIT(4);

	check_true("no room is said", !vy_json_dump(v, &tiny));
}

CHECK_MAIN(CHECK_TEST(lets_in), CHECK_TEST(bounds_depth),
	CHECK_TEST(answers_nothing_for_what_is_not_there), CHECK_TEST(gives_an_array_as_strings),
	CHECK_TEST(builds_and_prints))
