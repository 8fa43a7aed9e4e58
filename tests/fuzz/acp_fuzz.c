/* acp_fuzz.c -- whatever an agent of the Agent Client Protocol prints, its driver stays whole: see agent_run.h. */
#include "server/provider/acp.h"
#include "tests/fuzz/agent_run.h"
#include "shared/base/ban.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static bool is_line(const struct vy_json *v)
{
	return vy_str_is(vy_json_str(v, "jsonrpc"), "2.0");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct provider_conf conf = {
		.name = "acp", .kind = "acp", .command = "agent"
	};
	const struct provider_launch l = { .conf = &conf,
		.session = VY_STR_LIT("s"),
		.cwd = VY_STR_LIT("/w"),
		.is_trusted = n % 2 };

	agent_run(&acp_ops, &l, is_line, false, vy_str_n((const char *)data, n));
	return 0;
}
