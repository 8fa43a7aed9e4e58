/* editor_test.c -- the text in an editor: what comes back, what does not, whose keys are whose. */
#include <stdlib.h>

#include "shared/base/mem.h"
#include "tests/check.h"
#include "tui/app/editor.h"

static const struct {
	const char *name, *editor, *text, *error;
} rows[] = {
	{ "what was saved", "printf 'new\\n\\n' >", "new", "" },
	{ "nothing was changed", "true", "old", "" },
	{ "it failed", "false", "old", "false ended with a failure; your text is as it was" },
	/* as ctrl-c in a terminal, which reaches us too */
	{ "its ctrl-c", "kill -INT $PPID; printf still >", "still", "" },
};

static void what_comes_back(void **state)
{
	(void)state;
	unsetenv("VISUAL");
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF text = VY_BUF_INIT(4096);
		struct vy_err e = { 0 };

		setenv("EDITOR", rows[i].editor, 1);
		vy_buf_adds(&text, "old");
		int rc = editor_run(&text, &e);

		assert_true((rc == 0) == (rows[i].error[0] == '\0'));
		check_str(rows[i].name, vy_buf_c(&text), rows[i].text);
		check_str(rows[i].name, e.text, rows[i].error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(what_comes_back) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
