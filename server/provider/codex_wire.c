/* codex_wire.c -- see codex_wire.h. Two tables, of answers to requests of ours and of what codex
 * tells unasked. What is in neither is passed over: codex tells much that is for its own windows. */
#include "server/provider/codex_wire.h"

#include <inttypes.h>
#include <string.h>

#include "server/guard/redact.h"
#include "server/provider/brief.h"
#include "server/provider/codex_ask.h"
#include "server/provider/codex_beside.h"
#include "server/provider/codex_item.h"
#include "server/provider/codex_note.h"
#include "server/provider/codex_plan.h"
#include "server/provider/codex_say.h"
#include "server/provider/codex_turn.h"
#include "server/provider/codex_words.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define BAD_LINES_TOLD 3 /* a turn; a program gone mad should not fill the chat */
#define TAIL_LINES     8
#define TAIL_LINE_MAX  300
#define PLAN_MAX       200
#define PLAN_TEXT_MAX  400

typedef void line_fn(struct codex *c, const struct vy_json *params, struct agent_out *out);

/* ---- the thread ---- */

/* Its end comes by us then, and says no more. */
static void broken(struct codex *c, struct agent_out *out, const char *why)
{
	c->is_ending = true;
	agent_out_add(out, AE_BROKEN)->text = vy_str_c(why);
}

static void tell_ready(struct codex *c, struct agent_out *out)
{
	if (c->is_ready || !c->has_account || !c->has_models || !c->has_thread) {
		return;
	}
	c->is_ready = true;
	struct agent_event *ev = agent_out_add(out, AE_READY);

	ev->text = vy_arena_str(out->arena, fields_str(c->version));
	ev->json = codex_note_ready(c);
	vy_json_free(c->models);
	vy_json_free(c->hello);
	c->models = c->hello = NULL;
	if (vy_str_is(fields_str(c->mode), "plan")) { /* half of it is said only here */
		codex_say_mode(c, fields_str(c->mode), out);
	}
	codex_say_held(c, out); /* what was said meanwhile */
}

static void on_model(struct codex *c, struct vy_str model, struct agent_out *out)
{
	model = brief_id(model);
	if (model.n && !vy_str_eq(model, fields_str(c->model))) {
		fields_str_set(&c->model, model);
		agent_out_add(out, AE_MODEL)->text = vy_arena_str(out->arena, model);
	}
}

/* No setting of a person's file may take the asks or the sandbox away. */
static bool is_lax(const struct vy_json *approval, const struct vy_json *sandbox)
{
	struct vy_str type = vy_json_str(sandbox, "type");

	return vy_str_is(vy_json_strval(approval), "never") ||
	       vy_str_is(type, "dangerFullAccess") || vy_str_is(type, "externalSandbox");
}

static void on_thread(struct codex *c, const struct vy_json *r, struct agent_out *out)
{
	struct vy_str id = brief_id(vy_json_str(vy_json_get(r, "thread"), "id"));

	if (!id.n) {
		broken(c, out, "Codex began no conversation.");
		return;
	}
	if (is_lax(vy_json_get(r, "approvalPolicy"), vy_json_get(r, "sandbox"))) {
		broken(c, out,
			"Codex began without asks or without its sandbox, so it may not run "
			"here.");
		return;
	}
	if (!vy_str_eq(id, fields_str(c->thread))) {
		fields_str_set(&c->thread, id);
		agent_out_add(out, AE_SESSION)->text = vy_arena_str(out->arena, id);
	}
	c->has_thread = true;
	c->is_resume = true;
	on_model(c, vy_json_str(r, "model"), out);
	fields_str_set(&c->effort, brief_id(vy_json_str(r, "reasoningEffort")));
	tell_ready(c, out);
}

static void on_settings(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	const struct vy_json *s = vy_json_get(params, "threadSettings");

	on_model(c, vy_json_str(s, "model"), out);
	fields_str_set(&c->effort, brief_id(vy_json_str(s, "effort")));
	if (is_lax(vy_json_get(s, "approvalPolicy"), vy_json_get(s, "sandboxPolicy"))) {
		codex_note(out, "Codex changed to a mode without asks or without its sandbox, "
				"which Vyre does not offer; it was set back.");
		codex_say_mode(c, fields_str(c->mode), out);
	}
}

/* ---- answers to requests of ours ---- */

/* "vyre/0.171.0 (Debian …" */
static struct vy_str version_of(struct vy_str agent)
{
	const char *slash = agent.n ? memchr(agent.p, '/', agent.n) : NULL;
	struct vy_str v = slash ? vy_str_from(agent, (size_t)(slash - agent.p) + 1) : agent;
	const char *blank = v.n ? memchr(v.p, ' ', v.n) : NULL;

	return brief_id(blank ? vy_str_n(v.p, (size_t)(blank - v.p)) : v);
}

static void on_account(struct codex *c, const struct vy_json *r, struct agent_out *out)
{
	bool has_account = vy_json_type(vy_json_get(r, "account")) == VY_JSON_OBJ;

	if (!has_account && vy_json_bool(r, "requiresOpenaiAuth", false)) {
		broken(c, out,
			vy_arena_printf(out->arena,
				"%s is not logged in. Run `codex login` in a terminal once, as "
				"the user it runs as here.",
				c->who));
		return;
	}
	c->has_account = true;
	tell_ready(c, out);
}

static void on_said(struct codex *c, const struct codex_ours *q, const struct vy_json *r)
{
	struct codex_said *s = codex_said_find(c, fields_str(q->about));

	if (s) {
		fields_str_set(&s->turn, brief_id(vy_json_str(vy_json_get(r, "turn"), "id")));
	}
}

static void on_mode(struct codex *c, struct vy_str mode, struct agent_out *out)
{
	fields_str_set(&c->mode, mode);
	if (!vy_str_is(mode, "plan")) {
		codex_plan_drop(c, out);
	}
	agent_out_add(out, AE_MODE)->text = vy_arena_str(out->arena, mode);
}

static void on_answer(
	struct codex *c, const struct codex_ours *q, const struct vy_json *r, struct agent_out *out)
{
	switch ((enum codex_purpose)q->purpose) {
	case CODEX_INITIALIZE:
		fields_str_set(&c->version, version_of(vy_json_str(r, "userAgent")));
		codex_say_begin(c, out);
		break;
	case CODEX_ACCOUNT: on_account(c, r, out); break;
	case CODEX_MODELS:
		codex_note_models(c, r);
		c->has_models = true;
		tell_ready(c, out);
		break;
	case CODEX_START:
	case CODEX_RESUME:
	case CODEX_FORK: on_thread(c, r, out); break;
	case CODEX_SAY: on_said(c, q, r); break;
	case CODEX_INTERRUPT: codex_say_clean(c, out); break;
	case CODEX_MODE: on_mode(c, fields_str(q->about), out); break;
	case CODEX_MODEL: on_model(c, fields_str(q->about), out); break;
	case CODEX_EFFORT: fields_str_set(&c->effort, fields_str(q->about)); break;
	case CODEX_CLEAN:
	case CODEX_COPY: codex_beside_forked(c, fields_str(q->about), r, out); break;
	case CODEX_KILL:
	case CODEX_WORDS:
	case CODEX_ASIDE:
	case CODEX_LEAVE:
	case CODEX_COMPACT: break;
	}
}

/* ---- errors ---- */

static void not_resumed(struct codex *c, struct vy_str why, struct agent_out *out)
{
	if (vy_str_starts(why, "no rollout found") || vy_str_starts(why, "thread not found") ||
		vy_str_starts(why, "invalid thread id")) {
		codex_note(out, "Codex has this conversation no more; it goes on with a new one, "
				"and does not know what was said before.");
		fields_str_set(&c->thread, vy_str_n(NULL, 0));
		fields_str_set(&c->mark, vy_str_n(NULL, 0));
		agent_out_add(out, AE_MARK);
		c->is_resume = false;
		codex_say_start(c, out);
	} else {
		broken(c, out,
			vy_arena_printf(out->arena,
				"%s could not open this conversation, perhaps since it is open in "
				"another program: %.*s",
				c->who, VY_STR_ARG(brief_sentence(why, out->arena))));
	}
}

static void would_not(const char *what, struct vy_str why, struct agent_out *out)
{
	codex_note(out, vy_arena_printf(out->arena, "Codex would not %s: %.*s", what,
				VY_STR_ARG(brief_one_line(why, out->arena))));
}

static void on_refused(
	struct codex *c, const struct codex_ours *q, struct vy_str why, struct agent_out *out)
{
	struct codex_said *s = codex_said_find(c, fields_str(q->about));

	switch ((enum codex_purpose)q->purpose) {
	case CODEX_ACCOUNT:
	case CODEX_MODELS: /* an account nobody can see, or no list of models, is no reason to stop */
		c->has_account |= q->purpose == CODEX_ACCOUNT;
		c->has_models |= q->purpose == CODEX_MODELS;
		tell_ready(c, out);
		break;
	case CODEX_RESUME: not_resumed(c, why, out); break;
	case CODEX_INITIALIZE:
	case CODEX_START:
	case CODEX_FORK:
		broken(c, out,
			vy_arena_printf(out->arena, "%s refused to begin: %.*s", c->who,
				VY_STR_ARG(brief_sentence(why, out->arena))));
		break;
	case CODEX_SAY:
	case CODEX_COMPACT:
		if (s) {
			codex_turn_refused(c, s, brief_sentence(why, out->arena), out);
			codex_say_held(c, out);
		}
		break;
	case CODEX_INTERRUPT: /* "no active turn to interrupt": it has ended, which was wanted */
		codex_say_clean(c, out);
		break;
	case CODEX_MODE: would_not("change the mode", why, out); break;
	case CODEX_MODEL: would_not("change the model", why, out); break;
	case CODEX_EFFORT: would_not("change its effort", why, out); break;
	case CODEX_KILL: would_not("end that task", why, out); break;
	case CODEX_WORDS: would_not("hear what was said with the answer", why, out); break;
	case CODEX_COPY:
	case CODEX_ASIDE: codex_beside_refused(c, fields_str(q->about), why, out); break;
	case CODEX_LEAVE:
	case CODEX_CLEAN: break;
	}
}

static void on_response(struct codex *c, const struct vy_json *line, struct agent_out *out)
{
	const struct vy_json *id = vy_json_get(line, "id"), *error = vy_json_get(line, "error");

	for (size_t i = 0; vy_json_type(id) == VY_JSON_INT && i < c->ours.n; i++) {
		struct codex_ours taken = c->ours.v[i];

		if (taken.id != vy_json_intval(id, 0)) {
			continue;
		}
		memset(&c->ours.v[i], 0, sizeof(c->ours.v[i]));
		fields_list_del(&c->ours, &codex_ours_set, i);
		if (error) {
			struct vy_str why = vy_json_str(error, "message");

			on_refused(c, &taken, why.n ? why : VY_STR_LIT("no reason was given"), out);
		} else {
			on_answer(c, &taken, vy_json_get(line, "result"), out);
		}
		fields_free(&codex_ours_set, &taken);
		return;
	}
}

/* ---- what codex tells ---- */

static void on_turn_started(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	codex_turn_started(c, params, out);
	if (c->wants_interrupt) {
		codex_say_interrupt(c, out);
	}
}

static void on_turn_completed(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	codex_turn_completed(c, params, out);
	codex_say_held(c, out);
	codex_plan_ask(c, out);
}

static void on_delta(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	codex_item_delta(c, params, 0, false, out);
}

static void on_summary(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	codex_item_delta(
		c, params, vy_json_int(params, "summaryIndex", 0) % CODEX_CONTENT, true, out);
}

static void on_thought(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	codex_item_delta(c, params,
		CODEX_CONTENT + vy_json_int(params, "contentIndex", 0) % CODEX_CONTENT, true, out);
}

static void on_plan(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	const struct vy_json *plan = vy_json_get(params, "plan");
	struct vy_json *b = vy_json_new_obj(), *items = vy_json_new_arr();

	(void)c;
	for (size_t i = 0; i < vy_json_len(plan) && i < PLAN_MAX; i++) {
		const struct vy_json *step = vy_json_at(plan, i);
		struct vy_str status = vy_json_str(step, "status");
		struct vy_json *item = vy_json_new_obj();

		vy_json_set_str(item, "text", brief_cut(vy_json_str(step, "step"), PLAN_TEXT_MAX));
		vy_json_set_c(item, "status",
			vy_str_is(status, "completed")    ? "done"
			: vy_str_is(status, "inProgress") ? "running"
							  : "pending");
		vy_json_add_take(items, item);
	}
	vy_json_set_c(b, "type", "task");
	vy_json_take(b, "items", items);
	agent_out_add(out, AE_TODO)->json = b;
}

static void on_usage(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	codex_note_usage(c, vy_json_get(params, "tokenUsage"), out);
}

static void on_limits(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	codex_note_limits(c, vy_json_get(params, "rateLimits"), out);
}

/* The last one, which is not tried again, says what the turn's end says, too. */
static void on_error(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	if (vy_json_bool(params, "willRetry", false)) {
		codex_item_void(c, out);
		agent_out_add(out, AE_NOTE)->text =
			codex_note_retry(vy_json_get(params, "error"), out->arena);
	}
}

static void on_warning(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	struct vy_str text = brief_one_line(vy_json_str(params, "message"), out->arena);

	(void)c;
	if (text.n) {
		agent_out_add(out, AE_NOTE)->text = text;
	}
}

static void on_rerouted(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	on_model(c, vy_json_str(params, "toModel"), out);
}

static const struct {
	const char *method;
	line_fn *on;
	bool is_of_thread; /* of another thread than ours (a subagent's) it is passed over */
} told[] = {
	{ "item/agentMessage/delta", on_delta, true },
	{ "item/plan/delta", on_delta, true },
	{ "item/reasoning/summaryTextDelta", on_summary, true },
	{ "item/reasoning/textDelta", on_thought, true },
	{ "item/commandExecution/outputDelta", codex_item_output, true },
	{ "item/mcpToolCall/progress", codex_item_output, true },
	{ "item/started", codex_item_started, true },
	{ "item/completed", codex_item_completed, true },
	{ "turn/started", on_turn_started, true },
	{ "turn/completed", on_turn_completed, true },
	{ "turn/plan/updated", on_plan, true },
	{ "thread/tokenUsage/updated", on_usage, true },
	{ "thread/settings/updated", on_settings, true },
	{ "model/rerouted", on_rerouted, true },
	{ "error", on_error, true },
	{ "account/rateLimits/updated", on_limits, false },
	{ "serverRequest/resolved", codex_ask_resolved, false },
	{ "warning", on_warning, false },
};

static void on_told(struct codex *c, const struct vy_json *line, struct agent_out *out)
{
	struct vy_str method = vy_json_str(line, "method");
	const struct vy_json *params = vy_json_get(line, "params");

	if (codex_beside_told(c, method, params, out)) {
		return;
	}
	for (size_t i = 0; i < VY_COUNT(told); i++) {
		if (!vy_str_is(method, told[i].method)) {
			continue;
		}
		if (!told[i].is_of_thread ||
			(c->thread && vy_str_is(vy_json_str(params, "threadId"), c->thread))) {
			told[i].on(c, params, out);
		}
		return;
	}
}

/* ---- lines ---- */

/* The beginning of a line of any bytes, as it may be shown: valid UTF-8, no colours, no secrets. */
static void safe_line(struct vy_str line, struct vy_buf *out)
{
	VY_AUTO_BUF plain = VY_BUF_INIT(VY_LINE_MAX), clean = VY_BUF_INIT(VY_LINE_MAX);
	bool is_cut = line.n > TAIL_LINE_MAX, in_colour = false;

	for (size_t i = 0; i < line.n && i < TAIL_LINE_MAX; i++) {
		char ch = line.p[i];

		if (ch == '\033') {
			in_colour = true;
		} else if (!in_colour) {
			vy_buf_addc(&plain, ch);
		} else if ((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')) {
			in_colour = false;
		}
	}
	vy_utf8_clean(vy_buf_str(&plain), &clean);
	if (is_cut) {
		guard_redact_cut(vy_buf_str(&clean), out);
	} else {
		guard_redact(vy_buf_str(&clean), out);
	}
}

static void bad_line(struct codex *c, struct vy_str line, struct agent_out *out)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	if (c->bad_lines++ < BAD_LINES_TOLD) {
		safe_line(line, &b);
		codex_note(out, vy_arena_printf(out->arena,
					"The agent printed something that is no message: %.*s",
					VY_STR_ARG(brief_one_line(vy_buf_str(&b), out->arena))));
	}
}

static void on_stderr(struct codex *c, struct vy_str line)
{
	VY_AUTO_BUF safe = VY_BUF_INIT(VY_LINE_MAX);

	safe_line(line, &safe);
	if (safe.len == 0) {
		return;
	}
	if (c->stderr_tail.n >= TAIL_LINES) {
		fields_list_del(&c->stderr_tail, &codex_line_set, 0);
	}
	struct codex_line *l = fields_list_add(&c->stderr_tail, &codex_line_set);

	fields_str_set(&l->text, vy_buf_str(&safe));
}

void codex_line(
	struct codex *c, enum agent_stream stream, struct vy_str line, struct agent_out *out)
{
	line = vy_str_trim(line);
	if (stream == AGENT_STDERR) {
		on_stderr(c, line);
		return;
	}
	if (!line.n) {
		return;
	}
	VY_AUTO_JSON *v = vy_json_parse_lenient(line, NULL);
	bool has_method = vy_json_str(v, "method").n > 0, has_id = vy_json_get(v, "id") != NULL;

	if (has_method && has_id) {
		codex_ask_request(c, v, out);
	} else if (has_method) {
		on_told(c, v, out);
	} else if (has_id) {
		on_response(c, v, out);
	} else {
		bad_line(c, line, out);
	}
}

/* ---- doors ---- */

void codex_command_do(struct codex *c, const struct agent_command *cmd, struct agent_out *out)
{
	switch (cmd->kind) {
	case AC_HELLO: codex_say_hello(c, cmd, out); break;
	case AC_SAY: codex_say_message(c, cmd, out); break;
	case AC_TAKE_BACK: codex_say_take_back(c, cmd->message, out); break;
	case AC_INTERRUPT: codex_say_interrupt(c, out); break;
	case AC_ANSWER: codex_ask_answer(c, cmd, out); break;
	case AC_CHECKED: codex_ask_checked(c, cmd, out); break;
	case AC_MODE:
		if (codex_mode_is_ours(cmd->text) && c->has_thread) {
			codex_say_mode(c, cmd->text, out);
		}
		break;
	case AC_MODEL:
		if (c->has_thread && cmd->text.n) {
			codex_say_model(c, cmd->text, out);
		}
		break;
	case AC_EFFORT:
		if (c->has_thread) {
			codex_say_effort(c, cmd->text, out);
		}
		break;
	case AC_KILL_TASK: codex_say_kill(c, cmd->text, out); break;
	case AC_END: c->is_ending = true; break; /* the end of its stdin says it */
	case AC_ASIDE: codex_beside_ask(c, cmd->message, cmd->text, out); break;
	case AC_TASK_OUTPUT: codex_beside_output(c, cmd->message, cmd->text, out); break;
	case AC_FORGET: codex_beside_forget(c, cmd->message, out); break;
	case AC_THINKING:
	case AC_FILES: break; /* caps say that these are not to be had */
	}
}

/* It was skipped unread. A request in it is refused; what else it was ends with its turn. */
void codex_line_too_long(struct codex *c, int64_t bytes, struct vy_str head, struct agent_out *out)
{
	bool was_request = codex_ask_refuse_head(head, out);

	(void)c;
	codex_note(out, vy_arena_printf(out->arena,
				"The agent sent a line of %" PRId64
				" MiB, more than Vyre takes; it was %s.",
				bytes / VY_MIB, was_request ? "refused" : "left out"));
}

void codex_exited(struct codex *c, int status, int signo, struct agent_out *out)
{
	struct vy_str why = codex_note_exit(c, status, signo, out->arena);
	bool was_in_turn = c->turn != NULL;
	bool is_expected = c->is_ending || (status == 0 && signo == 0 && c->is_ready);

	codex_ask_drop(c, out);
	codex_item_gone(c, out);
	for (size_t i = 0; i < c->items.n; i++) { /* nothing goes on behind its end */
		fields_str_set(&c->items.v[i].process, vy_str_n(NULL, 0));
	}
	codex_turn_end(c, AGENT_FAILED, why, false, out);
	if (!was_in_turn && c->mark) {
		agent_out_add(out, AE_MARK)->mark = vy_arena_str(out->arena, fields_str(c->mark));
	}
	if (!was_in_turn && !is_expected) {
		agent_out_add(out, AE_BROKEN)->text = why;
	}
}
