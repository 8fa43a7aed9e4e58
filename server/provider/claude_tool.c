/* claude_tool.c -- see claude_tool.h. */
#include "server/provider/claude_tool.h"

#include "server/provider/brief.h"
#include "server/provider/claude_result.h"
#include "server/provider/claude_stream.h"
#include "server/provider/claude_todo.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define OPEN_MAX   1000         /* calls a mad agent may hold open */
#define INPUT_KEEP (4 * VY_KIB) /* of one string of an open call's input */

/* ---- what a tool is ---- */

/* `about` names the input's member that says what the call is about. */
static const struct {
	const char *name, *kind, *about;
} tools[] = {
	{ "Bash", "shell", "command" },
	{ "BashOutput", "shell", "bash_id" },
	{ "KillShell", "shell", "shell_id" },
	{ "TaskOutput", "shell", "task_id" },
	{ "TaskStop", "shell", "task_id" },
	{ "Read", "read", "file_path" },
	{ "NotebookRead", "read", "notebook_path" },
	{ "Write", "edit", "file_path" },
	{ "Edit", "edit", "file_path" },
	{ "MultiEdit", "edit", "file_path" },
	{ "NotebookEdit", "edit", "notebook_path" },
	{ "Glob", "search", "pattern" },
	{ "Grep", "search", "pattern" },
	{ "LS", "search", "path" },
	{ "ToolSearch", "search", "query" },
	{ "TodoWrite", "todo", NULL },
	{ "TaskCreate", "todo", "subject" },
	{ "TaskUpdate", "todo", "status" },
	{ "TaskList", "todo", NULL },
	{ "TaskGet", "todo", "taskId" },
	{ "WebFetch", "web", "url" },
	{ "WebSearch", "web", "query" },
	{ "Agent", "agent", "description" },
	{ "Task", "agent", "description" },
	{ "SendMessage", "agent", "to" },
	{ "ExitPlanMode", "other", NULL },
	{ "Skill", "other", "skill" },
};

const char *claude_tool_kind(struct vy_str name)
{
	for (size_t i = 0; i < VY_COUNT(tools); i++) {
		if (vy_str_is(name, tools[i].name)) {
			return tools[i].kind;
		}
	}
	return "other";
}

bool claude_tool_spawns(struct vy_str name)
{
	return vy_str_is(name, "Agent") || vy_str_is(name, "Task");
}

/* A plan is known by its first line, without the marks of a heading. */
static struct vy_str plan_line(struct vy_str plan)
{
	size_t n = 0;

	while (plan.n && (plan.p[0] == '#' || plan.p[0] == ' ' || plan.p[0] == '\n')) {
		plan = vy_str_from(plan, 1);
	}
	while (n < plan.n && plan.p[n] != '\n') {
		n++;
	}
	return vy_str_n(plan.p, n);
}

static struct vy_str first_string(const struct vy_json *input)
{
	struct vy_json *value;
	const char *key;

	VY_JSON_EACH (input, key, value) {
		if (vy_json_strval(value).n) {
			return vy_json_strval(value);
		}
	}
	return vy_str_n(NULL, 0);
}

static struct vy_str about(struct vy_str name, const struct vy_json *input)
{
	if (vy_str_is(name, "ExitPlanMode")) {
		return plan_line(vy_json_str(input, "plan"));
	}
	for (size_t i = 0; i < VY_COUNT(tools); i++) {
		if (vy_str_is(name, tools[i].name)) {
			return tools[i].about ? vy_json_str(input, tools[i].about)
					      : vy_str_n(NULL, 0);
		}
	}
	if (vy_str_is(name, "AskUserQuestion")) {
		return vy_json_str(vy_json_at(vy_json_get(input, "questions"), 0), "question");
	}
	return first_string(input);
}

struct vy_str claude_tool_summary(
	struct vy_str name, const struct vy_json *input, struct vy_str cwd, struct vy_arena *a)
{
	struct vy_str s = brief_path(about(name, input), cwd);
	size_t n = vy_json_len(vy_json_get(input, "todos"));

	if (n) {
		return vy_str_c(vy_arena_printf(a, "%zu item%s", n, n == 1 ? "" : "s"));
	}
	s = brief_one_line(s, a);
	name = brief_one_line(name, a);
	return s.n ? s : name.n ? name : VY_STR_LIT("a call without words");
}

/* ---- begin ---- */

/* The short strings and plain values of an input: what summary and result need later. */
static struct vy_json *short_input(const struct vy_json *input)
{
	struct vy_json *keep = vy_json_new_obj(), *value;
	const char *key;

	VY_JSON_EACH (input, key, value) {
		struct vy_str s = vy_json_strval(value);
		enum vy_json_type t = vy_json_type(value);
		bool is_command = vy_str_is(vy_str_c(key), "command");

		if (t == VY_JSON_STR && (s.n <= INPUT_KEEP || is_command)) {
			vy_json_set_str(keep, key, brief_cut(s, INPUT_KEEP));
		} else if (t == VY_JSON_BOOL || t == VY_JSON_INT || t == VY_JSON_REAL) {
			vy_json_set(keep, key, value);
		}
	}
	return keep;
}

struct agent_event *claude_tool_start(
	struct claude *c, struct vy_str parent, const struct vy_json *block, struct agent_out *out)
{
	struct vy_str id = brief_id(vy_json_str(block, "id"));
	struct vy_str name = brief_id(vy_json_str(block, "name"));
	const struct vy_json *input = vy_json_get(block, "input");

	if (!id.n || claude_call_find(c, id) || c->calls.n >= OPEN_MAX) {
		return NULL;
	}
	struct claude_call *call = fields_list_add(&c->calls, &claude_call_set);

	fields_str_set(&call->id, id);
	fields_str_set(&call->name, name.n ? name : VY_STR_LIT("tool"));
	fields_str_set(&call->parent, parent);
	call->input = short_input(input);

	struct agent_event *ev = agent_out_add(out, AE_TOOL_START);

	ev->tool = vy_arena_str(out->arena, id);
	ev->name = vy_arena_str(out->arena, fields_str(call->name));
	ev->parent = vy_arena_str(out->arena, parent);
	ev->tool_kind = claude_tool_kind(name);
	ev->text = claude_tool_summary(name, input, fields_str(c->cwd), out->arena);
	ev->is_background = vy_json_bool(input, "run_in_background", false);
	return ev;
}

/* ---- end ---- */

/* A person's interrupt ended it, rather than its own failure. */
static bool was_cut(const struct claude *c, const struct vy_json *line, struct vy_str id,
	const struct vy_json *result)
{
	const struct vy_json *meta = vy_json_get(line, "tool_result_meta");

	for (size_t i = 0; i < vy_json_len(meta); i++) {
		const struct vy_json *m = vy_json_at(meta, i);

		if (vy_str_eq(vy_json_str(m, "id"), id)) {
			return vy_str_is(vy_json_str(m, "non_execution_kind"), "user-rejected");
		}
	}
	return vy_json_bool(vy_json_get(line, "tool_use_result"), "interrupted", false) ||
	       (c->is_interrupting && vy_json_bool(result, "is_error", false));
}

static void done_event(struct claude_call *call, enum agent_outcome outcome, struct vy_json *block,
	bool is_behind, struct agent_out *out)
{
	struct agent_event *ev = agent_out_add(out, AE_TOOL_DONE);

	ev->tool = vy_arena_str(out->arena, fields_str(call->id));
	ev->parent = vy_arena_str(out->arena, fields_str(call->parent));
	ev->outcome = outcome;
	ev->is_background = is_behind;
	ev->json = block;
}

static void cancel_at(struct claude *c, size_t i, struct agent_out *out)
{
	struct claude_call *call = &c->calls.v[i];

	done_event(call, AGENT_CANCELED, brief_block(VY_STR_LIT("Interrupted.")), false, out);
	claude_call_del(c, call);
}

static void tell_change(const struct claude_result *r, struct agent_out *out)
{
	if (!r->change.path.n) {
		return;
	}
	struct agent_event *ev = agent_out_add(out, AE_FILE_CHANGED);

	ev->tool = vy_arena_str(out->arena, fields_str(r->call->id));
	ev->name = vy_arena_str(out->arena, brief_path(r->change.path, fields_str(r->c->cwd)));
	ev->text = vy_str_c(r->change.op);
	ev->added = r->change.added;
	ev->removed = r->change.removed;
}

static enum agent_outcome outcome_of(const struct claude *c, const struct vy_json *line,
	struct vy_str id, const struct vy_json *result)
{
	if (was_cut(c, line, id, result)) {
		return AGENT_CANCELED;
	}
	return vy_json_bool(result, "is_error", false) ? AGENT_FAILED : AGENT_OK;
}

/* Its subagent was sent to the background. */
static bool goes_on(
	const struct claude *c, const struct claude_call *call, const struct vy_json *twin)
{
	bool is_behind = vy_json_bool(twin, "isAsync", false);

	for (size_t i = 0; i < c->subs.n && !is_behind; i++) {
		const struct claude_sub *sub = &c->subs.v[i];

		is_behind = sub->is_listed && vy_str_is(fields_str(sub->call), call->id);
	}
	return is_behind;
}

static void end_call(struct claude *c, struct claude_call *call, const struct vy_json *line,
	const struct vy_json *result, const struct vy_json *twin, struct agent_out *out)
{
	struct claude_result r = {
		.c = c,
		.call = call,
		.text = claude_result_text(vy_json_get(result, "content"), out->arena),
		.parts = vy_json_get(result, "content"), /* a string has no items */
		.twin = vy_json_type(twin) == VY_JSON_OBJ ? twin : NULL,
		.outcome = outcome_of(c, line, fields_str(call->id), result),
		.arena = out->arena,
	};
	bool has_todo = r.outcome == AGENT_OK && !call->parent &&
			claude_todo_fold(c, fields_str(call->name), call->input, r.twin);

	done_event(call, r.outcome, claude_result_block(&r), goes_on(c, call, r.twin), out);
	tell_change(&r, out);
	if (has_todo) {
		agent_out_add(out, AE_TODO)->json = claude_todo_block(c);
	}
	if (!call->parent) {
		fields_str_set(&c->last_call, fields_str(call->id));
	}
	claude_call_del(c, call);
}

void claude_tool_end_thread(struct claude *c, struct vy_str parent, struct agent_out *out)
{
	for (size_t i = 0; i < c->calls.n;) {
		if (vy_str_eq(fields_str(c->calls.v[i].parent), parent)) {
			cancel_at(c, i, out);
		} else {
			i++;
		}
	}
	if (parent.n) {
		claude_stream_forget(c, parent);
	}
}

/* The result of a call; that of a subagent ends what it left open first, unless it only says that
 * the subagent was sent to the background. */
static void on_result(struct claude *c, const struct vy_json *line, const struct vy_json *result,
	const struct vy_json *twin, struct agent_out *out)
{
	struct vy_str id = brief_id(vy_json_str(result, "tool_use_id"));

	if (!claude_call_find(c, id)) {
		return;
	}
	if (!vy_json_bool(twin, "isAsync", false)) {
		claude_tool_end_thread(c, id, out);
	}
	end_call(c, claude_call_find(c, id), line, result, twin, out);
}

void claude_tool_results(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	const struct vy_json *content = vy_json_path(line, "message.content");
	size_t n = 0;

	if (vy_json_type(content) != VY_JSON_ARR) {
		return;
	}
	for (size_t i = 0; i < vy_json_len(content); i++) {
		n += vy_str_is(vy_json_str(vy_json_at(content, i), "type"), "tool_result");
	}
	for (size_t i = 0; i < vy_json_len(content); i++) {
		const struct vy_json *result = vy_json_at(content, i);

		if (vy_str_is(vy_json_str(result, "type"), "tool_result")) {
			on_result(c, line, result,
				n == 1 ? vy_json_get(line, "tool_use_result") : NULL, out);
		}
	}
}

void claude_tool_cancel_all(struct claude *c, struct agent_out *out)
{
	while (c->calls.n) {
		cancel_at(c, 0, out);
	}
}
