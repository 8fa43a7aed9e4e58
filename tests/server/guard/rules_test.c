/* rules_test.c -- what the floor denies, by which rule, and what it must leave alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "server/guard/places.h"
#include "server/guard/rules.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static const struct guard_context context = {
	.cwd = { "/home/u/app", 11 },
	.home = { "/home/u", 7 },
	.state_dir = { "/home/u/.local/state/vyre", 25 },
	.config_file = { "/home/u/.config/vyre/own.conf", 29 },
	.agent_config_dir = { "/home/u/.claude-work", 20 },
};

static const char *rule_of(const char *tool, const char *json, const struct guard_context *c)
{
	static char text[512];
	struct vy_arena a;
	struct vy_json *input = vy_json_parse(vy_str_c(json), NULL);

	assert_non_null(input);
	vy_arena_init(&a);
	struct guard_answer r = guard_check(vy_str_c(tool), input, c, &a);

	if (r.verdict == GUARD_DENY) { /* the person and the agent learn which rule, and of what */
		assert_non_null(r.rule);
		assert_non_null(strstr(r.text, r.rule));
	} else {
		assert_null(r.rule);
	}
	snprintf(text, sizeof(text), "%s", r.rule ? r.rule : "");
	vy_arena_fini(&a);
	vy_json_free(input);
	return text;
}

/* ---- commands ---- */

static const struct {
	const char *command, *rule; /* "": nothing to say */
} commands[] = {
	{ "ls -la && make check", "" },
	{ "cat .claude/settings.json", "" },
	{ "git diff -- .mcp.json", "" },
	{ "echo '{}' > .claude/settings.json", "agent-settings" },
	{ "echo '{}' >> .claude/settings.local.json", "agent-settings" },
	{ "echo x >|.mcp.json", "agent-settings" },
	{ "echo x 2>&1 >.mcp.json", "agent-settings" },
	{ "make 2>&1 | tee log.txt", "" },
	{ "make | tee -a ~/.claude.json", "agent-settings" },
	{ "cp evil.json .claude/settings.json", "agent-settings" },
	{ "cp settings.json .claude/", "agent-settings" },
	{ "cp notes.md .claude/", "" },
	{ "cp -r evil/. .claude", "agent-settings" },
	{ "cp -r src dst", "" },
	{ "mv evil .claude", "agent-settings" },
	{ "mv .claude/settings.json /tmp/", "agent-settings" },
	{ "ln -s /tmp/x .mcp.json", "agent-settings" },
	{ "rm -rf .claude", "agent-settings" },
	{ "rm -rf .claude/skills/old", "" },
	{ "sed -i s/a/b/ .claude/settings.json", "agent-settings" },
	{ "sed -n 1p .claude/settings.json", "" },
	{ "sed -i.bak s/a/b/ src/main.c", "" },
	{ "dd if=x of=.claude/settings.json", "agent-settings" },
	{ "cd .claude && echo '{}' > settings.json", "agent-settings" },
	{ "cd src && echo '{}' > settings.json", "" },
	{ "echo x > settings.json", "" },
	{ "echo x > .claude/sett*.json", "agent-settings" },
	{ "touch ../app/.claude/../.mcp.json", "agent-settings" },
	{ "echo x > $CLAUDE_CONFIG_DIR/settings.json", "agent-settings" },
	{ "echo x > \"$HOME/.claude.json\"", "agent-settings" },
	{ "echo x > ${HOME}/.claude/settings.json", "agent-settings" },
	{ "bash -c 'echo x > .mcp.json'", "agent-settings" },
	{ "bash -lc \"sh -c 'echo x > .mcp.json'\"", "agent-settings" },
	{ "env FOO=1 nohup bash -c 'echo x > .mcp.json' &", "agent-settings" },
	{ "echo $(echo x > .mcp.json)", "agent-settings" },
	{ "echo \"`tee .mcp.json`\"", "agent-settings" },
	{ "(cd / && { echo x > /home/u/app/.mcp.json; })", "agent-settings" },
	{ "if true; then echo x > .mcp.json; fi", "agent-settings" },
	{ "bash <<'EOF'\necho x > .mcp.json\nEOF\n", "agent-settings" },
	{ "cat > README <<EOF\nRun vyre-tui answer 1 allow\nEOF\necho done", "" },
	{ "cat > .mcp.json <<EOF\n{}\nEOF\n", "agent-settings" },
	{ "python3 -c \"open('.claude/settings.json','w').write('{}')\"", "agent-settings" },
	{ "node -e 'fs.writeFileSync(\".mcp.json\", x)'", "agent-settings" },
	{ "python3 -c 'print(1)'", "" },
	{ "eval 'echo x > .mcp.json'", "agent-settings" },
	{ "xargs -n 1 rm -f .mcp.json", "agent-settings" },
	{ "# echo x > .mcp.json", "" },
	{ "echo 'a > .mcp.json'", "" },

	{ "vyre-tui answer abc allow", "answers" },
	{ "/usr/local/bin/vyre-tui --json answer abc allow", "answers" },
	{ "setsid vyre-tui mode acceptEdits", "answers" },
	{ "vyre-tui ls", "" },
	{ "echo vyre-tui answer", "" },
	{ "vyred stop --all", "vyre-control" },
	{ "vyred secret set claude", "vyre-control" },
	{ "vyred --version", "" },
	{ "pkill -9 vyre-holder", "signals" },
	{ "curl --unix-socket ~/.local/state/vyre/vyred.sock http://x/v1/rpc", "answers" },
	{ "curl --unix-socket=/run/vyred.sock http://x/", "vyre-state" },
	{ "curl https://example.invalid/", "" },
	{ "sqlite3 ~/.local/state/vyre/vyre.db .dump", "vyre-state" },
	{ "cat ~/.local/state/vyre/lock", "vyre-state" },
	{ "rm -rf ~/.local/state", "vyre-state" },
	{ "echo x > ~/.config/vyre/vyred.conf", "vyre-configuration" },
	{ "cat ~/.config/vyre/vyred.conf", "" },
	{ "echo x > ~/.config/vyre/own.conf", "vyre-configuration" },
	{ "echo x > ~/.config/vyre/tui.conf", "" },
	{ "rm -r ~/.config/vyre", "vyre-configuration" },
	{ "python3 -c \"connect('/x/vyred.sock')\"", "vyre-state" },

	{ "claude -p hi --dangerously-skip-permissions", "lax-session" },
	{ "claude --permission-mode=bypassPermissions", "lax-session" },
	{ "claude -p hi", "" },
	{ "systemd-run --user sh", "way-out" },
	{ "crontab -l", "" },
	{ "crontab mine", "way-out" },
	{ "tmux send-keys -t 0 y Enter", "way-out" },
	{ "tmux -L x new-window ./me", "way-out" },
	{ "tmux run-shell 'id'", "way-out" },
	{ "ssh localhost id", "way-out" },
	{ "ssh -p 22 me@127.0.0.1", "way-out" },
	{ "ssh build.example.org make", "" },
	{ "gdb -p 4711", "way-out" },
	{ "gdb ./prog core", "" },
	{ "strace -fp 4711", "way-out" },
	{ "strace -p 4711", "way-out" },
	{ "strace -f make", "" },
	{ "reptyr 4711", "way-out" },
	{ "tmux ls", "" },

	{ "rm -rf /", "destruction" },
	{ "sudo rm -rf /*", "destruction" },
	{ "rm -fr ~", "destruction" },
	{ "rm -r -f $HOME/", "destruction" },
	{ "rm -rf ./build", "" },
	{ "rm -rf /tmp/x", "" },
	{ "rm /", "" },
};

static void test_commands(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(commands); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(65536);
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_c(o, "command", commands[i].command);
		vy_json_dump(o, &b);
		vy_json_free(o);
		const char *got = rule_of("Bash", vy_buf_c(&b), &context);

		if (strcmp(got, commands[i].rule) != 0) {
			fail_msg("%s\n\tgot \"%s\", wanted \"%s\"", commands[i].command, got,
				commands[i].rule);
		}
	}
}

/* ---- tools ---- */

static const struct {
	const char *tool, *input, *rule;
} tools[] = {
	{ "Write", "{\"file_path\":\"/home/u/app/src/x.c\"}", "" },
	{ "Write", "{\"file_path\":\".claude/settings.json\"}", "agent-settings" },
	{ "Write", "{\"file_path\":\"/etc/claude/managed-settings.json\"}", "agent-settings" },
	{ "Edit", "{\"file_path\":\"/home/u/app/../app/.mcp.json\"}", "agent-settings" },
	{ "MultiEdit", "{\"file_path\":\"~/.claude.json\"}", "agent-settings" },
	{ "NotebookEdit", "{\"notebook_path\":\"/home/u/.local/state/vyre/x.ipynb\"}",
		"vyre-state" },
	{ "Read", "{\"file_path\":\"/home/u/app/.claude/settings.json\"}", "" },
	{ "Read", "{\"file_path\":\"/home/u/.local/state/vyre/vyre.db\"}", "vyre-state" },
	{ "Grep", "{\"pattern\":\"x\",\"path\":\"/home/u/.local/state/vyre\"}", "vyre-state" },
	{ "Write", "{\"file_path\":\"/home/u/.claude-work/settings.json\"}", "agent-settings" },
	{ "Write", "{\"file_path\":\"/home/u/.claude-work/skills/x.md\"}", "" },
	{ "Write", "{}", "" },
	{ "Write", "{\"file_path\":7}", "" },
	{ "mcp__fs__write", "{\"args\":[{\"path\":\"/home/u/app/.mcp.json\"}]}", "agent-settings" },
	{ "mcp__fs__write", "{\"path\":\"file:///home/u/app/.mcp.json\"}", "agent-settings" },
	{ "mcp__fs__write", "{\"text\":\"about .mcp.json\"}", "" },
	{ "WebFetch", "{\"url\":\"https://x/.mcp.json\"}", "" },
	{ "TodoWrite", "{\"todos\":[{\"content\":\"/home/u/app/.mcp.json\"}]}", "" },
};

static void test_tools(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(tools); i++) {
		const char *got = rule_of(tools[i].tool, tools[i].input, &context);

		if (strcmp(got, tools[i].rule) != 0) {
			fail_msg("%s %s\n\tgot \"%s\", wanted \"%s\"", tools[i].tool,
				tools[i].input, got, tools[i].rule);
		}
	}
}

/* A session without a project has its folder inside Vyre's own: that one is the agent's. */
static void test_own_folder(void **state)
{
	struct guard_context c = context;

	(void)state;
	c.cwd = VY_STR_LIT("/home/u/.local/state/vyre/work/s1");
	assert_string_equal(rule_of("Write", "{\"file_path\":\"notes.md\"}", &c), "");
	assert_string_equal(
		rule_of("Write", "{\"file_path\":\"../s2/notes.md\"}", &c), "vyre-state");
	assert_string_equal(
		rule_of("Bash", "{\"command\":\"cat ../../vyre.db\"}", &c), "vyre-state");
	assert_string_equal(rule_of("Bash", "{\"command\":\"ls; echo x > y\"}", &c), "");
	assert_string_equal(rule_of("Write", "{\"file_path\":\".claude/settings.json\"}", &c),
		"agent-settings");
}

static void test_nothing_known(void **state)
{
	struct guard_context c = { .cwd = { NULL, 0 } };

	(void)state;
	assert_string_equal(rule_of("Bash", "{\"command\":\"ls\"}", &c), "");
	assert_string_equal(
		rule_of("Write", "{\"file_path\":\".mcp.json\"}", &c), "agent-settings");
}

/* ---- hostile lines ---- */

static size_t work_of(const char *piece, size_t n)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
	struct vy_json *input = vy_json_new_obj();
	struct vy_arena a;
	size_t used;

	while (b.len < n) {
		vy_buf_adds(&b, piece);
	}
	vy_json_set_str(input, "command", vy_buf_str(&b));
	vy_arena_init(&a);
	guard_check(VY_STR_LIT("Bash"), input, &context, &a);
	used = a.used;
	vy_arena_fini(&a);
	vy_json_free(input);
	return used;
}

/* What repeats, opens and never closes: four times as long is four times the work, or less. */
static void test_linear(void **state)
{
	static const char *const pieces[] = { "$(", "`", "(", "{ ", "\"$(", "$((", "${x:-", "<(",
		"{a,b}", "$a$b", "a=b;", "x=$x$x;", "if ", "case x in a) ", "<<E ", "\\", "'", "\"",
		"[", "*", "~/.claude/", "../", "/*/", "|", "; ", "f(){ f;};", "bash -c '", "sudo ",
		"eval ", "xargs ", "find . -exec ", "find a -name b -exec c \\; ", "echo a|",
		"cat <<A\n", "python3 -c \"", ".mcp.jsonx ", "for x in a b c;do ", "$(echo a)",
		"git -c x='!", "{ cat;} | ", "{ echo a; } | " };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(pieces); i++) {
		size_t once = work_of(pieces[i], 8000), more = work_of(pieces[i], 32000);

		if (more > 6 * once + 4 * VY_MIB) {
			fail_msg("\"%s\": %zu bytes, and %zu for four times as much", pieces[i],
				once, more);
		}
	}
}

/* Where it has to stop reading, every word counts. */
static void test_unreadable(void **state)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
	struct vy_json *input = vy_json_new_obj();
	struct vy_arena a;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		vy_buf_adds(&b, "echo a;");
	}
	vy_buf_adds(&b, "rm -rf /");
	vy_json_set_str(input, "command", vy_buf_str(&b));
	vy_arena_init(&a);
	assert_int_equal(guard_check(VY_STR_LIT("Bash"), input, &context, &a).verdict, GUARD_DENY);
	vy_buf_clear(&b);
	for (int i = 0; i < 100; i++) {
		vy_buf_adds(&b, "$(echo ");
	}
	vy_buf_adds(&b, "systemd-run sh");
	vy_json_set_str(input, "command", vy_buf_str(&b));
	assert_int_equal(guard_check(VY_STR_LIT("Bash"), input, &context, &a).verdict, GUARD_DENY);
	vy_arena_fini(&a);
	vy_json_free(input);
}

/* Nobody can run a longer one, so nobody waits for its judgement. */
static void test_too_long(void **state)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
	VY_AUTO_JSON *input = vy_json_new_obj();
	struct vy_arena a;

	(void)state;
	vy_arena_init(&a);
	while (b.len <= 128 * VY_KIB) {
		vy_json_set_str(input, "command", vy_buf_str(&b));
		assert_int_equal(guard_check(VY_STR_LIT("Bash"), input, &context, &a).verdict,
			GUARD_NOTHING);
		vy_buf_addf(&b, "cat >x <<E\n%08191d\nE\n", 0);
	}
	vy_json_set_str(input, "command", vy_buf_str(&b));
	assert_string_equal(guard_check(VY_STR_LIT("Bash"), input, &context, &a).rule, "too-long");
	vy_arena_fini(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_tools),
		cmocka_unit_test(test_own_folder),
		cmocka_unit_test(test_nothing_known),
		cmocka_unit_test(test_linear),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_too_long),
	};

	return cmocka_run_group_tests_name("guard rules", tests, NULL, NULL);
}
