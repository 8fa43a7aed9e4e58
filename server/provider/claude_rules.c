/* claude_rules.c -- see claude_rules.h. */
#include "server/provider/claude_rules.h"

#include <string.h>

#include "server/guard/rules.h"
#include "server/provider/claude_trust.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define RULES_MAX 20

/* ---- spelling ---- */

void claude_rule_print(const struct vy_json *rule, struct vy_buf *out)
{
	struct vy_str content = vy_json_str(rule, "ruleContent");

	vy_buf_addstr(out, vy_json_str(rule, "toolName"));
	if (content.n) {
		vy_buf_addc(out, '(');
		vy_buf_addstr(out, content);
		vy_buf_addc(out, ')');
	}
}

struct vy_json *claude_rule_parse(struct vy_str text)
{
	size_t n = 0;

	while (n < text.n && text.p[n] != '(') {
		n++;
	}
	if (n == 0 || (n < text.n && (text.p[text.n - 1] != ')' || text.n - n < 3))) {
		return NULL;
	}
	struct vy_json *rule = vy_json_new_obj();

	vy_json_set_str(rule, "toolName", vy_str_n(text.p, n));
	if (n < text.n) {
		vy_json_set_str(rule, "ruleContent", vy_str_n(text.p + n + 1, text.n - n - 2));
	}
	return rule;
}

/* ---- what is allowed ---- */

static bool has_dotdot(struct vy_str path)
{
	for (size_t i = 0; i + 1 < path.n; i++) {
		bool begins = i == 0 || path.p[i - 1] == '/';
		bool ends = i + 2 == path.n || path.p[i + 2] == '/';

		if (begins && ends && path.p[i] == '.' && path.p[i + 1] == '.') {
			return true;
		}
	}
	return false;
}

bool claude_path_is_inside(struct vy_str path, struct vy_str cwd)
{
	while (cwd.n > 1 && cwd.p[cwd.n - 1] == '/') {
		cwd.n--;
	}
	if (cwd.n <= 1 || path.n < cwd.n || has_dotdot(path) || memcmp(path.p, cwd.p, cwd.n) != 0) {
		return false;
	}
	return path.n == cwd.n || path.p[cwd.n] == '/';
}

static bool is_file_tool(struct vy_str tool)
{
	static const char *const names[] = { "Read", "Edit", "Write", "MultiEdit", "NotebookEdit",
		"NotebookRead", "Glob", "Grep", "LS" };

	for (size_t i = 0; i < VY_COUNT(names); i++) {
		if (vy_str_is(tool, names[i])) {
			return true;
		}
	}
	return false;
}

/* claude spells "//x" for the absolute path /x, "~/x" for the home, "/x" and "x" for the project. */
static bool is_path_in_folder(struct vy_str path, struct vy_str cwd)
{
	if (vy_str_starts(path, "//")) {
		return claude_path_is_inside(vy_str_from(path, 1), cwd);
	}
	return !vy_str_starts(path, "~") && !has_dotdot(path);
}

static bool is_name(struct vy_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char ch = s.p[i];
		bool ok = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
			  (ch >= '0' && ch <= '9') || ch == '_' || ch == '-' || ch == '.';

		if (!ok) {
			return false;
		}
	}
	return s.n > 0 && s.n <= VY_ID_MAX;
}

/* "npm test:*" and "npm test *" without their end. */
static struct vy_str without_wildcard(struct vy_str content, bool *is_open)
{
	struct vy_str s = content;

	while (s.n && memchr("*: ", s.p[s.n - 1], 3)) {
		s.n--;
	}
	*is_open = s.n < content.n;
	return s;
}

/* Behind these alone any command may stand: a rule for them is one for all. */
static bool runs_anything(struct vy_str command)
{
	static const char *const words[] = { "sh", "bash", "dash", "zsh", "ksh", "fish", "eval",
		"exec", "env", "sudo", "doas", "su", "xargs", "nohup", "setsid", "timeout", "time",
		"nice", "command", "busybox", "ssh", "-c", "-lc", "-u", "-n", "--" };

	while (command.n) {
		size_t n = 0;
		bool is_one = false;

		while (n < command.n && command.p[n] != ' ') {
			n++;
		}
		struct vy_str word = vy_str_n(command.p, n);
		const char *slash = n ? memrchr(word.p, '/', n) : NULL;

		word = slash ? vy_str_from(word, (size_t)(slash - word.p) + 1) : word;
		for (size_t i = 0; i < VY_COUNT(words); i++) {
			is_one |= vy_str_is(word, words[i]);
		}
		if (!is_one && n) {
			return false;
		}
		command = vy_str_from(command, n + 1);
	}
	return true;
}

/* Would the floor deny just what the rule allows? Whatever else it allows is judged call by call. */
static bool is_denied(struct vy_str tool, struct vy_str content, struct vy_str cwd)
{
	struct guard_context gc = { .cwd = cwd };
	VY_AUTO_JSON *input = vy_json_new_obj();
	struct vy_arena a;
	bool is_open;

	if (!vy_str_is(tool, "Bash") && vy_str_starts(content, "//")) {
		content = vy_str_from(content, 1);
	} else if (!vy_str_is(tool, "Bash") && vy_str_starts(content, "/")) {
		content = vy_str_from(content, 1); /* of the project */
	}
	vy_json_set_str(input, "command", without_wildcard(content, &is_open));
	vy_json_set_str(input, "file_path", content);
	vy_json_set_str(input, "notebook_path", content);
	vy_json_set_str(input, "path", content);
	vy_arena_init(&a);
	enum guard_verdict v = guard_check(tool, input, &gc, &a).verdict;

	vy_arena_fini(&a);
	return v != GUARD_NOTHING;
}

/* Nothing but wildcards: every command there is. */
static bool is_everything(struct vy_str content)
{
	for (size_t i = 0; i < content.n; i++) {
		if (!memchr("*: ", content.p[i], 3)) {
			return false;
		}
	}
	return true;
}

bool claude_rule_is_allowed(const struct vy_json *rule, struct vy_str cwd)
{
	struct vy_str tool = vy_json_str(rule, "toolName");
	struct vy_str content = vy_json_str(rule, "ruleContent");

	if (!is_name(tool) || content.n > VY_DETAIL_MAX || claude_trust_is_served(tool)) {
		return false;
	}
	if (vy_str_is(tool, "Bash") || vy_str_is(tool, "Monitor")) {
		bool is_open;
		struct vy_str command = without_wildcard(content, &is_open);

		return !is_everything(content) && !(is_open && runs_anything(command)) &&
		       !is_denied(tool, content, cwd);
	}
	if (is_file_tool(tool)) {
		return content.n > 0 && is_path_in_folder(content, cwd) &&
		       !is_denied(tool, content, cwd);
	}
	return true;
}

bool claude_mode_is_ours(struct vy_str mode)
{
	return vy_str_is(mode, "default") || vy_str_is(mode, "acceptEdits") ||
	       vy_str_is(mode, "plan");
}

static const struct {
	const char *scope, *destination;
} scopes[] = {
	{ "session", "session" },
	{ "project", "localSettings" },
	{ "user", "userSettings" },
};

const char *claude_destination(struct vy_str scope)
{
	for (size_t i = 0; i < VY_COUNT(scopes); i++) {
		if (vy_str_is(scope, scopes[i].scope)) {
			return scopes[i].destination;
		}
	}
	return NULL;
}

const char *claude_scope(struct vy_str destination)
{
	for (size_t i = 0; i < VY_COUNT(scopes); i++) {
		if (vy_str_is(destination, scopes[i].destination)) {
			return scopes[i].scope;
		}
	}
	return NULL;
}

struct vy_json *claude_scopes(void)
{
	struct vy_json *list = vy_json_new_arr();

	for (size_t i = 0; i < VY_COUNT(scopes); i++) {
		vy_json_add_take(list, vy_json_new_str(vy_str_c(scopes[i].scope)));
	}
	return list;
}

/* ---- updates ---- */

struct vy_json *claude_update_rules(struct vy_json *own_rules, const char *destination)
{
	struct vy_json *u = vy_json_new_obj();

	vy_json_set_c(u, "type", "addRules");
	vy_json_take(u, "rules", own_rules);
	vy_json_set_c(u, "behavior", "allow");
	vy_json_set_c(u, "destination", destination);
	return u;
}

struct vy_json *claude_update_mode(struct vy_str mode)
{
	struct vy_json *u = vy_json_new_obj();

	vy_json_set_c(u, "type", "setMode");
	vy_json_set_str(u, "mode", mode);
	vy_json_set_c(u, "destination", "session");
	return u;
}

static void allowed_rules(const struct vy_json *from, struct vy_str cwd, struct vy_json *to)
{
	const struct vy_json *rules = vy_json_get(from, "rules");

	if (!vy_str_is(vy_json_str(from, "behavior"), "allow")) {
		return;
	}
	for (size_t i = 0; i < vy_json_len(rules) && vy_json_len(to) < RULES_MAX; i++) {
		struct vy_json *rule = vy_json_at(rules, i);

		if (claude_rule_is_allowed(rule, cwd)) {
			vy_json_add_take(to, vy_json_copy(rule));
		}
	}
}

static void allowed_folders(const struct vy_json *from, struct vy_str cwd, struct vy_json *to)
{
	const struct vy_json *dirs = vy_json_get(from, "directories");

	for (size_t i = 0; i < vy_json_len(dirs) && vy_json_len(to) < RULES_MAX; i++) {
		struct vy_json *dir = vy_json_at(dirs, i);

		if (claude_path_is_inside(vy_json_strval(dir), cwd)) {
			vy_json_add_take(to, vy_json_ref(dir));
		}
	}
}

/* The rules if there are any; else the folders, for this session. */
static struct vy_json *always_of(
	struct vy_json *own_rules, struct vy_json *own_folders, const char *destination)
{
	struct vy_json *list = NULL;

	if (vy_json_len(own_rules)) {
		list = vy_json_new_arr();
		vy_json_add_take(list, claude_update_rules(vy_json_ref(own_rules), destination));
	} else if (vy_json_len(own_folders)) {
		struct vy_json *u = vy_json_new_obj();

		list = vy_json_new_arr();
		vy_json_set_c(u, "type", "addDirectories");
		vy_json_set(u, "directories", own_folders);
		vy_json_set_c(u, "destination", "session");
		vy_json_add_take(list, u);
	}
	vy_json_free(own_rules);
	vy_json_free(own_folders);
	return list;
}

struct vy_json *claude_updates(
	const struct vy_json *suggestions, struct vy_str cwd, const char *destination)
{
	struct vy_json *keep = vy_json_new_obj();
	struct vy_json *rules = vy_json_new_arr(), *folders = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(suggestions); i++) {
		const struct vy_json *s = vy_json_at(suggestions, i);
		struct vy_str type = vy_json_str(s, "type"), mode = vy_json_str(s, "mode");

		if (vy_str_is(type, "addRules")) {
			allowed_rules(s, cwd, rules);
		} else if (vy_str_is(type, "addDirectories")) {
			allowed_folders(s, cwd, folders);
		} else if (vy_str_is(type, "setMode") && vy_str_is(mode, "acceptEdits")) {
			struct vy_json *list = vy_json_new_arr();

			vy_json_add_take(list, claude_update_mode(mode));
			vy_json_take(keep, "accept-edits", list);
		}
	}
	vy_json_take(keep, "always", always_of(rules, folders, destination));
	return keep;
}
