/* dial_test.c -- requests and WebSockets against a real wire in another process. */
#include "tui/net/dial.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/tui/net/box.h"
#include "shared/base/ban.h"

static void answered(void **state)
{
	struct box *b = box_new(true);
	struct vy_json *params = vy_json_new_obj();

	(void)state;
	vy_json_set_c(params, "text", "grüß dich");
	call(b, "echo", params, "key-1");
	assert_int_equal(b->err.code, VY_OK);
	assert_true(vy_str_is(vy_json_strval(vy_json_path(b->result, "params.text")), "grüß dich"));
	assert_true(vy_str_is(vy_json_str(b->result, "key"), "key-1"));
	assert_true(vy_str_is(vy_json_str(b->result, "surface"), "vyre-tui"));
	call(b, "echo", NULL, NULL);
	assert_true(vy_str_is(vy_json_str(b->result, "key"), ""));
	call(b, "slow", NULL, NULL);
	assert_true(vy_json_bool(b->result, "late", false));
	box_free(b);
}

static void refused(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	call(b, "refuse", NULL, NULL);
	assert_int_equal(b->err.code, VY_CONFLICT);
	assert_string_equal(b->err.text, "no, and that is final");
	call(b, "known", NULL, NULL);
	assert_int_equal(b->err.code, VY_BAD_INPUT);
	assert_string_equal(b->err.text, "text is missing"); /* the client's own words for it */
	call(b, "junk", NULL, NULL);
	assert_int_equal(b->err.code, VY_CORRUPT);
	box_free(b);
}

static void documents(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	rpc_get(b->rpc, "/v1/sessions/s/snapshot", on_done, b);
	assert_true(run(b, has_answer));
	assert_int_equal(vy_json_int(b->result, "cur", -1), 0);
	b->answers = 0;
	rpc_get(b->rpc, "/v1/sessions/t/snapshot", on_done, b);
	assert_true(run(b, has_answer));
	assert_int_equal(b->err.code, VY_NOT_FOUND);
	assert_string_equal(b->err.text, "no session t");
	box_free(b);
}

static void large(void **state)
{
	struct box *b = box_new(true);
	struct vy_json *params = vy_json_new_obj();
	size_t n = VY_SEND_TEXT_MAX;
	char *text = vy_alloc(n);

	(void)state;
	memset(text, 'x', n);
	vy_json_set_str(params, "text", vy_str_n(text, n));
	call(b, "echo", params, NULL);
	assert_int_equal(vy_json_strval(vy_json_path(b->result, "params.text")).n, n);
	params = vy_json_new_obj();
	vy_json_set_int(params, "bytes", 20 * VY_MIB);
	call(b, "big", params, NULL);
	assert_true(vy_json_strval(b->result).n >= 20 * VY_MIB);
	free(text);
	box_free(b);
}

static void nobody_there(void **state)
{
	struct box *b = box_new(false);

	(void)state;
	call(b, "echo", NULL, NULL);
	assert_int_equal(b->err.code, VY_RETRY);
	serve(b); /* and then there is */
	call(b, "echo", NULL, NULL);
	assert_int_equal(b->err.code, VY_OK);
	unserve(b);
	call(b, "echo", NULL, NULL);
	assert_int_equal(b->err.code, VY_RETRY);
	box_free(b);
}

/* Dies in the middle of a call: the caller is told, once, and may try again. */
static void it_dies(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	rpc_call(b->rpc, "never", NULL, NULL, -1, on_done, b);
	rest(b, 50);
	assert_int_equal(b->answers, 0);
	kill(b->server, SIGKILL);
	assert_true(run(b, has_answer));
	assert_int_equal(b->err.code, VY_RETRY);
	slay(b);
	box_free(b);
}

static void out_of_time(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	rpc_call(b->rpc, "never", NULL, NULL, 30, on_done, b);
	assert_true(run(b, has_answer));
	assert_int_equal(b->err.code, VY_RETRY);
	rest(b, 20);
	assert_int_equal(b->answers, 1);
	box_free(b);
}

static void cancelled(void **state)
{
	struct box *b = box_new(true);
	struct rpc_call *c;

	(void)state;
	rpc_cancel(rpc_call(b->rpc, "echo", NULL, NULL, 0, on_done, b)); /* at once */
	c = rpc_call(b->rpc, "never", NULL, NULL, 0, on_done, b);
	rest(b, 30);
	rpc_cancel(c); /* while it waits */
	rest(b, 30);
	rpc_call(b->rpc, "never", NULL, NULL, 0, on_done, b); /* by the end of all */
	rest(b, 10);
	assert_int_equal(b->answers, 0);
	box_free(b);
}

static bool has_fifty(struct box *b)
{
	return b->answers == 50;
}

static void many_at_once(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	for (int i = 0; i < 50; i++) {
		rpc_call(b->rpc, "echo", NULL, NULL, 0, on_done, b);
	}
	assert_true(run(b, has_fifty));
	assert_int_equal(b->err.code, VY_OK);
	box_free(b);
}

static void idle_is_idle(void **state)
{
	struct box *b = box_new(true);
	uint64_t turns;

	(void)state;
	call(b, "echo", NULL, NULL);
	rest(b, 30);
	turns = b->turns;
	rest(b, 200);
	assert_true(b->turns - turns < 10);
	box_free(b);
}

/* ---- WebSockets ---- */

static void on_open(void *ctx)
{
	((struct box *)ctx)->is_open = true;
}

static void on_message(void *ctx, struct vy_str text)
{
	struct box *b = ctx;

	b->messages++;
	vy_buf_addstr(&b->said, text);
	vy_buf_addc(&b->said, '\n');
}

static void on_closed(void *ctx, int code, const char *why)
{
	struct box *b = ctx;

	assert_false(b->is_closed);
	b->is_closed = true;
	b->code = code;
	snprintf(b->why, sizeof(b->why), "%s", why);
}

static const struct dial_ws_events events = { on_open, on_message, on_closed };

static bool has_closed(struct box *b)
{
	return b->is_closed;
}

static bool has_beat(struct box *b)
{
	return b->said.len && strstr(b->said.data, "beat") != NULL;
}

static bool has_last(struct box *b)
{
	return b->said.len && strstr(b->said.data, "\"last\"") != NULL;
}

static struct dial_ws *stream(struct box *b)
{
	struct dial_ws *ws;
	char path[200];

	call(b, "ticket", NULL, NULL);
	snprintf(path, sizeof(path), "%.*s&from=0", VY_STR_ARG(vy_json_str(b->result, "path")));
	b->is_closed = b->is_open = false;
	vy_buf_clear(&b->said);
	ws = dial_ws_open(b->dial, path, "vyre.lines", &events, b);
	assert_false(b->is_open || b->is_closed);
	return ws;
}

static void messages(void **state)
{
	struct box *b = box_new(true);
	struct dial_ws *ws;
	char *big = vy_alloc(VY_FRAME_MAX);

	(void)state;
	push(b, "{\"f\":1}");
	memset(big, 'y', VY_FRAME_MAX - 1);
	push(b, big);
	ws = stream(b);
	dial_ws_send(ws, VY_STR_LIT("{\"t\":\"hello\"}")); /* before it is open */
	dial_ws_send(ws, VY_STR_LIT("{\"t\":\"again\"}"));
	assert_true(run(b, has_beat));
	assert_true(b->is_open);
	assert_true(b->said.len > VY_FRAME_MAX);
	push(b, "{\"last\":1}");
	assert_true(run(b, has_last));
	dial_ws_close(ws);
	rest(b, 30);
	assert_false(b->is_closed);
	free(big);
	box_free(b);
}

static void closes(void **state)
{
	static const int codes[] = { 1000, 1012, 4403 };
	struct box *b = box_new(true);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(codes); i++) {
		struct vy_json *params = vy_json_new_obj();

		stream(b);
		assert_true(run(b, has_beat));
		vy_json_set_int(params, "code", codes[i]);
		call(b, "close", params, NULL);
		assert_true(b->is_closed || run(b, has_closed));
		assert_int_equal(b->code, codes[i]);
	}
	assert_string_equal(b->why, "access ended");
	box_free(b);
}

static void not_upgraded(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	dial_ws_open(b->dial, "/v1/streams/stream/session?ticket=x", "vyre.lines", &events, b);
	assert_true(run(b, has_closed));
	assert_int_equal(b->code, 403);
	assert_false(b->is_open);
	b->is_closed = false;
	dial_ws_open(b->dial, "/nowhere", "vyre.lines", &events, b);
	assert_true(run(b, has_closed));
	assert_int_equal(b->code, 404);
	box_free(b);
}

static void a_stream_dies(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	stream(b);
	assert_true(run(b, has_beat));
	kill(b->server, SIGKILL);
	assert_true(run(b, has_closed));
	assert_int_equal(b->code, 1006);
	slay(b);
	b->is_closed = false;
	dial_ws_open(b->dial, "/x", "vyre.lines", &events, b); /* nobody there */
	assert_false(b->is_closed);
	assert_true(run(b, has_closed));
	assert_int_equal(b->code, 1006);
	box_free(b);
}

static void closed_by_the_end_of_all(void **state)
{
	struct box *b = box_new(true);

	(void)state;
	stream(b);
	assert_true(run(b, has_beat));
	stream(b);
	box_free(b);
}

static void targets(void **state)
{
	static const char *const bad[] = { "vyred.sock", "http://", "http://127.0.0.1",
		"http://127.0.0.1:x", "http://127.0.0.1:70000", "https://127.0.0.1:1" };
	struct vy_loop *l = vy_loop_new();
	struct vy_err e;
	struct dial *d;

	(void)state;
	for (size_t i = 0; i < VY_COUNT(bad); i++) {
		assert_null(dial_new(l, bad[i], &e));
		assert_int_equal(e.code, VY_BAD_INPUT);
	}
	d = dial_new(l, "http://127.0.0.1:7780", &e);
	assert_non_null(d);
	assert_false(dial_is_local(d));
	dial_free(d);
	vy_loop_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answered),
		cmocka_unit_test(refused),
		cmocka_unit_test(documents),
		cmocka_unit_test(large),
		cmocka_unit_test(nobody_there),
		cmocka_unit_test(it_dies),
		cmocka_unit_test(out_of_time),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(idle_is_idle),
		cmocka_unit_test(messages),
		cmocka_unit_test(closes),
		cmocka_unit_test(not_upgraded),
		cmocka_unit_test(a_stream_dies),
		cmocka_unit_test(closed_by_the_end_of_all),
		cmocka_unit_test(targets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
