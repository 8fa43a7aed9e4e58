/* views_test.c -- any view as server-sent events and as a WebSocket: the engine, over real sockets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/server/wire/world.h"
#include "shared/base/ban.h"

#define ITEMS 4096

/* ---- a view that a test fills by hand ---- */

struct items {
	struct world *w;
	char *v[ITEMS];
	size_t n;
	int code; /* the view is closed behind its items; 0: it goes on */
	struct sub *sub;
	char params[256];
	unsigned opened, closed;
	bool drops;
};

struct sub {
	struct items *of;
	size_t at;
	void (*ready)(void *ctx);
	void *ctx;
};

static enum view_got next(void *ctx, struct vy_buf *out)
{
	struct sub *s = ctx;

	if (s->at < s->of->n) {
		vy_buf_adds(out, s->of->v[s->at++]);
		return VIEW_ITEM;
	}
	return s->of->code ? VIEW_CLOSED : VIEW_EMPTY;
}

static int code(void *ctx)
{
	return ((struct sub *)ctx)->of->code;
}

static void deferred(void *ctx)
{
	struct items *it = ctx;

	if (it->sub) {
		it->sub->ready(it->sub->ctx);
	}
}

static void closed(void *ctx)
{
	struct sub *s = ctx;

	s->of->closed++;
	if (s->of->sub == s) {
		s->of->sub = NULL;
		vy_loop_forget(s->of->w->loop, deferred, s->of);
	}
	free(s);
}

/* Every second item has a name and a place. */
static void tag(void *ctx, struct view_tag *out)
{
	const struct sub *s = ctx;

	if (s->at % 2 == 0) {
		out->event = "even";
		snprintf(out->id, sizeof(out->id), "evt_%zu", s->at);
	}
}

static void page(void *ctx, struct vy_jw *w)
{
	vy_jw_kint(w, "next", (int64_t)((struct sub *)ctx)->at);
}

static const struct view_ops lags = {
	.method = "x", .next = next, .code = code, .close = closed, .tag = tag, .page = page
};
static const struct view_ops drops = {
	.method = "x", .next = next, .code = code, .close = closed, .drops_slow = true
};

static int open_view(void *ctx, const struct wire_view *v, struct view *out, struct vy_err *e)
{
	struct items *it = ctx;
	VY_AUTO_BUF text = VY_BUF_INIT(4096);
	struct sub *s;

	vy_json_dump_canonical(v->params, &text);
	snprintf(it->params, sizeof(it->params), "%s %s", v->method, vy_buf_c(&text));
	if (vy_str_is(vy_json_str(v->params, "session"), "none")) {
		return vy_fail(e, VY_NOT_FOUND, "there is no such session");
	}
	if (vy_str_is(vy_json_str(v->params, "session"), "hers")) {
		return vy_fail(e, VY_PERSON_ONLY, "Only a person can read this");
	}
	s = VY_NEW(struct sub);
	*s = (struct sub){ it, 0, v->ready, v->ready_ctx };
	it->sub = s;
	it->opened++;
	out->ops = it->drops ? &drops : &lags;
	out->sub = s;
	snprintf(out->session, sizeof(out->session), "%.*s",
		VY_STR_ARG(vy_json_str(v->params, "session")));
	vy_loop_defer(it->w->loop, deferred, it);
	return 0;
}

static void add(struct items *it, const char *item)
{
	it->v[it->n++] = vy_strdup(item);
	vy_loop_defer(it->w->loop, deferred, it);
}

static void add_large(struct items *it, size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++) {
		char *p = vy_alloc(size + 1);

		snprintf(p, size + 1, "{\"n\":%zu,\"x\":\"", i);
		memset(p + strlen(p), 'x', size - strlen(p));
		memcpy(p + size - 2, "\"}", 3);
		it->v[it->n++] = p;
	}
	vy_loop_defer(it->w->loop, deferred, it);
}

static struct items *items_new(int64_t beat_ms)
{
	struct items *it = VY_NEW(struct items);

	it->w = world_new(0);
	it->w->view = open_view;
	it->w->view_ctx = it;
	if (beat_ms) {
		it->w->beat_ms = beat_ms;
		world_again(it->w);
	}
	return it;
}

static void items_free(struct items *it)
{
	world_free(it->w);
	assert_int_equal(it->opened, it->closed);
	for (size_t i = 0; i < it->n; i++) {
		free(it->v[i]);
	}
	free(it);
}

#define FOLLOW "/v1/sessions/s/follow"
#define STREAM "/v1/sessions/s/messages/m/stream"

static struct raw *get(struct items *it, const char *target, const char *headers)
{
	struct raw *r = raw_open(it->w);
	char request[4096];

	snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: x\r\n%s\r\n", target, headers);
	raw_send(r, request);
	return r;
}

static void check_body(struct vy_str got, const char *want)
{
	if (!vy_str_is(got, want)) {
		fail_msg("%.*s", VY_STR_ARG(got));
	}
}

/* ---- server-sent events ---- */

static void items_as_events(void **state)
{
	struct items *it = items_new(0);
	struct raw *r;

	(void)state;
	add(it, "{\"a\":1}");
	add(it, "{\"a\":2}");
	r = get(it, FOLLOW "?from=7&attempts=1", "Accept: text/event-stream\r\n");
	assert_true(raw_wait(r, "\r\n\r\nretry: 250\n: vyre events\n\ndata: {\"a\":1}\n\n"
				"event: even\nid: evt_2\ndata: {\"a\":2}\n\n"));
	assert_memory_equal(r->in.data, "HTTP/1.1 200 OK\r\n", 17);
	assert_non_null(strstr(vy_buf_c(&r->in), "content-type: text/event-stream\r\n"));
	assert_non_null(strstr(vy_buf_c(&r->in), "x-accel-buffering: no\r\n"));
	assert_null(strstr(vy_buf_c(&r->in), "content-encoding"));
	assert_string_equal(
		it->params, "session.follow {\"attempts\":true,\"from\":7,\"session\":\"s\"}");
	assert_int_equal(it->w->last_caller.kind, CALLER_PERSON);
	raw_take(r, r->in.len);
	add(it, "{\"a\":3}");
	assert_true(raw_wait(r, "data: {\"a\":3}\n\n"));
	raw_close(r);
	items_free(it);
}

/* Who takes JSON, where there are pages, gets what there is; it is no stream, and none is left behind. */
static void items_as_a_page(void **state)
{
	struct items *it = items_new(0);
	struct raw *r;
	struct vy_str body;

	(void)state;
	add(it, "{\"a\":1}");
	add(it, "{\"a\":2}");
	r = get(it, "/v1/sessions/s/observe?after=5&view=tidy", "Accept: application/json\r\n");
	assert_int_equal(raw_answer(r, &body), 200);
	check_body(body, "{\"items\":[{\"a\":1},{\"a\":2}],\"next\":2}");
	assert_non_null(strstr(it->params, "{\"after\":5,\"session\":\"s\",\"view\":\"tidy\"}"));
	assert_int_equal(it->opened, it->closed);
	raw_close(r);
	for (size_t i = 0; i < 700; i++) {
		add(it, "{\"a\":3}");
	}
	r = get(it, "/v1/sessions/s/observe", "Accept: application/json\r\n");
	assert_int_equal(raw_answer(r, &body), 200);
	VY_AUTO_JSON *v = vy_json_parse(body, NULL);

	assert_int_equal(vy_json_len(vy_json_get(v, "items")), 500);
	assert_int_equal(vy_json_int(v, "next", 0), 500);
	raw_close(r);
	r = get(it, FOLLOW, "Accept: application/json\r\n"); /* which has none */
	assert_int_equal(raw_answer(r, &body), 406);
	raw_close(r);
	r = get(it, "/v1/sessions/hers/observe", "Accept: application/json\r\n");
	assert_int_equal(raw_answer(r, &body), 403);
	raw_close(r);
	items_free(it);
}

/* The control plane's URL is a WebSocket's, unless events are asked for by name. */
static void the_control_plane(void **state)
{
	struct items *it = items_new(0);
	struct raw *r = get(it, "/v1/stream?since=7", "Accept: text/event-stream\r\n");

	(void)state;
	assert_true(raw_wait(r, "vyre events"));
	assert_string_equal(it->params, "control.subscribe {\"since\":7}");
	raw_close(r);
	r = get(it, "/v1/stream", "Accept: */*\r\n");
	assert_int_equal(raw_answer(r, NULL), 426);
	raw_close(r);
	items_free(it);
}

static void it_ends_with_its_view(void **state)
{
	static const struct {
		int code;
		const char *says; /* before the end; NULL: nothing */
	} rows[] = {
		{ HUB_DONE, NULL },
		{ HUB_ACCESS_ENDED,
			"event: closed\ndata: {\"code\":4403,\"reason\":\"access ended\"}\n\n" },
		{ HUB_RESTARTING,
			"event: closed\ndata: {\"code\":1012,\"reason\":\"restarting\"}\n\n" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct items *it = items_new(0);
		struct raw *r;

		add(it, "{\"a\":1}");
		it->code = rows[i].code;
		r = get(it, FOLLOW, "");
		assert_true(raw_wait(r, "data: {\"a\":1}\n\n"));
		assert_true(raw_wait_close(r));
		if (!strstr(vy_buf_c(&r->in), rows[i].says ? rows[i].says : "{\"a\":1}\n\n") ||
			(!rows[i].says && strstr(vy_buf_c(&r->in), "closed"))) {
			fail_msg("%d: %s", rows[i].code, vy_buf_c(&r->in));
		}
		raw_close(r);
		items_free(it);
	}
}

static void what_is_refused(void **state)
{
	static const struct {
		const char *name, *target, *headers;
		int status;
		const char *says;
	} rows[] = {
		{ "junk in the URL", FOLLOW "?from=x", "", 400, "from: expected a cursor" },
		{ "junk in the header", FOLLOW, "Last-Event-ID: evt_1\r\n", 400,
			"Last-Event-ID: expected a cursor" },
		{ "junk beside a good one", FOLLOW "?from=1", "Last-Event-ID: -1\r\n", 400,
			"Last-Event-ID" },
		{ "no flag", FOLLOW "?attempts=maybe", "", 400, "attempts: expected 1 or 0" },
		{ "no session", "/v1/sessions/none/follow", "", 404, "there is no such session" },
		{ "not this caller's", "/v1/sessions/hers/follow", "", 403, "Only a person" },
		{ "another kind", FOLLOW, "Accept: text/html\r\n", 406, "text/event-stream" },
		{ "no such endpoint", "/v1/sessions/s/followed", "", 404, "nothing here" },
	};
	struct items *it = items_new(0);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct raw *r = get(it, rows[i].target, rows[i].headers);
		struct vy_str body;
		int status = raw_answer(r, &body);
		VY_AUTO_JSON *v = vy_json_parse(body, NULL);
		struct vy_str text = vy_json_strval(vy_json_path(v, "error.message"));

		if (status != rows[i].status || !text.n ||
			!memmem(text.p, text.n, rows[i].says, strlen(rows[i].says))) {
			fail_msg("%s: %d %.*s", rows[i].name, status, VY_STR_ARG(body));
		}
		raw_close(r);
	}
	assert_int_equal(it->opened, 0);
	items_free(it);
}

static void a_long_last_event_id(void **state)
{
	struct items *it = items_new(0);
	char headers[2048] = "Last-Event-ID: ";
	struct raw *r;

	(void)state;
	memset(headers + 15, '1', VIEW_ID_MAX + 10);
	memcpy(headers + 15 + VIEW_ID_MAX + 10, "\r\n", 3);
	r = get(it, FOLLOW, headers);
	assert_int_equal(raw_answer(r, NULL), 400);
	raw_close(r);
	items_free(it);
}

static void where_it_goes_on(void **state)
{
	static const struct {
		const char *name, *target, *headers, *params;
	} rows[] = {
		{ "by header", FOLLOW, "Last-Event-ID: 12\r\n", "{\"from\":12,\"session\":\"s\"}" },
		{ "the newer header", FOLLOW "?from=3", "Last-Event-ID: 12\r\n",
			"{\"from\":12,\"session\":\"s\"}" },
		{ "the newer URL", FOLLOW "?from=30", "Last-Event-ID: 12\r\n",
			"{\"from\":30,\"session\":\"s\"}" },
		{ "an event", STREAM "?after=evt_1", "",
			"{\"after\":\"evt_1\",\"message\":\"m\",\"session\":\"s\"}" },
	};
	struct items *it = items_new(0);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct raw *r = get(it, rows[i].target, rows[i].headers);

		assert_true(raw_wait(r, "vyre events"));
		if (!strstr(it->params, rows[i].params)) {
			fail_msg("%s: %s", rows[i].name, it->params);
		}
		raw_close(r);
	}
	items_free(it);
}

static void a_heartbeat(void **state)
{
	struct items *it = items_new(50);
	struct raw *r = get(it, FOLLOW, "");

	(void)state;
	assert_true(raw_wait(r, "vyre events\n\n:\n\n:\n\n"));
	raw_close(r);
	items_free(it);
}

/* Both get more than a socket holds and read nothing: one view lags, and all comes in the end; the
 * other one's reader is let go. Nothing of it is in our memory meanwhile. */
static void a_slow_reader(void **state)
{
	for (int drops_it = 0; drops_it < 2; drops_it++) {
		struct items *it = items_new(30);
		struct wire_counts n;
		struct raw *r;

		it->drops = drops_it;
		r = get(it, FOLLOW, "");
		assert_true(raw_wait(r, "vyre events"));
		raw_pause(r, true);
		add_large(it, 3000, 4000);
		world_rest(it->w, 400);
		wire_counts(it->w->wire, &n);
		assert_true(n.bytes_sent < VY_PEER_UNSENT_MAX);
		assert_int_equal(n.streams, drops_it ? 0 : 1);
		if (!drops_it) {
			raw_pause(r, false);
			assert_true(raw_wait_bytes(r, 3000 * 4000));
			assert_true(raw_wait(r, "{\"n\":2999,"));
		}
		raw_close(r);
		items_free(it);
	}
	(void)state;
}

static void access_ends(void **state)
{
	struct items *it = items_new(0);
	struct raw *r = get(it, FOLLOW, "");

	(void)state;
	assert_true(raw_wait(r, "vyre events"));
	it->w->denied = "other";
	access_changed(it->w->access, NULL);
	add(it, "{\"a\":1}");
	assert_true(raw_wait(r, "data: {\"a\":1}"));
	add(it, "{\"a\":2}");
	it->w->denied = "s";
	access_changed(it->w->access, "s");
	assert_true(raw_wait(r, "{\"code\":4403,\"reason\":\"access ended\"}\n\n"));
	assert_true(raw_wait_close(r));
	assert_null(strstr(vy_buf_c(&r->in), "{\"a\":2}"));
	raw_close(r);
	items_free(it);
}

static void vyred_goes(void **state)
{
	struct items *it = items_new(0);
	struct raw *r = get(it, FOLLOW, "");

	(void)state;
	assert_true(raw_wait(r, "vyre events"));
	wire_drain(it->w->wire, NULL, NULL);
	assert_true(raw_wait(r, "event: closed\ndata: {\"code\":1012,"));
	assert_true(raw_wait_close(r));
	raw_close(r);
	items_free(it);
}

/* ---- WebSocket ---- */

static void want(struct raw *r, const char *message)
{
	struct vy_str got;

	assert_int_equal(ws_next(r, &got), WS_TEXT);
	if (!vy_str_is(got, message)) {
		fail_msg("wanted %s, got %.*s", message, VY_STR_ARG(got));
	}
}

static void items_as_messages(void **state)
{
	struct items *it = items_new(0);
	struct raw *r = raw_open(it->w);

	(void)state;
	add(it, "{\"a\":1}");
	add(it, "{\"a\":2}");
	assert_true(ws_open(r, FOLLOW "?from=3", NULL));
	want(r, "{\"a\":1}");
	want(r, "{\"a\":2}");
	add(it, "{\"a\":3}");
	want(r, "{\"a\":3}");
	assert_string_equal(it->params, "session.follow {\"from\":3,\"session\":\"s\"}");
	it->code = HUB_ACCESS_ENDED;
	vy_loop_defer(it->w->loop, deferred, it);
	assert_int_equal(ws_close_code(r), 4403);
	raw_close(r);
	items_free(it);
}

static void items_as_lines(void **state)
{
	struct items *it = items_new(0);
	struct raw *r = raw_open(it->w);

	(void)state;
	add(it, "{\"a\":1}");
	add(it, "{\"a\":2}");
	assert_true(ws_open(r, FOLLOW, "vyre.lines"));
	want(r, "{\"a\":1}\n{\"a\":2}");
	raw_close(r);
	items_free(it);
}

static void a_heartbeat_as_a_message(void **state)
{
	struct items *it = items_new(50);
	struct raw *r = raw_open(it->w);

	(void)state;
	assert_true(ws_open(r, FOLLOW, NULL));
	for (int i = 0; i < 2; i++) { /* behind its ping */
		struct vy_str got;

		assert_int_equal(ws_next(r, &got), WS_PING);
		ws_send(r, WS_PONG, "?", 1);
		want(r, "{\"type\":\"heartbeat\"}");
	}
	raw_close(r);
	items_free(it);
}

static void upgrades_are_refused(void **state)
{
	static const struct {
		const char *target;
		int status;
	} rows[] = {
		{ STREAM, 404 },
		{ FOLLOW "?from=x", 400 },
		{ "/v1/sessions/none/follow", 404 },
		{ "/v1/sessions/hers/follow", 403 },
	};
	struct items *it = items_new(0);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct raw *r = get(it, rows[i].target,
			"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
			"13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");

		assert_int_equal(raw_answer(r, NULL), rows[i].status);
		raw_close(r);
	}
	assert_int_equal(it->opened, 0);
	items_free(it);
}

static void a_large_item(void **state)
{
	struct items *it = items_new(0);
	struct raw *r = raw_open(it->w);
	struct vy_str got;

	(void)state;
	add_large(it, 2, 3 * VY_MIB);
	assert_true(ws_open(r, FOLLOW, NULL));
	assert_int_equal(ws_next(r, &got), WS_TEXT);
	assert_int_equal(got.n, 3 * VY_MIB);
	assert_int_equal(ws_next(r, &got), WS_TEXT);
	assert_int_equal(got.n, 3 * VY_MIB);
	raw_close(r);
	items_free(it);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_as_events),
		cmocka_unit_test(items_as_a_page),
		cmocka_unit_test(the_control_plane),
		cmocka_unit_test(it_ends_with_its_view),
		cmocka_unit_test(what_is_refused),
		cmocka_unit_test(a_long_last_event_id),
		cmocka_unit_test(where_it_goes_on),
		cmocka_unit_test(a_heartbeat),
		cmocka_unit_test(a_slow_reader),
		cmocka_unit_test(access_ends),
		cmocka_unit_test(vyred_goes),
		cmocka_unit_test(items_as_messages),
		cmocka_unit_test(items_as_lines),
		cmocka_unit_test(a_heartbeat_as_a_message),
		cmocka_unit_test(upgrades_are_refused),
		cmocka_unit_test(a_large_item),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
