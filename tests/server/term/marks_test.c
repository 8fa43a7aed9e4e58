/* marks_test.c -- what is a command of a person's and what is not, from a shell's bytes and the keys. */
#include "tests/check.h"

#include "server/term/marks.h"
#include "shared/base/ban.h"

#define KEY    "00112233445566778899aabbccddeeff"
#define R(s)   "\033]7337;" KEY ";" s "\a"
#define FORGED "\033]7337;ff112233445566778899aabbccddeeff;"

static void add(void *ctx, const struct marks_event *ev)
{
	struct vy_buf *b = ctx;

	switch (ev->kind) {
	case MARKS_BEGAN: vy_buf_addf(b, "[%.*s %s]", VY_STR_ARG(ev->command), ev->via); break;
	case MARKS_ENDED:
		vy_buf_addf(b, "(%.*s ", VY_STR_ARG(ev->command));
		vy_buf_addf(b, ev->has_exit ? "%d)" : "?)", ev->exit);
		break;
	case MARKS_AT: vy_buf_addf(b, "@%.*s ", VY_STR_ARG(ev->cwd)); break;
	}
}

static const struct {
	const char *name, *in, *out;
} reports[] = {
	{ "a command", R("P;0;/a") "$ ls" R("C;ls") "x" R("P;0;/a"), "@/a [ls shell](ls 0)" },
	{ "its status", R("C;false") R("P;1;/"), "[false shell](false 1)@/ " },
	{ "no status", R("C;x") R("P;;/"), "[x shell](x ?)@/ " },
	{ "a folder", R("P;0;/a") R("P;0;/b\\\\c") R("P;0;/b\\\\c"), "@/a @/b\\c " },
	{ "an empty line", R("P;0;/") R("P;0;/"), "@/ " },
	{ "lines", R("C;for i in a\\ndo echo\\tb\\\\n\\ndone\\n"),
		"[for i in a\ndo echo\tb\\n\ndone shell]" },
	{ "semicolons", R("C;a;b;c"), "[a;b;c shell]" },
	{ "ended by ST", "\033]7337;" KEY ";C;ls\033\\", "[ls shell]" },
	{ "not told: it begins with a blank", R("C;") R("P;0;/"), "@/ " },
	{ "broken UTF-8", R("C;a\xff\xe4"), "[a\uFFFD\uFFFD shell]" },
	{ "another key", FORGED "C;rm -rf /\a" FORGED "P;0;/\a", "" },
	{ "no key", "\033]7337;;C;ls\a\033]7337;C;ls\a", "" },
	{ "a longer key", "\033]7337;" KEY "0;C;ls\a", "" },
	{ "plain marks change nothing",
		R("C;sleep") "\033]133;D;0\a\033]133;A\a\033]133;C\a" R("P;3;/"),
		"[sleep shell](sleep 3)@/ " },
	{ "broken off", "\033]7337;" KEY ";C;l\rs\a" R("C;b"), "[b shell]" },
	{ "broken off by another", "\033]7337;" KEY ";C;ls" R("C;b"), "[b shell]" },
	{ "begun twice", "\033\033]\033]7337" R("C;b"), "[b shell]" },
	{ "an unknown kind", R("Q;b") R("C;b"), "[b shell]" },
	{ "a command behind a lost prompt", R("C;a") R("C;b") R("P;0;/"),
		"[a shell][b shell](b 0)@/ " },
};

static void by_report(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(reports); i++) {
		for (int way = 0; way < 3; way++) { /* at once, by bytes, over restarts */
			VY_AUTO_BUF b = VY_BUF_INIT(4096);
			struct marks *m = marks_new(KEY);
			struct vy_str in = vy_str_c(reports[i].in);

			if (way == 0) {
				marks_hear(m, in, add, &b);
			}
			for (size_t k = 0; way > 0 && k < in.n; k++) {
				marks_hear(m, vy_str_n(in.p + k, 1), add, &b);
				if (way == 2) {
					VY_AUTO_JSON *o = marks_encode(m);

					marks_free(m);
					m = marks_decode(o);
					assert_non_null(m);
				}
			}
			check_str(reports[i].name, vy_buf_c(&b), reports[i].out);
			marks_free(m);
		}
	}
}

/* ">" is what is typed from here on, "<" what is shown. */
static const struct {
	const char *name, *in, *out;
} typed[] = {
	{ "a line", "<$ >ls<ls>\r<\r\n", "[ls typed]" },
	{ "two", "<$ >ls<ls>\r<\r\na\r\n$ >pwd<pwd>\r<\r\n/\r\n$ ", "[ls typed][pwd typed]" },
	{ "the echo comes late", "<$ >ls\r<ls\r\n", "[ls typed]" },
	{ "rubbed out", "<$ >lx\x7f<lx\b \b>s<s>\r<\r\n", "[ls typed]" },
	{ "all rubbed out", "<$ >l\x7f<l\b \b>\r<\r\n", "" },
	{ "nothing typed", "<$ >\r<\r\n", "" },
	{ "no echo", "<$ >secret\r<\r\n", "" },
	{ "stars", "<$ >ab<**>\r<\r\n", "" },
	{ "an answer", "<$ >su<su>\r<\r\nPassword: >hunter2<>\r<\r\n", "[su typed]" },
	{ "an answer that is echoed", "<$ >a<a>\r<\r\nName: >Bob<Bob>\r<\r\n", "[a typed]" },
	{ "a secret at first", "<Password: $ >a<a>\r<\r\n", "" },
	{ "no prompt at first", "<Name: >a<a>\r<\r\n", "" },
	{ "completed", "<$ >l\t<ls>\r<\r\n", "" },
	{ "out of the history", "<$ >\033[A<make>\r<\r\n", "" },
	{ "cursor moved", "<$ >ab\033[D<ab\b>x<xb\b>\r<\r\n", "" },
	{ "a control", "<$ >a\x15<a\b \b>b<b>\r<\r\n", "" },
	{ "expanded on the way", "<$ >!!<!!>\x12\r<make\r\n", "" },
	{ "a paste in brackets", "<$ >\033[200~ls\033[201~<ls>\r<\r\n", "" },
	{ "typed ahead", "<$ >ls\rpwd\r<ls\r\npwd\r\na\r\n$ pwd\r\n/\r\n$ >id<id>\r<\r\n",
		"[id typed]" },
	{ "output comes between", "<$ >ls<l>\r<\r\ns\r\n", "" },
	{ "coloured", "<\033[1m$ \033[m$ >ls<\033[32mls\033[m>\r<\r\n", "" },
	{ "umlauts", "<$ >ä<ä>\r<\r\n", "[ä typed]" },
	{ "an umlaut rubbed out", "<$ >ä\x7f<ä\b \b>b<b>\r<\r\n", "" },
	{ "an own shell came", "<$ " R("P;0;/") ">ls<ls" R("C;ls -l") ">\r<\r\n",
		"@/ [ls -l shell]" },
};

static void by_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(typed); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(4096);
		struct marks *m = marks_new(KEY);
		bool keys = false;

		for (const char *p = typed[i].in; *p; p++) {
			if (*p == '<' || *p == '>') {
				keys = *p == '>';
			} else if (keys) {
				marks_type(m, vy_str_n(p, 1));
			} else {
				marks_hear(m, vy_str_n(p, 1), add, &b);
			}
		}
		check_str(typed[i].name, vy_buf_c(&b), typed[i].out);
		marks_free(m);
	}
}

static void rows_of_another(void **state)
{
	(void)state;
	static const char *const docs[] = { "{}", "[]", "{\"key\":\"x\",\"scan\":0,\"at\":0}",
		"{\"key\":\"\",\"scan\":9,\"at\":0}", "{\"key\":\"\",\"scan\":0,\"at\":99}",
		"{\"key\":\"\",\"scan\":0,\"at\":0,\"command\":\"zz\"}",
		"{\"key\":\"\",\"scan\":0,\"at\":0,\"cwd\":\"ff\"}" };

	for (size_t i = 0; i < VY_COUNT(docs); i++) {
		struct vy_err e = { 0 };
		VY_AUTO_JSON *o = vy_json_parse(vy_str_c(docs[i]), &e);

		check_true(docs[i], marks_decode(o) == NULL);
	}
}

static void too_long(void **state)
{
	(void)state;
	VY_AUTO_BUF b = VY_BUF_INIT(1 << 20);
	struct marks *m = marks_new(KEY);

	marks_hear(m, VY_STR_LIT("\033]7337;" KEY ";C;"), add, &b);
	for (int i = 0; i < 100000; i++) {
		marks_hear(m, VY_STR_LIT("ls"), add, &b);
	}
	marks_hear(m, VY_STR_LIT("\a" R("C;b")), add, &b);
	check_str("dropped whole", vy_buf_c(&b), "[b shell]");
	marks_free(m);
}

CHECK_MAIN(CHECK_TEST(by_report), CHECK_TEST(by_keys), CHECK_TEST(rows_of_another),
	CHECK_TEST(too_long))
