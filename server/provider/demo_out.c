/* demo_out.c -- see demo_out.h. */
#include "server/provider/demo_out.h"

#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

/* ---- pieces ---- */

static struct vy_jw line_begin(const struct demo_where *w, const char *type, const char *subtype)
{
	struct vy_jw j = VY_JW(w->out);

	vy_jw_obj(&j);
	vy_jw_kstr(&j, "type", vy_str_c(type));
	if (subtype) {
		vy_jw_kstr(&j, "subtype", vy_str_c(subtype));
	}
	return j;
}

static void line_end(const struct demo_where *w, struct vy_jw *j)
{
	vy_jw_kstr(j, "session_id", vy_str_c(w->session));
	vy_jw_end_obj(j);
	vy_buf_addc(j->b, '\n');
}

static void kjson(struct vy_jw *j, const char *key, const struct vy_json *v)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	if (v) {
		vy_json_dump(v, &b);
		vy_jw_key(j, key);
		vy_jw_raw(j, vy_buf_str(&b));
	}
}

static void kc(struct vy_jw *j, const char *key, const char *s)
{
	vy_jw_kstr(j, key, vy_str_c(s));
}

static void parent(const struct demo_where *w, struct vy_jw *j)
{
	vy_jw_key(j, "parent_tool_use_id");
	if (w->parent) {
		vy_jw_str(j, vy_str_c(w->parent));
	} else {
		vy_jw_null(j);
	}
}

/* Its place in what the demo said. */
static void place(const struct demo_where *w, struct vy_jw *j)
{
	char id[64];

	if (!w->lines || w->parent) {
		return;
	}
	snprintf(id, sizeof(id), "line-%s-%lld", w->lines->life, (long long)++w->lines->n);
	kc(j, "uuid", id);
	w->lines->said(w->lines->ctx, id);
}

static void usage(struct vy_jw *j, int64_t input, int64_t output)
{
	vy_jw_key(j, "usage");
	vy_jw_obj(j);
	vy_jw_kint(j, "input_tokens", input);
	vy_jw_kint(j, "output_tokens", output);
	vy_jw_end_obj(j);
}

/* ---- control ---- */

/* {type, response: {subtype, request_id …}}, without a session. */
static struct vy_jw reply_begin(const struct demo_where *w, struct vy_str id, const char *subtype)
{
	struct vy_jw j = line_begin(w, "control_response", NULL);

	vy_jw_key(&j, "response");
	vy_jw_obj(&j);
	kc(&j, "subtype", subtype);
	vy_jw_kstr(&j, "request_id", id);
	return j;
}

static void reply_end(struct vy_jw *j)
{
	vy_jw_end_obj(j);
	vy_jw_end_obj(j);
	vy_buf_addc(j->b, '\n');
}

static void pairs(struct vy_jw *j, const char *const list[][2], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		kc(j, list[i][0], list[i][1]);
	}
}

static void named(struct vy_jw *j, const char *const list[][2], size_t n)
{
	vy_jw_obj(j);
	pairs(j, list, n);
	vy_jw_end_obj(j);
}

void demo_out_hello(const struct demo_where *w, struct vy_str id)
{
	static const char *const help[][2] = { { "name", "tour" },
		{ "description", "Show the tour again" }, { "argumentHint", "" } };
	static const char *const model[][2] = { { "value", "default" }, { "resolvedModel", "demo" },
		{ "displayName", "Demo" },
		{ "description", "Scripted, built in: no network, no key" } };
	static const char *const efforts[] = { "low", "medium", "high" };
	struct vy_jw j = reply_begin(w, id, "success");

	vy_jw_key(&j, "response");
	vy_jw_obj(&j);
	vy_jw_key(&j, "commands");
	vy_jw_arr(&j);
	named(&j, help, VY_COUNT(help));
	vy_jw_end_arr(&j);
	vy_jw_key(&j, "models");
	vy_jw_arr(&j);
	vy_jw_obj(&j);
	pairs(&j, model, VY_COUNT(model));
	vy_jw_key(&j, "supportedEffortLevels");
	vy_jw_arr(&j);
	for (size_t i = 0; i < VY_COUNT(efforts); i++) {
		vy_jw_str(&j, vy_str_c(efforts[i]));
	}
	vy_jw_end_arr(&j);
	vy_jw_end_obj(&j);
	vy_jw_end_arr(&j);
	kc(&j, "claude_code_version", "demo");
	kc(&j, "current_permission_mode", w->mode);
	vy_jw_kbool(&j, "hooks_applied", true);
	vy_jw_end_obj(&j);
	reply_end(&j);
}

void demo_out_reply(const struct demo_where *w, struct vy_str id, struct vy_json *own_response)
{
	struct vy_jw j = reply_begin(w, id, "success");

	kjson(&j, "response", own_response);
	vy_json_free(own_response);
	reply_end(&j);
}

void demo_out_refuse(const struct demo_where *w, struct vy_str id, const char *why)
{
	struct vy_jw j = reply_begin(w, id, "error");

	kc(&j, "error", why);
	reply_end(&j);
}

void demo_out_request(const struct demo_where *w, const char *id, struct vy_json *own_request)
{
	struct vy_jw j = line_begin(w, "control_request", NULL);

	kc(&j, "request_id", id);
	kjson(&j, "request", own_request);
	vy_json_free(own_request);
	vy_jw_end_obj(&j);
	vy_buf_addc(j.b, '\n');
}

void demo_out_withdraw(const struct demo_where *w, const char *id)
{
	struct vy_jw j = line_begin(w, "control_cancel_request", NULL);

	kc(&j, "request_id", id);
	vy_jw_end_obj(&j);
	vy_buf_addc(j.b, '\n');
}

/* ---- turns ---- */

void demo_out_life(const struct demo_where *w, struct vy_str uuid, const char *state)
{
	struct vy_jw j = line_begin(w, "command_lifecycle", NULL);

	vy_jw_kstr(&j, "command_uuid", uuid);
	kc(&j, "state", state);
	line_end(w, &j);
}

void demo_out_init(const struct demo_where *w, const struct vy_json *uuids)
{
	static const char *const capabilities[] = { "interrupt_receipt_v1",
		"interrupt_cancel_queued_v1", "msg_lifecycle_v1",
		"ask_user_question_unanswered_v1" };
	struct vy_jw j = line_begin(w, "system", "init");

	kc(&j, "model", w->model);
	kc(&j, "permissionMode", w->mode);
	vy_jw_key(&j, "capabilities");
	vy_jw_arr(&j);
	for (size_t i = 0; i < VY_COUNT(capabilities); i++) {
		vy_jw_str(&j, vy_str_c(capabilities[i]));
	}
	vy_jw_end_arr(&j);
	kjson(&j, "user_message_uuids", vy_json_len(uuids) ? uuids : NULL);
	line_end(w, &j);
}

void demo_out_status(const struct demo_where *w, const char *status)
{
	struct vy_jw j = line_begin(w, "system", "status");

	kc(&j, "status", status);
	line_end(w, &j);
}

void demo_out_compacted(
	const struct demo_where *w, const char *trigger, int64_t before, int64_t after)
{
	struct vy_jw j = line_begin(w, "system", "compact_boundary");

	vy_jw_key(&j, "compact_metadata");
	vy_jw_obj(&j);
	kc(&j, "trigger", trigger);
	vy_jw_kint(&j, "pre_tokens", before);
	vy_jw_kint(&j, "post_tokens", after);
	vy_jw_end_obj(&j);
	line_end(w, &j);
}

void demo_out_mode(const struct demo_where *w)
{
	struct vy_jw j = line_begin(w, "system", "status");

	vy_jw_key(&j, "status");
	vy_jw_null(&j);
	kc(&j, "permissionMode", w->mode);
	line_end(w, &j);
}

void demo_out_limit(const struct demo_where *w, int64_t resets, bool is_used_up)
{
	struct vy_jw j = line_begin(w, "rate_limit_event", NULL);

	vy_jw_key(&j, "rate_limit_info");
	vy_jw_obj(&j);
	kc(&j, "status", is_used_up ? "rejected" : "allowed");
	vy_jw_kint(&j, "resetsAt", resets);
	kc(&j, "rateLimitType", "five_hour");
	vy_jw_key(&j, "unifiedWindows");
	vy_jw_obj(&j);
	vy_jw_key(&j, "five_hour");
	vy_jw_obj(&j);
	vy_jw_key(&j, "utilization");
	vy_jw_raw(&j, is_used_up ? VY_STR_LIT("1") : VY_STR_LIT("0.5"));
	vy_jw_end_obj(&j);
	vy_jw_end_obj(&j);
	vy_jw_end_obj(&j);
	line_end(w, &j);
}

void demo_out_retry(
	const struct demo_where *w, int64_t status, int attempt, int of, int64_t delay_ms)
{
	struct vy_jw j = line_begin(w, "system", "api_retry");

	vy_jw_kint(&j, "attempt", attempt);
	vy_jw_kint(&j, "max_retries", of);
	vy_jw_kint(&j, "retry_delay_ms", delay_ms);
	vy_jw_key(&j, "error_status");
	if (status) {
		vy_jw_int(&j, status);
	} else {
		vy_jw_null(&j);
	}
	line_end(w, &j);
}

static void models(struct vy_jw *j, const char *model, const struct demo_usage *u)
{
	vy_jw_key(j, "modelUsage");
	vy_jw_obj(j);
	vy_jw_key(j, model);
	vy_jw_obj(j);
	vy_jw_kint(j, "inputTokens", u->total_input);
	vy_jw_kint(j, "outputTokens", u->total_output);
	vy_jw_kint(j, "contextWindow", 200000);
	vy_jw_end_obj(j);
	vy_jw_end_obj(j);
}

void demo_out_result(const struct demo_where *w, const struct demo_result *r)
{
	struct vy_jw j = line_begin(w, "result", r->subtype);

	vy_jw_kbool(&j, "is_error", r->is_error);
	if (r->text) {
		kc(&j, "result", r->text);
	}
	kc(&j, "terminal_reason", r->terminal);
	if (r->api_status) {
		vy_jw_kint(&j, "api_error_status", r->api_status);
	}
	if (r->origin) {
		vy_jw_key(&j, "origin");
		vy_jw_obj(&j);
		kc(&j, "kind", r->origin);
		vy_jw_end_obj(&j);
	}
	char cost[32];

	snprintf(cost, sizeof(cost), "%.6f", r->usage.cost > 0 ? r->usage.cost : 0);
	vy_jw_key(&j, "total_cost_usd");
	vy_jw_raw(&j, vy_str_c(cost));
	usage(&j, r->usage.input, r->usage.output);
	models(&j, w->model, &r->usage);
	kjson(&j, "user_message_uuids", vy_json_len(r->uuids) ? r->uuids : NULL);
	line_end(w, &j);
}

/* ---- messages ---- */

static struct vy_jw event_begin(const struct demo_where *w, const char *type)
{
	struct vy_jw j = line_begin(w, "stream_event", NULL);

	vy_jw_key(&j, "event");
	vy_jw_obj(&j);
	kc(&j, "type", type);
	return j;
}

static void event_end(const struct demo_where *w, struct vy_jw *j)
{
	vy_jw_end_obj(j);
	parent(w, j);
	line_end(w, j);
}

void demo_out_message_start(const struct demo_where *w, const char *message)
{
	struct vy_jw j = event_begin(w, "message_start");

	vy_jw_key(&j, "message");
	vy_jw_obj(&j);
	kc(&j, "id", message);
	kc(&j, "role", "assistant");
	kc(&j, "model", w->model);
	vy_jw_end_obj(&j);
	event_end(w, &j);
}

void demo_out_block_start(const struct demo_where *w, int64_t index, const char *type)
{
	struct vy_jw j = event_begin(w, "content_block_start");

	vy_jw_kint(&j, "index", index);
	vy_jw_key(&j, "content_block");
	vy_jw_obj(&j);
	kc(&j, "type", type);
	vy_jw_end_obj(&j);
	event_end(w, &j);
}

void demo_out_delta(const struct demo_where *w, int64_t index, bool is_thought, struct vy_str text)
{
	struct vy_jw j = event_begin(w, "content_block_delta");

	vy_jw_kint(&j, "index", index);
	vy_jw_key(&j, "delta");
	vy_jw_obj(&j);
	kc(&j, "type", is_thought ? "thinking_delta" : "text_delta");
	vy_jw_kstr(&j, is_thought ? "thinking" : "text", text);
	vy_jw_end_obj(&j);
	event_end(w, &j);
}

void demo_out_block_stop(const struct demo_where *w, int64_t index)
{
	struct vy_jw j = event_begin(w, "content_block_stop");

	vy_jw_kint(&j, "index", index);
	event_end(w, &j);
}

void demo_out_message_end(
	const struct demo_where *w, const char *stop_reason, const struct demo_usage *u)
{
	struct vy_jw j = event_begin(w, "message_delta");

	vy_jw_key(&j, "delta");
	vy_jw_obj(&j);
	kc(&j, "stop_reason", stop_reason);
	vy_jw_end_obj(&j);
	usage(&j, u->total_input, u->output);
	event_end(w, &j);
	j = event_begin(w, "message_stop");
	event_end(w, &j);
}

static struct vy_jw assistant_begin(const struct demo_where *w, const char *message)
{
	struct vy_jw j = line_begin(w, "assistant", NULL);

	vy_jw_key(&j, "message");
	vy_jw_obj(&j);
	kc(&j, "id", message);
	kc(&j, "role", "assistant");
	vy_jw_key(&j, "content");
	vy_jw_arr(&j);
	vy_jw_obj(&j);
	return j;
}

static void assistant_end(const struct demo_where *w, struct vy_jw *j)
{
	vy_jw_end_obj(j);
	vy_jw_end_arr(j);
	vy_jw_end_obj(j);
	parent(w, j);
	place(w, j);
}

void demo_out_words(const struct demo_where *w, const char *message, bool is_thought,
	struct vy_str text, bool is_aborted)
{
	struct vy_jw j = assistant_begin(w, message);

	kc(&j, "type", is_thought ? "thinking" : "text");
	vy_jw_kstr(&j, is_thought ? "thinking" : "text", text);
	assistant_end(w, &j);
	if (is_aborted) {
		vy_jw_kbool(&j, "aborted", true);
	}
	line_end(w, &j);
}

void demo_out_call(const struct demo_where *w, const char *message, const char *id,
	const char *name, const struct vy_json *input)
{
	struct vy_jw j = assistant_begin(w, message);

	kc(&j, "type", "tool_use");
	kc(&j, "id", id);
	kc(&j, "name", name);
	kjson(&j, "input", input);
	assistant_end(w, &j);
	line_end(w, &j);
}

void demo_out_api_error(const struct demo_where *w, const char *message, struct vy_str text)
{
	struct vy_jw j = assistant_begin(w, message);

	kc(&j, "type", "text");
	vy_jw_kstr(&j, "text", text);
	assistant_end(w, &j);
	vy_jw_kbool(&j, "is_api_error_message", true);
	line_end(w, &j);
}

/* {type: user, message: {role, content: [ … ]}} */
static struct vy_jw user_begin(const struct demo_where *w)
{
	struct vy_jw j = line_begin(w, "user", NULL);

	vy_jw_key(&j, "message");
	vy_jw_obj(&j);
	kc(&j, "role", "user");
	vy_jw_key(&j, "content");
	vy_jw_arr(&j);
	vy_jw_obj(&j);
	return j;
}

void demo_out_tool_result(const struct demo_where *w, const char *id, struct vy_str text,
	bool is_error, bool is_cut, const struct vy_json *twin)
{
	struct vy_jw j = user_begin(w);

	kc(&j, "type", "tool_result");
	kc(&j, "tool_use_id", id);
	vy_jw_kstr(&j, "content", text);
	vy_jw_kbool(&j, "is_error", is_error);
	assistant_end(w, &j);
	if (!w->parent) { /* as with claude: a subagent's results have no twin */
		kjson(&j, "tool_use_result", twin);
	}
	if (is_cut) {
		vy_jw_key(&j, "tool_result_meta");
		vy_jw_arr(&j);
		vy_jw_obj(&j);
		kc(&j, "id", id);
		kc(&j, "non_execution_kind", "user-rejected");
		vy_jw_end_obj(&j);
		vy_jw_end_arr(&j);
	}
	line_end(w, &j);
}

void demo_out_interrupted(const struct demo_where *w, bool in_tool)
{
	struct vy_jw j = user_begin(w);

	kc(&j, "type", "text");
	kc(&j, "text",
		in_tool ? "[Request interrupted by user for tool use]"
			: "[Request interrupted by user]");
	assistant_end(w, &j);
	line_end(w, &j);
}

/* ---- tasks ---- */

void demo_out_tasks(const struct demo_where *w, struct vy_json *own_tasks)
{
	struct vy_jw j = line_begin(w, "system", "background_tasks_changed");

	kjson(&j, "tasks", own_tasks);
	vy_json_free(own_tasks);
	line_end(w, &j);
}

void demo_out_task_started(const struct demo_where *w, const char *task, const char *tool,
	const char *what, const char *type, bool is_background)
{
	struct vy_jw j = line_begin(w, "system", "task_started");

	kc(&j, "task_id", task);
	kc(&j, "tool_use_id", tool);
	kc(&j, "description", what);
	kc(&j, "task_type", type);
	vy_jw_kbool(&j, "is_backgrounded", is_background);
	line_end(w, &j);
}

void demo_out_task_progress(
	const struct demo_where *w, const char *task, const char *tool, const char *what)
{
	struct vy_jw j = line_begin(w, "system", "task_progress");

	kc(&j, "task_id", task);
	kc(&j, "tool_use_id", tool);
	kc(&j, "description", what);
	line_end(w, &j);
}

void demo_out_task_ended(const struct demo_where *w, const char *task, const char *tool,
	const char *status, struct vy_str summary)
{
	struct vy_jw j = line_begin(w, "system", "task_notification");

	kc(&j, "task_id", task);
	kc(&j, "tool_use_id", tool);
	kc(&j, "status", status);
	vy_jw_kstr(&j, "summary", summary);
	line_end(w, &j);
}
