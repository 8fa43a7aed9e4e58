/* codex_fuzz.c -- whatever codex prints, its driver stays whole: see agent_run.h. */
#include "server/provider/codex.h"
#include "tests/fuzz/agent_run.h"
#include "shared/base/ban.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static bool is_line(const struct vy_json *v)
{
	return vy_json_get(v, "id") || vy_json_cstr(v, "method");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct provider_conf conf = {
		.name = "codex", .kind = "codex", .command = NULL
	};
	const struct provider_launch l = { .conf = &conf,
		.session = VY_STR_LIT("s"),
		.cwd = VY_STR_LIT("/w"),
		.mode = n % 3 ? VY_STR_LIT("default") : VY_STR_LIT("plan"),
		.is_resume = n % 2 };

	agent_run(&codex_ops, &l, is_line, true, vy_str_n((const char *)data, n));
	return 0;
}
