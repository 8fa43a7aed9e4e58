/* inline_test.c -- POST /v1/sessions/ID/messages: a call, and behind its answer a stream. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/server/wire/world.h"
#include "shared/base/ban.h"

/* A view of one item, which ends behind it. */
struct one {
	struct world *w;
	char params[256], body[512];
	bool is_given, is_refused;
	int closed;
	void (*ready)(void *ctx);
	void *ctx;
};

static enum view_got next(void *sub, struct vy_buf *out)
{
	struct one *o = sub;

	if (o->is_given) {
		return VIEW_CLOSED;
	}
	o->is_given = true;
	vy_buf_adds(out, "{\"frame\":1}");
	return VIEW_ITEM;
}

static int code(void *sub)
{
	(void)sub;
	return HUB_DONE;
}

static void closed(void *sub)
{
	((struct one *)sub)->closed++;
}

static const struct view_ops ops = { .method = "x", .next = next, .code = code, .close = closed };

static int open_view(void *ctx, const struct wire_view *v, struct view *out, struct vy_err *e)
{
	struct one *o = ctx;
	VY_AUTO_BUF text = VY_BUF_INIT(4096);

	vy_json_dump_canonical(v->params, &text);
	snprintf(o->params, sizeof(o->params), "%s %s", v->method, vy_buf_c(&text));
	if (o->is_refused) {
		return vy_fail(e, VY_GONE, "the log does not hold this any more");
	}
	out->ops = &ops;
	out->sub = o;
	return 0;
}

static void begin(struct one *o)
{
	*o = (struct one){ .w = world_new(0) };
	o->w->view = open_view;
	o->w->view_ctx = o;
	o->w->answer = ANSWER_HOLD;
}

static bool has_call(void *ctx)
{
	return ((struct world *)ctx)->n_held > 0;
}

static struct raw *post(struct one *o, const char *target, const char *headers, const char *body)
{
	struct raw *r = raw_open(o->w);
	char request[1024];

	snprintf(request, sizeof(request),
		"POST %s HTTP/1.1\r\nHost: x\r\n%sContent-Length: %zu\r\n\r\n%s", target, headers,
		strlen(body), body);
	raw_send(r, request);
	return r;
}

#define TARGET "/v1/sessions/s/messages"
#define ACCEPT "Accept: text/event-stream\r\n"

static void said(void **state)
{
	struct one o;
	struct raw *r;

	(void)state;
	begin(&o);
	r = post(&o, TARGET, ACCEPT "Idempotency-Key: k1\r\n", "{\"text\":\"hello\"}");
	assert_true(world_run(o.w, has_call, o.w));
	assert_string_equal(o.w->last_key, "k1");
	assert_string_equal(o.w->last_text,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"threads.send\",\"params\":{\"text\":"
		"\"hello\",\"session\":\"s\"}}");
	assert_int_equal(r->came, 0);
	wire_reply(o.w->wire, o.w->held[0], 200,
		VY_STR_LIT("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"message\":\"m\",\"state\":"
			   "\"sent\",\"turn\":\"s:1\"}}"));
	assert_true(
		raw_wait(r, "\r\n\r\n: vyre events\n\nevent: accepted\ndata: {\"message\":\"m\","
			    "\"state\":\"sent\",\"turn\":\"s:1\"}\n\ndata: {\"frame\":1}\n\n"));
	assert_true(raw_wait_close(r));
	assert_memory_equal(r->in.data, "HTTP/1.1 200 OK\r\n", 17);
	assert_null(strstr(vy_buf_c(&r->in), "retry"));
	assert_string_equal(
		o.params, "session.turn.subscribe {\"message\":\"m\",\"session\":\"s\"}");
	assert_int_equal(o.closed, 1);
	raw_close(r);
	world_free(o.w);
}

/* It names no other session than the path does. */
static void the_path_says_whom(void **state)
{
	struct one o;
	struct raw *r;

	(void)state;
	begin(&o);
	r = post(&o, TARGET, "", "{\"text\":\"a\",\"session\":\"other\"}");
	assert_true(world_run(o.w, has_call, o.w));
	assert_non_null(strstr(o.w->last_text, "\"session\":\"s\""));
	assert_null(strstr(o.w->last_text, "other"));
	raw_close(r);
	world_free(o.w);
}

static void what_the_call_refuses(void **state)
{
	static const struct {
		const char *kind;
		int http, status; /* of the call's answer */
	} rows[] = {
		{ "not_found", 404, 200 },
		{ "person_only", 403, 200 },
		{ "denied", 403, 200 },
		{ "bad_input", 400, 200 },
		{ "conflict", 409, 200 },
		{ "limit", 503, 200 },
		{ "internal", 500, 200 },
		{ "internal", 503, 503 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char answer[256];
		struct vy_str body;
		struct one o;
		struct raw *r;

		begin(&o);
		r = post(&o, TARGET, ACCEPT, "{\"text\":\"hello\"}");
		assert_true(world_run(o.w, has_call, o.w));
		snprintf(answer, sizeof(answer),
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\"No.\","
			"\"data\":{\"kind\":\"%s\"}}}",
			rows[i].kind);
		wire_reply(o.w->wire, o.w->held[0], rows[i].status, vy_str_c(answer));
		assert_int_equal(raw_answer(r, &body), rows[i].http);
		VY_AUTO_JSON *v = vy_json_parse(body, NULL);

		assert_string_equal(vy_json_cstr(vy_json_get(v, "error"), "message"), "No.");
		raw_close(r);
		world_free(o.w);
	}
}

static void what_is_no_request(void **state)
{
	static const struct {
		const char *name, *target, *headers, *body;
		int status;
	} rows[] = {
		{ "no JSON", TARGET, ACCEPT, "hello", 400 },
		{ "no object", TARGET, ACCEPT, "[1]", 400 },
		{ "nothing", TARGET, ACCEPT, "", 400 },
		{ "another Accept", TARGET, "Accept: application/json\r\n", "{\"text\":\"a\"}",
			406 },
		{ "no session", "/v1/sessions//messages", ACCEPT, "{\"text\":\"a\"}", 404 },
	};
	struct one o;

	(void)state;
	begin(&o);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct raw *r = post(&o, rows[i].target, rows[i].headers, rows[i].body);
		int status = raw_answer(r, NULL);

		if (status != rows[i].status) {
			fail_msg("%s: %d", rows[i].name, status);
		}
		raw_close(r);
	}
	assert_int_equal(o.w->n_calls, 0);
	struct raw *r = raw_open(o.w);

	raw_send(r, "GET " TARGET " HTTP/1.1\r\nHost: x\r\n\r\n");
	assert_int_equal(raw_answer(r, NULL), 405);
	raw_close(r);
	world_free(o.w);
}

/* It was said, and that stays so; with its key it can be asked for again. */
static void no_stream_behind_it(void **state)
{
	struct one o;
	struct raw *r;

	(void)state;
	begin(&o);
	o.is_refused = true;
	r = post(&o, TARGET, ACCEPT, "{\"text\":\"hello\"}");
	assert_true(world_run(o.w, has_call, o.w));
	wire_reply(o.w->wire, o.w->held[0], 200,
		VY_STR_LIT("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"message\":\"m\"}}"));
	assert_int_equal(raw_answer(r, NULL), 410);
	raw_close(r);
	world_free(o.w);
}

/* Who hangs up in between is no harm. */
static void nobody_waits(void **state)
{
	struct one o;
	struct raw *r;

	(void)state;
	begin(&o);
	r = post(&o, TARGET, ACCEPT, "{\"text\":\"hello\"}");
	assert_true(world_run(o.w, has_call, o.w));
	raw_close(r);
	world_rest(o.w, 30);
	wire_reply(o.w->wire, o.w->held[0], 200,
		VY_STR_LIT("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"message\":\"m\"}}"));
	assert_string_equal(o.params, "");
	world_free(o.w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(said),
		cmocka_unit_test(the_path_says_whom),
		cmocka_unit_test(what_the_call_refuses),
		cmocka_unit_test(what_is_no_request),
		cmocka_unit_test(no_stream_behind_it),
		cmocka_unit_test(nobody_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
