/* place_test.c -- where files are, by the words of the environment. */
#include <unistd.h>

#include "shared/base/place.h"
#include "tests/check.h"

static void test_xdg(void **state)
{
	static const struct {
		const char *name, *var, *home, *want; /* want NULL: none */
	} rows[] = {
		{ "the variable", "/v", "/h", "/v/vyre" },
		{ "no variable", NULL, "/h", "/h/.local/state/vyre" },
		{ "an empty one", "", "/h", "/h/.local/state/vyre" },
		{ "one that is not absolute", "v", "/h", "/h/.local/state/vyre" },
		{ "no home either", NULL, NULL, NULL },
		{ "no real home", NULL, "h", NULL },
		{ "the variable without a home", "/v", NULL, "/v/vyre" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		unsetenv("TEST_HOME");
		unsetenv("HOME");
		if (rows[i].var) {
			setenv("TEST_HOME", rows[i].var, 1);
		}
		if (rows[i].home) {
			setenv("HOME", rows[i].home, 1);
		}
		char *got = vy_place_xdg("TEST_HOME", ".local/state", "vyre");

		check_str(rows[i].name, got ? got : "none", rows[i].want ? rows[i].want : "none");
		free(got);
	}
}

static void test_absolute(void **state)
{
	static const struct {
		const char *name, *path, *want;
	} rows[] = {
		{ "is already", "/a/b", "/a/b" },
		{ "slashes at its end", "/a/b//", "/a/b" },
		{ "the root", "//", "/" },
		{ "of here", "a/b", "/usr/a/b" },
		{ "here", ".", "/usr/." },
	};

	(void)state;
	assert_int_equal(chdir("/usr"), 0);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char *got = vy_place_absolute(rows[i].path);

		check_str(rows[i].name, got, rows[i].want);
		free(got);
	}
}

static void test_on_path(void **state)
{
	static const struct {
		const char *name, *path, *program;
		bool want;
	} rows[] = {
		{ "there", "/nowhere:/bin", "sh", true },
		{ "an empty part is no folder", ":/bin", "sh", true },
		{ "not there", "/nowhere:/bin", "no-such-program", false },
		{ "in none of them", "/nowhere", "sh", false },
		{ "no folders", "", "sh", false },
		{ "no variable", NULL, "sh", false },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (rows[i].path) {
			setenv("PATH", rows[i].path, 1);
		} else {
			unsetenv("PATH");
		}
		check_true(rows[i].name, vy_place_on_path(rows[i].program) == rows[i].want);
	}
}

/* Beside the program that asks; of one that is nowhere the place is named where it belongs. */
static void test_helper(void **state)
{
	char path[VY_PLACE_MAX];

	(void)state;
	check_true("beside", vy_place_helper("place_test", path, sizeof(path)));
	check_true("its path", path[0] == '/' && access(path, X_OK) == 0);
	check_true("nowhere", !vy_place_helper("no-such-program", path, sizeof(path)));
	check_str("where it belongs", path, PKGLIBEXECDIR "/no-such-program");
}

CHECK_MAIN(CHECK_TEST(test_xdg), CHECK_TEST(test_absolute), CHECK_TEST(test_on_path),
	CHECK_TEST(test_helper))
