/* m_budget.c -- what a session may cost: more, less, or without a bound. */
#include "server/rpc/handler.h"
#include "shared/base/ban.h"

/* Without a budget there is none any more. */
static struct vy_json *threads_budget(struct rpc_call *c, struct vy_err *e)
{
	struct vy_json *o = vy_json_new_obj();
	const struct record *r = session_record(c->session);

	(void)e;
	session_set_budget(c->session, vy_json_num(c->params, "budget_usd", 0));
	if (r->budget_usd > 0) {
		vy_json_take(o, "budget_usd", vy_json_new_real(r->budget_usd));
	}
	vy_json_take(o, "spent_usd", vy_json_new_real(r->spent_usd));
	vy_json_set_bool(o, "paused", session_is_spent(c->session));
	return o;
}

const struct rpc_handler m_budget[] = {
	{ "threads.budget", threads_budget },
	{ 0 },
};
