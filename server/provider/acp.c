/* acp.c -- see acp.h. */
#include "server/provider/acp.h"

#include <string.h>
#include <unistd.h>

#include "server/provider/acp_wire.h"
#include "shared/base/ban.h"

#define WORDS_MAX 128

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

static const char *missing(const struct provider_conf *conf, const char *path, struct vy_arena *a)
{
	const char *name = conf->command;

	if (!name || !*name) {
		return vy_arena_printf(a,
			"[provider.%s] does not say which program it is: give it command=, and "
			"args= for what makes it speak the Agent Client Protocol.",
			conf->name);
	}
	if (strchr(name, '/') ? access(name, X_OK) == 0 : is_in_path(name, path, a)) {
		return NULL;
	}
	return vy_arena_printf(
		a, "%s, named by command= in [provider.%s], is no program here.", name, conf->name);
}

/* ---- how it is started ---- */

/* Beside what asks nobody in any agent's words: what does so in those of the agents we know. */
static const char *const refused[] = { "-y", "--approval-mode", "--auto" };

static const char *bad_arg(const char *args, struct vy_arena *a)
{
	return provider_bad_arg(args, refused, VY_COUNT(refused), a);
}

static int launch(const struct provider_launch *l, struct provider_spawn *out, struct vy_arena *a,
	struct vy_err *e)
{
	const char *bad = bad_arg(l->conf->args, a), *args = l->conf->args;
	const char **argv = vy_arena_calloc(a, WORDS_MAX + 1, sizeof(char *));
	size_t n = 0;

	if (!l->conf->command || !*l->conf->command) {
		return vy_fail(e, VY_BAD_INPUT, "[provider.%s] has no command=", l->conf->name);
	}
	if (bad) {
		return vy_fail(
			e, VY_DENIED, "args= in [provider.%s] may not hold %s", l->conf->name, bad);
	}
	argv[n++] = l->conf->command;
	while (args && *args && n < WORDS_MAX) {
		size_t len = strcspn(args, " \t");

		if (len) {
			argv[n++] = vy_arena_dup(a, args, len);
		}
		args += len + strspn(args + len, " \t");
	}
	out->argv = argv;
	out->env = vy_arena_calloc(a, 1, sizeof(char *));
	out->secret_name = NULL;
	return 0;
}

/* ---- the doors ---- */

static struct acp *of(struct agent *a)
{
	return (struct acp *)(void *)a;
}

static struct agent *agent_new(const struct provider_launch *l)
{
	return (struct agent *)(void *)acp_new(l);
}

static void agent_free(struct agent *a)
{
	acp_free(of(a));
}

static void agent_line(
	struct agent *a, enum agent_stream stream, struct vy_str line, struct agent_out *out)
{
	acp_line(of(a), stream, line, out);
}

static void agent_command(struct agent *a, const struct agent_command *cmd, struct agent_out *out)
{
	acp_command(of(a), cmd, out);
}

static void agent_too_long(
	struct agent *a, int64_t bytes, struct vy_str head, struct agent_out *out)
{
	acp_line_too_long(of(a), bytes, head, out);
}

static void agent_exited(struct agent *a, int status, int signo, struct agent_out *out)
{
	acp_exited(of(a), status, signo, out);
}

static void agent_encode(const struct agent *a, struct vy_jw *w)
{
	acp_encode((const struct acp *)(const void *)a, w);
}

static struct agent *agent_decode(const struct vy_json *v, struct vy_err *e)
{
	return (struct agent *)(void *)acp_decode(v, e);
}

const struct provider_ops acp_ops = {
	.kind = "acp",
	.tested = ACP_TESTED,
	.caps = { .can_stream = true,
		.can_interrupt = true,
		.can_take_back = true,
		.can_resume = true,
		.can_ask = true,
		.can_question = true,
		.can_plan = true,
		.can_images = true,
		.can_model = true,
		.has_modes = true,
		.has_effort = true },
	.missing = missing,
	.bad_arg = bad_arg,
	.launch = launch,
	.new = agent_new,
	.free = agent_free,
	.line = agent_line,
	.command = agent_command,
	.line_too_long = agent_too_long,
	.exited = agent_exited,
	.encode = agent_encode,
	.decode = agent_decode,
};
