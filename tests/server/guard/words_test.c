/* words_test.c -- a command line as the commands it would run. "a|b>c" below: words a and b, c is
 * written; commands are joined by " ; ", a here-document's body stands behind "<<". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "server/guard/words.h"
#include "shared/base/buf.h"
#include "shared/base/ban.h"

static const struct {
	const char *name, *in, *out;
} rows[] = {
	{ "nothing", "", "" },
	{ "words", "  ls  -la /tmp ", "ls|-la|/tmp" },
	{ "quotes", "echo 'a b' \"c d\"e f\\ g", "echo|a b|c de|f g" },
	{ "empty word", "echo ''", "echo|" },
	{ "escapes in quotes", "echo \"a\\\"b\\$c\\d\"", "echo|a\"b$c\\d" },
	{ "operators", "a && b || c; d & e | f", "a ; b ; c ; d ; e ; f" },
	{ "lines", "a\nb", "a ; b" },
	{ "a line goes on", "a \\\nb", "a|b" },
	{ "redirections", "a > b 2>>c <d >|e", "a|d>b>c>e" },
	{ "both streams", "a &>b", "a>b" },
	{ "a copy of a stream", "a 2>&1", "a>1" },
	{ "a number is a word before blanks", "a 2 >b", "a|2>b" },
	{ "groups", "(a; b) ; { c; }", "a ; b ; {|c ; }" },
	{ "substitution", "echo $(a b)", "a|b ; echo|$" },
	{ "substitution in quotes", "echo \"x$(a \")\")y\"", "a|) ; echo|x$y" },
	{ "nested", "echo $(a $(b))", "b ; a|$ ; echo|$" },
	{ "backquotes", "echo `a b` c", "a|b ; echo|$|c" },
	{ "here-document", "cat <<E >f\nx > y\nE\nb", "cat>f<<x > y\n ; b" },
	{ "here-document with tabs", "cat <<-E\n\tx\n\tE\nb", "cat<<\tx\n\t ; b" },
	{ "here-document without end", "cat <<E\nx", "cat<<x" },
	{ "here-string", "cat <<<word", "cat|word" },
	{ "comment", "a # b\nc#d", "a ; c#d" },
	{ "process", "diff <(a) <(b)", "diff ; a ; b" },
	{ "open quote", "echo 'a", "echo|a" },
	{ "open substitution", "echo $(a", "a ; echo|$" },
};

static void print(const struct guard_commands *cmds, struct vy_buf *b)
{
	for (size_t i = 0; i < cmds->n; i++) {
		const struct guard_command *c = &cmds->v[i];

		vy_buf_adds(b, i ? " ; " : "");
		for (size_t k = 0; k < c->n; k++) {
			vy_buf_adds(b, k ? "|" : "");
			vy_buf_addstr(b, c->words[k]);
		}
		for (size_t k = 0; k < c->n_writes; k++) {
			vy_buf_addc(b, '>');
			vy_buf_addstr(b, c->writes[k]);
		}
		if (c->here.n) {
			vy_buf_adds(b, "<<");
			vy_buf_addstr(b, c->here);
		}
	}
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(65536);
		struct guard_commands cmds;
		struct vy_arena a;

		vy_arena_init(&a);
		guard_words(vy_str_c(rows[i].in), &a, &cmds);
		print(&cmds, &b);
		if (strcmp(vy_buf_c(&b), rows[i].out) != 0) {
			fail_msg("%s: got \"%s\", wanted \"%s\"", rows[i].name, vy_buf_c(&b),
				rows[i].out);
		}
		vy_arena_fini(&a);
	}
}

static void test_deep(void **state)
{
	VY_AUTO_BUF b = VY_BUF_INIT(65536);
	struct guard_commands cmds;
	struct vy_arena a;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		vy_buf_adds(&b, "$(");
	}
	vy_arena_init(&a);
	guard_words(vy_buf_str(&b), &a, &cmds); /* an answer is all that is asked for */
	vy_arena_fini(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows),
		cmocka_unit_test(test_deep) };

	return cmocka_run_group_tests_name("shell words", tests, NULL, NULL);
}
