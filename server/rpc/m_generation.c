/* m_generation.c -- one message while it is written, one turn while it runs. */
#include "server/hub/errand.h"
#include "server/hub/generation.h"
#include "server/rpc/handler.h"
#include "shared/base/ban.h"

static int open_generation(
	void *ctx, void (*ready)(void *ctx), void *ready_ctx, struct view *out, struct vy_err *e)
{
	const struct rpc_call *c = ctx;
	struct generation_open o = { .log = c->house->log,
		.hub = c->house->hub,
		.session = session_id(c->session),
		.message = vy_json_str(c->params, "message"),
		.after = vy_json_str(c->params, "after"),
		.is_agent = c->who->kind != CALLER_PERSON,
		.ready = ready,
		.ctx = ready_ctx };

	return generation_open(&o, out, e);
}

static struct vy_json *generation_subscribe(struct rpc_call *c, struct vy_err *e)
{
	return rpc_subscribed(c, open_generation, e);
}

static int open_turn(
	void *ctx, void (*ready)(void *ctx), void *ready_ctx, struct view *out, struct vy_err *e)
{
	const struct rpc_call *c = ctx;
	struct errand_open o = { .log = c->house->log,
		.hub = c->house->hub,
		.session = session_id(c->session),
		.message = vy_json_str(c->params, "message"),
		.is_held = session_record(c->session)->held,
		.is_agent = c->who->kind != CALLER_PERSON,
		.ready = ready,
		.ctx = ready_ctx };

	return errand_open(&o, out, e);
}

static struct vy_json *turn_subscribe(struct rpc_call *c, struct vy_err *e)
{
	return rpc_subscribed(c, open_turn, e);
}

const struct rpc_handler m_generation[] = {
	{ "session.messageGeneration.subscribe", generation_subscribe },
	{ "session.messageGeneration.unsubscribe", rpc_unsubscribe },
	{ "session.turn.subscribe", turn_subscribe },
	{ "session.turn.unsubscribe", rpc_unsubscribe },
	{ 0 },
};
