/* rules.c -- see rules.h. Tool calls are judged by a table of tools, commands by tables of programs:
 * which of their words they write, and which words must not be run at all. */
#include "server/guard/rules.h"

#include <string.h>

#include "server/guard/places.h"
#include "server/guard/words.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define DEPTH_MAX 4 /* of a shell in a shell */

struct judge {
	const struct guard_context *c;
	struct vy_arena *a;
	struct vy_str folder; /* where relative paths start; "cd" moves it */
	struct vy_str what;   /* that broke the rule */
	int depth;
};

/* ---- sentences ---- */

static const struct {
	const char *rule, *why;
} reasons[] = {
	{ "agent-settings", "an agent may not touch the files that say what agents may do" },
	{ "vyre-state", "Vyre's own files and sockets are not for agents" },
	{ "vyre-configuration", "an agent may not change how Vyre is set up" },
	{ "answers", "only a person answers, changes modes and trusts" },
	{ "vyre-control", "only a person controls Vyre" },
	{ "lax-session", "an agent may not start a session that asks less" },
	{ "way-out", "an agent may not leave the tree of processes it belongs to" },
	{ "destruction", "this would destroy what no project owns" },
};

static struct guard_answer deny(const struct judge *j, const char *rule)
{
	struct guard_answer answer = { GUARD_DENY, rule, "this is not allowed" };
	struct vy_str what = j->what;

	for (size_t i = 0; i < VY_COUNT(reasons); i++) {
		if (strcmp(reasons[i].rule, rule) == 0) {
			answer.text = reasons[i].why;
		}
	}
	what.n = what.n > 200 ? 200 : what.n;
	answer.text = vy_arena_printf(
		j->a, "Vyre's floor rule \"%s\": %s (%.*s).", rule, answer.text, VY_STR_ARG(what));
	return answer;
}

static const char *place(struct judge *j, struct vy_str path, enum guard_use use)
{
	const char *rule =
		path.n ? guard_place(guard_path(path, j->folder, j->c, j->a), use, j->c) : NULL;

	if (rule) {
		j->what = path;
	}
	return rule;
}

/* ---- words that must not be run ---- */

/* `word` is looked for among the program's arguments; NULL: the program alone. "=x" wants a word
 * that begins with x, "~x" one that holds it, "!x" forbids the program without that word. */
static const struct {
	const char *rule, *program, *word;
} forbidden[] = {
	{ "answers", "vyre-tui", "answer" },
	{ "answers", "vyre-tui", "mode" },
	{ "answers", "vyre-tui", "trust" },
	{ "answers", "vyre-tui", "release" },
	{ "vyre-control", "vyred", "stop" },
	{ "vyre-control", "vyred", "secret" },
	{ "vyre-control", "vyred", "hook" },
	{ "vyre-control", "vyred", "restore" },
	{ "vyre-control", "vyred", "bridge" },
	{ "vyre-control", "vyred", "people" },
	{ "vyre-control", "vyred", "devices" },
	{ "vyre-control", "pkill", "~vyre" },
	{ "vyre-control", "killall", "~vyre" },
	{ "vyre-state", "curl", "~vyred" },
	{ "vyre-state", "socat", "~vyred" },
	{ "vyre-state", "nc", "~vyred" },
	{ "vyre-state", "ncat", "~vyred" },
	{ "vyre-state", "socat", "~rpc.sock" },
	{ "vyre-state", "nc", "~rpc.sock" },
	{ "vyre-state", "ncat", "~rpc.sock" },
	{ "lax-session", "claude", "=--dangerously-skip-permissions" },
	{ "lax-session", "claude", "=--allow-dangerously-skip-permissions" },
	{ "lax-session", "claude", "~bypassPermissions" },
	{ "lax-session", "codex", "=--dangerously-bypass" },
	{ "lax-session", "codex", "=--yolo" },
	{ "lax-session", "gemini", "=--yolo" },
	{ "way-out", "systemd-run", NULL },
	{ "way-out", "at", NULL },
	{ "way-out", "batch", NULL },
	{ "way-out", "crontab", "!-l" },
	/* what a person's tmux runs is no process of the agent's */
	{ "way-out", "tmux", "send-keys" },
	{ "way-out", "tmux", "send" },
	{ "way-out", "tmux", "paste-buffer" },
	{ "way-out", "tmux", "new-session" },
	{ "way-out", "tmux", "new" },
	{ "way-out", "tmux", "new-window" },
	{ "way-out", "tmux", "neww" },
	{ "way-out", "tmux", "split-window" },
	{ "way-out", "tmux", "splitw" },
	{ "way-out", "tmux", "respawn-pane" },
	{ "way-out", "tmux", "respawn-window" },
	{ "way-out", "tmux", "run-shell" },
	{ "way-out", "tmux", "if-shell" },
	{ "way-out", "tmux", "pipe-pane" },
	{ "way-out", "screen", "-X" },
	{ "way-out", "ssh", "localhost" },
	{ "way-out", "ssh", "~@localhost" },
	{ "way-out", "ssh", "=127." },
	{ "way-out", "ssh", "~@127." },
	{ "way-out", "ssh", "::1" },
	{ "way-out", "ssh", "~@::1" },
	{ "way-out", "gdb", "=-p" },
	{ "way-out", "gdb", "=--pid" },
	{ "way-out", "lldb", "=-p" },
	{ "way-out", "lldb", "=--attach" },
	{ "way-out", "strace", "=-p" },
	{ "way-out", "strace", "=-fp" },
	{ "way-out", "strace", "=-ffp" },
	{ "way-out", "strace", "=--attach" },
	{ "way-out", "ltrace", "=-p" },
	{ "way-out", "reptyr", NULL },
};

static bool word_fits(struct vy_str word, const char *want)
{
	if (*want == '=') {
		return vy_str_starts(word, want + 1);
	}
	if (*want == '~') {
		return word.n && memmem(word.p, word.n, want + 1, strlen(want + 1));
	}
	return vy_str_is(word, want);
}

static bool is_forbidden(const char *want, const struct vy_str *v, size_t n)
{
	bool is_wanted = want && *want == '!';

	for (size_t i = 0; want && i < n; i++) {
		if (word_fits(v[i], is_wanted ? want + 1 : want)) {
			return !is_wanted;
		}
	}
	return !want || is_wanted;
}

static const char *forbidden_rule(
	struct judge *j, struct vy_str program, const struct vy_str *v, size_t n)
{
	for (size_t i = 0; i < VY_COUNT(forbidden); i++) {
		if (vy_str_is(program, forbidden[i].program) &&
			is_forbidden(forbidden[i].word, v, n)) {
			j->what = program;
			return forbidden[i].rule;
		}
	}
	return NULL;
}

/* ---- words ---- */

static struct vy_str base_name(struct vy_str path)
{
	size_t at = path.n;

	while (at > 0 && path.p[at - 1] != '/') {
		at--;
	}
	return vy_str_from(path, at);
}

/* ---- what programs write ---- */

/* How a program writes: all its words, and what is inside them (REPLACED: a folder moved, linked or
 * removed takes its files along), its last word, its words only with -i, or of=x. */
enum writes { ALL_WORDS, REPLACED, LAST_WORD, IN_PLACE, AFTER_OF };

static const struct {
	const char *program;
	enum writes writes;
} writers[] = {
	{ "tee", ALL_WORDS },
	{ "touch", ALL_WORDS },
	{ "unlink", ALL_WORDS },
	{ "shred", ALL_WORDS },
	{ "truncate", ALL_WORDS },
	{ "chmod", ALL_WORDS },
	{ "chown", ALL_WORDS },
	{ "ed", ALL_WORDS },
	{ "ex", ALL_WORDS },
	{ "sponge", ALL_WORDS },
	{ "rm", REPLACED },
	{ "rmdir", REPLACED },
	{ "mv", REPLACED },
	{ "ln", REPLACED },
	{ "cp", LAST_WORD },
	{ "install", LAST_WORD },
	{ "rsync", LAST_WORD },
	{ "scp", LAST_WORD },
	{ "sed", IN_PLACE },
	{ "perl", IN_PLACE },
	{ "dd", AFTER_OF },
};

static bool is_flag(struct vy_str w)
{
	return w.n > 1 && w.p[0] == '-';
}

static bool has_in_place(const struct vy_str *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool is_short = is_flag(v[i]) && v[i].p[1] != '-' && memchr(v[i].p, 'i', v[i].n);

		if (is_short || vy_str_starts(v[i], "--in-place")) {
			return true;
		}
	}
	return false;
}

static bool is_deep(const struct vy_str *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool is_short = is_flag(v[i]) && v[i].p[1] != '-' &&
				(memchr(v[i].p, 'r', v[i].n) || memchr(v[i].p, 'R', v[i].n) ||
					memchr(v[i].p, 'a', v[i].n));

		if (is_short || vy_str_is(v[i], "--recursive") || vy_str_is(v[i], "--archive")) {
			return true;
		}
	}
	return false;
}

/* `cp x y`: y, and the name of x in y. */
static const char *last_word(struct judge *j, const struct vy_str *v, size_t n)
{
	enum guard_use use = is_deep(v, n) ? GUARD_FILL : GUARD_WRITE;
	const char *rule = n ? place(j, v[n - 1], use) : NULL;

	for (size_t i = 0; i + 1 < n && !rule; i++) {
		if (!is_flag(v[i])) {
			struct vy_str name = base_name(v[i]);

			rule = place(j,
				vy_str_c(vy_arena_printf(
					j->a, "%.*s/%.*s", VY_STR_ARG(v[n - 1]), VY_STR_ARG(name))),
				use);
		}
	}
	return rule;
}

static const char *written_words(
	struct judge *j, enum writes writes, const struct vy_str *v, size_t n)
{
	const char *rule = NULL;

	if (writes == LAST_WORD) {
		return last_word(j, v, n);
	}
	if (writes == IN_PLACE && !has_in_place(v, n)) {
		return NULL;
	}
	for (size_t i = 0; i < n && !rule; i++) {
		if (writes == AFTER_OF) {
			rule = vy_str_starts(v[i], "of=")
				       ? place(j, vy_str_from(v[i], 3), GUARD_WRITE)
				       : NULL;
		} else if (!is_flag(v[i])) {
			rule = place(j, v[i], writes == REPLACED ? GUARD_REPLACE : GUARD_WRITE);
		}
	}
	return rule;
}

/* ---- destruction ---- */

static bool is_nobodys(struct judge *j, struct vy_str path)
{
	static const char *const roots[] = { "/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib",
		"/opt", "/root", "/sbin", "/srv", "/usr", "/var" };
	struct vy_str p = path;

	if (p.n >= 2 && vy_str_is(vy_str_from(p, p.n - 2), "/*")) {
		p.n -= p.n > 2 ? 2 : 1;
	}
	p = guard_path(p, j->folder, j->c, j->a);
	for (size_t i = 0; i < VY_COUNT(roots); i++) {
		if (vy_str_is(p, roots[i])) {
			return true;
		}
	}
	return j->c->home.n > 1 && vy_str_eq(p, j->c->home);
}

static const char *destruction(
	struct judge *j, struct vy_str program, const struct vy_str *v, size_t n)
{
	for (size_t i = 0; i < n && vy_str_is(program, "rm") && is_deep(v, n); i++) {
		if (!is_flag(v[i]) && is_nobodys(j, v[i])) {
			j->what = v[i];
			return "destruction";
		}
	}
	return NULL;
}

/* ---- programs that run programs ---- */

/* Words that stand before a command and change nothing of what it is. */
static bool is_prefix(struct vy_str w)
{
	static const char *const words[] = { "{", "!", "if", "then", "else", "elif", "do", "while",
		"until", "sudo", "doas", "env", "nohup", "setsid", "command", "builtin", "exec",
		"time", "nice", "ionice", "timeout", "stdbuf", "xargs", "chronic", "unbuffer" };

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		if (vy_str_is(w, words[i])) {
			return true;
		}
	}
	return false;
}

static bool is_assignment(struct vy_str w)
{
	size_t n = 0;

	while (n < w.n && (w.p[n] == '_' || (w.p[n] >= 'a' && w.p[n] <= 'z') ||
				  (w.p[n] >= 'A' && w.p[n] <= 'Z') ||
				  (n > 0 && w.p[n] >= '0' && w.p[n] <= '9'))) {
		n++;
	}
	return n > 0 && n < w.n && w.p[n] == '=';
}

static bool is_amount(struct vy_str w)
{
	return w.n && w.p[0] >= '0' && w.p[0] <= '9';
}

/* How many words come before the program. */
static size_t skip(const struct vy_str *v, size_t n)
{
	size_t i = 0;
	bool behind_prefix = false;

	while (i < n && (is_assignment(v[i]) || is_prefix(v[i]) ||
				(behind_prefix && (is_flag(v[i]) || is_amount(v[i]))))) {
		behind_prefix |= is_prefix(v[i]);
		i++;
	}
	return i;
}

static const struct {
	const char *program;
	bool is_shell;
	const char *flag; /* behind which its program stands */
} interpreters[] = {
	{ "sh", true, "-c" },
	{ "bash", true, "-c" },
	{ "dash", true, "-c" },
	{ "zsh", true, "-c" },
	{ "ksh", true, "-c" },
	{ "eval", true, NULL },
	{ "python", false, "-c" },
	{ "python3", false, "-c" },
	{ "perl", false, "-e" },
	{ "ruby", false, "-e" },
	{ "node", false, "-e" },
	{ "php", false, "-r" },
	{ "awk", false, NULL },
};

static const char *line_rule(struct judge *j, struct vy_str line);

static const char *program_text(struct judge *j, bool is_shell, struct vy_str text)
{
	if (is_shell) {
		return line_rule(j, text);
	}
	const char *rule = guard_place_in_text(text, j->c);

	if (rule) {
		j->what = text;
	}
	return rule;
}

/* "-c" alone or at the end of other flags ("-lc"). */
static bool is_program_flag(struct vy_str w, const char *flag)
{
	return flag && is_flag(w) && w.p[1] != '-' && w.p[w.n - 1] == flag[1];
}

static const char *interpreted(struct judge *j, struct vy_str program, const struct vy_str *v,
	size_t n, struct vy_str here)
{
	const char *rule = NULL;

	for (size_t i = 0; i < VY_COUNT(interpreters); i++) {
		if (!vy_str_is(program, interpreters[i].program)) {
			continue;
		}
		bool is_shell = interpreters[i].is_shell;

		for (size_t k = 0; k < n && !rule; k++) {
			bool is_text = !interpreters[i].flag ||
				       (k > 0 && is_program_flag(v[k - 1], interpreters[i].flag));

			rule = is_text ? program_text(j, is_shell, v[k]) : NULL;
		}
		if (!rule && here.n) {
			rule = program_text(j, is_shell, here);
		}
	}
	return rule;
}

/* ---- a command line ---- */

static void change_folder(struct judge *j, struct vy_str program, const struct vy_str *v, size_t n)
{
	if ((vy_str_is(program, "cd") || vy_str_is(program, "pushd")) && n > 0) {
		j->folder = guard_path(v[n - 1], j->folder, j->c, j->a);
	}
}

static const char *command_rule(struct judge *j, const struct guard_command *cmd)
{
	const char *rule = NULL;
	size_t from = skip(cmd->words, cmd->n);

	for (size_t i = 0; i < cmd->n_writes && !rule; i++) {
		rule = place(j, cmd->writes[i], GUARD_WRITE);
	}
	if (rule || from == cmd->n) {
		return rule;
	}
	struct vy_str program = base_name(cmd->words[from]);
	const struct vy_str *v = cmd->words + from + 1;
	size_t n = cmd->n - from - 1;

	rule = forbidden_rule(j, program, v, n);
	rule = rule ? rule : destruction(j, program, v, n);
	for (size_t i = 0; i < VY_COUNT(writers) && !rule; i++) {
		if (vy_str_is(program, writers[i].program)) {
			rule = written_words(j, writers[i].writes, v, n);
		}
	}
	rule = rule ? rule : interpreted(j, program, v, n, cmd->here);
	for (size_t i = 0; i < n && !rule; i++) { /* cat, less, cp out of Vyre's own folder */
		rule = is_flag(v[i]) ? NULL : place(j, v[i], GUARD_READ);
	}
	change_folder(j, program, v, n);
	return rule;
}

static const char *line_rule(struct judge *j, struct vy_str line)
{
	struct guard_commands cmds;
	const char *rule = NULL;

	if (j->depth >= DEPTH_MAX) {
		return NULL;
	}
	j->depth++;
	guard_words(line, j->a, &cmds);
	for (size_t i = 0; i < cmds.n && !rule; i++) {
		rule = command_rule(j, &cmds.v[i]);
	}
	j->depth--;
	return rule;
}

/* ---- tools ---- */

/* A tool nobody knows (an MCP server's): whatever in its input looks like a path counts as written. */
static const char *any_string(struct judge *j, const struct vy_json *v)
{
	const char *rule = NULL, *key;
	struct vy_json *value;
	struct vy_str s = vy_json_strval(v);

	if (s.n && s.n < 4096 && memchr("/~.$", s.p[0], 4)) {
		return place(j, s, GUARD_WRITE);
	}
	for (size_t i = 0; i < vy_json_len(v) && !rule && vy_json_type(v) == VY_JSON_ARR; i++) {
		rule = any_string(j, vy_json_at(v, i));
	}
	VY_JSON_EACH (v, key, value) {
		rule = rule ? rule : any_string(j, value);
	}
	return rule;
}

enum judged { BY_COMMAND, BY_WRITE, BY_READ, BY_NOTHING };

static const struct {
	const char *tool, *member;
	enum judged judged;
} tools[] = {
	{ "Bash", "command", BY_COMMAND },
	{ "Write", "file_path", BY_WRITE },
	{ "Edit", "file_path", BY_WRITE },
	{ "MultiEdit", "file_path", BY_WRITE },
	{ "NotebookEdit", "notebook_path", BY_WRITE },
	{ "Read", "file_path", BY_READ },
	{ "NotebookRead", "notebook_path", BY_READ },
	{ "Grep", "path", BY_READ },
	{ "Glob", "path", BY_READ },
	{ "LS", "path", BY_READ },
	{ "TodoWrite", NULL, BY_NOTHING },
	{ "TaskCreate", NULL, BY_NOTHING },
	{ "TaskUpdate", NULL, BY_NOTHING },
	{ "TaskList", NULL, BY_NOTHING },
	{ "AskUserQuestion", NULL, BY_NOTHING },
	{ "ExitPlanMode", NULL, BY_NOTHING },
	{ "EnterPlanMode", NULL, BY_NOTHING },
	{ "Agent", NULL, BY_NOTHING }, /* its own calls are judged */
	{ "Task", NULL, BY_NOTHING },
	{ "Skill", NULL, BY_NOTHING },
	{ "ToolSearch", NULL, BY_NOTHING },
	{ "WebSearch", NULL, BY_NOTHING },
	{ "WebFetch", NULL, BY_NOTHING },
};

static const char *tool_rule(struct judge *j, struct vy_str tool, const struct vy_json *input)
{
	for (size_t i = 0; i < VY_COUNT(tools); i++) {
		struct vy_str s;

		if (!vy_str_is(tool, tools[i].tool)) {
			continue;
		}
		s = tools[i].member ? vy_json_str(input, tools[i].member) : vy_str_n(NULL, 0);
		switch (tools[i].judged) {
		case BY_COMMAND: return line_rule(j, s);
		case BY_WRITE: return place(j, s, GUARD_WRITE);
		case BY_READ: return place(j, s, GUARD_READ);
		case BY_NOTHING: return NULL;
		}
	}
	return any_string(j, input);
}

struct guard_answer guard_check(struct vy_str tool, const struct vy_json *input,
	const struct guard_context *c, struct vy_arena *a)
{
	struct judge j = { .c = c, .a = a, .folder = c->cwd };
	const char *rule = tool_rule(&j, tool, input);

	return rule ? deny(&j, rule) : (struct guard_answer){ GUARD_NOTHING, NULL, NULL };
}
