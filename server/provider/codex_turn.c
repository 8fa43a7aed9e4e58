/* codex_turn.c -- see codex_turn.h. */
#include "server/provider/codex_turn.h"

#include "server/provider/brief.h"
#include "server/provider/codex_item.h"
#include "server/provider/codex_note.h"
#include "server/provider/codex_plan.h"
#include "shared/base/ban.h"

/* ---- a person's message ---- */

static void take(struct codex *c, struct codex_said *s, struct agent_out *out)
{
	struct agent_event *ev = agent_out_add(out, AE_TAKEN);

	ev->message = vy_arena_str(out->arena, fields_str(s->uuid));
	ev->tool = vy_arena_str(out->arena, fields_str(c->last_call));
	ev->mark = vy_arena_str(out->arena, fields_str(c->mark));
	codex_said_del(c, s);
}

void codex_turn_takes(struct codex *c, const struct vy_json *item, struct agent_out *out)
{
	struct vy_str name = vy_json_str(item, "clientId");
	struct codex_said *s = name.n ? codex_said_find(c, name) : NULL;

	for (size_t i = 0; i < c->said.n && !s && !name.n; i++) {
		s = c->said.v[i].held || c->said.v[i].is_compact ? NULL : &c->said.v[i];
	}
	if (s) {
		take(c, s, out);
	}
}

/* ---- the turn ---- */

/* A summary that was ordered has no message in its turn. */
static void take_order(struct codex *c, struct agent_out *out)
{
	for (size_t i = 0; i < c->said.n; i++) {
		if (c->said.v[i].is_compact && !c->said.v[i].held) {
			take(c, &c->said.v[i], out);
			c->is_ordered = true;
			return;
		}
	}
}

static void turn_begin(struct codex *c, struct vy_str id, struct agent_out *out)
{
	bool is_ours = false;

	for (size_t i = 0; i < c->said.n; i++) {
		is_ours |= !c->said.v[i].held;
	}
	codex_plan_drop(c, out);
	fields_str_set(&c->turn, id);
	fields_str_set(&c->last_call, vy_str_n(NULL, 0));
	c->is_ordered = c->is_interrupting = false;
	c->bad_lines = 0;
	c->input_before = c->input;
	c->output_before = c->output;
	agent_out_add(out, AE_TURN_BEGIN)->text = vy_str_c(is_ours ? "" : "agent");
	take_order(c, out);
}

void codex_turn_started(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	struct vy_str id = brief_id(vy_json_str(vy_json_get(params, "turn"), "id"));

	if (id.n && !c->turn) {
		turn_begin(c, id, out);
	}
}

/* What this turn was to take and did not will be taken by none. */
static void give_back(struct codex *c, struct vy_str turn, struct agent_out *out)
{
	for (size_t i = c->said.n; i > 0; i--) {
		struct codex_said *s = &c->said.v[i - 1];

		if (turn.n && s->turn && vy_str_is(turn, s->turn)) {
			agent_out_add(out, AE_CAME_BACK)->message =
				vy_arena_str(out->arena, fields_str(s->uuid));
			codex_said_del(c, s);
		}
	}
}

static struct vy_json *own_usage(const struct codex *c)
{
	struct vy_json *u;

	if (c->input == c->input_before && c->output == c->output_before) {
		return NULL;
	}
	u = vy_json_new_obj();
	vy_json_set_int(u, "input", c->input - c->input_before);
	vy_json_set_int(u, "output", c->output - c->output_before);
	return u; /* codex tells no prices */
}

void codex_turn_end(struct codex *c, enum agent_outcome outcome, struct vy_str why, bool is_limit,
	struct agent_out *out)
{
	struct vy_str turn = vy_arena_str(out->arena, fields_str(c->turn));

	codex_item_close(c, outcome != AGENT_CANCELED, out);
	give_back(c, turn, out);
	if (!c->turn) {
		return;
	}
	fields_str_set(&c->turn, vy_str_n(NULL, 0));
	c->is_interrupting = c->wants_interrupt = false;
	fields_str_set(&c->mark, turn);
	agent_out_add(out, AE_MARK)->mark = turn;
	struct agent_event *ev = agent_out_add(out, AE_TURN_END);

	ev->outcome = outcome;
	ev->text = why;
	ev->is_limit = is_limit;
	ev->json = own_usage(c);
}

void codex_turn_completed(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	const struct vy_json *turn = vy_json_get(params, "turn");
	struct vy_str status = vy_json_str(turn, "status");
	bool is_limit = false;

	if (!c->turn || !vy_str_is(brief_id(vy_json_str(turn, "id")), c->turn)) {
		return;
	}
	if (!vy_str_is(status, "completed")) {
		codex_plan_drop(c, out);
	}
	if (vy_str_is(status, "interrupted")) {
		codex_turn_end(c, AGENT_CANCELED, vy_str_n(NULL, 0), false, out);
	} else if (vy_str_is(status, "failed")) {
		struct vy_str why =
			codex_note_why(c, vy_json_get(turn, "error"), &is_limit, out->arena);

		codex_turn_end(c, AGENT_FAILED, why, is_limit, out);
	} else {
		codex_turn_end(c, AGENT_OK, vy_str_n(NULL, 0), false, out);
	}
}

void codex_turn_refused(
	struct codex *c, struct codex_said *s, struct vy_str why, struct agent_out *out)
{
	if (c->turn) {
		agent_out_add(out, AE_NOTE)->text = why;
		agent_out_add(out, AE_CAME_BACK)->message =
			vy_arena_str(out->arena, fields_str(s->uuid));
		codex_said_del(c, s);
		return;
	}
	fields_str_set(&c->last_call, vy_str_n(NULL, 0));
	agent_out_add(out, AE_TURN_BEGIN);
	take(c, s, out);
	struct agent_event *ev = agent_out_add(out, AE_TURN_END);

	ev->outcome = AGENT_FAILED;
	ev->text = why;
}
