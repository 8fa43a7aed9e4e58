/* fuzzy_test.c -- which letters of a text a query finds, and which of two texts it means.
 *
 * What was found is shown by brackets: "[s]rc/[st]ate.c". */
#include "shared/base/buf.h"
#include "shared/text/width.h"
#include "tests/check.h"
#include "tui/view/fuzzy.h"

static const struct {
	const char *name, *query, *text, *found; /* NULL: it is no match */
} rows[] = {
	{ "nothing typed means everything", "", "abc", "abc" },
	{ "only blanks too", "  ", "abc", "abc" },
	{ "an empty text means nothing", "a", "", NULL },
	{ "letters in their order", "ac", "abc", "[a]b[c]" },
	{ "not in another", "ca", "abc", NULL },
	{ "each as often as typed", "aa", "abc", NULL },
	{ "the beginnings of words first", "fl", "all of fix-login", "all of [f]ix-[l]ogin" },
	{ "letters that follow each other", "log", "l-o-g-log", "l-o-g-[log]" },
	{ "the name of a file before its folder", "st", "last/state.c", "last/[st]ate.c" },
	{ "humps", "gB", "getBytes", "[g]et[B]ytes" },
	{ "a small letter means both", "readme", "README", "[README]" },
	{ "a capital only itself", "R", "readme", NULL },
	{ "a capital in one word does not bind the other", "a B", "A B", "[A] [B]" },
	{ "words in any order", "test key", "key_test.c", "[key]_[test].c" },
	{ "a word that is missing", "key nope", "key_test.c", NULL },
	{ "umlauts have no case either", "äö", "x ÄÖ", "x [ÄÖ]" },
	{ "signs of more than one byte", "中文", "a中b文", "a[中]b[文]" },
	{ "a cluster is marked whole", "e", "cafe\u0301", "caf[e\u0301]" },
	{ "bad bytes are nothing special", "b",
		"a\xFF"
		"b",
		"a\xFF[b]" },
};

static void show(const struct fuzzy_match *m, struct vy_str text, struct vy_buf *out)
{
	bool was = false;

	for (size_t at = 0; at < text.n;) {
		size_t end = vy_cluster_next(text, at);
		bool is = fuzzy_is_mark(m, at, end);

		if (is != was) {
			vy_buf_addc(out, is ? '[' : ']');
		}
		vy_buf_add(out, text.p + at, end - at);
		was = is;
		at = end;
	}
	if (was) {
		vy_buf_addc(out, ']');
	}
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_buf out = VY_BUF_INIT(4096);
		struct fuzzy_match m;
		bool ok = fuzzy_match(vy_str_c(rows[i].query), vy_str_c(rows[i].text), &m);

		if (ok != (rows[i].found != NULL)) {
			fail_msg("%s: %s", rows[i].name, ok ? "found" : "not found");
		}
		if (ok) {
			show(&m, vy_str_c(rows[i].text), &out);
			check_str(rows[i].name, vy_buf_c(&out), rows[i].found);
		}
		vy_buf_fini(&out);
	}
}

static const struct {
	const char *query, *better, *worse;
} pairs[] = {
	{ "state", "tui/app/state.c", "tests/tui/app/state_machine_test.c" },
	{ "st", "src/state.c", "src/last.c" },
	{ "comp", "/compact", "/recompute" },
	{ "opus", "opus", "opus-4-long" },
	{ "fl", "fix-login", "shelf-of-all" },
	{ "abc", "abc", "a-b-c" },
	{ "doc", "docs", "old-import-doc" },
};

static int score(const char *query, const char *text)
{
	struct fuzzy_match m;

	if (!fuzzy_match(vy_str_c(query), vy_str_c(text), &m)) {
		fail_msg("%s is not found in %s", query, text);
	}
	return m.score;
}

static void test_pairs(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(pairs); i++) {
		int better = score(pairs[i].query, pairs[i].better);
		int worse = score(pairs[i].query, pairs[i].worse);

		if (better <= worse) {
			fail_msg("%s: %s %d, %s %d", pairs[i].query, pairs[i].better, better,
				pairs[i].worse, worse);
		}
	}
}

static void test_long(void **state)
{
	struct vy_buf text = VY_BUF_INIT(1 << 20), word = VY_BUF_INIT(4096);
	struct fuzzy_match m;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		vy_buf_adds(&text, "lorem ipsum ");
	}
	vy_buf_adds(&text, "The Needle");
	assert_true(fuzzy_match(VY_STR_LIT("needle"), vy_buf_str(&text), &m));
	assert_int_equal(m.n, 6);
	assert_int_equal(m.at[0], text.len - 6);
	assert_false(fuzzy_match(VY_STR_LIT("nedle"), vy_buf_str(&text), &m)); /* as it stands */
	assert_true(fuzzy_match(VY_STR_LIT("lorem Needle"), vy_buf_str(&text), &m));
	for (int i = 0; i < 40; i++) {
		vy_buf_adds(&word, "x");
	}
	assert_false(fuzzy_match(vy_buf_str(&word), vy_buf_str(&text), &m));
	assert_true(fuzzy_match(vy_buf_str(&word), vy_buf_str(&word), &m));
	assert_int_equal(m.n, 40);
	vy_buf_fini(&text);
	vy_buf_fini(&word);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
