/* once_test.c -- a call is done once and answered once, as it was promised (house.h). */
#include "tests/server/rpc/house.h"

#include <stdlib.h>

#include "shared/base/limits.h"

/* ---- once ---- */

#define SEND "{\"session\":\"%s\",\"text\":\"hi\"}"

static void a_key_is_done_once(void **state)
{
	struct caller ana = house_person("ana"), bob = ana;
	VY_AUTO_JSON *first = house_ask(&ana, "threads.send", SEND, M1);
	VY_AUTO_JSON *again = house_ask(&ana, "threads.send", SEND, M1);
	VY_AUTO_JSON *other =
		house_ask(&ana, "threads.send", "{\"session\":\"%s\",\"text\":\"ho\"}", M1);
	char *frames = stand_frames(house_id);

	(void)state;
	assert_false(vy_json_bool(vy_json_get(first, "result"), "replayed", false));
	assert_true(vy_json_bool(vy_json_get(again, "result"), "replayed", false));
	check_str("state", vy_json_cstr(vy_json_get(again, "result"), "state"), "sent");
	check_str("another input", house_kind(other), "conflict");
	assert_null(strstr(strstr(frames, "user-message") + 1, "user-message"));
	free(frames);
	snprintf(bob.device, sizeof(bob.device), "phone");
	VY_AUTO_JSON *his =
		house_ask(&bob, "threads.rename", "{\"session\":\"%s\",\"title\":\"a\"}", "k");
	VY_AUTO_JSON *hers =
		house_ask(&ana, "threads.rename", "{\"session\":\"%s\",\"title\":\"b\"}", "k");

	check_str("one device's", house_kind(his), "");
	check_str("another's", house_kind(hers), "");
}

/* Not committed yet, and found all the same. */
static void a_key_twice_in_one_loop_turn(void **state)
{
	struct caller ana = house_person("ana");
	VY_AUTO_BUF body = VY_BUF_INIT(4096);
	VY_AUTO_BUF one = VY_BUF_INIT(4096);

	(void)state;
	vy_buf_addf(&one,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"threads.send\",\"params\":{"
		"\"session\":\"%s\",\"text\":\"hi\",\"_key\":\"" M1 "\"}}",
		house_id);
	vy_buf_addf(&body, "[%s,%s]", vy_buf_c(&one), vy_buf_c(&one));
	house_send(&ana, vy_buf_c(&body), NULL);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&house.body), NULL);

	assert_false(vy_json_bool(vy_json_path(vy_json_at(v, 0), "result"), "replayed", false));
	assert_true(vy_json_bool(vy_json_path(vy_json_at(v, 1), "result"), "replayed", false));
}

static void a_refused_call_keeps_no_key(void **state)
{
	struct caller ana = house_person("ana");
	VY_AUTO_JSON *bad =
		house_ask(&ana, "threads.send", "{\"session\":\"%s\",\"text\":\"\"}", M1);
	VY_AUTO_JSON *good = house_ask(&ana, "threads.send", SEND, M1);

	(void)state;
	check_str("refused", house_kind(bad), "bad_input");
	check_str("then done", house_kind(good), "");
}

static void what_cannot_be_stored_is_not_claimed(void **state)
{
	struct caller ana = house_person("ana");

	(void)state;
	store_mem_fail(stand.store, 1, 1, VY_CORRUPT);
	VY_AUTO_JSON *v = house_ask(&ana, "threads.send", SEND, M1);

	assert_int_equal(house.status, 503);
	assert_non_null(vy_json_get(v, "error"));
}

static void an_answer_waits_for_the_disk_when_it_shall(void **state)
{
	struct caller ana = house_person("ana");

	(void)state;
	house.is_durable = true;
	VY_AUTO_JSON *v = house_ask(&ana, "threads.send", SEND, M1);

	check_str("done", house_kind(v), "");
}

static void an_answer_that_is_too_large_is_an_error(void **state)
{
	struct caller ana = house_person("ana");
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX + 1);
	struct session_say w = { .author = VY_STR_LIT("person:ana"), .when = AGENT_QUEUE };
	struct vy_err e = { 0 };

	(void)state;
	house_begin();
	vy_buf_reserve(&text, VY_SEND_TEXT_MAX);
	memset(text.data, 1, VY_SEND_TEXT_MAX); /* six bytes each as JSON */
	w.text = vy_str_n(text.data, VY_SEND_TEXT_MAX);
	for (int i = 0; i < 3; i++) {
		VY_AUTO_JSON *out = session_say(stand_find(house_id), &w, &e);

		assert_non_null(out);
	}
	house_check_kind("too large", &ana, "threads.queue", "{\"session\":\"%s\"}", "limit");
}

/* ---- what is promised ---- */

/* Every method of the table, called so that it has a result: ask() compares it with its schema. */
static void results_are_what_the_table_promises(void **state)
{
	static const char *const calls[][2] = {
		{ "server.info", "{}" },
		{ "rpc.discover", "{}" },
		{ "providers.list", "{\"env\":{\"PATH\":\"/bin\"}}" },
		{ "stream.open", "{\"session\":\"%s\",\"from\":0}" },
		{ "threads.start", "{\"provider\":\"test\",\"cwd\":\"/\",\"text\":\"go\"}" },
		{ "threads.list", "{\"filter\":{\"provider\":\"test\"}}" },
		{ "threads.get", "{\"session\":\"%s\"}" },
		{ "threads.send", "{\"session\":\"%s\",\"text\":\"x\",\"mode\":\"queue\"}" },
		{ "threads.queue", "{\"session\":\"%s\"}" },
		{ "threads.edit", "{\"session\":\"%s\",\"queued\":\"" M2 "\",\"text\":\"y\"}" },
		{ "threads.move", "{\"session\":\"%s\",\"queued\":\"" M2 "\"}" },
		{ "threads.unqueue", "{\"session\":\"%s\",\"queued\":\"" M2 "\"}" },
		{ "threads.release", "{\"session\":\"%s\"}" },
		{ "threads.asks", "{}" },
		{ "threads.mode", "{\"session\":\"%s\",\"mode\":\"plan\"}" },
		{ "threads.model", "{\"session\":\"%s\",\"model\":\"small\"}" },
		{ "threads.model", "{\"session\":\"%s\"}" },
		{ "threads.thinking", "{\"session\":\"%s\",\"thinking\":\"on\",\"tokens\":2048}" },
		{ "threads.thinking", "{\"session\":\"%s\",\"thinking\":\"off\"}" },
		{ "threads.commands", "{\"session\":\"%s\"}" },
		{ "threads.tasks", "{\"session\":\"%s\"}" },
		{ "threads.kill_task", "{\"session\":\"%s\",\"task\":\"b1\"}" },
		{ "threads.draft.get", "{\"session\":\"%s\"}" },
		{ "threads.draft.set", "{\"session\":\"%s\",\"draft\":{\"parts\":[\"x\"]}}" },
		{ "threads.draft.get", "{\"session\":\"%s\"}" },
		{ "files.list", "{\"session\":\"%s\",\"limit\":3}" },
		{ "files.put", "{\"session\":\"%s\",\"mime\":\"image/gif\",\"b64\":\"R0lGODlh\"}" },
		{ "threads.rename", "{\"session\":\"%s\",\"title\":\"t\"}" },
		{ "threads.trust", "{\"cwd\":\"/\"}" },
		{ "threads.pids", "{}" },
		{ "threads.interrupt", "{\"session\":\"%s\"}" },
		{ "threads.unarchive", "{\"session\":\"%s\"}" },
		{ "threads.stop", "{\"session\":\"%s\"}" },
	};
	struct caller ana = house_person("ana");

	(void)state;
	house_begin();
	fake_hold_line(fake_hold_newest(), "tasks b1");
	fake_hold_line(fake_hold_newest(), "ask r1");
	stand_turn();
	for (size_t i = 0; i < VY_COUNT(calls); i++) {
		bool is_send = strcmp(calls[i][0], "threads.send") == 0;
		VY_AUTO_JSON *v = house_ask(&ana, calls[i][0], calls[i][1], is_send ? M2 : NULL);

		check_str(calls[i][0], house_kind(v), "");
	}
}

static void the_first_answer_stands_with_its_name(void **state)
{
	struct caller ana = house_person("ana"), phone = ana;
	VY_AUTO_BUF params = VY_BUF_INIT(4096);

	(void)state;
	house_begin();
	fake_hold_line(fake_hold_newest(), "ask r1");
	stand_turn();
	VY_AUTO_JSON *asks = house_get(&ana, "threads.asks", "{}");
	const char *a = vy_json_cstr(vy_json_at(vy_json_get(asks, "asks"), 0), "ask");

	vy_buf_addf(&params, "{\"ask\":\"%s\",\"decision\":\"yes\"}", a);
	VY_AUTO_JSON *one = house_get(&ana, "threads.answer", vy_buf_c(&params));

	vy_buf_clear(&params);
	vy_buf_addf(&params, "{\"ask\":\"%s\",\"decision\":\"deny\"}", a);
	VY_AUTO_JSON *two = house_get(&phone, "threads.answer", vy_buf_c(&params));

	assert_false(vy_json_bool(one, "already", false));
	assert_true(vy_json_bool(two, "already", false));
	check_str("decision", vy_json_cstr(two, "decision"), "yes");
	check_str("by", vy_json_cstr(two, "by"), "person:ana");

	/* also behind more than the turn remembers, and of one that was taken back */
	for (int i = 0; i < 70; i++) {
		char line[32];

		snprintf(line, sizeof(line), "ask s%d", i);
		fake_hold_line(fake_hold_newest(), line);
		snprintf(line, sizeof(line), "gone s%d", i);
		fake_hold_line(fake_hold_newest(), line);
	}
	stand_turn();
	VY_AUTO_JSON *late = house_get(&phone, "threads.answer", vy_buf_c(&params));

	assert_true(vy_json_bool(late, "already", false));
	check_str("late", vy_json_cstr(late, "decision"), "yes");
	check_str("late, by", vy_json_cstr(late, "by"), "person:ana");
	house_check_kind("of nobody", &ana, "threads.answer",
		"{\"ask\":\"nosuchask123\",\"decision\":\"yes\"}", "not_found");
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, house_open, house_close)
	const struct CMUnitTest tests[] = {
		T(a_key_is_done_once),
		T(a_key_twice_in_one_loop_turn),
		T(a_refused_call_keeps_no_key),
		T(what_cannot_be_stored_is_not_claimed),
		T(an_answer_waits_for_the_disk_when_it_shall),
		T(an_answer_that_is_too_large_is_an_error),
		T(results_are_what_the_table_promises),
		T(the_first_answer_stands_with_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
