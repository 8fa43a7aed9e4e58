/* call.c -- see call.h. */
#include "tui/net/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/io/loop.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* ---- the end of a call ---- */

void call_over(struct call *c)
{
	VY_CHECK(c, CALL_MAGIC);
	c->is_over = true;
	vy_timer_set(c->all->soon, 0);
}

void call_fail(struct call *c, enum vy_code code, const char *why)
{
	if (c->err.code == VY_OK) {
		vy_fail(&c->err, code, "%s", why);
	}
	call_over(c);
}

void call_forget(struct call *c)
{
	c->is_silent = true;
	call_over(c);
}

static void tell(struct call *c)
{
	if (c->is_silent) {
		return;
	}
	c->is_silent = true;
	if (c->kind == CALL_REQUEST) {
		struct dial_request *r = (struct dial_request *)c;
		struct dial_answer a = { .err = c->err };

		if (c->err.code == VY_OK) {
			a.status = r->status;
			a.body = vy_buf_str(&c->in);
		}
		r->fn(r->ctx, &a);
	} else {
		struct dial_ws *ws = (struct dial_ws *)c;

		ws->ev.closed(ws->ctx, ws->code, ws->why[0] ? ws->why : c->err.text);
	}
}

static void request_fini(struct dial_request *r)
{
	free(r->method);
	free(r->path);
	free(r->key);
	free(r->last_id);
	vy_buf_fini(&r->out);
}

static void ws_fini(struct dial_ws *ws)
{
	struct saying *s;

	while ((s = STAILQ_FIRST(&ws->sayings))) {
		STAILQ_REMOVE_HEAD(&ws->sayings, link);
		free(s);
	}
}

static void call_free(struct call *c)
{
	if (c->wsi) {
		c->all->drop(c->wsi);
	}
	TAILQ_REMOVE(&c->all->list, c, link);
	vy_timer_del(c->timer);
	vy_buf_fini(&c->in);
	if (c->kind == CALL_REQUEST) {
		request_fini((struct dial_request *)c);
	} else {
		ws_fini((struct dial_ws *)c);
	}
	VY_MAGIC_CLEAR(c);
	free(c);
}

static struct call *first_over(struct calls *a)
{
	struct call *c;

	TAILQ_FOREACH (c, &a->list, link) {
		if (c->is_over) {
			return c;
		}
	}
	return NULL;
}

/* From the start each time: what is told may begin and end others. */
static void settle(void *ctx)
{
	struct calls *a = ctx;
	struct call *c;

	while ((c = first_over(a))) {
		tell(c);
		call_free(c);
	}
}

static void on_timeout(void *ctx)
{
	call_fail(ctx, VY_RETRY, _("the server did not answer in time"));
}

/* ---- all of them ---- */

void calls_init(struct calls *a, struct vy_loop *l, void (*drop)(struct lws *wsi))
{
	a->loop = l;
	a->drop = drop;
	a->soon = vy_loop_timer(l, settle, a);
	TAILQ_INIT(&a->list);
}

void calls_fini(struct calls *a)
{
	struct call *c;

	while ((c = TAILQ_FIRST(&a->list))) {
		call_free(c);
	}
	vy_timer_del(a->soon);
}

/* ---- the beginning of one ---- */

static void call_init(struct call *c, struct calls *a, enum call_kind kind, size_t max, int64_t ms)
{
	VY_MAGIC_SET(c, CALL_MAGIC);
	c->kind = kind;
	c->all = a;
	vy_buf_init(&c->in, max);
	TAILQ_INSERT_TAIL(&a->list, c, link);
	if (ms > 0) {
		c->timer = vy_loop_timer(a->loop, on_timeout, c);
		vy_timer_set(c->timer, ms);
	}
}

struct dial_request *request_new(
	struct calls *a, const struct dial_ask *ask, dial_answer_fn *fn, void *ctx)
{
	static const char pre[CALL_PRE];
	struct dial_request *r = VY_NEW(struct dial_request);

	call_init(&r->c, a, CALL_REQUEST, VY_RPC_ANSWER_MAX, ask->timeout_ms);
	r->method = vy_strdup(ask->method);
	r->path = vy_strdup(ask->path);
	r->key = vy_strdup(ask->key);
	r->last_id = ask->last_id && ask->last_id[0] ? vy_strdup(ask->last_id) : NULL;
	if (ask->events) {
		r->events = *ask->events;
	}
	r->length = -1;
	r->fn = fn;
	r->ctx = ctx;
	vy_buf_init(&r->out, CALL_PRE + VY_RPC_BODY_MAX);
	vy_buf_add(&r->out, pre, sizeof(pre));
	r->out_at = CALL_PRE;
	if (!vy_buf_addstr(&r->out, ask->body)) {
		call_fail(&r->c, VY_FULL, _("a request may have 16 MiB"));
	}
	return r;
}

struct dial_ws *ws_new(struct calls *a, const struct dial_ws_events *ev, void *ctx)
{
	struct dial_ws *ws = VY_NEW(struct dial_ws);

	call_init(&ws->c, a, CALL_WS, VY_WS_MESSAGE_MAX, DIAL_OPEN_MS);
	ws->ev = *ev;
	ws->ctx = ctx;
	ws->code = CALL_LOST;
	STAILQ_INIT(&ws->sayings);
	return ws;
}

/* ---- what happened to it ---- */

void request_ended(struct dial_request *r)
{
	bool is_whole =
		r->is_whole || r->is_stream || (r->status && r->length <= (long long)r->c.in.len);

	if (!is_whole) {
		call_fail(&r->c, VY_RETRY, _("the server went away before its answer was whole"));
	}
	call_over(&r->c);
}

/* lws turns the codes 1012 and 1013 into 1002 on their way to us; the reason tells. */
static int real_code(int code, const char *why)
{
	if (code == 1002 && strcmp(why, "restarting") == 0) {
		return 1012;
	}
	return code == 1002 && strcmp(why, "try again later") == 0 ? 1013 : code;
}

void ws_told(struct dial_ws *ws, const unsigned char *in, size_t n)
{
	if (n < 2) {
		ws->code = 1005;
		return;
	}
	snprintf(ws->why, sizeof(ws->why), "%.*s", (int)(n - 2), (const char *)in + 2);
	ws->code = real_code(in[0] << 8 | in[1], ws->why);
}
