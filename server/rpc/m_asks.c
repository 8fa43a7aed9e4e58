/* m_asks.c -- questions of agents: who waits for a person, and the person's answer. */
#include "server/auth/authority.h"
#include "server/log/log.h"
#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "shared/base/ban.h"

static bool add_ask(void *ctx, const struct store_row *row)
{
	struct vy_json *doc = vy_json_parse(row->ask.doc, NULL);

	if (doc) {
		vy_json_add_take(ctx, doc);
	}
	return true;
}

static bool may_see(const struct rpc_call *c, const struct vy_json *ask)
{
	struct vy_err e = { 0 };
	struct session *s = table_find(c->house->table, vy_json_str(ask, "session"), &e);
	const struct record *r = s ? session_record(s) : NULL;
	struct authority_session as = { 0 };

	if (r) {
		as = (struct authority_session){ r->session, r->person, r->started_by };
	}
	return authority_judge(c->who, VY_REACH_ANYONE, false, true, r ? &as : NULL) ==
	       AUTHORITY_ALLOWED;
}

static struct vy_json *threads_asks(struct rpc_call *c, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_ASK, .ask = { .is_open = true } };
	struct vy_json *list = vy_json_new_arr();

	if (c->session) {
		like.ask.session = vy_str_c(session_id(c->session));
	} else if (c->who->kind != CALLER_PERSON) {
		vy_json_free(list);
		vy_fail(e, VY_PERSON_ONLY, "Only a person can see the questions of all sessions");
		return NULL;
	}
	if (log_each(c->house->log, &like, add_ask, list, e) != 0) {
		vy_json_free(list);
		return NULL;
	}
	for (size_t i = 0; !c->session && i < vy_json_len(list);) {
		if (may_see(c, vy_json_at(list, i))) {
			i++;
		} else {
			vy_json_del_at(list, i);
		}
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_take(o, "asks", list);
	return o;
}

static struct vy_json *threads_answer(struct rpc_call *c, struct vy_err *e)
{
	struct turn_answer a = {
		.ask = vy_json_str(c->params, "ask"),
		.decision = vy_json_str(c->params, "decision"),
		.by = c->author,
		.text = vy_json_str(c->params, "message"),
		.json = c->params,
	};

	return session_answer(c->session, &a, e);
}

const struct rpc_handler m_asks[] = {
	{ "threads.asks", threads_asks },
	{ "threads.answer", threads_answer },
	{ 0 },
};
