/* folder_test.c -- the list of a folder, and what a picker finds in it. */
#include "server/files/folder.h"

#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "tests/check.h"
#include "tests/server/tempdir.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static struct tempdir d;

static int64_t now_ms(void *ctx)
{
	(void)ctx;
	return 1;
}

static const struct vy_clock clock_of_test = { .wall_ms = now_ms, .boot_ms = now_ms };

static void at(const char *path, const char *text) /* NULL: a folder */
{
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	vy_buf_addf(&b, "%s/%s", d.path, path);
	if (!text) {
		assert_int_equal(mkdir(vy_buf_c(&b), 0700), 0);
		return;
	}
	FILE *f = fopen(vy_buf_c(&b), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int setup(void **state)
{
	(void)state;
	d = tempdir_make();
	at("w", NULL);
	at("w/src", NULL);
	at("w/src/main.c", "");
	at("w/src/main.o", "");
	at("w/src/mail_address.c", "");
	at("w/node_modules", NULL);
	at("w/node_modules/x.js", "");
	at("w/Makefile", "");
	at("w/a\xff", "");
	at("w/.github", NULL);
	at("w/.github/ci.yml", "");
	at(".git", NULL); /* empty: as a sandbox leaves it */
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tempdir_remove(d.path);
	return 0;
}

static struct folder *list(const char *below)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4096);
	struct vy_err e = { 0 };

	vy_buf_addf(&b, "%s/%s", d.path, below);
	struct folder *f = folder_read(vy_buf_c(&b), &clock_of_test, &e);

	if (!f) {
		fail_msg("%s", e.text);
	}
	return f;
}

static void check_list(
	const char *name, struct folder *f, const char *query, size_t most, const char *want)
{
	VY_AUTO_BUF b = VY_BUF_INIT(65536);
	size_t found[100], n = folder_find(f, vy_str_c(query), most, found);

	for (size_t i = 0; i < n; i++) {
		const struct folder_item *it = folder_at(f, found[i]);

		vy_buf_addf(
			&b, "%s%.*s%s", i ? " " : "", VY_STR_ARG(it->path), it->is_dir ? "/" : "");
	}
	check_str(name, vy_buf_c(&b), want);
}

static void a_folder_is_listed_breadth_first(void **state)
{
	struct folder *f = list("w");

	(void)state;
	check_list("all", f, "", 100,
		".github/ Makefile node_modules/ src/ .github/ci.yml node_modules/x.js "
		"src/mail_address.c src/main.c src/main.o");
	assert_false(folder_is_git(f));
	assert_false(folder_is_cut(f));
	folder_free(f);
}

static void git_says_what_is_left_out(void **state)
{
	(void)state;
	at("w/.git", NULL);
	at("w/.git/HEAD", "");
	at("w/.git/info", NULL);
	at("w/.git/info/exclude", "*.yml\n");
	at("w/.gitignore", "node_modules/\n/src/*.o\n");
	at("w/src/.gitignore", "mail*\n");
	struct folder *f = list("w");

	check_list(
		"all", f, "", 100, ".github/ .gitignore Makefile src/ src/.gitignore src/main.c");
	assert_true(folder_is_git(f));
	folder_free(f);
	f = list("w/src"); /* rules of the folders above hold as well */
	check_list("below", f, "", 100, ".gitignore main.c");
	folder_free(f);
}

static void the_best_come_first(void **state)
{
	static const struct {
		const char *query, *want;
	} rows[] = {
		{ "main.c", "src/main.c" },
		{ "mainc", "src/main.c" },
		{ "ma", "Makefile src/main.c" },
		{ "mad", "src/mail_address.c" },
		{ "MAKE", "Makefile" },
		{ "zzz", "" },
	};
	struct folder *f = list("w");

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_list(rows[i].query, f, rows[i].query, i == 2 ? 2 : 1, rows[i].want);
	}
	folder_free(f);
}

static void a_giant_folder_is_cut_and_says_so(void **state)
{
	(void)state;
	at("big", NULL);
	for (int i = 0; i < FOLDER_ENTRIES + 5; i++) {
		char name[64];

		snprintf(name, sizeof(name), "big/%d", i);
		at(name, "");
	}
	struct folder *f = list("big");

	assert_true(folder_is_cut(f));
	assert_int_equal(folder_len(f), FOLDER_ENTRIES);
	folder_free(f);
}

static void what_is_no_folder_fails(void **state)
{
	struct vy_err e = { 0 };

	(void)state;
	assert_null(folder_read("/no/such/folder", &clock_of_test, &e));
	assert_non_null(strstr(e.text, "/no/such/folder"));
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(a_folder_is_listed_breadth_first),
		T(git_says_what_is_left_out),
		T(the_best_come_first),
		T(a_giant_folder_is_cut_and_says_so),
		T(what_is_no_folder_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
