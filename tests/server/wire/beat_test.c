/* beat_test.c -- is there still somebody at the other end of a WebSocket? Asked, and closed when nobody says
 * so; who answers, or is not read by us, stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "server/hub/view.h"
#include "shared/base/limits.h"
#include "tests/server/wire/world.h"
#include "shared/base/ban.h"

#define BEAT_MS 20
#define DEAD_MS 60

/* ---- a view in which nothing happens ---- */

static enum view_got next(void *sub, struct vy_buf *out)
{
	(void)sub;
	(void)out;
	return VIEW_EMPTY;
}

static int code(void *sub)
{
	(void)sub;
	return 4403;
}

static void closed(void *sub)
{
	(void)sub;
}

static int open_view(void *ctx, const struct wire_view *v, struct view *out, struct vy_err *e)
{
	static const struct view_ops ops = {
		.method = "quiet.event", .next = next, .code = code, .close = closed
	};

	(void)v;
	(void)e;
	*out = (struct view){ .ops = &ops, .sub = ctx, .session = "s" };
	return 0;
}

static struct world *quick(void)
{
	struct world *w = world_new(0);

	w->view = open_view;
	w->view_ctx = w;
	w->beat_ms = BEAT_MS;
	w->dead_ms = DEAD_MS;
	world_again(w);
	return w;
}

static unsigned connections(struct world *w)
{
	struct wire_counts n;

	wire_counts(w->wire, &n);
	return n.connections;
}

static const char *const targets[] = { "/v1/stream", "/v1/sessions/s/follow" };

/* The next ping; what else comes is skipped. False: the connection ended. */
static bool next_ping(struct raw *r)
{
	struct vy_str p;
	int op;

	while ((op = ws_next(r, &p)) >= 0) {
		if (op == WS_PING) {
			return true;
		}
	}
	return false;
}

static void t_silent(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(targets); i++) {
		struct world *w = quick();
		struct raw *r = raw_open(w);

		assert_true(ws_open(r, targets[i], NULL));
		assert_true(next_ping(r));
		assert_true(raw_wait_close(r));
		assert_int_equal(connections(w), 0);
		raw_close(r);
		world_free(w);
	}
}

/* Ten times as long as a silent one lives, and longer. */
static void t_answers(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(targets); i++) {
		struct world *w = quick();
		struct raw *r = raw_open(w);

		assert_true(ws_open(r, targets[i], NULL));
		for (int n = 0; n < 10 * DEAD_MS / BEAT_MS; n++) {
			assert_true(next_ping(r));
			ws_send(r, WS_PONG, "?", 1);
		}
		assert_int_equal(connections(w), 1);
		raw_close(r);
		world_free(w);
	}
}

/* A call is as good as an answer. */
static void t_speaks(void **state)
{
	static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}";
	struct world *w = quick();
	struct raw *r = raw_open(w);

	(void)state;
	assert_true(ws_open(r, "/v1/stream", NULL));
	for (int n = 0; n < 10; n++) {
		assert_true(next_ping(r));
		ws_send(r, WS_TEXT, call, sizeof(call) - 1);
	}
	assert_int_equal(connections(w), 1);
	raw_close(r);
	world_free(w);
}

/* So many calls are under way that we do not read it: its answers cannot be heard. */
static void t_unread(void **state)
{
	static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}";
	struct world *w = quick();
	struct raw *r = raw_open(w);

	(void)state;
	w->answer = ANSWER_HOLD;
	assert_true(ws_open(r, "/v1/stream", NULL));
	for (int n = 0; n < 64; n++) {
		ws_send(r, WS_TEXT, call, sizeof(call) - 1);
	}
	world_rest(w, 10 * DEAD_MS);
	assert_int_equal(w->n_held, 64);
	assert_int_equal(connections(w), 1);
	raw_close(r);
	world_free(w);
}

/* Server-sent events have no way to answer, and are not asked. */
static void t_sse(void **state)
{
	struct world *w = quick();
	struct raw *r = raw_open(w);

	(void)state;
	raw_send(r, "GET /v1/sessions/s/messages/m/stream HTTP/1.1\r\nHost: x\r\n"
		    "Accept: text/event-stream\r\n\r\n");
	assert_true(raw_wait(r, ": vyre events\n\n"));
	for (int n = 0; n < 10 * DEAD_MS / BEAT_MS; n++) {
		raw_take(r, r->in.len);
		assert_true(raw_wait(r, ":\n\n"));
	}
	assert_int_equal(connections(w), 1);
	raw_close(r);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(t_silent),
		cmocka_unit_test(t_answers),
		cmocka_unit_test(t_speaks),
		cmocka_unit_test(t_unread),
		cmocka_unit_test(t_sse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
