/* settings_test.c -- a person's settings, one line each; and what needs-you sends: the notification's
 * bytes, which nobody's text can leave, and the command, which no text becomes part of. */
#include "tests/check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tui/app/hook.h"
#include "tui/app/settings.h"
#include "tui/ink/notice.h"
#include "shared/base/ban.h"

static void the_first_value_is_the_default(void **state)
{
	(void)state;
	struct settings s, each;
	struct vy_err e;

	settings_init(&s);
	settings_init(&each);
	for (size_t i = 0; settings_name(i); i++) {
		const char *values = settings_values(i);
		size_t n = strcspn(values, "|");

		check_int(settings_name(i),
			settings_set(&each, vy_str_c(settings_name(i)), vy_str_n(values, n), &e),
			0);
	}
	check_int("bell", each.bell, s.bell);
	check_int("desktop", each.desktop, s.desktop);
	check_int("theme", each.theme, s.theme);
	check_int("colors", each.colors, s.colors);
	check_int("still", each.is_still, s.is_still);
	check_int("mouse", each.mouse, s.mouse);
	check_int("title", each.title, s.title);
	settings_fini(&each);
	settings_fini(&s);
}

static void lines(void **state)
{
	(void)state;
	static const struct {
		const char *name, *value, *want; /* want: the error, or NULL */
	} rows[] = {
		{ "theme", "contrast", NULL },
		{ "reduced-motion", "on", NULL },
		{ "reduced_motion", "maybe", "reduced_motion is one of off|on, not maybe" },
		{ "colors", "16", NULL },
		{ "colors", "1", "colors is one of auto|rgb|256|16|none, not 1" },
		{ "theme", "", "theme is one of auto|dark|light|contrast, not " },
		{ "them", "dark", "there is no setting them" },
		{ "themes", "dark", "there is no setting themes" },
		{ "notify_command", "logger \"$VYRE_TEXT\"", NULL },
	};
	struct settings s;

	settings_init(&s);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_err e = { 0 };
		int rc = settings_set(&s, vy_str_c(rows[i].name), vy_str_c(rows[i].value), &e);

		check_int(rows[i].name, rc, rows[i].want ? -1 : 0);
		check_str(
			rows[i].name, rows[i].want ? e.text : "", rows[i].want ? rows[i].want : "");
	}
	check_int("theme", s.theme, SETTINGS_CONTRAST);
	check_int("colors", s.colors, SETTINGS_COLORS_16);
	check_int("still", s.is_still, 1);
	check_str("command", s.command, "logger \"$VYRE_TEXT\"");
	settings_fini(&s);
}

static void notifications(void **state)
{
	(void)state;
	static const struct {
		const char *name, *title, *text;
		enum notice_way way;
		bool tmux;
		const char *want;
	} rows[] = {
		{ "osc 9", "fix", "your turn", NOTICE_OSC9, false, "\033]9;fix: your turn\a" },
		{ "osc 777", "fix", "a;b", NOTICE_OSC777, false, "\033]777;notify;fix;a,b\a" },
		{ "no progress bar", "4;3", "x", NOTICE_OSC9, false, "\033]9;4,3: x\a" },
		{ "through tmux", "t", "x", NOTICE_OSC9, true,
			"\033Ptmux;\033\033]9;t: x\a\033\\" },
		{ "cannot leave", "a\a\033]2;t\a", "b\033\\\302\233c\nd", NOTICE_OSC9, false,
			"\033]9;a␇␛]2,t␇: b␛\\⟨U+009B⟩c␊d\a" },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(65536);

		notice_add(rows[i].way, rows[i].tmux, vy_str_c(rows[i].title),
			vy_str_c(rows[i].text), &b);
		check_str(rows[i].name, vy_buf_c(&b), rows[i].want);
	}
	check_int("foot", notice_way_of(&(struct notice_env){ .term = "foot" }), NOTICE_OSC777);
	check_int("xterm", notice_way_of(&(struct notice_env){ .term = "xterm-256color" }),
		NOTICE_OSC9);
}

static void the_command_gets_words_not_code(void **state)
{
	(void)state;
	char dir[] = "/tmp/vyre-hook.XXXXXX", path[128], got[256] = "";
	struct hook_event ev = {
		.event = "ask", .title = "$(touch bad) `id`", .text = "a 'b' \"c\""
	};
	VY_AUTO_BUF line = VY_BUF_INIT(4096);

	check_true("folder", mkdtemp(dir) != NULL);
	snprintf(path, sizeof(path), "%s/out", dir);
	vy_buf_addf(&line,
		"printf '%%s|%%s|%%s|%%s' \"$VYRE_EVENT\" \"$VYRE_TITLE\" \"$VYRE_TEXT\" "
		"\"$VYRE_SESSION\" > %s.new; mv %s.new %s",
		path, path, path);
	hook_run(vy_buf_c(&line), &ev);
	for (int i = 0; i < 1000 && access(path, F_OK) != 0; i++) {
		usleep(10000);
	}
	FILE *f = fopen(path, "re");

	check_true("it ran", f != NULL);
	check_true("it wrote", fgets(got, sizeof(got), f) != NULL);
	fclose(f);
	check_str("words", got, "ask|$(touch bad) `id`|a 'b' \"c\"|");
	unlink(path);
	rmdir(dir);
}

CHECK_MAIN(CHECK_TEST(the_first_value_is_the_default), CHECK_TEST(lines), CHECK_TEST(notifications),
	CHECK_TEST(the_command_gets_words_not_code))
