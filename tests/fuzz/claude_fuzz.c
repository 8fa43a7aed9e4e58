/* claude_fuzz.c -- whatever claude prints, its driver stays whole: see agent_run.h. */
#include "server/provider/claude.h"
#include "tests/fuzz/agent_run.h"
#include "shared/base/ban.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static bool is_line(const struct vy_json *v)
{
	return vy_json_cstr(v, "type") != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct provider_conf conf = {
		.name = "claude", .kind = "claude", .command = NULL
	};
	const struct provider_launch l = { .conf = &conf,
		.session = VY_STR_LIT("s"),
		.cwd = VY_STR_LIT("/w"),
		.is_trusted = n % 2 };

	agent_run(&claude_ops, &l, is_line, false, vy_str_n((const char *)data, n));
	return 0;
}
