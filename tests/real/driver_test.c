/* driver_test.c -- the driver of claude with the real claude, which talks to the stand-in of its API.
 *
 * Run by driver_test.sh in a clean world. The rows are scripts that the stand-in plays; what the
 * driver must tell of them stands behind. Only what the driver relies on is asked for, so that a
 * newer claude passes as long as the driver works with it. */
#include "tests/check.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/provider/claude.h"
#include "shared/base/hash.h"
#include "tests/server/provider/life.h"
#include "shared/base/ban.h"

static char project[4096];

static void start(struct life *l, const char *session, const char *mode, bool is_resume)
{
	static const struct provider_conf conf = { .name = "claude", .kind = "claude" };
	struct provider_launch launch = { .conf = &conf,
		.session = vy_str_c(session),
		.is_resume = is_resume,
		.mode = vy_str_c(mode),
		.cwd = vy_str_c(project),
		.self = "vyred" };

	life_start(l, &claude_ops, &launch, getenv("VYRE_CLAUDE"));
}

static void start_new(struct life *l, const char *mode)
{
	char session[VY_UUID_LEN + 1];

	vy_uuid(session);
	start(l, session, mode, false);
}

/* Says it under a new uuid, which is given back (static). */
static const char *say(struct life *l, const char *text, enum agent_when when)
{
	static char uuids[16][VY_UUID_LEN + 1];
	static size_t n;
	char *uuid = uuids[n++ % 16];

	vy_uuid(uuid);
	life_say(l, uuid, text, when);
	return uuid;
}

/* ---- scripts ---- */

static const struct {
	const char *name, *mode, *text, *decision, *answer;
	const char *wants[12];
} rows[] = {
	{ "words", "default", "say:3", "allow", NULL,
		{ "READY", "TURN_BEGIN\n", "TAKEN message=", "text=\"alpha \"", "text=\"bravo \"",
			"TEXT_DONE", "USAGE", "TURN_END ok" } },
	{ "thoughts", "default", "think:3", "allow", NULL,
		{ "text=\"alpha \" reasoning", "TEXT_DONE", "I thought about it.",
			"TURN_END ok" } },
	{ "a command is judged, asked about and run", "default", "bash:touch made && ls", "allow",
		NULL,
		{ "TOOL_START", "kind=shell",
			"CHECK request=", "ASK request=", "\"rule\":\"Bash(touch made", "TOOL_DONE",
			"\"exit\":0,\"output\":\"", "made", "TURN_END ok" } },
	{ "a command that fails", "default", "bash:ls /nonexistent", "allow", NULL,
		{ "TOOL_DONE", " failed ", "\"exit\":2", "TURN_END ok" } },
	{ "no", "default", "bash:touch never", "deny", NULL,
		{ "ASK", "TOOL_DONE", " failed ", "does not want this", "TURN_END ok" } },
	{ "no, and stop", "default", "bash:touch never", "deny", "{\"stop\":true}",
		{ "ASK", "TOOL_DONE", " canceled ", "TURN_END canceled" } },
	{ "a file, and a change of it", "default", "write:w.txt ;; edit:w.txt|line two|2", "allow",
		NULL,
		{ "ASK", "+line two", "\"created\":true", "FILE_CHANGED", "ASK", "-line two\\n+2",
			"\"hunks\":[", "text=\"edit\" +1 -1", "TURN_END ok" } },
	{ "todos", "default",
		"tool:TodoWrite "
		"{\"todos\":[{\"content\":\"First\",\"status\":\"completed\",\"activeForm\":\"x\"},"
		"{\"content\":\"Second\",\"status\":\"in_progress\",\"activeForm\":\"y\"}]}",
		"allow", NULL,
		{ "kind=todo", "TOOL_DONE", "TODO", "\"status\":\"running\",\"text\":\"Second\"",
			"TURN_END ok" } },
	{ "questions and answers", "default", "ask", "allow",
		"{\"answers\":{\"Which colour should it be?\":\"Blue\",\"Which "
		"parts?\":[\"Door\",\"Roof\"]}}",
		{ "\"kind\":\"question\"", "TOOL_DONE", "\"value\":\"Blue\"",
			"\"value\":\"Door, Roof\"", "TURN_END ok" } },
	{ "one question of two", "default", "ask", "allow",
		"{\"answers\":{\"Which colour should it be?\":\"a deep green\"}}",
		{ "ASK", "TOOL_DONE", "a deep green", "TURN_END ok" } },
	{ "a skipped question", "default", "ask", "skip", NULL,
		{ "ASK", "TOOL_DONE", " failed ", "skipped", "TURN_END ok" } },
	{ "an agent inside", "acceptEdits", "agentfg:bash:echo in ,, say:2", "allow", NULL,
		{ "kind=agent", "TOOL_START", "parent=\"toolu_", "TOOL_DONE", "1 tool call",
			"\"text\":\"alpha bravo", "TURN_END ok" } },
	{ "a command in the background", "default", "bashbg:sleep 1", "allow", NULL,
		{ "TASKS [{\"kind\":\"shell\"", "runs in the background", "TURN_END ok", "TASKS []",
			"text=\"task\"", "TURN_END ok" } },
	{ "half a text never happened", "default", "err:529*1", "allow", NULL,
		{ "NOTE", "answered 529", "TEXT_DONE", "TURN_END ok" } },
	{ "a server that does not answer", "default", "err:400", "allow", NULL,
		{ "TURN_END text=\"API Error: 400", "failed" } },
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
		say(&l, rows[i].text, AGENT_STEER);
		for (size_t k = 0; k < VY_COUNT(rows[i].wants) && rows[i].wants[k]; k++) {
			at = life_until(&l, at, rows[i].wants[k]);
		}
		vy_json_free(l.answer);
		l.answer = NULL;
		life_finish(&l);
	}
}

/* ---- plans and modes ---- */

static void test_plan(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "plan");
	l.decision = "accept-edits";
	say(&l, "planfile:# Do it\\n\\n1. now ;; plan", AGENT_STEER);
	size_t at = life_until(&l, 0, "\"kind\":\"plan\"");

	at = life_until(&l, at, "MODE text=\"acceptEdits\"");
	life_until(&l, at, "TURN_END ok");
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
	life_until(&l, 0, "MODE text=\"acceptEdits\"");
	life_command(&l, (struct agent_command){ .kind = AC_MODEL, .text = VY_STR_LIT("haiku") });
	life_until(&l, 0, "MODEL text=\"claude-haiku");
	say(&l, "write:free.txt", AGENT_STEER);
	size_t at = life_until(&l, 0, "\"created\":true");

	life_until(&l, at, "TURN_END ok");
	assert_false(life_told(&l, "ASK request="));
	life_finish(&l);
}

static void test_floor(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "acceptEdits");
	l.verdict = "deny";
	say(&l, "bash:echo hello", AGENT_STEER);
	size_t at = life_until(&l, 0, "CHECK request=");

	at = life_until(&l, at, " failed {\"text\":\"a floor rule says so\",\"type\":\"text\"}");
	life_until(&l, at, "TURN_END ok");
	l.verdict = "ask";
	say(&l, "bash:echo hello", AGENT_STEER);
	at = life_until(&l, at, "ASK request=");
	at = life_until(&l, at, "\"title\":\"a floor rule says so\"");
	life_until(&l, at, "\"output\":\"hello\"");
	life_finish(&l);
}

static void test_always(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	l.decision = "always";
	say(&l, "bash:touch a1 ;; bash:touch a1", AGENT_STEER);
	size_t at = life_until(&l, 0, "ASK request=");

	life_until(&l, at, "TURN_END ok");
	assert_null(strstr(vy_buf_c(&l.r.log) + at, "ASK request="));
	life_finish(&l);
}

/* ---- steering and interrupts ---- */

static void test_steer(void **state)
{
	struct life l;
	char want[128];

	(void)state;
	start_new(&l, "default");
	l.decision = NULL;
	say(&l, "bash:touch s1 ;; say:2", AGENT_STEER);
	size_t at = life_until(&l, 0, "ASK request=");

	snprintf(want, sizeof(want), "TAKEN message=\"%s\" tool=\"toolu_",
		say(&l, "use blue, please", AGENT_STEER));
	l.decision = "allow";
	life_answer(&l);
	at = life_until(&l, at, want);
	life_until(&l, at, "TURN_END ok");
	life_finish(&l);
}

static void test_interrupt(void **state)
{
	static const struct {
		const char *name, *text, *when, *decision, *want;
	} cases[] = {
		{ "in words", "slow:60", "text=\"alpha \"", "allow", "TEXT_DONE" },
		{ "in a command", "bash:python3 -c 'import time; time.sleep(60)'",
			"\"behavior\":\"allow\"", "allow", "canceled" },
		{ "at an ask", "bash:touch i1", "ASK request=", NULL, "ASK_GONE" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(cases); i++) {
		struct life l;
		char want[128];

		print_message("  %s\n", cases[i].name);
		start_new(&l, "default");
		l.decision = cases[i].decision;
		say(&l, cases[i].text, AGENT_STEER);
		size_t at = life_until(&l, 0, cases[i].when);

		snprintf(want, sizeof(want), "CAME_BACK message=\"%s\"",
			say(&l, "echo:never", AGENT_QUEUE));
		life_command(&l, (struct agent_command){ .kind = AC_INTERRUPT });
		life_until(&l, at, want);
		life_until(&l, at, cases[i].want);
		at = life_until(&l, at, "TURN_END canceled");
		say(&l, "echo:again", AGENT_STEER);
		at = life_until(&l, at, "text=\"again\"");
		life_until(&l, at, "TURN_END ok");
		life_finish(&l);
	}
}

/* ---- lives ---- */

static void test_lives(void **state)
{
	struct life l;
	char session[VY_UUID_LEN + 1], uuid[VY_UUID_LEN + 1];
	size_t at;

	(void)state;
	vy_uuid(session);
	vy_uuid(uuid);
	start(&l, session, "default", true);
	life_until(&l, 0, "OTHER_WAY text=\"claude ended with status 1: No conversation found");
	life_finish(&l);

	start(&l, session, "default", false);
	life_say(&l, uuid, "echo:first", AGENT_STEER); /* from here on it has the session on disk */
	at = life_until(&l, 0, "TURN_END ok");
	say(&l, "slow:60", AGENT_STEER);
	life_until(&l, at, "text=\"alpha \"");
	kill(l.pid, SIGKILL);
	life_until(&l, 0, "TURN_END text=\"claude was ended by signal 9");
	life_finish(&l);

	start(&l, session, "default", false);
	life_until(&l, 0, "OTHER_WAY");
	life_finish(&l);

	start(&l, session, "default", true);
	life_say(&l, uuid, "echo:first", AGENT_STEER); /* told again: it had it */
	at = life_until(&l, 0, "NOTE text=\"This message had reached the agent");
	at = life_until(&l, at, "TURN_END ok");
	say(&l, "echo:new", AGENT_STEER);
	life_until(&l, at, "text=\"new\"");
	assert_false(life_told(&l, "text=\"first\""));
	life_finish(&l);
}

static int find_project(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	return getcwd(project, sizeof(project)) ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_modes_and_models),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_always),
		cmocka_unit_test(test_steer),
		cmocka_unit_test(test_interrupt),
		cmocka_unit_test(test_lives),
	};

	return cmocka_run_group_tests_name("real claude", tests, find_project, NULL);
}
