/* jw_test.c -- the quick writer prints what the slow door reads back. */
#include "tests/check.h"

#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/ban.h"

static void writes_values_and_commas(void **state)
{
	(void)state;
	VY_AUTO_BUF b = VY_BUF_INIT(1024);
	struct vy_jw w = VY_JW(&b);

	vy_jw_obj(&w);
	vy_jw_kstr(&w, "s", vy_str_c("x"));
	vy_jw_kint(&w, "n", -5);
	vy_jw_kbool(&w, "t", true);
	vy_jw_key(&w, "a");
	vy_jw_arr(&w);
	vy_jw_int(&w, INT64_MIN);
	vy_jw_null(&w);
	vy_jw_raw(&w, vy_str_c("{\"raw\":1}"));
	vy_jw_obj(&w);
	vy_jw_end_obj(&w);
	vy_jw_arr(&w);
	vy_jw_end_arr(&w);
	vy_jw_bool(&w, false);
	vy_jw_end_arr(&w);
	vy_jw_kint(&w, "z", INT64_MAX);
	vy_jw_end_obj(&w);
	check_str("all in one", vy_buf_c(&b),
		"{\"s\":\"x\",\"n\":-5,\"t\":true,\"a\":[-9223372036854775808,null,{\"raw\":1},{},["
		"],"
		"false],\"z\":9223372036854775807}");
}

/* Every character up to U+07FF and some beyond comes back as it was. */
static void escapes_what_must_be(void **state)
{
	(void)state;
	static const char *const strings[] = { "", "\"", "\\", "a\nb\rc\td", "\x01\x1F\x7F", "/",
		"\xC2\x80\u07FF\uFFFD\U0001F600", "\xE2\x80\xA8\xE2\x80\xA9",
		"中文 \"quoted\" \\n" };

	for (size_t i = 0; i < VY_COUNT(strings); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(1024);
		struct vy_jw w = VY_JW(&b);

		vy_jw_str(&w, vy_str_c(strings[i]));
		VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&b), NULL);

		check_true("is JSON", vy_json_type(v) == VY_JSON_STR);
		check_vstr("comes back", vy_json_strval(v), vy_str_c(strings[i]));
	}
	for (unsigned c = 0; c < 0x80; c++) {
		char byte = (char)c;
		VY_AUTO_BUF b = VY_BUF_INIT(64);
		struct vy_jw w = VY_JW(&b);

		vy_jw_str(&w, vy_str_n(&byte, 1));
		VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&b), NULL);

		check_vstr("every byte of ASCII", vy_json_strval(v), vy_str_n(&byte, 1));
	}
}

/* Every byte of ASCII at every place of a text, among letters, letters past ASCII, and others of its kind. */
static void finds_them_wherever_they_are(void **state)
{
	(void)state;
	static const char *const among[] = { "abcdefghijklmnopqrs",
		"\u00e9\u00e9\u00e9\u00e9\u4e16\u4e16\U0001F600",
		"\x1f\"\\!#[] \x1f\"\\!#[] \x7f" };

	for (size_t k = 0; k < VY_COUNT(among) * 19 * 0x80; k++) {
		const char *text = among[k / (19 * 0x80)];
		char room[48], byte = (char)(k % 0x80);
		size_t at = k / 0x80 % 19, n = strlen(text);

		at = at < n && ((unsigned char)text[at] & 0xC0) != 0x80 ? at : 0;
		memcpy(room, text, at);
		room[at] = byte;
		memcpy(room + at + 1, text + at, n - at);

		VY_AUTO_BUF b = VY_BUF_INIT(512);
		struct vy_jw w = VY_JW(&b);

		vy_jw_str(&w, vy_str_n(room, n + 1));
		VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&b), NULL);

		check_vstr("comes back", vy_json_strval(v), vy_str_n(room, n + 1));
	}
}

static void stops_at_the_maximum(void **state)
{
	(void)state;
	VY_AUTO_BUF b = VY_BUF_INIT(8);
	struct vy_jw w = VY_JW(&b);

	vy_jw_str(&w, vy_str_c("longer than eight"));
	check_true("marked", vy_buf_is_over(&b));
}

CHECK_MAIN(CHECK_TEST(writes_values_and_commas), CHECK_TEST(escapes_what_must_be),
	CHECK_TEST(finds_them_wherever_they_are), CHECK_TEST(stops_at_the_maximum))
