/* dial_test.c -- requests and WebSockets against a real wire in another process. */
#include "tui/net/dial.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tui/net/rpc.h"
#include "shared/base/ban.h"

#define PATIENCE_MS 20000

struct box {
	struct vy_loop *loop;
	struct dial *dial;
	struct rpc *rpc;
	char dir[64], path[100];
	pid_t server;
	int leash;
	uint64_t turns;
	/* what came */
	unsigned answers;
	struct vy_err err;
	struct vy_json *result;
	VY_MAGIC;
	struct vy_buf said; /* messages, one a line */
	unsigned messages;
	bool is_open, is_closed;
	int code;
	char why[200];
	bool (*until)(struct box *b);
	bool is_done;
};

static void on_turn(void *ctx)
{
	struct box *b = ctx;

	b->turns++;
	if (b->until && !b->is_done && b->until(b)) {
		b->is_done = true;
		vy_loop_stop(b->loop);
	}
}

static void stop(void *ctx)
{
	vy_loop_stop(((struct box *)ctx)->loop);
}

static void rest(struct box *b, int64_t ms)
{
	struct vy_timer *t = vy_loop_timer(b->loop, stop, b);

	vy_timer_set(t, ms);
	vy_loop_run(b->loop);
	vy_timer_del(t);
}

static bool run(struct box *b, bool (*until)(struct box *b))
{
	b->is_done = false;
	b->until = until;
	rest(b, PATIENCE_MS);
	b->until = NULL;
	return b->is_done;
}

static void serve(struct box *b)
{
	int leash[2];

	assert_int_equal(pipe(leash), 0);
	b->server = fork();
	if (b->server == 0) {
		dup2(leash[0], 0);
		close(leash[1]);
		close(leash[0]);
		execl(getenv("STAND") ? getenv("STAND") : "tests/server/wire/stand", "stand",
			b->path, (char *)NULL);
		_exit(127);
	}
	close(leash[0]);
	b->leash = leash[1];
	for (int i = 0; access(b->path, F_OK) != 0 && i < 5000; i++) {
		usleep(1000);
	}
}

static void unserve(struct box *b)
{
	int status = -1;

	close(b->leash);
	waitpid(b->server, &status, 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	b->server = 0;
}

static struct box *box_new(bool is_served)
{
	struct box *b = VY_NEW(struct box);
	struct vy_err e;

	snprintf(b->dir, sizeof(b->dir), "/tmp/vyre-dial-XXXXXX");
	assert_non_null(mkdtemp(b->dir));
	snprintf(b->path, sizeof(b->path), "%s/sock", b->dir);
	vy_buf_init(&b->said, 64 * VY_MIB);
	if (is_served) {
		serve(b);
	}
	b->loop = vy_loop_new();
	vy_loop_at_end(b->loop, on_turn, b);
	b->dial = dial_new(b->loop, b->path, &e);
	if (!b->dial) {
		fail_msg("%s", e.text);
	}
	b->rpc = rpc_new(b->dial);
	return b;
}

static void box_free(struct box *b)
{
	rpc_free(b->rpc);
	dial_free(b->dial);
	vy_loop_free(b->loop);
	if (b->server) {
		unserve(b);
	}
	vy_json_free(b->result);
	vy_buf_fini(&b->said);
	assert_int_equal(rmdir(b->dir), 0);
	free(b);
}

/* ---- calls ---- */

static void on_done(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct box *b = ctx;

	b->answers++;
	b->err = *e;
	vy_json_free(b->result);
	b->result = vy_json_copy(result);
	assert_true((result == NULL) == (e->code != VY_OK));
}

static bool has_answer(struct box *b)
{
	return b->answers > 0;
}

static void call(struct box *b, const char *method, struct vy_json *params, const char *key)
{
	b->answers = 0;
	rpc_call(b->rpc, method, params, key, 0, on_done, b);
	assert_int_equal(b->answers, 0); /* never from inside */
	assert_true(run(b, has_answer));
	rest(b, 5);
	assert_int_equal(b->answers, 1);
}

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
	assert_int_equal(vy_json_int(b->result, "cur", 0), 7);
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
	waitpid(b->server, NULL, 0);
	close(b->leash);
	b->server = 0;
	unlink(b->path);
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
	snprintf(path, sizeof(path), "%.*s", VY_STR_ARG(vy_json_strval(b->result)));
	b->is_closed = b->is_open = false;
	vy_buf_clear(&b->said);
	ws = dial_ws_open(b->dial, path, "vyre.lines", &events, b);
	assert_false(b->is_open || b->is_closed);
	return ws;
}

static void push(struct box *b, const char *frame)
{
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_c(params, "frame", frame);
	call(b, "push", params, NULL);
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
	waitpid(b->server, NULL, 0);
	close(b->leash);
	b->server = 0;
	unlink(b->path);
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
