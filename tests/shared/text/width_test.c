/* width_test.c -- clusters, cells and steps. */
#include "tests/check.h"

#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "shared/base/ban.h"

static const struct vy_width modern = { 0 };
static const struct vy_width cjk = { .ambiguous_wide = true };
static const struct vy_width sums = { .sums = true };

/* The clusters of a text with "|" between them. */
static const char *split(struct vy_str s, struct vy_buf *b)
{
	vy_buf_clear(b);
	for (size_t at = 0, next; at < s.n; at = next) {
		next = vy_cluster_next(s, at);
		vy_buf_adds(b, at ? "|" : "");
		vy_buf_add(b, s.p + at, next - at);
	}
	return vy_buf_c(b);
}

static const struct {
	const char *name, *in, *split;
	int modern, cjk, sums;
} texts[] = {
	{ "empty", "", "", 0, 0, 0 },
	{ "plain", "abc", "a|b|c", 3, 3, 3 },
	{ "ideographs", "中文", "中|文", 4, 4, 4 },
	{ "combining mark", "e\u0301x", "e\u0301|x", 2, 2, 2 },
	{ "kana and sound mark", "ホ\u309A|", "ホ\u309A||", 3, 3, 3 },
	{ "Hangul in parts", "\u1112\u1161\u11ABx", "\u1112\u1161\u11AB|x", 3, 3, 3 },
	{ "flag", "🇩🇪", "🇩🇪", 2, 2, 2 },
	{ "two flags", "🇩🇪🇫🇷", "🇩🇪|🇫🇷", 4, 4, 4 },
	{ "a lone indicator", "🇩x", "🇩|x", 2, 2, 2 },
	{ "joined coder", "👩‍💻!", "👩‍💻|!", 3, 3, 5 },
	{ "thumb and skin", "👍🏽", "👍🏽", 2, 2, 4 },
	{ "stopwatch as text", "⏱", "⏱", 1, 1, 1 },
	{ "stopwatch as emoji", "⏱\uFE0F|", "⏱\uFE0F||", 3, 3, 2 },
	{ "smile as emoji", "☺\uFE0F", "☺\uFE0F", 2, 2, 1 },
	{ "keycap", "1\uFE0F\u20E3", "1\uFE0F\u20E3", 2, 2, 1 },
	{ "selector on a letter", "a\uFE0F", "a\uFE0F", 1, 1, 1 },
	{ "coloured circles", "🟢✅❌", "🟢|✅|❌", 6, 6, 6 },
	{ "heart on fire", "❤️‍🔥", "❤️‍🔥", 2, 2, 3 },
	{ "ambiguous", "\u2014\u2018\u2026\u2E3A", "\u2014|\u2018|\u2026|\u2E3A", 4, 7, 4 },
	{ "boxes", "─│", "─|│", 2, 4, 2 },
	{ "bad bytes", "a\xFF\xE4z", "a|\xFF|\xE4|z", 4, 4, 4 },
	{ "controls", "\033\t\x7F", "\033|\t|\x7F", 3, 3, 3 },
	{ "return and newline", "\r\nx", "\r\n|x", 2, 2, 2 },
	{ "a lone mark", "\u0301", "\u0301", 1, 1, 1 },
	{ "Devanagari", "नि", "नि", 1, 1, 1 },
};

static void knows_clusters_and_cells(void **state)
{
	(void)state;
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		struct vy_str s = vy_str_c(texts[i].in);

		check_str(texts[i].name, split(s, &b), texts[i].split);
		check_int(texts[i].name, (long long)vy_width_cells(s, modern), texts[i].modern);
		check_int(texts[i].name, (long long)vy_width_cells(s, cjk), texts[i].cjk);
		check_int(texts[i].name, (long long)vy_width_cells(s, sums), texts[i].sums);
	}
}

/* Backwards gives the same borders as forwards, and each byte knows whether it is one. */
static void steps_back_as_it_steps_on(void **state)
{
	(void)state;
	static const char all[] = "a\u0301🇩🇪🇫🇷🇯x👨‍👩‍👧"
				  "👍🏽é中\r\n\r"
				  "1️⃣\xFF\xE4\xBD\u0600a한\u1112\u1161\u200D";
	bool border[sizeof(all)] = { true };
	struct vy_str s = vy_str_n(all, sizeof(all) - 1);

	for (size_t at = 0; at < s.n;) {
		size_t next = vy_cluster_next(s, at);

		check_int("back", (long long)vy_cluster_prev(s, next), (long long)at);
		border[at = next] = true;
	}
	size_t last = 0;

	for (size_t i = 0; i <= s.n; i++) {
		last = border[i] ? i : last;
		check_int("is a border", vy_cluster_is_border(s, i), border[i]);
		check_int("cut", (long long)vy_cluster_cut(s, i), (long long)last);
	}
	check_int("at the start", (long long)vy_cluster_prev(s, 0), 0);
	check_int("past the end", (long long)vy_cluster_next(s, s.n + 3), (long long)s.n);
}

static void bounds_a_cluster(void **state)
{
	(void)state;
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	vy_buf_adds(&b, "a");
	for (int i = 0; i < 500; i++) {
		vy_buf_adds(&b, "\u0301");
	}
	struct vy_str s = vy_buf_str(&b);

	for (size_t at = 0, next; at < s.n; at = next) {
		next = vy_cluster_next(s, at);
		check_true("no longer than the maximum", next > at && next - at <= VY_CLUSTER_MAX);
		check_int("and back", (long long)vy_cluster_prev(s, next), (long long)at);
	}
}

/* Pieces tile a text, and their cells are those of the whole. */
static void gives_pieces_for_cells(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		struct vy_str s = vy_str_c(texts[i].in);
		size_t sum = 0, at = 0;

		while (at < s.n) {
			unsigned cells;
			size_t next = vy_width_piece(s, at, sums, &cells);

			check_true(texts[i].name, next > at && cells >= 1 && cells <= 2);
			sum += cells;
			at = next;
		}
		check_int(texts[i].name, (long long)sum, texts[i].sums);
	}
	unsigned cells;

	check_int("a modern piece is a cluster",
		(long long)vy_width_piece(vy_str_c("👩‍💻!"), 0, modern, &cells), 11);
	check_int("a summing one stops at the joiner",
		(long long)vy_width_piece(vy_str_c("👩‍💻!"), 0, sums, &cells), 7);
}

static void steps_by_words(void **state)
{
	(void)state;
	static const struct {
		const char *name, *in, *next, *prev; /* "|" where the steps stop */
	} rows[] = {
		{ "spaces", "one  two three", "one|  two| three|", "|one  |two |three" },
		{ "marks", "a.b(c)", "a|.b|(c|)|", "|a.|b(|c)" },
		{ "digits", "x86 64", "x86| 64|", "|x86 |64" },
		{ "accents", "né e\u0301a", "né| e\u0301a|", "|né |e\u0301a" },
		{ "scripts", "漢字かなカナabc", "漢字|かな|カナ|abc|", "|漢字|かな|カナ|abc" },
		{ "cyrillic", "мир да", "мир| да|", "|мир |да" },
		{ "only marks", "!?", "!?|", "|!?" },
		{ "empty", "", "", "" },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_str s = vy_str_c(rows[i].in);
		VY_AUTO_BUF b = VY_BUF_INIT(256);
		char stops[64] = { 0 };

		for (size_t at = 0; at < s.n;) {
			size_t next = vy_word_next(s, at);

			vy_buf_add(&b, s.p + at, next - at);
			vy_buf_adds(&b, "|");
			at = next;
		}
		check_str(rows[i].name, vy_buf_c(&b), rows[i].next);
		for (size_t at = s.n; at > 0;) {
			at = vy_word_prev(s, at);
			stops[at] = 1;
		}
		vy_buf_clear(&b);
		for (size_t at = 0; at < s.n; at++) {
			vy_buf_adds(&b, stops[at] ? "|" : "");
			vy_buf_addc(&b, s.p[at]);
		}
		check_str(rows[i].name, vy_buf_c(&b), rows[i].prev);
	}
}

static void shortens(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int cells;
		const char *in, *head, *tail;
	} rows[] = {
		{ "fits", 5, "abcde", "abcde", "abcde" },
		{ "one too long", 4, "abcde", "abc…", "…cde" },
		{ "one cell", 1, "abcde", "…", "…" },
		{ "no cell", 0, "abcde", "", "" },
		{ "nothing in nothing", 0, "", "", "" },
		{ "wide cell at the edge", 4, "a中文字", "a中…", "…字" },
		{ "a family is not cut", 3, "ab👨‍👩‍👧", "ab…",
			"…👨‍👩‍👧" },
		{ "no space before the mark", 5, "abc defg", "abc…", "…defg" },
		{ "path", 8, "/home/u/src/app", "/home/u…", "…src/app" },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(256);
		struct vy_str s = vy_str_c(rows[i].in);

		vy_width_ellipsis(s, (size_t)rows[i].cells, modern, &b);
		check_str(rows[i].name, vy_buf_c(&b), rows[i].head);
		vy_buf_clear(&b);
		vy_width_ellipsis_tail(s, (size_t)rows[i].cells, modern, &b);
		check_str(rows[i].name, vy_buf_c(&b), rows[i].tail);
		vy_buf_clear(&b);
		vy_width_ellipsis(s, (size_t)rows[i].cells, cjk, &b);
		check_true(
			rows[i].name, vy_width_cells(vy_buf_str(&b), cjk) <= (size_t)rows[i].cells);
	}
	size_t used;

	check_int("fit stops before a wide one",
		(long long)vy_width_fit(vy_str_c("a中"), 2, modern, &used), 1);
	check_int("and says what it took", (long long)used, 1);
}

CHECK_MAIN(CHECK_TEST(knows_clusters_and_cells), CHECK_TEST(steps_back_as_it_steps_on),
	CHECK_TEST(bounds_a_cluster), CHECK_TEST(gives_pieces_for_cells),
	CHECK_TEST(steps_by_words), CHECK_TEST(shortens))
