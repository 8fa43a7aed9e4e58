/* words_test.c -- a command line as the commands it would run. "a|b>c" below: words a and b, c is
 * written; "[d" is read, "<e" what is piped in; a here-document stands behind "<<". */
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
	{ "bash's escapes", "echo $'a\\'\\x41\\102\\n\\u00e9' $\"b\"", "echo|a'AB\n\xc3\xa9|b" },
	{ "operators", "a && b || c; d & e | f |& g", "a ; b ; c ; d ; e ; f<e ; g<f" },
	{ "lines", "a\nb", "a ; b" },
	{ "a line goes on", "a \\\nb\\\nc", "a|bc" },
	{ "redirections", "a > b 2>>c <d >|e <>f", "a|[d>b>c>e>f" },
	{ "both streams", "a &>b; c >&d; e &>>f", "a>b ; c>d ; e>f" },
	{ "a copy of a stream", "a 2>&1 >&2 3>&- <&4", "a|[4" },
	{ "a number is a word before blanks", "a 2 >b", "a|2>b" },
	{ "groups", "(a; b) ; { c; }", "a ; b ; c" },
	{ "a group's redirection", "{ a; b; } > c; (d) >e", "a ; b ; >c ; d ; >e" },
	{ "substitution", "echo $(a b)", "a|b ; echo|$(a b)" },
	{ "substitution in quotes", "echo \"x$(a \")\")y\"", "a|) ; echo|x$(a \")\")y" },
	{ "nested", "echo $(a $(b))", "b ; a|$(b) ; echo|$(a $(b))" },
	{ "backquotes", "echo `a b` c", "a|b ; echo|$(a b)|c" },
	{ "backquotes in backquotes", "echo `a \\`b\\``", "b ; a|$(b) ; echo|$(a `b`)" },
	{ "parameter", "echo ${a:-$(b c)} ${d}", "b|c ; echo|${a:-$(b c)}|${d}" },
	{ "arithmetic", "echo $((1 > 2)) $((a)|b); ((i > 3)) && c",
		"a ; b<a ; echo|$((1 > 2))|$((a)|b) ; c" },
	{ "here-document", "cat <<E >f\nx > y\nE\nb", "cat>f<<x > y\n ; b" },
	{ "here-document with tabs", "cat <<-E\n\tx\n\tE\nb", "cat<<\tx\n\t ; b" },
	{ "here-document without end", "cat <<E\nx", "cat<<x" },
	{ "two here-documents", "a <<X; b <<'Y'\n1\nX\n2\nY\nc", "a<<1\n ; b<<2\n ; c" },
	{ "a here-document substitutes", "a <<X\n$(b c)\nX\n", "a<<$(b c)\n ; b|c" },
	{ "a quoted one does not", "a <<'X'\n$(b c)\nX\n", "a<<$(b c)\n" },
	{ "here-document in a substitution", "g -m \"$(cat <<'E'\nx > (y\nE\n)\"; b",
		"cat<<x > (y\n ; g|-m|$(cat <<'E'\nx > (y\nE\n) ; b" },
	{ "here-string", "cat <<<word >f", "cat>f<<word" },
	{ "comment", "a # b\nc#d", "a ; c#d" },
	{ "process", "diff <(a) >(b)", "a ; b ; diff|<(a)|>(b)" },
	{ "open quote", "echo 'a", "echo|a" },
	{ "open substitution", "echo $(a", "a ; echo|$(a" },
	{ "if", "if a; then b; elif ! c; then d; else e; fi > f", "a ; b ; c ; d ; e ; >f" },
	{ "loops", "for i in a b; do c $i; done; while d; do e; done",
		"for|i|in|a|b ; c|$i ; d ; e" },
	{ "case", "case $x in a|rm) b;; (c) d;& *) e ;; esac; f", "case|$x ; b ; d ; e ; f" },
	{ "case in a substitution", "echo $(case x in a) b;; esac) c",
		"case|x ; b ; echo|$(case x in a) b;; esac)|c" },
	{ "functions", "f() { a; b; }; function g { c; }; h ( ) (d)", "a ; b ; c ; d" },
	{ "array", "a=(x 'y z'); b", "a=x|a=y z ; b" },
	{ "test", "[[ a =~ ^(at|b) ]] && b", "[[|a|=~|^(at|b)|]] ; b" },
	{ "extended glob", "ls @(a|b).c", "ls|*.c" },
	{ "a group in a pipe", "{ a; b; } | c | (d; e)", "a ; b ; c<ab ; d<c ; e<c" },
	{ "keywords as words", "echo if then fi { done", "echo|if|then|fi|{|done" },
	{ "a quoted keyword is none", "'if' a; b", "if|a ; b" },
	{ "assignments", "A=b C='d e' f", "A=b|C=d e|f" },
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
		for (size_t k = 0; k < c->n_reads; k++) {
			vy_buf_adds(b, "|[");
			vy_buf_addstr(b, c->reads[k]);
		}
		for (size_t k = 0; k < c->n_writes; k++) {
			vy_buf_addc(b, '>');
			vy_buf_addstr(b, c->writes[k]);
		}
		vy_buf_adds(b, c->until > c->from && c->here.n == 0 ? "<" : "");
		for (size_t k = c->from; k < c->until; k++) {
			vy_buf_addstr(b, cmds->v[k].n ? cmds->v[k].words[0] : VY_STR_LIT("?"));
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
