/* codex.c -- see codex.h. */
#include "server/provider/codex.h"

#include <string.h>
#include <unistd.h>

#include "server/provider/auth.h"
#include "server/provider/codex_say.h"
#include "server/provider/codex_wire.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

/* ---- where it is ---- */

static bool is_in_path(const char *name, const char *path, struct vy_arena *a)
{
	while (path && *path) {
		size_t n = strcspn(path, ":");

		if (n > 0 && access(vy_arena_printf(a, "%.*s/%s", (int)n, path, name), X_OK) == 0) {
			return true;
		}
		path += n + (path[n] == ':');
	}
	return false;
}

static const char *program(const struct provider_conf *conf)
{
	return conf && conf->command && *conf->command ? conf->command : "codex";
}

static const char *codex_missing(
	const struct provider_conf *conf, const char *path, struct vy_arena *a)
{
	const char *name = program(conf);

	if (strchr(name, '/') ? access(name, X_OK) == 0 : is_in_path(name, path, a)) {
		return NULL;
	}
	if (strcmp(name, "codex") != 0) {
		return vy_arena_printf(a,
			"%s, named by command= in [provider.%s], is no program here.", name,
			conf->name);
	}
	return vy_arena_printf(a,
		"Codex is not installed. Get it with `npm install -g @openai/codex`, or name it by "
		"command= in [provider.%s].",
		conf ? conf->name : "codex");
}

/* ---- how it is started ---- */

/* What args= must not say: flags that take asks, sandbox or trust away, or that lead to another
 * wire. */
static const char *const refused[] = { "--approve-for-me", "--sandbox", "-s", "--ask-for-approval",
	"-a", "--profile", "-p", "--listen", "--remote", "--remote-auth-token-env", "--add-dir",
	"--cd", "-C", "--worktree", "--startup-client-info", "--startup-sign-out",
	"--code-mode-host" };

/* Keys of the configuration that do the same. */
static const char *const refused_keys[] = { "approval", "sandbox", "permission", "profile", "hook",
	"trust_level", "exec_policy", "rules" };

static bool holds(struct vy_str s, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= s.n; i++) {
		if (memcmp(s.p + i, word, n) == 0) {
			return true;
		}
	}
	return false;
}

/* "key=value" of -c; the key may be quoted and dotted. A value that is a table is all of its keys. */
static bool is_bad_setting(struct vy_str s)
{
	const char *eq = s.n ? memchr(s.p, '=', s.n) : NULL;
	bool has_table = holds(s, "{");
	struct vy_str key = eq && !has_table ? vy_str_n(s.p, (size_t)(eq - s.p)) : s;

	for (size_t i = 0; i < VY_COUNT(refused_keys); i++) {
		if (holds(key, refused_keys[i])) {
			return true;
		}
	}
	return holds(key, "\\"); /* a name spelled so that nobody reads it */
}

static struct vy_str next_word(const char **args)
{
	*args += strspn(*args, " \t");
	struct vy_str w = vy_str_n(*args, strcspn(*args, " \t"));

	*args += w.n;
	return w;
}

static bool is_refused_flag(struct vy_str w)
{
	const char *eq = w.n ? memchr(w.p, '=', w.n) : NULL;
	struct vy_str name = eq ? vy_str_n(w.p, (size_t)(eq - w.p)) : w;
	bool is_short = w.n > 2 && w.p[0] == '-' && w.p[1] != '-';

	for (size_t i = 0; i < VY_COUNT(refused); i++) {
		if (vy_str_is(name, refused[i]) ||
			(is_short && strlen(refused[i]) == 2 && vy_str_starts(w, refused[i]))) {
			return true;
		}
	}
	return false;
}

/* A word without a dash is a value of the flag before it, or a command of another kind. */
static const char *codex_bad_arg(const char *args, struct vy_arena *a)
{
	static const char *const with_value[] = { "--enable", "--disable" };
	bool wants_setting = false, wants_value = false;

	while (args && args[strspn(args, " \t")]) {
		struct vy_str w = next_word(&args), setting = { NULL, 0 };
		bool is_value = wants_value, is_setting = wants_setting;

		wants_setting = vy_str_is(w, "-c") || vy_str_is(w, "--config");
		wants_value = false;
		for (size_t i = 0; i < VY_COUNT(with_value) && !is_value && !is_setting; i++) {
			wants_value |= vy_str_is(w, with_value[i]);
		}
		if (is_setting) {
			setting = w;
			wants_setting = false;
		} else if (vy_str_starts(w, "--config=")) {
			setting = vy_str_from(w, 9);
		} else if (vy_str_starts(w, "-c")) {
			setting = vy_str_from(w, 2);
		} else if (!is_value && (w.p[0] != '-' || is_refused_flag(w))) {
			return vy_arena_dup(a, w.p, w.n);
		}
		if (is_bad_setting(setting)) {
			return vy_arena_dup(a, setting.p, setting.n);
		}
		if (provider_bypass(w)) {
			return vy_arena_dup(a, w.p, w.n);
		}
	}
	return NULL;
}

#define WORDS_MAX 128

static int codex_launch(const struct provider_launch *l, struct provider_spawn *out,
	struct vy_arena *a, struct vy_err *e)
{
	const char *bad = codex_bad_arg(l->conf->args, a), *rest = l->conf->args;
	const char *auth = l->auth ? l->auth : auth_of(l->conf);
	size_t n = 0;

	if (bad) {
		return vy_fail(
			e, VY_DENIED, "args= in [provider.%s] may not hold %s", l->conf->name, bad);
	}
	if (l->mode.n && !codex_mode_is_ours(l->mode)) {
		return vy_fail(e, VY_BAD_INPUT, "there is no mode \"%.*s\"", VY_STR_ARG(l->mode));
	}
	/* Its key is an entry of its environment, which every command it runs could read, or of a
	 * file of its own: that one it writes itself. */
	if (strcmp(auth, "login") != 0) {
		return vy_fail(e, VY_BAD_INPUT,
			"Codex takes a key only by its own login: set auth=login in [provider.%s], "
			"and "
			"run `codex login --with-api-key` in a terminal once",
			l->conf->name);
	}
	out->argv = vy_arena_calloc(a, WORDS_MAX + 1, sizeof(char *));
	out->argv[n++] = program(l->conf);
	out->argv[n++] = "app-server";
	out->argv[n++] = "-c";
	out->argv[n++] = "tools.update_plan.enabled=true"; /* off in itself (A5) */
	while (rest && rest[strspn(rest, " \t")] && n < WORDS_MAX) {
		struct vy_str w = next_word(&rest);

		out->argv[n++] = vy_arena_dup(a, w.p, w.n);
	}
	out->env = vy_arena_calloc(a, 1, sizeof(char *));
	out->secret_name = NULL;
	return 0;
}

/* ---- the doors ---- */

static struct codex *of(struct agent *a)
{
	return (struct codex *)(void *)a;
}

static struct agent *agent_new(const struct provider_launch *l)
{
	return (struct agent *)(void *)codex_new(l);
}

static void agent_free(struct agent *a)
{
	codex_free(of(a));
}

static void agent_line(
	struct agent *a, enum agent_stream stream, struct vy_str line, struct agent_out *out)
{
	codex_line(of(a), stream, line, out);
}

static void agent_command(struct agent *a, const struct agent_command *cmd, struct agent_out *out)
{
	codex_command_do(of(a), cmd, out);
}

static void agent_line_too_long(
	struct agent *a, int64_t bytes, struct vy_str head, struct agent_out *out)
{
	codex_line_too_long(of(a), bytes, head, out);
}

static void agent_exited(struct agent *a, int status, int signo, struct agent_out *out)
{
	codex_exited(of(a), status, signo, out);
}

static void agent_encode(const struct agent *a, struct vy_jw *w)
{
	codex_encode((const struct codex *)(const void *)a, w);
}

static struct agent *agent_decode(const struct vy_json *v, struct vy_err *e)
{
	return (struct agent *)(void *)codex_decode(v, e);
}

const struct provider_ops codex_ops = {
	.kind = "codex",
	.tested = CODEX_TESTED,
	.memory = "AGENTS.md",
	.memory_user = ".codex/AGENTS.md",
	.compact = "/compact",
	.caps = { .can_stream = true,
		.can_steer = true,
		.can_interrupt = true,
		.can_take_back = true, /* what waits for a turn's end; a steer is taken at once */
		.can_resume = true,
		.can_ask = true,
		.can_question = true, /* in plan mode */
		.can_plan = true,
		.can_images = true,
		.can_model = true,
		.has_modes = true,
		.has_effort = true,
		.can_rewind = true,
		.can_fork = true,
		.can_aside = true,
		.can_task_output = true,
		.has_transcripts = true },
	.missing = codex_missing,
	.bad_arg = codex_bad_arg,
	.launch = codex_launch,
	.new = agent_new,
	.free = agent_free,
	.line = agent_line,
	.command = agent_command,
	.line_too_long = agent_line_too_long,
	.exited = agent_exited,
	.encode = agent_encode,
	.decode = agent_decode,
};
