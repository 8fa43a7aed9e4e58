/* m_slots.c -- who may work beside whom (server/session/slots.h): seen by all, set by a person. */
#include <stdlib.h>

#include "server/auth/authority.h"
#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* Whose it is, may not be everybody's to know; that somebody has a slot is. */
static bool may_see(void *ctx, struct vy_str session)
{
	const struct rpc_call *c = ctx;
	struct vy_err e = { 0 };
	struct session *s = table_find(c->house->table, session, &e);

	if (!s) {
		return false;
	}
	const struct record *r = session_record(s);
	struct authority_session as = { r->session, r->person, r->started_by };

	return authority_judge(c->who, VY_REACH_ANYONE, false, true, &as) == AUTHORITY_ALLOWED;
}

static struct vy_json *sessions_slots(struct rpc_call *c, struct vy_err *e)
{
	if (c->who->kind == CALLER_UNKNOWN) {
		vy_fail(e, VY_PERSON_ONLY, "Only a person can see who works here");
		return NULL;
	}
	return slots_json(
		table_slots(c->house->table), vy_json_str(c->params, "project"), may_see, c);
}

static struct vy_json *sessions_slots_set(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str name = vy_json_str(c->params, "project");
	char *project = name.n ? vy_memdup0(name.p, name.n) : NULL;
	struct vy_json *o = vy_json_new_obj();
	enum slots_kind kind = SLOTS_TEAMMATE;

	(void)e;
	vy_assert(slots_parse(vy_json_str(c->params, "kind"), &kind)); /* the schema says so */
	table_slots_set(c->house->table, kind, project, vy_json_int(c->params, "limit", -1));
	const struct slots *s = table_slots(c->house->table);

	vy_json_set_c(o, "kind", slots_word(kind));
	vy_json_set_c(o, "project", project);
	vy_json_set_int(o, "limit", slots_limit(s, kind, project));
	vy_json_set_c(o, "from", slots_is_set(s, kind, project) ? "set" : "config");
	free(project);
	return o;
}

const struct rpc_handler m_slots[] = {
	{ "sessions.slots", sessions_slots },
	{ "sessions.slots.set", sessions_slots_set },
	{ 0 },
};
