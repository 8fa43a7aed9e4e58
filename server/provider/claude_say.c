/* claude_say.c -- see claude_say.h. A line that would not fit the buffer is taken out again whole:
 * half a line would end the agent. */
#include "server/provider/claude_say.h"

#include <string.h>

#include "shared/base/jw.h"
#include "shared/base/ban.h"

static void line_end(struct vy_jw *w)
{
	vy_jw_end_obj(w);
	vy_buf_addc(w->b, '\n');
}

/* ---- envelopes ---- */

struct vy_jw claude_request_begin(struct claude *c, struct agent_out *out,
	enum claude_purpose purpose, const char *subtype, struct vy_str about)
{
	struct claude_ours *r = fields_list_add(&c->ours, &claude_ours_set);
	struct vy_jw w = VY_JW(&out->tell);
	char id[32];

	r->id = ++c->next_id;
	r->purpose = purpose;
	fields_str_set(&r->about, about);
	snprintf(id, sizeof(id), "vyre-%lld", (long long)r->id);
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "type", VY_STR_LIT("control_request"));
	vy_jw_kstr(&w, "request_id", vy_str_c(id));
	vy_jw_key(&w, "request");
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "subtype", vy_str_c(subtype));
	return w;
}

void claude_request_end(struct vy_jw *w)
{
	vy_jw_end_obj(w);
	line_end(w);
}

static struct vy_jw response_begin(struct agent_out *out, struct vy_str id, const char *subtype)
{
	struct vy_jw w = VY_JW(&out->tell);

	vy_jw_obj(&w);
	vy_jw_kstr(&w, "type", VY_STR_LIT("control_response"));
	vy_jw_key(&w, "response");
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "subtype", vy_str_c(subtype));
	vy_jw_kstr(&w, "request_id", id);
	return w;
}

static void jw_json(struct vy_jw *w, const struct vy_json *v)
{
	VY_AUTO_BUF b = VY_BUF_INIT(w->b->max);

	vy_json_dump(v, &b);
	vy_jw_raw(w, vy_buf_str(&b));
}

void claude_respond(struct agent_out *out, struct vy_str id, const struct vy_json *response)
{
	struct vy_jw w = response_begin(out, id, "success");

	if (response) {
		vy_jw_key(&w, "response");
		jw_json(&w, response);
	}
	claude_request_end(&w);
}

void claude_respond_error(struct agent_out *out, struct vy_str id, const char *why)
{
	struct vy_jw w = response_begin(out, id, "error");

	vy_jw_kstr(&w, "error", vy_str_c(why));
	claude_request_end(&w);
}

/* ---- hello ---- */

static void hooks(struct vy_jw *w)
{
	vy_jw_key(w, "hooks");
	vy_jw_obj(w);
	vy_jw_key(w, "PreToolUse");
	vy_jw_arr(w);
	vy_jw_obj(w);
	vy_jw_key(w, "matcher");
	vy_jw_null(w);
	vy_jw_key(w, "hookCallbackIds");
	vy_jw_arr(w);
	vy_jw_str(w, VY_STR_LIT(CLAUDE_HOOK));
	vy_jw_end_arr(w);
	vy_jw_kint(w, "timeout", CLAUDE_HOOK_TIMEOUT);
	vy_jw_kstr(w, "onFailure", VY_STR_LIT("block"));
	vy_jw_end_obj(w);
	vy_jw_end_arr(w);
	vy_jw_end_obj(w);
}

void claude_say_hello(struct claude *c, const struct agent_command *cmd, struct agent_out *out)
{
	struct vy_str system = vy_json_str(cmd->json, "system");
	struct vy_jw w = claude_request_begin(c, out, OURS_HELLO, "initialize", vy_str_n(NULL, 0));

	hooks(&w);
	if (system.n) {
		vy_jw_kstr(&w, "appendSystemPrompt", system);
	}
	claude_request_end(&w);
}

/* ---- a person's message ---- */

static void image(struct vy_jw *w, const struct vy_json *img)
{
	vy_jw_obj(w);
	vy_jw_kstr(w, "type", VY_STR_LIT("image"));
	vy_jw_key(w, "source");
	vy_jw_obj(w);
	vy_jw_kstr(w, "type", VY_STR_LIT("base64"));
	vy_jw_kstr(w, "media_type", vy_json_str(img, "mime"));
	vy_jw_kstr(w, "data", vy_json_str(img, "b64"));
	vy_jw_end_obj(w);
	vy_jw_end_obj(w);
}

static void text_block(struct vy_jw *w, struct vy_str text)
{
	vy_jw_obj(w);
	vy_jw_kstr(w, "type", VY_STR_LIT("text"));
	vy_jw_kstr(w, "text", text);
	vy_jw_end_obj(w);
}

static void content(struct vy_jw *w, const struct agent_command *cmd)
{
	size_t n = vy_json_len(cmd->json);

	vy_jw_key(w, "content");
	if (n == 0 && cmd->context.n == 0) {
		vy_jw_str(w, cmd->text);
		return;
	}
	vy_jw_arr(w);
	if (cmd->context.n) {
		text_block(w, cmd->context);
	}
	for (size_t i = 0; i < n; i++) {
		image(w, vy_json_at(cmd->json, i));
	}
	if (cmd->text.n) {
		text_block(w, cmd->text);
	}
	vy_jw_end_arr(w);
}

static const char *priority(enum agent_when when)
{
	switch (when) {
	case AGENT_QUEUE: return "later";
	case AGENT_NOW: return "now";
	case AGENT_STEER: break;
	}
	return "next";
}

static void too_long_to_say(struct agent_out *out, size_t before, struct vy_str uuid)
{
	vy_buf_truncate(&out->tell, before);
	out->tell.over = false;
	agent_out_add(out, AE_CAME_BACK)->message = vy_arena_str(out->arena, uuid);
	agent_out_add(out, AE_NOTE)->text =
		VY_STR_LIT("A message was too long to be given to the agent.");
}

void claude_say_message(struct claude *c, const struct agent_command *cmd, struct agent_out *out)
{
	size_t before = out->tell.len;
	struct vy_jw w = VY_JW(&out->tell);

	vy_jw_obj(&w);
	vy_jw_kstr(&w, "type", VY_STR_LIT("user"));
	vy_jw_key(&w, "message");
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "role", VY_STR_LIT("user"));
	content(&w, cmd);
	vy_jw_end_obj(&w);
	vy_jw_key(&w, "parent_tool_use_id");
	vy_jw_null(&w);
	vy_jw_kstr(&w, "uuid", cmd->message);
	vy_jw_kstr(&w, "priority", vy_str_c(priority(cmd->when)));
	line_end(&w);
	if (vy_buf_is_over(&out->tell)) {
		too_long_to_say(out, before, cmd->message);
		return;
	}
	struct claude_said *s = claude_said_find(c, cmd->message);

	if (!s) {
		s = fields_list_add(&c->said, &claude_said_set);
		fields_str_set(&s->uuid, cmd->message);
	}
	s->state = SAID_TOLD;
}

/* ---- requests ---- */

/* What the agent has not begun comes back first: by the interrupt itself where it can, and one by
 * one where we do not know that yet (before its first turn) or it cannot. */
void claude_say_interrupt(struct claude *c, struct agent_out *out)
{
	if (!c->can_cancel_queued) {
		for (size_t i = 0; i < c->said.n; i++) {
			if (c->said.v[i].state != SAID_TAKEN) {
				claude_say_take_back(c, fields_str(c->said.v[i].uuid), out);
			}
		}
	}
	struct vy_jw w =
		claude_request_begin(c, out, OURS_INTERRUPT, "interrupt", vy_str_n(NULL, 0));

	vy_jw_kbool(&w, "cancel_queued", true);
	claude_request_end(&w);
	c->is_interrupting = c->in_turn;
}

void claude_say_take_back(struct claude *c, struct vy_str uuid, struct agent_out *out)
{
	struct vy_jw w = claude_request_begin(c, out, OURS_TAKE_BACK, "cancel_async_message", uuid);

	vy_jw_kstr(&w, "message_uuid", uuid);
	claude_request_end(&w);
}

void claude_say_mode(struct claude *c, struct vy_str mode, struct agent_out *out)
{
	struct vy_jw w = claude_request_begin(c, out, OURS_MODE, "set_permission_mode", mode);

	vy_jw_kstr(&w, "mode", mode);
	claude_request_end(&w);
}

void claude_say_model(struct claude *c, struct vy_str model, struct agent_out *out)
{
	struct vy_jw w = claude_request_begin(c, out, OURS_MODEL, "set_model", model);

	vy_jw_kstr(&w, "model", model);
	claude_request_end(&w);
}

/* A number, 0 for none, null for as many as it likes (claude.md 4). */
void claude_say_thinking(struct claude *c, const struct vy_json *how, struct agent_out *out)
{
	int64_t tokens = vy_json_int(how, "tokens", 0);
	struct vy_jw w = claude_request_begin(
		c, out, OURS_THINKING, "set_max_thinking_tokens", vy_str_n(NULL, 0));

	vy_jw_key(&w, "max_thinking_tokens");
	if (vy_json_bool(how, "on", true) && tokens == 0) {
		vy_jw_null(&w);
	} else {
		vy_jw_int(&w, vy_json_bool(how, "on", true) ? tokens : 0);
	}
	claude_request_end(&w);
}

/* `null` gives the setting back to the agent. */
void claude_say_effort(struct claude *c, struct vy_str word, struct agent_out *out)
{
	struct vy_jw w = claude_request_begin(c, out, OURS_EFFORT, "apply_flag_settings", word);

	vy_jw_key(&w, "settings");
	vy_jw_obj(&w);
	if (word.n) {
		vy_jw_kstr(&w, "effortLevel", word);
	} else {
		vy_jw_key(&w, "effortLevel");
		vy_jw_null(&w);
	}
	vy_jw_end_obj(&w);
	claude_request_end(&w);
}

void claude_say_aside(
	struct claude *c, struct vy_str name, struct vy_str question, struct agent_out *out)
{
	struct vy_jw w = claude_request_begin(c, out, OURS_ASIDE, "side_question", name);

	vy_jw_kstr(&w, "question", question);
	claude_request_end(&w);
}

void claude_say_task_output(
	struct claude *c, struct vy_str name, struct vy_str task, struct agent_out *out)
{
	struct vy_jw w = claude_request_begin(c, out, OURS_TASK_OUTPUT, "get_task_output", name);

	vy_jw_kstr(&w, "task_id", task);
	claude_request_end(&w);
}

void claude_say_forget(struct claude *c, struct vy_str name, struct agent_out *out)
{
	for (size_t i = 0; i < c->ours.n; i++) {
		const struct claude_ours *q = &c->ours.v[i];
		struct vy_jw w = VY_JW(&out->tell);
		char id[32];

		if ((q->purpose != OURS_ASIDE && q->purpose != OURS_TASK_OUTPUT) ||
			!vy_str_is(name, q->about)) {
			continue;
		}
		snprintf(id, sizeof(id), "vyre-%lld", (long long)q->id);
		vy_jw_obj(&w);
		vy_jw_kstr(&w, "type", VY_STR_LIT("control_cancel_request"));
		vy_jw_kstr(&w, "request_id", vy_str_c(id));
		line_end(&w);
		fields_list_del(&c->ours, &claude_ours_set, i);
		return;
	}
}

void claude_say_kill_task(struct claude *c, struct vy_str task, struct agent_out *out)
{
	struct vy_jw w = claude_request_begin(c, out, OURS_KILL_TASK, "stop_task", task);

	vy_jw_kstr(&w, "task_id", task);
	claude_request_end(&w);
}

void claude_say_files(struct claude *c, const struct agent_command *cmd, struct agent_out *out)
{
	bool is_dry = vy_json_bool(cmd->json, "dry", false);
	struct vy_jw w = claude_request_begin(
		c, out, is_dry ? OURS_FILES_DRY : OURS_FILES, "rewind_files", cmd->message);

	vy_jw_kstr(&w, "user_message_id", cmd->message);
	if (is_dry) {
		vy_jw_kbool(&w, "dry_run", true);
	}
	claude_request_end(&w);
}

void claude_say_end(struct claude *c, struct agent_out *out)
{
	struct vy_jw w = claude_request_begin(c, out, OURS_END, "end_session", vy_str_n(NULL, 0));

	vy_jw_kstr(&w, "reason", VY_STR_LIT("host"));
	claude_request_end(&w);
	c->is_ending = true;
}
