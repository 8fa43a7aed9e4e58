/* m_queue.c -- what waits for an agent: see it, edit it, move it, take it back, let it go. */
#include "server/rpc/handler.h"
#include "shared/base/ban.h"

static const char rewind_hint[] = "the agent has it: rewind to before it, or send a correction";

static struct vy_json *queued_json(const struct rpc_call *c)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set(o, "queued", vy_json_get(c->params, "queued"));
	return o;
}

/* The answer of an act on one queued message; a conflict says what to do instead. */
static struct vy_json *after(struct rpc_call *c, int rc, const struct vy_err *e)
{
	if (rc != 0) {
		c->hint = e->code == VY_CONFLICT ? rewind_hint : NULL;
		return NULL;
	}
	return queued_json(c);
}

static struct vy_str queued_of(const struct rpc_call *c)
{
	return vy_json_str(c->params, "queued");
}

static struct vy_json *threads_queue(struct rpc_call *c, struct vy_err *e)
{
	(void)e;
	return session_queue(c->session);
}

static struct vy_json *threads_edit(struct rpc_call *c, struct vy_err *e)
{
	return after(
		c, session_edit(c->session, queued_of(c), vy_json_str(c->params, "text"), e), e);
}

static struct vy_json *threads_unqueue(struct rpc_call *c, struct vy_err *e)
{
	VY_AUTO_JSON *text = session_queued_text(c->session, queued_of(c));
	struct vy_json *o = after(c, session_unqueue(c->session, queued_of(c), e), e);

	if (o) {
		vy_json_set(o, "text", text);
	}
	return o;
}

static struct vy_json *threads_send_now(struct rpc_call *c, struct vy_err *e)
{
	return after(c, session_send_now(c->session, queued_of(c), e), e);
}

static struct vy_json *threads_move(struct rpc_call *c, struct vy_err *e)
{
	if (session_move(c->session, queued_of(c), vy_json_str(c->params, "before"), e) != 0) {
		return NULL;
	}
	return session_queue(c->session);
}

static struct vy_json *threads_release(struct rpc_call *c, struct vy_err *e)
{
	if (session_release(c->session, e) != 0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_bool(o, "held", false);
	return o;
}

const struct rpc_handler m_queue[] = {
	{ "threads.queue", threads_queue },
	{ "threads.edit", threads_edit },
	{ "threads.unqueue", threads_unqueue },
	{ "threads.send_now", threads_send_now },
	{ "threads.move", threads_move },
	{ "threads.release", threads_release },
	{ 0 },
};
