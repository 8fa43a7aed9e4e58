/* place_test.c -- a change is given its true lines, or none at all. */
#include "server/files/place.h"

#include "shared/base/arena.h"
#include "tests/check.h"
#include "shared/base/ban.h"

#define TEN "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"

static const struct {
	const char *name, *file, *was, *is; /* was NULL: all of the file */
	const char *want;                   /* behind the header; NULL: not known */
} rows[] = {
	{ "in the middle", TEN, "5\n", "five\n",
		"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n" },
	{ "on the first line", TEN, "1\n", "one\n", "@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n" },
	{ "on the last line", TEN, "10\n", "ten\n", "@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-10\n+ten\n" },
	{ "a piece of a line is shown as the line", "a = 1;\nbb = 2;\n", "bb", "cc",
		"@@ -1,2 +1,2 @@\n a = 1;\n-bb = 2;\n+cc = 2;\n" },
	{ "over the end of a line", "a\nb c\nd\n", "c\nd", "C\nD",
		"@@ -1,3 +1,3 @@\n a\n-b c\n-d\n+b C\n+D\n" },
	{ "lines that come", TEN, "4\n5", "4\n4a\n4b\n5",
		"@@ -2,6 +2,8 @@\n 2\n 3\n 4\n+4a\n+4b\n 5\n 6\n 7\n" },
	{ "lines that go", TEN, "4\n5\n", "", "@@ -1,8 +1,6 @@\n 1\n 2\n 3\n-4\n-5\n 6\n 7\n 8\n" },
	{ "a file without an end of line", "a\nb", "b", "c",
		"@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end "
		"of file\n" },
	{ "all there is", "a", "a", "b",
		"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of "
		"file\n" },
	{ "far down", "x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\ny\n", "y", "z",
		"@@ -11,4 +11,4 @@\n x\n x\n x\n-y\n+z\n" },
	{ "nothing changes", TEN, "5", "5", "" },
	{ "twice there", "a\nb\na\n", "a", "c", NULL },
	{ "twice on one line", "aa\n", "a", "c", NULL },
	{ "laid over each other", "aXaXa\n", "aXa", "b", NULL },
	{ "not there", TEN, "eleven", "x", NULL },
	{ "an end of line of another kind", "a\r\nb\r\n", "a\nb", "c", NULL },
	{ "an empty file", "", "a", "b", NULL },
	{ "no words", TEN, "", "x", NULL },
	{ "no text",
		"\xff\xfe"
		"a\n",
		"a", "b", NULL },
	{ "written anew: what goes and what comes", "a\nb\n", NULL, "a\nc\nd\n",
		"@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n" },
	{ "an empty one is filled", "", NULL, "a\n", "@@ -0,0 +1 @@\n+a\n" },
	{ "one is emptied", "a\n", NULL, "", "@@ -1 +0,0 @@\n-a\n" },
	{ "written anew over no text", "\xff", NULL, "a\n", NULL },
};

static void test_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct place_change c = { .path = VY_STR_LIT("x"),
			.was = vy_str_c(rows[i].was ? rows[i].was : ""),
			.is = vy_str_c(rows[i].is),
			.is_whole = rows[i].was == NULL };
		VY_AUTO_BUF out = VY_BUF_INIT(65536);
		VY_AUTO_BUF want = VY_BUF_INIT(65536);
		struct vy_arena a;

		vy_arena_init(&a);
		bool known = place_print(&c, vy_str_c(rows[i].file), &a, &out);

		check_true(rows[i].name, known == (rows[i].want != NULL));
		if (rows[i].want) {
			vy_buf_addf(&want, "--- a/x\n+++ b/x\n%s", rows[i].want);
			check_str(rows[i].name, vy_buf_c(&out), vy_buf_c(&want));
		}
		vy_arena_fini(&a);
	}
}

CHECK_MAIN(CHECK_TEST(test_place))
