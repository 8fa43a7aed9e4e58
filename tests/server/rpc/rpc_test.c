/* rpc_test.c -- who may, and what is wrong with a request (house.h). */
#include "tests/server/rpc/house.h"

#include "shared/base/limits.h"
#include "shared/rpc/msg.h"

/* ---- who may ---- */

static void who_may_what(void **state)
{
	struct caller ana = house_person("ana"), bob = house_person("bob"),
		      own = house_agent(house_id);
	struct caller other = house_agent("00000000-0000-4000-8000-00000000000f"), confined = own;
	const struct {
		const char *name;
		const struct caller *who;
		const char *method, *params, *kind;
	} rows[] = {
		{ "a person reads", &ana, "threads.get", "{\"session\":\"%s\"}", "" },
		{ "another person does not see it", &bob, "threads.get", "{\"session\":\"%s\"}",
			"not_found" },
		{ "nor act on it", &bob, "threads.stop", "{\"session\":\"%s\"}", "not_found" },
		{ "one that is not there", &ana, "threads.get",
			"{\"session\":\"00000000-0000-4000-8000-00000000000e\"}", "not_found" },
		{ "one that is no id", &ana, "threads.get", "{\"session\":\"x\"}", "not_found" },
		{ "an unknown caller does not see it", &house_unknown, "threads.get",
			"{\"session\":\"%s\"}", "not_found" },
		{ "nor write", &house_unknown, "threads.send",
			"{\"session\":\"%s\",\"text\":\"x\"}", "person_only" },
		{ "nor learn what is wrong with a write", &house_unknown, "threads.send", "{}",
			"person_only" },
		{ "nor list", &house_unknown, "threads.list", "{}", "person_only" },
		{ "nor open a stream", &house_unknown, "stream.open", "{\"session\":\"%s\"}",
			"person_only" },
		{ "but ask who we are", &house_unknown, "server.info", "{}", "" },
		{ "an agent reads its own", &own, "threads.get", "{\"session\":\"%s\"}", "" },
		{ "an agent reads its person's", &other, "threads.get", "{\"session\":\"%s\"}",
			"" },
		{ "an agent acts on its own", &own, "threads.interrupt", "{\"session\":\"%s\"}",
			"" },
		{ "not on another's", &other, "threads.interrupt", "{\"session\":\"%s\"}",
			"denied" },
		{ "an agent answers nothing", &own, "threads.answer",
			"{\"ask\":\"x\",\"decision\":\"allow\"}", "person_only" },
		{ "an agent sets no mode", &own, "threads.mode",
			"{\"session\":\"%s\",\"mode\":\"plan\"}", "person_only" },
		{ "an agent trusts nothing", &own, "threads.trust", "{\"cwd\":\"/\"}",
			"person_only" },
		{ "an agent sees no others' questions", &own, "threads.asks", "{}", "person_only" },
		{ "its own it sees", &own, "threads.asks", "{\"session\":\"%s\"}", "" },
		{ "an agent starts nothing", &own, "threads.start", "{}", "person_only" },
		{ "on its socket there is no such method", &confined, "threads.mode",
			"{\"session\":\"%s\",\"mode\":\"plan\"}", "unsupported" },
		{ "an ask that is not there", &ana, "threads.answer",
			"{\"ask\":\"x\",\"decision\":\"allow\"}", "not_found" },
	};

	(void)state;
	confined.is_confined = true;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		house_check_kind(
			rows[i].name, rows[i].who, rows[i].method, rows[i].params, rows[i].kind);
	}
}

static void an_agent_that_may_start_may_not_choose_everything(void **state)
{
	struct caller own = house_agent(house_id);

	(void)state;
	house.may_start = true;
	house_check_kind("mode", &own, "threads.start",
		"{\"provider\":\"test\",\"cwd\":\"/\",\"mode\":\"acceptEdits\"}", "person_only");
	house_check_kind("system", &own, "threads.start",
		"{\"provider\":\"test\",\"cwd\":\"/\",\"system\":\"x\"}", "person_only");
	VY_AUTO_JSON *r = house_get(&own, "threads.start", "{\"provider\":\"test\",\"cwd\":\"/\"}");

	check_str("purpose", vy_json_cstr(r, "purpose"), "agent");
	snprintf(house_id, sizeof(house_id), "%s", vy_json_cstr(r, "session"));
	house_check_kind(
		"it acts on what it started", &own, "threads.stop", "{\"session\":\"%s\"}", "");
}

static void lists_hold_what_one_may_read(void **state)
{
	struct caller ana = house_person("ana"), bob = house_person("bob");
	VY_AUTO_JSON *mine = house_get(&ana, "threads.list", "{}");
	VY_AUTO_JSON *his = house_get(&bob, "threads.list", "{}");

	(void)state;
	assert_int_equal(vy_json_len(vy_json_get(mine, "threads")), 1);
	assert_int_equal(vy_json_len(vy_json_get(his, "threads")), 0);
	assert_null(vy_json_path(mine, "threads.own"));
	house_begin();
	fake_hold_line(fake_hold_newest(), "ask r1");
	stand_turn();
	VY_AUTO_JSON *my_asks = house_get(&ana, "threads.asks", "{}");
	VY_AUTO_JSON *his_asks = house_get(&bob, "threads.asks", "{}");
	VY_AUTO_JSON *info = house_get(&house_unknown, "server.info", "{}");

	assert_int_equal(vy_json_len(vy_json_get(my_asks, "asks")), 1);
	assert_int_equal(vy_json_len(vy_json_get(his_asks, "asks")), 0);
	assert_int_equal(vy_json_int(info, "sessions", -1), 0);
}

static void who_has_gone_is_no_person(void **state)
{
	struct caller ana = house_person("ana");

	(void)state;
	house.is_away = true;
	house_check_kind("gone", &ana, "threads.mode", "{\"session\":\"%s\",\"mode\":\"plan\"}",
		"person_only");
	house.is_away = false;
	house.is_placed_otherwise = true;
	house.now = house_agent(house_id);
	house_check_kind("an agent by now", &ana, "threads.mode",
		"{\"session\":\"%s\",\"mode\":\"plan\"}", "person_only");
}

/* Who may go on looking, as of now; and who not, since a session is another's or gone. */
static void who_may_still_look(void **state)
{
	char other[VY_UUID_LEN + 1];
	struct caller ana = house_person("ana"), bo = house_person("bo"),
		      own = house_agent(house_id);
	struct vy_err e = { 0 };

	(void)state;
	snprintf(other, sizeof(other), "%s", session_id(stand_session()));
	struct caller from_other = house_agent(other);
	const struct {
		const char *name;
		const struct caller *who;
		const char *session;
		bool before, after; /* the deletion of `id` */
	} rows[] = {
		{ "its person", &ana, house_id, true, false },
		{ "its person, another one", &ana, other, true, true },
		{ "its person, none alone", &ana, "", true, true },
		{ "another person", &bo, house_id, false, false },
		{ "its agent", &own, house_id, true, false },
		{ "its agent, another one", &own, other, true, false },
		{ "its agent, none alone", &own, "", true, false },
		{ "another agent of that person", &from_other, house_id, true, false },
		{ "another agent, its own", &from_other, other, true, true },
		{ "nobody", &house_unknown, other, false, false },
		{ "nobody, none alone", &house_unknown, "", false, false },
		{ "one that never was", &ana, "6f1ed002-ab55-4595-8cb5-0000000000ff", false,
			false },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (rpc_may(house.rpc, rows[i].who, rows[i].session) != rows[i].before) {
			fail_msg("before: %s", rows[i].name);
		}
	}
	assert_int_equal(
		table_delete(stand.table, table_find(stand.table, vy_str_c(house_id), &e), &e), 0);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (rpc_may(house.rpc, rows[i].who, rows[i].session) != rows[i].after) {
			fail_msg("after: %s", rows[i].name);
		}
	}
}

/* ---- what is wrong with it ---- */

static void wrong_types_are_named(void **state)
{
	static const struct {
		const char *method, *params, *message;
	} rows[] = {
		{ "threads.get", "{}", "params.session is missing" },
		{ "threads.send", "{\"session\":\"%s\",\"text\":7}",
			"params.text: expected a string, got a number" },
		{ "threads.send", "{\"session\":\"%s\",\"text\":\"\"}",
			"params.text: expected some words, got none" },
		{ "threads.start", "{\"provider\":\"nobody\"}",
			"params.provider: there is no provider \"nobody\": this vyred knows test" },
		{ "threads.start", "{\"provider\":\"test\",\"cwd\":\"here\"}",
			"params.cwd: expected an absolute path, got \"here\"" },
		{ "threads.start", "{\"provider\":\"test\",\"tools\":[\"Bash(ls)\"]}",
			"params.tools: expected the names of tools, got \"Bash(ls)\"" },
		{ "threads.nothing", "{}", "there is no method threads.nothing" },
	};
	struct caller ana = house_person("ana");

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_JSON *v = house_ask(&ana, rows[i].method, rows[i].params, NULL);

		check_str(rows[i].method, vy_json_cstr(vy_json_get(v, "error"), "message"),
			rows[i].message);
		VY_AUTO_JSON *msg = vy_json_ref(vy_json_path(v, "error.data.msg"));
		const struct vy_msg *m = vy_msg_find(vy_json_str(msg, "id"));
		VY_AUTO_BUF again = VY_BUF_INIT(4096);

		assert_non_null(m);
		assert_true(vy_msg_print(m->text, vy_json_get(msg, "args"), &again));
		check_str(rows[i].method, vy_buf_c(&again), rows[i].message);
	}
}

static void unknown_members_are_ignored(void **state)
{
	struct caller ana = house_person("ana");

	(void)state;
	house_check_kind("a session where none belongs", &ana, "threads.list",
		"{\"session\":\"00000000-0000-4000-8000-00000000000e\"}", "");
	house_check_kind("a new one", &ana, "threads.start",
		"{\"provider\":\"test\",\"cwd\":\"/\",\"session\":\"x\",\"ask\":\"y\"}", "");
}

static void what_is_no_json_is_400(void **state)
{
	struct caller ana = house_person("ana");

	(void)state;
	house_send(&ana, "{", NULL);
	assert_int_equal(house.status, 400);
	house_send(&ana, "[]", NULL);
	assert_int_equal(house.status, 200);
}

/* ---- batches ---- */

static void each_call_of_a_batch_is_judged_by_itself(void **state)
{
	struct caller ana = house_person("ana");

	(void)state;
	house_send(&ana,
		"[{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"server.info\"},"
		"{\"jsonrpc\":\"2.0\",\"method\":\"server.info\"},7,"
		"{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"no.such\"}]",
		NULL);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&house.body), NULL);

	assert_int_equal(vy_json_len(v), 3);
	check_str("first", vy_json_cstr(vy_json_at(v, 0), "id"), "a");
	assert_non_null(vy_json_get(vy_json_at(v, 0), "result"));
	assert_int_equal(vy_json_type(vy_json_get(vy_json_at(v, 1), "id")), VY_JSON_NULL);
	check_str("last", house_kind(vy_json_at(v, 2)), "unsupported");
}

static void notifications_are_done_and_not_answered(void **state)
{
	struct caller ana = house_person("ana");
	VY_AUTO_BUF body = VY_BUF_INIT(4096);

	(void)state;
	vy_buf_addf(&body,
		"[{\"jsonrpc\":\"2.0\",\"method\":\"threads.rename\",\"params\":{\"session\":\"%"
		"s\","
		"\"title\":\"new\"}}]",
		house_id);
	house_send(&ana, vy_buf_c(&body), NULL);
	assert_int_equal(house.status, 200);
	assert_int_equal(house.body.len, 0);
	VY_AUTO_JSON *r = house_get(&ana, "threads.get", "{\"session\":\"%s\"}");

	check_str("title", vy_json_cstr(r, "title"), "new");
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, house_open, house_close)
	const struct CMUnitTest tests[] = {
		T(who_may_what),
		T(an_agent_that_may_start_may_not_choose_everything),
		T(lists_hold_what_one_may_read),
		T(who_has_gone_is_no_person),
		T(who_may_still_look),
		T(wrong_types_are_named),
		T(unknown_members_are_ignored),
		T(what_is_no_json_is_400),
		T(each_call_of_a_batch_is_judged_by_itself),
		T(notifications_are_done_and_not_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
