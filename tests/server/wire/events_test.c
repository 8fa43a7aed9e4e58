/* events_test.c -- viewers by server-sent events: what they get, and what they may do to us. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <cmocka.h>

#include "shared/base/limits.h"
#include "tests/server/wire/world.h"
#include "shared/base/ban.h"

#define SPIN 20 /* turns of the loop in a rest that nothing disturbs */

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

static struct raw *events(struct world *w, const char *more, const char *header)
{
	struct raw *r = raw_open(w);
	char request[512];

	snprintf(request, sizeof(request),
		"GET %s HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n%s\r\n",
		world_target(w, more), header);
	raw_send(r, request);
	return r;
}

static void access_ends(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = events(w, "&from=0", "");

	(void)state;
	world_push(w, "{\"f\":1}");
	assert_true(raw_wait(r, "{\"f\":1}"));
	w->denied = "s";
	access_changed(w->access, "s");
	world_push(w, "{\"f\":2}");
	assert_true(raw_wait_close(r));
	assert_null(strstr(vy_buf_c(&r->in), "{\"f\":2}"));
	raw_close(r);
	world_free(w);
}

static void as_events(void **state)
{
	struct world *w = world_new(0);
	struct raw *r;

	(void)state;
	world_push(w, "{\"f\":1}");
	world_push(w, "{\"f\":2}");
	r = events(w, "&from=1", "");
	assert_true(raw_wait(r, "\r\n\r\n"));
	assert_memory_equal(r->in.data, "HTTP/1.1 200 OK\r\n", 17);
	assert_non_null(strstr(vy_buf_c(&r->in), "content-type: text/event-stream\r\n"));
	assert_non_null(strstr(vy_buf_c(&r->in), "x-accel-buffering: no\r\n"));
	assert_non_null(strstr(vy_buf_c(&r->in), "no-transform"));
	assert_true(raw_wait(r, "\r\n\r\nretry: 250\n: vyre session stream\n\n"
				"id: 2\ndata: {\"f\":2}\n\n:\n\ndata: {\"beat\":2}\n\n"));
	raw_take(r, r->in.len);
	world_push(w, "{\"f\":3}");
	assert_true(raw_wait(r, "id: 3\ndata: {\"f\":3}\n\n"));
	nobody_spins(w, "a quiet reader of events");
	raw_close(r);
	world_free(w);
}

static void where_events_begin(void **state)
{
	static const struct {
		const char *name, *more, *header, *gets;
	} rows[] = {
		{ "nothing said", "", "", "id: 1\n" },
		{ "by header", "", "Last-Event-ID: 2\r\n", "\n\nid: 3\n" },
		{ "zero is the start", "", "Last-Event-ID: 0\r\n", "\n\nid: 1\n" },
		{ "the URL wins", "&from=1", "Last-Event-ID: 2\r\n", "\n\nid: 2\n" },
		{ "past the end", "", "Last-Event-ID: 77\r\n", "data: {\"reset\":1}\n\n" },
		{ "an empty one is none", "", "Last-Event-ID:\r\n", "id: 1\n" },
		{ "a word", "", "Last-Event-ID: evt_1\r\n", "HTTP/1.1 400 " },
		{ "negative", "", "Last-Event-ID: -1\r\n", "HTTP/1.1 400 " },
		{ "too large a number", "", "Last-Event-ID: 9223372036854775808\r\n",
			"HTTP/1.1 400 " },
		{ "junk beside a good URL", "&from=1", "Last-Event-ID: x\r\n", "HTTP/1.1 400 " },
		{ "junk in the URL", "&from=1x", "", "HTTP/1.1 400 " },
		{ "endless", "",
			"Last-Event-ID: "
			"11111111111111111111111111111111111111111111111111111111111111111111111111"
			"111\r\n",
			"HTTP/1.1 400 " },
	};
	struct world *w = world_new(0);

	(void)state;
	world_push(w, "{\"f\":1}");
	world_push(w, "{\"f\":2}");
	world_push(w, "{\"f\":3}");
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct raw *r = events(w, rows[i].more, rows[i].header);

		if (!raw_wait(r, rows[i].gets)) {
			fail_msg("%s: got %s", rows[i].name, vy_buf_c(&r->in));
		}
		raw_close(r);
	}
	world_free(w);
}

static void events_end(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = events(w, "&from=9", ""), *other = events(w, "&from=0", "");

	(void)state;
	assert_true(raw_wait(r, "data: {\"reset\":1}\n\n"));
	assert_true(raw_wait_close(r));
	assert_true(raw_wait(other, "beat"));
	wire_drain(w->wire, NULL, NULL);
	assert_true(raw_wait_close(other));
	raw_close(r);
	raw_close(other);
	world_free(w);
}

/* TRAP: a reader that leaves is no event in lws 4.1.6, and costs a core until the next write. */
static void a_reader_leaves(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = events(w, "&from=0", ""), *half = events(w, "&from=0", "");

	(void)state;
	assert_true(raw_wait(r, "beat"));
	raw_close(r);
	assert_int_equal(connections(w), 1); /* at once, without a write */
	assert_int_equal(world_subscribers(w), 1);
	assert_true(raw_wait(half, "beat"));
	shutdown(half->fd, SHUT_WR);
	assert_int_equal(connections(w), 0);
	nobody_spins(w, "after a reader left");
	raw_close(half);
	world_free(w);
}

/* TRAP: what a reader says in between is never read, and must not keep anybody awake. */
static void a_chatty_reader(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = events(w, "&from=0", "");

	(void)state;
	assert_true(raw_wait(r, "beat"));
	raw_send(r, "and another thing");
	nobody_spins(w, "a reader that talks");
	world_push(w, "{\"f\":1}");
	assert_true(raw_wait(r, "id: 1\n"));
	nobody_spins(w, "a reader that talked");
	raw_close(r);
	world_rest(w, 20);
	world_push(
		w, "{\"f\":2}"); /* it is found out at the latest when there is something to tell */
	assert_int_equal(connections(w), 0);
	world_free(w);
}

static void a_slow_reader(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = events(w, "&from=0", "");
	struct wire_counts n;

	(void)state;
	assert_true(raw_wait(r, "beat"));
	raw_pause(r, true);
	world_push_many(w, 3000, 4096);
	world_push_many(w, 3, VY_FRAME_MAX);
	nobody_spins(w, "a reader that does not read");
	wire_counts(w->wire, &n);
	assert_true(n.bytes_sent < VY_PEER_UNSENT_MAX);
	raw_pause(r, false);
	assert_true(raw_wait(r, "id: 3003\n"));
	assert_true(raw_wait_bytes(r, 3000 * 4096 + 3 * VY_FRAME_MAX));
	raw_close(r);
	world_free(w);
}

static void other_kinds_are_refused(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);
	char request[512];

	(void)state;
	snprintf(request, sizeof(request),
		"GET %s HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n", world_target(w, ""));
	raw_send(r, request);
	assert_int_equal(raw_answer(r, NULL), 406);
	raw_close(r);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_events),
		cmocka_unit_test(access_ends),
		cmocka_unit_test(where_events_begin),
		cmocka_unit_test(events_end),
		cmocka_unit_test(a_reader_leaves),
		cmocka_unit_test(a_chatty_reader),
		cmocka_unit_test(a_slow_reader),
		cmocka_unit_test(other_kinds_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
