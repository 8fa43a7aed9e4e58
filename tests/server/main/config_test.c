/* config_test.c -- vyred.conf: what is read, what is refused and with which sentence. */
#include <stdlib.h>

#include "server/main/config.h"
#include "tests/check.h"

static const struct {
	const char *name, *text, *error; /* error: NULL when it is good */
} rows[] = {
	{ "empty file", "", NULL },
	{ "comments and blank lines", "# a\n; b\n\n[server]\n# c\n", NULL },
	{ "all of server",
		"[server]\nlisten=127.0.0.1:7780\ndurability=full\nretain_hours=1.5\n"
		"resume_wait_seconds=9\nlog_level=debug\n",
		NULL },
	{ "sessions",
		"[sessions]\nidle_minutes=0\nmax_live=3\nwarm_spare=yes\n"
		"queue_after_interrupt=go\nagents_may_start=yes\norphan_hours=2\n",
		NULL },
	{ "provider of a known kind", "[provider.mine]\nkind=claude\ncommand=/opt/claude\n", NULL },
	{ "claude needs no kind", "[provider.claude]\nauth=api-key\n", NULL },
	{ "unknown section", "[serve]\nx=1\n",
		"f:2: no section [serve]: expected server, "
		"sessions, slots, models or provider.NAME" },
	{ "unknown key", "\n[server]\nlissen=x\n", "f:3: no key lissen in [server]" },
	{ "a number is wanted", "[sessions]\nmax_live=many\n",
		"f:2: max_live: expected a whole number from 0 to 1000000, got \"many\"" },
	{ "an amount is wanted", "[server]\nretain_hours=-1\n",
		"f:2: retain_hours: expected a number from 0 to 1000000, got \"-1\"" },
	{ "an amount has an end", "[sessions]\norphan_hours=1e12\n",
		"f:2: orphan_hours: expected a number from 0 to 1000000, got \"1e12\"" },
	{ "a guard that is not there yet", "[sessions]\nuser=agents\n",
		"f:2: user: this vyred cannot run agents as another user yet" },
	{ "yes or no", "[sessions]\nwarm_spare=true\n",
		"f:2: warm_spare: expected yes or no, got \"true\"" },
	{ "one of two words", "[server]\ndurability=half\n",
		"f:2: durability: expected normal or full, got \"half\"" },
	{ "not a line", "[server]\nlog_level\n",
		"f:2: expected [section], key = value, or a comment" },
	{ "section twice", "[server]\nlog_level=info\n[models]\nchat=opus\n[server]\nlisten=x\n",
		"f:6: [server] is named twice: put its keys in one place" },
	{ "no such driver", "[provider.x]\nkind=telnet\n",
		"f:2: kind: there is no driver \"telnet\" in this build" },
	{ "provider without a kind", "[provider.x]\ncommand=y\n",
		"f:2: [provider.x] has no kind: say which driver it is" },
	{ "bypass flag", "[provider.claude]\nargs=--dangerously-skip-permissions\n",
		"f:2: args: \"skip-permissions\" would take the guard off the agent, which vyre "
		"never does" },
	{ "what the driver says itself", "[provider.mine]\nargs=--debug --resume x\nkind=claude\n",
		"f:3: args: \"--resume\" is not for [provider.mine] to say: vyre gives it itself, "
		"or never" },
	{ "secret in env", "[provider.claude]\nenv.ANTHROPIC_API_KEY=sk\n",
		"f:2: env.ANTHROPIC_API_KEY looks like a secret: keep it with `vyred secret set`, "
		"not in this file" },
	{ "unknown purpose", "[models]\nnight=opus\n",
		"f:2: no purpose night: expected chat, agent, project, capsule, job, memory, "
		"planner "
		"or learn" },
};

static void reads_or_says_why(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_err e = { 0 };
		struct config *c = config_parse("f", vy_str_c(rows[i].text), &e);

		check_str(rows[i].name, c ? "" : e.text, rows[i].error ? rows[i].error : "");
		config_free(c);
	}
}

static void a_long_line_is_refused(void **state)
{
	char text[600];
	struct vy_err e = { 0 };

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_null(config_parse("f", vy_str_c(text), &e));
	check_str("long", e.text, "f:1: this line is longer than 198 bytes");
}

static void values_arrive(void **state)
{
	struct vy_err e = { 0 };
	struct config *c = config_parse("f",
		VY_STR_LIT(
			"[models]\nchat=sonnet\n[models.app]\nchat=haiku\n[slots.app]\nsubagent=2\n"
			"[provider.claude]\ncommand=/c\nargs=--debug\nenv.EDITOR=vi\n"),
		&e);

	(void)state;
	assert_non_null(c);
	check_str("chat", config_model(c, NULL, "chat"), "sonnet");
	check_str("chat in app", config_model(c, "app", "chat"), "haiku");
	check_str("job in app", config_model(c, "app", "job"), "haiku");
	assert_null(config_model(c, NULL, "night"));
	assert_int_equal(c->slots[1].subagent, 2);
	assert_int_equal(c->slots[1].teammate, 6);
	const struct provider_conf *p = config_provider(c, "claude");

	check_str("command", p->command, "/c");
	check_str("env", vy_json_cstr(p->env, "EDITOR"), "vi");
	check_str("demo is there", config_provider(c, "demo")->kind, "demo");
	config_free(c);
}

static void a_missing_file_is_the_defaults(void **state)
{
	struct vy_err e = { 0 };
	struct config *c = config_read("/nonexistent/vyred.conf", false, &e);

	(void)state;
	assert_non_null(c);
	assert_int_equal(c->max_live, 6);
	config_free(c);
	assert_null(config_read("/nonexistent/vyred.conf", true, &e));
	assert_int_equal(e.code, VY_NOT_FOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_or_says_why),
		cmocka_unit_test(a_long_line_is_refused),
		cmocka_unit_test(values_arrive),
		cmocka_unit_test(a_missing_file_is_the_defaults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
