/* demo_test.c -- the demo as a child process, driven by the driver of claude.
 *
 * What goes over the pipes is real; the driver's state is encoded and decoded at every step. Rows of
 * the table are a mode, what is said, how asks are answered, and what must be told, in this order. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/provider/demo.h"
#include "shared/base/cut.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/server/provider/replay.h"
#include "shared/base/ban.h"

#define PATIENCE_MS 5000 /* then something hangs, and the test says where it stood */

/* ---- a life of the demo ---- */

struct life {
	struct replay r;
	pid_t pid;
	int in, out, err;
	struct vy_cut cut, err_cut;
	char session[VY_UUID_LEN + 1];
	const char *decision;   /* for asks; NULL: they are left open */
	const char *verdict;    /* of the floor */
	struct vy_json *answer; /* {answers, always, stop} of the next answer */
	struct vy_buf asks;     /* requests that wait to be answered, one a line */
	struct vy_buf checks;
	bool is_ended;
	int status;
	const char *waits_for;
};

static char dir[] = "/tmp/vyre-demo-test-XXXXXX";

static void on_event(void *ctx, const struct agent_event *ev)
{
	struct life *l = ctx;

	if (ev->kind == AE_ASK) {
		vy_buf_addf(&l->asks, "%.*s\n", VY_STR_ARG(ev->request));
	} else if (ev->kind == AE_CHECK) {
		vy_buf_addf(&l->checks, "%.*s\n", VY_STR_ARG(ev->request));
	}
}

static void tell(struct life *l)
{
	struct vy_str s = vy_buf_str(&l->r.last_tell);

	while (s.n && l->in >= 0) {
		ssize_t n = write(l->in, s.p, s.n);

		if (n < 0) {
			break;
		}
		s = vy_str_from(s, (size_t)n);
	}
}

static void command(struct life *l, struct agent_command cmd)
{
	replay_command(&l->r, &cmd);
	tell(l);
}

static void say(struct life *l, const char *uuid, const char *text, enum agent_when when)
{
	command(l, (struct agent_command){ .kind = AC_SAY,
			   .message = vy_str_c(uuid),
			   .text = vy_str_c(text),
			   .when = when });
}

/* The first line of the list, taken off; NULL when it is empty. */
static char *take(struct vy_buf *list)
{
	const char *nl = list->len ? memchr(list->data, '\n', list->len) : NULL;

	if (!nl) {
		return NULL;
	}
	size_t n = (size_t)(nl - list->data);
	char *line = vy_memdup0(list->data, n);

	vy_buf_consume(list, n + 1);
	return line;
}

static void answer(struct life *l)
{
	char *id;

	while ((id = take(&l->checks)) != NULL) {
		command(l, (struct agent_command){ .kind = AC_CHECKED,
				   .request = vy_str_c(id),
				   .decision = vy_str_c(l->verdict),
				   .text = VY_STR_LIT("a floor rule says so") });
		free(id);
	}
	while (l->decision && (id = take(&l->asks)) != NULL) {
		command(l, (struct agent_command){ .kind = AC_ANSWER,
				   .request = vy_str_c(id),
				   .decision = vy_str_c(l->decision),
				   .json = l->answer });
		free(id);
	}
}

static void ended(struct life *l)
{
	int st;

	waitpid(l->pid, &st, 0);
	l->status = WIFEXITED(st) ? WEXITSTATUS(st) : -1;
	l->is_ended = true;
	replay_exit(&l->r, WIFEXITED(st) ? WEXITSTATUS(st) : 0, WIFSIGNALED(st) ? WTERMSIG(st) : 0);
}

/* Feeds lines of one stream; false at its end. */
static bool feed(struct life *l, enum agent_stream stream)
{
	char part[65536];
	ssize_t n = read(stream == AGENT_STDOUT ? l->out : l->err, part, sizeof(part));
	struct vy_cut *cut = stream == AGENT_STDOUT ? &l->cut : &l->err_cut;
	struct vy_str in = vy_str_n(part, n > 0 ? (size_t)n : 0), piece;

	while (vy_cut_next(cut, &in, &piece) == VY_CUT_PIECE) {
		replay_line(&l->r, stream, piece);
		answer(l);
	}
	return n > 0;
}

/* One look at what the demo printed. */
static void step(struct life *l)
{
	struct pollfd fds[] = { { l->out, POLLIN, 0 }, { l->err, POLLIN, 0 } };

	if (poll(fds, 2, PATIENCE_MS) == 0) {
		fputs(vy_buf_c(&l->r.log), stderr);
		fail_msg("the demo hangs before \"%s\"", l->waits_for ? l->waits_for : "its end");
	}
	if (fds[1].revents && !feed(l, AGENT_STDERR)) {
		close(l->err);
		l->err = -1;
	}
	if (fds[0].revents && !feed(l, AGENT_STDOUT)) {
		while (l->err >= 0 && feed(l, AGENT_STDERR)) {
		}
		ended(l);
	}
}

/* Until the log holds `what` behind byte `from`; gives the byte behind it. */
static size_t until(struct life *l, size_t from, const char *what)
{
	l->waits_for = what;
	for (;;) {
		const char *at = strstr(vy_buf_c(&l->r.log) + from, what);

		if (at) {
			return (size_t)(at - l->r.log.data) + strlen(what);
		}
		if (l->is_ended) {
			fputs(vy_buf_c(&l->r.log) + from, stderr);
			fail_msg("the demo ended without \"%s\"", what);
		}
		step(l);
	}
}

static bool has(const struct life *l, const char *what)
{
	return strstr(vy_buf_c(&l->r.log), what) != NULL;
}

/* ---- begin and end ---- */

static const char *program(void)
{
	const char *p = getenv("VYRE_DEMO");

	return p ? p : "tests/server/provider/agent_demo";
}

static void child(const struct provider_spawn *spawn, int in, int out, int err)
{
	char program_path[4096];

	if (!realpath(program(), program_path) || chdir(dir) < 0) {
		_exit(126);
	}
	dup2(in, 0);
	dup2(out, 1);
	dup2(err, 2);
	setenv("VYRE_DEMO_DIR", dir, 1);
	setenv("TMPDIR", dir, 1);
	execv(program_path, (char **)(uintptr_t)spawn->argv);
	_exit(127);
}

static void start(struct life *l, const char *session, const char *mode, bool is_resume)
{
	static const struct provider_conf conf = { .name = "demo", .kind = "demo" };
	int in[2], out[2], err[2];
	struct provider_spawn spawn;
	struct vy_arena a;

	memset(l, 0, sizeof(*l));
	memcpy(l->session, session, VY_UUID_LEN + 1);
	l->decision = "allow";
	l->verdict = "";
	vy_buf_init(&l->asks, VY_MIB);
	vy_buf_init(&l->checks, VY_MIB);
	vy_cut_init(&l->cut, VY_CUT_LINES, VY_LINE_MAX);
	vy_cut_init(&l->err_cut, VY_CUT_LINES, VY_LINE_MAX);
	replay_init(&l->r, &demo_ops, true);
	l->r.on_event = on_event;
	l->r.ctx = l;
	vy_arena_init(&a);
	struct provider_launch launch = { .conf = &conf,
		.session = vy_str_c(l->session),
		.is_resume = is_resume,
		.mode = vy_str_c(mode),
		.cwd = vy_str_c(dir),
		.self = program() };

	assert_int_equal(demo_ops.launch(&launch, &spawn, &a, NULL), 0);
	l->r.agent = demo_ops.new(&launch);
	assert_int_equal(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC) | pipe2(err, O_CLOEXEC), 0);
	l->pid = fork();
	if (l->pid == 0) {
		child(&spawn, in[0], out[1], err[1]);
	}
	close(in[0]);
	close(out[1]);
	close(err[1]);
	l->in = in[1];
	l->out = out[0];
	l->err = err[0];
	vy_arena_fini(&a);
	command(l, (struct agent_command){ .kind = AC_HELLO });
}

static void close_stdin(struct life *l)
{
	if (l->in >= 0) {
		close(l->in);
		l->in = -1;
	}
}

static void finish(struct life *l)
{
	close_stdin(l);
	while (!l->is_ended) {
		step(l);
	}
	close(l->out);
	if (l->err >= 0) {
		close(l->err);
	}
	replay_fini(&l->r);
	vy_buf_fini(&l->asks);
	vy_buf_fini(&l->checks);
	vy_cut_fini(&l->cut);
	vy_cut_fini(&l->err_cut);
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
		say(&l, "m1", rows[i].text, AGENT_STEER);
		for (size_t k = 0; k < VY_COUNT(rows[i].wants) && rows[i].wants[k]; k++) {
			at = until(&l, at, rows[i].wants[k]);
		}
		vy_json_free(l.answer);
		l.answer = NULL;
		finish(&l);
	}
}

static void test_big(void **state)
{
	struct life l;
	size_t deltas = 0;

	(void)state;
	start_new(&l, "default");
	say(&l, "m1", "big:1000000", AGENT_STEER);
	until(&l, 0, "TURN_END ok");
	for (const char *p = vy_buf_c(&l.r.log); (p = strstr(p, "\nTEXT ")) != NULL; p++) {
		deltas++;
	}
	assert_int_equal(deltas, 245); /* 4 KiB each: none joined, none split */
	finish(&l);
}

/* ---- steering, interrupts, the queue ---- */

static void test_always(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	l.decision = "always";
	say(&l, "m1", "bash:echo once ;; bash:echo once", AGENT_STEER);
	size_t at = until(&l, 0, "TURN_END ok");

	assert_true(at > 0);
	assert_non_null(strstr(vy_buf_c(&l.r.log), "ASK request="));
	assert_null(strstr(strstr(vy_buf_c(&l.r.log), "ASK request=") + 1, "ASK request="));
	finish(&l);
}

static void test_steer_words(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "acceptEdits");
	l.decision = NULL;
	say(&l, "m1", "bash:true ;; say:2", AGENT_STEER);
	size_t at = until(&l, 0, "ASK request=");

	say(&l, "m2", "use blue, please", AGENT_STEER);
	l.decision = "allow";
	answer(&l);
	at = until(&l, at, "TOOL_DONE tool=\"call-");
	at = until(&l, at, "TAKEN message=\"m2\" tool=\"call-");
	at = until(&l, at, "text=\"alpha \""); /* the script goes on */
	until(&l, at, "TURN_END ok");
	assert_false(has(&l, "You said"));
	finish(&l);
}

static void test_steer_script(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	l.decision = NULL;
	say(&l, "m1", "bash:true ;; say:7", AGENT_STEER);
	size_t at = until(&l, 0, "ASK request=");

	say(&l, "m2", "echo:instead", AGENT_STEER);
	l.decision = "allow";
	answer(&l);
	at = until(&l, at, "TAKEN message=\"m2\" tool=");
	at = until(&l, at, "text=\"instead\"");
	until(&l, at, "TURN_END ok");
	assert_false(has(&l, "alpha"));
	finish(&l);
}

static void test_no_boundary(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	say(&l, "m1", "slow:0.6", AGENT_STEER);
	size_t at = until(&l, 0, "text=\"alpha \"");

	say(&l, "m2", "echo:later", AGENT_STEER);
	at = until(&l, at, "TURN_END ok");
	at = until(&l, at, "TURN_BEGIN\nTAKEN message=\"m2\"\n");
	at = until(&l, at, "text=\"later\"");
	until(&l, at, "TURN_END ok");
	finish(&l);
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
		say(&l, "m1", cases[i].text, AGENT_STEER);
		size_t at = until(&l, 0, cases[i].when);

		say(&l, "m2", "echo:never", AGENT_QUEUE);
		command(&l, (struct agent_command){ .kind = AC_INTERRUPT });
		until(&l, at, "CAME_BACK message=\"m2\"");
		for (size_t k = 0; k < 3 && cases[i].wants[k]; k++) {
			at = until(&l, at, cases[i].wants[k]);
		}
		say(&l, "m3", "echo:again", AGENT_STEER);
		at = until(&l, at, "text=\"again\"");
		until(&l, at, "TURN_END ok");
		assert_false(has(&l, "\"never\""));
		finish(&l);
	}
}

static void test_take_back(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	say(&l, "m1", "slow:0.6", AGENT_STEER);
	size_t at = until(&l, 0, "text=\"alpha \"");

	say(&l, "m2", "echo:never", AGENT_QUEUE);
	command(&l, (struct agent_command){ .kind = AC_TAKE_BACK, .message = VY_STR_LIT("m2") });
	until(&l, at, "CAME_BACK message=\"m2\"");
	until(&l, at, "TURN_END ok");
	say(&l, "m3", "echo:end", AGENT_STEER);
	until(&l, at, "text=\"end\"");
	assert_false(has(&l, "\"never\""));
	finish(&l);
}

static void test_now(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	l.decision = NULL;
	say(&l, "m1", "bash:true ;; say:9", AGENT_STEER);
	size_t at = until(&l, 0, "ASK request=");

	say(&l, "m2", "echo:at once", AGENT_NOW);
	l.decision = "allow";
	answer(&l);
	at = until(&l, at, "TURN_END canceled");
	at = until(&l, at, "TAKEN message=\"m2\"");
	until(&l, at, "text=\"at once\"");
	assert_false(has(&l, "alpha"));
	finish(&l);
}

static void test_floor(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "acceptEdits");
	l.verdict = "deny";
	say(&l, "m1", "write:no.txt=x", AGENT_STEER);
	size_t at = until(&l, 0, "CHECK request=");

	at = until(&l, at, " failed {\"text\":\"a floor rule says so\",\"type\":\"text\"}");
	until(&l, at, "TURN_END ok");
	l.verdict = "ask";
	say(&l, "m2", "write:no.txt=x", AGENT_STEER);
	at = until(&l, at, "ASK request=");
	until(&l, at, "\"created\":true");
	finish(&l);
}

/* ---- lives ---- */

static void test_exactly_once(void **state)
{
	struct life l;
	char session[VY_UUID_LEN + 1];

	(void)state;
	start_new(&l, "default");
	memcpy(session, l.session, sizeof(session));
	say(&l, "m1", "slow:60", AGENT_STEER);
	until(&l, 0, "text=\"alpha \"");
	kill(l.pid, SIGKILL);
	size_t at = until(&l, 0, "TURN_END text=\"demo was ended by signal 9\" failed");

	assert_true(at > 0);
	finish(&l);

	start(&l, session, "default", true);
	say(&l, "m1", "slow:60", AGENT_STEER); /* told again: the agent had it */
	at = until(&l, 0, "TURN_BEGIN\nTAKEN message=\"m1\"\nNOTE");
	at = until(&l, at, "TURN_END ok");
	say(&l, "m2", "echo:new", AGENT_STEER);
	until(&l, at, "text=\"new\"");
	finish(&l);
}

static void test_other_way(void **state)
{
	struct life l;
	char session[VY_UUID_LEN + 1];

	(void)state;
	vy_uuid(session);
	start(&l, session, "default", true);
	until(&l, 0, "OTHER_WAY text=\"demo ended with status 1: No conversation found");
	finish(&l);

	start(&l, session, "default", false);
	say(&l, "m1", "say:1", AGENT_STEER);
	until(&l, 0, "TURN_END ok");
	finish(&l);

	start(&l, session, "default", false);
	until(&l, 0, "OTHER_WAY");
	finish(&l);
}

static void test_signals(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	say(&l, "m1", "bash:sleep 60", AGENT_STEER);
	until(&l, 0, "demo-2");
	kill(l.pid, SIGTERM);
	until(&l, 0, "TURN_END text=\"demo ended with status 143\" failed");
	assert_int_equal(l.status, 143);
	finish(&l);

	start_new(&l, "default");
	until(&l, 0, "READY");
	command(&l, (struct agent_command){ .kind = AC_END });
	while (!l.is_ended) {
		step(&l);
	}
	assert_int_equal(l.status, 0);
	assert_false(has(&l, "BROKEN"));
	finish(&l);
}

static void test_modes_and_models(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	until(&l, 0, "READY");
	command(&l, (struct agent_command){ .kind = AC_MODE, .text = VY_STR_LIT("acceptEdits") });
	size_t at = until(&l, 0, "MODE text=\"acceptEdits\"");

	command(&l, (struct agent_command){ .kind = AC_MODEL, .text = VY_STR_LIT("other") });
	until(&l, at, "MODEL text=\"other\"");
	finish(&l);
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
	say(&l, "m1", "hello", AGENT_STEER);
	for (size_t i = 0; i < VY_COUNT(wants); i++) {
		at = until(&l, at, wants[i]);
	}
	vy_json_free(l.answer);
	l.answer = NULL;
	say(&l, "m2", "hello again", AGENT_STEER);
	at = until(&l, at, "text=\"You said: hello again\"");
	until(&l, at, "TURN_END ok");
	finish(&l);
}

static void test_tour_refused(void **state)
{
	struct life l;

	(void)state;
	start_new(&l, "default");
	l.decision = "deny";
	say(&l, "m1", "hello", AGENT_STEER);
	until(&l, 0, "TURN_END ok");
	finish(&l);
}

/* ---- set up ---- */

static int make_dir(void **state)
{
	(void)state;
	setenv("VYRE_DEMO_FAST", "1", 1);
	signal(SIGPIPE, SIG_IGN);
	return mkdtemp(dir) ? 0 : -1;
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
		cmocka_unit_test(test_no_boundary),
		cmocka_unit_test(test_interrupt),
		cmocka_unit_test(test_take_back),
		cmocka_unit_test(test_now),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_exactly_once),
		cmocka_unit_test(test_other_way),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_modes_and_models),
		cmocka_unit_test(test_tour),
		cmocka_unit_test(test_tour_refused),
	};

	return cmocka_run_group_tests_name("demo", tests, make_dir, remove_dir);
}
