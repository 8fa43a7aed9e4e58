/* demo.c -- see demo.h: the demo as a provider. Its program begins in demo_main.c. */
#include "server/provider/demo.h"

#include "server/provider/claude.h"
#include "shared/base/ban.h"

static const char *demo_missing(
	const struct provider_conf *conf, const char *path, struct vy_arena *a)
{
	(void)conf;
	(void)path;
	(void)a;
	return NULL;
}

/* It is given none of them; who writes such a word is told so all the same. */
static const char *demo_bad_arg(const char *args, struct vy_arena *a)
{
	return provider_bad_arg(args, NULL, 0, a);
}

/* Its memory is with ours, unless the configuration says where. */
static const char **environment(const struct provider_launch *l, struct vy_arena *a)
{
	const char **env = vy_arena_calloc(a, 2, sizeof(char *));

	if (l->state_dir && !vy_json_get(l->conf->env, "VYRE_DEMO_DIR")) {
		env[0] = vy_arena_printf(a, "VYRE_DEMO_DIR=%s/demo", l->state_dir);
	}
	return env;
}

static int demo_launch(const struct provider_launch *l, struct provider_spawn *out,
	struct vy_arena *a, struct vy_err *e)
{
	struct vy_str mode = l->mode.n ? l->mode : VY_STR_LIT("default");
	struct vy_str id = l->agent_id.n ? l->agent_id : l->session;
	const char **argv = vy_arena_calloc(a, 9, sizeof(char *));
	bool is_copy = l->fork_of.n && !l->is_resume;
	size_t n = 4;

	(void)e;
	argv[0] = l->self;
	argv[1] = "agent-demo";
	argv[2] = vy_arena_printf(a, "--permission-mode=%.*s", VY_STR_ARG(mode));
	argv[3] = vy_arena_printf(
		a, "%s=%.*s", l->is_resume ? "--resume" : "--session-id", VY_STR_ARG(id));
	if (is_copy) {
		argv[n++] = vy_arena_printf(a, "--resume=%.*s", VY_STR_ARG(l->fork_of));
		argv[n++] = "--fork-session";
	}
	if (l->mark.n && is_copy) {
		argv[n++] = vy_arena_printf(a, "--resume-session-at=%.*s", VY_STR_ARG(l->mark));
	}
	if (l->model.n) {
		argv[n] = vy_arena_printf(a, "--model=%.*s", VY_STR_ARG(l->model));
	}
	out->argv = argv;
	out->env = environment(l, a);
	out->secret_name = NULL;
	return 0;
}

const struct provider_ops demo_ops = {
	.memory = "AGENTS.md",
	.kind = "demo",
	.tested = "built in",
	.missing = demo_missing,
	.bad_arg = demo_bad_arg,
	.launch = demo_launch,
	CLAUDE_SPEAKS,
};
