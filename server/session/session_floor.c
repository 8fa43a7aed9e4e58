/* session_floor.c -- the floor rules on a session's calls: before each one runs (AE_CHECK), and once
 * more on what an ask would let run, which is the last that is known of it. */
#include "server/guard/rules.h"
#include "server/session/session_in.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

static struct guard_answer judge_call(
	struct session *s, struct vy_str tool, const struct vy_json *input, struct vy_arena *a)
{
	struct guard_context gc = { 0 };

	table_guard(s->table, s->record, &gc);
	struct guard_answer ga = guard_check(tool, input, &gc, a);

	if (ga.verdict != GUARD_NOTHING) {
		vy_log(VY_LOG_WARN, "guard", "session=%s tool=%s rule=%s verdict=%s",
			s->record->session, vy_log_q(vy_arena_dup(a, tool.p, tool.n)), ga.rule,
			ga.verdict == GUARD_DENY ? "deny" : "ask");
	}
	return ga;
}

void session_floor_check(struct session *s, struct effect *fx)
{
	struct agent_command c = { .kind = AC_CHECKED, .request = fx->command.request };
	struct guard_answer ga = judge_call(s, fx->text, fx->json, &s->arena);

	if (ga.verdict != GUARD_NOTHING) {
		c.decision = vy_str_c(ga.verdict == GUARD_DENY ? "deny" : "ask");
		c.text = vy_str_c(ga.text);
	}
	if (!session_tools_allow(s, fx->text)) {
		c.decision = VY_STR_LIT("deny");
		c.text = VY_STR_LIT(
			"This session was started with other tools, and may use no more.");
	}
	bool may_go = vy_str_is(c.decision, "deny") || session_slot_door(s, fx, &c);

	if (s->runner && may_go) {
		runner_command(s->runner, &c);
	}
}

bool session_floor_refuses(struct session *s, const struct agent_event *ev)
{
	struct vy_arena a;
	bool refuses = false;

	vy_arena_init(&a);
	struct guard_answer ga =
		judge_call(s, vy_json_str(ev->call, "name"), vy_json_get(ev->call, "input"), &a);

	if (ga.verdict == GUARD_DENY && s->runner) {
		struct agent_command c = { .kind = AC_ANSWER,
			.request = ev->request,
			.decision = VY_STR_LIT("deny"),
			.text = vy_str_c(ga.text) };

		runner_command(s->runner, &c);
		refuses = true;
	}
	vy_arena_fini(&a);
	return refuses;
}
