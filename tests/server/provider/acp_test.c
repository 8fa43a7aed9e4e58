/* acp_test.c -- the driver of the Agent Client Protocol, line by line, without an agent: its scenarios (scenario.h), and
 * every recording of the real agents, each whole and cut at every step (acp_play.h). */
#include "tests/check.h"

#include "server/provider/acp.h"
#include "server/provider/acp_facts.h"
#include "tests/server/provider/acp_play.h"
#include "tests/server/provider/recordings.h"
#include "tests/server/provider/scenario.h"
#include "shared/base/ban.h"

static void test_scenarios(void **state)
{
	(void)state;
	scenarios_play(&acp_ops);
}

/* ---- the recordings ---- */

static void one_recording(const char *name, struct vy_str file)
{
	VY_AUTO_BUF whole = VY_BUF_INIT(RECORDING_MAX), cut = VY_BUF_INIT(RECORDING_MAX);

	acp_play(name, file, false, &whole);
	acp_play(name, file, true, &cut);
	check_vstr(name, vy_buf_str(&cut), vy_buf_str(&whole));
}

static void test_recordings(void **state)
{
	(void)state;
	if (recordings_each("acp", one_recording) == 0) {
		skip();
	}
}

/* ---- tables ---- */

static void test_bypass(void **state)
{
	static const struct {
		const char *id;
		bool is;
	} rows[] = { { "default", false }, { "acceptEdits", false }, { "plan", false },
		{ "build", false }, { "read-only", false }, { "workspace-write", false },
		{ "bypassPermissions", true }, { "yolo", true }, { "dontAsk", true },
		{ "agent-full-access", true }, { "danger-full-access", true } };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if ((provider_bypass(vy_str_c(rows[i].id)) != NULL) != rows[i].is) {
			fail_msg("%s", rows[i].id);
		}
	}
}

static void test_bad_args(void **state)
{
	static const struct {
		const char *args, *bad;
	} rows[] = { { "acp", NULL }, { "--acp", NULL }, { "--acp --yolo", "--yolo" },
		{ "--approval-mode=yolo", "--approval-mode=yolo" },
		{ "--dangerously-skip-permissions acp", "--dangerously-skip-permissions" },
		{ "-c approval_policy=never", "approval_policy=never" }, { "-y", "-y" },
		{ "--yonder", NULL } };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_arena a;

		vy_arena_init(&a);
		check_str(rows[i].args, acp_ops.bad_arg(rows[i].args, &a), rows[i].bad);
		vy_arena_fini(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenarios),
		cmocka_unit_test(test_bypass),
		cmocka_unit_test(test_bad_args),
		cmocka_unit_test(test_recordings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
