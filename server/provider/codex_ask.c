/* codex_ask.c -- see codex_ask.h. */
#include "server/provider/codex_ask.h"

#include <string.h>

#include "server/provider/brief.h"
#include "server/provider/codex_beside.h"
#include "server/provider/codex_form.h"
#include "server/provider/codex_item.h"
#include "server/provider/codex_note.h"
#include "server/provider/codex_plan.h"
#include "server/provider/codex_result.h"
#include "server/provider/codex_rule.h"
#include "server/provider/codex_say.h"
#include "server/provider/codex_words.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define OPEN_MAX   100
#define RAW_MAX    200 /* bytes of a request's id */
#define DETAIL_MAX (60 * VY_KIB)

/* ---- shapes ---- */

static void option(struct vy_json *list, const char *id, const char *label, const char *decision)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "id", id);
	vy_json_set_c(o, "label", label);
	vy_json_set_c(o, "decision", decision);
	vy_json_add_take(list, o);
}

/* `rule`: what codex would keep of the command for good; NULL: nothing. */
static void always_option(struct vy_json *list, const struct vy_json *rule, struct vy_arena *a)
{
	option(list, "always", "Always", "allow");
	struct vy_json *o = vy_json_at(list, vy_json_len(list) - 1);

	vy_json_set_c(o, "rule", codex_rule_print(rule, a));
	vy_json_set_c(o, "scope", "user");
}

static struct vy_json *options_of(int64_t kind, const struct vy_json *rule, struct vy_arena *a)
{
	struct vy_json *list = vy_json_new_arr();

	option(list, "allow", "Yes", "allow");
	if (kind == CODEX_COMMAND) {
		option(list, "session", "Yes, and this command again in this session", "allow");
	} else if (kind == CODEX_PATCH) {
		option(list, "session", "Yes, and these files again in this session", "allow");
	}
	if (rule) {
		always_option(list, rule, a);
	}
	option(list, "deny", "No", "deny");
	if (kind != CODEX_YES) {
		option(list, "stop", "No, and end the turn", "deny");
	}
	return list;
}

/* What does not fit is said: nobody should approve an end they did not see without knowing it. */
static void set_detail(struct vy_json *ask, struct vy_str detail, struct vy_arena *a)
{
	size_t room = brief_piece(detail);

	room = room < DETAIL_MAX ? room : DETAIL_MAX;
	if (room < detail.n) {
		struct vy_str cut = brief_cut(detail, room);
		const char *more = vy_arena_printf(
			a, "\n… %zu KiB more are not shown", (detail.n - cut.n + 1023) / VY_KIB);

		detail = brief_join(cut, vy_str_c(more), vy_str_n(NULL, 0), a);
	}
	if (detail.n) {
		vy_json_set_str(ask, "detail", detail);
	}
}

static struct vy_json *ask_new(const char *kind, struct vy_str tool, const char *title,
	struct vy_str summary, struct vy_arena *a)
{
	struct vy_json *ask = vy_json_new_obj();

	summary = brief_one_line(summary, a);
	vy_json_set_c(ask, "kind", kind);
	vy_json_set_str(ask, "tool", tool);
	vy_json_set_c(ask, "title", title);
	vy_json_set_str(ask, "summary", summary.n ? summary : vy_str_c(title));
	return ask;
}

/* ---- open ---- */

static struct codex_theirs *theirs_new(
	struct codex *c, int64_t kind, struct vy_str item, struct vy_str raw, struct vy_arena *a)
{
	struct codex_theirs *t = fields_list_add(&c->theirs, &codex_theirs_set);
	const char *id = vy_arena_printf(a, "%.*s:%.*s", VY_STR_ARG(raw), VY_STR_ARG(item));

	fields_str_set(&t->id, brief_id(vy_str_c(id)));
	fields_str_set(&t->raw, raw);
	t->kind = kind;
	return t;
}

static struct agent_event *ask_event(
	struct codex_theirs *t, struct vy_str tool, struct vy_json *own_ask, struct agent_out *out)
{
	struct agent_event *ev = agent_out_add(out, AE_ASK);

	ev->request = vy_arena_str(out->arena, fields_str(t->id));
	ev->tool = vy_arena_str(out->arena, tool);
	ev->json = own_ask;
	return ev;
}

static struct vy_json *call_of(const char *name, const char *key, struct vy_str value)
{
	struct vy_json *call = vy_json_new_obj(), *in = vy_json_new_obj();

	vy_json_set_c(call, "name", name);
	vy_json_set_str(in, key, value);
	vy_json_take(call, "input", in);
	return call;
}

/* ---- approvals ---- */

static void on_command(
	struct codex *c, struct vy_str raw, const struct vy_json *params, struct agent_out *out)
{
	struct vy_str item_id = brief_id(vy_json_str(params, "itemId"));
	struct vy_str whole = vy_json_str(params, "command");
	struct vy_str command = codex_command(whole, out->arena);
	struct vy_str reason = vy_json_str(params, "reason");
	struct vy_str cwd = vy_json_str(params, "cwd");
	struct vy_str host = vy_json_str(vy_json_get(params, "networkApprovalContext"), "host");
	struct codex_item *item = codex_item_find(c, item_id);
	bool is_stdin = vy_str_starts(vy_json_str(params, "kind"), "stdin");
	struct codex_theirs *t = theirs_new(c, CODEX_COMMAND, item_id, raw, out->arena);
	VY_AUTO_BUF detail = VY_BUF_INIT(VY_LINE_MAX);
	struct vy_json *ask = ask_new("permission", VY_STR_LIT("shell"),
		host.n     ? "Reach a host on the network"
		: is_stdin ? "Write to a command that runs"
			   : "Run a command",
		host.n ? host : command, out->arena);

	struct vy_json *rule = vy_json_get(params, "proposedExecpolicyAmendment");

	if (item) {
		item->is_judged = true; /* the house judges what an ask would let run */
	}
	if (!host.n && !is_stdin && codex_rule_is_allowed(rule, fields_str(c->cwd))) {
		t->keep = vy_json_new_obj();
		vy_json_set(t->keep, "rule", rule);
	}
	vy_buf_addstr(&detail, command);
	if (cwd.n && !vy_str_is(cwd, c->cwd ? c->cwd : "")) {
		vy_buf_addf(&detail, "\nin %.*s", VY_STR_ARG(cwd));
	}
	if (reason.n) {
		vy_buf_addf(&detail, "\n%.*s", VY_STR_ARG(reason));
	}
	set_detail(ask, vy_buf_str(&detail), out->arena);
	vy_json_take(ask, "options",
		options_of(CODEX_COMMAND, vy_json_get(t->keep, "rule"), out->arena));
	struct agent_event *ev = ask_event(t, item_id, ask, out);

	ev->call = call_of("shell", "command", whole);
	vy_json_set_str(vy_json_get(ev->call, "input"), "cwd", cwd);
}

static void on_patch(
	struct codex *c, struct vy_str raw, const struct vy_json *params, struct agent_out *out)
{
	struct vy_str item_id = brief_id(vy_json_str(params, "itemId"));
	struct codex_item *item = codex_item_find(c, item_id);
	const struct vy_json *changes = item ? item->changes : NULL;
	struct vy_str reason = vy_json_str(params, "reason");
	struct vy_str root = vy_json_str(params, "grantRoot");
	struct codex_theirs *t = theirs_new(c, CODEX_PATCH, item_id, raw, out->arena);
	VY_AUTO_BUF detail = VY_BUF_INIT(VY_LINE_MAX), paths = VY_BUF_INIT(VY_MIB);
	struct vy_json *ask = ask_new("permission", VY_STR_LIT("apply_patch"),
		vy_json_len(changes) > 1 ? "Change files" : "Change a file",
		item ? fields_str(item->about) : VY_STR_LIT("a change that was not shown"),
		out->arena);

	if (item) {
		item->is_judged = true;
	}
	if (reason.n) {
		vy_buf_addf(&detail, "%.*s\n", VY_STR_ARG(reason));
	}
	if (root.n) {
		vy_buf_addf(&detail, "It asks for all below %.*s.\n", VY_STR_ARG(root));
	}
	codex_patch_print(changes, fields_str(c->cwd), out->arena, &detail);
	set_detail(ask, vy_buf_str(&detail), out->arena);
	vy_json_take(ask, "options", options_of(CODEX_PATCH, NULL, out->arena));
	codex_patch_paths(changes, &paths);
	ask_event(t, item_id, ask, out)->call = call_of("apply_patch", "input", vy_buf_str(&paths));
}

/* ---- questions and forms ---- */

static bool has_secret(const struct vy_json *questions)
{
	for (size_t i = 0; i < vy_json_len(questions); i++) {
		if (vy_json_bool(vy_json_at(questions, i), "isSecret", false)) {
			return true;
		}
	}
	return false;
}

static void on_question(
	struct codex *c, struct vy_str raw, const struct vy_json *params, struct agent_out *out)
{
	struct vy_str item = brief_id(vy_json_str(params, "itemId"));
	const struct vy_json *questions = vy_json_get(params, "questions");

	if (has_secret(questions)) {
		codex_respond_error(out, raw, "secrets are not asked for here");
		codex_note(out, "Codex wanted a secret. What is said here is written down, so it "
				"was refused: set it where Codex runs.");
		return;
	}
	struct codex_theirs *t = theirs_new(c, CODEX_QUESTION, item, raw, out->arena);
	struct vy_json *ask = ask_new("question", VY_STR_LIT("request_user_input"), "A question",
		vy_json_str(vy_json_at(questions, 0), "question"), out->arena);

	vy_json_take(ask, "options", vy_json_new_arr());
	vy_json_take(ask, "questions", codex_form_questions(questions, &t->keep));
	ask_event(t, vy_str_n(NULL, 0), ask, out);
}

static void on_elicitation(
	struct codex *c, struct vy_str raw, const struct vy_json *params, struct agent_out *out)
{
	struct vy_str server = brief_id(vy_json_str(params, "serverName"));
	struct vy_str message = vy_json_str(params, "message"), url = vy_json_str(params, "url");
	const struct vy_json *schema = vy_json_get(params, "requestedSchema");
	bool is_form = vy_json_len(vy_json_get(schema, "properties")) > 0;
	struct codex_theirs *t =
		theirs_new(c, is_form ? CODEX_FORM : CODEX_YES, server, raw, out->arena);
	const char *title = vy_arena_printf(out->arena, "%.*s asks", VY_STR_ARG(server));
	struct vy_json *ask = ask_new(is_form ? "question" : "permission",
		server.n ? server : VY_STR_LIT("mcp"), title, message, out->arena);

	if (is_form) {
		vy_json_take(ask, "options", vy_json_new_arr());
		vy_json_take(ask, "questions", codex_form_fields(schema, &t->keep, out->arena));
	} else {
		vy_json_take(ask, "options", options_of(CODEX_YES, NULL, out->arena));
	}
	set_detail(ask, url.n ? brief_join(message, VY_STR_LIT("\n"), url, out->arena) : message,
		out->arena);
	ask_event(t, vy_str_n(NULL, 0), ask, out);
}

/* ---- what comes ---- */

static const struct {
	const char *method;
	void (*on)(struct codex *, struct vy_str, const struct vy_json *, struct agent_out *);
} requests[] = {
	{ "item/commandExecution/requestApproval", on_command },
	{ "item/fileChange/requestApproval", on_patch },
	{ "item/tool/requestUserInput", on_question },
	{ "mcpServer/elicitation/request", on_elicitation },
};

/* Its ids begin at 0 and have nothing to do with ours (A1). */
static bool raw_of(const struct vy_json *id, struct vy_buf *raw)
{
	bool is_id = vy_json_type(id) == VY_JSON_INT || vy_json_type(id) == VY_JSON_STR;

	return is_id && vy_json_dump(id, raw);
}

static struct codex_theirs *find_raw(struct codex *c, struct vy_str raw)
{
	for (size_t i = 0; i < c->theirs.n; i++) {
		if (vy_str_is(raw, c->theirs.v[i].raw)) {
			return &c->theirs.v[i];
		}
	}
	return NULL;
}

void codex_ask_request(struct codex *c, const struct vy_json *line, struct agent_out *out)
{
	VY_AUTO_BUF raw = VY_BUF_INIT(RAW_MAX);
	struct vy_str method = vy_json_str(line, "method");

	if (!raw_of(vy_json_get(line, "id"), &raw) || find_raw(c, vy_buf_str(&raw))) {
		return;
	}
	if (c->theirs.n >= OPEN_MAX) {
		codex_respond_error(out, vy_buf_str(&raw), "too many open requests");
		return;
	}
	if (codex_beside_is_copy(c, vy_json_str(vy_json_get(line, "params"), "threadId"))) {
		codex_respond_error(out, vy_buf_str(&raw), "a side question asks for nothing");
		return;
	}
	for (size_t i = 0; i < VY_COUNT(requests); i++) {
		if (vy_str_is(method, requests[i].method)) {
			requests[i].on(c, vy_buf_str(&raw), vy_json_get(line, "params"), out);
			return;
		}
	}
	codex_respond_error(out, vy_buf_str(&raw), "unsupported");
}

static void drop(struct codex *c, struct codex_theirs *t, struct agent_out *out)
{
	agent_out_add(out, AE_ASK_GONE)->request = vy_arena_str(out->arena, fields_str(t->id));
	codex_theirs_del(c, t);
}

void codex_ask_resolved(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	VY_AUTO_BUF raw = VY_BUF_INIT(RAW_MAX);
	struct codex_theirs *t = raw_of(vy_json_get(params, "requestId"), &raw)
					 ? find_raw(c, vy_buf_str(&raw))
					 : NULL;

	if (t) {
		drop(c, t, out);
	}
}

void codex_ask_drop(struct codex *c, struct agent_out *out)
{
	while (c->theirs.n) {
		drop(c, &c->theirs.v[0], out);
	}
}

/* ---- answered ---- */

static bool is_no(struct vy_str decision)
{
	return vy_str_is(decision, "deny") || vy_str_is(decision, "skip");
}

static struct vy_json *kept_for_good(struct vy_json *rule)
{
	struct vy_json *r = vy_json_new_obj(), *with = vy_json_new_obj(), *in = vy_json_new_obj();

	vy_json_set(in, "execpolicy_amendment", rule);
	vy_json_take(with, "acceptWithExecpolicyAmendment", in);
	vy_json_take(r, "decision", with);
	return r;
}

static struct vy_json *decision_of(const struct codex_theirs *t, const struct agent_command *cmd)
{
	struct vy_json *rule = vy_json_get(t->keep, "rule");

	if (rule && vy_str_is(cmd->decision, "always")) {
		return kept_for_good(rule);
	}
	struct vy_json *r = vy_json_new_obj();
	const struct vy_json *always = vy_json_get(cmd->json, "always");
	bool is_always =
		vy_str_is(cmd->decision, "session") ||
		(vy_json_type(always) == VY_JSON_OBJ || vy_json_bool(cmd->json, "always", false));
	bool is_yes = vy_str_is(cmd->decision, "allow") || vy_str_is(cmd->decision, "session");
	bool is_stop = vy_str_is(cmd->decision, "stop") || vy_json_bool(cmd->json, "stop", false);

	vy_json_set_c(r, "decision",
		is_yes && is_always ? "acceptForSession"
		: is_yes            ? "accept"
		: is_stop           ? "cancel"
				    : "decline");
	return r;
}

static struct vy_json *elicited(const struct codex_theirs *t, const struct agent_command *cmd)
{
	struct vy_json *r = vy_json_new_obj();
	bool is_not = is_no(cmd->decision);

	vy_json_set_c(r, "action", is_not ? "decline" : "accept");
	if (is_not) {
		vy_json_set_null(r, "content");
	} else {
		vy_json_take(r, "content",
			codex_form_content(t->keep, vy_json_get(cmd->json, "answers")));
	}
	vy_json_set_null(r, "_meta");
	return r;
}

static struct vy_json *answered(const struct codex_theirs *t, const struct agent_command *cmd)
{
	struct vy_json *r = vy_json_new_obj();
	vy_json_take(r, "answers",
		is_no(cmd->decision)
			? vy_json_new_obj()
			: codex_form_answers(t->keep, vy_json_get(cmd->json, "answers")));
	return r;
}

/* A refusal has no room for words in codex: they go to the turn as a person's, if it goes on. */
void codex_ask_answer(struct codex *c, const struct agent_command *cmd, struct agent_out *out)
{
	struct codex_theirs *t = codex_theirs_find(c, cmd->request);

	if (!t) {
		return;
	}
	if (t->kind == CODEX_PLAN) {
		codex_theirs_del(c, t);
		codex_plan_answer(c, cmd, out);
		return;
	}
	if (cmd->decision.n) {
		bool is_stop = vy_json_bool(cmd->json, "stop", false);
		VY_AUTO_JSON *r = t->kind == CODEX_QUESTION ? answered(t, cmd)
				  : t->kind == CODEX_FORM || t->kind == CODEX_YES
					  ? elicited(t, cmd)
					  : decision_of(t, cmd);

		codex_respond(out, fields_str(t->raw), r);
		if (is_stop && t->kind > CODEX_PATCH) {
			codex_say_interrupt(c, out);
		} else if (!is_stop && is_no(cmd->decision) && cmd->text.n && c->turn) {
			codex_say_words(c, cmd->text, out);
		}
	}
	codex_theirs_del(c, t);
}

/* A yes to what nobody asked is nothing; a no comes too late to hold the call, and ends the turn. */
void codex_ask_checked(struct codex *c, const struct agent_command *cmd, struct agent_out *out)
{
	if (!cmd->decision.n || !vy_str_starts(cmd->request, CODEX_CHECK)) {
		return;
	}
	codex_note(out,
		vy_arena_printf(out->arena,
			"Codex began this without asking, and a floor rule is against it; the turn "
			"was ended: %.*s",
			VY_STR_ARG(brief_one_line(cmd->text, out->arena))));
	if (c->turn) {
		codex_say_interrupt(c, out);
	} else if (c->thread) {
		codex_say_clean(c, out);
	}
}

/* ---- a line that was too long ---- */

bool codex_ask_refuse_head(struct vy_str head, struct agent_out *out)
{
	static const char key[] = "\"id\":";
	struct vy_str raw = { NULL, 0 };
	bool is_request = false;

	for (size_t i = 0; i + sizeof(key) <= head.n; i++) {
		struct vy_str rest = vy_str_from(head, i);

		is_request |= vy_str_starts(rest, "/requestApproval\"") ||
			      vy_str_starts(rest, "/requestUserInput\"") ||
			      vy_str_starts(rest, "/elicitation/request\"");
		if (!raw.n && vy_str_starts(rest, key)) {
			rest = vy_str_from(rest, sizeof(key) - 1);
			raw = vy_str_n(rest.p, 0);
			while (raw.n < rest.n && raw.n < 18 && rest.p[raw.n] >= '0' &&
				rest.p[raw.n] <= '9') {
				raw.n++;
			}
		}
	}
	if (is_request && raw.n && (raw.n == 1 || raw.p[0] != '0')) {
		codex_respond_error(out, raw, "the request is longer than Vyre takes");
		return true;
	}
	return false;
}
