/* stream_test.c -- viewers by WebSocket: what they get, and what they may do to us. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#include "server/wire/peer.h"
#include "shared/base/limits.h"
#include "tests/server/wire/world.h"
#include "shared/base/ban.h"

#define SPIN 20 /* turns of the loop in a rest that nothing disturbs */

static struct raw *viewer(struct world *w, const char *more, const char *subprotocol)
{
	struct raw *r = raw_open(w);

	assert_true(ws_open(r, world_target(w, more), subprotocol));
	return r;
}

static void expect(struct raw *r, const char *text)
{
	struct vy_str p;
	int op = ws_next(r, &p);

	if (op != WS_TEXT || !vy_str_is(p, text)) {
		fail_msg("got %d \"%.*s\", want \"%s\"", op, (int)(p.n < 200 ? p.n : 200), p.p,
			text);
	}
}

static void nobody_spins(struct world *w, const char *what)
{
	uint64_t turns;

	world_rest(w, 30);
	turns = w->turns;
	world_rest(w, 150);
	if (w->turns - turns > SPIN) {
		fail_msg("%s: %llu turns", what, (unsigned long long)(w->turns - turns));
	}
}

static unsigned connections(struct world *w)
{
	struct wire_counts n;

	world_rest(w, 30);
	wire_counts(w->wire, &n);
	return n.connections;
}

/* ---- WebSocket ---- */

static void frame_by_frame(void **state)
{
	struct world *w = world_new(0);
	struct raw *r;

	(void)state;
	world_push(w, "{\"f\":1}");
	world_push(w, "{\"f\":2}");
	world_push(w, "{\"f\":3}");
	r = viewer(w, "&from=1", NULL);
	expect(r, "{\"f\":2}");
	expect(r, "{\"f\":3}");
	expect(r, "{\"beat\":3}");
	world_push(w, "{\"f\":4}");
	expect(r, "{\"f\":4}");
	nobody_spins(w, "a quiet viewer");
	raw_close(r);
	assert_int_equal(connections(w), 0);
	assert_int_equal(world_subscribers(w), 0);
	world_free(w);
}

static void several_in_a_message(void **state)
{
	struct world *w = world_new(0);
	struct raw *r;
	struct vy_str p;
	size_t lines = 1, messages = 0;

	(void)state;
	world_push(w, "{\"f\":1}");
	world_push(w, "{\"f\":2}");
	r = viewer(w, "&from=0", "vyre.lines");
	expect(r, "{\"f\":1}\n{\"f\":2}\n{\"beat\":2}");
	world_push(w, "{\"f\":3}"); /* what is alone goes alone, at once */
	expect(r, "{\"f\":3}");
	world_push_many(w, 1000, 300);
	for (lines = 0; lines < 1000; messages++) {
		assert_int_equal(ws_next(r, &p), WS_TEXT);
		assert_true(p.n <= VY_BATCH_BYTES);
		for (size_t i = 0; i < p.n; i++) {
			lines += p.p[i] == '\n';
		}
		lines++;
	}
	assert_int_equal(lines, 1000);
	assert_in_range(messages, 5, 8); /* 300 kB in pieces of nearly 64 */
	raw_close(r);
	world_free(w);
}

/* One that is larger than a batch goes alone, and takes nothing away from the others. */
static void a_large_one(void **state)
{
	struct world *w = world_new(0);
	struct raw *r;
	struct vy_str p;

	(void)state;
	world_push(w, "{\"f\":1}");
	world_push_many(w, 1, VY_FRAME_MAX);
	world_push(w, "{\"f\":3}");
	r = viewer(w, "&from=0", "vyre.lines");
	expect(r, "{\"f\":1}");
	assert_int_equal(ws_next(r, &p), WS_TEXT);
	assert_int_equal(p.n, VY_FRAME_MAX);
	expect(r, "{\"f\":3}\n{\"beat\":3}");
	raw_close(r);
	world_free(w);
}

static void from_by_message(void **state)
{
	static const struct {
		const char *name, *say, *gets;
	} rows[] = {
		{ "from a cursor", "{\"t\":\"subscribe\",\"from\":2}", "{\"f\":3}\n{\"beat\":3}" },
		{ "from the start", "{\"t\":\"subscribe\",\"from\":0}",
			"{\"f\":1}\n{\"f\":2}\n{\"f\":3}\n{\"beat\":3}" },
		{ "holding nothing", "{\"t\":\"subscribe\"}",
			"{\"f\":1}\n{\"f\":2}\n{\"f\":3}\n{\"beat\":3}" },
		{ "something else first", "{\"t\":\"hello\",\"x\":[1]}",
			"{\"f\":1}\n{\"f\":2}\n{\"f\":3}\n{\"beat\":3}" },
		{ "saying nothing", NULL, "{\"f\":1}\n{\"f\":2}\n{\"f\":3}\n{\"beat\":3}" },
	};
	struct world *w = world_new(0);

	(void)state;
	world_push(w, "{\"f\":1}");
	world_push(w, "{\"f\":2}");
	world_push(w, "{\"f\":3}");
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct raw *r = viewer(w, "", "vyre.lines");

		if (rows[i].say) {
			ws_send(r, WS_TEXT, rows[i].say, strlen(rows[i].say));
		}
		expect(r, rows[i].gets);
		/* said once is said; and the URL's word stands */
		ws_send(r, WS_TEXT, "{\"t\":\"subscribe\",\"from\":1}", 26);
		raw_close(r);
	}
	world_free(w);
}

static void bad_messages(void **state)
{
	static char big[PEER_SAY_MAX + 1];
	static const struct {
		const char *name, *say;
		size_t n;
		int code;
	} rows[] = {
		{ "no JSON", "hello", 5, 1007 },
		{ "no object", "[1]", 3, 1007 },
		{ "no cursor", "{\"t\":\"subscribe\",\"from\":\"x\"}", 28, 1007 },
		{ "a negative one", "{\"t\":\"subscribe\",\"from\":-1}", 27, 1007 },
		{ "half a number", "{\"t\":\"subscribe\",\"from\":1.5}", 28, 1007 },
		{ "too large", big, sizeof(big), 1009 },
	};
	struct world *w = world_new(0);

	(void)state;
	memset(big, ' ', sizeof(big));
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct raw *r = viewer(w, "", NULL);
		int code;

		ws_send(r, WS_TEXT, rows[i].say, rows[i].n);
		code = ws_close_code(r);
		if (code != rows[i].code) {
			fail_msg("%s: closed with %d", rows[i].name, code);
		}
		raw_close(r);
	}
	assert_int_equal(connections(w), 0);
	world_free(w);
}

static void pings(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = viewer(w, "&from=0", NULL);
	struct vy_str p;

	(void)state;
	expect(r, "{\"beat\":0}");
	ws_send(r, WS_PING, "abc", 3);
	assert_int_equal(ws_next(r, &p), WS_PONG);
	assert_true(vy_str_is(p, "abc"));
	raw_close(r);
	world_free(w);
}

static void refused_with_a_reply(void **state)
{
	static const struct {
		const char *name, *path, *more, *subprotocol;
		int status;
	} rows[] = {
		{ "no ticket", "/v1/streams/stream/session", "", NULL, 403 },
		{ "an unknown ticket", "/v1/streams/stream/session?ticket=abcdef", "", NULL, 403 },
		{ "a bad cursor", NULL, "&from=-1", NULL, 400 },
		{ "a cursor past all numbers", NULL, "&from=9223372036854775808", NULL, 400 },
		{ "a word for a cursor", NULL, "&from=now", NULL, 400 },
		{ "an empty cursor", NULL, "&from=", NULL, 400 },
		{ "a subprotocol of others", NULL, "", "chat, superchat", 400 },
		{ "another path", "/v1/strea", "", NULL, 404 },
		{ "the way of calls", "/v1/rpc", "", NULL, 404 },
	};
	struct world *w = world_new(0);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct raw *r = raw_open(w);
		int status;

		assert_false(ws_open(r, rows[i].path ? rows[i].path : world_target(w, rows[i].more),
			rows[i].subprotocol));
		status = raw_answer(r, NULL);
		if (status != rows[i].status) {
			fail_msg("%s: got %d", rows[i].name, status);
		}
		assert_true(raw_wait_close(r));
		raw_close(r);
	}
	assert_int_equal(world_subscribers(w), 0);
	world_free(w);
}

static void a_ticket_opens_once(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w), *again = raw_open(w);
	const char *target = world_target(w, "&from=0");

	(void)state;
	assert_true(ws_open(r, target, NULL));
	assert_false(ws_open(again, target, NULL));
	assert_int_equal(raw_answer(again, NULL), 403);
	expect(r, "{\"beat\":0}");
	raw_close(again);
	raw_close(r);
	world_free(w);
}

static void close_codes(void **state)
{
	struct world *w = world_new(0);
	struct raw *a = viewer(w, "&from=99", NULL), *b = viewer(w, "&from=0", NULL),
		   *c = viewer(w, "", NULL), *e = raw_open(w);

	(void)state;
	expect(a, "{\"reset\":1}");
	assert_int_equal(ws_close_code(a), 1000);
	expect(b, "{\"beat\":0}");
	w->answer = ANSWER_HOLD;
	raw_post(e, "{}");
	world_rest(w, 30);
	assert_int_equal(w->n_held, 1);
	wire_drain(w->wire, NULL, NULL);
	assert_int_equal(access(w->path, F_OK), -1); /* nobody dials a server that goes */
	assert_int_equal(ws_close_code(b), 1012);
	assert_int_equal(ws_close_code(c), 1012); /* also while it was still being asked */
	wire_reply(w->wire, w->held[0], 200, VY_STR_LIT("{}"));
	assert_int_equal(raw_answer(e, NULL), 200); /* and a call under way is answered */
	raw_close(a);
	raw_close(b);
	raw_close(c);
	raw_close(e);
	world_free(w);
}

static bool is_drained;

static void on_drained(void *ctx)
{
	(void)ctx;
	is_drained = true;
}

static bool has_drained(void *ctx)
{
	(void)ctx;
	return is_drained;
}

static void draining_ends(void **state)
{
	struct world *w = world_new(0);
	struct raw *idle = raw_open(w), *r = viewer(w, "&from=0", NULL);

	(void)state;
	expect(r, "{\"beat\":0}");
	is_drained = false;
	wire_drain(w->wire, on_drained, w);
	assert_int_equal(ws_close_code(r), 1012);
	assert_true(raw_wait_close(idle)); /* it had asked nothing */
	ws_send(r, WS_CLOSE, "\x03\xf4", 2);
	assert_true(world_run(w, has_drained, NULL));
	raw_close(r);
	raw_close(idle);
	world_free(w);
}

static bool is_too_late;

static void on_too_late(void *ctx)
{
	(void)ctx;
	is_too_late = true;
}

static bool has_drained_or_not(void *ctx)
{
	(void)ctx;
	return is_drained || is_too_late;
}

/* Who does not read, and who does not say goodbye in turn, hold nobody up: less than they would by themselves (3 s). A
 * call is still answered. */
static void draining_does_not_wait_for_them(void **state)
{
	struct world *w = world_new(0);

	(void)state;
	w->late_ms = 50;
	world_again(w);

	struct raw *deaf = raw_open(w), *mute = viewer(w, "&from=0", NULL), *call = raw_open(w);
	char head[512];

	snprintf(head, sizeof(head),
		"GET %s HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n",
		world_target(w, "&from=0"));
	raw_send(deaf, head);
	expect(mute, "{\"beat\":0}");
	world_rest(w, 30);
	assert_true(deaf->came > 0);
	raw_pause(deaf, true);
	world_push_many(w, 2000, 4096); /* more than a socket takes */
	w->answer = ANSWER_HOLD;
	raw_post(call, "{}");
	world_rest(w, 30);
	assert_int_equal(w->n_held, 1);
	is_drained = is_too_late = false;
	wire_drain(w->wire, on_drained, w);

	struct vy_timer *rest = vy_loop_timer(w->loop, on_too_late, NULL);

	vy_timer_set(rest, 2500);
	assert_true(raw_wait_close(mute));
	assert_false(is_drained);
	wire_reply(w->wire, w->held[0], 200, VY_STR_LIT("{}"));
	assert_int_equal(raw_answer(call, NULL), 200);
	raw_close(call);
	assert_true(world_run(w, has_drained_or_not, NULL));
	assert_true(is_drained);
	vy_timer_del(rest);
	raw_close(deaf);
	raw_close(mute);
	world_free(w);
}

static void access_ends(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = viewer(w, "&from=0", NULL);

	(void)state;
	expect(r, "{\"beat\":0}");
	w->denied = "other";
	access_changed(w->access, NULL);
	world_push(w, "{\"f\":1}");
	expect(r, "{\"f\":1}");
	w->denied = "s";
	access_changed(w->access, "s");
	world_push(w, "{\"f\":2}"); /* before it leaves */
	assert_int_equal(ws_close_code(r), 4403);
	raw_close(r);
	world_free(w);
}

/* Nothing comes for it: it is told all the same. */
static void access_ends_in_silence(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = viewer(w, "&from=0", "vyre.lines");

	(void)state;
	expect(r, "{\"beat\":0}");
	w->denied = "s";
	access_changed(w->access, "s");
	assert_int_equal(ws_close_code(r), 4403);
	raw_close(r);
	world_free(w);
}

/* Who is at the other end turns out to be somebody else. */
static void placed_differently(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = viewer(w, "&from=0", NULL);

	(void)state;
	expect(r, "{\"beat\":0}");
	wire_recheck(w->wire); /* as before */
	world_push(w, "{\"f\":1}");
	expect(r, "{\"f\":1}");
	world_place_differently(w);
	wire_recheck(w->wire);
	world_push(w, "{\"f\":2}");
	assert_int_equal(ws_close_code(r), 4403);
	raw_close(r);
	world_free(w);
}

/* ---- many, slow and dead ones ---- */

static void a_slow_one_delays_nobody(void **state)
{
	struct world *w = world_new(0);
	struct raw *slow = viewer(w, "&from=0", "vyre.lines"),
		   *fast = viewer(w, "&from=0", "vyre.lines");
	struct vy_str p;
	struct wire_counts before, after;
	unsigned got = 0;

	(void)state;
	expect(slow, "{\"beat\":0}");
	expect(fast, "{\"beat\":0}");
	raw_pause(slow, true);
	wire_counts(w->wire, &before);
	world_push_many(w, 4000, 4096); /* 16 MB */
	while (got < 4000) {
		assert_int_equal(ws_next(fast, &p), WS_TEXT);
		got += (unsigned)(p.n + 1) / 4097;
	}
	nobody_spins(w, "a viewer that does not read");
	wire_counts(w->wire, &after);
	/* the slow one took no more than the socket and one message hold */
	assert_true(after.bytes_sent - before.bytes_sent < 4000u * 4097u + VY_PEER_UNSENT_MAX);
	raw_pause(slow, false);
	for (got = 0; got < 4000; got += (unsigned)(p.n + 1) / 4097) {
		char want[32];

		assert_int_equal(ws_next(slow, &p), WS_TEXT); /* and is caught up in order */
		snprintf(want, sizeof(want), "{\"n\":%u,", got);
		assert_memory_equal(p.p, want, strlen(want));
	}
	raw_close(slow);
	raw_close(fast);
	world_free(w);
}

static unsigned open_fds(void)
{
	unsigned n = 0;

	for (int fd = 0; fd < 4096; fd++) {
		n += fcntl(fd, F_GETFD) >= 0;
	}
	return n;
}

/* Opened and cut, again and again, at every moment of their lives: nothing stays behind. */
static void cut_off(void **state)
{
	struct world *w = world_new(0);
	unsigned fds = open_fds();

	(void)state;
	for (int round = 0; round < 12; round++) {
		struct raw *r[50];

		for (size_t i = 0; i < VY_COUNT(r); i++) {
			r[i] = raw_open(w);
			switch (i % 5) {
			case 0: raw_send(r[i], "GET /v1/str"); break;
			case 1: ws_open(r[i], world_target(w, ""), "vyre.lines"); break;
			case 2: ws_open(r[i], world_target(w, "&from=0"), NULL); break;
			case 3: raw_post(r[i], "{}"); break;
			default: break;
			}
		}
		world_push_many(w, 20, 3000);
		world_rest(w, round % 3);
		for (size_t i = 0; i < VY_COUNT(r); i++) {
			if (i % 2) { /* with a reset instead of a goodbye */
				struct linger now = { .l_onoff = 1, .l_linger = 0 };

				setsockopt(r[i]->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
			}
			raw_close(r[i]);
		}
	}
	assert_int_equal(connections(w), 0);
	assert_int_equal(world_subscribers(w), 0);
	assert_int_equal(open_fds(), fds);
	nobody_spins(w, "after many were cut off");
	world_free(w);
}

static void two_hundred(void **state)
{
	static struct raw *r[200];
	struct world *w = world_new(0);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(r); i++) {
		r[i] = viewer(w, "&from=0", i % 2 ? "vyre.lines" : NULL);
	}
	for (size_t i = 0; i < VY_COUNT(r); i++) {
		expect(r[i], "{\"beat\":0}");
	}
	world_push(w, "{\"f\":1}");
	for (size_t i = 0; i < VY_COUNT(r); i++) {
		expect(r[i], "{\"f\":1}");
	}
	nobody_spins(w, "two hundred quiet viewers");
	for (size_t i = 0; i < VY_COUNT(r); i++) {
		raw_close(r[i]);
	}
	assert_int_equal(connections(w), 0);
	world_free(w);
}

static void there_is_an_end_to_it(void **state)
{
	struct world *w = world_new(16);
	struct raw *r[16], *one;

	(void)state;
	for (size_t i = 0; i < 14; i++) {
		r[i] = viewer(w, "&from=0", NULL);
	}
	r[14] = raw_open(w); /* an eighth is kept for those who call */
	assert_false(ws_open(r[14], world_target(w, "&from=0"), NULL));
	assert_int_equal(raw_answer(r[14], NULL), 503);
	raw_close(r[14]);
	world_rest(w, 20);
	r[14] = raw_open(w);
	raw_post(r[14], "{}");
	assert_int_equal(raw_answer(r[14], NULL), 200);
	raw_close(r[14]);
	world_rest(w, 20);
	r[14] = raw_open(w);
	r[15] = raw_open(w);
	one = raw_open(w);
	assert_int_equal(raw_answer(one, NULL), 503); /* and the next is told */
	assert_true(raw_wait_close(one));
	raw_close(one);
	for (size_t i = 0; i < 16; i++) {
		raw_close(r[i]);
	}
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frame_by_frame),
		cmocka_unit_test(several_in_a_message),
		cmocka_unit_test(a_large_one),
		cmocka_unit_test(from_by_message),
		cmocka_unit_test(bad_messages),
		cmocka_unit_test(pings),
		cmocka_unit_test(refused_with_a_reply),
		cmocka_unit_test(a_ticket_opens_once),
		cmocka_unit_test(close_codes),
		cmocka_unit_test(draining_ends),
		cmocka_unit_test(draining_does_not_wait_for_them),
		cmocka_unit_test(access_ends),
		cmocka_unit_test(access_ends_in_silence),
		cmocka_unit_test(placed_differently),
		cmocka_unit_test(a_slow_one_delays_nobody),
		cmocka_unit_test(cut_off),
		cmocka_unit_test(two_hundred),
		cmocka_unit_test(there_is_an_end_to_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
