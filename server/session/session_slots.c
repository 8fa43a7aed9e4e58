/* session_slots.c -- subagents of a session: none begins without a slot, each gives its own back.
 *
 * A call that starts one is held in the check of the floor rules: the verdict is given when there is a slot.
 * Until then the verdict lies in the ledger, as the ticket of the one who waits (slots.h), so it
 * outlives vyred with it. */
#include "server/session/session_in.h"

#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define TICKET_MAX VY_MIB

/* At the call's row, where the person looks; empty: nothing is to be said any more. */
static void say(struct session *s, struct vy_str call, int64_t position)
{
	const char *line = "";

	if (position) {
		line = vy_arena_printf(&s->arena, "Waits for a subagent slot: number %lld in line",
			(long long)position);
	}
	turn_tool_says(s->turn, call, vy_str_c(line), &s->fx);
}

bool session_slot_door(struct session *s, const struct effect *fx, const struct agent_command *c)
{
	const struct slots_who who = {
		.kind = SLOTS_SUBAGENT,
		.project = vy_str_c(s->record->project),
		.session = session_str(s),
		.holder = fx->ask,
	};
	VY_AUTO_BUF ticket = VY_BUF_INIT(TICKET_MAX);
	VY_AUTO_JSON *o = vy_json_new_obj();

	if (!fx->ask.n) {
		return true; /* it starts none */
	}
	vy_json_set_str(o, "request", c->request);
	vy_json_set_str(o, "decision", c->decision);
	vy_json_set_str(o, "text", c->text);
	vy_json_dump(o, &ticket);
	return table_slot_take(s->table, &who, vy_buf_str(&ticket));
}

static void verdict(struct session *s, struct vy_str ticket)
{
	VY_AUTO_JSON *o = vy_json_parse(ticket, NULL);
	struct effect *e = effects_add(&s->fx, FX_COMMAND);

	e->command.kind = AC_CHECKED;
	e->command.request = vy_arena_str(&s->arena, vy_json_str(o, "request"));
	e->command.decision = vy_arena_str(&s->arena, vy_json_str(o, "decision"));
	e->command.text = vy_arena_str(&s->arena, vy_json_str(o, "text"));
}

void session_slot_news(struct session *s, const struct slots_item *it)
{
	if (it->who.kind == SLOTS_TEAMMATE) {
		if (it->what == SLOTS_TAKEN) {
			table_want(s->table, s);
		} else {
			session_waits(s, "slots", it->position,
				"As many teammates as may work are at work. This goes on by "
				"itself.");
		}
		return;
	}
	struct vy_str call = vy_arena_str(&s->arena, it->who.holder);

	say(s, call, it->what == SLOTS_QUEUED ? it->position : 0);
	if (it->what == SLOTS_TAKEN) {
		verdict(s, it->ticket);
	}
	session_run(s);
}

/* Behind what the turn made of it: a row that has just begun says what it waits for. */
void session_slot_heard(struct session *s, const struct agent_event *ev)
{
	bool is_over = ev->kind == AE_SUB_GONE || ev->kind == AE_CHECK_GONE ||
		       (ev->kind == AE_TOOL_DONE && !ev->is_background);
	int64_t position;

	if (is_over) {
		table_slot_give(s->table, SLOTS_SUBAGENT, s->record->session, ev->tool);
	} else if (ev->kind == AE_TOOL_START) {
		position = slots_position(
			table_slots(s->table), SLOTS_SUBAGENT, session_str(s), ev->tool);
		if (position) {
			say(s, ev->tool, position);
		}
	}
}
