/* observe_test.c -- lines on a tape, and what of them leaves: numbered, without secrets, bounded. */
#include "server/hub/observe.h"

#include "server/provider/tidy.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tests/check.h"
#include "tests/server/loop_turn.h"
#include "shared/base/ban.h"

#define KEY "ghp_plantedTOKEN0123456789abcdef"

static struct {
	struct vy_loop *loop;
	struct observe *o;
	struct vy_clock clock;
	int64_t now;
} t;

static int64_t clock_now(void *ctx)
{
	(void)ctx;
	return t.now;
}

static int setup(void **state)
{
	(void)state;
	t.loop = vy_loop_new();
	t.clock = (struct vy_clock){ clock_now, clock_now, NULL };
	t.now = 1000;
	t.o = observe_new(&(struct observe_conf){
		.loop = t.loop, .clock = &t.clock, .starts = 1, .tidy = tidy_line });
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	observe_free(t.o);
	vy_loop_free(t.loop);
	return 0;
}

static void turn(void)
{
	loop_turn(t.loop);
}

/* ---- the tape ---- */

static struct tape_line line(struct vy_str text)
{
	return (struct tape_line){
		.time = 5, .part = 2, .way = TAPE_OUT, .whole = text.n, .text = text
	};
}

static void in_order(void **state)
{
	struct tape tape;
	struct tape_line got;
	char text[600];
	int64_t first = 0;

	(void)state;
	tape_init(&tape);
	assert_false(tape_read(&tape, 1, &got));
	for (int i = 1; i <= 5000; i++) {
		int n = snprintf(text, sizeof(text), "line %d %*s", i, i % 300, "");
		struct tape_line l = line(vy_str_n(text, (size_t)n));

		tape_write(&tape, &l);
		assert_in_range(tape.bytes, 1, TAPE_MAX);
		assert_true(tape_read(&tape, i, &got));
		check_vstr("the newest", got.text, l.text);
	}
	first = tape_first(&tape);
	assert_in_range(first, 2, 5000);
	for (int64_t i = first; i <= 5000; i++) {
		assert_true(tape_read(&tape, i, &got));
		assert_int_equal(got.n, i);
		snprintf(text, sizeof(text), "line %d ", (int)i);
		assert_memory_equal(got.text.p, text, strlen(text));
		assert_int_equal(got.part, 2);
		assert_int_equal(got.way, TAPE_OUT);
	}
	assert_true(tape_read(&tape, 1, &got)); /* what there is from there on */
	assert_int_equal(got.n, first);
	assert_false(tape_read(&tape, 5001, &got));
	while (tape.bytes) {
		tape_drop_oldest(&tape);
	}
	assert_int_equal(tape_first(&tape), 5001);
	assert_false(tape_read(&tape, 1, &got));
	tape_fini(&tape);
}

static void long_ones(void **state)
{
	struct tape tape;
	struct tape_line got;
	char *text = vy_alloc(VY_MIB);

	(void)state;
	memset(text, 'x', VY_MIB);
	tape_init(&tape);
	for (int i = 1; i < 40; i++) {
		struct tape_line l = line(vy_str_n(text, VY_MIB));

		tape_write(&tape, &l);
		assert_in_range(tape.bytes, 1, TAPE_MAX);
		assert_true(tape_read(&tape, i, &got));
		assert_int_equal(got.text.n, TAPE_LINE_MAX);
		assert_int_equal(got.whole, VY_MIB);
	}
	tape_fini(&tape);
	free(text);
}

/* ---- what leaves ---- */

struct viewer {
	struct observe_sub *sub;
	int readies;
};

static void on_ready(void *ctx)
{
	((struct viewer *)ctx)->readies++;
}

static void look(struct viewer *v, int64_t after, bool is_tidy)
{
	v->readies = 0;
	v->sub = observe_subscribe(t.o, &(struct observe_open){ .session = "s",
						.after = after,
						.is_tidy = is_tidy,
						.ready = on_ready,
						.ctx = v });
}

/* All there is, an item a line. */
static void check_items(const char *name, struct viewer *v, const char *want)
{
	VY_AUTO_BUF got = VY_BUF_INIT(VY_MIB);

	while (observe_next(v->sub, &got)) {
		vy_buf_addc(&got, '\n');
	}
	check_str(name, vy_buf_c(&got), want);
}

#define CUR1 "{\"cur\":1073741825,\"epoch\":\"1.1\",\"time\":1000,"

static void secrets(void **state)
{
	static const struct {
		const char *name, *in, *out; /* nothing of a secret's own may leave */
	} rows[] = {
		{ "none", "{\"type\":\"x\",\"n\":[1,2.5,null]}",
			"{\"type\":\"x\",\"n\":[1,2.5,null]}" },
		{ "a shape", "{\"text\":\"see " KEY " there\"}",
			"{\"text\":\"see [redacted: github token] there\"}" },
		{ "behind an escape", "{\"text\":\"a\\n" KEY "\\nb\"}",
			"{\"text\":\"a\\n[redacted: github token]\\nb\"}" },
		{ "behind an escape that is a letter", "{\"text\":\"a\\u0007" KEY "\"}",
			"{\"text\":\"a\\u0007[redacted: github token]\"}" },
		{ "JSON in a string", "{\"text\":\"{\\\"password\\\": \\\"hunter2!x\\\"}\"}",
			"{\"text\":\"{\\\"password\\\": \\\"[redacted: secret]\\\"}\"}" },
		{ "by its own name", "{\"api_key\":\"abcd1234efgh5678\"}",
			"{\"api_key\":\"[redacted: secret]\"}" },
		{ "a name in a string", "{\"out\":\"A=1\\nDB_PASSWORD=plantedTOKEN-x1\\nB=2\"}",
			"{\"out\":\"A=1\\nDB_PASSWORD=[redacted: secret]\\nB=2\"}" },
		{ "a key's block",
			"{\"out\":\"-----BEGIN PRIVATE KEY-----\\nMIIabc\\n-----END PRIVATE "
			"KEY-----\\nok\"}",
			"{\"out\":\"[redacted: private key]\\nok\"}" },
		{ "in a member's name", "{\"" KEY "\":1}", "{\"[redacted: github token]\":1}" },
		{ "no JSON", "token " KEY, "token [redacted: github token]" },
		{ "broken JSON", "{\"text\":\"" KEY, "{\"text\":\"[redacted: github token]" },
		{ "bad UTF-8", "caf\xE9 " KEY, "caf\xEF\xBF\xBD [redacted: github token]" },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct observe_tap *tap;
		struct viewer v;
		VY_AUTO_BUF got = VY_BUF_INIT(VY_MIB);

		setup(state);
		tap = observe_attach(t.o, "s");
		observe_line(tap, TAPE_IN, vy_str_c(rows[i].in));
		look(&v, 0, false);
		assert_true(observe_next(v.sub, &got));
		VY_AUTO_JSON *item = vy_json_parse(vy_buf_str(&got), NULL);

		check_vstr(rows[i].name, vy_json_str(item, "line"), vy_str_c(rows[i].out));
		observe_unsubscribe(v.sub);
		observe_detach(tap);
		teardown(state);
	}
}

/* A key's block that is printed line by line, seen from any place in it, and when its begin is gone. */
static void a_key_over_lines(void **state)
{
	static const char *const said[] = { "before", "-----BEGIN RSA PRIVATE KEY-----",
		"plantedTOKEN0123", "{\"type\":\"x\"}", "plantedTOKEN4567",
		"-----END RSA PRIVATE KEY-----", "behind" };
	struct observe_tap *tap = observe_attach(t.o, "s");
	struct viewer v;
	VY_AUTO_BUF got = VY_BUF_INIT(VY_MIB);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(said); i++) {
		observe_line(tap, TAPE_IN_ERR, vy_str_c(said[i]));
		observe_line(tap, TAPE_IN, VY_STR_LIT("other words"));
	}
	for (int64_t after = 0; after < 14; after++) {
		vy_buf_clear(&got);
		look(&v, (1 << 30) + after, false);
		while (observe_next(v.sub, &got)) {
		}
		assert_null(strstr(vy_buf_c(&got), "plantedTOKEN"));
		assert_true(after >= 13 || strstr(vy_buf_c(&got), "behind"));
		assert_non_null(strstr(vy_buf_c(&got), "other words"));
		observe_unsubscribe(v.sub);
	}
	observe_line(tap, TAPE_IN_ERR, vy_str_c(said[1]));
	for (int i = 0; i < 20000; i++) {
		observe_line(tap, TAPE_IN_ERR, VY_STR_LIT("plantedTOKEN89abcdef"));
	}
	vy_buf_clear(&got);
	look(&v, 0, false);
	for (int i = 0; i < 100 && observe_next(v.sub, &got); i++) {
	}
	assert_null(strstr(vy_buf_c(&got), "plantedTOKEN"));
	observe_unsubscribe(v.sub);
	observe_detach(tap);
}

static void both_ways(void **state)
{
	struct observe_tap *tap = observe_attach(t.o, "s"), *other = observe_attach(t.o, "other");
	struct viewer v, w;

	(void)state;
	look(&v, 0, false);
	turn();
	assert_int_equal(v.readies, 1);
	check_items("nothing yet", &v, "");
	observe_line(tap, TAPE_OUT, VY_STR_LIT("{\"a\":1}"));
	observe_line(tap, TAPE_IN, VY_STR_LIT("{\"b\":2}"));
	observe_line(tap, TAPE_IN_ERR, VY_STR_LIT("oh"));
	observe_line(other, TAPE_IN, VY_STR_LIT("not of s"));
	assert_int_equal(v.readies, 1); /* never from inside */
	turn();
	assert_int_equal(v.readies, 2);
	check_items("three", &v,
		CUR1 "\"dir\":\"out\",\"line\":\"{\\\"a\\\":1}\"}\n"
		     "{\"cur\":1073741826,\"epoch\":\"1.1\",\"time\":1000,\"dir\":\"in\","
		     "\"line\":\"{\\\"b\\\":2}\"}\n"
		     "{\"cur\":1073741827,\"epoch\":\"1.1\",\"time\":1000,\"dir\":\"in\","
		     "\"stderr\":true,\"line\":\"oh\"}\n");
	/* another attachment: another epoch, the numbers go on; who comes behind one goes on there */
	observe_detach(tap);
	tap = observe_attach(t.o, "s");
	t.now = 2000;
	observe_line(tap, TAPE_IN,
		VY_STR_LIT("{\"type\":\"result\",\"subtype\":\"success\","
			   "\"result\":\"done\\nso\"}"));
	look(&w, (1 << 30) + 3, true);
	check_items("tidy", &w,
		"{\"cur\":1073741828,\"epoch\":\"1.2\",\"time\":2000,\"dir\":\"in\",\"kind\":"
		"\"result/success\",\"summary\":\"done␊so\"}\n");
	assert_int_equal(observe_cursor(w.sub), (1 << 30) + 4);
	observe_unsubscribe(w.sub);
	look(&w, 3, true); /* of an earlier vyred: all there is */
	assert_int_equal(observe_cursor(w.sub), 1 << 30);
	observe_unsubscribe(w.sub);
	look(&w, ((int64_t)1 << 40), true); /* of a later one: what comes from now on */
	check_items("ahead", &w, "");
	observe_unsubscribe(w.sub);
	observe_unsubscribe(v.sub);
	observe_detach(tap);
	observe_detach(other);
	observe_line(NULL, TAPE_IN, VY_STR_LIT("to nobody"));
}

/* Who is behind gets what there still is, and numbers say that lines are missing. */
static void a_slow_reader(void **state)
{
	struct observe_tap *tap = observe_attach(t.o, "s");
	VY_AUTO_BUF got = VY_BUF_INIT(VY_MIB);
	struct viewer v;
	int64_t last = 0, n = 0;

	(void)state;
	look(&v, 0, false);
	for (int i = 0; i < 20000; i++) {
		observe_line(tap, TAPE_IN, VY_STR_LIT("{\"type\":\"a line of some length\"}"));
	}
	while (observe_next(v.sub, &got)) {
		vy_buf_clear(&got);
		assert_true(n == 0 || observe_cursor(v.sub) == last + 1);
		last = observe_cursor(v.sub);
		n++;
	}
	assert_int_equal(last, (1 << 30) + 20000);
	assert_in_range(n, 5000, 19999);
	observe_unsubscribe(v.sub);
	observe_detach(tap);
}

/* Many sessions: those that were written to longest ago go, the one that speaks stays. */
static void all_together(void **state)
{
	char name[32], *text = vy_alloc(16 * VY_KIB);
	VY_AUTO_BUF got = VY_BUF_INIT(VY_MIB);
	struct viewer v;

	(void)state;
	memset(text, 'y', 16 * VY_KIB);
	for (int i = 0; i < 100; i++) {
		struct observe_tap *tap;

		snprintf(name, sizeof(name), i == 99 ? "s" : "s%d", i);
		tap = observe_attach(t.o, name);
		for (int k = 0; k < 40; k++) {
			observe_line(tap, TAPE_IN, vy_str_n(text, 16 * VY_KIB - 100));
		}
		observe_detach(tap);
	}
	look(&v, 0, false);
	assert_true(observe_next(v.sub, &got));
	observe_forget(t.o, "s"); /* it is deleted while somebody looks */
	vy_buf_clear(&got);
	assert_false(observe_next(v.sub, &got));
	observe_unsubscribe(v.sub);
	observe_forget(t.o, "s0");
	observe_forget(NULL, "s");
	free(text);
}

/* ---- tidy ---- */

static void tidied(void **state)
{
	static const struct {
		const char *line, *kind, *summary;
	} rows[] = {
		{ "{'type':'system','subtype':'init','model':'m-1'}", "system/init", "m-1" },
		{ "{'type':'stream_event','event':{'type':'content_block_delta','delta':{'text':'"
		  "Hi'}}}",
			"stream_event/content_block_delta", "Hi" },
		{ "{'type':'stream_event','event':{'type':'content_block_start','content_block':{"
		  "'type':'tool_use','name':'Bash'}}}",
			"stream_event/content_block_start", "Bash" },
		{ "{'type':'assistant','message':{'content':[{'type':'text','text':'Hello'}]}}",
			"assistant", "Hello" },
		{ "{'type':'user','message':{'content':[{'type':'tool_result','content':[{'type':"
		  "'text','text':'out'}]}]}}",
			"user", "out" },
		{ "{'type':'user','message':{'content':'do it'}}", "user", "do it" },
		{ "{'type':'control_request','request':{'subtype':'can_use_tool','tool_name':'Bash'"
		  "}}",
			"control_request/can_use_tool", "Bash" },
		{ "{'jsonrpc':'2.0','method':'session/update','params':{'update':{'sessionUpdate':"
		  "'agent_message_chunk','content':{'text':'word'}}}}",
			"session/update/agent_message_chunk", "word" },
		{ "{'x':1}", "json", "" },
		{ "[1]", "text", "[1]" },
		{ "plain words", "text", "plain words" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF kind = VY_BUF_INIT(1024), summary = VY_BUF_INIT(1024);
		char *json = vy_strdup(rows[i].line);

		for (char *p = json; *p; p++) {
			*p = *p == '\'' ? '"' : *p;
		}
		VY_AUTO_JSON *v = vy_json_parse(vy_str_c(json), NULL);

		tidy_line(v, vy_str_c(json), &kind, &summary);
		check_str(rows[i].line, vy_buf_c(&kind), rows[i].kind);
		check_str(rows[i].line, vy_buf_c(&summary), rows[i].summary);
		free(json);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order),
		cmocka_unit_test(long_ones),
		cmocka_unit_test(secrets),
		cmocka_unit_test_setup_teardown(a_key_over_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(both_ways, setup, teardown),
		cmocka_unit_test_setup_teardown(a_slow_reader, setup, teardown),
		cmocka_unit_test_setup_teardown(all_together, setup, teardown),
		cmocka_unit_test(tidied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
