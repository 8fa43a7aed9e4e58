/* claude_test.c -- the driver of claude, line by line, without a claude.
 *
 * What it tells of lines is in scenarios (scenario.h); its words, parts and rules are here. */
#include "tests/check.h"

#include "server/provider/brief.h"
#include "server/provider/claude.h"
#include "server/provider/claude_parts.h"
#include "server/provider/claude_rules.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/server/provider/scenario.h"
#include "shared/base/ban.h"

static void test_scenarios(void **state)
{
	(void)state;
	scenarios_play(&claude_ops);
}

/* ---- a delta that is too long for a frame ---- */

static void test_long_deltas(void **state)
{
	static const struct {
		const char *name, *unit;
		size_t n, pieces;
	} rows[] = {
		{ "just fits", "x", VY_FRAME_TEXT_MAX, 1 },
		{ "one more", "x", VY_FRAME_TEXT_MAX + 1, 2 },
		{ "between characters", "é", VY_FRAME_TEXT_MAX / 2 + 1, 2 },
		{ "what JSON spells long", "\x01", VY_FRAME_TEXT_MAX, 2 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);
		size_t pieces = 0, sum = 0;

		for (size_t k = 0; k < rows[i].n; k++) {
			vy_buf_adds(&text, rows[i].unit);
		}
		for (struct vy_str rest = vy_buf_str(&text); rest.n; pieces++) {
			size_t n = brief_piece(rest);

			assert_in_range(n, 1, VY_FRAME_TEXT_MAX);
			assert_true(rest.n == n || (rest.p[n] & 0xC0) != 0x80);
			sum += n;
			rest = vy_str_from(rest, n);
		}
		check_int(rows[i].name, (long long)pieces, (long long)rows[i].pieces);
		check_int(rows[i].name, (long long)sum, (long long)text.len);
	}
}

/* ---- a compound command, part by part ---- */

static void test_parts(void **state)
{
	static const struct {
		const char *name, *command, *rules, *want; /* rules: contents with "|" between */
	} rows[] = {
		{ "one part", "npm test", "npm test:*", "" },
		{ "each has its rule", "npm test && npm run lint", "npm test|npm run:*",
			"npm test=Bash(npm test); npm run lint=Bash(npm run:*)" },
		{ "one has none", "git status; rm -rf x", "git status:*",
			"git status=Bash(git status:*); rm -rf x" },
		{ "a prefix ends at a word", "npm tests | cat", "npm test:*", "npm tests; cat" },
		{ "one in a substitution", "echo $(curl x) > out", "echo *",
			"curl x; echo $(curl x) > out=Bash(echo *)" },
		{ "quotes are kept apart", "grep 'a b' f && true", "true",
			"grep 'a b' f; true=Bash(true)" },
		{ "exact is exact", "ls -l && ls", "ls", "ls -l; ls=Bash(ls)" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_JSON *rules = vy_json_new_arr();
		VY_AUTO_BUF got = VY_BUF_INIT(65536);
		char *copy = vy_strdup(rows[i].rules), *rest = copy, *content;
		struct vy_arena a;

		while ((content = strsep(&rest, "|"))) {
			struct vy_json *rule = vy_json_new_obj();

			vy_json_set_c(rule, "toolName", "Bash");
			vy_json_set_c(rule, "ruleContent", content);
			vy_json_add_take(rules, rule);
		}
		vy_arena_init(&a);
		VY_AUTO_JSON *parts = claude_parts(vy_str_c(rows[i].command), rules, &a);

		for (size_t k = 0; k < vy_json_len(parts); k++) {
			const struct vy_json *p = vy_json_at(parts, k);
			const char *rule = vy_json_cstr(p, "rule");

			vy_buf_addf(&got, "%s%s%s%s", k ? "; " : "", vy_json_cstr(p, "text"),
				rule ? "=" : "", rule ? rule : "");
		}
		check_str(rows[i].name, vy_buf_c(&got), rows[i].want);
		vy_arena_fini(&a);
		free(copy);
	}
}

/* ---- rules that may be stored ---- */

static void test_rules(void **state)
{
	static const struct {
		const char *rule;
		bool is_rule, is_allowed;
	} rows[] = {
		{ "Bash(npm test)", true, true },
		{ "Bash(npm test:*)", true, true },
		{ "Bash", true, false },
		{ "Bash(*)", true, false },
		{ "Bash(:*)", true, false },
		{ "Bash( * )", true, false },
		{ "*", true, false },
		{ "WebSearch", true, true },
		{ "mcp__host__greet", true, false },
		{ "Edit(src/**)", true, true },
		{ "Edit(/src/**)", true, true },
		{ "Edit(//w/src/**)", true, true },
		{ "Edit(//etc/**)", true, false },
		{ "Edit(//w/../etc/**)", true, false },
		{ "Edit(../x)", true, false },
		{ "Edit(~/x)", true, false },
		{ "Edit", true, false },
		{ "Read(//w)", true, true },
		{ "Read(//wrong)", true, false },
		{ "Bash(", false, false },
		{ "Bash()", false, false },
		{ "(x)", false, false },
		{ "", false, false },
		{ "a b(x)", true, false },
		{ "Bash(bash:*)", true, false },
		{ "Bash(bash -c:*)", true, false },
		{ "Bash(/bin/sh -c *)", true, false },
		{ "Bash(sudo env:*)", true, false },
		{ "Bash(sudo apt-get update)", true, true },
		{ "Bash(bash tests/run.sh:*)", true, true },
		{ "Bash(eval:*)", true, false },
		{ "Monitor", true, false },
		{ "Bash(systemd-run:*)", true, false },
		{ "Bash(vyre-tui answer:*)", true, false },
		{ "Bash(vyre-tui ls)", true, true },
		{ "Bash(rm -rf /)", true, false },
		{ "Bash(rm -rf build)", true, true },
		{ "Bash(git config core.hooksPath:*)", true, false },
		{ "Bash(claude --dangerously-skip-permissions:*)", true, false },
		{ "Edit(.claude/**)", true, false },
		{ "Edit(/.claude/settings.json)", true, false },
		{ "Edit(//w/.mcp.json)", true, false },
		{ "Write(.git/hooks/**)", true, false },
		{ "Read(.claude/**)", true, true },
		{ "Edit(.claude/skills/**)", true, true },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_JSON *rule = claude_rule_parse(vy_str_c(rows[i].rule));
		VY_AUTO_BUF b = VY_BUF_INIT(1024);

		check_int(rows[i].rule, rule != NULL, rows[i].is_rule);
		check_int(rows[i].rule, rule && claude_rule_is_allowed(rule, VY_STR_LIT("/w")),
			rows[i].is_allowed);
		if (rule) {
			claude_rule_print(rule, &b);
			check_vstr(rows[i].rule, vy_buf_str(&b), vy_str_c(rows[i].rule));
		}
	}
}

/* ---- the launch ---- */

static void join(const char *const *words, struct vy_buf *b)
{
	for (size_t i = 0; words[i]; i++) {
		vy_buf_addf(b, "%s%s", i ? " " : "", words[i]);
	}
}

static const struct provider_conf as_it_is = { .name = "claude", .kind = "claude" },
				  of_ones_own = { .name = "work",
					  .kind = "claude",
					  .command = "/opt/claude",
					  .args = " --effort=low  --x ",
					  .auth = "api-key" };
static const struct {
	const char *name;
	const struct provider_conf *conf;
	bool is_resume, is_trusted;
	const char *agent_id, *model, *mode, *want, *secret, *fork_of, *mark;
	bool is_job;
} launches[] = {
	{ "new, untrusted", &as_it_is, false, false, "", "", "",
		"claude --output-format stream-json --verbose --input-format stream-json "
		"--permission-prompt-tool stdio --include-partial-messages "
		"--permission-mode=default "
		"--setting-sources=user --strict-mcp-config --session-id=s",
		NULL },
	{ "resumed, trusted", &as_it_is, true, true, "other", "opus", "plan",
		"claude --output-format stream-json --verbose --input-format stream-json "
		"--permission-prompt-tool stdio --include-partial-messages "
		"--permission-mode=plan "
		"--setting-sources=user,project,local --model=opus --resume=other",
		NULL },
	{ "back in its history: a copy up to the mark", &as_it_is, false, false, "fresh", "", "",
		"claude --output-format stream-json --verbose --input-format stream-json "
		"--permission-prompt-tool stdio --include-partial-messages "
		"--permission-mode=default "
		"--setting-sources=user --strict-mcp-config --resume=old --fork-session "
		"--session-id=fresh --resume-session-at=mark",
		NULL, "old", "mark" },
	{ "a copy of all, once it is there", &as_it_is, true, false, "fresh", "", "",
		"claude --output-format stream-json --verbose --input-format stream-json "
		"--permission-prompt-tool stdio --include-partial-messages "
		"--permission-mode=default "
		"--setting-sources=user --strict-mcp-config --resume=fresh",
		NULL, "old", "mark" },
	{ "where it stands is no way back", &as_it_is, true, false, "own", "", "",
		"claude --output-format stream-json --verbose --input-format stream-json "
		"--permission-prompt-tool stdio --include-partial-messages "
		"--permission-mode=default "
		"--setting-sources=user --strict-mcp-config --resume=own",
		NULL, NULL, "mark" },
	{ "a job, in a folder that is trusted", &as_it_is, false, true, "", "", "",
		"claude --output-format stream-json --verbose --input-format stream-json "
		"--permission-prompt-tool stdio --include-partial-messages "
		"--permission-mode=default "
		"--setting-sources= --strict-mcp-config --session-id=s",
		NULL, NULL, NULL, true },
	{ "of one's own", &of_ones_own, false, false, "", "", "",
		"/opt/claude --output-format stream-json --verbose --input-format "
		"stream-json "
		"--permission-prompt-tool stdio --include-partial-messages "
		"--permission-mode=default "
		"--setting-sources=user --strict-mcp-config --session-id=s --effort=low "
		"--x",
		"work" },
};

static void test_launch(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(launches); i++) {
		VY_AUTO_BUF argv = VY_BUF_INIT(65536), env = VY_BUF_INIT(65536);
		struct provider_spawn spawn;
		struct vy_arena a;
		struct provider_launch l = { .conf = launches[i].conf,
			.session = VY_STR_LIT("s"),
			.agent_id = vy_str_c(launches[i].agent_id),
			.is_resume = launches[i].is_resume,
			.fork_of = vy_str_c(launches[i].fork_of),
			.mark = vy_str_c(launches[i].mark),
			.is_trusted = launches[i].is_trusted,
			.is_job = launches[i].is_job,
			.model = vy_str_c(launches[i].model),
			.mode = vy_str_c(launches[i].mode) };

		vy_arena_init(&a);
		assert_int_equal(claude_ops.launch(&l, &spawn, &a, NULL), 0);
		join(spawn.argv, &argv);
		join(spawn.env, &env);
		check_str(launches[i].name, vy_buf_c(&argv), launches[i].want);
		check_str(launches[i].name, spawn.secret_name, launches[i].secret);
		assert_int_equal(strstr(vy_buf_c(&env), "FILE_DESCRIPTOR=3") != NULL,
			launches[i].secret != NULL);
		vy_arena_fini(&a);
	}
}

/* Behind all else, so that args= cannot take a bound away. */
static void test_bounds(void **state)
{
	static const struct provider_conf conf = {
		.name = "claude", .kind = "claude", .args = "--tools=default --max-budget-usd=9"
	};
	static const struct {
		const char *name, *tools;
		double budget;
		bool is_trusted;
		const char *want;
	} rows[] = {
		{ "none", NULL, 0, true, "" },
		{ "a budget", NULL, 0.25, true, " --max-budget-usd=0.250000" },
		{ "tools, and so no servers", "[\"Read\",\"Bash\"]", 0, true,
			" --tools=Read,Bash --strict-mcp-config" },
		{ "no tools", "[]", 0, true, " --tools= --strict-mcp-config" },
		{ "a server's", "[\"Read\",\"mcp__a__b\"]", 0, true, " --tools=Read,mcp__a__b" },
		{ "the servers are left out anyway", "[\"Read\"]", 1, false,
			" --tools=Read --max-budget-usd=1.000000" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF argv = VY_BUF_INIT(65536);
		VY_AUTO_JSON *tools =
			rows[i].tools ? vy_json_parse(vy_str_c(rows[i].tools), NULL) : NULL;
		struct provider_spawn spawn;
		struct vy_arena a;
		struct provider_launch l = { .conf = &conf,
			.session = VY_STR_LIT("s"),
			.is_trusted = rows[i].is_trusted,
			.budget_usd = rows[i].budget,
			.tools = tools };

		vy_arena_init(&a);
		assert_int_equal(claude_ops.launch(&l, &spawn, &a, NULL), 0);
		join(spawn.argv, &argv);
		const char *behind = strstr(vy_buf_c(&argv), "--max-budget-usd=9");

		assert_non_null(behind);
		check_str(rows[i].name, behind + strlen("--max-budget-usd=9"), rows[i].want);
		vy_arena_fini(&a);
	}
}

#define API_KEY "CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR=3"
#define TOKEN   "CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR=3"

/* One credential at a time, by its number alone. */
static void test_credentials(void **state)
{
	static const struct {
		const char *name, *auth, *fallback, *secret, *second; /* of the configuration */
		const char *pays;                                     /* NULL: as it says */
		const char *want_secret, *want_env, *not_env;
	} rows[] = {
		{ "the log-in", NULL, NULL, NULL, NULL, NULL, NULL, NULL, "DESCRIPTOR" },
		{ "said so", "login", NULL, "mine", NULL, NULL, NULL, NULL, "DESCRIPTOR" },
		{ "a token", "setup-token", NULL, NULL, NULL, NULL, "box", TOKEN, API_KEY },
		{ "a key", "api-key", NULL, NULL, NULL, NULL, "box", API_KEY, TOKEN },
		{ "with a name", "api-key", NULL, "k", NULL, NULL, "k", API_KEY, TOKEN },
		{ "the first of two", "login", "api-key", NULL, NULL, "login", NULL, NULL,
			"DESCRIPTOR" },
		{ "the second", "login", "api-key", NULL, NULL, "api-key", "box-api-key", API_KEY,
			TOKEN },
		{ "the second of two secrets", "setup-token", "api-key", "t", "k", "api-key", "k",
			API_KEY, TOKEN },
		{ "the first of two secrets", "setup-token", "api-key", "t", "k", "setup-token",
			"t", TOKEN, API_KEY },
		{ "a token behind a key", "api-key", "setup-token", NULL, NULL, "setup-token",
			"box-setup-token", TOKEN, API_KEY },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct provider_conf conf = { .name = "box",
			.kind = "claude",
			.auth = rows[i].auth,
			.fallback = rows[i].fallback,
			.secret = rows[i].secret,
			.fallback_secret = rows[i].second };
		struct provider_launch l = {
			.conf = &conf, .session = VY_STR_LIT("s"), .auth = rows[i].pays
		};
		VY_AUTO_BUF env = VY_BUF_INIT(65536);
		struct provider_spawn spawn;
		struct vy_arena a;

		vy_arena_init(&a);
		assert_int_equal(claude_ops.launch(&l, &spawn, &a, NULL), 0);
		join(spawn.env, &env);
		check_str(rows[i].name, spawn.secret_name, rows[i].want_secret);
		if (rows[i].want_env && !strstr(vy_buf_c(&env), rows[i].want_env)) {
			fail_msg("%s: %s", rows[i].name, vy_buf_c(&env));
		}
		if (strstr(vy_buf_c(&env), rows[i].not_env)) {
			fail_msg("%s: %s", rows[i].name, vy_buf_c(&env));
		}
		vy_arena_fini(&a);
	}
}

static void test_refused_args(void **state)
{
	static const struct {
		const char *args, *bad;
	} rows[] = {
		{ "--effort=low", NULL },
		{ NULL, NULL },
		{ "--model x --dangerously-skip-permissions", "--dangerously-skip-permissions" },
		{ "--permission-mode=bypassPermissions", "--permission-mode=bypassPermissions" },
		{ "--bare", "--bare" },
		{ "-c", "-c" },
		{ "--continuous", NULL },
		{ "  --setting-sources=project", "--setting-sources=project" },
	};
	struct vy_arena a;

	(void)state;
	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct provider_conf conf = {
			.name = "claude", .kind = "claude", .args = rows[i].args
		};
		struct provider_launch l = { .conf = &conf, .session = VY_STR_LIT("s") };
		struct provider_spawn spawn;
		struct vy_err e = { 0 };

		check_str(rows[i].args ? rows[i].args : "none",
			claude_ops.bad_arg(rows[i].args, &a), rows[i].bad);
		assert_int_equal(claude_ops.launch(&l, &spawn, &a, &e) < 0, rows[i].bad != NULL);
		assert_int_equal(e.code, rows[i].bad ? VY_DENIED : VY_OK);
	}
	vy_arena_fini(&a);
}

static void test_missing(void **state)
{
	static const struct provider_conf sh = { .name = "x", .kind = "claude", .command = "sh" },
					  path = { .name = "x",
						  .kind = "claude",
						  .command = "/bin/sh" },
					  none = { .name = "x",
						  .kind = "claude",
						  .command = "/nonexistent/claude" },
					  plain = { .name = "claude", .kind = "claude" };
	struct vy_arena a;

	(void)state;
	vy_arena_init(&a);
	assert_null(claude_ops.missing(&sh, "/nonexistent:/bin", &a));
	assert_null(claude_ops.missing(&path, NULL, &a));
	assert_non_null(strstr(claude_ops.missing(&none, "/bin", &a), "/nonexistent/claude"));
	assert_non_null(strstr(claude_ops.missing(&plain, "/nonexistent::", &a), "npm install -g"));
	assert_non_null(claude_ops.missing(&plain, NULL, &a));
	vy_arena_fini(&a);
}

/* ---- a state that is none ---- */

static void test_bad_states(void **state)
{
	static const char *const rows[] = { "null", "[]", "{}", "{\"v\":99}", "{\"v\":1,\"who\":7}",
		"{\"v\":1,\"calls\":[7]}", "{\"v\":1,\"calls\":{}}",
		"{\"v\":1,\"calls\":[{\"id\":[]}]}", "{\"v\":1,\"in_turn\":\"yes\"}",
		"{\"v\":1,\"cost\":\"much\"}" };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_JSON *v = vy_json_parse(vy_str_c(rows[i]), NULL);
		struct vy_err e = { 0 };

		if (claude_ops.decode(v, &e) || e.code != VY_CORRUPT) {
			fail_msg("%s was taken for a state", rows[i]);
		}
	}
}

CHECK_MAIN(CHECK_TEST(test_scenarios), CHECK_TEST(test_long_deltas), CHECK_TEST(test_parts),
	CHECK_TEST(test_rules), CHECK_TEST(test_launch), CHECK_TEST(test_bounds),
	CHECK_TEST(test_credentials), CHECK_TEST(test_refused_args), CHECK_TEST(test_missing),
	CHECK_TEST(test_bad_states))
