/* run.c -- see hook.h: one event of a claude in a terminal.
 *
 * The floor rules are judged here, by the code that vyred judges by, so they hold while no vyred runs
 * and cost no round trip. All else is one question to vyred: how the conversation is bound to its
 * claude, whether a subagent may begin, which words wait for the turn's end. Words that were handed
 * over are confirmed behind their printing; when vyred cannot hear that, a file named by their token
 * says it to the next one, so no word is told twice, or never. */
#include "server/hook/hook.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/auth/proc.h"
#include "server/guard/rules.h"
#include "server/io/peercred.h"
#include "server/ops/call.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define LAST_WORD_S 5 /* whatever hangs: claude goes on */
#define SHELLS_MOST 4

/* What nobody could judge is a person's to look at: silence would let it through. */
static const char unjudged[] =
	"{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"ask\","
	"\"permissionDecisionReason\":\"Vyre's floor rules could not judge this: it cannot be "
	"read, "
	"or there was no time to.\"}}\n";
static volatile sig_atomic_t is_judging;

static void say_unjudged(void)
{
	struct vy_str left = vy_str_c(unjudged);
	ssize_t n;

	while (left.n && (n = write(STDOUT_FILENO, left.p, left.n)) > 0) {
		left = vy_str_from(left, (size_t)n);
	}
}

static void give_up(int unused)
{
	(void)unused;
	if (is_judging) {
		say_unjudged();
	}
	_exit(0);
}

static struct vy_json *hear(void)
{
	VY_AUTO_BUF in = VY_BUF_INIT(VY_LINE_MAX);
	ssize_t n = 1;

	while (n != 0) {
		if (!vy_buf_reserve(&in, 64 * VY_KIB)) {
			return NULL;
		}
		n = read(STDIN_FILENO, in.data + in.len, 64 * VY_KIB);
		if (n < 0 && errno != EINTR) {
			return NULL;
		}
		in.len += n > 0 ? (size_t)n : 0;
	}
	return vy_json_parse_lenient(vy_buf_str(&in), NULL);
}

static void say(const struct vy_json *v)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_RPC_ANSWER_MAX);

	vy_json_dump(v, &out);
	vy_buf_addc(&out, '\n');
	fwrite(vy_buf_c(&out), 1, out.len, stdout);
	fflush(stdout);
}

/* ---- whose claude it is ---- */

static const char *const agents_own[] = { "VYRE_SOCKET=", NULL };

static bool is_shell(const char *program)
{
	return strcmp(program, "sh") == 0 || strcmp(program, "bash") == 0 ||
	       strcmp(program, "dash") == 0 || strcmp(program, "zsh") == 0;
}

/* The nearest process above us that is no shell: shells hand a hook's command on. */
static bool is_of_vyred(void)
{
	pid_t pid = getppid();

	for (int i = 0; i < SHELLS_MOST; i++) {
		struct caller_proc p;

		if (proc_read(NULL, pid, &p) != CALLER_READ) {
			return false;
		}
		if (!is_shell(p.program) || p.script[0]) {
			/* a person's shell in Vyre has no socket of an agent; what an agent
			 * started is no session's own, whatever it inherited */
			return p.hid[0] && !p.is_told && peercred_has_env(pid, agents_own) == 1;
		}
		pid = p.ppid;
	}
	return false;
}

/* ---- the floor ---- */

static const char *home(void)
{
	const char *h = getenv("HOME");

	return h ? h : "";
}

static struct vy_json *decision(const char *what, const char *why)
{
	struct vy_json *o = vy_json_new_obj(), *in = vy_json_new_obj();

	vy_json_set_c(in, "hookEventName", "PreToolUse");
	vy_json_set_c(in, "permissionDecision", what);
	vy_json_set_c(in, "permissionDecisionReason", why);
	vy_json_take(o, "hookSpecificOutput", in);
	return o;
}

/* Says so when the rules say something; true: it is denied. */
static bool floor_denies(const struct hook_conf *c, const struct vy_json *in, struct vy_json **out)
{
	const char *own = getenv("CLAUDE_CONFIG_DIR");
	const struct guard_context gc = {
		.cwd = vy_json_str(in, "cwd"),
		.home = vy_str_c(home()),
		.state_dir = vy_str_c(c->state_dir),
		.config_file = vy_str_c(c->config),
		.agent_config_dir = vy_str_c(own ? own : ""),
	};
	struct vy_arena a;

	vy_arena_init(&a);
	struct guard_answer ga =
		guard_check(vy_json_str(in, "tool_name"), vy_json_get(in, "tool_input"), &gc, &a);

	if (ga.verdict != GUARD_NOTHING) {
		*out = decision(ga.verdict == GUARD_DENY ? "deny" : "ask", ga.text);
	}
	vy_arena_fini(&a);
	return ga.verdict == GUARD_DENY;
}

/* ---- vyred ---- */

static void pass(struct vy_json *to, const char *as, const struct vy_json *from, const char *key)
{
	struct vy_str s = vy_json_str(from, key);

	if (s.n) {
		vy_json_set_str(to, as, s);
	}
}

/* The subagents that work on behind the turn's end. */
static struct vy_json *running(const struct vy_json *tasks)
{
	struct vy_json *out = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(tasks); i++) {
		const struct vy_json *t = vy_json_at(tasks, i);

		if (vy_str_is(vy_json_str(t, "type"), "subagent") &&
			vy_str_is(vy_json_str(t, "status"), "running")) {
			vy_json_add_take(out, vy_json_new_str(vy_json_str(t, "id")));
		}
	}
	return out;
}

static struct vy_json *question(const char *event, const struct vy_json *in)
{
	const struct vy_json *response = vy_json_get(in, "tool_response");
	struct vy_json *p = vy_json_new_obj();

	vy_json_set_c(p, "event", event);
	pass(p, "conversation", in, "session_id");
	pass(p, "call", in, "tool_use_id");
	pass(p, "agent", in, "agent_id");
	pass(p, "agent", response, "agentId");
	pass(p, "status", response, "status");
	if (vy_json_get(in, "background_tasks")) {
		vy_json_take(p, "running", running(vy_json_get(in, "background_tasks")));
	}
	return p;
}

static struct vy_json *ask(const struct hook_conf *c, const struct vy_json *params)
{
	VY_AUTO_BUF socket = VY_BUF_INIT(8192), text = VY_BUF_INIT(64 * VY_KIB);
	struct vy_err e = { 0 };

	if (c->socket) {
		vy_buf_adds(&socket, c->socket);
	} else {
		vy_buf_addf(&socket, "%s/vyred.sock", c->state_dir);
	}
	vy_json_dump(params, &text);
	return ops_call_within(vy_buf_c(&socket), "hook.run", vy_buf_c(&text), HOOK_WAIT_MS, &e);
}

/* For a vyred that did not hear it. */
static void leave_receipt(const struct hook_conf *c, struct vy_str token)
{
	VY_AUTO_BUF path = VY_BUF_INIT(8192);

	if (!vy_is_uuid(token)) {
		return;
	}
	vy_buf_addf(&path, "%s/handed", c->state_dir);
	(void)mkdir(vy_buf_c(&path), 0700);
	vy_buf_addf(&path, "/%.*s", VY_STR_ARG(token));
	int fd = open(vy_buf_c(&path), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
}

static void confirm(const struct hook_conf *c, const struct vy_json *asked, struct vy_str token)
{
	struct vy_json *p = vy_json_new_obj();

	vy_json_set_c(p, "event", "Handed");
	pass(p, "conversation", asked, "conversation");
	vy_json_set_str(p, "token", token);
	VY_AUTO_JSON *heard = ask(c, p);

	if (!heard) {
		leave_receipt(c, token);
	}
	vy_json_free(p);
}

static void tell(const struct hook_conf *c, const char *event, const struct vy_json *in)
{
	VY_AUTO_JSON *params = question(event, in);
	VY_AUTO_JSON *answer = ask(c, params);
	const struct vy_json *output = vy_json_get(answer, "output");
	struct vy_str token = vy_json_str(answer, "token");

	if (output) {
		say(output);
	}
	if (token.n) {
		confirm(c, params, token);
	}
}

/* A subagent's own subagent works in the slot of that one. */
static bool takes_slot(const struct vy_json *in)
{
	struct vy_str tool = vy_json_str(in, "tool_name");

	return (vy_str_is(tool, "Agent") || vy_str_is(tool, "Task")) &&
	       vy_json_str(in, "agent_id").n == 0;
}

int hook_run(const struct hook_conf *c, const char *event)
{
	signal(SIGALRM, give_up);
	signal(SIGPIPE, SIG_IGN);
	alarm(LAST_WORD_S);
	if (is_of_vyred()) {
		return 0;
	}
	is_judging = strcmp(event, "PreToolUse") == 0;
	VY_AUTO_JSON *in = hear();

	if (vy_json_type(in) != VY_JSON_OBJ) {
		if (is_judging) {
			say_unjudged();
		}
		return 0;
	}
	if (!is_judging) {
		tell(c, event, in);
		return 0;
	}
	struct vy_json *out = NULL;
	bool is_denied = floor_denies(c, in, &out);

	is_judging = false;
	if (!is_denied && takes_slot(in) && !out) {
		tell(c, event, in);
	}
	if (out) {
		say(out);
	}
	vy_json_free(out);
	return 0;
}
