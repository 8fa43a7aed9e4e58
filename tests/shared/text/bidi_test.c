/* bidi_test.c -- rows as they are seen, from rows as they are stored. In the tables capitals stand
 * for Hebrew letters, so that a reader sees the order. */
#include "shared/text/bidi.h"
#include "tests/check.h"

static uint32_t letter_of(char c)
{
	return c >= 'A' && c <= 'Z' ? 0x5D0u + (uint32_t)(c - 'A') % 27 : (unsigned char)c;
}

static void test_order(void **state)
{
	static const struct {
		const char *name, *stored, *seen;
		bool is_rtl;
	} rows[] = {
		{ "latin", "plain words", "plain words", false },
		{ "a word in latin", "say ABC now", "say CBA now", false },
		{ "two words keep together", "say ABC DEF now", "say FED CBA now", false },
		{ "numbers run to the right", "ABC 123 DEF", "FED 123 CBA", true },
		{ "a latin word in it", "ABC word DEF", "FED word CBA", true },
		{ "brackets are mirrored", "A(B)C", "C(B)A", true },
		{ "the point of a latin paragraph", "say ABC.", "say CBA.", false },
		{ "the point of its own", "ABC.", ".CBA", true },
		{ "empty", "", "", false },
		{ "one", "A", "A", true },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		size_t n = strlen(rows[i].stored);
		uint32_t cps[64];
		uint16_t order[64];
		bool turned[64];
		char seen[65] = "";

		for (size_t k = 0; k < n; k++) {
			cps[k] = letter_of(rows[i].stored[k]);
		}
		vy_bidi_order(cps, n, rows[i].is_rtl, order, turned);
		for (size_t k = 0; k < n; k++) {
			char c = rows[i].stored[order[k]];

			seen[k] = turned[order[k]] && (c == '(' || c == ')')
					  ? (char)vy_bidi_mirror((unsigned char)c)
					  : c;
		}
		check_str(rows[i].name, seen, rows[i].seen);
	}
}

/* A paragraph in rows ("/" is where it is broken, a blank there is not shown): as each is seen. */
static void test_rows(void **state)
{
	static const struct {
		const char *name, *stored, *seen;
		bool is_rtl;
	} rows[] = {
		{ "one row", "say ABC now", "say CBA now", false },
		{ "two rows of one run", "ABC DEF/GHI", "FED CBA/IHG", true },
		{ "a row in latin of a paragraph that is not", "ABC/foo bar.", "CBA/.foo bar",
			true },
		{ "numbers behind a word of the row before", "say ABC/12 34 x", "say CBA/34 12 x",
			false },
		{ "a run over the border", "say ABC/DEF now", "say CBA/FED now", false },
		{ "a bracket over the border", "A (B/C) D", "B) A/D (C", true },
		{ "blanks at a row's end stay there", "ABC  /DEF", "  CBA/FED", true },
		{ "and in latin", "a ABC  /DEF b", "a CBA  /FED b", false },
		{ "a latin word in two rows", "ABC foo/bar DEF", "foo CBA/FED bar", true },
		{ "nothing but signs", "../ABC", "../CBA", true },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		size_t n = 0;
		uint32_t cps[64];
		int8_t levels[64];
		char seen[65] = "";
		const char *p = rows[i].stored;

		for (size_t k = 0; p[k]; k++) {
			cps[n] = letter_of(p[k] == '/' ? ' ' : p[k]);
			n++;
		}
		assert_true(vy_bidi_levels(cps, n, rows[i].is_rtl, levels));
		for (size_t from = 0; from <= n; from++) {
			size_t len = strcspn(p + from, "/");
			uint16_t order[64];
			bool turned[64];

			vy_bidi_row(cps + from, levels + from, len, rows[i].is_rtl, order, turned);
			for (size_t k = 0; k < len; k++) {
				char c = p[from + order[k]];

				seen[from + k] = turned[order[k]] && strchr("()", c)
							 ? (char)vy_bidi_mirror((unsigned char)c)
							 : c;
			}
			from += len;
			seen[from] = from < n ? '/' : '\0';
		}
		check_str(rows[i].name, seen, rows[i].seen);
	}
}

static void test_direction(void **state)
{
	static const uint32_t latin[] = { ' ', '1', 'a', 0x5D0 },
			      hebrew[] = { '(', '2', 0x5D0, 'a' }, arabic[] = { 0x627 },
			      none[] = { '1', ' ', '.' };

	(void)state;
	check_true("latin", !vy_bidi_is_rtl_text(latin, VY_COUNT(latin)));
	check_true("hebrew", vy_bidi_is_rtl_text(hebrew, VY_COUNT(hebrew)));
	check_true("arabic", vy_bidi_is_rtl_text(arabic, VY_COUNT(arabic)));
	check_true("no letter", !vy_bidi_is_rtl_text(none, VY_COUNT(none)));
	check_true("needs", vy_bidi_is_rtl(0x5D0) && vy_bidi_is_rtl(0x627));
	check_true("needs not", !vy_bidi_is_rtl('a') && !vy_bidi_is_rtl(0x6F22));
	check_int("a bracket", vy_bidi_mirror('('), ')');
	check_int("no bracket", vy_bidi_mirror('a'), 'a');
}

CHECK_MAIN(CHECK_TEST(test_order), CHECK_TEST(test_rows), CHECK_TEST(test_direction))
