/* rewind_test.c -- going back: what is checked, marks as rows, the way back again as JSON. */
#include "tests/check.h"

#include "server/provider/provider.h"
#include "server/session/rewind.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/model/message.h"
#include "shared/base/ban.h"

static const struct {
	const char *name;
	struct vy_message m;
	const char *at, *agent; /* of the mark; NULL: there is none */
	int64_t chapter;
	bool cannot, is_copy;
	const char *why; /* begins so; NULL: it may be */
} rows[] = {
#define SAID(who)                                                                                  \
	{                                                                                          \
		.revision = 1, .state = VY_MESSAGE_COMPLETED, .author = VY_STR_LIT(who)            \
	}
#define AS(what)                                                                                   \
	{                                                                                          \
		.revision = 1, .state = (what), .author = VY_STR_LIT("person:me")                  \
	}
	{ "one's own", SAID("person:me"), "x", "S", 0, false, false, NULL },
	{ "the first", SAID("person:me"), "", "S", 0, false, false, NULL },
	{ "none", { .revision = 0 }, NULL, NULL, 0, false, false, "params.message: there is no" },
	{ "another's", SAID("person:you"), "x", "S", 0, false, false, "this message is another's" },
	{ "a copy from another's", SAID("person:you"), "x", "S", 0, false, true, NULL },
	{ "an assistant's", { .revision = 1, .role = VY_ROLE_ASSISTANT }, "x", "S", 0, false, false,
		"params.message: expected a person's" },
	{ "one that waits", AS(VY_MESSAGE_PENDING), NULL, NULL, 0, false, false,
		"this message still waits" },
	{ "taken back", AS(VY_MESSAGE_DELETED), "x", "S", 0, false, false,
		"this message is taken back already" },
	{ "the agent never had it", SAID("person:me"), NULL, NULL, 0, false, false,
		"the agent never took" },
	{ "an agent that cannot", SAID("person:me"), "x", "S", 0, true, false, "demo cannot go" },
	{ "behind a summary", SAID("person:me"), "x", "S", -1, false, false,
		"the agent has summarised" },
	{ "behind a summary, to the beginning", SAID("person:me"), "", "S", -1, false, false,
		NULL },
	{ "of an older history", SAID("person:me"), "x", "R", 0, false, false, NULL },
};

static void checks(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct provider_caps caps = { .can_rewind = !rows[i].cannot,
			.can_fork = !rows[i].cannot };
		struct rewind_mark mark = { .as = VY_STR_LIT("u"),
			.at = vy_str_c(rows[i].at),
			.agent = vy_str_c(rows[i].agent),
			.chapter = rows[i].chapter };
		struct rewind_ask ask = { .message = &rows[i].m,
			.mark = rows[i].agent ? &mark : NULL,
			.who = VY_STR_LIT("person:me"),
			.caps = &caps,
			.provider = "demo",
			.is_copy = rows[i].is_copy };
		struct vy_err e = { 0 };
		int rc = rewind_check(&ask, &e);

		check_int(rows[i].name, rc, rows[i].why ? -1 : 0);
		check_true(
			rows[i].name, !rows[i].why || vy_str_starts(vy_str_c(e.text), rows[i].why));
	}
}

static void marks(void **state)
{
	(void)state;
	struct rewind_mark m = { VY_STR_LIT("u"), VY_STR_LIT("S"), VY_STR_LIT("x"), 3 }, back;
	VY_AUTO_JSON *v = rewind_mark_json(&m);
	VY_AUTO_BUF text = VY_BUF_INIT(4096);
	struct vy_arena a;

	vy_arena_init(&a);
	vy_json_dump(v, &text);
	check_true("read", rewind_mark_read(vy_buf_str(&text), &a, &back));
	check_vstr("as", back.as, m.as);
	check_vstr("agent", back.agent, m.agent);
	check_vstr("at", back.at, m.at);
	check_int("chapter", back.chapter, 3);
	check_true("half", !rewind_mark_read(VY_STR_LIT("{\"as\":\"u\"}"), &a, &back));
	check_true("damaged", !rewind_mark_read(VY_STR_LIT("{"), &a, &back));
	vy_arena_fini(&a);
}

static void push(struct rewind *r, int i)
{
	struct rewind_step s = { .to = i, .was_taken = true };
	VY_AUTO_BUF name = VY_BUF_INIT(64);

	vy_buf_addf(&name, "m%d", i);
	s.message = vy_strdup(vy_buf_c(&name));
	s.agent = vy_strdup("S");
	rewind_push(r, &s);
}

static void the_way_back(void **state)
{
	(void)state;
	struct rewind r = { 0 }, copy = { 0 };

	for (int i = 0; i < REWIND_REDO_MAX + 2; i++) {
		push(&r, i);
	}
	check_int("bounded", (long long)r.n, REWIND_REDO_MAX);
	check_str("the oldest went", r.redo[0].message, "m2");
	r.at = vy_strdup("x");
	r.is_due = true;
	r.chapter = 2;
	VY_AUTO_JSON *v = rewind_json(&r);

	rewind_load(&copy, v);
	VY_AUTO_JSON *w = rewind_json(&copy);

	check_true("the same value", vy_json_equal(v, w));
	rewind_taken(&copy);
	check_int("a word ends it", (long long)copy.n, 0);
	check_true("and nothing is due", !copy.is_due && copy.at != NULL);
	rewind_load(&copy, NULL);
	check_true("nothing stored", copy.n == 0 && !copy.at);
	rewind_fini(&r);
	rewind_fini(&copy);
}

CHECK_MAIN(CHECK_TEST(checks), CHECK_TEST(marks), CHECK_TEST(the_way_back))
