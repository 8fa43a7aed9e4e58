/* claude_turn.c -- see claude_turn.h. */
#include "server/provider/claude_turn.h"

#include "server/provider/brief.h"
#include "server/provider/claude_ask.h"
#include "server/provider/claude_rules.h"
#include "server/provider/claude_say.h"
#include "server/provider/claude_stream.h"
#include "server/provider/claude_tool.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

/* ---- begin ---- */

void claude_turn_begin(struct claude *c, const char *origin, struct agent_out *out)
{
	if (c->in_turn) {
		return;
	}
	c->in_turn = true;
	c->has_taken = false;
	c->bad_lines = 0;
	struct agent_event *ev = agent_out_add(out, AE_TURN_BEGIN);

	ev->text = vy_str_c(origin);
	if (ev->text.n) {
		ev->name = vy_arena_str(out->arena, fields_str(c->woke));
	}
	fields_str_set(&c->woke, vy_str_n(NULL, 0));
	fields_str_set(&c->last_call, vy_str_n(NULL, 0));
}

static void take(struct claude *c, struct claude_said *s, struct agent_out *out)
{
	struct agent_event *ev = agent_out_add(out, AE_TAKEN);
	bool is_opening = !c->has_taken && !c->last_call;

	s->state = SAID_TAKEN;
	c->has_taken = true;
	ev->message = vy_arena_str(out->arena, fields_str(s->uuid));
	ev->tool = vy_arena_str(out->arena, fields_str(c->last_call));
	ev->mark = vy_arena_str(out->arena, fields_str(c->mark));
	if (is_opening) { /* a prompt is in the chain under its own name; a steered one is not */
		fields_str_set(&c->mark, fields_str(s->uuid));
	}
}

void claude_turn_take_silently(struct claude *c, struct agent_out *out)
{
	for (size_t i = 0; !c->has_lifecycle && i < c->said.n; i++) {
		if (c->said.v[i].state != SAID_TAKEN) {
			take(c, &c->said.v[i], out);
		}
	}
}

/* ---- the life of a message ---- */

void claude_turn_came_back(struct claude *c, struct vy_str uuid, struct agent_out *out)
{
	struct claude_said *s = claude_said_find(c, uuid);

	if (s && s->state != SAID_TAKEN) {
		agent_out_add(out, AE_CAME_BACK)->message = vy_arena_str(out->arena, uuid);
		claude_said_del(c, s);
	}
}

/* Completed without ever having begun: an earlier life of the agent had it (claude.md 6). The
 * house gets a turn all the same, so that its own ends. */
static void was_taken_before(struct claude *c, struct claude_said *s, struct agent_out *out)
{
	bool is_alone = !c->in_turn;

	claude_turn_begin(c, "", out);
	take(c, s, out);
	agent_out_add(out, AE_NOTE)->text = VY_STR_LIT(
		"This message had reached the agent before it stopped. It was not run again.");
	if (is_alone) {
		claude_turn_end(c, AGENT_OK, vy_str_n(NULL, 0), NULL, out);
	}
}

void claude_turn_lifecycle(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	struct vy_str uuid = vy_json_str(line, "command_uuid");
	struct vy_str state = vy_json_str(line, "state");
	struct claude_said *s = claude_said_find(c, uuid);

	c->has_lifecycle = true;
	if (!s) {
		return;
	}
	if (vy_str_is(state, "queued") && s->state == SAID_TOLD) {
		s->state = SAID_QUEUED;
	} else if (vy_str_is(state, "started") && s->state != SAID_TAKEN) {
		claude_turn_begin(c, "", out);
		take(c, s, out);
	} else if (vy_str_is(state, "completed")) {
		if (s->state != SAID_TAKEN) {
			was_taken_before(c, s, out);
		}
		claude_said_del(c, claude_said_find(c, uuid));
	} else if (vy_str_is(state, "cancelled")) {
		claude_turn_came_back(c, uuid, out);
		s = claude_said_find(c, uuid);
		if (s) {
			claude_said_del(c, s);
		}
	}
}

/* ---- mode and model ---- */

void claude_turn_mode(struct claude *c, struct vy_str mode, struct agent_out *out)
{
	if (!mode.n || vy_str_eq(mode, fields_str(c->mode))) {
		return;
	}
	if (!claude_mode_is_ours(mode)) {
		agent_out_add(out, AE_NOTE)->text = vy_str_c(vy_arena_printf(out->arena,
			"The agent changed to the mode \"%.*s\", which Vyre does not offer; it was "
			"set "
			"back to \"%s\".",
			VY_STR_ARG(brief_one_line(mode, out->arena)), c->mode));
		claude_say_mode(c, fields_str(c->mode), out);
		return;
	}
	fields_str_set(&c->mode, mode);
	agent_out_add(out, AE_MODE)->text = vy_arena_str(out->arena, mode);
}

void claude_turn_model(struct claude *c, struct vy_str model, struct agent_out *out)
{
	model = brief_id(model);
	if (!model.n || vy_str_eq(model, fields_str(c->model))) {
		return;
	}
	fields_str_set(&c->model, model);
	agent_out_add(out, AE_MODEL)->text = vy_arena_str(out->arena, model);
}

/* ---- init ---- */

static bool has_capability(const struct vy_json *line, const char *name)
{
	const struct vy_json *list = vy_json_get(line, "capabilities");

	for (size_t i = 0; i < vy_json_len(list); i++) {
		if (vy_str_is(vy_json_strval(vy_json_at(list, i)), name)) {
			return true;
		}
	}
	return false;
}

static bool is_waiting(const struct claude *c)
{
	for (size_t i = 0; i < c->said.n; i++) {
		if (c->said.v[i].state != SAID_TAKEN) {
			return true;
		}
	}
	return false;
}

/* Nobody typed: no message began it, and none waits at an agent that does not tell of them. */
static const char *origin_of(const struct claude *c, const struct vy_json *line)
{
	if (vy_json_len(vy_json_get(line, "user_message_uuids")) ||
		(!c->has_lifecycle && is_waiting(c))) {
		return "";
	}
	return c->woke ? "task" : "agent";
}

void claude_turn_init(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	struct vy_str session = vy_json_str(line, "session_id");

	c->can_cancel_queued = has_capability(line, "interrupt_cancel_queued_v1");
	c->can_say_unanswered = has_capability(line, "ask_user_question_unanswered_v1");
	c->has_lifecycle |= has_capability(line, "msg_lifecycle_v1");
	claude_turn_begin(c, origin_of(c, line), out);
	claude_turn_take_silently(c, out);
	if (session.n && !vy_str_eq(session, fields_str(c->session))) {
		fields_str_set(&c->session, session);
		agent_out_add(out, AE_SESSION)->text = vy_arena_str(out->arena, session);
	}
	claude_turn_model(c, vy_json_str(line, "model"), out);
	claude_turn_mode(c, vy_json_str(line, "permissionMode"), out);
}

/* ---- usage ---- */

static int64_t tokens_in(const struct vy_json *u)
{
	return vy_json_int(u, "input_tokens", 0) + vy_json_int(u, "cache_read_input_tokens", 0) +
	       vy_json_int(u, "cache_creation_input_tokens", 0);
}

static void tell_usage(struct claude *c, struct agent_out *out)
{
	struct vy_json *u = vy_json_new_obj();

	vy_json_set_int(u, "used", c->used);
	if (c->window) {
		vy_json_set_int(u, "max", c->window);
	}
	vy_json_set_int(u, "input", c->input);
	vy_json_set_int(u, "output", c->output);
	if (c->cost > 0) { /* a resumed one says with its first result what it took so far */
		vy_json_take(u, "cost_usd", vy_json_new_real(c->cost));
	}
	agent_out_add(out, AE_USAGE)->json = u;
}

void claude_turn_usage(struct claude *c, const struct vy_json *usage, struct agent_out *out)
{
	int64_t used = tokens_in(usage) + vy_json_int(usage, "output_tokens", 0);

	if (used > 0 && used != c->used) {
		c->used = used;
		tell_usage(c, out);
	}
}

/* Sums of the process, which claude carries on when it resumes. */
static void sum_models(struct claude *c, const struct vy_json *models)
{
	struct vy_json *m;
	const char *name;
	int64_t input = 0, output = 0;

	VY_JSON_EACH (models, name, m) {
		input += vy_json_int(m, "inputTokens", 0) +
			 vy_json_int(m, "cacheReadInputTokens", 0) +
			 vy_json_int(m, "cacheCreationInputTokens", 0);
		output += vy_json_int(m, "outputTokens", 0);
		if (vy_str_is(fields_str(c->model), name) || !c->window) {
			c->window = vy_json_int(m, "contextWindow", c->window);
		}
	}
	if (vy_json_len(models)) {
		c->input = input;
		c->output = output;
	}
}

/* Of this turn alone; a resumed process begins with the sum of those before it. */
static double turn_cost(const struct claude *c, const struct vy_json *line, double total)
{
	const struct vy_json *models = vy_json_get(line, "model_usage_since_last_result");
	struct vy_json *m;
	const char *name;
	double sum = 0;

	VY_JSON_EACH (models, name, m) {
		sum += vy_json_num(m, "costUSD", 0);
	}
	return models ? sum : total > c->cost ? total - c->cost : 0;
}

static struct vy_json *turn_usage(struct claude *c, const struct vy_json *line)
{
	const struct vy_json *usage = vy_json_get(line, "usage");
	double cost = vy_json_num(line, "total_cost_usd", c->cost);
	struct vy_json *u = vy_json_new_obj();

	vy_json_set_int(u, "input", tokens_in(usage));
	vy_json_set_int(u, "output", vy_json_int(usage, "output_tokens", 0));
	vy_json_take(u, "cost_usd", vy_json_new_real(turn_cost(c, line, cost)));
	c->cost = cost;
	sum_models(c, vy_json_get(line, "modelUsage"));
	return u;
}

/* ---- where its history stands ---- */

/* A line of the main thread that is in the chain of its transcript. What a local command printed is
 * not, though it comes as a person's line. */
void claude_turn_mark(struct claude *c, const struct vy_json *line)
{
	struct vy_str uuid = vy_json_str(line, "uuid");

	if (uuid.n && uuid.n <= VY_ID_MAX && !vy_json_str(line, "parent_tool_use_id").n &&
		!vy_json_bool(line, "isReplay", false)) {
		fields_str_set(&c->mark, uuid);
	}
}

void claude_turn_tell_mark(struct claude *c, struct agent_out *out)
{
	if (c->mark) {
		agent_out_add(out, AE_MARK)->mark = vy_arena_str(out->arena, fields_str(c->mark));
	}
}

/* ---- end ---- */

void claude_turn_end(struct claude *c, enum agent_outcome outcome, struct vy_str why,
	struct vy_json *own_usage, struct agent_out *out)
{
	claude_stream_end(c, outcome == AGENT_CANCELED, out);
	if (outcome == AGENT_CANCELED) {
		claude_ask_drop(c, false, out);
	}
	claude_tool_end_thread(c, vy_str_n(NULL, 0), out);
	c->in_turn = c->is_interrupting = false;
	c->bad_lines = 0;
	claude_turn_tell_mark(c, out);
	struct agent_event *ev = agent_out_add(out, AE_TURN_END);

	ev->outcome = outcome;
	ev->text = why;
	ev->json = own_usage;
}

static const struct {
	const char *subtype, *why;
} subtypes[] = {
	{ "error_max_turns", "The agent reached its limit of steps for one turn." },
	{ "error_max_budget_usd", "The agent reached its budget." },
	{ "error_max_structured_output_retries", "The agent could not give its answer the form "
						 "that was asked for." },
};

/* claude's own errors, without its diagnostics. */
static struct vy_str errors_of(const struct vy_json *line, struct vy_arena *a)
{
	const struct vy_json *errors = vy_json_get(line, "errors");
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	for (size_t i = 0; i < vy_json_len(errors); i++) {
		struct vy_str e = vy_json_strval(vy_json_at(errors, i));

		if (!vy_str_starts(e, "[ede_diagnostic]") && e.n) {
			vy_buf_adds(&b, b.len ? "; " : "");
			vy_buf_addstr(&b, brief_sentence(e, a));
		}
	}
	return vy_arena_str(a, vy_buf_str(&b));
}

static struct vy_str why_of(const struct claude *c, const struct vy_json *line, struct vy_arena *a)
{
	struct vy_str text = brief_sentence(vy_json_str(line, "result"), a);
	struct vy_str errors = errors_of(line, a);

	if (vy_str_starts(text, "Not logged in")) {
		return vy_str_c(vy_arena_printf(a,
			"%s is not logged in. Run `claude` in a terminal once and log in there; or "
			"set auth=api-key below [provider.%s] in vyred.conf (usually "
			"~/.config/vyre/vyred.conf) and run `vyred secret set %s`.",
			c->who, c->who, c->who));
	}
	for (size_t i = 0; i < VY_COUNT(subtypes); i++) {
		if (vy_str_is(vy_json_str(line, "subtype"), subtypes[i].subtype)) {
			return vy_str_c(subtypes[i].why);
		}
	}
	return text.n     ? text
	       : errors.n ? errors
			  : VY_STR_LIT("The agent ended its turn with an error.");
}

/* What pays has reached its limit: 429, which claude has given up on, or what it says of a plan's. */
static bool is_limit_of(const struct vy_json *line)
{
	struct vy_str text = vy_json_str(line, "result");
	int64_t status = vy_json_int(line, "api_error_status", 0);

	return status == 429 ||
	       (status == 0 && (vy_str_starts(text, "Claude AI usage limit reached") ||
				       vy_str_starts(text, "You've hit your ")));
}

/* `--resume` of an id it does not know gives a result that belongs to no turn (claude.md 2). */
static bool is_unknown_session(struct claude *c, const struct vy_json *line, struct vy_arena *a)
{
	if (c->in_turn || !vy_str_starts(errors_of(line, a), "No conversation found")) {
		return false;
	}
	c->other_way = true;
	return true;
}

void claude_turn_result(struct claude *c, const struct vy_json *line, struct agent_out *out)
{
	bool is_cut = vy_str_starts(vy_json_str(line, "terminal_reason"), "aborted_");
	bool is_error = vy_json_bool(line, "is_error", false);

	if (is_unknown_session(c, line, out->arena)) {
		return;
	}
	claude_turn_begin(c, "", out);
	struct vy_json *usage = turn_usage(c, line);

	tell_usage(c, out);
	claude_turn_end(c,
		is_cut     ? AGENT_CANCELED
		: is_error ? AGENT_FAILED
			   : AGENT_OK,
		is_error && !is_cut ? why_of(c, line, out->arena) : vy_str_n(NULL, 0), usage, out);
	out->events[out->n - 1].is_limit = is_error && !is_cut && is_limit_of(line);
}
