/* codex_test.c -- the driver of Codex, line by line, without a Codex (scenario.h), and its tables:
 * what args= may not hold, how a command is taken out of its shell, forms. */
#include "tests/check.h"

#include "server/provider/codex.h"
#include "server/provider/codex_form.h"
#include "server/provider/codex_result.h"
#include "tests/server/provider/scenario.h"
#include "shared/base/ban.h"

static void test_scenarios(void **state)
{
	(void)state;
	scenarios_play(&codex_ops);
}

/* ---- args= ---- */

static void test_args(void **state)
{
	static const struct {
		const char *name, *args, *bad;
	} rows[] = {
		{ "none", "", "" },
		{ "a model", "-c model=gpt-5.5 --enable x", "" },
		{ "a provider", "-c model_provider=\"mine\" --config=model=\"o3\"", "" },
		{ "no asks, no sandbox", "--dangerously-bypass-approvals-and-sandbox",
			"--dangerously-bypass-approvals-and-sandbox" },
		{ "hooks nobody trusted", "--dangerously-bypass-hook-trust",
			"--dangerously-bypass-hook-trust" },
		{ "of an older release", "--yolo", "--yolo" },
		{ "of another one", "-c model=x --full-auto", "--full-auto" },
		{ "asks of nobody", "--approve-for-me", "--approve-for-me" },
		{ "approval, split", "-c approval_policy=never", "approval_policy=never" },
		{ "approval, joined", "-capproval_policy=\"never\"", "approval_policy=\"never\"" },
		{ "approval, long", "--config approval_policy=never", "approval_policy=never" },
		{ "approval, long and joined", "--config=approval_policy=never",
			"approval_policy=never" },
		{ "approval, quoted", "-c \"approval_policy\"=\"never\"",
			"\"approval_policy\"=\"never\"" },
		{ "approval, in a profile", "-c profiles.x.model=y", "profiles.x.model=y" },
		{ "approval, in a table", "-c x={approval_policy=\"never\"}",
			"x={approval_policy=\"never\"}" },
		{ "approval, spelled", "-c \"\\u0061pproval_policy\"=never",
			"\"\\u0061pproval_policy\"=never" },
		{ "a reviewer", "-c approvals_reviewer=auto_review",
			"approvals_reviewer=auto_review" },
		{ "sandbox", "-c sandbox_mode=danger-full-access",
			"sandbox_mode=danger-full-access" },
		{ "sandbox, its network", "-c sandbox_workspace_write.network_access=true",
			"sandbox_workspace_write.network_access=true" },
		{ "permissions", "-c default_permissions=\":danger-full-access\"",
			"default_permissions=\":danger-full-access\"" },
		{ "sandbox, by flag", "--sandbox=danger-full-access",
			"--sandbox=danger-full-access" },
		{ "sandbox, short and joined", "-sdanger-full-access", "-sdanger-full-access" },
		{ "approval, short", "-a never", "-a" },
		{ "a profile", "-p lax", "-p" },
		{ "another wire", "--listen unix://", "--listen" },
		{ "another command", "daemon", "daemon" },
		{ "a command behind a flag", "--strict-config proxy", "proxy" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_arena a;

		vy_arena_init(&a);
		const char *bad = codex_ops.bad_arg(rows[i].args, &a);

		check_str(rows[i].name, bad ? bad : "", rows[i].bad);
		vy_arena_fini(&a);
	}
}

/* ---- how it is started ---- */

static void test_launch(void **state)
{
	static const struct {
		const char *name, *args, *auth, *mode, *want;
	} rows[] = {
		{ "as it is", NULL, NULL, "",
			"codex app-server -c tools.update_plan.enabled=true" },
		{ "with a word of a person", "-c model=o3", NULL, "plan",
			"codex app-server -c tools.update_plan.enabled=true -c model=o3" },
		{ "with a key", NULL, "api-key", "",
			"! Codex takes a key only by its own login: set auth=login in "
			"[provider.codex], and run `codex login --with-api-key` in a terminal "
			"once" },
		{ "in a mode that is none", NULL, NULL, "never", "! there is no mode \"never\"" },
		{ "with a bypass", "--yolo", NULL, "",
			"! args= in [provider.codex] may not hold --yolo" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		const struct provider_conf conf = {
			.name = "codex", .kind = "codex", .args = rows[i].args, .auth = rows[i].auth
		};
		const struct provider_launch l = { .conf = &conf, .mode = vy_str_c(rows[i].mode) };
		struct provider_spawn spawn = { 0 };
		VY_AUTO_BUF got = VY_BUF_INIT(4096);
		struct vy_err e = { 0 };
		struct vy_arena a;

		vy_arena_init(&a);
		if (codex_ops.launch(&l, &spawn, &a, &e) != 0) {
			vy_buf_addf(&got, "! %s", e.text);
		} else {
			assert_null(spawn.secret_name);
			assert_null(spawn.env[0]);
		}
		for (size_t k = 0; spawn.argv && spawn.argv[k]; k++) {
			vy_buf_addf(&got, "%s%s", k ? " " : "", spawn.argv[k]);
		}
		check_str(rows[i].name, vy_buf_c(&got), rows[i].want);
		vy_arena_fini(&a);
	}
}

static void test_missing(void **state)
{
	const struct provider_conf conf = { .name = "codex", .kind = "codex" };
	struct vy_arena a;

	(void)state;
	vy_arena_init(&a);
	check_str("nowhere", codex_ops.missing(&conf, "/nonexistent", &a),
		"Codex is not installed. Get it with `npm install -g @openai/codex`, or name it by "
		"command= in [provider.codex].");
	vy_arena_fini(&a);
}

/* ---- a command without its shell ---- */

static void test_command(void **state)
{
	static const struct {
		const char *name, *command, *want;
	} rows[] = {
		{ "single quotes", "/bin/bash -lc 'echo hi; ls'", "echo hi; ls" },
		{ "double quotes", "/bin/bash -lc \"echo 'hi' \\$x\"", "echo 'hi' $x" },
		{ "a quote in quotes", "bash -c 'it'\"'\"'s'", "it's" },
		{ "one bare word", "/bin/zsh -lc ls", "ls" },
		{ "more than the command", "bash -lc 'ls' x", "bash -lc 'ls' x" },
		{ "no shell", "git status", "git status" },
		{ "another flag", "bash -x 'ls'", "bash -x 'ls'" },
		{ "nothing inside", "bash -lc ''", "bash -lc ''" },
		{ "a quote that does not end", "bash -lc 'ls", "ls" },
		{ "nothing", "", "" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_arena a;

		vy_arena_init(&a);
		check_vstr(rows[i].name, codex_command(vy_str_c(rows[i].command), &a),
			vy_str_c(rows[i].want));
		vy_arena_fini(&a);
	}
}

/* ---- forms ---- */

static void test_form(void **state)
{
	static const struct {
		const char *name, *schema, *answers, *want;
	} rows[] = {
		{ "a word", "{\"properties\":{\"n\":{\"type\":\"string\",\"title\":\"Name\"}}}",
			"{\"Name\":\"x\"}", "{\"n\":\"x\"}" },
		{ "a number", "{\"properties\":{\"n\":{\"type\":\"integer\"}}}", "{\"n\":\" 12 \"}",
			"{\"n\":12}" },
		{ "no number where one is due", "{\"properties\":{\"n\":{\"type\":\"integer\"}}}",
			"{\"n\":\"many\"}", "{\"n\":\"many\"}" },
		{ "a fraction", "{\"properties\":{\"n\":{\"type\":\"number\"}}}", "{\"n\":\"2.5\"}",
			"{\"n\":2.5}" },
		{ "yes", "{\"properties\":{\"n\":{\"type\":\"boolean\"}}}", "{\"n\":\"Yes\"}",
			"{\"n\":true}" },
		{ "no", "{\"properties\":{\"n\":{\"type\":\"boolean\"}}}", "{\"n\":\"No\"}",
			"{\"n\":false}" },
		{ "a choice", "{\"properties\":{\"n\":{\"enum\":[\"a\",\"b\"]}}}",
			"{\"n\":[\"b\"]}", "{\"n\":\"b\"}" },
		{ "two of the same words",
			"{\"properties\":{\"a\":{\"title\":\"T\"},\"b\":{\"title\":\"T\"}}}",
			"{\"T\":\"1\",\"T (b)\":\"2\"}", "{\"a\":\"1\",\"b\":\"2\"}" },
		{ "not answered", "{\"properties\":{\"n\":{\"type\":\"string\"}}}", "{}", "{}" },
		{ "no schema", "7", "{\"n\":\"x\"}", "{}" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_JSON *schema = vy_json_parse(vy_str_c(rows[i].schema), NULL);
		VY_AUTO_JSON *answers = vy_json_parse(vy_str_c(rows[i].answers), NULL);
		VY_AUTO_BUF got = VY_BUF_INIT(4096);
		struct vy_json *keep = NULL;
		struct vy_arena a;

		vy_arena_init(&a);
		VY_AUTO_JSON *fields = codex_form_fields(schema, &keep, &a);
		VY_AUTO_JSON *content = codex_form_content(keep, answers);

		assert_non_null(fields);
		vy_json_dump(content, &got);
		check_str(rows[i].name, vy_buf_c(&got), rows[i].want);
		vy_json_free(keep);
		vy_arena_fini(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenarios),
		cmocka_unit_test(test_args),
		cmocka_unit_test(test_launch),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_form),
	};

	return cmocka_run_group_tests_name("codex", tests, NULL, NULL);
}
