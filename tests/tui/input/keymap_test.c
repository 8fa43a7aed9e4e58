/* keymap_test.c -- the built-in keys, a person's keys, and what the help says of them. */
#include "tests/check.h"

#include "tui/input/keymap.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)

static struct key key_of(const char *name)
{
	struct key k = { 0 };

	check_true(name, key_parse(vy_str_c(name), &k));
	return k;
}

static const char *does(const struct keymap *m, enum keymap_mode mode, const char *key)
{
	return keymap_name(keymap_find(m, mode, key_of(key)));
}

static void built_in(void **state)
{
	(void)state;
	static const struct {
		enum keymap_mode mode;
		const char *key, *action;
	} rows[] = {
		{ KEYMAP_COMPOSER, "enter", "send" },
		{ KEYMAP_COMPOSER, "alt-enter", "newline" },
		{ KEYMAP_COMPOSER, "ctrl-j", "newline" },
		{ KEYMAP_COMPOSER, "shift-enter", "newline" },
		{ KEYMAP_COMPOSER, "ctrl-a", "line-start" },
		{ KEYMAP_COMPOSER, "ctrl-t", "terminal" },
		{ KEYMAP_COMPOSER, "shift-tab", "mode" },
		{ KEYMAP_COMPOSER, "esc", "cancel" },
		{ KEYMAP_COMPOSER, "x", "none" },
		{ KEYMAP_COMPOSER, "up", "up" },
		{ KEYMAP_MENU, "up", "menu-up" },
		{ KEYMAP_MENU, "ctrl-a", "line-start" },
		{ KEYMAP_MENU, "esc", "menu-close" },
		{ KEYMAP_ASK, "y", "ask-yes" },
		{ KEYMAP_ASK, "3", "ask-number" },
		{ KEYMAP_ASK, "esc", "ask-fold" },
		{ KEYMAP_ASK, "ctrl-a", "none" },
		{ KEYMAP_ASK, "shift-tab", "mode" },
		{ KEYMAP_BROWSE, "y", "copy-source" },
		{ KEYMAP_BROWSE, "P", "print" },
		{ KEYMAP_BROWSE, "x", "none" },
		{ KEYMAP_BROWSE, "/", "find" },
		{ KEYMAP_VIEW, "q", "view-close" },
		{ KEYMAP_PANE, "ctrl-t", "pane-leave" },
		{ KEYMAP_PANE, "esc", "none" }, /* the program's */
		{ KEYMAP_PANE, "ctrl-c", "none" },
		{ KEYMAP_PANE, "f1", "none" },
		{ KEYMAP_GLOBAL, "alt-7", "session-number" },
	};
	struct keymap m;

	keymap_init(&m);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_str(rows[i].key, does(&m, rows[i].mode, rows[i].key), rows[i].action);
	}
	keymap_fini(&m);
}

/* No key means two things in one mode, none that the parent has is bound to the same there, every
 * action has a key, a help line and a name of its own. */
static void facts(void **state)
{
	(void)state;
	struct keymap m;

	keymap_init(&m);
	for (size_t i = 0; i < m.n; i++) {
		const char *name = keymap_name(m.binds[i].action);

		for (size_t k = i + 1; k < m.n; k++) {
			check_true(name, !key_eq(m.binds[i].key, m.binds[k].key) ||
						 keymap_mode_of(m.binds[i].action) !=
							 keymap_mode_of(m.binds[k].action));
		}
		check_true(name, m.binds[i].key.code != KEY_NONE);
	}
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		const char *name = keymap_name((enum keymap_action)a);
		struct key k;
		char hint[KEY_NAME_MAX];

		check_true(name, keymap_key(&m, (enum keymap_action)a, 0, &k));
		check_true(name, *keymap_hint(&m, (enum keymap_action)a, hint));
		check_true(name, strlen(keymap_help((enum keymap_action)a)) > 1);
		check_int(name, keymap_action_of(vy_str_c(name)), a);
	}
	keymap_fini(&m);
}

static void bindings(void **state)
{
	(void)state;
	struct keymap m;
	struct vy_err e = { 0 };
	struct key k;
	char hint[KEY_NAME_MAX];

	keymap_init(&m);
	check_int("a good text",
		keymap_parse(&m,
			S("# mine\n\n  ctrl-y = search \nalt-x=queue_drop\r\n"
			  "q = none\n= = browse\n# = todos\nalt-q = none"),
			&e),
		0);
	check_str("a new key", does(&m, KEYMAP_COMPOSER, "alt-x"), "queue-drop");
	check_str("the old one stays", does(&m, KEYMAP_COMPOSER, "ctrl-x"), "queue-drop");
	check_str("hints show the person's", keymap_hint(&m, ACTION_QUEUE_DROP, hint), "alt-x");
	check_true("second key",
		keymap_key(&m, ACTION_QUEUE_DROP, 1, &k) && key_eq(k, key_of("ctrl-x")));
	check_true("no third", !keymap_key(&m, ACTION_QUEUE_DROP, 2, &k));
	check_str("the nearer mode still wins", does(&m, KEYMAP_COMPOSER, "ctrl-y"), "yank");
	check_str("elsewhere it is bound", does(&m, KEYMAP_BROWSE, "ctrl-y"), "search");
	check_str("none", does(&m, KEYMAP_COMPOSER, "alt-q"), "none");
	check_str("none, everywhere", does(&m, KEYMAP_VIEW, "q"), "none");
	check_str("no key left", keymap_hint(&m, ACTION_QUEUE, hint), "");
	check_str("an equal sign", does(&m, KEYMAP_COMPOSER, "="), "browse");
	check_str("a hash", does(&m, KEYMAP_COMPOSER, "#"), "todos");
	check_int("rebind", keymap_bind(&m, S("enter"), S("newline"), &e), 0);
	check_str("takes the key from its mode", does(&m, KEYMAP_COMPOSER, "enter"), "newline");
	check_str("not from others", does(&m, KEYMAP_MENU, "enter"), "menu-accept");
	keymap_fini(&m);
}

static void errors(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct vy_str text;
		const char *says;
	} rows[] = {
		{ "no key", S("ctrl-t = search\nhyper-x = search\n"),
			"line 2: \"hyper-x\" is no key" },
		{ "no action", S("\n\nctrl-t = fly"), "line 3: \"fly\" is nothing a key can do" },
		{ "no equal sign", S("ctrl-t search"), "line 1: expected \"key = action\"" },
		{ "empty action", S("ctrl-t ="), "line 1: \"\" is nothing" },
		{ "empty key", S(" = search"), "line 1: \"\" is no key" },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct keymap m;
		struct vy_err e = { 0 };

		keymap_init(&m);
		check_int(rows[i].name, keymap_parse(&m, rows[i].text, &e), -1);
		check_int(rows[i].name, e.code, VY_BAD_INPUT);
		check_vstr(rows[i].name, vy_str_n(e.text, strnlen(e.text, strlen(rows[i].says))),
			vy_str_c(rows[i].says));
		keymap_fini(&m);
	}
}

CHECK_MAIN(CHECK_TEST(built_in), CHECK_TEST(facts), CHECK_TEST(bindings), CHECK_TEST(errors))
