/* settings_test.c -- a person's settings file with our hooks in it, and without them again. */
#include "tests/check.h"

#include <string.h>

#include "server/hook/settings.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

/* Which row it was, should it fail. */
#define ROW(name)      print_message("  %s\n", name)
#define ADD(text, out) hook_settings_add(vy_str_c(text), "/usr/bin/vyred", "", &(out), &e)

/* What comes back byte for byte, whatever stood there. */
static const struct {
	const char *name, *text;
} files[] = {
	{ "nothing else", HOOK_SETTINGS_NONE },
	{ "an empty object", "{}" },
	{ "one with a line's end", "{}\n" },
	{ "one key", "{\n  \"model\": \"opus\"\n}\n" },
	{ "tabs", "{\n\t\"model\": \"opus\",\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n" },
	{ "four blanks, no line's end", "{\n    \"a\": [1, 2.5e3, true, null]\n}" },
	{ "one line", "{\"a\":{\"b\":\"c\"},\"d\":[]}" },
	{ "carriage returns", "{\r\n  \"a\": 1\r\n}\r\n" },
	{ "braces in strings", "{ \"a\": \"}]{[,\\\"\", \"b\\\\\": \"\\\\\" }\n" },
	{ "hooks of others",
		"{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { "
		"\"type\": \"command\", \"command\": \"beep\" }\n        ]\n      }\n    ]\n  },\n "
		" "
		"\"z\": 1\n}\n" },
	{ "of an event we have not", "{\"hooks\":{\"Notification\":[{\"hooks\":[{\"type\":"
				     "\"command\",\"command\":\"n\"}]}]}}" },
	{ "words that look like ours", "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\","
				       "\"command\":\"echo vyred hook "
				       "running Stop\"}]}]},\"x\":\"vyred hook run Stop\"}" },
	{ "blanks behind the brace", "  {   \"a\" : 1   }  " },
};

static void test_there_and_back(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < VY_COUNT(files); i++) {
		VY_AUTO_BUF with = VY_BUF_INIT(VY_MIB), twice = VY_BUF_INIT(VY_MIB);
		VY_AUTO_BUF back = VY_BUF_INIT(VY_MIB), line = VY_BUF_INIT(VY_KIB);
		struct vy_err e = { 0 };
		size_t n;

		ROW(files[i].name);
		assert_int_equal(ADD(files[i].text, with), 0);
		VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&with), &e);

		assert_non_null(v);
		assert_int_equal(hook_settings_count(vy_buf_str(&with), &line, &n, &e), 0);
		assert_int_equal(n, 7);
		assert_string_equal(vy_buf_c(&line),
			"test ! -x /usr/bin/vyred || exec /usr/bin/vyred hook run SessionStart");
		assert_int_equal(ADD(vy_buf_c(&with), twice), 0); /* once more is no more */
		assert_string_equal(vy_buf_c(&twice), vy_buf_c(&with));
		assert_int_equal(hook_settings_remove(vy_buf_str(&with), &back, &e), 0);
		assert_string_equal(vy_buf_c(&back), files[i].text);
	}
}

static void test_its_look(void **unused)
{
	static const char begin[] =
		"{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n"
		"        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"test ! -x "
		"/usr/bin/vyred || exec /usr/bin/vyred hook run SessionStart\", \"timeout\": 15 }\n"
		"        ]\n      }\n    ],\n    \"UserPromptSubmit\": [";
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);
	struct vy_err e = { 0 };

	(void)unused;
	assert_int_equal(ADD("{\n  \"model\": \"opus\"\n}\n", out), 0);
	assert_memory_equal(vy_buf_c(&out), begin, strlen(begin));
	assert_non_null(strstr(vy_buf_c(&out), "\n    ]\n  }\n}\n"));
	assert_non_null(strstr(vy_buf_c(&out), "\"matcher\": \"Agent|Task\""));
}

static const struct {
	const char *name, *text, *back;
} moved[] = {
	{ "beside another, in one group",
		"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"a\"},{\"command\":\"/x/vyred "
		"hook run "
		"Stop\"}]}]}}",
		"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"a\"}]}]}}" },
	{ "before another",
		"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"/x/vyred hook run Stop\"}, "
		"{\"command\":\"a\"}]}]}}",
		"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"a\"}]}]}}" },
	{ "an older one, of another place, with options",
		"{\"a\":1,\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"'/x y/vyred' --state-dir "
		"/s hook "
		"run Stop\"}]}]},\"b\":2}",
		"{\"a\":1,\"b\":2}" },
	{ "under an event that is not ours any more",
		"{\"hooks\":{\"Notification\":[{\"hooks\":[{\"command\":\"vyred hook run "
		"Stop\"}]}]}}",
		"{}" },
	{ "twice",
		"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"vyred hook run "
		"Stop\"}]},{\"hooks\":["
		"{\"command\":\"vyred hook run Stop\"}]}]},\"b\":2}",
		"{\"b\":2}" },
};

static void test_moved(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < VY_COUNT(moved); i++) {
		VY_AUTO_BUF back = VY_BUF_INIT(VY_MIB);
		struct vy_err e = { 0 };

		ROW(moved[i].name);
		assert_int_equal(hook_settings_remove(vy_str_c(moved[i].text), &back, &e), 0);
		assert_string_equal(vy_buf_c(&back), moved[i].back);
	}
}

static const struct {
	const char *name, *text, *says;
} broken[] = {
	{ "no JSON", "{ \"a\": ", "" },
	{ "a comment", "{ // mine\n}", "" },
	{ "a list", "[]", "expected an object" },
	{ "hooks is a list", "{\"hooks\":[]}", "hooks: expected an object" },
	{ "an event is an object", "{\"hooks\":{\"Stop\":{}}}", "hooks.Stop: expected an array" },
	{ "hooks in other letters", "{\"\\u0068ooks\":{}}", "escapes" },
};

static void test_broken(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < VY_COUNT(broken); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);
		struct vy_err e = { 0 };
		size_t n;

		ROW(broken[i].name);
		assert_int_equal(ADD(broken[i].text, out), -1);
		assert_int_equal(e.code, VY_BAD_INPUT);
		assert_non_null(strstr(e.text, broken[i].says));
		assert_int_equal(out.len, 0);
		assert_int_equal(hook_settings_remove(vy_str_c(broken[i].text), &out, &e), -1);
		assert_int_equal(hook_settings_count(vy_str_c(broken[i].text), NULL, &n, &e), -1);
	}
}

static void test_words(void **unused)
{
	static const struct {
		const char *value, *word;
	} rows[] = { { "/usr/bin/vyred", "/usr/bin/vyred" }, { "/a b/vyred", "'/a b/vyred'" },
		{ "it's", "'it'\\''s'" }, { "", "''" }, { "$x", "'$x'" } };

	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(VY_KIB);

		ROW(rows[i].value);
		hook_word(&out, rows[i].value);
		assert_string_equal(vy_buf_c(&out), rows[i].word);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_its_look),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
