/* feed_test.c -- subscriptions of a connection, the same on the control WebSocket and the line socket:
 * behind their answer, the few before the many, and no faster than they are read. */
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

/* ---- a view whose items are counted out ---- */

struct fake {
	int left, given;
	bool is_over, is_closed;
	size_t size;
	void (*ready)(void *ctx);
	void *ctx;
};

static enum view_got next(void *sub, struct vy_buf *out)
{
	struct fake *f = sub;

	if (f->left == 0) {
		return f->is_over ? VIEW_CLOSED : VIEW_EMPTY;
	}
	f->left--;
	vy_buf_addf(out, "{\"n\":%d,\"x\":\"", ++f->given);
	for (size_t i = 0; i < f->size; i++) {
		vy_buf_addc(out, 'x');
	}
	vy_buf_adds(out, "\"}");
	return VIEW_ITEM;
}

static int code(void *sub)
{
	(void)sub;
	return 4403;
}

static void closed(void *sub)
{
	((struct fake *)sub)->is_closed = true;
}

static const struct view_ops few = {
	.method = "few.event", .is_urgent = true, .next = next, .code = code, .close = closed
};
static const struct view_ops many = {
	.method = "many.event", .next = next, .code = code, .close = closed
};

struct asked {
	struct fake *fake;
	const struct view_ops *ops;
};

static int open_fake(
	void *ctx, void (*ready)(void *ctx), void *ready_ctx, struct view *out, struct vy_err *e)
{
	struct asked *a = ctx;

	(void)e;
	a->fake->ready = ready;
	a->fake->ctx = ready_ctx;
	*out = (struct view){ .ops = a->ops, .sub = a->fake, .session = "s" };
	return 0;
}

/* ---- a connection ---- */

enum way { WS, LINE };

struct client {
	struct world *w;
	struct raw *r;
	enum way way;
};

static struct client begin(enum way way)
{
	struct client c = { .w = world_new(0), .way = way };
	char path[160];
	struct vy_err e;

	snprintf(path, sizeof(path), "%s/rpc.sock", c.w->dir);
	assert_int_equal(wire_listen_line(c.w->wire, path, &e), 0);
	c.w->answer = ANSWER_HOLD;
	c.r = way == LINE ? raw_open_path(c.w, path) : raw_open(c.w);
	if (way == WS) {
		assert_true(ws_open(c.r, "/v1/stream", NULL));
	}
	return c;
}

static void end(struct client *c)
{
	raw_close(c->r);
	world_free(c->w);
}

static bool has_call(void *ctx)
{
	return ((struct world *)ctx)->n_held > 0;
}

/* The next call, unanswered. */
static wire_call_id call(struct client *c)
{
	static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}";

	c->w->n_held = 0;
	if (c->way == WS) {
		ws_send(c->r, WS_TEXT, text, strlen(text));
	} else {
		raw_send(c->r, text);
		raw_send(c->r, "\n");
	}
	assert_true(world_run(c->w, has_call, c->w));
	return c->w->held[0];
}

/* What came, as text; on both ways the messages stand in it as they are. */
static void reads(struct client *c, const char *text)
{
	if (!raw_wait(c->r, text)) {
		fail_msg("\"%s\" did not come", text);
	}
}

static bool came(struct client *c, const char *text)
{
	struct vy_str in = vy_buf_str(&c->r->in);

	return in.n > 0 && memmem(in.p, in.n, text, strlen(text)) != NULL;
}

static void subscribe(
	struct client *c, wire_call_id id, struct fake *f, const struct view_ops *ops, char *name)
{
	struct asked a = { f, ops };
	struct vy_err e;

	assert_int_equal(wire_subscribe(c->w->wire, id, open_fake, &a, name, &e), 0);
}

static void answer(struct client *c, wire_call_id id, const char *body)
{
	wire_reply(c->w->wire, id, 200, vy_str_c(body));
}

/* ---- the tests ---- */

static void behind_its_answer(enum way way)
{
	struct client c = begin(way);
	struct fake f = { .left = 2 };
	char name[WIRE_SUBSCRIPTION_MAX];
	wire_call_id id = call(&c);

	subscribe(&c, id, &f, &few, name);
	assert_string_equal(name, "sub_1");
	f.ready(f.ctx);
	world_rest(c.w, 20);
	assert_false(came(&c, "few.event"));
	answer(&c, id, "{\"the\":\"answer\"}");
	reads(&c, "\"subscription\":\"sub_1\",\"n\":2");
	assert_true((char *)memmem(c.r->in.data, c.r->in.len, "answer", 6) <
		    (char *)memmem(c.r->in.data, c.r->in.len, "few.event", 9));
	f.left = 1; /* dry, and later there is more */
	f.ready(f.ctx);
	reads(&c, "\"subscription\":\"sub_1\",\"n\":3");
	id = call(&c);
	assert_false(wire_unsubscribe(c.w->wire, id, VY_STR_LIT("sub_2")));
	assert_true(wire_unsubscribe(c.w->wire, id, VY_STR_LIT("sub_1")));
	assert_true(f.is_closed);
	answer(&c, id, "{}");
	end(&c);
}

/* Slow: what is not read is not made. Then the few come before what is left of the many. */
static void the_few_first(enum way way)
{
	struct client c = begin(way);
	struct fake flood = { .left = 10000, .size = 8000 }, f = { .left = 0 };
	char name[WIRE_SUBSCRIPTION_MAX];
	wire_call_id id = call(&c);

	subscribe(&c, id, &flood, &many, name);
	subscribe(&c, id, &f, &few, name);
	answer(&c, id, "{}");
	raw_pause(c.r, true);
	flood.ready(flood.ctx);
	world_rest(c.w, 100);
	assert_in_range(flood.given, 1, 2 * VY_PEER_UNSENT_MAX / 8000 + 200);
	int before = flood.given;

	f.left = 1;
	f.ready(f.ctx);
	raw_pause(c.r, false);
	reads(&c, "few.event");
	assert_in_range(flood.given, before, before + 200);
	end(&c);
	assert_true(flood.is_closed && f.is_closed); /* with their connection */
}

static void one_that_ends(enum way way)
{
	struct client c = begin(way);
	struct fake f = { .left = 1, .is_over = true };
	char name[WIRE_SUBSCRIPTION_MAX];
	wire_call_id id = call(&c);

	subscribe(&c, id, &f, &many, name);
	answer(&c, id, "{}");
	f.ready(f.ctx);
	reads(&c, "many.event");
	reads(&c, "\"method\":\"subscription.closed\",\"params\":{\"subscription\":\"sub_1\","
		  "\"code\":4403}");
	assert_true(f.is_closed);
	end(&c);
}

/* Whatever the view still has, and whichever it is: nobody who makes one need know of it. */
static void access_ends(enum way way)
{
	struct client c = begin(way);
	struct fake f = { .left = 1 }, g = { .left = 0 };
	char name[WIRE_SUBSCRIPTION_MAX];
	wire_call_id id = call(&c);

	subscribe(&c, id, &f, &many, name);
	subscribe(&c, id, &g, &few, name);
	answer(&c, id, "{}");
	c.w->denied = "other";
	access_changed(c.w->access, NULL);
	f.ready(f.ctx);
	g.ready(g.ctx);
	reads(&c, "\"n\":1");
	f.left = 1;
	c.w->denied = "s";
	access_changed(c.w->access, "s");
	f.ready(f.ctx);
	reads(&c, "{\"subscription\":\"sub_1\",\"code\":4403}");
	reads(&c, "{\"subscription\":\"sub_2\",\"code\":4403}"); /* which was dry */
	assert_true(f.is_closed && g.is_closed);
	assert_int_equal(f.given, 1);
	end(&c);
}

static void placed_differently(enum way way)
{
	struct client c = begin(way);
	struct fake f = { .left = 1 };
	char name[WIRE_SUBSCRIPTION_MAX];
	wire_call_id id = call(&c);
	struct caller now;

	subscribe(&c, id, &f, &many, name);
	answer(&c, id, "{}");
	f.ready(f.ctx);
	reads(&c, "\"n\":1");
	id = call(&c);
	world_place_differently(c.w);
	assert_true(wire_place_again(c.w->wire, id, &now)); /* a call found it out */
	assert_int_equal(now.kind, CALLER_AGENT);
	f.left = 5;
	f.ready(f.ctx);
	reads(&c, "{\"subscription\":\"sub_1\",\"code\":4403}");
	assert_int_equal(f.given, 1);
	answer(&c, id, "{}");
	end(&c);
}

static void both(void (*test)(enum way way))
{
	test(LINE);
	test(WS);
}

static void t_behind(void **state)
{
	(void)state;
	both(behind_its_answer);
}

static void t_few(void **state)
{
	(void)state;
	both(the_few_first);
}

static void t_ends(void **state)
{
	(void)state;
	both(one_that_ends);
}

static void t_access(void **state)
{
	(void)state;
	both(access_ends);
}

static void t_placed(void **state)
{
	(void)state;
	both(placed_differently);
}

/* Calls are answered while others are under way, and none is lost when vyred drains. */
static void t_calls(void **state)
{
	struct client c = begin(WS);
	wire_call_id a = call(&c), b = call(&c);
	int code;

	(void)state;
	answer(&c, b, "{\"b\":1}");
	reads(&c, "{\"b\":1}");
	wire_drain(c.w->wire, NULL, NULL);
	world_rest(c.w, 20);
	answer(&c, a, "{\"a\":1}");
	reads(&c, "{\"a\":1}");
	code = ws_close_code(c.r);
	assert_int_equal(code, 1012);
	end(&c);
}

/* By POST there is no connection to speak on. */
static void t_not_by_post(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);
	struct fake f = { 0 };
	struct asked a = { &f, &few };
	char name[WIRE_SUBSCRIPTION_MAX];
	struct vy_err e;

	(void)state;
	w->answer = ANSWER_HOLD;
	raw_post(r, "{}");
	assert_true(world_run(w, has_call, w));
	assert_int_equal(wire_subscribe(w->wire, w->held[0], open_fake, &a, name, &e), -1);
	assert_int_equal(e.code, VY_UNSUPPORTED);
	assert_false(wire_unsubscribe(w->wire, w->held[0], VY_STR_LIT("sub_1")));
	raw_close(r);
	world_free(w);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(t_behind),
		cmocka_unit_test(t_few),
		cmocka_unit_test(t_ends),
		cmocka_unit_test(t_access),
		cmocka_unit_test(t_placed),
		cmocka_unit_test(t_calls),
		cmocka_unit_test(t_not_by_post),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
