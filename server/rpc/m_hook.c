/* m_hook.c -- what a claude in a terminal says by its hook (server/hook).
 *
 * Anybody may call; it means something only from below an agent program that is nobody's session, and
 * then only of that program's own conversation. In a session of ours the rules are asked already. */
#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "shared/base/ban.h"

static struct vy_json *hook_run(struct rpc_call *c, struct vy_err *e)
{
	struct rpc_program above;
	struct table_hook h = {
		.event = vy_json_str(c->params, "event"),
		.conversation = vy_json_str(c->params, "conversation"),
		.call = vy_json_str(c->params, "call"),
		.agent = vy_json_str(c->params, "agent"),
		.status = vy_json_str(c->params, "status"),
		.token = vy_json_str(c->params, "token"),
		.running = vy_json_get(c->params, "running"),
	};
	char token[VY_UUID_LEN + 1] = "";
	struct vy_json *o = vy_json_new_obj();

	(void)e;
	if (c->who->is_confined || c->who->session[0] ||
		!c->house->above(c->house->ctx, c->request, &above)) {
		return o;
	}
	h.proc = (struct elsewhere_proc){ above.pid, above.born };
	h.program = above.program;
	vy_json_take(o, "output", table_hook(c->house->table, &h, token));
	if (token[0]) {
		vy_json_set_c(o, "token", token);
	}
	return o;
}

const struct rpc_handler m_hook[] = {
	{ "hook.run", hook_run },
	{ 0 },
};
