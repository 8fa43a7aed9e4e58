/* acp_turn.c -- see acp_turn.h. */
#include "server/provider/acp_turn.h"

#include "server/provider/acp_ask.h"
#include "server/provider/acp_call.h"
#include "server/provider/acp_say.h"
#include "server/provider/brief.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define TEXT  1
#define THINK 2

bool acp_turn_open(struct acp *c, struct agent_out *out)
{
	if (c->is_replaying || !c->was_told) {
		return false; /* an earlier conversation, told again */
	}
	if (!c->prompt) {
		if (!c->is_late_told) {
			agent_out_add(out, AE_NOTE)->text = VY_STR_LIT(
				"The agent went on after its turn had ended; that is not shown.");
		}
		c->is_late_told = true;
		return false;
	}
	if (!c->in_turn) {
		c->in_turn = true;
		agent_out_add(out, AE_TURN_BEGIN);
		agent_out_add(out, AE_TAKEN)->message =
			vy_arena_str(out->arena, fields_str(c->prompt));
	}
	return true;
}

/* ---- text ---- */

static struct vy_str block_name(const struct acp *c, struct vy_arena *a)
{
	return vy_str_c(vy_arena_printf(a, "%s.%lld", c->prompt, (long long)c->block));
}

void acp_turn_end_block(struct acp *c, struct agent_out *out)
{
	if (!c->block_kind) {
		return;
	}
	struct agent_event *ev = agent_out_add(out, AE_TEXT_DONE);

	ev->message = block_name(c, out->arena);
	ev->is_reasoning = c->block_kind == THINK;
	c->block_kind = 0;
}

static void say_text(struct acp *c, struct vy_str text, struct agent_out *out)
{
	while (text.n) {
		struct agent_event *ev = agent_out_add(out, AE_TEXT);
		size_t n = brief_piece(text);

		ev->message = block_name(c, out->arena);
		ev->text = vy_arena_str(out->arena, vy_str_n(text.p, n));
		ev->is_reasoning = c->block_kind == THINK;
		text = vy_str_from(text, n);
	}
}

void acp_turn_chunk(
	struct acp *c, const struct vy_json *update, bool is_thought, struct agent_out *out)
{
	const struct vy_json *content = vy_json_get(update, "content");
	struct vy_str type = vy_json_str(content, "type");
	struct vy_str text = vy_json_str(content, "text");
	struct vy_str of = brief_id(vy_json_str(update, "messageId"));
	int64_t kind = is_thought ? THINK : TEXT;

	if (!vy_str_is(type, "text")) {
		struct vy_str uri = vy_json_str(content, "uri");

		text = vy_str_c(vy_arena_printf(out->arena, "[%.*s%s%.*s]",
			VY_STR_ARG(brief_one_line(type, out->arena)), uri.n ? " " : "",
			VY_STR_ARG(brief_one_line(uri, out->arena))));
	}
	if (!text.n || !acp_turn_open(c, out)) {
		return;
	}
	if (c->block_kind && (c->block_kind != kind || !vy_str_eq(of, fields_str(c->block_of)))) {
		acp_turn_end_block(c, out);
	}
	if (!c->block_kind) {
		c->block++;
		c->block_kind = kind;
		fields_str_set(&c->block_of, of);
	}
	say_text(c, text, out);
}

/* ---- sums ---- */

static void tell_usage(const struct acp *c, struct agent_out *out)
{
	struct vy_json *u = vy_json_new_obj();

	vy_json_set_int(u, "used", c->used);
	vy_json_set_int(u, "max", c->window);
	vy_json_set_int(u, "input", c->input);
	vy_json_set_int(u, "output", c->output);
	if (c->knows_cost) {
		vy_json_take(u, "cost_usd", vy_json_new_real(c->cost));
	} else {
		vy_json_set_null(u, "cost_usd");
	}
	agent_out_add(out, AE_USAGE)->json = u;
}

void acp_turn_usage(struct acp *c, const struct vy_json *update, struct agent_out *out)
{
	const struct vy_json *cost = vy_json_get(update, "cost");
	int64_t used = vy_json_int(update, "used", c->used);
	int64_t window = vy_json_int(update, "size", c->window);
	bool is_usd = vy_str_is(vy_json_str(cost, "currency"), "USD");
	double usd = is_usd ? vy_json_num(cost, "amount", c->cost) : c->cost;

	if (used < 0 || window < 0 || usd < 0 ||
		(is_usd <= c->knows_cost && used == c->used && window == c->window &&
			usd <= c->cost && usd >= c->cost)) {
		return;
	}
	c->used = used;
	c->window = window;
	c->cost = usd;
	c->knows_cost |= is_usd;
	tell_usage(c, out);
}

/* `usage`, or the older place of the same; NULL when it says nothing. */
static struct vy_json *turn_usage(struct acp *c, const struct vy_json *r, struct agent_out *out)
{
	const struct vy_json *u = vy_json_get(r, "usage");
	const struct vy_json *q = vy_json_path(r, "_meta.quota.token_count");
	int64_t input, output;

	if (u) {
		input = vy_json_int(u, "inputTokens", 0) + vy_json_int(u, "cachedReadTokens", 0) +
			vy_json_int(u, "cachedWriteTokens", 0);
		output = vy_json_int(u, "outputTokens", 0);
	} else if (q) {
		input = vy_json_int(q, "input_tokens", 0);
		output = vy_json_int(q, "output_tokens", 0);
	} else {
		return NULL;
	}
	if (input < 0 || output < 0 || input > INT64_MAX / 4 || output > INT64_MAX / 4 ||
		c->input > INT64_MAX / 4 || c->output > INT64_MAX / 4) {
		return NULL;
	}
	struct vy_json *own = vy_json_new_obj();

	vy_json_set_int(own, "input", input);
	vy_json_set_int(own, "output", output);
	if (c->knows_cost) {
		vy_json_take(own, "cost_usd",
			vy_json_new_real(c->cost > c->turn_cost ? c->cost - c->turn_cost : 0));
	}
	c->input += input;
	c->output += output;
	tell_usage(c, out);
	return own;
}

/* ---- the end ---- */

void acp_turn_cancel(struct acp *c, struct vy_str why, struct agent_out *out)
{
	if (!c->prompt) {
		return;
	}
	if (why.n && !c->denied) {
		fields_str_set(&c->denied, why);
	}
	if (!c->is_interrupting) {
		c->is_interrupting = true;
		acp_say_cancel(c, out);
	}
	acp_ask_drop(c, true, out);
}

void acp_turn_over(struct acp *c, enum agent_outcome outcome, struct vy_str why,
	struct vy_json *own_usage, struct agent_out *out)
{
	acp_turn_end_block(c, out);
	acp_ask_drop(c, true, out);
	acp_call_end_all(c, out);
	struct agent_event *ev = agent_out_add(out, AE_TURN_END);

	ev->outcome = outcome;
	ev->text = why;
	ev->json = own_usage;
	c->in_turn = c->is_interrupting = false;
	c->bad_lines = 0;
	fields_str_set(&c->prompt, vy_str_n(NULL, 0));
	fields_str_set(&c->denied, vy_str_n(NULL, 0));
}

static const struct {
	const char *reason, *why;
} reasons[] = {
	{ "max_tokens", "The agent reached the limit of what it may write in one turn." },
	{ "max_turn_requests", "The agent reached its limit of steps for one turn." },
	{ "refusal", "The model refused to go on." },
};

/* The floor ended it, or the person did, whatever the agent calls it. */
static bool ended_by_us(struct acp *c, struct vy_json *own_usage, struct agent_out *out)
{
	struct vy_str denied = vy_arena_str(out->arena, fields_str(c->denied));

	if (!denied.n && !c->is_interrupting) {
		return false;
	}
	acp_turn_over(c, denied.n ? AGENT_FAILED : AGENT_CANCELED, denied, own_usage, out);
	return true;
}

void acp_turn_result(struct acp *c, const struct vy_json *result, struct agent_out *out)
{
	struct vy_str reason = vy_json_str(result, "stopReason");

	acp_turn_open(c, out);
	struct vy_json *own = turn_usage(c, result, out);

	if (ended_by_us(c, own, out)) {
		return;
	}
	for (size_t i = 0; i < VY_COUNT(reasons); i++) {
		if (vy_str_is(reason, reasons[i].reason)) {
			acp_turn_over(c, AGENT_FAILED, vy_str_c(reasons[i].why), own, out);
			return;
		}
	}
	acp_turn_over(c, vy_str_is(reason, "cancelled") ? AGENT_CANCELED : AGENT_OK,
		vy_str_n(NULL, 0), own, out);
}

/* ---- errors ---- */

#define AUTH_REQUIRED (-32000)

static struct vy_str not_logged_in(const struct acp *c, struct vy_arena *a)
{
	const char *login = acp_facts_for(c)->login;
	const char *how =
		login ? vy_arena_printf(a, "Run `%s` in a terminal once and log in there", login)
		      : "Log in with its own program in a terminal once";

	return vy_str_c(vy_arena_printf(a, "%s is not logged in. %s%s%s%s.", c->who, how,
		c->ways ? " (it offers: " : "", c->ways ? c->ways : "", c->ways ? ")" : ""));
}

struct vy_str acp_error_words(const struct acp *c, const struct vy_json *error, struct vy_arena *a)
{
	static const char *const places[] = { "data.details", "data.message", "message" };
	struct vy_str text = { NULL, 0 };

	if (vy_json_int(error, "code", 0) == AUTH_REQUIRED) {
		return not_logged_in(c, a);
	}
	for (size_t i = 0; i < VY_COUNT(places) && !text.n; i++) {
		text = vy_json_strval(vy_json_path(error, places[i]));
	}
	if (vy_str_starts(text, "Internal error: ")) {
		text = vy_str_from(text, sizeof("Internal error: ") - 1);
	}
	text = brief_sentence(text, a);
	return text.n ? text : VY_STR_LIT("The agent answered with an error and no words.");
}

void acp_turn_error(struct acp *c, const struct vy_json *error, struct agent_out *out)
{
	acp_turn_open(c, out);
	if (ended_by_us(c, NULL, out)) {
		return;
	}
	acp_turn_over(c, AGENT_FAILED, acp_error_words(c, error, out->arena), NULL, out);
	out->events[out->n - 1].is_limit = vy_str_is(
		vy_json_strval(vy_json_path(error, "data.codexErrorInfo")), "usageLimitExceeded");
}
