/* claude.c -- see claude.h. claude.md 2 says what each flag does and why it is there. */
#include "server/provider/claude.h"

#include <string.h>
#include <unistd.h>

#include "server/provider/auth.h"
#include "server/provider/claude_rules.h"
#include "server/provider/claude_wire.h"
#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* ---- where it is ---- */

static bool is_program(const char *dir, size_t n, const char *name, struct vy_arena *a)
{
	return access(vy_arena_printf(a, "%.*s/%s", (int)n, dir, name), X_OK) == 0;
}

static bool is_in_path(const char *name, const char *path, struct vy_arena *a)
{
	while (path && *path) {
		size_t n = strcspn(path, ":");

		if (n > 0 && is_program(path, n, name, a)) {
			return true;
		}
		path += n + (path[n] == ':');
	}
	return false;
}

static const char *program(const struct provider_conf *conf)
{
	return conf && conf->command && *conf->command ? conf->command : "claude";
}

static const char *claude_missing(
	const struct provider_conf *conf, const char *path, struct vy_arena *a)
{
	const char *name = program(conf);

	if (strchr(name, '/') ? access(name, X_OK) == 0 : is_in_path(name, path, a)) {
		return NULL;
	}
	if (strcmp(name, "claude") != 0) {
		return vy_arena_printf(a,
			"%s, named by command= in [provider.%s], is no program here.", name,
			conf->name);
	}
	return "Claude Code is not installed. Get it with `npm install -g "
	       "@anthropic-ai/claude-code`, or name it by command= in [provider.claude].";
}

/* ---- how it is started ---- */

/* What args= must not say beside what asks nobody (provider_bypass): flags that take the floor rules or the trust away,
 * or that the driver itself gives. */
static const char *const refused[] = { "--setting-sources", "--session-id", "--resume", "-r",
	"--continue", "-c", "--fork-session", "--resume-session-at", "--input-format",
	"--output-format", "--print", "-p" };

static const char *claude_bad_arg(const char *args, struct vy_arena *a)
{
	return provider_bad_arg(args, refused, VY_COUNT(refused), a);
}

struct words {
	const char **v;
	size_t n;
	struct vy_arena *a;
};

#define WORDS_MAX 128

static void add(struct words *w, const char *word)
{
	if (w->n < WORDS_MAX) {
		w->v[w->n++] = word;
	}
}

static void add_with(struct words *w, const char *flag, struct vy_str value)
{
	add(w, vy_arena_printf(w->a, "%s=%.*s", flag, VY_STR_ARG(value)));
}

static void add_args(struct words *w, const char *args)
{
	while (args && *args) {
		size_t n = strcspn(args, " \t");

		if (n) {
			add(w, vy_arena_dup(w->a, args, n));
		}
		args += n + strspn(args + n, " \t");
	}
}

static struct words words_new(struct vy_arena *a)
{
	return (struct words){ vy_arena_calloc(a, WORDS_MAX + 1, sizeof(char *)), 0, a };
}

/* A folder nobody trusted starts with the person's own settings only: the project's hooks, servers
 * and `env` would run unasked (claude.md 2.1). A job has none. */
static void add_settings(struct words *w, const struct provider_launch *l)
{
	if (l->is_job) {
		add(w, "--setting-sources=");
		add(w, "--strict-mcp-config");
	} else if (l->is_trusted) {
		add(w, "--setting-sources=user,project,local");
	} else {
		add(w, "--setting-sources=user");
		add(w, "--strict-mcp-config");
	}
}

/* Of the credential only where it comes from; with both kinds claude would take the key (claude.md
 * 15.2), so there is never more than one, and env_make() lets no other in. */
/* Behind args=, which may not take a bound away. --tools is about the tools that are built in, and never
 * allows one unasked (as --allowedTools would); servers are left out when none of theirs is named.
 * --max-budget-usd counts what this very process spends, whatever was spent before. */
static void add_bounds(struct words *w, const struct provider_launch *l)
{
	VY_AUTO_BUF names = VY_BUF_INIT(128 * VY_KIB);
	bool has_server = false;

	for (size_t i = 0; i < vy_json_len(l->tools); i++) {
		struct vy_str name = vy_json_strval(vy_json_at(l->tools, i));

		vy_buf_addf(&names, "%s%.*s", i ? "," : "", VY_STR_ARG(name));
		has_server |= vy_str_starts(name, "mcp__");
	}
	if (l->tools) {
		add_with(w, "--tools", vy_buf_str(&names));
	}
	if (l->tools && !has_server && l->is_trusted) {
		add(w, "--strict-mcp-config");
	}
	if (l->budget_usd > 0) {
		add(w, vy_arena_printf(w->a, "--max-budget-usd=%.6f", l->budget_usd));
	}
}

static const char **environment(const char *auth, struct vy_arena *a)
{
	struct words w = words_new(a);

	add(&w, "DISABLE_AUTOUPDATER=1");
	add(&w, "CLAUDE_CODE_ENABLE_TODO_TOOLS=1");
	add(&w, "CLAUDE_CODE_ENABLE_TASKS=0"); /* one list, said whole: TodoWrite */
	add(&w, "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1"); /* files can go back, too */
	if (strcmp(auth, "api-key") == 0) {
		add(&w, "CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR=3");
	} else if (strcmp(auth, "setup-token") == 0) {
		add(&w, "CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR=3");
	}
	return w.v;
}

/* Which conversation: a new one, one it has, or a copy of one as it was at the mark. Going back is a copy,
 * too: in a file with two branches claude goes on with the older one when it was killed. */
static void add_session(struct words *w, const struct provider_launch *l)
{
	struct vy_str id = l->agent_id.n ? l->agent_id : l->session;
	bool is_copy = l->fork_of.n && !l->is_resume;

	if (is_copy) {
		add_with(w, "--resume", l->fork_of);
		add(w, "--fork-session");
	}
	add_with(w, l->is_resume ? "--resume" : "--session-id", id);
	if (l->mark.n && is_copy) {
		add_with(w, "--resume-session-at", l->mark);
	}
}

static int claude_launch(const struct provider_launch *l, struct provider_spawn *out,
	struct vy_arena *a, struct vy_err *e)
{
	const char *bad = claude_bad_arg(l->conf->args, a);
	const char *auth = l->auth ? l->auth : auth_of(l->conf);
	char secret[AUTH_SECRET_MAX];
	struct words w = words_new(a);

	if (bad) {
		return vy_fail(
			e, VY_DENIED, "args= in [provider.%s] may not hold %s", l->conf->name, bad);
	}
	if (l->mode.n && !claude_mode_is_ours(l->mode)) {
		return vy_fail(e, VY_BAD_INPUT, "there is no mode \"%.*s\"", VY_STR_ARG(l->mode));
	}
	add(&w, program(l->conf));
	add(&w, "--output-format");
	add(&w, "stream-json");
	add(&w, "--verbose");
	add(&w, "--input-format");
	add(&w, "stream-json");
	add(&w, "--permission-prompt-tool");
	add(&w, "stdio");
	add(&w, "--include-partial-messages");
	add_with(&w, "--permission-mode", l->mode.n ? l->mode : VY_STR_LIT("default"));
	add_settings(&w, l);
	if (l->model.n) {
		add_with(&w, "--model", l->model);
	}
	add_session(&w, l);
	add_args(&w, l->conf->args);
	add_bounds(&w, l);
	out->argv = w.v;
	out->env = environment(auth, a);
	out->secret_name =
		auth_secret(l->conf, auth, secret) ? vy_arena_printf(a, "%s", secret) : NULL;
	return 0;
}

/* ---- the doors ---- */

static struct claude *of(struct agent *a)
{
	return (struct claude *)(void *)a;
}

struct agent *claude_agent_new(const struct provider_launch *l)
{
	return (struct agent *)(void *)claude_new(l);
}

void claude_agent_free(struct agent *a)
{
	claude_free(of(a));
}

void claude_agent_line(
	struct agent *a, enum agent_stream stream, struct vy_str line, struct agent_out *out)
{
	claude_line(of(a), stream, line, out);
}

void claude_agent_command(struct agent *a, const struct agent_command *cmd, struct agent_out *out)
{
	claude_command(of(a), cmd, out);
}

void claude_agent_line_too_long(
	struct agent *a, int64_t bytes, struct vy_str head, struct agent_out *out)
{
	claude_line_too_long(of(a), bytes, head, out);
}

void claude_agent_exited(struct agent *a, int status, int signo, struct agent_out *out)
{
	claude_exited(of(a), status, signo, out);
}

void claude_agent_encode(const struct agent *a, struct vy_jw *w)
{
	claude_encode((const struct claude *)(const void *)a, w);
}

struct agent *claude_agent_decode(const struct vy_json *v, struct vy_err *e)
{
	return (struct agent *)(void *)claude_decode(v, e);
}

const struct provider_ops claude_ops = {
	.memory = "CLAUDE.md",
	.memory_user = ".claude/CLAUDE.md",
	.kind = "claude",
	.tested = CLAUDE_TESTED,
	.is_paid = true,
	.knows_built_in = true,
	.missing = claude_missing,
	.bad_arg = claude_bad_arg,
	.launch = claude_launch,
	CLAUDE_SPEAKS,
	.caps.has_transcripts = true,
};
