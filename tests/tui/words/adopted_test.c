/* adopted_test.c -- the command that goes on with a session in a terminal. */
#include "tests/check.h"

#include "shared/base/limits.h"
#include "tui/words/adopted.h"
#include "shared/base/ban.h"

static const struct {
	const char *name, *record, *command; /* NULL: there is none */
} rows[] = {
	{ "ours, begun here",
		"{\"session\":\"S\",\"driver\":\"claude\",\"cwd\":\"/w\",\"messages\":3}",
		"cd /w && claude --resume S" },
	{ "ours, under another name of the agent's",
		"{\"session\":\"S\",\"agent_session\":\"A\",\"driver\":\"codex\",\"cwd\":\"/"
		"w\",\"messages\":3}",
		"cd /w && codex resume A" },
	{ "nothing was said in it yet",
		"{\"session\":\"S\",\"driver\":\"claude\",\"cwd\":\"/w\",\"messages\":0}", NULL },
	{ "adopted, by another program than it is called",
		"{\"session\":\"S\",\"agent_session\":\"A\",\"driver\":\"acp\",\"cwd\":\"/"
		"w\",\"messages\":0,"
		"\"adopted\":{\"provider\":\"opencode\",\"id\":\"A\"}}",
		"cd /w && opencode --session A" },
	{ "a folder that a shell would read",
		"{\"session\":\"S\",\"driver\":\"claude\",\"cwd\":\"/it's mine\",\"messages\":1}",
		"cd '/it'\\''s mine' && claude --resume S" },
	{ "a folder that a terminal would obey",
		"{\"provider\":\"claude\",\"id\":\"R\",\"cwd\":\"/w\\n\\u001b[201~it's\\\\ "
		"\\u007f\\u009b5m\\u202e \u00fc\\u6f22\"}",
		"cd $'/w\\x0a\\x1b[201~it\\'s\\\\ \\x7f\\xc2\\x9b5m\\xe2\\x80\\xae \u00fc\u6f22' "
		"&& claude "
		"--resume R" },
	{ "a folder in another script",
		"{\"provider\":\"claude\",\"id\":\"R\",\"cwd\":\"/w \u6f22\"}",
		"cd '/w \u6f22' && claude --resume R" },
	{ "a row of what was left", "{\"provider\":\"claude\",\"id\":\"R\",\"cwd\":\"/w\"}",
		"cd /w && claude --resume R" },
	{ "one whose folder nobody knows", "{\"provider\":\"claude\",\"id\":\"R\",\"cwd\":null}",
		"claude --resume R" },
	{ "an id that is no word", "{\"provider\":\"claude\",\"id\":\"$(x)\",\"cwd\":null}",
		"claude --resume '$(x)'" },
	{ "an agent without one",
		"{\"session\":\"S\",\"driver\":\"demo\",\"cwd\":\"/w\",\"messages\":3}", NULL },
	{ "gemini goes on with none by name",
		"{\"provider\":\"gemini\",\"id\":\"R\",\"cwd\":\"/w\"}", NULL },
};

static void test_command(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(VY_KIB);
		VY_AUTO_JSON *record = vy_json_parse(vy_str_c(rows[i].record), NULL);

		assert_non_null(record);
		assert_int_equal(adopted_command(record, &out), rows[i].command != NULL);
		check_str(rows[i].name, vy_buf_c(&out), rows[i].command ? rows[i].command : "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_command) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
