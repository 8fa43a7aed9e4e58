/* m_stream.c -- stream.open. */
#include "server/auth/authority.h"
#include "server/auth/ticket.h"
#include "server/log/log.h"
#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "shared/base/hash.h"
#include "shared/base/ban.h"

static struct vy_json *stream_open(struct rpc_call *c, struct vy_err *e)
{
	const char *id = session_id(c->session);
	struct ticket_grant grant = { .caller = *c->who };
	char ticket[TICKET_LEN + 1], path[256];
	struct vy_str epoch = vy_json_str(c->params, "epoch"), as = vy_json_str(c->params, "as");
	int64_t from = vy_json_int(c->params, "from", -1);

	snprintf(grant.session, sizeof(grant.session), "%s", id);
	snprintf(grant.epoch, sizeof(grant.epoch), "%.*s", VY_STR_ARG(epoch));
	vy_random_id(9, grant.viewer);
	if (as.n && as.n < sizeof(grant.caller.surface)) {
		snprintf(
			grant.caller.surface, sizeof(grant.caller.surface), "%.*s", VY_STR_ARG(as));
	}
	if (ticket_issue(c->house->tickets, &grant, ticket, e) != 0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();
	int n = snprintf(path, sizeof(path), "/v1/streams/stream/session?ticket=%s", ticket);

	if (from >= 0) {
		snprintf(path + n, sizeof(path) - (size_t)n, "&from=%lld", (long long)from);
	}
	vy_json_set_c(o, "session", id);
	vy_json_set_c(o, "ticket", ticket);
	vy_json_set_c(o, "path", path);
	vy_json_set_int(o, "head", log_head(c->house->log, id));
	vy_json_set_int(o, "floor", log_floor(c->house->log, id));
	vy_json_set_c(o, "epoch", log_epoch(c->house->log));
	vy_json_set_c(o, "viewer", grant.viewer);
	return o;
}

const struct rpc_handler m_stream[] = {
	{ "stream.open", stream_open },
	{ 0 },
};
