/* wrap_test.c -- rows of at most so many cells, as byte ranges of the text. */
#include "tests/check.h"

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/text/wrap.h"
#include "shared/base/ban.h"

/* The rows with "|" between them and "/" behind hard ones, the indent as dots. */
static const char *wrapped(const struct vy_wrap *how, struct vy_str s, struct vy_buf *b)
{
	struct vy_wrap_row row = { 0 };

	vy_buf_clear(b);
	while (vy_wrap_next(how, s, &row)) {
		for (unsigned i = 0; i < row.indent; i++) {
			vy_buf_adds(b, ".");
		}
		vy_buf_add(b, s.p + row.start, row.end - row.start);
		vy_buf_adds(b, row.is_last ? "" : row.is_hard ? "/" : "|");
	}
	return vy_buf_c(b);
}

static void breaks_words(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned w;
		const char *in, *out;
	} rows[] = {
		{ "empty", 5, "", "" },
		{ "word moves down", 5, "ab cdef", "ab|cdef" },
		{ "fits exactly", 7, "ab cdef", "ab cdef" },
		{ "space at the edge hangs", 2, "ab cd", "ab|cd" },
		{ "many spaces hang", 3, "ab      cd", "ab|cd" },
		{ "spaces at the end", 4, "ab      ", "ab  " },
		{ "spaces at the start stay", 6, "  ab cd", "  ab|cd" },
		{ "long word is cut", 3, "abcdefg", "abc|def|g" },
		{ "long word starts on its own row", 4, "a bcdefgh", "a|bcde|fgh" },
		{ "long word behind spaces", 4, "  abcdef", "  ab|cdef" },
		{ "lines", 9, "ab\ncd", "ab/cd" },
		{ "empty lines", 9, "a\n\nb\n", "a//b/" },
		{ "a newline alone", 9, "\n", "/" },
		{ "return and newline", 9, "a\r\nb", "a/b" },
		{ "line as long as the row", 3, "abc\ndef", "abc/def" },
		{ "wide cell at the edge", 3, "a中中", "a中|中" },
		{ "wide cell moves", 2, "a中", "a|中" },
		{ "flag is one cluster", 2, "🇩🇪🇫🇷", "🇩🇪|🇫🇷" },
		{ "family is one cluster", 3, "a👨‍👩‍👧b", "a👨‍👩‍👧|b" },
		{ "marks stay on their letter", 2, "ae\u0301b", "ae\u0301|b" },
		{ "ideographs break anywhere", 4, "中文字", "中文|字" },
		{ "closing mark never begins", 4, "中文。字", "中|文。|字" },
		{ "opening mark never ends", 6, "中文「字」", "中文|「字」" },
		{ "small kana never begins", 4, "ニキャ", "ニ|キャ" },
		{ "latin beside ideographs", 5, "ab中cd", "ab中|cd" },
		{ "emoji between words", 4, "ab😀😀", "ab😀|😀" },
		{ "Hangul breaks at spaces", 5, "안녕 하세요", "안녕|하세|요" },
		{ "hyphen between letters", 5, "well-known", "well-|known" },
		{ "flag of a command", 6, "run --flag", "run|--flag" },
		{ "no-break space", 5, "a b\u00A0c de", "a b\u00A0c|de" },
		{ "ideographic space", 4, "ab\u3000cd", "ab|cd" },
		{ "one cell", 1, "abc", "a|b|c" },
		{ "wide in one cell", 1, "中a", "中|a" },
		{ "wide in one cell, then a line", 1, "中\na", "中/a" },
		{ "no width is one", 0, "ab", "a|b" },
		{ "tab is a break", 5, "ab\tcd", "ab|cd" },
		{ "bad bytes", 2, "a\xFF\xE4z", "a\xFF|\xE4z" },
	};
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_wrap how = { .cells = rows[i].w };

		check_str(rows[i].name, wrapped(&how, vy_str_c(rows[i].in), &b), rows[i].out);
	}
}

static void indents(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned w, first, rest;
		const char *in, *out;
	} rows[] = {
		{ "hanging", 8, 0, 2, "ab cd ef gh", "ab cd ef|..gh" },
		{ "both", 8, 4, 2, "ab cd ef", "....ab|..cd ef" },
		{ "behind a newline too", 8, 0, 2, "ab\ncd", "ab/..cd" },
		{ "at most half a row", 6, 9, 9, "abcd", "...abc|...d" },
	};
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_wrap how = {
			.cells = rows[i].w, .first = rows[i].first, .rest = rows[i].rest
		};

		check_str(rows[i].name, wrapped(&how, vy_str_c(rows[i].in), &b), rows[i].out);
	}
}

static void keeps_code_as_it_is(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned w;
		const char *in, *out;
	} rows[] = {
		{ "spaces stay at the edge", 4, "ab  cd", "ab  |cd" },
		{ "words are cut", 4, "ab cdef", "ab c|def" },
		{ "wide cell moves", 4, "abc中", "abc|中" },
		{ "tab at the edge", 6, "abcd\tx", "abcd\t|x" },
		{ "tab behind the edge", 4, "abcd\tx", "abcd|\t|x" },
	};
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_wrap how = { .cells = rows[i].w, .verbatim = true };

		check_str(rows[i].name, wrapped(&how, vy_str_c(rows[i].in), &b), rows[i].out);
	}
}

static void expands_tabs_by_column(void **state)
{
	(void)state;
	static const struct {
		const char *name, *in;
		unsigned tab;
		int cells;
	} rows[] = {
		{ "two letters", "Hi\tWorld", 8, 13 },
		{ "five letters", "Hello\tWorld", 8, 13 },
		{ "tab of four", "Hello\tx", 4, 9 },
		{ "none given is eight", "\tx", 0, 9 },
		{ "behind a wide one", "中\tx", 4, 5 },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_wrap how = { .cells = 80, .tab = rows[i].tab, .first = 6, .rest = 6 };
		struct vy_wrap_row row = { 0 };

		vy_wrap_next(&how, vy_str_c(rows[i].in), &row);
		check_int(rows[i].name, row.cells, rows[i].cells);
	}
}

static const char mixed[] =
	"The quick 🇩🇪🇫🇷 brown 👨‍👩‍👧 fox,  中文「字」。 jumps\tover "
	"e\u0301e\u0301\u0301 "
	"well-known\n\n  lazy\xFF dogs and averyveryverylongwordindeed\n\t";

/* Rows tile the text, no cluster is cut or lost, no row is too wide, cells are what they say. */
static void tiles_the_text(void **state)
{
	(void)state;
	struct vy_str s = vy_str_n(mixed, sizeof(mixed) - 1);

	for (unsigned w = 2; w < 60; w++) {
		for (int verbatim = 0; verbatim < 2; verbatim++) {
			struct vy_wrap how = {
				.cells = w, .rest = w % 5, .tab = 4, .verbatim = verbatim
			};
			struct vy_wrap_row row = { 0 };
			size_t at = 0;

			while (vy_wrap_next(&how, s, &row)) {
				check_int("no gap", (long long)row.start, (long long)at);
				check_true("in order", row.end >= row.start && row.next >= row.end);
				check_true("moves on", row.next > at || row.is_last);
				check_true("fits", row.cells + row.indent <= w);
				check_true(
					"at a border", vy_cluster_is_border(s, row.end) &&
							       vy_cluster_is_border(s, row.next));
				at = row.next;
			}
			check_int("all of it", (long long)at, (long long)s.n);
		}
	}
}

/* A growing text goes on from the row before its last, and gives what a fresh start gives. */
static void goes_on_where_it_was(void **state)
{
	(void)state;
	struct vy_str all = vy_str_n(mixed, sizeof(mixed) - 1);
	struct vy_wrap how = { .cells = 11, .rest = 2 };
	struct vy_arena a;
	struct vy_wrap_row *rows;

	vy_arena_init(&a);
	for (size_t n = 1; n < all.n; n++) {
		size_t count = vy_wrap_all(&how, vy_str_n(all.p, n), &a, &rows);

		if (count < 2) {
			continue;
		}
		struct vy_wrap_row row = rows[count - 2], *fresh;
		size_t total = vy_wrap_all(&how, all, &a, &fresh), i = count - 1;

		if (!vy_cluster_is_border(all, n) || row.end > fresh[i - 1].end) {
			continue; /* the new bytes belong to the last cluster */
		}
		while (vy_wrap_next(&how, all, &row)) {
			check_int(
				"the same start", (long long)row.start, (long long)fresh[i].start);
			check_int("the same end", (long long)row.end, (long long)fresh[i++].end);
		}
		check_int("the same rows", (long long)i, (long long)total);
		vy_arena_reset(&a);
	}
	vy_arena_fini(&a);
}

CHECK_MAIN(CHECK_TEST(breaks_words), CHECK_TEST(indents), CHECK_TEST(keeps_code_as_it_is),
	CHECK_TEST(expands_tabs_by_column), CHECK_TEST(tiles_the_text),
	CHECK_TEST(goes_on_where_it_was))
