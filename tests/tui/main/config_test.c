/* config_test.c -- the person's file: what is in force, and what is told of a line that is wrong. */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tui/main/config.h"

static const struct {
	const char *name, *text, *trouble;
} rows[] = {
	{ "nothing", "", "" },
	{ "settings at the top", "theme = light\n", "" },
	{ "settings in their section, and comments", "# mine\n[screen]\n theme=light ; day\n\n",
		"" },
	{ "an editor's mark, and its line ends",
		"\xEF\xBB\xBF"
		"theme = light\r\n[keys]\r\nalt-x = search\r\n",
		"" },
	{ "no such setting", "\ncolour = red\n", "f:2: there is no setting colour" },
	{ "no such value", "theme = pink\n",
		"f:1: theme is one of auto|dark|light|contrast, not pink" },
	{ "no value", "theme\n", "f:1: expected name = value" },
	{ "no such key", "[keys]\nctrl-hm = search\n",
		"f:2: \"ctrl-hm\" is no key: expected one like ctrl-t, alt-enter, f5" },
	{ "no such section", "[colors]\nx = y\n",
		"f:1: there are [screen] and [keys], not [colors]" },
	{ "several are counted", "a = 1\nb = 2\nc = 3\n",
		"f:1: there is no setting a (and 2 lines more)" },
};

static void test_trouble(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct tui_config c;

		tui_config_init(&c);
		tui_config_parse(&c, "f", vy_str_c(rows[i].text));
		check_str(rows[i].name, c.trouble, rows[i].trouble);
		tui_config_fini(&c);
	}
}

/* What the key does; "" for nothing. */
static const char *does(const struct tui_config *c, enum keymap_mode mode, const char *name)
{
	struct key k;

	assert_true(key_parse(vy_str_c(name), &k));
	enum keymap_action a = keymap_find(&c->keymap, mode, k);

	return a == ACTION_NONE ? "" : keymap_name(a);
}

static void test_in_force(void **state)
{
	struct tui_config c;

	(void)state;
	tui_config_init(&c);
	tui_config_parse(&c, "f",
		VY_STR_LIT(
			"theme = light\nbell = loud\nreduced_motion = on\n[keys]\nf5 = switcher\n"
			"nonsense\nalt-q = none\n[ = page-up\n# = find\n= = search\n; = top\n"
			"# a comment\n[screen]\nmouse = off\n"));
	assert_int_equal(c.settings.theme, SETTINGS_LIGHT);
	assert_int_equal(c.settings.bell, SETTINGS_ASKS);
	assert_int_equal(c.settings.is_still, 1);
	assert_int_equal(c.settings.mouse, 0);
	check_str("f5", does(&c, KEYMAP_COMPOSER, "f5"), "switcher");
	check_str("alt-q", does(&c, KEYMAP_COMPOSER, "alt-q"), "");
	check_str("[", does(&c, KEYMAP_BROWSE, "["), "page-up");
	check_str("#", does(&c, KEYMAP_BROWSE, "#"), "find");
	check_str("=", does(&c, KEYMAP_BROWSE, "="), "search");
	check_str(";", does(&c, KEYMAP_BROWSE, ";"), "top");
	check_str("enter as ever", does(&c, KEYMAP_COMPOSER, "enter"), "send");
	assert_int_equal(c.n_wrong, 2);
	tui_config_fini(&c);
}

static void test_long(void **state)
{
	struct vy_buf text = VY_BUF_INIT(1 << 20);
	struct tui_config c;

	(void)state;
	tui_config_init(&c);
	vy_buf_adds(&text, "notify_command = ");
	for (int i = 0; i < 300; i++) {
		vy_buf_addc(&text, 'x');
	}
	vy_buf_add(&text, "\nmouse = off\0\ntitle = off", 25);
	tui_config_parse(&c, "f", vy_buf_str(&text));
	assert_null(c.settings.command);
	assert_int_equal(c.settings.mouse, 1);
	assert_int_equal(c.settings.title, 0);
	assert_int_equal(c.n_wrong, 2);
	tui_config_fini(&c);
	vy_buf_fini(&text);
}

static void test_path(void **state)
{
	static const struct {
		const char *xdg, *home, *path;
	} paths[] = {
		{ "/c", "/h", "/c/vyre/tui.conf" },
		{ NULL, "/h", "/h/.config/vyre/tui.conf" },
		{ "relative", "/h", "/h/.config/vyre/tui.conf" },
		{ NULL, NULL, "" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(paths); i++) {
		struct vy_buf b = VY_BUF_INIT(4096);

		tui_config_path(paths[i].xdg, paths[i].home, &b);
		check_str("path", vy_buf_c(&b), paths[i].path);
		vy_buf_fini(&b);
	}
}

static void test_files(void **state)
{
	struct tui_config c;

	(void)state;
	tui_config_init(&c);
	tui_config_read(&c, "/nowhere/at/all/tui.conf");
	check_str("no file is no trouble", c.trouble, "");
	tui_config_read(&c, "/");
	assert_int_equal(c.n_wrong, 1);
	check_str("a folder is", c.trouble, "/: Is a directory");
	tui_config_fini(&c);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trouble),
		cmocka_unit_test(test_in_force),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
