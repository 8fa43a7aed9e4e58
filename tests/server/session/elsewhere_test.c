/* elsewhere_test.c -- who counts as having a conversation open, and the ledger of it. */
#include "tests/check.h"

#include "server/session/elsewhere.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define NOW 1000000

static const struct {
	const char *name;
	struct elsewhere_seen seen;
	enum elsewhere_what what;
	int64_t pid, until_ms;
} rows[] = {
	{ "nobody, no file", { .now_ms = NOW }, ELSEWHERE_NOWHERE, 0, 0 },
	{ "bound by its hook", { .now_ms = NOW, .bound = { 7, 1 } }, ELSEWHERE_HELD, 7, 0 },
	{ "named by its arguments", { .now_ms = NOW, .named = { 8, 1 } }, ELSEWHERE_HELD, 8, 0 },
	{ "has the file open", { .now_ms = NOW, .has_file = { 9, 1 } }, ELSEWHERE_HELD, 9, 0 },
	{ "the hook says it best", { .now_ms = NOW, .bound = { 7, 1 }, .named = { 8, 1 } },
		ELSEWHERE_HELD, 7, 0 },
	{ "held, though it has long been quiet",
		{ .now_ms = NOW, .named = { 8, 1 }, .grew_ms = NOW - 600000 }, ELSEWHERE_HELD, 8,
		0 },
	{ "grew just now", { .now_ms = NOW, .grew_ms = NOW }, ELSEWHERE_GROWING, 0, NOW + 30000 },
	{ "grew 29.999 s ago", { .now_ms = NOW, .grew_ms = NOW - 29999 }, ELSEWHERE_GROWING, 0,
		NOW + 1 },
	{ "grew 30 s ago", { .now_ms = NOW, .grew_ms = NOW - 30000 }, ELSEWHERE_NOWHERE, 0, 0 },
	{ "grew, and who wrote has ended",
		{ .now_ms = NOW, .grew_ms = NOW - 5, .explained_ms = NOW - 5 }, ELSEWHERE_NOWHERE,
		0, 0 },
	{ "grew again behind that", { .now_ms = NOW, .grew_ms = NOW - 4, .explained_ms = NOW - 5 },
		ELSEWHERE_GROWING, 0, NOW + 29996 },
	{ "the clock went back a little", { .now_ms = NOW, .grew_ms = NOW + 10000 },
		ELSEWHERE_GROWING, 0, NOW + 40000 },
	{ "a file of tomorrow", { .now_ms = NOW, .grew_ms = NOW + 86400000 }, ELSEWHERE_NOWHERE, 0,
		0 },
};

static void test_judge(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct elsewhere_is is;

		print_message("  %s\n", rows[i].name);
		elsewhere_judge(&rows[i].seen, &is);
		assert_int_equal(is.what, rows[i].what);
		assert_int_equal(is.by.pid, rows[i].pid);
		assert_int_equal(is.until_ms, rows[i].until_ms);
	}
}

static void test_sentence(void **unused)
{
	const struct elsewhere_is held = { ELSEWHERE_HELD, { 4711, 1 }, 0 };
	const struct elsewhere_is grows = { ELSEWHERE_GROWING, { 0, 0 }, 5 };
	VY_AUTO_BUF out = VY_BUF_INIT(VY_KIB);

	(void)unused;
	elsewhere_say(&held, "claude", &out);
	check_str("names it", vy_buf_c(&out),
		"claude (process 4711) has this conversation open. What is said here waits until "
		"that "
		"has ended; a fork goes on at once.");
	vy_buf_clear(&out);
	elsewhere_say(&held, "", &out);
	assert_true(vy_str_starts(vy_buf_str(&out), "Another program (process 4711)"));
	vy_buf_clear(&out);
	elsewhere_say(&grows, "", &out);
	assert_true(vy_str_starts(vy_buf_str(&out), "Another program wrote into this"));
}

/* Everything the ledger says must be the same behind encode and decode. */
static struct elsewhere *again(struct elsewhere *e)
{
	struct elsewhere *next = elsewhere_new();
	VY_AUTO_JSON *v = elsewhere_encode(e);

	assert_true(elsewhere_decode(next, v));
	elsewhere_free(e);
	return next;
}

static const struct elsewhere_proc one = { 10, 100 }, other = { 10, 101 };

static void test_bound(void **unused)
{
	struct elsewhere *e = elsewhere_new();
	uint64_t rev = elsewhere_rev(e);

	(void)unused;
	assert_null(elsewhere_of(e, VY_STR_LIT("c1")));
	assert_true(elsewhere_bind(e, &one, VY_STR_LIT("c1"), VY_STR_LIT("claude")));
	assert_true(elsewhere_rev(e) > rev);
	rev = elsewhere_rev(e);
	assert_false(elsewhere_bind(e, &one, VY_STR_LIT("c1"), VY_STR_LIT("claude")));
	assert_int_equal(elsewhere_rev(e), rev);
	e = again(e);
	assert_string_equal(elsewhere_by(e, &one)->conversation, "c1");
	assert_null(elsewhere_by(e, &other)); /* its number is another's */
	assert_true(elsewhere_bind(e, &one, VY_STR_LIT("c2"), VY_STR_LIT("claude")));
	assert_null(elsewhere_of(e, VY_STR_LIT("c1")));
	assert_string_equal(elsewhere_of(e, VY_STR_LIT("c2"))->program, "claude");
	assert_false(elsewhere_unbind(e, &other));
	assert_true(elsewhere_unbind(e, &one));
	assert_null(elsewhere_at(e, 0));
	elsewhere_free(e);
}

static void over(struct elsewhere *e, const char *call, const char *agent, const char *is)
{
	VY_AUTO_BUF name = VY_BUF_INIT(VY_KIB);
	bool found = elsewhere_call_over(e, &one, vy_str_c(call), vy_str_c(agent), &name);

	assert_int_equal(found, is != NULL);
	assert_string_equal(vy_buf_c(&name), is ? is : "");
}

static void test_calls(void **unused)
{
	struct elsewhere *e = elsewhere_new();
	VY_AUTO_JSON *running = vy_json_new_arr();
	VY_AUTO_BUF name = VY_BUF_INIT(VY_KIB);

	(void)unused;
	elsewhere_bind(e, &one, VY_STR_LIT("c1"), VY_STR_LIT("claude"));
	elsewhere_call(e, &other, VY_STR_LIT("nobody's"));
	elsewhere_call(e, &one, VY_STR_LIT("front"));
	elsewhere_call(e, &one, VY_STR_LIT("back"));
	elsewhere_call(e, &one, VY_STR_LIT("refused"));
	elsewhere_call_is(e, &one, VY_STR_LIT("back"), VY_STR_LIT("a1"));
	elsewhere_call_is(e, &one, VY_STR_LIT("unheard of"), VY_STR_LIT("a2"));
	e = again(e);
	over(e, "", "a2", NULL);
	over(e, "", "", NULL);
	over(e, "front", "", "front");
	over(e, "front", "", NULL);
	vy_json_add_take(running, vy_json_new_str(VY_STR_LIT("a1")));
	assert_true(elsewhere_call_stale(e, &one, running, &name));
	assert_string_equal(vy_buf_c(&name), "refused");
	assert_false(elsewhere_call_stale(e, &one, running, &name));
	over(e, "", "a1", "back");
	elsewhere_free(e);
}

static void test_waits(void **unused)
{
	struct elsewhere *e = elsewhere_new();
	struct elsewhere_is is = { ELSEWHERE_HELD, one, 0 };

	(void)unused;
	elsewhere_wait(e, VY_STR_LIT("s1"), VY_STR_LIT("c1"), &is);
	is = (struct elsewhere_is){ ELSEWHERE_GROWING, { 0, 0 }, 77 };
	elsewhere_wait(e, VY_STR_LIT("s2"), VY_STR_LIT("c2"), &is);
	e = again(e);
	assert_string_equal(elsewhere_wait_for(e, VY_STR_LIT("c1"))->session, "s1");
	assert_int_equal(elsewhere_wait_of(e, VY_STR_LIT("s2"))->until_ms, 77);
	elsewhere_wait(
		e, VY_STR_LIT("s1"), VY_STR_LIT("c1"), &is); /* it has ended; it still grows */
	assert_int_equal(elsewhere_waiting(e, 0)->by.pid, 0);
	assert_true(elsewhere_unwait(e, VY_STR_LIT("s1")));
	assert_false(elsewhere_unwait(e, VY_STR_LIT("s1")));
	assert_string_equal(elsewhere_waiting(e, 0)->session, "s2");
	assert_null(elsewhere_waiting(e, 1));
	elsewhere_free(e);
}

static void test_lent(void **unused)
{
	struct elsewhere *e = elsewhere_new();
	VY_AUTO_JSON *first = vy_json_new_arr(), *second = vy_json_new_arr();
	VY_AUTO_BUF session = VY_BUF_INIT(VY_KIB);

	(void)unused;
	vy_json_add_take(first, vy_json_new_str(VY_STR_LIT("m1")));
	vy_json_add_take(second, vy_json_new_str(VY_STR_LIT("m2")));
	elsewhere_lend(e, VY_STR_LIT("s1"), "t1", first);
	elsewhere_lend(
		e, VY_STR_LIT("s1"), "t2", second); /* nobody said that it had printed the first */
	elsewhere_lend(e, VY_STR_LIT("s2"), "t3", first);
	e = again(e);
	assert_null(elsewhere_lent(e, VY_STR_LIT("t1"), &session));
	VY_AUTO_JSON *is = elsewhere_lent(e, VY_STR_LIT("t2"), &session);

	assert_true(vy_json_equal(is, second));
	assert_string_equal(vy_buf_c(&session), "s1");
	assert_null(elsewhere_lent(e, VY_STR_LIT("t2"), &session));
	elsewhere_free(e);
}

static void test_explained(void **unused)
{
	struct elsewhere *e = elsewhere_new();

	(void)unused;
	elsewhere_explain(e, VY_STR_LIT("c1"), NOW, NOW);
	e = again(e);
	assert_int_equal(elsewhere_explained(e, VY_STR_LIT("c1")), NOW);
	elsewhere_explain(e, VY_STR_LIT("c2"), NOW + 30000, NOW + 30000);
	assert_int_equal(elsewhere_explained(e, VY_STR_LIT("c1")), 0); /* it matters no more */
	assert_int_equal(elsewhere_explained(e, VY_STR_LIT("c2")), NOW + 30000);
	elsewhere_free(e);
}

static void test_damaged(void **unused)
{
	struct elsewhere *e = elsewhere_new();
	VY_AUTO_JSON *v = vy_json_parse(VY_STR_LIT("{\"v\":99}"), NULL);

	(void)unused;
	elsewhere_bind(e, &one, VY_STR_LIT("c1"), VY_STR_LIT("claude"));
	assert_false(elsewhere_decode(e, v));
	assert_null(elsewhere_at(e, 0));
	elsewhere_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_judge),
		cmocka_unit_test(test_sentence),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_lent),
		cmocka_unit_test(test_explained),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
