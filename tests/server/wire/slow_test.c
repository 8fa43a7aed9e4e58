/* slow_test.c -- a reader that never reads, by every kind of connection: what vyred holds for it at most, and
 * that it costs others nothing (wire 4: 1 MiB unsent).
 *
 * In each row one connection takes nothing while another of the same kind takes 16 MB. What was drawn for
 * the slow one is what its socket holds and one message, whatever there is; what is in memory is a
 * row's `most`; and what it has not taken is still there for it, in order, when it reads. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "server/hub/view.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/server/wire/world.h"
#include "shared/base/ban.h"

#define ITEMS 4000
#define SIZE  4096
#define ALL   ((size_t)ITEMS * SIZE)

enum way { STREAM, CONTROL, LINE, VIEW_EVENTS, VIEW_WS };

static const struct row {
	const char *name;
	enum way way;
	const char *protocol; /* of a WebSocket; "sse": server-sent events */
	size_t most;          /* bytes held for one that reads nothing */
} rows[] = {
	/* a message of 64 KiB, a page of the log, what libwebsockets could not send of one */
	{ "stream, a frame a message", STREAM, NULL, 512 * VY_KIB },
	{ "stream, several", STREAM, "vyre.lines", 512 * VY_KIB },
	{ "stream, events", STREAM, "sse", 512 * VY_KIB },
	{ "a view, events", VIEW_EVENTS, NULL, 512 * VY_KIB },
	{ "a view, WebSocket", VIEW_WS, NULL, 512 * VY_KIB },
	/* an item of each subscription, answers up to 1 MiB (talk.c) */
	{ "control WebSocket", CONTROL, NULL, 512 * VY_KIB },
	/* its queue, which is filled up to 1 MiB, a line, and what a buffer grows by */
	{ "line socket", LINE, NULL, 2 * VY_PEER_UNSENT_MAX },
};

/* ---- a view that counts what is drawn ---- */

struct counted {
	int given;
	bool is_dropped;
};

static enum view_got next(void *sub, struct vy_buf *out)
{
	struct counted *c = sub;
	size_t start = out->len;

	if (c->given == ITEMS) {
		return VIEW_EMPTY;
	}
	vy_buf_addf(out, "{\"n\":%d,\"x\":\"", c->given++);
	while (out->len - start < SIZE - 2) {
		vy_buf_addc(out, 'x');
	}
	vy_buf_adds(out, "\"}");
	return VIEW_ITEM;
}

static int code(void *sub)
{
	(void)sub;
	return HUB_DONE;
}

static void closed(void *sub)
{
	((struct counted *)sub)->is_dropped = true;
}

static const struct view_ops ops = {
	.method = "x.event", .next = next, .code = code, .close = closed
};

struct waking { /* `ready` comes later in the turn */
	void (*ready)(void *ctx);
	void *ctx;
};

static struct {
	struct counted slow, fast, *next; /* next: whose view is opened */
	struct waking wake[8];
	size_t n_wake;
	struct world *w;
} t;

static void wake(void *ctx)
{
	struct waking *k = ctx;

	k->ready(k->ctx);
}

static int open_counted(
	void *ctx, void (*ready)(void *ctx), void *ready_ctx, struct view *out, struct vy_err *e)
{
	struct waking *k = &t.wake[t.n_wake++ % VY_COUNT(t.wake)];

	(void)ctx;
	(void)e;
	*k = (struct waking){ ready, ready_ctx };
	out->ops = &ops;
	out->sub = t.next;
	snprintf(out->session, sizeof(out->session), "s");
	vy_loop_defer(t.w->loop, wake, k);
	return 0;
}

static int open_view(void *ctx, const struct wire_view *v, struct view *out, struct vy_err *e)
{
	return open_counted(ctx, v->ready, v->ready_ctx, out, e);
}

/* ---- connections ---- */

static bool has_call(void *ctx)
{
	return ((struct world *)ctx)->n_held > 0;
}

/* By a call, whose answer comes before it. */
static void subscribe(struct raw *r, bool is_ws)
{
	static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}";
	char name[WIRE_SUBSCRIPTION_MAX];
	struct vy_err e;

	t.w->n_held = 0;
	if (is_ws) {
		ws_send(r, WS_TEXT, text, strlen(text));
	} else {
		raw_send(r, text);
		raw_send(r, "\n");
	}
	assert_true(world_run(t.w, has_call, t.w));
	assert_int_equal(wire_subscribe(t.w->wire, t.w->held[0], open_counted, NULL, name, &e), 0);
	wire_reply(t.w->wire, t.w->held[0], 200, VY_STR_LIT("{}"));
}

static struct raw *connect_as(const struct row *row, struct counted *view)
{
	static const char follow[] = "/v1/sessions/s/follow";
	char path[160], request[512];
	bool is_sse =
		row->way == VIEW_EVENTS || (row->protocol && strcmp(row->protocol, "sse") == 0);
	struct raw *r;

	t.next = view;
	snprintf(path, sizeof(path), "%s/rpc.sock", t.w->dir);
	r = row->way == LINE ? raw_open_path(t.w, path) : raw_open(t.w);
	if (is_sse) {
		snprintf(request, sizeof(request),
			"GET %s HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n",
			row->way == STREAM ? world_target(t.w, "&from=0") : follow);
		raw_send(r, request);
		assert_true(raw_wait(r, "\r\n\r\n"));
	} else if (row->way == STREAM) {
		assert_true(ws_open(r, world_target(t.w, "&from=0"), row->protocol));
	} else if (row->way != LINE) {
		assert_true(ws_open(r, row->way == CONTROL ? "/v1/stream" : follow, NULL));
	}
	if (row->way == LINE || row->way == CONTROL) {
		subscribe(r, row->way == CONTROL);
	}
	return r;
}

/* ---- what is held ---- */

static size_t heap(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

/* Nobody else waits for it, it is given what its socket holds, and what it has not taken is kept nowhere. */
static void one(const struct row *row)
{
	struct wire_counts before, after;
	struct raw *slow, *fast;
	char path[160];
	struct vy_err e;
	size_t held;

	memset(&t, 0, sizeof(t));
	t.w = world_new(0);
	t.w->answer = ANSWER_HOLD;
	t.w->view = open_view;
	snprintf(path, sizeof(path), "%s/rpc.sock", t.w->dir);
	assert_int_equal(wire_listen_line(t.w->wire, path, &e), 0);
	if (row->way == STREAM) {
		world_push_many(t.w, ITEMS, SIZE);
	}
	held = heap();
	wire_counts(t.w->wire, &before);
	slow = connect_as(row, &t.slow);
	raw_pause(slow, true);
	world_rest(t.w, 50);
	fast = connect_as(row, &t.fast);
	if (!raw_wait_bytes(fast, ALL)) {
		fail_msg("%s: who reads has to wait for who does not", row->name);
	}
	raw_close(fast);
	world_rest(t.w, 30);
	wire_counts(t.w->wire, &after);
	if (row->way != STREAM && (size_t)t.slow.given * SIZE > 2 * VY_PEER_UNSENT_MAX) {
		fail_msg("%s: %d items were drawn", row->name, t.slow.given);
	}
	if (row->way != LINE &&
		after.bytes_sent - before.bytes_sent > ALL + ALL / 4 + VY_PEER_UNSENT_MAX) {
		fail_msg("%s: %llu bytes were sent", row->name,
			(unsigned long long)(after.bytes_sent - before.bytes_sent));
	}
	held = heap() > held ? heap() - held : 0;
	print_message("%s: %zu KiB\n", row->name, held / VY_KIB);
	if (held > row->most) {
		fail_msg("%s: %zu bytes are held, %zu may be", row->name, held, row->most);
	}
	raw_pause(slow, false);
	if (!raw_wait_bytes(slow, ALL)) {
		fail_msg("%s: it is not caught up", row->name);
	}
	raw_close(slow);
	world_free(t.w);
}

static void who_never_reads(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		one(&rows[i]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_never_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
