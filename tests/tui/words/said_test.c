/* said_test.c -- a sentence of the server with something in its places, in other words. */
#include "tests/check.h"

#include "shared/base/limits.h"
#include "tui/words/said.h"
#include "shared/base/ban.h"

static const struct {
	const char *name, *sentence, *other, *text, *want; /* want: NULL: it is another sentence */
} rows[] = {
	{ "no places", "at rest", "in Ruhe", "at rest", "in Ruhe" },
	{ "places, the other way round", "it said {1} ({2} of {3}).", "{2}/{3}: {1}!",
		"it said 529 (1 of 10).", "1/10: 529!" },
	{ "one at the beginning", "{1} % of it", "zu {1} %", "97 % of it", "zu 97 %" },
	{ "one at the end", "by {1}", "von {1}", "by two words", "von two words" },
	{ "nothing in a place", "by {1}.", "von {1}.", "by .", "von ." },
	{ "what stands there looks like a place", "by {1}.", "von {1}.", "by {2}.", "von {2}." },
	{ "the same with more behind it", "by {1}.", "von {1}.", "by me. And more", NULL },
	{ "only its beginning", "by {1} of {2}", "{1}", "by me", NULL },
	{ "longer than the text", "at rest now", "", "at rest", NULL },
	{ "no text", "at rest", "", "", NULL },
	{ "a brace that is no place", "a {x} b", "ein {x} b", "a {x} b", NULL },
};

static void in_other_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);
		bool is_it =
			words_as(rows[i].sentence, rows[i].other, vy_str_c(rows[i].text), &out);

		check_int(rows[i].name, is_it, rows[i].want != NULL);
		check_str(rows[i].name, vy_buf_c(&out), rows[i].want ? rows[i].want : "");
	}
}

static void what_nobody_listed_stays(void **state)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);

	(void)state;
	words_noted(VY_STR_LIT("an agent's own words, {1} and all"), &out);
	check_str("stays", vy_buf_c(&out), "an agent's own words, {1} and all");
}

CHECK_MAIN(CHECK_TEST(in_other_words), CHECK_TEST(what_nobody_listed_stays))
