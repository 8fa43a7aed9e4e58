/* json_twin_test.c -- lines that are told apart by their bytes: a twin says what parsing gives, or is none. */
#include "tests/check.h"

#include "shared/base/json_twin.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define FIRST                                                                                      \
	"{\"type\":\"e\",\"n\":7, \"list\":[\"one\",{\"two\" : \"2\"},true,null,1.5],"             \
	"\"says\":\"an \\\"escape\\\"\",\"uuid\":\"aa1\"}"

/* Is the tree of `first` reworded for `line`? What it says is as if it were read alone, in any case. */
static bool is_twin(const char *row, const char *first, const char *line)
{
	struct vy_json_twin t = { 0 };
	struct vy_err e, e2;
	struct vy_json *tree = vy_json_twin_parse(&t, vy_str_c(first), &e);
	bool is_first = tree && t.tree == tree;

	vy_json_free(tree);
	VY_AUTO_JSON *v = vy_json_twin_parse(&t, vy_str_c(line), &e);
	VY_AUTO_JSON *alone = vy_json_parse_lenient(vy_str_c(line), &e2);
	bool is = is_first && v == tree;

	check_true(row, vy_json_equal(v, alone));
	vy_json_twin_fini(&t);
	return is;
}

static void table(void **state)
{
	(void)state;
	static const struct {
		const char *name, *what, *instead;
		bool is_twin;
	} rows[] = {
		{ "the same again", "one", "one", true },
		{ "other words", "one", "two and three", true },
		{ "none", "one", "", true },
		{ "as a part of the old ones", "one", "on", true },
		{ "going on from the old ones", "one", "one more", true },
		{ "letters of all the world", "one", "\u00e9\u4e16\U0001F600", true },
		{ "in an object in a list", "2", "3", true },
		{ "in the place of an escape", "an \\\"escape\\\"", "plain", true },
		{ "the last", "aa1", "bbb2", true },
		{ "an escape", "one", "a\\n", false },
		{ "a control byte", "one", "a\x01", false },
		{ "DEL is none", "one", "a\x7f", true },
		{ "bad UTF-8", "one", "a\xff", false },
		{ "cut UTF-8", "one", "a\xe4\xb8", false },
		{ "a surrogate", "one", "\xed\xa0\x80", false },
		{ "words that end the string", "one", "\",\"x", false },
		{ "another key", "\"two\"", "\"three\"", false },
		{ "another number", "7", "8", false },
		{ "another literal", "true", "false", false },
		{ "more behind it", "aa1\"}", "aa1\"} ", false },
		{ "less", "aa1\"}", "aa1\"", false },
		{ "no end at all", "aa1\"}", "aa1", false },
		{ "a string more", "\"aa1\"", "\"aa1\",\"x\":\"y\"", false },
		{ "a number for a string", "\"aa1\"", "1", false },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		const char *at = strstr(FIRST, rows[i].what);
		char line[1024];

		assert_non_null(at);
		snprintf(line, sizeof(line), "%.*s%s%s", (int)(at - FIRST), FIRST, rows[i].instead,
			at + strlen(rows[i].what));
		check_true(rows[i].name, is_twin(rows[i].name, FIRST, line) == rows[i].is_twin);
	}
}

static void cannot_be_first(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{ "a key twice", "{\"a\":\"1\",\"a\":\"2\"}" },
		{ "no JSON", "{\"a\":\"1\"" },
		{ "bad UTF-8", "{\"a\":\"\xff\"}" },
		{ "too many strings",
			"[\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\","
			"\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"]" },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_true(rows[i][0], !is_twin(rows[i][0], rows[i][1], rows[i][1]));
	}
}

/* The next twin is one of the last: what was reworded is as good as what was read. */
static void one_after_the_other(void **state)
{
	(void)state;
	static const char *const words[] = { "a", "", "a\\tb", "c", "a",
		"longer words than before" };
	struct vy_json_twin t = { 0 };

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		char line[128];

		snprintf(line, sizeof(line), "[\"%s\",%d,\"%s\"]", words[i], 1, words[(i + 1) % 6]);
		VY_AUTO_JSON *v = vy_json_twin_parse(&t, vy_str_c(line), NULL);
		VY_AUTO_JSON *alone = vy_json_parse(vy_str_c(line), NULL);

		check_true(line, v && vy_json_equal(v, alone));
	}
	vy_json_twin_fini(&t);
}

/* A part that somebody holds goes on saying what it said. */
static void held(void **state)
{
	(void)state;
	static const char *const parts[] = { "a", "o", "o.s" };

	for (size_t i = 0; i < VY_COUNT(parts); i++) {
		struct vy_json_twin t = { 0 };
		VY_AUTO_JSON *first = vy_json_twin_parse(
			&t, vy_str_c("{\"a\":[\"x\"],\"o\":{\"s\":\"y\"}}"), NULL);
		VY_AUTO_JSON *part = vy_json_ref(vy_json_path(first, parts[i]));
		VY_AUTO_JSON *was = vy_json_copy(part);

		vy_json_freep(&first);
		VY_AUTO_JSON *second = vy_json_twin_parse(
			&t, vy_str_c("{\"a\":[\"1\"],\"o\":{\"s\":\"2\"}}"), NULL);

		check_true(parts[i], vy_json_equal(part, was));
		check_vstr(parts[i], vy_json_strval(vy_json_path(second, "o.s")), VY_STR_LIT("2"));
		vy_json_twin_fini(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(cannot_be_first),
		cmocka_unit_test(one_after_the_other),
		cmocka_unit_test(held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
