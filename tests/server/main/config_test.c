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
		"queue_after_interrupt=go\nagents_may_start=yes\norphan_hours=2\nterminal_hours=0."
		"5\n",
		NULL },
	{ "provider of a known kind", "[provider.mine]\nkind=claude\ncommand=/opt/claude\n", NULL },
	{ "claude needs no kind", "[provider.claude]\nauth=api-key\n", NULL },
	{ "unknown section", "[serve]\nx=1\n",
		"f:1: no section [serve]: expected server, "
		"sessions, slots, models or provider.NAME" },
	{ "unknown section without a key", "# sessions\n[sesions]\n",
		"f:2: no section [sesions]: expected server, sessions, slots, models or "
		"provider.NAME" },
	{ "a section without a name", "[]\n",
		"f:1: no section []: expected server, sessions, slots, models or provider.NAME" },
	{ "a provider without a name", "[provider.]\nkind=demo\n",
		"f:1: no section [provider.]: expected server, sessions, slots, models or "
		"provider.NAME" },
	{ "a project without a name", "[models.]\n",
		"f:1: no section [models.]: expected server, sessions, slots, models or "
		"provider.NAME" },
	{ "empty sections that there are",
		"[server]\n[sessions] ; none\n[slots]\n[slots.a]\n[models]\n[models.a]\n"
		"[provider.claude] # none\n",
		NULL },
	{ "a bracket that is not closed", "[server\n",
		"f:1: expected [section] and nothing else in its line, got [server" },
	{ "something behind a section", "[server] log_level=debug\n",
		"f:1: expected [section] and nothing else in its line, got [server] "
		"log_level=debug" },
	{ "a long section",
		"[provider.a-name-that-is-longer-than-inih-has-room-for-it]\nkind=demo\n",
		"f:1: the name of this section is longer than 49 bytes" },
	{ "a key of no section", "log_level=debug\n",
		"f:1: expected a section such as [server] before the first key, got log_level" },
	{ "indented lines are lines", "[sessions]\n\tmax_live=3\n\tidle_minutes=-1\n",
		"f:3: idle_minutes: expected a number from 0 to 1000000, got \"-1\"" },
	{ "a mark of UTF-8, ends of lines of DOS", "\xEF\xBB\xBF[server]\r\nlog_level=info\r\n",
		NULL },
	{ "unknown key", "\n[server]\nlissen=x\n",
		"f:3: no key lissen in [server]: expected one of listen, tls_cert, tls_key, "
		"durability, retain_hours, resume_wait_seconds, log_level" },
	{ "a number is wanted", "[sessions]\nmax_live=many\n",
		"f:2: max_live: expected a whole number from 0 to 1000000, got \"many\"" },
	{ "an amount is wanted", "[server]\nretain_hours=-1\n",
		"f:2: retain_hours: expected a number from 0 to 1000000, got \"-1\"" },
	{ "an amount has an end", "[sessions]\norphan_hours=1e12\n",
		"f:2: orphan_hours: expected a number from 0 to 1000000, got \"1e12\"" },
	{ "a user has a name", "[sessions]\nuser=1000\n",
		"f:2: user: expected the name of a user, got \"1000\"" },
	{ "and one alone", "[sessions]\nuser=a b\n",
		"f:2: user: expected the name of a user, got \"a b\"" },
	{ "yes or no", "[sessions]\nwarm_spare=true\n",
		"f:2: warm_spare: expected yes or no, got \"true\"" },
	{ "one of two words", "[server]\ndurability=half\n",
		"f:2: durability: expected normal or full, got \"half\"" },
	{ "after an interrupt", "[sessions]\nqueue_after_interrupt=stop\n",
		"f:2: queue_after_interrupt: expected hold or go, got \"stop\"" },
	{ "after a limit", "[sessions]\nqueue_after_limit=wait\n",
		"f:2: queue_after_limit: expected hold or go, got \"wait\"" },
	{ "who may start", "[sessions]\nagents_may_start=1\n",
		"f:2: agents_may_start: expected yes or no, got \"1\"" },
	{ "idle for how long", "[sessions]\nidle_minutes=ten\n",
		"f:2: idle_minutes: expected a number from 0 to 1000000, got \"ten\"" },
	{ "a wait", "[server]\nresume_wait_seconds=1.5\n",
		"f:2: resume_wait_seconds: expected a whole number from 0 to 1000000, got "
		"\"1.5\"" },
	{ "a level", "[server]\nlog_level=loud\n",
		"f:2: log_level: expected debug, info, warn, error or none, got \"loud\"" },
	{ "an address", "[server]\nlisten=7780\n",
		"f:2: listen: expected ADDRESS:PORT such as 127.0.0.1:7780 or [::1]:7780, got "
		"\"7780\"" },
	{ "an address of all the world", "[server]\nlisten=0.0.0.0:7780\n",
		"f:2: listen: 0.0.0.0:7780 is not this machine alone, and nothing is encrypted "
		"there: listen on 127.0.0.1 and come in through ssh -L, or leave it off" },
	{ "a lock that is not there yet", "[server]\ntls_cert=/etc/cert.pem\n",
		"f:2: tls_cert: this vyred does not speak TLS yet: come in through ssh" },
	{ "and its key", "[server]\ntls_key=/etc/key.pem\n",
		"f:2: tls_key: this vyred does not speak TLS yet: come in through ssh" },
	{ "slots of teammates", "[slots]\nteammate=-1\n",
		"f:2: teammate: expected a whole number from 0 to 1000000, got \"-1\"" },
	{ "slots of a project", "[slots.app]\nsubagent=all\n",
		"f:2: subagent: expected a whole number from 0 to 1000000, got \"all\"" },
	{ "slots of nobody", "[slots]\nmates=1\n",
		"f:2: no key mates in a slots section: expected teammate or subagent" },
	{ "two models", "[models]\nchat=opus sonnet\n",
		"f:2: chat: expected the name of one model, got \"opus sonnet\"" },
	{ "no model", "[models.app]\nplanner=--help\n",
		"f:2: planner: expected the name of one model, got \"--help\"" },
	{ "a log-in", "[provider.claude]\nauth=password\n",
		"f:2: auth: expected login, setup-token or api-key, got \"password\"" },
	{ "a second way to pay", "[provider.claude]\nfallback=api-key\nfallback_secret=mine\n",
		NULL },
	{ "and none", "[provider.claude]\nauth=setup-token\nsecret=box\nfallback=none\n", NULL },
	{ "a second log-in", "[provider.claude]\nauth=api-key\nfallback=login\n",
		"f:3: fallback: expected api-key, setup-token or none, got \"login\"" },
	{ "the same twice", "[provider.claude]\nauth=api-key\nfallback=api-key\n",
		"f:3: fallback: api-key is what auth says already: expected another one, or none" },
	{ "the same twice, the other way round",
		"[provider.claude]\nfallback=api-key\nauth=api-key\n",
		"f:3: fallback: api-key is what auth says already: expected another one, or none" },
	{ "a key in the place of its name",
		"[provider.claude]\nauth=api-key\nsecret=sk-ant-API03\n",
		"f:3: secret: expected the name of a secret, up to 64 of a-z, 0-9, \"-\", \"_\" "
		"and "
		"\".\": what it is, `vyred secret set` reads" },
	{ "a program of some folder", "[provider.claude]\ncommand=bin/claude\n",
		"f:2: command: expected the name of a program or an absolute path, got "
		"\"bin/claude\"" },
	{ "a variable without a name", "[provider.claude]\nenv.=x\n",
		"f:2: env.: expected the name of a variable behind the dot" },
	{ "a key of no provider", "[provider.claude]\nmodel=opus\n",
		"f:2: no key model in [provider.claude]: expected kind, command, args, auth, "
		"secret, fallback, fallback_secret or env.NAME" },
	{ "not a line", "[server]\nlog_level\n",
		"f:2: expected [section], key = value, or a comment" },
	{ "section twice at once", "[server]\nlog_level=info\n[server]\n",
		"f:3: [server] is named twice, first in line 1: put its keys in one place" },
	{ "section twice", "[server]\nlog_level=info\n[models]\nchat=opus\n[server]\nlisten=x\n",
		"f:5: [server] is named twice, first in line 1: put its keys in one place" },
	{ "no such driver", "[provider.x]\nkind=telnet\n",
		"f:2: kind: there is no driver \"telnet\" in this build: expected claude or codex "
		"or acp or demo" },
	{ "provider without a kind", "[provider.x]\ncommand=y\n",
		"f:1: [provider.x] has no kind: say which driver it is" },
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
	assert_null(config_parse("f", VY_STR_LIT("[server]\nlisten=\0x\n"), &e));
	check_str("cut", e.text, "f:2: expected text, got a zero byte");
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
	assert_int_equal(c->slots[1].teammate, 0);
	assert_int_equal(config_slots(c, "subagent", "app"), 2);
	assert_int_equal(config_slots(c, "teammate", "app"), 0);
	assert_int_equal(config_slots(c, "subagent", "web"), 0);
	assert_int_equal(config_slots(c, "subagent", NULL), 8);
	static const struct {
		const char *name, *project, *purpose;
		bool is_said;
		const char *model;
	} said[] = {
		{ "in [models]", NULL, "chat", true, "sonnet" },
		{ "its default", NULL, "job", false, "haiku" },
		{ "in the project's", "app", "chat", true, "haiku" },
		{ "not there", "app", "job", false, NULL },
		{ "no such project", "web", "chat", false, NULL },
		{ "no such purpose", NULL, "night", false, NULL },
	};

	for (size_t i = 0; i < VY_COUNT(said); i++) {
		const char *model;

		check_int(said[i].name,
			config_model_said(c, said[i].project, said[i].purpose, &model),
			said[i].is_said);
		check_str(said[i].name, model, said[i].model);
	}
	const struct provider_conf *p = config_provider(c, "claude");

	check_str("command", p->command, "/c");
	check_str("env", vy_json_cstr(p->env, "EDITOR"), "vi");
	check_str("demo is there", config_provider(c, "demo")->kind, "demo");
	config_free(c);
}

/* Each key of the file, with the default that vyred(8) gives it. */
static void all_have_a_default(void **state)
{
	static const char *const models[] = { "chat", "opus", "agent", "opus", "project", "opus",
		"capsule", "haiku", "job", "haiku", "memory", "haiku", "planner", "haiku", "learn",
		"haiku" };
	struct config *c = config_new();

	(void)state;
	assert_null(c->listen);
	assert_null(c->tls_cert);
	assert_null(c->tls_key);
	assert_null(c->user);
	assert_false(c->is_full_durability);
	assert_true(c->retain_hours == 24 && c->idle_minutes == 10 && c->orphan_hours == 24);
	assert_true(c->terminal_hours == 24);
	check_int("resume_wait_seconds", c->resume_wait_seconds, 60);
	check_int("log_level", c->log_level, VY_LOG_INFO);
	check_int("max_live", c->max_live, 6);
	assert_false(c->warm_spare);
	assert_false(c->agents_may_start);
	assert_false(c->goes_on_after_interrupt);
	check_int("teammate", c->slots[0].teammate, 6);
	check_int("subagent", c->slots[0].subagent, 8);
	for (size_t i = 0; i < VY_COUNT(models); i += 2) {
		check_str(models[i], config_model(c, NULL, models[i]), models[i + 1]);
	}
	for (size_t i = 0; i < c->n_providers; i++) {
		check_str("kind", c->providers[i].kind, c->providers[i].name);
		assert_null(c->providers[i].command);
		assert_null(c->providers[i].args);
		assert_null(c->providers[i].auth);
		assert_null(c->providers[i].env);
	}
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
		cmocka_unit_test(all_have_a_default),
		cmocka_unit_test(a_missing_file_is_the_defaults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
