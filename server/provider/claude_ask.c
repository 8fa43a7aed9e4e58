/* claude_ask.c -- see claude_ask.h. What an ask looks like is in claude_ask_shape.c; here is its
 * life: open, answered, withdrawn. */
#include "server/provider/claude_ask.h"

#include <string.h>

#include "server/provider/brief.h"
#include "server/provider/claude_ask_shape.h"
#include "server/provider/claude_rules.h"
#include "server/provider/claude_say.h"
#include "server/provider/claude_tool.h"
#include "server/provider/claude_trust.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define OPEN_MAX  500            /* requests a mad agent may hold open */
#define INPUT_MAX (256 * VY_KIB) /* of a question, which is kept until it is answered */

/* ---- open ---- */

static struct claude_theirs *open_new(struct claude *c, struct vy_str id, int64_t kind)
{
	struct claude_theirs *t = fields_list_add(&c->theirs, &claude_theirs_set);

	fields_str_set(&t->id, id);
	t->kind = kind;
	return t;
}

/* Where "always" goes when nobody says: an agent that does not read the project's settings (an
 * untrusted folder) would not heed a rule there. */
static const char *stored_in(const struct claude *c)
{
	return c->is_trusted ? "localSettings" : "session";
}

static int64_t kind_of(struct vy_str tool)
{
	return vy_str_is(tool, "AskUserQuestion") ? THEIRS_QUESTION
	       : vy_str_is(tool, "ExitPlanMode")  ? THEIRS_PLAN
						  : THEIRS_PERMISSION;
}

static bool is_too_big(const struct vy_json *input)
{
	VY_AUTO_BUF b = VY_BUF_INIT(INPUT_MAX);

	return !vy_json_dump(input, &b);
}

/* The Agent call that a subagent belongs to: known by the subagent, or by the call it asks for. */
static struct vy_str parent_of(struct claude *c, const struct claude_theirs *t)
{
	const struct claude_sub *sub = claude_sub_find(c, fields_str(t->agent));
	const struct claude_call *call = claude_call_find(c, fields_str(t->tool_id));

	return fields_str(sub ? sub->call : call ? call->parent : NULL);
}

static struct vy_json *allow(struct vy_json *own_updates)
{
	struct vy_json *r = vy_json_new_obj();

	vy_json_set_c(r, "behavior", "allow");
	if (vy_json_len(own_updates)) {
		vy_json_set(r, "updatedPermissions", own_updates);
	}
	vy_json_free(own_updates);
	return r;
}

/* "Always" for this one is kept here: claude_trust.h. */
static bool is_of_source(const struct claude_theirs *t)
{
	return t->kind == THEIRS_PERMISSION && t->source;
}

static void on_can_use_tool(
	struct claude *c, struct vy_str id, const struct vy_json *req, struct agent_out *out)
{
	struct vy_str tool = vy_json_str(req, "tool_name");
	int64_t kind = kind_of(tool);

	if (kind == THEIRS_QUESTION && is_too_big(vy_json_get(req, "input"))) {
		claude_respond_error(out, id, "the question is too long");
		return;
	}
	struct vy_str source = brief_id(vy_json_str(vy_json_get(req, "mcp_server"), "source"));

	if (claude_trust_covers(c, source, tool, brief_id(vy_json_str(req, "tool_use_id")))) {
		VY_AUTO_JSON *yes = allow(NULL);

		claude_respond(out, id, yes);
		return;
	}
	struct claude_theirs *t = open_new(c, id, kind);

	if (claude_trust_is_served(tool)) {
		fields_str_set(&t->source, source);
	}
	fields_str_set(&t->tool_id, brief_id(vy_json_str(req, "tool_use_id")));
	fields_str_set(&t->tool, brief_id(tool));
	fields_str_set(&t->agent, brief_id(vy_json_str(req, "agent_id")));
	if (kind == THEIRS_QUESTION) {
		t->keep = vy_json_ref(vy_json_get(req, "input"));
	} else if (kind == THEIRS_PERMISSION) {
		t->keep = claude_updates(vy_json_get(req, "permission_suggestions"),
			fields_str(c->cwd), stored_in(c));
	}
	struct agent_event *ev = agent_out_add(out, AE_ASK);

	ev->request = vy_arena_str(out->arena, id);
	ev->tool = vy_arena_str(out->arena, fields_str(t->tool_id));
	ev->parent = vy_arena_str(out->arena, parent_of(c, t));
	ev->json = claude_ask_shape(c, t, req, out->arena);
	ev->call = vy_json_new_obj();
	vy_json_set_str(ev->call, "name", tool);
	vy_json_set(ev->call, "input", vy_json_get(req, "input"));
}

static void on_hook(
	struct claude *c, struct vy_str id, const struct vy_json *req, struct agent_out *out)
{
	const struct vy_json *input = vy_json_get(req, "input");
	struct vy_str tool_id = brief_id(vy_json_str(req, "tool_use_id"));

	if (!vy_str_is(vy_json_str(req, "callback_id"), CLAUDE_HOOK)) {
		claude_respond_error(out, id, "no such callback");
		return;
	}
	struct claude_theirs *t = open_new(c, id, THEIRS_CHECK);

	fields_str_set(&t->tool_id, tool_id);
	struct agent_event *ev = agent_out_add(out, AE_CHECK);

	ev->request = vy_arena_str(out->arena, id);
	ev->tool = vy_arena_str(out->arena, tool_id);
	ev->name = vy_arena_str(out->arena, vy_json_str(input, "tool_name"));
	ev->is_spawn = claude_tool_spawns(ev->name) && !vy_json_str(input, "agent_id").n;
	ev->json = vy_json_ref(vy_json_get(input, "tool_input"));
}

void claude_ask_request(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	const struct vy_json *req = vy_json_get(line, "request");
	struct vy_str id = vy_json_str(line, "request_id");
	struct vy_str subtype = vy_json_str(req, "subtype");

	if (!id.n || claude_theirs_find(c, id)) {
		return;
	}
	if (!vy_str_eq(id, brief_id(id))) {
		claude_respond_error(out, id, "the request's id is too long");
	} else if (c->theirs.n >= OPEN_MAX) {
		claude_respond_error(out, id, "too many open requests");
	} else if (vy_str_is(subtype, "can_use_tool")) {
		on_can_use_tool(c, id, req, out);
	} else if (vy_str_is(subtype, "hook_callback")) {
		on_hook(c, id, req, out);
	} else {
		claude_respond_error(out, id, "unsupported");
	}
}

/* ---- withdrawn ---- */

static void drop_at(struct claude *c, size_t i, struct agent_out *out)
{
	struct claude_theirs *t = &c->theirs.v[i];
	bool is_check = t->kind == THEIRS_CHECK;

	struct agent_event *ev = agent_out_add(out, is_check ? AE_CHECK_GONE : AE_ASK_GONE);

	ev->request = vy_arena_str(out->arena, fields_str(t->id));
	if (is_check) {
		ev->tool = vy_arena_str(out->arena, fields_str(t->tool_id));
	}
	claude_theirs_del(c, t);
}

void claude_ask_withdrawn(struct claude *c, struct vy_str id, struct agent_out *out)
{
	const struct claude_theirs *t = claude_theirs_find(c, id);

	if (t) {
		drop_at(c, (size_t)(t - c->theirs.v), out);
	}
}

void claude_ask_drop(struct claude *c, bool is_all, struct agent_out *out)
{
	for (size_t i = 0; i < c->theirs.n;) {
		if (is_all || !c->theirs.v[i].agent) {
			drop_at(c, i, out);
		} else {
			i++;
		}
	}
}

/* ---- answered ---- */

static struct vy_json *deny(struct vy_str message, const char *otherwise, bool is_stop)
{
	struct vy_json *r = vy_json_new_obj();

	vy_json_set_c(r, "behavior", "deny");
	vy_json_set_str(r, "message", message.n ? message : vy_str_c(otherwise));
	if (is_stop) {
		vy_json_set_bool(r, "interrupt", true);
	}
	return r;
}

/* The rule a person wrote, as an update; NULL when it may not be stored. */
static struct vy_json *own_rule(struct claude *c, const struct claude_theirs *t, struct vy_str text,
	const char *destination)
{
	struct vy_json *rule = claude_rule_parse(text);

	if (!rule || !vy_str_eq(vy_json_str(rule, "toolName"), fields_str(t->tool)) ||
		!claude_rule_is_allowed(rule, fields_str(c->cwd))) {
		vy_json_free(rule);
		return NULL;
	}
	struct vy_json *rules = vy_json_new_arr();

	vy_json_add_take(rules, rule);
	return claude_update_rules(rules, destination);
}

static void add_updates(struct vy_json *to, const struct vy_json *from, const char *destination)
{
	for (size_t i = 0; i < vy_json_len(from); i++) {
		struct vy_json *u = vy_json_copy(vy_json_at(from, i));

		if (destination && vy_str_is(vy_json_str(u, "type"), "addRules")) {
			vy_json_set_c(u, "destination", destination);
		}
		vy_json_add_take(to, u);
	}
}

/* `always` of an answer: true (the rule shown), {scope} (the same elsewhere), {rule, scope}. */
static void add_always(struct claude *c, const struct claude_theirs *t,
	const struct vy_json *always, const char *destination, struct vy_json *to)
{
	struct vy_str rule = vy_json_str(always, "rule");

	if (!rule.n) {
		add_updates(to, vy_json_get(t->keep, "always"), destination);
		return;
	}
	struct vy_json *u = own_rule(c, t, rule, destination ? destination : stored_in(c));

	if (u) {
		vy_json_add_take(to, u);
	}
}

static void add_rule(struct claude *c, const struct claude_theirs *t, const struct vy_json *always,
	struct vy_json *to, struct agent_out *out)
{
	const char *destination = claude_destination(vy_json_str(always, "scope"));
	struct vy_str rule = vy_json_str(always, "rule");

	add_always(c, t, always, destination, to);
	if (destination && vy_str_is(vy_str_c(destination), "localSettings") && !c->is_trusted) {
		add_always(c, t, always, "session", to); /* stored for later, and heeded now */
	}
	if (rule.n && vy_json_len(to) == 0) {
		agent_out_add(out, AE_NOTE)->text = vy_str_c(vy_arena_printf(out->arena,
			"A rule for %s may not be that wide, nor reach out of this folder; it was "
			"not stored: %.*s",
			t->tool, VY_STR_ARG(brief_one_line(rule, out->arena))));
	}
}

/* What a person wants of a server's tool beyond this session is not done, and said. */
static void trust(struct claude *c, const struct claude_theirs *t, const struct vy_json *always,
	struct agent_out *out)
{
	struct vy_str scope = vy_json_str(always, "scope");

	claude_trust_add(c, fields_str(t->source), fields_str(t->tool));
	if (vy_json_str(always, "rule").n || (scope.n && !vy_str_is(scope, "session"))) {
		agent_out_add(out, AE_NOTE)->text = vy_str_c(vy_arena_printf(out->arena,
			"%s is allowed in this session alone, as a tool of a server from %s: a "
			"stored rule would count for any server of that name.",
			t->tool, t->source));
	}
}

static struct vy_json *updates_of(struct claude *c, const struct claude_theirs *t,
	const struct agent_command *cmd, struct agent_out *out)
{
	struct vy_json *to = vy_json_new_arr();
	const struct vy_json *always = vy_json_get(cmd->json, "always");
	struct vy_str mode = vy_json_str(cmd->json, "mode");
	char option[32];

	snprintf(option, sizeof(option), "%.*s", VY_STR_ARG(brief_cut(cmd->decision, 31)));
	if (vy_str_is(cmd->decision, "always") || vy_json_bool(cmd->json, "always", false) ||
		vy_json_type(always) == VY_JSON_OBJ) {
		is_of_source(t) ? trust(c, t, always, out) : add_rule(c, t, always, to, out);
	} else if (t->kind == THEIRS_PERMISSION) {
		add_updates(to, vy_json_get(t->keep, option), NULL);
	}
	if (t->kind == THEIRS_PLAN && vy_str_is(cmd->decision, "accept-edits")) {
		mode = VY_STR_LIT("acceptEdits");
	}
	if (mode.n && claude_mode_is_ours(mode)) {
		vy_json_add_take(to, claude_update_mode(mode));
	}
	return to;
}

static struct vy_json *answer_question(
	struct claude *c, const struct claude_theirs *t, const struct agent_command *cmd)
{
	struct vy_json *r = vy_json_new_obj();

	vy_json_set_c(r, "behavior", "allow");
	vy_json_take(r, "updatedInput",
		claude_ask_answers(
			t->keep, vy_json_get(cmd->json, "answers"), c->can_say_unanswered));
	return r;
}

static bool is_yes(const struct claude_theirs *t, struct vy_str decision)
{
	return vy_str_is(decision, "allow") || vy_str_is(decision, "always") ||
	       vy_str_is(decision, "accept-edits") ||
	       (t->kind == THEIRS_QUESTION && !vy_str_is(decision, "deny") &&
		       !vy_str_is(decision, "skip"));
}

static struct vy_json *answer_of(struct claude *c, const struct claude_theirs *t,
	const struct agent_command *cmd, struct agent_out *out)
{
	bool is_stop = vy_json_bool(cmd->json, "stop", false);

	if (is_yes(t, cmd->decision) && t->kind == THEIRS_QUESTION) {
		return answer_question(c, t, cmd);
	}
	if (is_yes(t, cmd->decision)) {
		return allow(updates_of(c, t, cmd, out));
	}
	if (vy_str_is(cmd->decision, "skip")) {
		return deny(cmd->text, "The person skipped this. Go on without it.", is_stop);
	}
	return deny(cmd->text,
		t->kind == THEIRS_PLAN       ? "Not yet. Keep planning."
		: t->kind == THEIRS_QUESTION ? "The person does not want to answer this."
					     : "The person does not want this.",
		is_stop);
}

void claude_ask_answer(struct claude *c, const struct agent_command *cmd, struct agent_out *out)
{
	struct claude_theirs *t = claude_theirs_find(c, cmd->request);

	if (!t || t->kind == THEIRS_CHECK) {
		return;
	}
	VY_AUTO_JSON *r = cmd->decision.n ? answer_of(c, t, cmd, out) : NULL;

	if (r) {
		claude_respond(out, cmd->request, r);
	}
	claude_theirs_del(c, t);
}

void claude_ask_checked(struct claude *c, const struct agent_command *cmd, struct agent_out *out)
{
	struct claude_theirs *t = claude_theirs_find(c, cmd->request);

	if (!t || t->kind != THEIRS_CHECK) {
		return;
	}
	VY_AUTO_JSON *r = vy_json_new_obj();

	if (vy_str_is(cmd->decision, "ask")) {
		claude_trust_ask(c, fields_str(t->tool_id));
	}
	if (cmd->decision.n) {
		struct vy_json *h = vy_json_new_obj();

		vy_json_set_c(h, "hookEventName", "PreToolUse");
		vy_json_set_str(h, "permissionDecision", cmd->decision);
		vy_json_set_str(h, "permissionDecisionReason", cmd->text);
		vy_json_take(r, "hookSpecificOutput", h);
	}
	claude_respond(out, cmd->request, r);
	claude_theirs_del(c, t);
}

/* ---- a line that was too long ---- */

/* The string behind `"key":"`, by looking at bytes: the head of a line is no JSON. */
static struct vy_str string_after(struct vy_str head, const char *key)
{
	size_t k = strlen(key);

	for (size_t i = 0; i + k <= head.n; i++) {
		if (memcmp(head.p + i, key, k) != 0) {
			continue;
		}
		struct vy_str rest = vy_str_from(head, i + k);
		const char *end = memchr(rest.p, '"', rest.n);

		return end ? vy_str_n(rest.p, (size_t)(end - rest.p)) : vy_str_n(NULL, 0);
	}
	return vy_str_n(NULL, 0);
}

bool claude_ask_refuse_head(struct vy_str head, struct agent_out *out)
{
	struct vy_str type = string_after(head, "\"type\":\"");
	struct vy_str id = string_after(head, "\"request_id\":\"");

	if (!vy_str_is(type, "control_request") || !id.n || id.n > VY_ID_MAX ||
		memchr(id.p, '\\', id.n) || !vy_utf8_is_valid(id)) {
		return false;
	}
	claude_respond_error(out, id, "the request is longer than Vyre takes");
	return true;
}
