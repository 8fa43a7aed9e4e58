/* rpc_test.c -- what a request means: who may, what is wrong with it, done once, answered once.
 *
 * Sessions on a store in memory (stand.h), a caller who is what the test says. Every result is
 * compared with the schema that methods.def promises. */
#include "server/rpc/rpc.h"

#include <stdlib.h>

#include "server/auth/ticket.h"
#include "server/hub/hub.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/model/fold.h"
#include "shared/rpc/method.h"
#include "shared/rpc/msg.h"
#include "tests/server/session/stand.h"
#include "tests/check.h"

#define M1 "00000000-0000-4000-8000-000000000001"
#define M2 "00000000-0000-4000-8000-000000000002"

static struct {
	struct rpc *rpc;
	struct hub *hub;
	struct ticket_table *tickets;
	struct vy_methods *methods;
	struct vy_buf body; /* of the last reply */
	int status, replies;
	bool may_start, is_away, is_durable;
	struct caller now; /* how place_again sees the caller */
	bool is_placed_otherwise;
} t;

static char id[VY_UUID_LEN + 1];

/* ---- callers ---- */

static struct caller person(const char *name)
{
	struct caller c = { .kind = CALLER_PERSON, .device = "local" };

	snprintf(c.person, sizeof(c.person), "%s", name);
	return c;
}

static struct caller agent_of(const char *session)
{
	struct caller c = { .kind = CALLER_AGENT, .person = "ana", .device = "local" };

	snprintf(c.session, sizeof(c.session), "%s", session);
	return c;
}

static const struct caller unknown = { .kind = CALLER_UNKNOWN };

/* ---- the house ---- */

static const struct provider_conf the_provider = { .name = "test", .kind = "test" };

static const struct provider_conf *provider(void *ctx, size_t i)
{
	(void)ctx;
	return i == 0 ? &the_provider : NULL;
}

static bool agents_may_start(void *ctx)
{
	(void)ctx;
	return t.may_start;
}

static bool is_durable(void *ctx)
{
	(void)ctx;
	return t.is_durable;
}

static bool place_again(void *ctx, uint64_t request, struct caller *out)
{
	(void)ctx;
	(void)request;
	*out = t.now;
	return !t.is_away;
}

static void reply(void *ctx, uint64_t request, int status, struct vy_str body)
{
	(void)ctx;
	assert_int_equal(request, 7);
	t.status = status;
	t.replies++;
	vy_buf_clear(&t.body);
	vy_buf_addstr(&t.body, body);
}

static int setup(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	vy_buf_init(&t.body, 80 << 20);
	stand_open();
	t.hub = hub_new(stand.log, stand.loop);
	t.tickets = ticket_table_new(&stand.clock);
	t.methods = vy_methods_new();
	t.rpc = rpc_new(&(struct rpc_conf){ .log = stand.log,
		.hub = t.hub,
		.table = stand.table,
		.tickets = t.tickets,
		.clock = &stand.clock,
		.version = "1",
		.provider = provider,
		.path = "/usr/bin",
		.agents_may_start = agents_may_start,
		.is_durable = is_durable,
		.place_again = place_again,
		.reply = reply });
	snprintf(id, sizeof(id), "%s", session_id(stand_session()));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	log_settle(stand.log);
	rpc_free(t.rpc);
	hub_free(t.hub);
	ticket_table_free(t.tickets);
	vy_methods_free(t.methods);
	stand_close();
	vy_buf_fini(&t.body);
	return 0;
}

/* ---- asking ---- */

static void send_body(const struct caller *who, const char *body, const char *key)
{
	int before = t.replies;

	if (!t.is_placed_otherwise) {
		t.now = *who;
	}
	rpc_request(t.rpc, 7, who, vy_str_c(body), vy_str_c(key));
	assert_int_equal(t.replies, before); /* nothing is answered before its commit */
	stand_turn();
	assert_int_equal(t.replies, before + 1);
}

/* The parsed answer; owned. "%s" in params is the session's id. */
static struct vy_json *ask(
	const struct caller *who, const char *method, const char *params, const char *key)
{
	VY_AUTO_BUF body = VY_BUF_INIT(32 << 20), filled = VY_BUF_INIT(32 << 20);
	const char *at = strstr(params, "%s");
	struct vy_err e = { 0 };

	if (at) {
		vy_buf_addf(&filled, "%.*s%s%s", (int)(at - params), params, id, at + 2);
	} else {
		vy_buf_adds(&filled, params);
	}
	vy_buf_addf(&body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method,
		vy_buf_c(&filled));
	send_body(who, vy_buf_c(&body), key);
	struct vy_json *v = vy_json_parse(vy_buf_str(&t.body), &e);

	if (!v) {
		fail_msg("%s: %s", method, e.text);
	}
	const struct vy_method *m = vy_methods_find(t.methods, vy_str_c(method));

	if (m && vy_json_get(v, "result")) {
		VY_AUTO_JSON *result = vy_json_copy(vy_json_get(v, "result"));

		if (m->writes) {
			vy_json_del(result, "replayed"); /* of any that writes: wire 2 */
		}
		if (vy_schema_check_whole(m->result, result, method, &e) != 0) {
			fail_msg("%s", e.text);
		}
	}
	return v;
}

static const char *kind_of(const struct vy_json *answer)
{
	struct vy_json *kind = vy_json_path(answer, "error.data.kind");

	return kind ? vy_json_strval(kind).p : "";
}

static void check_kind(const char *name, const struct caller *who, const char *method,
	const char *params, const char *kind)
{
	VY_AUTO_JSON *v = ask(who, method, params, NULL);

	check_str(name, kind_of(v), kind);
}

/* The result; a failure fails the test. */
static struct vy_json *get(const struct caller *who, const char *method, const char *params)
{
	VY_AUTO_JSON *v = ask(who, method, params, NULL);

	if (!vy_json_get(v, "result")) {
		fail_msg("%s: %s", method, vy_buf_c(&t.body));
	}
	return vy_json_ref(vy_json_get(v, "result"));
}

static void send_first(void)
{
	struct caller ana = person("ana");

	vy_json_free(ask(&ana, "threads.send", "{\"session\":\"%s\",\"text\":\"hi\"}", M1));
	stand_ready();
	fake_hold_line(fake_hold_newest(), "taken " M1);
	stand_turn();
}

/* ---- who may ---- */

static void who_may_what(void **state)
{
	struct caller ana = person("ana"), bob = person("bob"), own = agent_of(id);
	struct caller other = agent_of("00000000-0000-4000-8000-00000000000f"), confined = own;
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
		{ "an unknown caller does not see it", &unknown, "threads.get",
			"{\"session\":\"%s\"}", "not_found" },
		{ "nor write", &unknown, "threads.send", "{\"session\":\"%s\",\"text\":\"x\"}",
			"person_only" },
		{ "nor learn what is wrong with a write", &unknown, "threads.send", "{}",
			"person_only" },
		{ "nor list", &unknown, "threads.list", "{}", "person_only" },
		{ "nor open a stream", &unknown, "stream.open", "{\"session\":\"%s\"}",
			"person_only" },
		{ "but ask who we are", &unknown, "server.info", "{}", "" },
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
		check_kind(rows[i].name, rows[i].who, rows[i].method, rows[i].params, rows[i].kind);
	}
}

static void an_agent_that_may_start_may_not_choose_everything(void **state)
{
	struct caller own = agent_of(id);

	(void)state;
	t.may_start = true;
	check_kind("mode", &own, "threads.start",
		"{\"provider\":\"test\",\"cwd\":\"/\",\"mode\":\"acceptEdits\"}", "person_only");
	check_kind("system", &own, "threads.start",
		"{\"provider\":\"test\",\"cwd\":\"/\",\"system\":\"x\"}", "person_only");
	VY_AUTO_JSON *r = get(&own, "threads.start", "{\"provider\":\"test\",\"cwd\":\"/\"}");

	check_str("purpose", vy_json_cstr(r, "purpose"), "agent");
	snprintf(id, sizeof(id), "%s", vy_json_cstr(r, "session"));
	check_kind("it acts on what it started", &own, "threads.stop", "{\"session\":\"%s\"}", "");
}

static void lists_hold_what_one_may_read(void **state)
{
	struct caller ana = person("ana"), bob = person("bob");
	VY_AUTO_JSON *mine = get(&ana, "threads.list", "{}");
	VY_AUTO_JSON *his = get(&bob, "threads.list", "{}");

	(void)state;
	assert_int_equal(vy_json_len(vy_json_get(mine, "threads")), 1);
	assert_int_equal(vy_json_len(vy_json_get(his, "threads")), 0);
	assert_null(vy_json_path(mine, "threads.own"));
	send_first();
	fake_hold_line(fake_hold_newest(), "ask r1");
	stand_turn();
	VY_AUTO_JSON *my_asks = get(&ana, "threads.asks", "{}");
	VY_AUTO_JSON *his_asks = get(&bob, "threads.asks", "{}");
	VY_AUTO_JSON *info = get(&unknown, "server.info", "{}");

	assert_int_equal(vy_json_len(vy_json_get(my_asks, "asks")), 1);
	assert_int_equal(vy_json_len(vy_json_get(his_asks, "asks")), 0);
	assert_int_equal(vy_json_int(info, "sessions", -1), 0);
}

static void who_has_gone_is_no_person(void **state)
{
	struct caller ana = person("ana");

	(void)state;
	t.is_away = true;
	check_kind("gone", &ana, "threads.mode", "{\"session\":\"%s\",\"mode\":\"plan\"}",
		"person_only");
	t.is_away = false;
	t.is_placed_otherwise = true;
	t.now = agent_of(id);
	check_kind("an agent by now", &ana, "threads.mode",
		"{\"session\":\"%s\",\"mode\":\"plan\"}", "person_only");
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
	struct caller ana = person("ana");

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_JSON *v = ask(&ana, rows[i].method, rows[i].params, NULL);

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
	struct caller ana = person("ana");

	(void)state;
	check_kind("a session where none belongs", &ana, "threads.list",
		"{\"session\":\"00000000-0000-4000-8000-00000000000e\"}", "");
	check_kind("a new one", &ana, "threads.start",
		"{\"provider\":\"test\",\"cwd\":\"/\",\"session\":\"x\",\"ask\":\"y\"}", "");
}

static void what_is_no_json_is_400(void **state)
{
	struct caller ana = person("ana");

	(void)state;
	send_body(&ana, "{", NULL);
	assert_int_equal(t.status, 400);
	send_body(&ana, "[]", NULL);
	assert_int_equal(t.status, 200);
}

/* ---- batches ---- */

static void each_call_of_a_batch_is_judged_by_itself(void **state)
{
	struct caller ana = person("ana");

	(void)state;
	send_body(&ana,
		"[{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"server.info\"},"
		"{\"jsonrpc\":\"2.0\",\"method\":\"server.info\"},7,"
		"{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"no.such\"}]",
		NULL);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&t.body), NULL);

	assert_int_equal(vy_json_len(v), 3);
	check_str("first", vy_json_cstr(vy_json_at(v, 0), "id"), "a");
	assert_non_null(vy_json_get(vy_json_at(v, 0), "result"));
	assert_int_equal(vy_json_type(vy_json_get(vy_json_at(v, 1), "id")), VY_JSON_NULL);
	check_str("last", kind_of(vy_json_at(v, 2)), "unsupported");
}

static void notifications_are_done_and_not_answered(void **state)
{
	struct caller ana = person("ana");
	VY_AUTO_BUF body = VY_BUF_INIT(4096);

	(void)state;
	vy_buf_addf(&body,
		"[{\"jsonrpc\":\"2.0\",\"method\":\"threads.rename\",\"params\":{\"session\":\"%"
		"s\","
		"\"title\":\"new\"}}]",
		id);
	send_body(&ana, vy_buf_c(&body), NULL);
	assert_int_equal(t.status, 200);
	assert_int_equal(t.body.len, 0);
	VY_AUTO_JSON *r = get(&ana, "threads.get", "{\"session\":\"%s\"}");

	check_str("title", vy_json_cstr(r, "title"), "new");
}

/* ---- once ---- */

#define SEND "{\"session\":\"%s\",\"text\":\"hi\"}"

static void a_key_is_done_once(void **state)
{
	struct caller ana = person("ana"), bob = ana;
	VY_AUTO_JSON *first = ask(&ana, "threads.send", SEND, M1);
	VY_AUTO_JSON *again = ask(&ana, "threads.send", SEND, M1);
	VY_AUTO_JSON *other = ask(&ana, "threads.send", "{\"session\":\"%s\",\"text\":\"ho\"}", M1);
	char *frames = stand_frames(id);

	(void)state;
	assert_false(vy_json_bool(vy_json_get(first, "result"), "replayed", false));
	assert_true(vy_json_bool(vy_json_get(again, "result"), "replayed", false));
	check_str("state", vy_json_cstr(vy_json_get(again, "result"), "state"), "sent");
	check_str("another input", kind_of(other), "conflict");
	assert_null(strstr(strstr(frames, "user-message") + 1, "user-message"));
	free(frames);
	snprintf(bob.device, sizeof(bob.device), "phone");
	VY_AUTO_JSON *his =
		ask(&bob, "threads.rename", "{\"session\":\"%s\",\"title\":\"a\"}", "k");
	VY_AUTO_JSON *hers =
		ask(&ana, "threads.rename", "{\"session\":\"%s\",\"title\":\"b\"}", "k");

	check_str("one device's", kind_of(his), "");
	check_str("another's", kind_of(hers), "");
}

/* Not committed yet, and found all the same. */
static void a_key_twice_in_one_loop_turn(void **state)
{
	struct caller ana = person("ana");
	VY_AUTO_BUF body = VY_BUF_INIT(4096);
	VY_AUTO_BUF one = VY_BUF_INIT(4096);

	(void)state;
	vy_buf_addf(&one,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"threads.send\",\"params\":{"
		"\"session\":\"%s\",\"text\":\"hi\",\"_key\":\"" M1 "\"}}",
		id);
	vy_buf_addf(&body, "[%s,%s]", vy_buf_c(&one), vy_buf_c(&one));
	send_body(&ana, vy_buf_c(&body), NULL);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&t.body), NULL);

	assert_false(vy_json_bool(vy_json_path(vy_json_at(v, 0), "result"), "replayed", false));
	assert_true(vy_json_bool(vy_json_path(vy_json_at(v, 1), "result"), "replayed", false));
}

static void a_refused_call_keeps_no_key(void **state)
{
	struct caller ana = person("ana");
	VY_AUTO_JSON *bad = ask(&ana, "threads.send", "{\"session\":\"%s\",\"text\":\"\"}", M1);
	VY_AUTO_JSON *good = ask(&ana, "threads.send", SEND, M1);

	(void)state;
	check_str("refused", kind_of(bad), "bad_input");
	check_str("then done", kind_of(good), "");
}

static void what_cannot_be_stored_is_not_claimed(void **state)
{
	struct caller ana = person("ana");

	(void)state;
	store_mem_fail(stand.store, 1, 1, VY_CORRUPT);
	VY_AUTO_JSON *v = ask(&ana, "threads.send", SEND, M1);

	assert_int_equal(t.status, 503);
	assert_non_null(vy_json_get(v, "error"));
}

static void an_answer_waits_for_the_disk_when_it_shall(void **state)
{
	struct caller ana = person("ana");

	(void)state;
	t.is_durable = true;
	VY_AUTO_JSON *v = ask(&ana, "threads.send", SEND, M1);

	check_str("done", kind_of(v), "");
}

static void an_answer_that_is_too_large_is_an_error(void **state)
{
	struct caller ana = person("ana");
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX + 1);
	struct session_say w = { .author = VY_STR_LIT("person:ana"), .when = AGENT_QUEUE };
	struct vy_err e = { 0 };

	(void)state;
	send_first();
	vy_buf_reserve(&text, VY_SEND_TEXT_MAX);
	memset(text.data, 1, VY_SEND_TEXT_MAX); /* six bytes each as JSON */
	w.text = vy_str_n(text.data, VY_SEND_TEXT_MAX);
	for (int i = 0; i < 3; i++) {
		VY_AUTO_JSON *out = session_say(stand_find(id), &w, &e);

		assert_non_null(out);
	}
	check_kind("too large", &ana, "threads.queue", "{\"session\":\"%s\"}", "limit");
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
	struct caller ana = person("ana");

	(void)state;
	send_first();
	fake_hold_line(fake_hold_newest(), "tasks b1");
	fake_hold_line(fake_hold_newest(), "ask r1");
	stand_turn();
	for (size_t i = 0; i < VY_COUNT(calls); i++) {
		bool is_send = strcmp(calls[i][0], "threads.send") == 0;
		VY_AUTO_JSON *v = ask(&ana, calls[i][0], calls[i][1], is_send ? M2 : NULL);

		check_str(calls[i][0], kind_of(v), "");
	}
}

static void the_first_answer_stands_with_its_name(void **state)
{
	struct caller ana = person("ana"), phone = ana;
	VY_AUTO_BUF params = VY_BUF_INIT(4096);

	(void)state;
	send_first();
	fake_hold_line(fake_hold_newest(), "ask r1");
	stand_turn();
	VY_AUTO_JSON *asks = get(&ana, "threads.asks", "{}");
	const char *a = vy_json_cstr(vy_json_at(vy_json_get(asks, "asks"), 0), "ask");

	vy_buf_addf(&params, "{\"ask\":\"%s\",\"decision\":\"yes\"}", a);
	VY_AUTO_JSON *one = get(&ana, "threads.answer", vy_buf_c(&params));

	vy_buf_clear(&params);
	vy_buf_addf(&params, "{\"ask\":\"%s\",\"decision\":\"deny\"}", a);
	VY_AUTO_JSON *two = get(&phone, "threads.answer", vy_buf_c(&params));

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
	VY_AUTO_JSON *late = get(&phone, "threads.answer", vy_buf_c(&params));

	assert_true(vy_json_bool(late, "already", false));
	check_str("late", vy_json_cstr(late, "decision"), "yes");
	check_str("late, by", vy_json_cstr(late, "by"), "person:ana");
	check_kind("of nobody", &ana, "threads.answer",
		"{\"ask\":\"nosuchask123\",\"decision\":\"yes\"}", "not_found");
}

/* ---- the snapshot ---- */

static bool fold_one(void *ctx, struct frame_ref *ref)
{
	struct vy_arena a;
	struct vy_frame f;

	vy_arena_init(&a);
	assert_int_equal(vy_frame_decode(frame_ref_str(ref), &a, &f, NULL), 0);
	vy_fold_apply(ctx, &f, NULL);
	vy_arena_fini(&a);
	return true;
}

static void a_snapshot_is_the_log_folded(void **state)
{
	VY_AUTO_BUF out = VY_BUF_INIT(1 << 20);
	struct caller ana = person("ana"), bob = person("bob");
	struct vy_fold *held = vy_fold_new(), *given = vy_fold_new();
	struct rpc_snapshot_ask ask_all = { .session = id };
	struct vy_err e = { 0 };

	(void)state;
	send_first();
	fake_hold_line(fake_hold_newest(), "text hello there");
	stand_turn();
	assert_int_equal(rpc_snapshot(t.rpc, &bob, &ask_all, &out, &e), -1);
	assert_int_equal(e.code, VY_NOT_FOUND);
	assert_int_equal(rpc_snapshot(t.rpc, &ana, &ask_all, &out, &e), 0);
	VY_AUTO_JSON *snapshot = vy_json_parse(vy_buf_str(&out), &e);

	assert_int_equal(vy_fold_load(given, snapshot, &e), 0);
	assert_int_equal(log_read(stand.log, id, 0, fold_one, held, &e), 0);
	assert_int_equal(vy_fold_len(given), vy_fold_len(held));
	assert_int_equal(vy_json_int(snapshot, "cur", 0), log_head(stand.log, id));
	check_str("epoch", vy_json_cstr(snapshot, "epoch"), log_epoch(stand.log));
	check_str("record", vy_json_cstr(vy_json_get(snapshot, "record"), "session"), id);
	assert_null(vy_json_path(snapshot, "record.own"));
	vy_fold_free(held);
	vy_fold_free(given);
}

/* ---- drafts, files, settings ---- */

#define PNG "iVBORw0KGgoAAAANSUhEUg=="

static void bad_files_and_images_are_refused(void **state)
{
	static const struct {
		const char *name, *method, *params, *kind;
	} rows[] = {
		{ "another user's file", "files.read", "{\"session\":\"%s\",\"path\":\"../x\"}",
			"denied" },
		{ "a folder", "files.read", "{\"session\":\"%s\",\"path\":\".\"}", "bad_input" },
		{ "one that is not there", "files.read",
			"{\"session\":\"%s\",\"path\":\"no-such-file\"}", "not_found" },
		{ "no path", "files.read", "{\"session\":\"%s\",\"path\":\"\"}", "bad_input" },
		{ "no base64", "files.put",
			"{\"session\":\"%s\",\"mime\":\"image/png\",\"b64\":\"%%%\"}",
			"bad_input" },
		{ "nothing", "files.put",
			"{\"session\":\"%s\",\"mime\":\"image/png\",\"b64\":\"\"}", "bad_input" },
		{ "a picture of another kind", "files.put",
			"{\"session\":\"%s\",\"mime\":\"image/jpeg\",\"b64\":\"" PNG "\"}",
			"bad_input" },
		{ "no picture", "files.put",
			"{\"session\":\"%s\",\"mime\":\"text/html\",\"b64\":\"" PNG "\"}",
			"unsupported" },
		{ "a message with one that is not there", "threads.send",
			"{\"session\":\"%s\",\"text\":\"x\",\"images\":[{\"ref\":\"img-0\"}]}",
			"not_found" },
		{ "a task that is not there", "threads.kill_task",
			"{\"session\":\"%s\",\"task\":\"t\"}", "not_found" },
		{ "no words for how to think", "threads.thinking",
			"{\"session\":\"%s\",\"thinking\":\"hard\"}", "bad_input" },
	};
	struct caller ana = person("ana"), own = agent_of(id), bob = person("bob");

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_kind(rows[i].name, &ana, rows[i].method, rows[i].params, rows[i].kind);
	}
	check_kind("an agent", &own, "files.list", "{\"session\":\"%s\"}", "person_only");
	check_kind("an agent's draft", &own, "threads.draft.get", "{\"session\":\"%s\"}",
		"person_only");
	check_kind("its own commands", &own, "threads.commands", "{\"session\":\"%s\"}", "");
	check_kind("its own task", &own, "threads.kill_task", "{\"session\":\"%s\",\"task\":\"t\"}",
		"person_only");
	check_kind("another person", &bob, "files.list", "{\"session\":\"%s\"}", "not_found");
	check_kind("another's draft", &bob, "threads.draft.set",
		"{\"session\":\"%s\",\"draft\":{}}", "not_found");
}

static void an_image_is_named_by_what_it_holds(void **state)
{
	static const char put[] = "{\"session\":\"%s\",\"mime\":\"image/png\",\"b64\":\"" PNG "\"}";
	struct caller ana = person("ana");
	VY_AUTO_JSON *one = get(&ana, "files.put", put), *two = get(&ana, "files.put", put);
	VY_AUTO_BUF text = VY_BUF_INIT(4096);

	(void)state;
	check_str("twice", vy_json_cstr(two, "ref"), vy_json_cstr(one, "ref"));
	assert_int_equal(vy_json_int(one, "bytes", 0), 16);
	vy_buf_addf(&text, "{\"session\":\"%s\",\"text\":\"look\",\"images\":[{\"ref\":\"%s\"}]}",
		id, vy_json_cstr(one, "ref"));
	VY_AUTO_JSON *sent = get(&ana, "threads.send", vy_buf_c(&text));

	check_str("sent", vy_json_cstr(sent, "state"), "sent");
	vy_buf_clear(&text);
	vy_buf_addf(&text, "{\"session\":\"%s\",\"ref\":\"%s\"}", id, vy_json_cstr(one, "ref"));
	VY_AUTO_JSON *back = get(&ana, "threads.output", vy_buf_c(&text));

	check_str("read back", vy_json_cstr(back, "b64"), PNG);
}

static void a_draft_is_a_persons_own_and_not_written_over(void **state)
{
	struct caller ana = person("ana");
	VY_AUTO_JSON *none = get(&ana, "threads.draft.get", "{\"session\":\"%s\"}");

	(void)state;
	assert_int_equal(vy_json_int(none, "rev", -1), 0);
	assert_null(vy_json_get(none, "draft"));
	vy_json_free(get(&ana, "threads.draft.set",
		"{\"session\":\"%s\",\"draft\":{\"at\":3},\"if_rev\":0}"));
	check_kind("another screen", &ana, "threads.draft.set",
		"{\"session\":\"%s\",\"draft\":{\"at\":4},\"if_rev\":0}", "conflict");
	VY_AUTO_JSON *kept = get(&ana, "threads.draft.get", "{\"session\":\"%s\"}");

	assert_int_equal(vy_json_int(vy_json_get(kept, "draft"), "at", 0), 3);
	assert_int_equal(vy_json_int(kept, "rev", 0), 1);
	vy_json_free(get(&ana, "threads.draft.set", "{\"session\":\"%s\"}"));
	VY_AUTO_JSON *gone = get(&ana, "threads.draft.get", "{\"session\":\"%s\"}");

	assert_null(vy_json_get(gone, "draft"));
	assert_int_equal(vy_json_int(gone, "rev", 0), 2);
}

static void an_archived_session_is_out_of_the_list_until_it_is_used(void **state)
{
	struct caller ana = person("ana");

	(void)state;
	send_first();
	check_kind(
		"while a turn runs", &ana, "threads.archive", "{\"session\":\"%s\"}", "conflict");
	fake_hold_line(fake_hold_newest(), "end ok");
	stand_turn();
	vy_json_free(get(&ana, "threads.archive", "{\"session\":\"%s\"}"));
	VY_AUTO_JSON *list = get(&ana, "threads.list", "{}");

	assert_int_equal(vy_json_len(vy_json_get(list, "threads")), 0);
	vy_json_free(get(&ana, "threads.send", "{\"session\":\"%s\",\"text\":\"again\"}"));
	VY_AUTO_JSON *used = get(&ana, "threads.list", "{}");

	assert_int_equal(vy_json_len(vy_json_get(used, "threads")), 1);
}

static void thinking_and_tasks_reach_the_agent_and_the_record(void **state)
{
	struct caller ana = person("ana");

	(void)state;
	vy_json_free(get(&ana, "threads.thinking",
		"{\"session\":\"%s\",\"thinking\":\"on\",\"tokens\":4096}"));
	send_first();
	fake_hold_line(fake_hold_newest(), "ready");
	stand_turn();
	assert_non_null(strstr(vy_buf_c(&fake_hold_said), "thinking"));
	fake_hold_line(fake_hold_newest(), "tasks b7");
	stand_turn();
	vy_json_free(get(&ana, "threads.kill_task", "{\"session\":\"%s\",\"task\":\"b7\"}"));
	assert_non_null(strstr(vy_buf_c(&fake_hold_said), "kill-task b7"));
	VY_AUTO_JSON *r = get(&ana, "threads.get", "{\"session\":\"%s\"}");

	check_str("thinking", vy_json_cstr(r, "thinking"), "4096");
	assert_int_equal(vy_json_len(vy_json_get(r, "tasks")), 1);
	fake_hold_exit(fake_hold_newest(), 1);
	stand_turn();
	VY_AUTO_JSON *after = get(&ana, "threads.tasks", "{\"session\":\"%s\"}");

	assert_int_equal(vy_json_len(vy_json_get(after, "tasks")), 0);
}

/* What it prints is shown, what it was is told with the next message, once. */
static void a_command_is_shown_and_told(void **state)
{
	struct caller ana = person("ana"), own = agent_of(id);

	(void)state;
	check_kind("an agent", &own, "threads.shell", "{\"session\":\"%s\",\"command\":\"ls\"}",
		"person_only");
	check_kind("nothing", &ana, "threads.shell", "{\"session\":\"%s\",\"command\":\"\"}",
		"bad_input");
	vy_json_free(get(
		&ana, "threads.shell", "{\"session\":\"%s\",\"command\":\"ls API_KEY=abcdefg7\"}"));
	struct hold *h = fake_hold_newest();

	fake_hold_hello(h, HOLD_EMPTY, 0);
	fake_hold_started(h);
	fake_hold_line(h, "file.c");
	stand_turn();
	fake_hold_exit(h, 3);
	stand_turn();
	char *frames = stand_frames(id);

	assert_non_null(strstr(frames, "term-command"));
	assert_non_null(strstr(frames, "term-chunk"));
	free(frames);
	send_first();
	const char *said = strstr(vy_buf_c(&fake_hold_said), "say " M1);

	assert_non_null(said);
	assert_non_null(strstr(said, "$ ls API_KEY=[redacted: secret]"));
	assert_non_null(strstr(said, "file.c"));
	fake_hold_line(fake_hold_newest(), "end ok");
	vy_json_free(ask(&ana, "threads.send", "{\"session\":\"%s\",\"text\":\"two\"}", M2));
	stand_turn();
	said = strstr(vy_buf_c(&fake_hold_said), "say " M2);
	assert_non_null(said);
	assert_null(strstr(said, "file.c"));
}

/* Who may go on looking, as of now; and who not, since a session is another's or gone. */
static void who_may_still_look(void **state)
{
	char other[VY_UUID_LEN + 1];
	struct caller ana = person("ana"), bo = person("bo"), own = agent_of(id);
	struct vy_err e = { 0 };

	(void)state;
	snprintf(other, sizeof(other), "%s", session_id(stand_session()));
	struct caller from_other = agent_of(other);
	const struct {
		const char *name;
		const struct caller *who;
		const char *session;
		bool before, after; /* the deletion of `id` */
	} rows[] = {
		{ "its person", &ana, id, true, false },
		{ "its person, another one", &ana, other, true, true },
		{ "its person, none alone", &ana, "", true, true },
		{ "another person", &bo, id, false, false },
		{ "its agent", &own, id, true, false },
		{ "its agent, another one", &own, other, true, false },
		{ "its agent, none alone", &own, "", true, false },
		{ "another agent of that person", &from_other, id, true, false },
		{ "another agent, its own", &from_other, other, true, true },
		{ "nobody", &unknown, other, false, false },
		{ "nobody, none alone", &unknown, "", false, false },
		{ "one that never was", &ana, "6f1ed002-ab55-4595-8cb5-0000000000ff", false,
			false },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (rpc_may(t.rpc, rows[i].who, rows[i].session) != rows[i].before) {
			fail_msg("before: %s", rows[i].name);
		}
	}
	assert_int_equal(
		table_delete(stand.table, table_find(stand.table, vy_str_c(id), &e), &e), 0);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (rpc_may(t.rpc, rows[i].who, rows[i].session) != rows[i].after) {
			fail_msg("after: %s", rows[i].name);
		}
	}
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(who_may_what),
		T(an_agent_that_may_start_may_not_choose_everything),
		T(lists_hold_what_one_may_read),
		T(who_has_gone_is_no_person),
		T(wrong_types_are_named),
		T(unknown_members_are_ignored),
		T(what_is_no_json_is_400),
		T(each_call_of_a_batch_is_judged_by_itself),
		T(notifications_are_done_and_not_answered),
		T(a_key_is_done_once),
		T(a_key_twice_in_one_loop_turn),
		T(a_refused_call_keeps_no_key),
		T(what_cannot_be_stored_is_not_claimed),
		T(an_answer_waits_for_the_disk_when_it_shall),
		T(an_answer_that_is_too_large_is_an_error),
		T(results_are_what_the_table_promises),
		T(the_first_answer_stands_with_its_name),
		T(a_snapshot_is_the_log_folded),
		T(bad_files_and_images_are_refused),
		T(an_image_is_named_by_what_it_holds),
		T(a_draft_is_a_persons_own_and_not_written_over),
		T(an_archived_session_is_out_of_the_list_until_it_is_used),
		T(thinking_and_tasks_reach_the_agent_and_the_record),
		T(who_may_still_look),
		T(a_command_is_shown_and_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
