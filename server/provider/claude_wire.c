/* claude_wire.c -- see claude_wire.h. Two tables, of line types and of system subtypes, and what
 * is too small for a file of its own. */
#include "server/provider/claude_wire.h"

#include <inttypes.h>
#include <string.h>

#include "server/guard/redact.h"
#include "server/provider/brief.h"
#include "server/provider/claude_ask.h"
#include "server/provider/claude_note.h"
#include "server/provider/claude_rules.h"
#include "server/provider/claude_say.h"
#include "server/provider/claude_stream.h"
#include "server/provider/claude_tool.h"
#include "server/provider/claude_turn.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define BAD_LINES_TOLD 3 /* a turn; a program gone mad should not fill the chat */
#define SUBS_MAX       256
#define TAIL_LINES     8
#define TAIL_LINE_MAX  300

typedef void line_fn(struct claude *c, const struct vy_json *line, struct agent_out *out);

/* ---- the model speaks ---- */

static void on_stream_event(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	const struct vy_json *event = vy_json_get(line, "event");
	struct vy_str type = vy_json_str(event, "type");

	if (vy_json_str(line, "parent_tool_use_id").n) {
		return; /* a subagent's blocks come whole */
	}
	if (vy_str_is(type, "message_start")) {
		claude_turn_begin(c, "", out);
	} else if (vy_str_is(type, "message_delta")) {
		claude_turn_usage(c, vy_json_get(event, "usage"), out);
	}
	claude_stream_event(c, event, out);
}

static void on_block(struct claude *c, struct vy_str parent, struct vy_str message,
	const struct vy_json *b, struct agent_out *out)
{
	struct vy_str type = vy_json_str(b, "type");
	struct vy_str nothing = { NULL, 0 };

	if (vy_str_is(type, "text")) {
		claude_stream_block(c, parent, message, CLAUDE_TEXT, vy_json_str(b, "text"), out);
	} else if (vy_str_is(type, "thinking")) {
		claude_stream_block(
			c, parent, message, CLAUDE_THINKING, vy_json_str(b, "thinking"), out);
	} else if (vy_str_is(type, "tool_use")) {
		int64_t index = claude_stream_block(c, parent, message, CLAUDE_CALL, nothing, out);
		struct agent_event *ev = claude_tool_start(c, parent, b, out);

		if (ev) {
			ev->message = vy_arena_str(out->arena, message);
			ev->index = index;
		}
	} else {
		claude_stream_block(c, parent, message, CLAUDE_OTHER, nothing, out);
	}
}

static void on_assistant(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	struct vy_str parent = brief_id(vy_json_str(line, "parent_tool_use_id"));
	const struct vy_json *message = vy_json_get(line, "message");
	const struct vy_json *content = vy_json_get(message, "content");

	claude_turn_mark(c, line);
	if (!parent.n && vy_json_len(content)) {
		claude_turn_begin(c, "", out);
	}
	if (vy_json_bool(line, "is_api_error_message", false)) {
		return; /* the result says the same, as the reason why the turn failed */
	}
	for (size_t i = 0; i < vy_json_len(content); i++) {
		on_block(c, parent, brief_id(vy_json_str(message, "id")), vy_json_at(content, i),
			out);
	}
}

static void on_user(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	claude_turn_mark(c, line);
	claude_tool_results(c, line, out);
	if (c->in_turn && !vy_json_str(line, "parent_tool_use_id").n &&
		vy_json_get(line, "tool_use_result")) {
		claude_turn_take_silently(c, out);
	}
}

/* ---- control ---- */

static void on_hello(struct claude *c, const struct vy_json *r, struct agent_out *out)
{
	if (vy_json_get(r, "hooks_applied") && !vy_json_bool(r, "hooks_applied", false)) {
		agent_out_add(out, AE_BROKEN)->text = VY_STR_LIT(
			"The agent did not accept Vyre's floor rules, so it may not run here.");
		return;
	}
	c->is_ready = true;
	fields_str_set(&c->version, brief_id(vy_json_str(r, "claude_code_version")));
	struct agent_event *ev = agent_out_add(out, AE_READY);

	ev->text = vy_arena_str(out->arena, fields_str(c->version));
	ev->json = claude_note_ready(c, r);
	claude_turn_mode(c, vy_json_str(r, "current_permission_mode"), out);
}

/* To what was asked beside the conversation. */
static void on_reply(const struct claude_ours *q, const struct vy_json *r, struct agent_out *out)
{
	bool is_aside = q->purpose == OURS_ASIDE;
	struct agent_event *ev = agent_out_add(out, AE_REPLY);

	ev->message = vy_arena_str(out->arena, fields_str(q->about));
	ev->text = vy_arena_str(out->arena, vy_json_str(r, is_aside ? "response" : "output"));
	if (!is_aside) {
		ev->json = vy_json_new_obj();
		vy_json_set_int(ev->json, "total", vy_json_int(r, "total_bytes", 0));
		vy_json_set_bool(ev->json, "truncated", vy_json_bool(r, "truncated", false));
	}
}

static void on_answer_ok(struct claude *c, const struct claude_ours *q, const struct vy_json *r,
	struct agent_out *out)
{
	switch (q->purpose) {
	case OURS_HELLO: on_hello(c, r, out); break;
	case OURS_MODE: claude_turn_mode(c, vy_json_str(r, "mode"), out); break;
	case OURS_MODEL: claude_turn_model(c, vy_json_str(r, "model"), out); break;
	case OURS_INTERRUPT:
		for (size_t i = 0; i < vy_json_len(vy_json_get(r, "cancelled")); i++) {
			claude_turn_came_back(
				c, vy_json_strval(vy_json_at(vy_json_get(r, "cancelled"), i)), out);
		}
		break;
	case OURS_TAKE_BACK:
		if (vy_json_bool(r, "cancelled", false)) {
			claude_turn_came_back(c, fields_str(q->about), out);
		}
		break;
	case OURS_FILES_DRY:
	case OURS_FILES: claude_note_files(r, q->purpose == OURS_FILES, out); break;
	case OURS_ASIDE:
	case OURS_TASK_OUTPUT: on_reply(q, r, out); break;
	default: break;
	}
}

static void on_answer_error(
	struct claude *c, const struct claude_ours *q, struct vy_str why, struct agent_out *out)
{
	static const char *const what[] = {
		[OURS_INTERRUPT] = "interrupt",
		[OURS_MODE] = "change the mode",
		[OURS_MODEL] = "change the model",
		[OURS_THINKING] = "change how it thinks",
		[OURS_KILL_TASK] = "end that task",
		[OURS_EFFORT] = "change its effort",
	};
	struct vy_str text = brief_one_line(why, out->arena);

	if (q->purpose == OURS_ASIDE || q->purpose == OURS_TASK_OUTPUT) {
		struct agent_event *ev = agent_out_add(out, AE_REPLY);

		ev->message = vy_arena_str(out->arena, fields_str(q->about));
		ev->text = text;
		ev->outcome = AGENT_FAILED;
	} else if (q->purpose == OURS_FILES_DRY || q->purpose == OURS_FILES) {
		claude_note_no_files(text, q->purpose == OURS_FILES, out);
	} else if (q->purpose == OURS_HELLO) {
		agent_out_add(out, AE_BROKEN)->text = vy_str_c(vy_arena_printf(
			out->arena, "%s refused to begin: %.*s", c->who, VY_STR_ARG(text)));
	} else if (q->purpose < (int64_t)VY_COUNT(what) && what[q->purpose]) {
		agent_out_add(out, AE_NOTE)->text = vy_str_c(vy_arena_printf(out->arena,
			"The agent would not %s: %.*s", what[q->purpose], VY_STR_ARG(text)));
	}
}

static void on_control_response(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	const struct vy_json *r = vy_json_get(line, "response");
	struct vy_str id = vy_json_str(r, "request_id");
	long long n;

	if (!vy_str_starts(id, "vyre-") || !vy_parse_i64(vy_str_from(id, 5), &n)) {
		return;
	}
	for (size_t i = 0; i < c->ours.n; i++) {
		struct claude_ours *q = &c->ours.v[i];

		if (q->id != n) {
			continue;
		}
		struct claude_ours taken = *q;

		memset(q, 0, sizeof(*q));
		fields_list_del(&c->ours, &claude_ours_set, i);
		if (vy_str_is(vy_json_str(r, "subtype"), "success")) {
			on_answer_ok(c, &taken, vy_json_get(r, "response"), out);
		} else {
			on_answer_error(c, &taken, vy_json_str(r, "error"), out);
		}
		fields_free(&claude_ours_set, &taken);
		return;
	}
}

static void on_cancel_request(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	claude_ask_withdrawn(c, vy_json_str(line, "request_id"), out);
}

/* ---- system ---- */

static void on_status(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	struct vy_str result = vy_json_str(line, "compact_result");

	claude_turn_mode(c, vy_json_str(line, "permissionMode"), out);
	if (vy_str_is(vy_json_str(line, "status"), "compacting")) {
		agent_out_add(out, AE_NOTE)->text =
			VY_STR_LIT("The conversation is being summarised.");
	} else if (result.n && !vy_str_is(result, "success")) {
		agent_out_add(out, AE_NOTE)->text =
			VY_STR_LIT("The conversation could not be summarised.");
	}
}

/* The request failed and is made again: what it had begun never happened. */
static void on_api_retry(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	claude_stream_end(c, false, out);
	agent_out_add(out, AE_NOTE)->text = claude_note_retry(line, out->arena);
}

static void on_compacted(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	const struct vy_json *m = vy_json_get(line, "compact_metadata");
	struct vy_json *v = vy_json_new_obj();

	c->used = vy_json_int(m, "post_tokens", c->used);
	vy_json_set_str(v, "trigger", brief_id(vy_json_str(m, "trigger")));
	vy_json_set_int(v, "before", vy_json_int(m, "pre_tokens", 0));
	vy_json_set_int(v, "after", vy_json_int(m, "post_tokens", 0));
	agent_out_add(out, AE_COMPACTED)->json = v;
}

static void on_informational(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	struct vy_str text = brief_one_line(vy_json_str(line, "content"), out->arena);

	(void)c;
	if (text.n) {
		agent_out_add(out, AE_NOTE)->text = text;
	}
}

static void sub_gone(struct vy_str call, struct agent_out *out)
{
	if (call.n) {
		agent_out_add(out, AE_SUB_GONE)->tool = vy_arena_str(out->arena, call);
	}
}

static bool is_task(const struct vy_json *tasks, const char *id)
{
	for (size_t i = 0; i < vy_json_len(tasks); i++) {
		if (vy_str_is(brief_id(vy_json_str(vy_json_at(tasks, i), "task_id")), id)) {
			return true;
		}
	}
	return false;
}

/* What was in the list and is no more has ended, also when no notice says so. */
static void on_tasks(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	const struct vy_json *tasks = vy_json_get(line, "tasks");

	agent_out_add(out, AE_TASKS)->json = claude_note_tasks(tasks);
	for (size_t i = 0; i < c->subs.n; i++) {
		struct claude_sub *sub = &c->subs.v[i];
		bool is_listed = is_task(tasks, sub->id);

		if (sub->is_listed && !is_listed) {
			sub_gone(fields_str(sub->call), out);
		}
		sub->is_listed = is_listed;
	}
}

static void on_task_started(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	struct vy_str id = brief_id(vy_json_str(line, "task_id"));

	if (!vy_str_is(vy_json_str(line, "task_type"), "local_agent") || claude_sub_find(c, id)) {
		return;
	}
	if (c->subs.n >= SUBS_MAX) {
		sub_gone(fields_str(c->subs.v[0].call), out);
		fields_list_del(&c->subs, &claude_sub_set, 0);
	}
	struct claude_sub *sub = fields_list_add(&c->subs, &claude_sub_set);

	fields_str_set(&sub->id, id);
	fields_str_set(&sub->call, brief_id(vy_json_str(line, "tool_use_id")));
	sub->is_listed = vy_json_bool(line, "is_backgrounded", false);
}

static void on_task_progress(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	struct vy_str id = brief_id(vy_json_str(line, "tool_use_id"));

	if (!claude_call_find(c, id)) {
		return;
	}
	struct agent_event *ev = agent_out_add(out, AE_TOOL_PROGRESS);

	ev->tool = vy_arena_str(out->arena, id);
	ev->text = brief_one_line(vy_json_str(line, "description"), out->arena);
}

/* A task ended. What its thread left open ends with it, unless its call is still to get a result. */
static void on_task_notification(
	struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	struct vy_str id = brief_id(vy_json_str(line, "tool_use_id"));
	struct vy_str summary = brief_one_line(vy_json_str(line, "summary"), out->arena);
	struct claude_sub *sub = claude_sub_find(c, brief_id(vy_json_str(line, "task_id")));

	if (sub) {
		sub_gone(fields_str(sub->call), out);
		fields_list_del(&c->subs, &claude_sub_set, (size_t)(sub - c->subs.v));
	}
	if (id.n && !claude_call_find(c, id)) {
		claude_tool_end_thread(c, id, out);
		fields_str_set(&c->woke, summary.n ? summary : VY_STR_LIT("a task ended"));
	}
}

static const struct {
	const char *subtype;
	line_fn *on;
} system_lines[] = {
	{ "init", claude_turn_init },
	{ "status", on_status },
	{ "api_retry", on_api_retry },
	{ "compact_boundary", on_compacted },
	{ "informational", on_informational },
	{ "background_tasks_changed", on_tasks },
	{ "task_started", on_task_started },
	{ "task_progress", on_task_progress },
	{ "task_notification", on_task_notification },
};

static void on_system(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	struct vy_str subtype = vy_json_str(line, "subtype");

	for (size_t i = 0; i < VY_COUNT(system_lines); i++) {
		if (vy_str_is(subtype, system_lines[i].subtype)) {
			system_lines[i].on(c, line, out);
			return;
		}
	}
}

/* ---- the rest ---- */

static void on_rate_limit(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	claude_note_limit(c, vy_json_get(line, "rate_limit_info"), out);
}

static void on_reset(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	(void)line;
	fields_list_clear(&c->todos, &claude_todo_set);
	c->used = 0;
	fields_str_set(&c->mark, vy_str_n(NULL, 0));
	agent_out_add(out, AE_MARK);
	agent_out_add(out, AE_NOTE)->text = VY_STR_LIT("The agent forgot the conversation so far.");
}

static const struct {
	const char *type;
	line_fn *on;
} lines[] = {
	{ "stream_event", on_stream_event },
	{ "assistant", on_assistant },
	{ "user", on_user },
	{ "control_request", claude_ask_request },
	{ "control_response", on_control_response },
	{ "control_cancel_request", on_cancel_request },
	{ "command_lifecycle", claude_turn_lifecycle },
	{ "system", on_system },
	{ "result", claude_turn_result },
	{ "rate_limit_event", on_rate_limit },
	{ "conversation_reset", on_reset },
};

/* Nothing is lost by these. */
static const char *const quiet_lines[] = { "keep_alive", "tool_progress", "tool_use_summary",
	"prompt_suggestion", "auth_status" };

/* The agent's release speaks of something that came after ours: once is enough. */
static void strange(struct claude *c, struct vy_str type, struct agent_out *out)
{
	for (size_t i = 0; i < VY_COUNT(quiet_lines); i++) {
		if (vy_str_is(type, quiet_lines[i])) {
			return;
		}
	}
	if (c->is_strange) {
		return;
	}
	c->is_strange = true;
	struct vy_str version = fields_str(c->version);

	agent_out_add(out, AE_NOTE)->text = vy_str_c(vy_arena_printf(out->arena,
		"%s%s%.*s says something that this Vyre does not know (%.*s). The rest goes on; to "
		"see "
		"it, upgrade Vyre, which was made for version %s.",
		c->who, version.n ? " " : "", VY_STR_ARG(version),
		VY_STR_ARG(brief_one_line(type, out->arena)), CLAUDE_TESTED));
}

/* The beginning of a line of any bytes, as it may be shown: valid UTF-8, no secrets. */
static void safe_line(struct vy_str line, struct vy_buf *out)
{
	VY_AUTO_BUF clean = VY_BUF_INIT(VY_LINE_MAX);

	vy_utf8_clean(vy_str_n(line.p, line.n < TAIL_LINE_MAX ? line.n : TAIL_LINE_MAX), &clean);
	if (line.n > TAIL_LINE_MAX) {
		guard_redact_cut(vy_buf_str(&clean), out);
	} else {
		guard_redact(vy_buf_str(&clean), out);
	}
}

static void bad_line(struct claude *c, struct vy_str line, struct agent_out *out)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	if (c->bad_lines++ >= BAD_LINES_TOLD) {
		return;
	}
	safe_line(line, &b);
	agent_out_add(out, AE_NOTE)->text = vy_str_c(
		vy_arena_printf(out->arena, "The agent printed something that is no message: %.*s",
			VY_STR_ARG(brief_one_line(vy_buf_str(&b), out->arena))));
}

/* ---- stderr ---- */

/* Words by which it says that the session id needs the other flag (claude.md 2). */
static bool says_other_way(struct vy_str s)
{
	static const char taken[] = "is already in use";

	if (vy_str_starts(s, "No conversation found with session ID")) {
		return true;
	}
	for (size_t i = 0; vy_str_starts(s, "Error: Session ID") && i + sizeof(taken) - 1 <= s.n;
		i++) {
		if (memcmp(s.p + i, taken, sizeof(taken) - 1) == 0) {
			return true;
		}
	}
	return false;
}

static void on_stderr(struct claude *c, struct vy_str line)
{
	VY_AUTO_BUF safe = VY_BUF_INIT(VY_LINE_MAX);

	safe_line(line, &safe);
	if (safe.len == 0) {
		return;
	}
	if (!c->is_ready && says_other_way(vy_buf_str(&safe))) {
		c->other_way = true;
	}
	if (c->stderr_tail.n >= TAIL_LINES) {
		fields_list_del(&c->stderr_tail, &claude_line_set, 0);
	}
	struct claude_line *l = fields_list_add(&c->stderr_tail, &claude_line_set);

	fields_str_set(&l->text, vy_buf_str(&safe));
}

/* ---- doors ---- */

void claude_line(
	struct claude *c, enum agent_stream stream, struct vy_str line, struct agent_out *out)
{
	while (line.n && (line.p[line.n - 1] == '\r' || line.p[line.n - 1] == '\n')) {
		line.n--;
	}
	if (stream == AGENT_STDERR) {
		on_stderr(c, line);
		return;
	}
	if (!line.n) {
		return;
	}
	VY_AUTO_JSON *v = vy_json_twin_parse(&c->twin, line, NULL);
	struct vy_str type = vy_json_str(v, "type");

	if (vy_json_type(v) != VY_JSON_OBJ || !type.n) {
		bad_line(c, line, out);
		return;
	}
	for (size_t i = 0; i < VY_COUNT(lines); i++) {
		if (vy_str_is(type, lines[i].type)) {
			lines[i].on(c, v, out);
			return;
		}
	}
	strange(c, type, out);
}

void claude_command(struct claude *c, const struct agent_command *cmd, struct agent_out *out)
{
	switch (cmd->kind) {
	case AC_HELLO: claude_say_hello(c, cmd, out); break;
	case AC_SAY: claude_say_message(c, cmd, out); break;
	case AC_TAKE_BACK: claude_say_take_back(c, cmd->message, out); break;
	case AC_INTERRUPT: claude_say_interrupt(c, out); break;
	case AC_ANSWER: claude_ask_answer(c, cmd, out); break;
	case AC_CHECKED: claude_ask_checked(c, cmd, out); break;
	case AC_MODE:
		if (claude_mode_is_ours(cmd->text)) {
			claude_say_mode(c, cmd->text, out);
		}
		break;
	case AC_MODEL: claude_say_model(c, cmd->text, out); break;
	case AC_THINKING: claude_say_thinking(c, cmd->json, out); break;
	case AC_EFFORT: claude_say_effort(c, cmd->text, out); break;
	case AC_ASIDE: claude_say_aside(c, cmd->message, cmd->text, out); break;
	case AC_TASK_OUTPUT: claude_say_task_output(c, cmd->message, cmd->text, out); break;
	case AC_FORGET: claude_say_forget(c, cmd->message, out); break;
	case AC_KILL_TASK: claude_say_kill_task(c, cmd->text, out); break;
	case AC_FILES: claude_say_files(c, cmd, out); break;
	case AC_END: claude_say_end(c, out); break;
	}
}

/* It was skipped unread. A request in it is refused; a call whose result it was is ended with the
 * turn, as all that is open then. */
void claude_line_too_long(
	struct claude *c, int64_t bytes, struct vy_str head, struct agent_out *out)
{
	bool was_request = claude_ask_refuse_head(head, out);

	(void)c;
	agent_out_add(out, AE_NOTE)->text = vy_str_c(vy_arena_printf(out->arena,
		"The agent sent a line of %" PRId64 " MiB, more than Vyre takes; it was %s.",
		bytes / VY_MIB, was_request ? "refused" : "left out"));
}

void claude_exited(struct claude *c, int status, int signo, struct agent_out *out)
{
	struct vy_str why = claude_note_exit(c, status, signo, out->arena);
	bool was_in_turn = c->in_turn;
	bool is_expected = c->is_ending || (status == 0 && signo == 0 && c->is_ready);

	claude_ask_drop(c, true, out);
	if (was_in_turn) {
		claude_stream_end(c, true, out);
		claude_tool_cancel_all(c, out);
		claude_turn_end(c, AGENT_FAILED, why, NULL, out);
	}
	claude_tool_cancel_all(c, out);
	if (!was_in_turn) {
		claude_turn_tell_mark(c, out);
	}
	if (c->other_way && !was_in_turn) {
		agent_out_add(out, AE_OTHER_WAY)->text = why;
	} else if (!was_in_turn && !is_expected) {
		agent_out_add(out, AE_BROKEN)->text = why;
	}
}
