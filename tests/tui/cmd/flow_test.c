/* flow_test.c -- text in pieces is made visible as if it came at once, and does not wait long. */
#include "tests/check.h"

#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "tui/cmd/flow.h"
#include "shared/base/ban.h"

static const struct {
	const char *name, *text;
} texts[] = {
	{ "plain", "hello world\nand more" },
	{ "escape", "a \033[31mred\033[m b" },
	{ "carriage return", "one\r\ntwo\rthree\r" },
	{ "family", "x 👩‍👩‍👧 y" },
	{ "flag and keycap", "🇩🇪🇫🇷 1️⃣ ☺️" },
	{ "joiner alone", "a\u200Db \u200D c" },
	{ "persian", "می‌خواهم نمی‌شود" },
	{ "combining", "e\u0301o\u0308" },
	{ "override", "abc\u202Edef" },
	{ "hindi", "क्‍ष क्षि" },
	{ "empty", "" },
};

/* In pieces that end between characters, as deltas do. */
static void pieces(struct vy_str text, size_t most, struct vy_buf *out)
{
	struct flow f;

	flow_init(&f, false);
	while (text.n) {
		size_t n = vy_utf8_cut(text, most);

		n = n ? n : vy_utf8_cut(text, 4);
		flow_add(&f, vy_str_n(text.p, n), out);
		text = vy_str_from(text, n);
	}
	flow_end(&f, out);
	flow_fini(&f);
}

static void as_a_whole(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		VY_AUTO_BUF want = VY_BUF_INIT(VY_MIB);

		vy_utf8_visible(vy_str_c(texts[i].text), VY_UTF8_PROSE, &want);
		for (size_t most = 1; most < 40; most++) {
			VY_AUTO_BUF got = VY_BUF_INIT(VY_MIB);

			pieces(vy_str_c(texts[i].text), most, &got);
			check_vstr(texts[i].name, vy_buf_str(&got), vy_buf_str(&want));
		}
	}
}

static void what_waits(void **unused)
{
	static const struct {
		const char *name, *in, *out;
	} rows[] = {
		{ "the last letter", "hello", "hell" },
		{ "not behind a newline", "hello\n", "hello\n" },
		{ "a whole cluster", "x👩‍", "x" },
		{ "what a joiner may join", "می‌", "م" },
		{ "nothing", "", "" },
	};

	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF got = VY_BUF_INIT(VY_MIB);
		struct flow f;

		flow_init(&f, false);
		flow_add(&f, vy_str_c(rows[i].in), &got);
		check_str(rows[i].name, vy_buf_c(&got), rows[i].out);
		flow_fini(&f);
	}
}

static void raw(void **unused)
{
	VY_AUTO_BUF got = VY_BUF_INIT(VY_MIB);
	struct flow f;

	(void)unused;
	flow_init(&f, true);
	flow_add(&f, VY_STR_LIT("a\033[m"), &got);
	check_str("at once, as it is", vy_buf_c(&got), "a\033[m");
	flow_end(&f, &got);
	check_str("and nothing behind", vy_buf_c(&got), "a\033[m");
	flow_fini(&f);
}

CHECK_MAIN(CHECK_TEST(as_a_whole), CHECK_TEST(what_waits), CHECK_TEST(raw))
