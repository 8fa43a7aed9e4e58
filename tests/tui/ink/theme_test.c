/* theme_test.c -- depth and look are chosen from what the terminal says; every role has a look. */
#include "tests/check.h"

#include "tui/ink/theme.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)

static void depth(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct theme_env env;
		enum theme_depth want;
	} rows[] = {
		{ "truecolor", { "xterm-256color", "truecolor", NULL, NULL, 256 },
			THEME_DEPTH_RGB },
		{ "24bit", { "xterm", "24bit", NULL, NULL, 8 }, THEME_DEPTH_RGB },
		{ "256 by name", { "xterm-256color", NULL, NULL, NULL, -1 }, THEME_DEPTH_256 },
		{ "256 by terminfo", { "foo", NULL, NULL, NULL, 256 }, THEME_DEPTH_256 },
		{ "kitty over ssh", { "xterm-kitty", NULL, NULL, NULL, 256 }, THEME_DEPTH_RGB },
		{ "a direct entry", { "xterm-direct", NULL, NULL, NULL, 1 << 24 },
			THEME_DEPTH_RGB },
		{ "the console", { "linux", NULL, NULL, NULL, 8 }, THEME_DEPTH_16 },
		{ "unknown", { "foo", NULL, NULL, NULL, -1 }, THEME_DEPTH_16 },
		{ "vt100", { "vt100", NULL, NULL, NULL, -1 }, THEME_DEPTH_16 },
		{ "no colours", { "vt220", NULL, NULL, NULL, 0 }, THEME_DEPTH_NONE },
		{ "NO_COLOR", { "xterm-256color", "truecolor", "1", NULL, 256 }, THEME_DEPTH_NONE },
		{ "NO_COLOR empty", { "xterm-256color", "truecolor", "", NULL, 256 },
			THEME_DEPTH_RGB },
		{ "dumb", { "dumb", "truecolor", NULL, NULL, -1 }, THEME_DEPTH_NONE },
		{ "no TERM", { NULL, "truecolor", NULL, NULL, -1 }, THEME_DEPTH_NONE },
		{ "GNU screen", { "screen-256color", "truecolor", NULL, NULL, 256 },
			THEME_DEPTH_256 },
		{ "tmux as screen", { "screen-256color", "truecolor", NULL, "/tmp/t,1,0", 256 },
			THEME_DEPTH_RGB },
		{ "tmux", { "tmux-256color", NULL, NULL, "/tmp/t,1,0", 256 }, THEME_DEPTH_256 },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_int(rows[i].name, theme_depth_of(&rows[i].env), rows[i].want);
	}
}

static void look(void **state)
{
	(void)state;
	enum { NOT = -1 };
	static const struct {
		const char *name;
		struct vy_str answer;
		int want;
	} rows[] = {
		{ "black", S("rgb:0000/0000/0000"), THEME_LOOK_DARK },
		{ "white", S("rgb:ffff/ffff/ffff"), THEME_LOOK_LIGHT },
		{ "two digits", S("rgb:fd/f6/e3"), THEME_LOOK_LIGHT },
		{ "one digit", S("rgb:1/2/3"), THEME_LOOK_DARK },
		{ "with alpha", S("rgba:0000/2b2b/3636/ffff"), THEME_LOOK_DARK },
		{ "hash", S("#fdf6e3"), THEME_LOOK_LIGHT },
		{ "short hash", S("#012"), THEME_LOOK_DARK },
		{ "blue is dark", S("rgb:0000/0000/ffff"), THEME_LOOK_DARK },
		{ "yellow is light", S("rgb:ffff/ffff/0000"), THEME_LOOK_LIGHT },
		{ "one missing", S("rgb:ffff/ffff"), NOT },
		{ "no digits", S("rgb:zz/zz/zz"), NOT },
		{ "too many digits", S("rgb:00000/0/0"), NOT },
		{ "odd hash", S("#fdf6"), NOT },
		{ "a name", S("black"), NOT },
		{ "nothing", S(""), NOT },
		{ "a lone hash", S("#"), NOT },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		enum theme_look l = THEME_LOOK_CONTRAST;
		bool ok = theme_look_of_osc11(rows[i].answer, &l);

		check_int(rows[i].name, ok ? (int)l : NOT, rows[i].want);
	}
	enum theme_look l = THEME_LOOK_CONTRAST;

	check_true("15;0", theme_look_of_fgbg("15;0", &l) && l == THEME_LOOK_DARK);
	check_true("0;default;15", theme_look_of_fgbg("0;default;15", &l) && l == THEME_LOOK_LIGHT);
	check_true("0;8", theme_look_of_fgbg("0;8", &l) && l == THEME_LOOK_DARK);
	check_true("unset", !theme_look_of_fgbg(NULL, &l));
	check_true("a word", !theme_look_of_fgbg("15;default", &l));
	check_true("word", theme_look_parse(S("light"), &l) && l == THEME_LOOK_LIGHT);
	check_true("no word", !theme_look_parse(S("pink"), &l));
}

static void pens(void **state)
{
	(void)state;
	struct theme dark = { THEME_LOOK_DARK, THEME_DEPTH_RGB },
		     none = { THEME_LOOK_DARK, THEME_DEPTH_NONE };
	struct theme few = { THEME_LOOK_LIGHT, THEME_DEPTH_16 },
		     some = { THEME_LOOK_DARK, THEME_DEPTH_256 };
	struct theme bold = { THEME_LOOK_CONTRAST, THEME_DEPTH_RGB };
	struct theme_pen p =
		theme_pen_of(dark, CELL_ROLE(THEME_CODE_KEYWORD), CELL_ROLE(THEME_DIFF_ADD), 0);

	check_int("fg of one role", p.fg, CELL_RGB(0xb392f0));
	check_int("on another's ground", p.bg, CELL_RGB(0x12261e));
	p = theme_pen_of(dark, CELL_ROLE(THEME_TEXT), CELL_DEFAULT, CELL_ITALIC);
	check_int("text is the terminal's", p.fg, CELL_DEFAULT);
	check_int("attributes stay", p.attrs, CELL_ITALIC);
	p = theme_pen_of(none, CELL_ROLE(THEME_ERROR), CELL_ROLE(THEME_SELECT), 0);
	check_int("no colour", p.fg, CELL_DEFAULT);
	check_int("but weight and reverse", p.attrs, CELL_BOLD | CELL_REVERSE);
	p = theme_pen_of(none, CELL_RGB(0xff0000), CELL_INDEX(3), CELL_BOLD);
	check_int("a program's colours go too", p.fg | p.bg, CELL_DEFAULT);
	p = theme_pen_of(few, CELL_RGB(0xf00000), CELL_INDEX(232), 0);
	check_int("brought down to 16", p.fg, CELL_INDEX(9));
	check_int("an index too", p.bg, CELL_INDEX(0));
	p = theme_pen_of(some, CELL_RGB(0xff5f00), CELL_INDEX(7), 0);
	check_int("to the cube", p.fg, CELL_INDEX(202));
	check_int("an index stays", p.bg, CELL_INDEX(7));
	p = theme_pen_of(bold, CELL_DEFAULT, CELL_DEFAULT, 0);
	check_int("high contrast has its own ground", p.bg, CELL_RGB(0));
	p = theme_pen_of(dark, CELL_ROLE(9999), 0, 0);
	check_int("no such role", p.fg, CELL_DEFAULT);
}

/* What a 16-colour terminal can show is below 16; what differs must not look the same. */
static void every_role(void **state)
{
	(void)state;
	for (int look_at = 0; look_at < 3; look_at++) {
		for (int r = 0; r < THEME_ROLE_COUNT; r++) {
			struct theme t = { (enum theme_look)look_at, THEME_DEPTH_16 };
			struct theme_pen p = theme_pen_of(t, CELL_ROLE(r), CELL_ROLE(r), 0);

			check_true(theme_role_name(r),
				(p.fg & 0xffffff) < 16 && (p.bg & 0xffffff) < 16);
			t.depth = THEME_DEPTH_RGB;
			p = theme_pen_of(t, CELL_ROLE(r), CELL_ROLE(r), 0);
			check_true(theme_role_name(r), p.fg != p.bg || p.fg == CELL_DEFAULT);
		}
		for (int d = THEME_DEPTH_16; d <= THEME_DEPTH_RGB; d++) {
			struct theme t = { (enum theme_look)look_at, (enum theme_depth)d };
			struct theme_pen a = theme_pen_of(
				t, CELL_ROLE(THEME_DIFF_ADD), CELL_ROLE(THEME_DIFF_ADD), 0);
			struct theme_pen b = theme_pen_of(
				t, CELL_ROLE(THEME_DIFF_DEL), CELL_ROLE(THEME_DIFF_DEL), 0);

			check_true("added is not deleted", a.fg != b.fg);
		}
	}
}

/* What xterm shows for an index of the cube or of the greys; and white, which all agree about. */
static uint32_t rgb_of(uint32_t color)
{
	static const uint32_t level[6] = { 0, 95, 135, 175, 215, 255 };
	uint32_t i = (color & 0xffffff) - 16;

	if (CELL_KIND(color) == CELL_KIND(CELL_RGB(0))) {
		return color & 0xffffff;
	}
	if (color == CELL_INDEX(15)) {
		return 0xffffff;
	}
	return i < 216 ? level[i / 36] << 16 | level[i / 6 % 6] << 8 | level[i % 6]
		       : (8 + (i - 216) * 10) * 0x010101;
}

/* Luminance as WCAG has it, with a plain square for the curve. */
static double light(uint32_t rgb)
{
	double r = (rgb >> 16 & 255) / 255.0, g = (rgb >> 8 & 255) / 255.0, b = (rgb & 255) / 255.0;

	return 0.2126 * r * r + 0.7152 * g * g + 0.0722 * b * b;
}

static double ratio(uint32_t one, uint32_t two)
{
	double a = light(one) + 0.05, b = light(two) + 0.05;

	return a > b ? a / b : b / a;
}

/* Words on a ground that the theme chose stand out from it. */
static void can_be_read(void **state)
{
	int bad = 0;

	(void)state;
	for (int look_at = 0; look_at < 3; look_at++) {
		for (int d = THEME_DEPTH_256; d <= THEME_DEPTH_RGB; d++) {
			for (int r = 0; r < THEME_ROLE_COUNT; r++) {
				struct theme t = { (enum theme_look)look_at, (enum theme_depth)d };
				struct theme_pen p = theme_pen_of(t, CELL_ROLE(r), CELL_ROLE(r), 0);
				double least = look_at == THEME_LOOK_CONTRAST ? 7.0 : 4.5;

				if (p.fg == CELL_DEFAULT || p.bg == CELL_DEFAULT ||
					r == THEME_LIST_EDGE) { /* which is no words */
					continue;
				}
				if (ratio(rgb_of(p.fg), rgb_of(p.bg)) < least) {
					bad++;
					print_error("%s, look %d, depth %d: %.1f of %.1f\n",
						theme_role_name(r), look_at, d,
						ratio(rgb_of(p.fg), rgb_of(p.bg)), least);
				}
			}
		}
	}
	check_int("too faint", bad, 0);
}

/* Of 16 colours a ground may be what somebody's words are drawn in. */
static void not_ink_on_ink(void **state)
{
	(void)state;
	for (int look_at = 0; look_at < 3; look_at++) {
		for (int bg = 0; bg < THEME_ROLE_COUNT; bg++) {
			for (int fg = 0; fg < THEME_ROLE_COUNT; fg++) {
				struct theme t = { (enum theme_look)look_at, THEME_DEPTH_16 };
				struct theme_pen p =
					theme_pen_of(t, CELL_ROLE(fg), CELL_ROLE(bg), 0);
				bool is_colour = p.bg != CELL_DEFAULT && p.bg != CELL_INDEX(0);

				check_true(theme_role_name(bg), !is_colour || p.fg != p.bg);
				check_true(theme_role_name(bg),
					!is_colour || p.fg == theme_pen_of(t, CELL_ROLE(bg),
								      CELL_ROLE(bg), 0)
								      .fg);
			}
		}
	}
}

CHECK_MAIN(CHECK_TEST(not_ink_on_ink), CHECK_TEST(depth), CHECK_TEST(look), CHECK_TEST(pens),
	CHECK_TEST(every_role), CHECK_TEST(can_be_read))
