/* demo_tools.c -- the demo's tool calls, in the order claude has: the hook judges it, a person may
 * be asked, it runs, its result is told to the model and to the host. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/provider/demo_agent.h"
#include "server/provider/patch.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define FILE_MAX_BYTES (4 * VY_MIB)

/* What a tool gives: text for the model, the structured twin for the host (owned). */
struct outcome {
	struct vy_str text;
	struct vy_json *twin;
	bool is_error;
};

static struct outcome failed(struct vy_str text)
{
	return (struct outcome){ text, NULL, true };
}

/* ---- files ---- */

static struct vy_str path_of(struct demo *d, const struct vy_json *input)
{
	struct vy_str p = vy_json_str(input, "file_path");
	char cwd[4096];

	if (vy_str_starts(p, "/") || !getcwd(cwd, sizeof(cwd))) {
		return p;
	}
	return vy_str_c(vy_arena_printf(&d->arena, "%s/%.*s", cwd, VY_STR_ARG(p)));
}

/* The whole file; false with errno when it cannot be read. */
static bool slurp(struct demo *d, struct vy_str path, struct vy_str *out)
{
	VY_AUTO_BUF b = VY_BUF_INIT(FILE_MAX_BYTES);
	FILE *f = fopen(vy_arena_dup(&d->arena, path.p, path.n), "re");
	char part[16384];
	size_t n;

	if (!f) {
		return false;
	}
	while ((n = fread(part, 1, sizeof(part), f)) > 0) {
		vy_buf_add(&b, part, n);
	}
	bool is_bad = ferror(f);

	fclose(f);
	*out = vy_arena_str(&d->arena, vy_buf_str(&b));
	if (is_bad || vy_buf_is_over(&b)) {
		errno = is_bad ? EIO : EFBIG;
		return false;
	}
	return true;
}

static bool spill(struct demo *d, struct vy_str path, struct vy_str text)
{
	FILE *f = fopen(vy_arena_dup(&d->arena, path.p, path.n), "we");

	if (!f) {
		return false;
	}
	bool ok = fwrite(text.n ? text.p : "", 1, text.n, f) == text.n;

	return fclose(f) == 0 && ok;
}

static struct outcome file_error(struct demo *d, struct vy_str path)
{
	return failed(vy_str_c(
		vy_arena_printf(&d->arena, "%.*s: %s", VY_STR_ARG(path), strerror(errno))));
}

static struct outcome changed(struct demo *d, struct vy_str path, const char *type,
	struct vy_str before, struct vy_str after)
{
	struct vy_json *twin = vy_json_new_obj();

	vy_json_set_str(twin, "filePath", path);
	if (type) {
		vy_json_set_c(twin, "type", type);
		vy_json_set_str(twin, "content", after);
	}
	vy_json_take(twin, "structuredPatch", patch_make(before, after, false, &d->arena));
	return (struct outcome){ vy_str_c(vy_arena_printf(&d->arena, "The file %.*s was written.",
					 VY_STR_ARG(path))),
		twin, false };
}

static struct outcome run_write(struct demo *d, const struct demo_call *call)
{
	struct vy_str path = path_of(d, call->input), before = { NULL, 0 };
	struct vy_str after = vy_json_str(call->input, "content");
	bool is_there = slurp(d, path, &before);

	demo_past_file(d, path, is_there, before);
	if (!spill(d, path, after)) {
		return file_error(d, path);
	}
	return changed(d, path, is_there ? "update" : "create", before, after);
}

static struct outcome run_edit(struct demo *d, const struct demo_call *call)
{
	struct vy_str path = path_of(d, call->input), before;
	struct vy_str old_text = vy_json_str(call->input, "old_string");
	struct vy_str new_text = vy_json_str(call->input, "new_string");
	VY_AUTO_BUF b = VY_BUF_INIT((size_t)2 * FILE_MAX_BYTES);

	if (!slurp(d, path, &before)) {
		return file_error(d, path);
	}
	const char *at =
		old_text.n ? memmem(before.n ? before.p : "", before.n, old_text.p, old_text.n)
			   : NULL;

	if (!at) {
		return failed(VY_STR_LIT("String to replace not found in file."));
	}
	vy_buf_add(&b, before.p, (size_t)(at - before.p));
	vy_buf_addstr(&b, new_text);
	vy_buf_addstr(&b, vy_str_from(before, (size_t)(at - before.p) + old_text.n));
	demo_past_file(d, path, true, before);
	if (!spill(d, path, vy_buf_str(&b))) {
		return file_error(d, path);
	}
	return changed(d, path, NULL, before, vy_arena_str(&d->arena, vy_buf_str(&b)));
}

static struct outcome was_picture(struct demo *d, struct vy_str bytes, const char *mime)
{
	struct vy_json *twin = vy_json_new_obj(), *file = vy_json_new_obj();
	char *b64 = vy_arena_alloc(&d->arena, 4 * (bytes.n / 3 + 2));

	vy_json_set_c(file, "type", mime);
	vy_json_set_str(file, "base64", vy_str_n(b64, vy_base64(bytes.p, bytes.n, b64)));
	vy_json_set_int(file, "originalSize", (int64_t)bytes.n);
	vy_json_set_c(twin, "type", "image");
	vy_json_take(twin, "file", file);
	return (struct outcome){ VY_STR_LIT("[image]"), twin, false };
}

static struct outcome run_read(struct demo *d, const struct demo_call *call)
{
	struct vy_str path = path_of(d, call->input), text;
	int64_t lines = 0;

	if (!slurp(d, path, &text)) {
		return file_error(d, path);
	}
	if (vy_str_starts(text, "\x89PNG") || vy_str_starts(text, "\xff\xd8\xff")) {
		return was_picture(d, text, text.p[0] == '\xff' ? "image/jpeg" : "image/png");
	}
	struct vy_json *twin = vy_json_new_obj(), *file = vy_json_new_obj();

	for (size_t i = 0; i < text.n; i++) {
		lines += text.p[i] == '\n';
	}
	lines += text.n > 0 && text.p[text.n - 1] != '\n';
	vy_json_set_str(file, "filePath", path);
	vy_json_set_str(file, "content", text);
	vy_json_set_int(file, "numLines", lines);
	vy_json_set_int(file, "startLine", 1);
	vy_json_set_int(file, "totalLines", lines);
	vy_json_set_c(twin, "type", "text");
	vy_json_take(twin, "file", file);
	return (struct outcome){ text, twin, false };
}

/* ---- commands ---- */

static struct outcome run_behind(struct demo *d, const struct demo_call *call, const char *command)
{
	struct vy_json *twin = vy_json_new_obj();

	demo_shell_behind(d, command, call->id, command);
	vy_json_set_c(twin, "stdout", "");
	vy_json_set_c(twin, "backgroundTaskId",
		vy_arena_printf(&d->arena, "task-%lld", (long long)d->next_task));
	return (struct outcome){ VY_STR_LIT("Command running in background."), twin, false };
}

static struct outcome run_bash(struct demo *d, const struct demo_call *call)
{
	struct vy_str cmd = vy_json_str(call->input, "command");
	const char *command = vy_arena_dup(&d->arena, cmd.p, cmd.n);

	if (vy_json_bool(call->input, "run_in_background", false)) {
		return run_behind(d, call, command);
	}
	demo_shell(d, command);
	struct vy_str out = vy_buf_str(&d->front.out);
	int st = d->front.status;
	int code = WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);

	while (out.n && out.p[out.n - 1] == '\n') {
		out.n--;
	}
	/* One door for what a command says: valid UTF-8 from here on. */
	struct vy_json *clean = vy_json_new_str(out);
	struct outcome o = { vy_arena_str(&d->arena, vy_json_strval(clean)), NULL, code != 0 };

	vy_json_free(clean);
	demo_shell_clear(&d->front);
	if (code) {
		o.text = vy_str_c(
			vy_arena_printf(&d->arena, "Exit code %d\n%.*s", code, VY_STR_ARG(o.text)));
		return o;
	}
	o.twin = vy_json_new_obj();
	vy_json_set_str(o.twin, "stdout", o.text);
	vy_json_set_c(o.twin, "stderr", "");
	vy_json_set_bool(o.twin, "interrupted", false);
	return o;
}

/* ---- todos, questions, plans, errands ---- */

static struct outcome run_todo(struct demo *d, const struct demo_call *call)
{
	struct vy_json *twin = vy_json_new_obj();

	(void)d;
	vy_json_set(twin, "newTodos", vy_json_get(call->input, "todos"));
	return (struct outcome){ VY_STR_LIT("Todos have been modified successfully."), twin,
		false };
}

static struct outcome run_question(
	struct demo *d, const struct demo_call *call, const struct vy_json *response)
{
	struct vy_json *input = vy_json_get(response, "updatedInput");
	struct vy_json *answers = vy_json_get(input, "answers"), *value;
	struct vy_json *twin = vy_json_new_obj();
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
	const char *key;

	(void)call;
	vy_buf_adds(&b, "Your questions have been answered:");
	VY_JSON_EACH (answers, key, value) {
		vy_buf_addf(&b, " \"%s\"=\"%.*s\"", key, VY_STR_ARG(vy_json_strval(value)));
	}
	vy_json_set(twin, "questions", vy_json_get(input, "questions"));
	vy_json_set(twin, "answers", answers);
	return (struct outcome){ vy_arena_str(&d->arena, vy_buf_str(&b)), twin, false };
}

static struct outcome run_plan(struct demo *d, const struct demo_call *call)
{
	struct vy_json *twin = vy_json_new_obj();

	vy_json_set(twin, "plan", vy_json_get(call->input, "plan"));
	vy_json_set_bool(twin, "isAgent", false);
	if (strcmp(d->mode, "plan") == 0) {
		demo_set_mode(d, VY_STR_LIT("default"));
	}
	return (struct outcome){ VY_STR_LIT("User has approved your plan."), twin, false };
}

static const struct field errand_fields[] = {
	{ "task", FIELD_STR, offsetof(struct demo_errand, task), NULL },
	{ "tool", FIELD_STR, offsetof(struct demo_errand, tool), NULL },
	{ "script", FIELD_STR, offsetof(struct demo_errand, script), NULL },
};
static const struct field_set errand_set = FIELD_SET(errand_fields, struct demo_errand);

static struct outcome send_errand(struct demo *d, const struct demo_call *call, const char *task)
{
	struct demo_errand *e = fields_list_add(&d->errands, &errand_set);
	struct vy_json *twin = vy_json_new_obj();

	fields_str_set(&e->task, vy_str_c(task));
	fields_str_set(&e->tool, vy_str_c(call->id));
	fields_str_set(&e->script, vy_json_str(call->input, "prompt"));
	vy_json_set_bool(twin, "isAsync", true);
	vy_json_set_c(twin, "status", "async_launched");
	demo_out_tasks(&d->main, demo_tasks(d));
	demo_out_task_started(&d->main, task, call->id, "A small errand", "local_agent", true);
	return (struct outcome){ VY_STR_LIT("Async agent launched successfully."), twin, false };
}

static struct outcome run_agent(struct demo *d, const struct demo_call *call)
{
	struct demo_where sub = d->main;
	struct script script;
	char task[32];

	demo_task_new_id(d, task);
	if (!vy_json_get(call->input, "run_in_background") ||
		vy_json_bool(call->input, "run_in_background", false)) {
		return send_errand(d, call, task);
	}
	sub.parent = call->id;
	demo_out_task_started(&d->main, task, call->id, "A small errand", "local_agent", false);
	script_parse(vy_json_str(call->input, "prompt"), &d->arena, &script);
	int64_t calls = d->next_call;

	demo_play(d, &sub, &script);
	struct vy_json *twin = vy_json_new_obj();

	vy_json_set_c(twin, "status", "completed");
	vy_json_set_int(twin, "totalToolUseCount", d->next_call - calls);
	vy_json_set_int(twin, "totalTokens", 1000);
	return (struct outcome){ VY_STR_LIT("The errand is done."), twin, false };
}

/* ---- the table ---- */

static const struct {
	const char *name;
	struct outcome (*run)(struct demo *d, const struct demo_call *call);
	bool is_edit; /* not asked about in acceptEdits */
	bool asks;    /* in mode default */
} tools[] = {
	{ "Bash", run_bash, false, true },
	{ "Write", run_write, true, true },
	{ "Edit", run_edit, true, true },
	{ "Read", run_read, false, false },
	{ "TodoWrite", run_todo, false, false },
	{ "AskUserQuestion", NULL, false, true },
	{ "ExitPlanMode", run_plan, false, true },
	{ "Agent", run_agent, false, false },
};

static size_t tool_index(const char *name)
{
	for (size_t i = 0; i < VY_COUNT(tools); i++) {
		if (strcmp(tools[i].name, name) == 0) {
			return i;
		}
	}
	return VY_COUNT(tools);
}

/* ---- asking ---- */

static bool must_ask(struct demo *d, const struct demo_call *call, size_t tool)
{
	bool is_scratch =
		d->last_plan && vy_str_is(vy_json_str(call->input, "file_path"), d->last_plan);

	if (!tools[tool].asks || is_scratch) {
		return false;
	}
	if (tools[tool].is_edit) {
		return strcmp(d->mode, "acceptEdits") != 0;
	}
	return strcmp(call->name, "Bash") != 0 ||
	       !demo_rules_allow(d, vy_json_str(call->input, "command"));
}

/* false: it may not run; `why` says what to tell the model. */
static bool ask(struct demo *d, const struct demo_where *w, const struct demo_call *call,
	size_t tool, struct demo_done *done, struct vy_str *why)
{
	struct vy_json *req = vy_json_new_obj();
	char *id = demo_request_id(d);

	vy_json_set_c(req, "subtype", "can_use_tool");
	vy_json_set_c(req, "tool_name", call->name);
	vy_json_set_c(req, "display_name", call->name);
	vy_json_set(req, "input", call->input);
	if (why->n) { /* of the hook that wants a person to see it: no rule is suggested */
		vy_json_set_str(req, "decision_reason", *why);
		vy_json_set_c(req, "decision_reason_type", "hook");
	} else {
		vy_json_take(req, "permission_suggestions",
			demo_rules_suggest(d, call, tools[tool].is_edit));
	}
	vy_json_set_c(req, "tool_use_id", call->id);
	if (w->parent) {
		vy_json_set_c(req, "agent_id", w->parent);
	}
	demo_out_request(w, id, req);
	done->response = demo_await(d, id);
	if (vy_str_is(vy_json_str(done->response, "behavior"), "allow")) {
		demo_rules_learn(d, vy_json_get(done->response, "updatedPermissions"));
		return true;
	}
	struct vy_str message = vy_json_str(done->response, "message");

	d->is_cut |= vy_json_bool(done->response, "interrupt", false);
	*why = message.n ? message : VY_STR_LIT("Nobody answered.");
	return false;
}

/* deny: not run, with its reason; ask: a person is asked, whatever the mode says. */
static const char *judge(struct demo *d, const struct demo_where *w, const struct demo_call *call,
	struct vy_str *why)
{
	struct vy_json *req = vy_json_new_obj(), *input = vy_json_new_obj();
	char *id = demo_request_id(d);

	vy_json_set_c(input, "hook_event_name", "PreToolUse");
	vy_json_set_c(input, "permission_mode", d->mode);
	vy_json_set_c(input, "tool_name", call->name);
	vy_json_set(input, "tool_input", call->input);
	if (w->parent) {
		vy_json_set_c(input, "agent_id", w->parent);
	}
	vy_json_set_c(req, "subtype", "hook_callback");
	vy_json_set_c(req, "callback_id", d->hook);
	vy_json_take(req, "input", input);
	vy_json_set_c(req, "tool_use_id", call->id);
	demo_out_request(w, id, req);
	const struct vy_json *r = demo_await(d, id);
	const struct vy_json *said = vy_json_get(r, "hookSpecificOutput");

	if (!r) {
		*why = VY_STR_LIT("The hook did not answer.");
		return "deny";
	}
	*why = vy_json_str(said, "permissionDecisionReason");
	return vy_json_cstr(said, "permissionDecision");
}

/* ---- a call ---- */

static struct outcome run(struct demo *d, const struct demo_where *w, const struct demo_call *call,
	struct demo_done *done)
{
	size_t tool = tool_index(call->name);
	struct vy_str why = { NULL, 0 };
	bool is_forced = false;

	if (tool == VY_COUNT(tools)) {
		return failed(vy_str_c(
			vy_arena_printf(&d->arena, "No such tool available: %s", call->name)));
	}
	if (d->hook) {
		const char *verdict = judge(d, w, call, &why);

		if (verdict && strcmp(verdict, "deny") == 0) {
			return failed(vy_str_c(vy_arena_printf(&d->arena,
				"PreToolUse:%s hook error: %.*s", call->name, VY_STR_ARG(why))));
		}
		is_forced = verdict && strcmp(verdict, "ask") == 0;
	}
	if ((is_forced || must_ask(d, call, tool)) && !ask(d, w, call, tool, done, &why)) {
		return failed(why);
	}
	return tools[tool].run ? tools[tool].run(d, call) : run_question(d, call, done->response);
}

bool demo_call(struct demo *d, const struct demo_where *w, const struct demo_call *call,
	struct demo_done *done)
{
	memset(done, 0, sizeof(*done));
	struct outcome o = run(d, w, call, done);

	if (demo_is_cut(d)) {
		o.text = VY_STR_LIT("The user doesn't want to proceed with this tool use.");
	}
	done->text = o.text;
	done->is_error = o.is_error || demo_is_cut(d);
	demo_out_tool_result(w, call->id, done->text, done->is_error, demo_is_cut(d), o.twin);
	vy_json_free(o.twin);
	return !demo_is_cut(d);
}
