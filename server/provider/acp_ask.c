/* acp_ask.c -- see acp_ask.h. */
#include "server/provider/acp_ask.h"

#include <string.h>

#include "server/provider/acp_call.h"
#include "server/provider/acp_form.h"
#include "server/provider/acp_say.h"
#include "server/provider/acp_turn.h"
#include "server/provider/brief.h"
#include "server/provider/patch.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define OPEN_MAX    500 /* requests a mad agent may hold open */
#define OPTIONS_MAX 20
#define KEEP_MAX    (256 * VY_KIB)

#define NO_METHOD (-32601)
#define INVALID   (-32602)

/* A request's id as it goes back: any JSON. */
static struct vy_str id_of(const struct vy_json *line, struct vy_arena *a)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_ID_MAX);

	return vy_json_dump(vy_json_get(line, "id"), &b) ? vy_arena_str(a, vy_buf_str(&b))
							 : vy_str_n(NULL, 0);
}

/* ---- what it looks like ---- */

static const struct {
	const char *kind, *title;
} titles[] = {
	{ "shell", "Run a command" },
	{ "edit", "Change a file" },
	{ "read", "Read a file" },
	{ "search", "Search" },
	{ "web", "Fetch a page" },
};

static struct vy_str title_of(const struct acp *c, const struct acp_call *call, struct vy_arena *a)
{
	const char *kind = acp_call_kind(c, call);
	const char *name = call->name ? call->name : "a tool";

	for (size_t i = 0; i < VY_COUNT(titles); i++) {
		if (strcmp(kind, titles[i].kind) == 0) {
			return vy_str_c(titles[i].title);
		}
	}
	return vy_str_c(
		vy_arena_printf(a, "Use %.*s", VY_STR_ARG(brief_one_line(vy_str_c(name), a))));
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

static void diffs(
	const struct acp *c, const struct vy_json *content, struct vy_arena *a, struct vy_buf *b)
{
	for (size_t i = 0; i < vy_json_len(content); i++) {
		const struct vy_json *d = vy_json_at(content, i);

		if (vy_str_is(vy_json_str(d, "type"), "diff")) {
			patch_print(brief_path(vy_json_str(d, "path"), fields_str(c->cwd)),
				vy_json_str(d, "oldText"), vy_json_str(d, "newText"), a, b);
		}
	}
}

/* The whole of what would happen. Where the agent shows no change, the files it is about. */
static struct vy_str detail_of(const struct acp *c, const struct acp_call *call,
	const struct vy_json *tool, struct vy_arena *a)
{
	const struct vy_json *in = vy_json_get(tool, "rawInput");
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	if (vy_str_is(fields_str(call->kind), "execute")) {
		return fields_str(call->command ? call->command : call->title);
	}
	if (vy_json_str(in, "plan").n) {
		return vy_json_str(in, "plan");
	}
	diffs(c, vy_json_get(tool, "content"), a, &b);
	if (!b.len) {
		members(in, &b);
	}
	for (size_t i = 0; !b.len && i < vy_json_len(call->paths); i++) {
		vy_buf_addstr(&b, vy_json_strval(vy_json_at(call->paths, i)));
		vy_buf_addc(&b, '\n');
	}
	return vy_arena_str(a, vy_buf_str(&b));
}

/* What does not fit is said: nobody should approve an end they did not see without knowing it. */
static void set_detail(struct vy_json *ask, struct vy_str detail, struct vy_arena *a)
{
	size_t room = brief_piece(detail);

	if (room < detail.n) {
		struct vy_str cut = brief_cut(detail, room > 64 ? room - 64 : room);
		const char *more = vy_arena_printf(
			a, "\n… %zu KiB more are not shown", (detail.n - cut.n + 1023) / VY_KIB);

		detail = brief_join(cut, vy_str_c(more), vy_str_n(NULL, 0), a);
	}
	if (detail.n) {
		vy_json_set_str(ask, "detail", detail);
	}
}

/* What would come in the place of what, for who may look into the file (provider.h). */
static struct vy_json *edit_of(const struct acp *c, const struct vy_json *tool)
{
	const struct vy_json *content = vy_json_get(tool, "content"), *d = NULL;
	size_t n = 0;

	for (size_t i = 0; i < vy_json_len(content); i++) {
		if (vy_str_is(vy_json_str(vy_json_at(content, i), "type"), "diff")) {
			d = vy_json_at(content, i);
			n++;
		}
	}
	if (n != 1 || !vy_json_str(d, "path").n) {
		return NULL;
	}
	struct vy_json *edit = vy_json_new_obj();
	struct vy_str path = vy_json_str(d, "path");

	vy_json_set_str(edit, "path", path);
	vy_json_set_str(edit, "shown", brief_path(path, fields_str(c->cwd)));
	vy_json_set_str(edit, "is", vy_json_str(d, "newText"));
	if (vy_json_str(d, "oldText").n) {
		vy_json_set_str(edit, "was", vy_json_str(d, "oldText"));
	} else {
		vy_json_set_bool(edit, "whole", true);
	}
	return edit;
}

/* ---- options ---- */

static const struct {
	const char *kind, *id, *decision;
} option_kinds[] = {
	{ "allow_once", "allow", "allow" },
	{ "allow_always", "always", "allow" },
	{ "reject_once", "deny", "deny" },
	{ "reject_always", "never", "deny" },
};

/* By kind, whatever order the agent has them in. A second one of a kind goes by its own id. */
static struct vy_json *options_of(const struct vy_json *from, struct vy_json *keep)
{
	struct vy_json *list = vy_json_new_arr();

	for (size_t k = 0; k < VY_COUNT(option_kinds); k++) {
		for (size_t i = 0; i < vy_json_len(from) && i < OPTIONS_MAX; i++) {
			const struct vy_json *o = vy_json_at(from, i);
			struct vy_str own = brief_id(vy_json_str(o, "optionId"));
			const char *id = option_kinds[k].id;
			struct vy_json *to;

			if (!own.n || provider_bypass(own) ||
				!vy_str_is(vy_json_str(o, "kind"), option_kinds[k].kind)) {
				continue;
			}
			id = vy_json_get(keep, id) ? vy_json_cstr(o, "optionId") : id;
			if (!id || vy_json_get(keep, id)) {
				continue;
			}
			vy_json_set_str(keep, id, vy_json_str(o, "optionId"));
			to = vy_json_new_obj();
			vy_json_set_c(to, "id", id);
			vy_json_set_str(to, "label", brief_cut(vy_json_str(o, "name"), 200));
			vy_json_set_c(to, "decision", option_kinds[k].decision);
			vy_json_add_take(list, to);
		}
	}
	return list;
}

/* ---- open ---- */

static struct acp_theirs *open_new(
	struct acp *c, struct vy_str id, int64_t kind, struct vy_str call, struct vy_json *own_keep)
{
	struct acp_theirs *t = fields_list_add(&c->theirs, &acp_theirs_set);

	fields_str_set(&t->id, id);
	fields_str_set(&t->call, call);
	t->kind = kind;
	t->keep = own_keep;
	return t;
}

static void answer_outcome(struct vy_str id, struct vy_str option, struct agent_out *out)
{
	VY_AUTO_JSON *r = vy_json_new_obj();
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "outcome", option.n ? "selected" : "cancelled");
	if (option.n) {
		vy_json_set_str(o, "optionId", option);
	}
	vy_json_take(r, "outcome", o);
	acp_respond(out, id, r);
}

static void on_permission(
	struct acp *c, struct vy_str id, const struct vy_json *params, struct agent_out *out)
{
	const struct vy_json *tool = vy_json_get(params, "toolCall");
	struct acp_call *call =
		c->is_interrupting ? NULL : acp_call_hear(c, tool, false, true, out);

	if (!call) { /* nobody can be asked about it any more */
		answer_outcome(id, vy_str_n(NULL, 0), out);
		return;
	}
	struct vy_json *ask = vy_json_new_obj(), *keep = vy_json_new_obj();
	bool is_plan = vy_json_get(vy_json_get(tool, "rawInput"), "plan") &&
		       vy_str_is(fields_str(call->kind), "switch_mode");

	vy_json_set_c(ask, "kind", is_plan ? "plan" : "permission");
	vy_json_set_str(ask, "tool", fields_str(call->name ? call->name : call->kind));
	vy_json_set_str(
		ask, "title", is_plan ? VY_STR_LIT("A plan") : title_of(c, call, out->arena));
	vy_json_set_str(ask, "summary", acp_call_summary(c, call, out->arena));
	set_detail(ask, detail_of(c, call, tool, out->arena), out->arena);
	vy_json_take(ask, "edit", edit_of(c, tool));
	vy_json_take(ask, "options", options_of(vy_json_get(params, "options"), keep));
	open_new(c, id, ACP_PERMISSION, fields_str(call->own), keep);
	struct agent_event *ev = agent_out_add(out, AE_ASK);

	ev->request = vy_arena_str(out->arena, id);
	ev->tool = vy_arena_str(out->arena, fields_str(call->own));
	ev->json = ask;
	ev->call = acp_call_for_floor(call, tool);
}

static void answer_form(
	struct vy_str id, const char *action, struct vy_json *own_content, struct agent_out *out)
{
	VY_AUTO_JSON *r = vy_json_new_obj();

	vy_json_set_c(r, "action", action);
	vy_json_take(r, "content", own_content);
	acp_respond(out, id, r);
}

static void on_form(
	struct acp *c, struct vy_str id, const struct vy_json *params, struct agent_out *out)
{
	struct vy_str message = vy_json_str(params, "message");
	VY_AUTO_BUF size = VY_BUF_INIT(KEEP_MAX);

	if (vy_str_is(vy_json_str(params, "mode"), "url") || !vy_json_dump(params, &size)) {
		answer_form(id, "decline", NULL, out);
		return;
	}
	if (!acp_turn_open(c, out) || c->is_interrupting) {
		answer_form(id, "cancel", NULL, out);
		return;
	}
	struct vy_json *keep, *ask = vy_json_new_obj();
	struct vy_json *questions = acp_form_questions(params, &keep, out->arena);
	const struct acp_call *call = acp_call_find(c, brief_id(vy_json_str(params, "toolCallId")));

	acp_turn_end_block(c, out);
	vy_json_set_c(ask, "kind", vy_json_len(questions) ? "question" : "permission");
	vy_json_set_c(ask, "tool", call && call->name ? call->name : "elicitation");
	vy_json_set_c(ask, "title", "A question");
	vy_json_set_str(ask, "summary", brief_one_line(message, out->arena));
	if (vy_json_len(questions)) {
		vy_json_take(ask, "options", vy_json_new_arr());
		vy_json_take(ask, "questions", questions);
	} else { /* it only wants a yes */
		VY_AUTO_JSON *plain = vy_json_parse(
			VY_STR_LIT(
				"[{\"optionId\":\"y\",\"name\":\"Yes\",\"kind\":\"allow_once\"},"
				"{\"optionId\":\"n\",\"name\":\"No\",\"kind\":\"reject_once\"}]"),
			NULL);

		vy_json_free(questions);
		set_detail(ask, message, out->arena);
		vy_json_take(ask, "options", options_of(plain, keep));
	}
	open_new(c, id, ACP_FORM, fields_str(call ? call->own : NULL), keep);
	struct agent_event *ev = agent_out_add(out, AE_ASK);

	ev->request = vy_arena_str(out->arena, id);
	ev->tool = vy_arena_str(out->arena, fields_str(call ? call->own : NULL));
	ev->json = ask;
	ev->call = vy_json_new_obj();
	vy_json_set_c(ev->call, "name", "AskUserQuestion");
	vy_json_take(ev->call, "input", vy_json_new_obj());
}

void acp_ask_request(struct acp *c, const struct vy_json *line, struct agent_out *out)
{
	struct vy_str id = id_of(line, out->arena), method = vy_json_str(line, "method");

	if (!id.n || acp_theirs_find(c, id)) {
		return;
	}
	if (c->theirs.n >= OPEN_MAX) {
		acp_respond_error(out, id, INVALID, "too many open requests");
	} else if (vy_str_is(method, "session/request_permission")) {
		on_permission(c, id, vy_json_get(line, "params"), out);
	} else if (vy_str_is(method, "elicitation/create")) {
		on_form(c, id, vy_json_get(line, "params"), out);
	} else {
		acp_respond_error(out, id, NO_METHOD, "Method not found");
	}
}

/* ---- closed ---- */

void acp_ask_drop(struct acp *c, bool tell, struct agent_out *out)
{
	while (c->theirs.n) {
		struct acp_theirs *t = &c->theirs.v[0];
		struct vy_str id = vy_arena_str(out->arena, fields_str(t->id));
		struct agent_event *ev =
			agent_out_add(out, t->kind == ACP_CHECK ? AE_CHECK_GONE : AE_ASK_GONE);

		ev->request = id;
		ev->tool = t->kind == ACP_CHECK ? vy_arena_str(out->arena, fields_str(t->call))
						: vy_str_n(NULL, 0);
		if (tell && t->kind == ACP_PERMISSION) {
			answer_outcome(id, vy_str_n(NULL, 0), out);
		} else if (tell && t->kind == ACP_FORM) {
			answer_form(id, "cancel", NULL, out);
		}
		acp_theirs_del(c, t);
	}
}

/* The agent's own id of what was decided; empty: nothing it offered fits. */
static struct vy_str option_for(const struct acp_theirs *t, const struct agent_command *cmd)
{
	static const char *const yes[] = { "allow", "always" }, *const no[] = { "deny", "never" };
	const struct vy_json *always = vy_json_get(cmd->json, "always");
	bool is_always =
		vy_json_bool(cmd->json, "always", false) || vy_json_type(always) == VY_JSON_OBJ;
	bool is_no = vy_str_is(cmd->decision, "deny") || vy_str_is(cmd->decision, "skip");
	const char *const *words = is_no ? no : yes;
	struct vy_json *own;
	const char *id;

	if (is_always && vy_str_is(cmd->decision, "allow")) {
		own = vy_json_get(t->keep, "always");
		return vy_json_strval(own ? own : vy_json_get(t->keep, "allow"));
	}
	VY_JSON_EACH (t->keep, id, own) {
		if (vy_str_is(cmd->decision, id)) {
			return vy_json_strval(own);
		}
	}
	if (!is_no && !vy_str_is(cmd->decision, "allow")) {
		return vy_str_n(NULL, 0);
	}
	for (size_t i = 0; i < 2; i++) {
		if (vy_json_get(t->keep, words[i])) {
			return vy_json_str(t->keep, words[i]);
		}
	}
	return vy_str_n(NULL, 0);
}

static bool is_no_of(const struct acp_theirs *t, struct vy_str option)
{
	return !option.n || vy_str_eq(option, vy_json_str(t->keep, "deny")) ||
	       vy_str_eq(option, vy_json_str(t->keep, "never"));
}

static void form_answered(
	const struct acp_theirs *t, const struct agent_command *cmd, struct agent_out *out)
{
	bool is_no = vy_str_is(cmd->decision, "deny") || vy_str_is(cmd->decision, "skip");
	struct vy_json *content =
		is_no ? NULL : acp_form_content(t->keep, vy_json_get(cmd->json, "answers"));
	bool is_plain = vy_json_get(t->keep, "allow") != NULL;

	if (is_no || (!is_plain && vy_json_len(content) == 0)) {
		vy_json_free(content);
		answer_form(cmd->request, "decline", NULL, out);
		return;
	}
	answer_form(cmd->request, "accept", content, out);
}

static void permission_answered(
	struct acp *c, struct acp_theirs *t, const struct agent_command *cmd, struct agent_out *out)
{
	struct vy_str option = option_for(t, cmd);
	struct vy_str mode = vy_json_str(cmd->json, "mode");
	struct acp_call *call = acp_call_own(c, fields_str(t->call));
	bool is_no = is_no_of(t, option);

	answer_outcome(cmd->request, option, out);
	if (is_no && cmd->text.n) {
		agent_out_add(out, AE_NOTE)->text =
			VY_STR_LIT("This agent takes no words with a no: send them as a message.");
	}
	if (!is_no && mode.n && !acp_say_mode(c, mode, out)) {
		agent_out_add(out, AE_NOTE)->text = vy_str_c(vy_arena_printf(out->arena,
			"%s has no mode \"%.*s\".", c->who, VY_STR_ARG(brief_cut(mode, 64))));
	}
	if (is_no && call) {
		acp_call_refused(c, call, out);
	}
}

void acp_ask_answer(struct acp *c, const struct agent_command *cmd, struct agent_out *out)
{
	struct acp_theirs *t = acp_theirs_find(c, cmd->request);

	if (!t || t->kind == ACP_CHECK) {
		return;
	}
	if (!cmd->decision.n) { /* settled in another way; the agent may wait all the same */
		if (t->kind == ACP_FORM) {
			answer_form(cmd->request, "cancel", NULL, out);
		} else {
			answer_outcome(cmd->request, vy_str_n(NULL, 0), out);
		}
	} else if (t->kind == ACP_FORM) {
		form_answered(t, cmd, out);
	} else {
		permission_answered(c, t, cmd, out);
	}
	acp_theirs_del(c, t);
	if (vy_json_bool(cmd->json, "stop", false)) {
		acp_turn_cancel(c, vy_str_n(NULL, 0), out);
	}
}

void acp_ask_checked(struct acp *c, const struct agent_command *cmd, struct agent_out *out)
{
	struct acp_theirs *t = acp_theirs_find(c, cmd->request);

	if (!t || t->kind != ACP_CHECK) {
		return;
	}
	struct vy_str own = vy_arena_str(out->arena, fields_str(t->call));
	struct acp_call *call;

	acp_theirs_del(c, t);
	call = acp_call_own(c, own);
	if (call) {
		acp_call_judged(c, call, cmd, out);
	}
}

/* ---- a line that was too long ---- */

/* What stands behind `"key":`, by looking at bytes: the head of a line is no JSON. */
static struct vy_str after(struct vy_str head, const char *key)
{
	size_t k = strlen(key);

	for (size_t i = 0; i + k <= head.n; i++) {
		if (memcmp(head.p + i, key, k) == 0) {
			return vy_str_from(head, i + k);
		}
	}
	return vy_str_n(NULL, 0);
}

bool acp_ask_refuse_head(struct vy_str head, struct agent_out *out)
{
	struct vy_str id = after(head, "\"id\":");
	size_t n = 0;

	while (n < id.n && n < 20 && id.p[n] >= '0' && id.p[n] <= '9') {
		n++;
	}
	if (!after(head, "\"method\":").n || n == 0 || n > 18 || (n > 1 && id.p[0] == '0')) {
		return false;
	}
	acp_respond_error(out, vy_str_n(id.p, n), INVALID, "the request is longer than Vyre takes");
	return true;
}
