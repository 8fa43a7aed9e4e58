/* m_history.c -- what was said in a session, behind what its log still holds. */
#include "server/log/history.h"
#include "server/rpc/handler.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static struct vy_json *threads_history(struct rpc_call *c, struct vy_err *e)
{
	const struct history_ask ask = {
		.session = vy_str_c(session_id(c->session)),
		.before = vy_json_str(c->params, "before"),
		.limit = (size_t)vy_json_int(c->params, "limit", HISTORY_LIMIT),
	};
	VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
	struct vy_json *messages, *o;
	bool more = false;

	if (history_read(c->house->log, &ask, &text, &more, e) < 0) {
		return NULL;
	}
	messages = vy_json_parse(vy_buf_str(&text), e);
	if (!messages) {
		return NULL;
	}
	o = vy_json_new_obj();
	vy_json_take(o, "messages", messages);
	vy_json_set_bool(o, "more", more);
	return o;
}

const struct rpc_handler m_history[] = {
	{ "threads.history", threads_history },
	{ 0 },
};
