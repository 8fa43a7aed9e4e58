/* script_test.c -- prompts and the scripts in them. A step is printed as word(argument|options). */
#include "tests/check.h"

#include "server/provider/script.h"
#include "shared/base/buf.h"
#include "shared/base/ban.h"

static const struct {
	const char *text, *script; /* "": none */
} rows[] = {
	{ "", "" },
	{ "   \n ", "" },
	{ "hello there", "" },
	{ "say:3", "say(3)" },
	{ "  say:3  ", "say(3)" },
	{ "say", "say()" },
	{ "say:3 words=2 delay=50", "say(3|words=2|delay=50)" },
	{ "say:3 delay=x", "say(3)" },
	{ "err:529*2 retry=0.5", "err(529*2|retry=0.5)" },
	{ "pace:9 rate=500", "pace(9|rate=500)" },
	{ "echo:a delay=5", "echo(a delay=5)" },
	{ "echo:", "echo()" },
	{ "ask", "ask()" },
	{ "ask me later", "" },
	{ "multi2", "multi2()" },
	{ "multi3", "" },
	{ "Say:3", "" },
	{ "note: please", "" },
	{ "please say:3", "say(3)" },
	{ "note: please say:3", "say(3)" },
	{ "say:1 ;; bash:ls -l ;; todo", "say(1) bash(ls -l) todo()" },
	{ "say:1 ;; nonsense", "" },
	{ "say:1;;todo", "say(1;;todo)" },
	{ "bash:echo a ; echo b", "bash(echo a ; echo b)" },
	{ "bash:echo a:b ;; say:1", "bash(echo a:b) say(1)" },
	{ "first line\nsay:2", "say(2)" },
	{ "say:2\nlast line", "say(2\nlast line)" },
	{ "words\nplease echo:x\nmore words", "echo(x)" },
	{ "edit:a|b|c", "edit(a|b|c)" },
	{ "agentfg:bash:date ,, say:5", "agentfg(bash:date ,, say:5)" },
	{ "tool:Bash {\"command\":\"ls\"}", "tool(Bash {\"command\":\"ls\"})" },
	{ ";;", "" },
	{ "say:1 ;; ", "say(1 ;;)" },
};

static void print(const struct script *s, struct vy_buf *b)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct script_step *st = &s->steps[i];

		vy_buf_addf(
			b, "%s%s(%.*s", i ? " " : "", script_word(st->verb), VY_STR_ARG(st->arg));
		if (st->words >= 0) {
			vy_buf_addf(b, "|words=%lld", (long long)st->words);
		}
		if (st->delay_ms >= 0) {
			vy_buf_addf(b, "|delay=%lld", (long long)st->delay_ms);
		}
		if (st->rate >= 0) {
			vy_buf_addf(b, "|rate=%lld", (long long)st->rate);
		}
		if (st->retry_s >= 0) {
			vy_buf_addf(b, "|retry=%g", st->retry_s);
		}
		vy_buf_addc(b, ')');
	}
}

static void test_parse(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(65536);
		struct script s;
		struct vy_arena a;

		vy_arena_init(&a);
		check_int(rows[i].text, script_parse(vy_str_c(rows[i].text), &a, &s),
			*rows[i].script != '\0');
		print(&s, &b);
		check_str(rows[i].text, vy_buf_c(&b), rows[i].script);
		vy_arena_fini(&a);
	}
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		double want;
	} numbers[] = { { "5", 5 }, { "0.25s", 0.25 }, { "12abc", 12 }, { "", -1 }, { "-3", -1 },
		{ "inf", -1 }, { "0x10", 0 }, { "99999999999999", -1 }, { ".", -1 } };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(numbers); i++) {
		double got = script_number(vy_str_c(numbers[i].text), -1);

		check_true(numbers[i].text,
			got > numbers[i].want - 1e-9 && got < numbers[i].want + 1e-9);
	}
}

/* A hostile prompt must not take long: many beginnings, none of them a script. */
static void test_long(void **state)
{
	VY_AUTO_BUF b = VY_BUF_INIT((size_t)16 << 20);
	struct script s;
	struct vy_arena a;

	(void)state;
	for (int i = 0; i < 500000; i++) {
		vy_buf_adds(&b, " say:");
	}
	vy_buf_adds(&b, " ;; x");
	vy_arena_init(&a);
	assert_false(script_parse(vy_buf_str(&b), &a, &s));
	vy_arena_fini(&a);
}

CHECK_MAIN(CHECK_TEST(test_parse), CHECK_TEST(test_numbers), CHECK_TEST(test_long))
