/* utf8_test.c -- the one door for text from outside. */
#include "tests/check.h"

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)
#define BAD    "\uFFFD"

/* Bad sequences are counted as Unicode's table 3-8 does: one U+FFFD per maximal subpart. */
static void cleans(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct vy_str in, out;
	} rows[] = {
		{ "empty", S(""), S("") },
		{ "plain", S("hello, world, this is long"), S("hello, world, this is long") },
		{ "good of each length", S("aé中😀"), S("aé中😀") },
		{ "NUL is a character", S("a\0b"), S("a\0b") },
		{ "lone continuation", S("a\x80z"), S("a" BAD "z") },
		{ "overlong slash", S("\xC0\xAF"), S(BAD BAD) },
		{ "overlong in three", S("\xE0\x80\xAF"), S(BAD BAD BAD) },
		{ "surrogate", S("\xED\xA0\x80"), S(BAD BAD BAD) },
		{ "past the last plane", S("\xF4\x90\x80\x80"), S(BAD BAD BAD BAD) },
		{ "bytes that never occur", S("\xF5\xFE\xFF"), S(BAD BAD BAD) },
		{ "cut in three", S("\xE4\xBDz"), S(BAD "z") },
		{ "cut in four", S("\xF0\x9F\x98z"), S(BAD "z") },
		{ "cut at the end", S("ok\xF0\x9F"), S("ok" BAD) },
		{ "cut, then whole", S("\xF0\x9F\xE4\xB8\xAD"), S(BAD "中") },
		{ "table 3-8", S("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"),
			S("a" BAD BAD BAD "b" BAD "c" BAD BAD "d") },
		{ "bad behind eight plain", S("12345678\xFF"), S("12345678" BAD) },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(1024);

		check_true(rows[i].name, vy_utf8_clean(rows[i].in, &b));
		check_vstr(rows[i].name, vy_buf_str(&b), rows[i].out);
		check_int(rows[i].name, vy_utf8_is_valid(rows[i].in),
			vy_str_eq(rows[i].in, rows[i].out));
		check_true(rows[i].name, vy_utf8_is_valid(vy_buf_str(&b)));
	}
	VY_AUTO_BUF small = VY_BUF_INIT(4);

	check_true("no room is said", !vy_utf8_clean(S("abc\xFF"), &small));
}

static void shows_what_hides(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned keep;
		struct vy_str in, out;
	} rows[] = {
		{ "plain", VY_UTF8_LINE, S("ls -l"), S("ls -l") },
		{ "erase the screen", VY_UTF8_LINE, S("\033[2J\033[32m"), S("␛[2J␛[32m") },
		{ "all of C0", VY_UTF8_LINE, S("\0\a\b\t\n\r\x1F\x7F"), S("␀␇␈␉␊␍␟␡") },
		{ "prose keeps lines", VY_UTF8_PROSE, S("a\tb\r\nc\n"), S("a\tb\nc\n") },
		{ "a lone return shows", VY_UTF8_PROSE, S("good\revil\r"), S("good␍evil␍") },
		{ "returns show unless asked", VY_UTF8_KEEP_LF, S("a\r\n"), S("a␍\n") },
		{ "no LF, no return", VY_UTF8_CRLF, S("a\r\n"), S("a␊") },
		{ "C1 CSI", VY_UTF8_LINE,
			S("\xC2\x9B"
			  "2J"),
			S("⟨U+009B⟩2J") },
		{ "bidi override", VY_UTF8_LINE, S("rm\u202Etxt.exe"), S("rm⟨U+202E⟩txt.exe") },
		{ "isolates", VY_UTF8_LINE, S("\u2066a\u2069"), S("⟨U+2066⟩a⟨U+2069⟩") },
		{ "bidi marks", VY_UTF8_LINE, S("\u200E\u200F\u061C"),
			S("⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩") },
		{ "zero width", VY_UTF8_LINE, S("a\u200Bb\u2060c\uFEFF"),
			S("a⟨U+200B⟩b⟨U+2060⟩c⟨U+FEFF⟩") },
		{ "soft hyphen", VY_UTF8_LINE, S("r\u00ADm"), S("r⟨U+00AD⟩m") },
		{ "Hangul filler", VY_UTF8_LINE, S("\u3164=1"), S("⟨U+3164⟩=1") },
		{ "line separator", VY_UTF8_PROSE, S("a\u2028b"), S("a⟨U+2028⟩b") },
		{ "smuggled tags", VY_UTF8_LINE, S("hi\U000E0068\U000E0069"),
			S("hi⟨U+E0068⟩⟨U+E0069⟩") },
		{ "a picture's cell", VY_UTF8_PROSE, S("a\U0010EEEE\u0305\u0305"),
			S("a⟨U+10EEEE⟩\u0305\u0305") },
		{ "the tags of a flag", VY_UTF8_LINE,
			S("🏴\U000E0067\U000E0062\U000E0065"
			  "\U000E006E\U000E0067\U000E007F!"),
			S("🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F!") },
		{ "tags of no flag's length", VY_UTF8_LINE, S("🏴\U000E0067\U000E007F"),
			S("🏴⟨U+E0067⟩⟨U+E007F⟩") },
		{ "family", VY_UTF8_LINE, S("👨‍👩‍👧"), S("👨‍👩‍👧") },
		{ "skin and joiner", VY_UTF8_LINE, S("👩🏽‍💻 ok"),
			S("👩🏽‍💻 ok") },
		{ "heart on fire", VY_UTF8_LINE, S("❤️‍🔥"), S("❤️‍🔥") },
		{ "joiner between letters", VY_UTF8_LINE, S("a\u200Db"), S("a⟨U+200D⟩b") },
		{ "joiner behind an emoji, then a letter", VY_UTF8_LINE, S("👩\u200Dx"),
			S("👩⟨U+200D⟩x") },
		{ "joiner at the end may go on", VY_UTF8_LINE, S("👩\u200D"), S("👩\u200D") },
		{ "Persian needs its non-joiner", VY_UTF8_LINE, S("می\u200Cخواهم"),
			S("می\u200Cخواهم") },
		{ "Sinhala needs its joiner", VY_UTF8_LINE, S("ශ්\u200Dරී"), S("ශ්\u200Dරී") },
		{ "one selector", VY_UTF8_LINE, S("☁️ 1️⃣"), S("☁️ 1️⃣") },
		{ "two selectors carry data", VY_UTF8_LINE, S("😀\uFE0F\uFE01"),
			S("😀\uFE0F⟨U+FE01⟩") },
		{ "a selector alone", VY_UTF8_LINE, S("\uFE0F"), S("⟨U+FE0F⟩") },
		{ "ideographic selector", VY_UTF8_LINE, S("葛\U000E0100"), S("葛\U000E0100") },
		{ "on a letter", VY_UTF8_LINE, S("g\U000E0100"), S("g⟨U+E0100⟩") },
		{ "combining marks stay", VY_UTF8_LINE, S("e\u0301 ホ\u309A"),
			S("e\u0301 ホ\u309A") },
		{ "bad bytes", VY_UTF8_LINE, S("a\xFFz"), S("a" BAD "z") },
		{ "U+FFFD itself", VY_UTF8_LINE, S(BAD), S(BAD) },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(1024);

		check_true(rows[i].name, vy_utf8_visible(rows[i].in, rows[i].keep, &b));
		check_vstr(rows[i].name, vy_buf_str(&b), rows[i].out);
		check_int(rows[i].name, vy_utf8_is_visible(rows[i].in, rows[i].keep),
			vy_str_eq(rows[i].in, rows[i].out));
	}
}

static void holds_back_the_unfinished(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct vy_str in;
		int out;
	} rows[] = {
		{ "nothing", S(""), 0 },
		{ "plain", S("abc"), 0 },
		{ "whole", S("中"), 0 },
		{ "one of two", S("a\xC3"), 1 },
		{ "one of three", S("\xE4"), 1 },
		{ "two of three", S("x\xE4\xB8"), 2 },
		{ "three of four", S("\xF0\x9F\x98"), 3 },
		{ "can never be", S("\xED\xA0"), 0 },
		{ "never begins", S("\xC0"), 0 },
		{ "only continuations", S("\x80\x80\x80\x80"), 0 },
		{ "overlong", S("\xF0\x80\x80"), 0 },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_int(rows[i].name, (long long)vy_utf8_unfinished(rows[i].in), rows[i].out);
	}
}

/* In any pieces, with the unfinished carried over, the result is that of one piece. */
static void streams_like_a_whole(void **state)
{
	(void)state;
	static const char text[] = "aé中😀\xFF\xE4\xBD z\xF0\x9F\x98\x80\xC3";
	struct vy_str all = vy_str_n(text, sizeof(text) - 1);
	VY_AUTO_BUF want = VY_BUF_INIT(1024);

	vy_utf8_clean(all, &want);
	for (size_t cut = 0; cut <= all.n; cut++) {
		VY_AUTO_BUF got = VY_BUF_INIT(1024);
		struct vy_str first = vy_str_n(all.p, cut);
		size_t keep = vy_utf8_unfinished(first);

		vy_utf8_clean(vy_str_n(first.p, first.n - keep), &got);
		vy_utf8_clean(vy_str_from(all, cut - keep), &got);
		check_vstr("cut anywhere", vy_buf_str(&got), vy_buf_str(&want));
	}
}

static void cuts_between_characters(void **state)
{
	(void)state;
	struct vy_str s = S("aé中😀z");
	static const int want[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11 };

	for (size_t max = 0; max < VY_COUNT(want); max++) {
		check_int("cut", (long long)vy_utf8_cut(s, max), want[max]);
	}
	check_int("bad bytes are cut as they count", (long long)vy_utf8_cut(S("\xE4\xBDz"), 1), 0);
	check_int("nothing but continuations", (long long)vy_utf8_cut(S("\x80\x80\x80\x80\x80"), 3),
		3);
}

static void counts_utf16(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct vy_str in;
		int len;
	} rows[] = {
		{ "empty", S(""), 0 },
		{ "plain", S("hello world"), 11 },
		{ "two bytes are one", S("é"), 1 },
		{ "three bytes are one", S("中文"), 2 },
		{ "four bytes are two", S("a😀b"), 4 },
		{ "joined family", S("👨‍👩‍👧"), 8 },
		{ "bad is U+FFFD", S("\xFF"), 1 },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_int(rows[i].name, (long long)vy_utf16_len(rows[i].in), rows[i].len);
		check_int(rows[i].name, (long long)vy_utf16_at(rows[i].in, (size_t)rows[i].len),
			(long long)rows[i].in.n);
	}
	check_int("in the middle of a pair", (long long)vy_utf16_at(S("a😀b"), 2), 1);
	check_int("behind it", (long long)vy_utf16_at(S("a😀b"), 3), 5);
}

static void walks_back_as_it_walks_on(void **state)
{
	(void)state;
	static const char text[] =
		"aé中😀\xFF\xE4\xBD\x80\x80\x80\x80\xF0\x9F\xF0\x9F\x98z\xED\xA0\x80";
	struct vy_str s = vy_str_n(text, sizeof(text) - 1);
	uint32_t on, back;

	for (size_t at = 0; at < s.n;) {
		size_t len = vy_utf8_get(s, at, &on);

		at += len;
		check_int("length", (long long)vy_utf8_prev(s, at, &back), (long long)len);
		check_int("character", back, on);
	}
	for (uint32_t cp = 0; cp <= 0x10FFFF; cp += cp < 0x11000 ? 1 : 251) {
		char u[4];
		size_t len = vy_utf8_put(cp, u);
		bool surrogate = cp >= 0xD800 && cp <= 0xDFFF;

		check_int("put, get", (long long)vy_utf8_get(vy_str_n(u, len), 0, &on),
			(long long)len);
		check_int("the same", on, surrogate ? VY_UTF8_BAD : cp);
	}
}

CHECK_MAIN(CHECK_TEST(cleans), CHECK_TEST(shows_what_hides), CHECK_TEST(holds_back_the_unfinished),
	CHECK_TEST(streams_like_a_whole), CHECK_TEST(cuts_between_characters),
	CHECK_TEST(counts_utf16), CHECK_TEST(walks_back_as_it_walks_on))
