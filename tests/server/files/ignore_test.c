/* ignore_test.c -- what git would leave out, rule by rule. */
#include "server/files/ignore.h"

#include "tests/check.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static const struct {
	const char *name, *base, *rules, *path; /* a path that ends in "/" is a folder */
	bool is_out;
} rows[] = {
	{ "no rule", "", "", "a", false },
	{ "a name", "", "a.o\n", "a.o", true },
	{ "a name anywhere", "", "a.o\n", "x/y/a.o", true },
	{ "no part of a name", "", "a.o\n", "xa.o", false },
	{ "a star", "", "*.o\n", "x/b.o", true },
	{ "a star stops at a folder", "", "/a*z\n", "ab/z", false },
	{ "a question mark", "", "a?c\n", "abc", true },
	{ "a class", "", "[a-c]x\n", "bx", true },
	{ "not in a class", "", "[!a-c]x\n", "bx", false },
	{ "a class that is not closed", "", "[ab\n", "[ab", true },
	{ "tied to the top", "", "/build\n", "build", true },
	{ "tied to the top, deeper", "", "/build\n", "x/build", false },
	{ "tied by a slash inside", "", "doc/*.txt\n", "doc/a.txt", true },
	{ "tied by a slash inside, deeper", "", "doc/*.txt\n", "x/doc/a.txt", false },
	{ "folders only, a folder", "", "out/\n", "x/out/", true },
	{ "folders only, a file", "", "out/\n", "x/out", false },
	{ "taken back", "", "*.log\n!keep.log\n", "keep.log", false },
	{ "the last word counts", "", "!a\na\n", "a", true },
	{ "two stars in front", "", "**/foo\n", "a/b/foo", true },
	{ "two stars in front, at the top", "", "**/foo\n", "foo", true },
	{ "two stars behind", "", "abc/**\n", "abc/x/y", true },
	{ "two stars behind, the folder itself", "", "abc/**\n", "abc", false },
	{ "two stars between, nothing", "", "a/**/b\n", "a/b", true },
	{ "two stars between", "", "a/**/b\n", "a/x/y/b", true },
	{ "a comment", "", "# a\n", "# a", false },
	{ "an escaped hash", "", "\\#a\n", "#a", true },
	{ "an escaped bang", "", "\\!a\n", "!a", true },
	{ "blanks at the end", "", "a   \n", "a", true },
	{ "an escaped blank", "", "a\\ \n", "a ", true },
	{ "lines of Windows", "", "a\r\nb\r\n", "b", true },
	{ "no newline at the end", "", "a", "a", true },
	{ "of a deeper file", "sub", "/a\n", "sub/a", true },
	{ "of a deeper file, elsewhere", "sub", "a\n", "a", false },
	{ "of a deeper file, a like name", "sub", "a\n", "subx/a", false },
	{ "made to be slow", "", "*a*a*a*a*a*a*a*a*a*a*a*a*b\n",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false },
};

static void rules_are_gits(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct ignore *g = ignore_new();
		struct vy_str path = vy_str_c(rows[i].path);
		bool is_dir = path.n && path.p[path.n - 1] == '/';

		path.n -= is_dir;
		ignore_add(g, vy_str_c(rows[i].base), vy_str_c(rows[i].rules));
		if (ignore_match(g, path, is_dir) != rows[i].is_out) {
			fail_msg("%s", rows[i].name);
		}
		ignore_free(g);
	}
}

static void endless_rules_are_cut(void **state)
{
	struct ignore *g = ignore_new();

	(void)state;
	for (int i = 0; i < IGNORE_RULES + 10; i++) {
		ignore_add(g, vy_str_c(""), vy_str_c("a\n"));
	}
	ignore_add(g, vy_str_c(""), vy_str_c("b\n"));
	assert_true(ignore_match(g, vy_str_c("a"), false));
	assert_false(ignore_match(g, vy_str_c("b"), false));
	ignore_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_are_gits),
		cmocka_unit_test(endless_rules_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
