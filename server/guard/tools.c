/* tools.c -- tools by name: which member of a call's input is a path, a command, a patch. The names
 * are those of Claude Code, of Codex, Gemini and opencode, and of ACP. */
#include "server/guard/judge.h"

#include <string.h>

#include "shared/base/ban.h"

#define STRING_MAX 4096
#define DEPTH_MAX  16

enum judged { BY_COMMAND, BY_WRITE, BY_READ, BY_SEARCH, BY_PATCH, BY_NOTHING };

static const struct {
	const char *tool, *member;
	enum judged judged;
} tools[] = {
	{ "Bash", "command", BY_COMMAND },
	{ "Monitor", "command", BY_COMMAND },
	{ "Write", "file_path", BY_WRITE },
	{ "Edit", "file_path", BY_WRITE },
	{ "MultiEdit", "file_path", BY_WRITE },
	{ "NotebookEdit", "notebook_path", BY_WRITE },
	{ "Read", "file_path", BY_READ },
	{ "NotebookRead", "notebook_path", BY_READ },
	{ "Grep", "path", BY_SEARCH },
	{ "Glob", "path", BY_READ },
	{ "LS", "path", BY_READ },
	{ "TodoWrite", NULL, BY_NOTHING },
	{ "TaskCreate", NULL, BY_NOTHING },
	{ "TaskUpdate", NULL, BY_NOTHING },
	{ "TaskList", NULL, BY_NOTHING },
	{ "TaskGet", NULL, BY_NOTHING },
	{ "TaskStop", NULL, BY_NOTHING },
	{ "TaskOutput", NULL, BY_NOTHING },
	{ "BashOutput", NULL, BY_NOTHING },
	{ "KillShell", NULL, BY_NOTHING },
	{ "AskUserQuestion", NULL, BY_NOTHING },
	{ "ExitPlanMode", NULL, BY_NOTHING },
	{ "EnterPlanMode", NULL, BY_NOTHING },
	{ "Agent", NULL, BY_NOTHING }, /* its own calls are judged */
	{ "Task", NULL, BY_NOTHING },
	{ "Skill", NULL, BY_NOTHING },
	{ "SendMessage", NULL, BY_NOTHING },
	{ "ReportFindings", NULL, BY_NOTHING },
	{ "ToolSearch", NULL, BY_NOTHING },
	{ "WebSearch", NULL, BY_NOTHING },
	{ "WebFetch", NULL, BY_NOTHING },
	/* Codex */
	{ "shell", "command", BY_COMMAND },
	{ "local_shell", "command", BY_COMMAND },
	{ "exec_command", "cmd", BY_COMMAND },
	{ "commandExecution", "command", BY_COMMAND },
	{ "apply_patch", "input", BY_PATCH },
	{ "update_plan", NULL, BY_NOTHING },
	/* Gemini */
	{ "run_shell_command", "command", BY_COMMAND },
	{ "write_file", "file_path", BY_WRITE },
	{ "replace", "file_path", BY_WRITE },
	{ "read_file", "absolute_path", BY_READ },
	{ "read_file", "file_path", BY_READ },
	/* opencode */
	{ "bash", "command", BY_COMMAND },
	{ "write", "filePath", BY_WRITE },
	{ "edit", "filePath", BY_WRITE },
	{ "read", "filePath", BY_READ },
	{ "patch", "patchText", BY_PATCH },
	{ "todowrite", NULL, BY_NOTHING },
	{ "webfetch", NULL, BY_NOTHING },
	/* ACP */
	{ "terminal/create", "command", BY_COMMAND },
	{ "execute", "command", BY_COMMAND },
	{ "fs/write_text_file", "path", BY_WRITE },
	{ "fs/read_text_file", "path", BY_READ },
};

/* ---- patches ---- */

/* "*** Update File: x", "*** Move to: x", "+++ b/x". */
void judge_patch(struct judge *j, struct vy_str text)
{
	static const char *const heads[] = { "*** Update File: ", "*** Add File: ",
		"*** Delete File: ", "*** Move to: ", "+++ b/", "--- a/", "+++ ", "--- ",
		"rename to ", "diff --git a/" };

	while (text.n && !judge_is_done(j)) {
		const char *nl = memchr(text.p, '\n', text.n);
		struct vy_str line = vy_str_n(text.p, nl ? (size_t)(nl - text.p) : text.n);

		for (size_t i = 0; i < VY_COUNT(heads); i++) {
			if (vy_str_starts(line, heads[i])) {
				judge_path(j, vy_str_trim(vy_str_from(line, strlen(heads[i]))),
					GUARD_WRITE);
			}
		}
		text = vy_str_from(text, line.n + 1);
	}
}

/* ---- commands ---- */

/* A line, or a list of words: ["bash", "-lc", "…"]. */
static void command(struct judge *j, const struct vy_json *v, const struct vy_json *args)
{
	struct guard_strs w = { NULL, 0, 0 };

	if (vy_json_type(v) == VY_JSON_STR && vy_json_len(args) == 0) {
		judge_line(j, vy_json_strval(v));
		return;
	}
	if (vy_json_type(v) == VY_JSON_STR) { /* ACP: a program and its arguments */
		guard_strs_add(&w, vy_json_strval(v), j->scope.a);
	}
	for (size_t i = 0; i < vy_json_len(v) && vy_json_type(v) == VY_JSON_ARR; i++) {
		guard_strs_add(&w, vy_json_strval(vy_json_at(v, i)), j->scope.a);
	}
	for (size_t i = 0; i < vy_json_len(args) && vy_json_type(args) == VY_JSON_ARR; i++) {
		guard_strs_add(&w, vy_json_strval(vy_json_at(args, i)), j->scope.a);
	}
	if (w.n > 1 && vy_str_is(w.v[0], "apply_patch")) {
		judge_patch(j, w.v[1]);
		return;
	}
	struct call c = { .v = w.v, .n = w.n };

	judge_words(j, &c);
}

static void folder(struct judge *j, const struct vy_json *input)
{
	static const char *const members[] = { "cwd", "workdir", "directory", "dir_path" };

	for (size_t i = 0; i < VY_COUNT(members); i++) {
		struct vy_str s = vy_json_str(input, members[i]);

		if (s.n) {
			j->scope.folder = guard_path(s, j->scope.folder, j->scope.c, j->scope.a);
		}
	}
}

/* ---- tools nobody knows ---- */

static bool is_command_member(const char *key)
{
	return judge_is_one_of(vy_str_c(key), "command cmd commands script code shell commandLine "
					      "command_line bash exec");
}

/* An MCP server's tool: what looks like a path counts as written, what is called a command as run. */
static void any_string(struct judge *j, const char *name, const struct vy_json *v, int depth)
{
	struct vy_json *value;
	const char *key;
	struct vy_str s = vy_json_strval(v);

	if (judge_is_done(j) || depth > DEPTH_MAX) {
		return;
	}
	if (name && is_command_member(name) &&
		(s.n || (vy_json_type(v) == VY_JSON_ARR &&
				vy_json_type(vy_json_at(v, 0)) == VY_JSON_STR))) {
		command(j, v, NULL);
	}
	if (s.n && s.n < STRING_MAX && !memchr(s.p, '\n', s.n)) {
		bool is_path =
			guard_is_any("/~.$", s.p[0]) || vy_str_starts(s, "file://") ||
			(memchr(s.p, '/', s.n) && !memchr(s.p, ' ', s.n) && !judge_holds(s, "://"));
		struct guard_strs ways = { NULL, 0, 0 };

		if (is_path) {
			guard_expand(&j->scope, s, &ways);
		}
		for (size_t i = 0; i < ways.n; i++) {
			judge_path(j, ways.v[i], GUARD_WRITE);
			judge_path(j, ways.v[i], GUARD_READ);
		}
	}
	for (size_t i = 0; i < vy_json_len(v) && vy_json_type(v) == VY_JSON_ARR; i++) {
		any_string(j, name, vy_json_at(v, i), depth + 1);
	}
	VY_JSON_EACH (v, key, value) {
		any_string(j, key, value, depth + 1);
	}
}

void judge_tool(struct judge *j, struct vy_str tool, const struct vy_json *input)
{
	bool is_known = false;

	for (size_t i = 0; i < VY_COUNT(tools); i++) {
		struct vy_str s = vy_json_str(input, tools[i].member ? tools[i].member : "");

		if (!vy_str_is(tool, tools[i].tool)) {
			continue;
		}
		is_known = true;
		switch (tools[i].judged) {
		case BY_COMMAND:
			folder(j, input);
			command(j, vy_json_get(input, tools[i].member), vy_json_get(input, "args"));
			break;
		case BY_WRITE: judge_path(j, s, GUARD_WRITE); break;
		case BY_READ: judge_path(j, s, GUARD_READ); break;
		case BY_SEARCH: judge_path(j, s, GUARD_COPY); break;
		case BY_PATCH: judge_patch(j, s); break;
		case BY_NOTHING: break;
		}
	}
	if (!is_known) {
		any_string(j, NULL, input, 0);
	}
}
