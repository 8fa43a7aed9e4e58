/* session_budget.c -- what a session may cost: when that is spent it pauses, until a person gives more.
 *
 * Its cost is what its agent said last of the whole session, and never less than it was. An agent that
 * can keep to a budget by itself is told at its start what is left of it, so that a long turn ends in
 * the middle too; one of an older, smaller budget is let go, for it would keep to that. */
#include "server/session/session_in.h"

#include <stdio.h>

#include "shared/io/loop.h"
#include "shared/base/ban.h"

static void money(double usd, char out[32])
{
	snprintf(out, 32, usd > 0 && usd < 0.1 ? "$%.4f" : "$%.2f", usd);
}

/* Behind what its agent says in the same breath: mostly that the turn is over anyway. */
static void cut(void *ctx)
{
	struct session *s = ctx;

	turn_spent_cut(s->turn, &s->fx);
	session_run(s);
}

void session_pay(struct session *s)
{
	struct record *r = s->record;
	VY_AUTO_JSON *facts = turn_facts(s->turn);
	double cost = vy_json_num(vy_json_get(facts, "usage"), "cost_usd", 0);
	char spent[32], budget[32], why[256] = "";

	if (cost > r->spent_usd) {
		r->spent_usd = cost;
		s->is_record_new = true;
	}
	bool is_spent = r->budget_usd > 0 && r->spent_usd >= r->budget_usd;

	if (is_spent != turn_is_spent(s->turn)) {
		if (is_spent) {
			money(r->spent_usd, spent);
			money(r->budget_usd, budget);
			snprintf(why, sizeof(why),
				"This session has cost %s, and its budget is %s. With a larger "
				"one, or none, it goes on.",
				spent, budget);
		}
		turn_spent(s->turn, vy_str_c(why), &s->fx);
	}
	if (is_spent && turn_is_busy(s->turn)) {
		vy_loop_defer(s->conf->loop, cut, s);
	}
}

void session_pay_forget(struct session *s)
{
	vy_loop_forget(s->conf->loop, cut, s);
}

double session_budget_left(const struct session *s)
{
	const struct record *r = s->record;

	return r->budget_usd > r->spent_usd ? r->budget_usd - r->spent_usd : 0;
}

bool session_is_spent(const struct session *s)
{
	return turn_is_spent(s->turn);
}

void session_set_budget(struct session *s, double usd)
{
	struct record *r = s->record;

	if (usd == r->budget_usd) {
		return;
	}
	r->budget_usd = usd;
	s->is_record_new = true;
	turn_rest(s->turn, "idle", SESSION_GRACE_MS, &s->fx); /* it was told another one */
	session_pay(s);
	session_run(s);
}
