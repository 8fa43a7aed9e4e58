/* claude_ask_shape.c -- see claude_ask_shape.h. */
#include "server/provider/claude_ask_shape.h"

#include <string.h>

#include "server/provider/brief.h"
#include "server/provider/claude_parts.h"
#include "server/provider/claude_rules.h"
#include "server/provider/claude_tool.h"
#include "server/provider/patch.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

/* ---- what it is about ---- */

static const struct {
	const char *tool, *title;
} titles[] = {
	{ "Bash", "Run a command" },
	{ "Write", "Write a file" },
	{ "Edit", "Change a file" },
	{ "MultiEdit", "Change a file" },
	{ "NotebookEdit", "Change a notebook" },
	{ "Read", "Read a file" },
	{ "WebFetch", "Fetch a page" },
	{ "WebSearch", "Search the web" },
	{ "AskUserQuestion", "A question" },
	{ "ExitPlanMode", "A plan" },
};

static struct vy_str title_of(const struct vy_json *req, struct vy_arena *a)
{
	struct vy_str tool = vy_json_str(req, "tool_name"), own = vy_json_str(req, "title");

	if (vy_str_is(vy_json_str(req, "decision_reason_type"), "hook")) {
		own = vy_json_str(req, "decision_reason");
	}
	if (own.n) {
		return brief_one_line(own, a);
	}
	for (size_t i = 0; i < VY_COUNT(titles); i++) {
		if (vy_str_is(tool, titles[i].tool)) {
			return vy_str_c(titles[i].title);
		}
	}
	struct vy_str name = vy_json_str(req, "display_name");

	return vy_str_c(vy_arena_printf(
		a, "Use %.*s", VY_STR_ARG(brief_one_line(name.n ? name : tool, a))));
}

/* Every member as "key: value"; what is nested is shown as it is: nothing may hide in an ask. */
static void members(const struct vy_json *input, struct vy_buf *b)
{
	struct vy_json *value;
	const char *key;

	VY_JSON_EACH (input, key, value) {
		vy_buf_addf(b, "%s: ", key);
		if (vy_json_type(value) == VY_JSON_STR) {
			vy_buf_addstr(b, vy_json_strval(value));
		} else {
			vy_json_dump(value, b);
		}
		vy_buf_addc(b, '\n');
	}
}

/* The whole of what would happen: the command, the change as a diff, the plan. */
static struct vy_str detail_of(
	const struct claude *c, const struct vy_json *req, struct vy_arena *a)
{
	const struct vy_json *in = vy_json_get(req, "input");
	struct vy_str tool = vy_json_str(req, "tool_name");
	struct vy_str path = brief_path(vy_json_str(in, "file_path"), fields_str(c->cwd));
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	if (vy_str_is(tool, "Bash")) {
		return vy_json_str(in, "command");
	}
	if (vy_str_is(tool, "ExitPlanMode")) {
		return vy_json_str(in, "plan");
	}
	if (vy_str_is(tool, "AskUserQuestion")) {
		return vy_str_n(NULL, 0);
	}
	if (vy_str_is(tool, "Edit")) {
		patch_print(
			path, vy_json_str(in, "old_string"), vy_json_str(in, "new_string"), a, &b);
	} else if (vy_str_is(tool, "Write")) {
		patch_print(path, vy_str_n(NULL, 0), vy_json_str(in, "content"), a, &b);
	} else {
		members(in, &b);
	}
	return vy_arena_str(a, vy_buf_str(&b));
}

/* What would come in the place of what, for who may look into the file (provider.h). */
static struct vy_json *edit_of(const struct claude *c, const struct vy_json *req)
{
	const struct vy_json *in = vy_json_get(req, "input");
	struct vy_str tool = vy_json_str(req, "tool_name"), path = vy_json_str(in, "file_path");
	bool is_whole = vy_str_is(tool, "Write");
	struct vy_str was = vy_json_str(in, "old_string");
	struct vy_str is = vy_json_str(in, is_whole ? "content" : "new_string");
	struct vy_json *edit;

	if (!path.n ||
		(is_whole ? !vy_json_get(in, "content") : !vy_str_is(tool, "Edit") || !was.n)) {
		return NULL;
	}
	edit = vy_json_new_obj();
	vy_json_set_str(edit, "path", path);
	vy_json_set_str(edit, "shown", brief_path(path, fields_str(c->cwd)));
	vy_json_set_str(edit, "is", is);
	if (is_whole) {
		vy_json_set_bool(edit, "whole", true);
	} else {
		vy_json_set_str(edit, "was", was);
	}
	return edit;
}

/* ---- options ---- */

static struct vy_json *option(
	struct vy_json *list, const char *id, const char *label, const char *decision)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "id", id);
	vy_json_set_c(o, "label", label);
	vy_json_set_c(o, "decision", decision);
	vy_json_add_take(list, o);
	return o;
}

static struct vy_json *each_rule(const struct vy_json *rules)
{
	struct vy_json *list = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(rules); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(2 * VY_DETAIL_MAX);

		claude_rule_print(vy_json_at(rules, i), &b);
		vy_json_add_take(list, vy_json_new_str(vy_buf_str(&b)));
	}
	return list;
}

/* The exact rule that would be stored; of several all, joined by ", ". */
static void always_option(struct vy_json *list, const struct vy_json *update,
	const struct vy_json *request, struct vy_arena *a)
{
	const struct vy_json *rules = vy_json_get(update, "rules");
	const struct vy_json *folders = vy_json_get(update, "directories");
	VY_AUTO_BUF b = VY_BUF_INIT(VY_DETAIL_MAX);

	for (size_t i = 0; i < vy_json_len(rules); i++) {
		vy_buf_adds(&b, i ? ", " : "");
		claude_rule_print(vy_json_at(rules, i), &b);
	}
	for (size_t i = 0; i < vy_json_len(folders); i++) {
		vy_buf_adds(&b, i ? ", " : "files in ");
		vy_buf_addstr(&b, vy_json_strval(vy_json_at(folders, i)));
	}
	const char *scope = claude_scope(vy_json_str(update, "destination"));
	bool is_project = scope && strcmp(scope, "project") == 0;
	struct vy_json *o = option(list, "always",
		is_project ? "Always in this project" : "Always in this session", "allow");

	vy_json_set_str(o, "rule", vy_buf_str(&b));
	vy_json_set_c(o, "scope", scope);
	if (vy_json_len(rules)) {
		vy_json_take(o, "scopes", claude_scopes());
	}
	if (vy_json_len(rules) > 1) {
		vy_json_take(o, "rules", each_rule(rules));
	}
	if (vy_str_is(vy_json_str(request, "tool_name"), "Bash")) {
		vy_json_take(o, "parts",
			claude_parts(
				vy_json_str(vy_json_get(request, "input"), "command"), rules, a));
	}
}

static struct vy_json *permission_options(
	const struct claude_theirs *t, const struct vy_json *request, struct vy_arena *a)
{
	struct vy_json *list = vy_json_new_arr();
	const struct vy_json *always = vy_json_get(t->keep, "always");

	option(list, "allow", "Yes", "allow");
	if (vy_json_len(always)) {
		always_option(list, vy_json_at(always, 0), request, a);
	} else if (t->source) {
		struct vy_json *o = option(list, "always", "Always in this session", "allow");

		vy_json_set_c(o, "rule", vy_arena_printf(a, "%s (%s)", t->tool, t->source));
		vy_json_set_c(o, "scope", "session");
	}
	if (vy_json_len(vy_json_get(t->keep, "accept-edits"))) {
		vy_json_set_c(
			option(list, "accept-edits", "Yes, and accept edits from now on", "allow"),
			"mode", "acceptEdits");
	}
	option(list, "deny", "No", "deny");
	return list;
}

static struct vy_json *plan_options(void)
{
	struct vy_json *list = vy_json_new_arr();

	vy_json_set_c(option(list, "accept-edits", "Yes, and accept edits", "allow"), "mode",
		"acceptEdits");
	vy_json_set_c(option(list, "allow", "Yes, ask before edits", "allow"), "mode", "default");
	option(list, "deny", "No, keep planning", "deny");
	return list;
}

/* ---- questions ---- */

static struct vy_json *choices(const struct vy_json *from)
{
	struct vy_json *list = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(from); i++) {
		const struct vy_json *o = vy_json_at(from, i);
		struct vy_json *to = vy_json_new_obj();

		vy_json_set_str(to, "label", vy_json_str(o, "label"));
		vy_json_set_str(to, "description", vy_json_str(o, "description"));
		vy_json_add_take(list, to);
	}
	return list;
}

static struct vy_json *questions_of(const struct vy_json *input)
{
	const struct vy_json *from = vy_json_get(input, "questions");
	struct vy_json *list = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(from); i++) {
		const struct vy_json *q = vy_json_at(from, i);
		struct vy_json *to = vy_json_new_obj();

		vy_json_set_str(to, "header", vy_json_str(q, "header"));
		vy_json_set_str(to, "question", vy_json_str(q, "question"));
		vy_json_set_bool(to, "multi", vy_json_bool(q, "multiSelect", false));
		vy_json_set_bool(to, "free", true);
		vy_json_take(to, "options", choices(vy_json_get(q, "options")));
		vy_json_add_take(list, to);
	}
	return list;
}

/* One answer as claude wants it: a string. */
static struct vy_json *answer_text(const struct vy_json *answer)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_SEND_TEXT_MAX);

	if (vy_json_type(answer) == VY_JSON_STR) {
		return vy_json_new_str(vy_json_strval(answer));
	}
	for (size_t i = 0; i < vy_json_len(answer); i++) {
		vy_buf_adds(&b, i ? ", " : "");
		vy_buf_addstr(&b, vy_json_strval(vy_json_at(answer, i)));
	}
	return b.len ? vy_json_new_str(vy_buf_str(&b)) : NULL;
}

struct vy_json *claude_ask_answers(
	const struct vy_json *input, const struct vy_json *answers, bool can_say_unanswered)
{
	const struct vy_json *questions = vy_json_get(input, "questions");
	struct vy_json *whole = vy_json_copy(input), *put = vy_json_new_obj();
	struct vy_json *notes = vy_json_new_obj();

	for (size_t i = 0; i < vy_json_len(questions); i++) {
		const char *q = vy_json_cstr(vy_json_at(questions, i), "question");
		struct vy_json *text = q ? answer_text(vy_json_get(answers, q)) : NULL;

		if (text) {
			vy_json_take(put, q, text);
		} else if (q && can_say_unanswered) {
			struct vy_json *n = vy_json_new_obj();

			vy_json_set_c(n, "unanswered", "skipped");
			vy_json_take(notes, q, n);
		}
	}
	vy_json_take(whole, "answers", put);
	if (vy_json_len(notes)) {
		vy_json_set(whole, "annotations", notes);
	}
	vy_json_free(notes);
	return whole;
}

/* ---- the whole ---- */

static const char *kind_word(int64_t kind)
{
	return kind == THEIRS_QUESTION ? "question" : kind == THEIRS_PLAN ? "plan" : "permission";
}

static struct vy_str summary_of(const struct claude *c, const struct claude_theirs *t,
	const struct vy_json *req, struct vy_arena *a)
{
	const struct vy_json *in = vy_json_get(req, "input");

	if (t->kind == THEIRS_PLAN && !vy_json_str(in, "plan").n) {
		return VY_STR_LIT("Leave plan mode");
	}
	return claude_tool_summary(vy_json_str(req, "tool_name"), in, fields_str(c->cwd), a);
}

/* What does not fit is said: nobody should approve an end they did not see without knowing it. */
static void set_detail(struct vy_json *ask, struct vy_str detail, struct vy_arena *a)
{
	size_t room = brief_piece(detail);

	if (room < detail.n) {
		struct vy_str cut = brief_cut(detail, room - 64);

		const char *more = vy_arena_printf(
			a, "\n… %zu KiB more are not shown", (detail.n - cut.n + 1023) / VY_KIB);

		detail = brief_join(cut, vy_str_c(more), vy_str_n(NULL, 0), a);
	}
	if (detail.n) {
		vy_json_set_str(ask, "detail", detail);
	}
}

struct vy_json *claude_ask_shape(const struct claude *c, const struct claude_theirs *t,
	const struct vy_json *request, struct vy_arena *a)
{
	struct vy_json *ask = vy_json_new_obj();
	struct vy_str blocked = vy_json_str(request, "blocked_path");
	struct vy_str source = vy_json_str(vy_json_get(request, "mcp_server"), "source");

	vy_json_set_c(ask, "kind", kind_word(t->kind));
	vy_json_set_str(ask, "tool", fields_str(t->tool));
	vy_json_set_str(ask, "title", title_of(request, a));
	vy_json_set_str(ask, "summary", summary_of(c, t, request, a));
	set_detail(ask, detail_of(c, request, a), a);
	vy_json_take(ask, "edit", edit_of(c, request));
	if (blocked.n) {
		vy_json_set_str(ask, "blocked_path", brief_cut(blocked, VY_DETAIL_MAX));
	}
	if (source.n) {
		vy_json_set_str(ask, "source", brief_id(source));
	}
	vy_json_take(ask, "options",
		t->kind == THEIRS_PLAN         ? plan_options()
		: t->kind == THEIRS_PERMISSION ? permission_options(t, request, a)
					       : vy_json_new_arr());
	if (t->kind == THEIRS_QUESTION) {
		vy_json_take(ask, "questions", questions_of(vy_json_get(request, "input")));
	}
	return ask;
}
