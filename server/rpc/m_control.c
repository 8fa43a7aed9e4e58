/* m_control.c -- what a connection is subscribed to: the control plane; of a session its frames, its
 * rows, its journal with the attempts that run, its agent's lines. */
#include "server/auth/authority.h"
#include "server/hub/control.h"
#include "server/hub/follow.h"
#include "server/hub/observe.h"
#include "server/hub/ui.h"
#include "server/hub/view.h"
#include "server/rpc/handler.h"
#include "shared/base/hash.h"
#include "shared/base/ban.h"

struct opening {
	struct rpc_call *call;
	view_open_fn *open;
};

static int open_named(
	void *ctx, void (*ready)(void *ctx), void *ready_ctx, struct view *out, struct vy_err *e)
{
	struct opening *o = ctx;
	const struct session *s = o->call->session;

	if (o->open(o->call, ready, ready_ctx, out, e) != 0) {
		return -1;
	}
	snprintf(out->session, sizeof(out->session), "%s", s ? session_id(s) : "");
	return 0;
}

struct vy_json *rpc_subscribed(struct rpc_call *c, view_open_fn *open, struct vy_err *e)
{
	struct opening by = { c, open };
	char name[RPC_SUBSCRIPTION_MAX];
	struct vy_json *o;

	if (c->open) {
		return open_named(&by, c->open->ready, c->open->ctx, c->view, e) == 0
			       ? vy_json_new_obj()
			       : NULL;
	}
	if (c->house->subscribe(c->house->ctx, c->request, open_named, &by, name, e) != 0) {
		return NULL;
	}
	o = vy_json_new_obj();
	vy_json_set_c(o, "subscription", name);
	return o;
}

struct vy_json *rpc_unsubscribe(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str name = vy_json_str(c->params, "subscription");
	struct vy_json *o;

	if (!c->house->unsubscribe(c->house->ctx, c->request, name)) {
		vy_fail(e, VY_NOT_FOUND, "this connection has no such subscription");
		return NULL;
	}
	o = vy_json_new_obj();
	vy_json_set_bool(o, "ended", true);
	return o;
}

/* ---- the control plane ---- */

static int open_control(
	void *ctx, void (*ready)(void *ctx), void *ready_ctx, struct view *out, struct vy_err *e)
{
	const struct rpc_call *c = ctx;
	struct control_open o = { .who = c->who,
		.has_since = vy_json_get(c->params, "since") != NULL,
		.since = vy_json_int(c->params, "since", 0),
		.filter = vy_json_get(c->params, "filter"),
		.ready = ready,
		.ctx = ready_ctx };

	out->ops = &view_control;
	out->sub = control_subscribe(c->house->control, &o, e);
	return out->sub ? 0 : -1;
}

static struct vy_json *control_subscribe_(struct rpc_call *c, struct vy_err *e)
{
	struct vy_json *o;

	if (c->who->kind == CALLER_UNKNOWN) {
		vy_fail(e, VY_PERSON_ONLY, "Only a person can follow what happens here");
		return NULL;
	}
	o = rpc_subscribed(c, open_control, e);
	if (o) {
		vy_json_set_int(o, "head", control_head(c->house->control));
	}
	return o;
}

/* ---- a session's frames ---- */

static int open_stream(
	void *ctx, void (*ready)(void *ctx), void *ready_ctx, struct view *out, struct vy_err *e)
{
	const struct rpc_call *c = ctx;
	char viewer[16];
	struct hub_open o = { .session = session_id(c->session),
		.viewer = viewer,
		.from = vy_json_int(c->params, "from", HUB_NO_CURSOR),
		.epoch = vy_json_cstr(c->params, "epoch"),
		.is_merged = true,
		.is_agent = c->who->kind != CALLER_PERSON,
		.is_counted = c->who->kind == CALLER_PERSON,
		.ready = ready,
		.ctx = ready_ctx };

	(void)e;
	vy_random_id(9, viewer);
	out->ops = &view_stream;
	out->sub = hub_subscribe(c->house->hub, &o);
	return 0;
}

static struct vy_json *stream_subscribe(struct rpc_call *c, struct vy_err *e)
{
	return rpc_subscribed(c, open_stream, e);
}

/* ---- a session's rows ---- */

static int open_ui(
	void *ctx, void (*ready)(void *ctx), void *ready_ctx, struct view *out, struct vy_err *e)
{
	const struct rpc_call *c = ctx;
	struct ui_open o = { .session = session_id(c->session),
		.is_agent = c->who->kind != CALLER_PERSON,
		.is_counted = c->who->kind == CALLER_PERSON,
		.ready = ready,
		.ctx = ready_ctx };

	out->ops = &view_ui;
	out->sub = ui_subscribe(c->house->ui, &o, e);
	return out->sub ? 0 : -1;
}

static struct vy_json *ui_subscribe_(struct rpc_call *c, struct vy_err *e)
{
	return rpc_subscribed(c, open_ui, e);
}

/* ---- a session's journal, and its attempts ---- */

static int open_follow(
	void *ctx, void (*ready)(void *ctx), void *ready_ctx, struct view *out, struct vy_err *e)
{
	const struct rpc_call *c = ctx;
	struct follow_open o = { .session = session_id(c->session),
		.from = vy_json_int(c->params, "from", 0),
		.epoch = vy_json_cstr(c->params, "epoch"),
		.attempts = vy_json_bool(c->params, "attempts", false),
		.ready = ready,
		.ctx = ready_ctx };

	out->ops = &view_follow;
	out->sub = follow_subscribe(c->house->follow, &o, e);
	return out->sub ? 0 : -1;
}

static struct vy_json *session_follow(struct rpc_call *c, struct vy_err *e)
{
	return rpc_subscribed(c, open_follow, e);
}

/* ---- its agent's lines ---- */

static int open_observe(
	void *ctx, void (*ready)(void *ctx), void *ready_ctx, struct view *out, struct vy_err *e)
{
	const struct rpc_call *c = ctx;
	struct observe_open o = { .session = session_id(c->session),
		.after = vy_json_int(c->params, "after", 0),
		.is_tidy = vy_str_is(vy_json_str(c->params, "view"), "tidy"),
		.ready = ready,
		.ctx = ready_ctx };

	if (!authority_observes(c->who)) {
		return vy_fail(e, VY_DENIED, "this needs the right to observe agents");
	}
	out->ops = &view_observe;
	out->sub = observe_subscribe(c->house->observe, &o);
	return 0;
}

static struct vy_json *observe_subscribe_(struct rpc_call *c, struct vy_err *e)
{
	return rpc_subscribed(c, open_observe, e);
}

const struct rpc_handler m_control[] = {
	{ "control.subscribe", control_subscribe_ },
	{ "control.unsubscribe", rpc_unsubscribe },
	{ "stream.subscribe", stream_subscribe },
	{ "stream.unsubscribe", rpc_unsubscribe },
	{ "session.ui.subscribe", ui_subscribe_ },
	{ "session.ui.unsubscribe", rpc_unsubscribe },
	{ "session.follow", session_follow },
	{ "session.unfollow", rpc_unsubscribe },
	{ "session.observe.subscribe", observe_subscribe_ },
	{ "session.observe.unsubscribe", rpc_unsubscribe },
	{ 0 },
};
