/* demo_test.c -- the demo as a child process, driven by the driver of claude.
 *
 * What goes over the pipes is real; the driver's state is encoded and decoded at every step. Rows of
 * the table are a mode, what is said, how asks are answered, and what must be told, in this order. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/provider/demo.h"
#include "shared/base/hash.h"
#include "tests/server/provider/life.h"
#include "shared/base/ban.h"

static char dir[] = "/tmp/vyre-demo-test-XXXXXX";

static void start(struct life *l, const char *session, const char *mode, bool is_resume)
{
	static const struct provider_conf conf = { .name = "demo", .kind = "demo" };
	const char *program = getenv("VYRE_DEMO");
	struct provider_launch launch = { .conf = &conf,
		.session = vy_str_c(session),
		.is_resume = is_resume,
		.mode = vy_str_c(mode),
		.cwd = vy_str_c(dir),
		.self = "vyred" };

	life_start(l, &demo_ops, &launch, program ? program : "tests/server/provider/agent_demo");
}

static void start_new(struct life *l, const char *mode)
{
	char session[VY_UUID_LEN + 1];

	vy_uuid(session);
	start(l, session, mode, false);
}

/* ---- the table ---- */

static const struct {
	const char *name, *mode, *text, *decision, *answer;
	const char *wants[12];
} rows[] = {
	{ "words are one delta each", "default", "say:3", "allow", NULL,
		{ "READY", "TURN_BEGIN\n", "TAKEN message=\"m1\"", "text=\"alpha \"",
			"text=\"bravo \"", "text=\"charlie \"", "TEXT_DONE", "TURN_END ok" } },
	{ "two words a delta", "default", "say:3 words=2 delay=0", "allow", NULL,
		{ "text=\"alpha bravo \"", "text=\"charlie \"", "TURN_END ok" } },
	{ "exactly this", "default", "echo:grüß Gott 你好", "allow", NULL,
		{ "text=\"grüß Gott 你好\"", "TEXT_DONE", "TURN_END ok" } },
	{ "a script at the end of words", "default", "please say:1", "allow", NULL,
		{ "text=\"alpha \"", "TURN_END ok" } },
	{ "thoughts", "default", "think:2", "allow", NULL,
		{ "text=\"alpha \" reasoning", "TEXT_DONE", "reasoning", "I thought about it",
			"TURN_END ok" } },
	{ "markdown", "default", "markdown", "allow", NULL,
		{ "# A sample", "TEXT_DONE", "TURN_END ok" } },
	{ "a command is asked about, read-only or not", "default", "bash:echo hello", "allow", NULL,
		{ "TOOL_START", "name=\"Bash\" text=\"echo hello\" kind=shell",
			"CHECK request=", "ASK request=", "\"rule\":\"Bash(echo hello)\"",
			"TOOL_DONE", " ok ", "\"exit\":0,\"output\":\"hello\"",
			"done: 1 tool result(s): hello", "TURN_END ok" } },
	{ "a command that fails", "default", "bash:echo no; exit 3", "allow", NULL,
		{ "TOOL_DONE", " failed ", "\"exit\":3,\"output\":\"no\"", "TURN_END ok" } },
	{ "a no reaches the model", "default", "bash:touch never", "deny", NULL,
		{ "TOOL_DONE", " failed ", "does not want this", "TURN_END ok" } },
	{ "a no that stops", "default", "bash:touch never", "deny", "{\"stop\":true}",
		{ "TOOL_DONE", " canceled ", "TURN_END canceled" } },
	{ "an edit shows its diff before and after", "default",
		"write:pond.txt=one\\ntwo\\n ;; edit:pond.txt|two|2", "allow", NULL,
		{ "ASK", "+one\\n+two", "TOOL_DONE", "\"created\":true", "FILE_CHANGED",
			"text=\"create\" +2 -0", "ASK", "-two\\n+2", "TOOL_DONE",
			"\"hunks\":[{\"lines\":[\" one\",\"-two\",\"+2\"],\"new_start\":1",
			"FILE_CHANGED", "text=\"edit\" +1 -1" } },
	{ "accepted edits are not asked about", "acceptEdits",
		"write:free.txt=x ;; bash:cat free.txt", "allow", NULL,
		{ "TOOL_START", "name=\"Write\"", "TOOL_DONE", "\"created\":true", "TOOL_START",
			"ASK request=", "\"output\":\"x\"", "TURN_END ok" } },
	{ "a file is read", "default", "write:r.txt=abc ;; read:r.txt", "allow", NULL,
		{ "kind=read", "TOOL_DONE", "\"detail\":\"1 line\"", "TURN_END ok" } },
	{ "todos", "default", "todo", "allow", NULL,
		{ "TOOL_START", "text=\"3 items\" kind=todo", "TOOL_DONE", "TODO",
			"\"status\":\"running\",\"text\":\"Second step\"", "TURN_END ok" } },
	{ "questions and answers", "default", "ask", "allow",
		"{\"answers\":{\"Which colour should it be?\":\"Blue\",\"Which "
		"parts?\":[\"Door\",\"Roof\"]}}",
		{ "ASK", "\"kind\":\"question\"", "\"multi\":true", "TOOL_DONE",
			"\"value\":\"Blue\"", "\"value\":\"Door, Roof\"", "TURN_END ok" } },
	{ "a skipped question", "default", "ask", "skip", NULL,
		{ "ASK", "TOOL_DONE", " failed ", "skipped", "TURN_END ok" } },
	{ "a plan, and edits with it", "plan", "planfile:# Do it ;; plan:# Do it", "accept-edits",
		NULL,
		{ "name=\"Write\"", "TOOL_DONE", "ASK", "\"kind\":\"plan\"",
			"\"summary\":\"Do it\"", "MODE text=\"acceptEdits\"", "TOOL_DONE",
			"TURN_END ok" } },
	{ "keep planning", "plan", "plan", "deny", NULL,
		{ "ASK", "TOOL_DONE", " failed ", "Keep planning", "TURN_END ok" } },
	{ "an agent inside", "default", "agentfg:bash:echo in ,, say:2", "allow", NULL,
		{ "kind=agent", "TOOL_START", "name=\"Bash\" parent=\"call-", "ASK",
			"parent=\"call-", "TOOL_DONE", "TEXT message=", "parent=\"call-",
			"TEXT_DONE", "1 tool call", "TURN_END ok" } },
	{ "an agent in the background", "default", "agentbg:say:2", "allow", NULL,
		{ "TASKS [{\"kind\":\"agent\"", "Runs in the background", "TURN_END ok",
			"TEXT message=", "parent=\"call-", "TASKS []",
			"TURN_BEGIN name=\"The errand is done\" text=\"task\"", "TURN_END ok" } },
	{ "a command in the background", "default", "bashbg:sleep 0.1", "allow", NULL,
		{ "background", "TASKS [{\"kind\":\"shell\"", "runs in the background",
			"TURN_END ok", "TASKS []", "TURN_BEGIN name=\"Background command",
			"TURN_END ok" } },
	{ "several calls in one message", "default", "multi", "allow", NULL,
		{ "Three things", "TOOL_START", "TOOL_START", "TOOL_START", "TOOL_DONE",
			"TOOL_DONE", "TOOL_DONE", "done: 3", "TURN_END ok" } },
	{ "a tool nobody has", "default", "tool:Hammer {\"nail\":1}", "allow", NULL,
		{ "name=\"Hammer\"", "kind=other", "TOOL_DONE", "No such tool", "TURN_END ok" } },
	{ "half a text never happened", "default", "drop", "allow", NULL,
		{ "TEXT message=", "TEXT_VOID", "NOTE", "TEXT message=", "TEXT_DONE",
			"TURN_END ok" } },
	{ "a server that comes back", "default", "err:529*1", "allow", NULL,
		{ "NOTE", "answered 529", "recovered after 1", "TURN_END ok" } },
	{ "a server that does not", "default", "err:500 retry=0", "allow", NULL,
		{ "NOTE", "NOTE", "TURN_END text=\"API Error: 500", "failed" } },
	{ "a refusal", "default", "refuse", "allow", NULL,
		{ "TURN_END text=\"API Error", "failed" } },
	{ "silence, for a while", "default", "hang:0.05", "allow", NULL, { "TURN_END ok" } },
	{ "a deaf ear for odd images", "default", "images", "allow", NULL,
		{ "images: 0", "TURN_END ok" } },
};

static void test_scripts(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct life l;
		size_t at = 0;

		print_message("  %s\n", rows[i].name);
		start_new(&l, rows[i].mode);
		l.decision = rows[i].decision;
		l.answer = vy_json_parse(vy_str_c(rows[i].answer), NULL);
		life_say(&l, "m1", rows[i].text, AGENT_STEER);
		for (size_t k = 0; k < VY_COUNT(rows[i].wants) && rows[i].wants[k]; k++) {
			at = life_until(&l, at, rows[i].wants[k]);
		}
		vy_json_free(l.answer);
		l.answer = NULL;
		life_finish(&l);
	}
}

static void test_big(void **state)
{
	struct life l;
	size_t deltas = 0;

	(void)state;
	start_new(&l, "default");
	life_say(&l, "m1", "big:1000000", AGENT_STEER);
	life_until(&l, 0, "TURN_END ok");
	for (const char *p = vy_buf_c(&l.r.log); (p = strstr(p, "\nTEXT ")) != NULL; p++) {
		deltas++;
	}
	assert_int_equal(deltas, 245); /* 4 KiB each: none joined, none split */
	life_finish(&l);
}

/* ---- steering, interrupts, the queue ---- */

static void test_always(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	l.decision = "always";
	life_say(&l, "m1", "bash:echo once ;; bash:echo once", AGENT_STEER);
	size_t at = life_until(&l, 0, "TURN_END ok");

	assert_true(at > 0);
	assert_non_null(strstr(vy_buf_c(&l.r.log), "ASK request="));
	assert_null(strstr(strstr(vy_buf_c(&l.r.log), "ASK request=") + 1, "ASK request="));
	life_finish(&l);
}

static void test_steer_words(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "acceptEdits");
	l.decision = NULL;
	life_say(&l, "m1", "bash:true ;; say:2", AGENT_STEER);
	size_t at = life_until(&l, 0, "ASK request=");

	life_say(&l, "m2", "use blue, please", AGENT_STEER);
	l.decision = "allow";
	life_answer(&l);
	at = life_until(&l, at, "TOOL_DONE tool=\"call-");
	at = life_until(&l, at, "TAKEN message=\"m2\" tool=\"call-");
	at = life_until(&l, at, "text=\"alpha \""); /* the script goes on */
	life_until(&l, at, "TURN_END ok");
	assert_false(life_told(&l, "You said"));
	life_finish(&l);
}

static void test_steer_script(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	l.decision = NULL;
	life_say(&l, "m1", "bash:true ;; say:7", AGENT_STEER);
	size_t at = life_until(&l, 0, "ASK request=");

	life_say(&l, "m2", "echo:instead", AGENT_STEER);
	l.decision = "allow";
	life_answer(&l);
	at = life_until(&l, at, "TAKEN message=\"m2\" tool=");
	at = life_until(&l, at, "text=\"instead\"");
	life_until(&l, at, "TURN_END ok");
	assert_false(life_told(&l, "alpha"));
	life_finish(&l);
}

/* Words by the clock: as many as ordered, and the last one tells when it left. */
static void test_pace(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	life_say(&l, "m1", "pace:3 rate=1000", AGENT_STEER);
	size_t at = life_until(&l, 0, "text=\"alpha \"");

	at = life_until(&l, at, "text=\"hotel \"");
	at = life_until(&l, at, "text=\"mk");
	life_until(&l, at, "TURN_END ok");
	assert_non_null(strstr(vy_buf_c(&l.r.log) + at, "z\""));
	life_finish(&l);
}

static void test_no_boundary(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	life_say(&l, "m1", "slow:0.6", AGENT_STEER);
	size_t at = life_until(&l, 0, "text=\"alpha \"");

	life_say(&l, "m2", "echo:later", AGENT_STEER);
	at = life_until(&l, at, "TURN_END ok");
	at = life_until(&l, at, "TURN_BEGIN\nTAKEN message=\"m2\"");
	at = life_until(&l, at, "text=\"later\"");
	life_until(&l, at, "TURN_END ok");
	life_finish(&l);
}

static void test_interrupt(void **state)
{
	static const struct {
		const char *name, *text, *when, *decision, *wants[3];
	} cases[] = {
		{ "in words", "slow:60", "text=\"alpha \"", "allow",
			{ "TEXT_DONE", "TURN_END canceled" } },
		{ "in a command", "bash:sleep 60",
			"tell {\"type\":\"control_response\",\"response\":{\"subtype\":"
			"\"success\",\"request_id\":\"demo-2\"",
			"allow", { "TOOL_DONE", " canceled ", "TURN_END canceled" } },
		{ "at an ask", "bash:true", "ASK request=", NULL,
			{ "ASK_GONE", "TOOL_DONE", "TURN_END canceled" } },
		{ "in silence", "hang", "TURN_BEGIN", "allow", { "TURN_END canceled" } },
		{ "in an agent inside", "agentfg:slow:60", "name=\"Agent\"", "allow",
			{ "TOOL_DONE", "TURN_END canceled" } },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(cases); i++) {
		struct life l;

		print_message("  %s\n", cases[i].name);
		start_new(&l, "default");
		l.decision = cases[i].decision;
		life_say(&l, "m1", cases[i].text, AGENT_STEER);
		size_t at = life_until(&l, 0, cases[i].when);

		life_say(&l, "m2", "echo:never", AGENT_QUEUE);
		life_command(&l, (struct agent_command){ .kind = AC_INTERRUPT });
		life_until(&l, at, "CAME_BACK message=\"m2\"");
		for (size_t k = 0; k < 3 && cases[i].wants[k]; k++) {
			at = life_until(&l, at, cases[i].wants[k]);
		}
		life_say(&l, "m3", "echo:again", AGENT_STEER);
		at = life_until(&l, at, "text=\"again\"");
		life_until(&l, at, "TURN_END ok");
		assert_false(life_told(&l, "\"never\""));
		life_finish(&l);
	}
}

static void test_take_back(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	life_say(&l, "m1", "slow:0.6", AGENT_STEER);
	size_t at = life_until(&l, 0, "text=\"alpha \"");

	life_say(&l, "m2", "echo:never", AGENT_QUEUE);
	life_command(
		&l, (struct agent_command){ .kind = AC_TAKE_BACK, .message = VY_STR_LIT("m2") });
	life_until(&l, at, "CAME_BACK message=\"m2\"");
	life_until(&l, at, "TURN_END ok");
	life_say(&l, "m3", "echo:end", AGENT_STEER);
	life_until(&l, at, "text=\"end\"");
	assert_false(life_told(&l, "\"never\""));
	life_finish(&l);
}

static void test_now(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	l.decision = NULL;
	life_say(&l, "m1", "bash:true ;; say:9", AGENT_STEER);
	size_t at = life_until(&l, 0, "ASK request=");

	life_say(&l, "m2", "echo:at once", AGENT_NOW);
	l.decision = "allow";
	life_answer(&l);
	at = life_until(&l, at, "TURN_END canceled");
	at = life_until(&l, at, "TAKEN message=\"m2\"");
	life_until(&l, at, "text=\"at once\"");
	assert_false(life_told(&l, "alpha"));
	life_finish(&l);
}

static void test_floor(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "acceptEdits");
	l.verdict = "deny";
	life_say(&l, "m1", "write:no.txt=x", AGENT_STEER);
	size_t at = life_until(&l, 0, "CHECK request=");

	at = life_until(&l, at, " failed {\"text\":\"a floor rule says so\",\"type\":\"text\"}");
	life_until(&l, at, "TURN_END ok");
	l.verdict = "ask";
	life_say(&l, "m2", "write:no.txt=x", AGENT_STEER);
	at = life_until(&l, at, "ASK request=");
	life_until(&l, at, "\"created\":true");
	life_finish(&l);
}

/* ---- lives ---- */

static void test_exactly_once(void **state)
{
	struct life l;
	char session[VY_UUID_LEN + 1];

	(void)state;
	vy_uuid(session);
	start(&l, session, "default", false);
	life_say(&l, "m1", "slow:60", AGENT_STEER);
	life_until(&l, 0, "text=\"alpha \"");
	kill(l.pid, SIGKILL);
	size_t at = life_until(&l, 0, "TURN_END text=\"demo was ended by signal 9\" failed");

	assert_true(at > 0);
	life_finish(&l);

	start(&l, session, "default", true);
	life_say(&l, "m1", "slow:60", AGENT_STEER); /* told again: the agent had it */
	at = life_until(&l, 0, "TURN_BEGIN\nTAKEN message=\"m1\"\nNOTE");
	at = life_until(&l, at, "TURN_END ok");
	life_say(&l, "m2", "echo:new", AGENT_STEER);
	life_until(&l, at, "text=\"new\"");
	life_finish(&l);
}

static void test_other_way(void **state)
{
	struct life l;
	char session[VY_UUID_LEN + 1];

	(void)state;
	vy_uuid(session);
	start(&l, session, "default", true);
	life_until(&l, 0, "OTHER_WAY text=\"demo ended with status 1: No conversation found");
	life_finish(&l);

	start(&l, session, "default", false);
	life_say(&l, "m1", "say:1", AGENT_STEER);
	life_until(&l, 0, "TURN_END ok");
	life_finish(&l);

	start(&l, session, "default", false);
	life_until(&l, 0, "OTHER_WAY");
	life_finish(&l);
}

static void test_signals(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	life_say(&l, "m1", "bash:sleep 60", AGENT_STEER);
	life_until(&l, 0, "demo-2");
	kill(l.pid, SIGTERM);
	life_until(&l, 0, "TURN_END text=\"demo ended with status 143\" failed");
	assert_int_equal(l.status, 143);
	life_finish(&l);

	start_new(&l, "default");
	life_until(&l, 0, "READY");
	life_command(&l, (struct agent_command){ .kind = AC_END });
	while (!l.is_ended) {
		life_step(&l);
	}
	assert_int_equal(l.status, 0);
	assert_false(life_told(&l, "BROKEN"));
	life_finish(&l);
}

static void test_modes_and_models(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	life_until(&l, 0, "READY");
	life_command(
		&l, (struct agent_command){ .kind = AC_MODE, .text = VY_STR_LIT("acceptEdits") });
	size_t at = life_until(&l, 0, "MODE text=\"acceptEdits\"");

	life_command(&l, (struct agent_command){ .kind = AC_MODEL, .text = VY_STR_LIT("other") });
	life_until(&l, at, "MODEL text=\"other\"");
	life_finish(&l);
}

static void test_launch(void **state)
{
	struct vy_json *own = vy_json_parse(VY_STR_LIT("{\"VYRE_DEMO_DIR\":\"/own\"}"), NULL);
	const struct provider_conf plain = { .name = "demo", .kind = "demo" },
				   moved = { .name = "demo", .kind = "demo", .env = own };
	struct provider_launch l = { .conf = &plain,
		.session = VY_STR_LIT("s"),
		.self = "/bin/vyred",
		.state_dir = "/state",
		.is_resume = true,
		.model = VY_STR_LIT("m") };
	struct provider_spawn spawn;
	struct vy_arena a;

	(void)state;
	vy_arena_init(&a);
	assert_int_equal(demo_ops.launch(&l, &spawn, &a, NULL), 0);
	assert_string_equal(spawn.argv[0], "/bin/vyred");
	assert_string_equal(spawn.argv[1], "agent-demo");
	assert_string_equal(spawn.argv[3], "--resume=s");
	assert_string_equal(spawn.argv[4], "--model=m");
	assert_null(spawn.argv[5]);
	assert_string_equal(spawn.env[0], "VYRE_DEMO_DIR=/state/demo");
	assert_null(spawn.env[1]);
	l.conf = &moved;
	assert_int_equal(demo_ops.launch(&l, &spawn, &a, NULL), 0);
	assert_null(spawn.env[0]);
	vy_arena_fini(&a);
	vy_json_free(own);
}

/* ---- the tour ---- */

/* Words of the tour are one delta each, so these are looked for in single words. */
static void test_tour(void **state)
{
	static const char *const wants[] = { "reasoning", "text=\"# \"", "漢字", "👩🏽‍💻",
		"TODO", "ASK request=", "TOOL_DONE", "\"exit\":0", "\"created\":true",
		"FILE_CHANGED", "-the sound of water", "\"kind\":\"question\"",
		"\"value\":\"Look around\"", "\"kind\":\"plan\"", "TASKS [{", "TURN_END ok",
		"TASKS []", "text=\"task\"", "TURN_END ok" };
	struct life l;
	size_t at = 0;

	(void)state;
	start_new(&l, "default");
	l.answer = vy_json_parse(
		VY_STR_LIT("{\"answers\":{\"What would you like to do with Vyre first?\":"
			   "\"Look around\"}}"),
		NULL);
	life_say(&l, "m1", "tour", AGENT_STEER);
	for (size_t i = 0; i < VY_COUNT(wants); i++) {
		at = life_until(&l, at, wants[i]);
	}
	vy_json_free(l.answer);
	l.answer = NULL;
	life_say(&l, "m2", "hello again", AGENT_STEER);
	at = life_until(&l, at, "text=\"You said: hello again\"");
	life_until(&l, at, "TURN_END ok");
	life_finish(&l);
}

static void test_tour_refused(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	l.decision = "deny";
	life_say(&l, "m1", "tour", AGENT_STEER);
	life_until(&l, 0, "TURN_END ok");
	assert_null(
		strstr(vy_buf_c(&l.r.log), "splash!")); /* what was not written is not changed */
	life_finish(&l);
}

/* A plain word is answered in plain words: a script that pipes something in must come to an end. */
static void test_plain_words(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	life_say(&l, "m1", "hello", AGENT_STEER);
	size_t at = life_until(&l, 0, "You said: hello");

	at = life_until(&l, at, "`tour`");
	life_until(&l, at, "TURN_END ok");
	life_finish(&l);
}

/* ---- set up ---- */

static int make_dir(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	if (!mkdtemp(dir)) {
		return -1;
	}
	setenv("VYRE_DEMO_FAST", "1", 1);
	setenv("VYRE_DEMO_DIR", dir, 1);
	setenv("TMPDIR", dir, 1);
	return 0;
}

static int remove_dir(void **state)
{
	char cmd[128];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
	return system(cmd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_big),
		cmocka_unit_test(test_always),
		cmocka_unit_test(test_steer_words),
		cmocka_unit_test(test_steer_script),
		cmocka_unit_test(test_pace),
		cmocka_unit_test(test_no_boundary),
		cmocka_unit_test(test_interrupt),
		cmocka_unit_test(test_take_back),
		cmocka_unit_test(test_now),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_exactly_once),
		cmocka_unit_test(test_other_way),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_modes_and_models),
		cmocka_unit_test(test_launch),
		cmocka_unit_test(test_tour),
		cmocka_unit_test(test_tour_refused),
		cmocka_unit_test(test_plain_words),
	};

	return cmocka_run_group_tests_name("demo", tests, make_dir, remove_dir);
}
