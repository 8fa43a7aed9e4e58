/* http_test.c -- requests as clients make them, and as they should not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "server/wire/listen.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/server/wire/world.h"
#include "shared/base/ban.h"

#define CALL "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}"

static void a_call_is_answered(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);
	struct vy_str body;
	struct stat st;

	(void)state;
	assert_int_equal(stat(w->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	raw_post(r, CALL);
	assert_true(raw_wait(r, "connection: close\r\n"));
	assert_int_equal(raw_answer(r, &body), 200);
	assert_true(vy_str_is(body, CALL));
	assert_true(raw_wait_close(r));
	assert_int_equal(w->n_calls, 1);
	assert_int_equal(w->last_caller.kind, CALLER_PERSON);
	assert_string_equal(w->last_caller.person, "ann");
	raw_close(r);
	world_free(w);
}

/* A call on a connection of its own; its status. */
static int call(struct world *w, const char *body)
{
	struct raw *r = raw_open(w);
	int status;

	raw_post(r, body);
	status = raw_answer(r, NULL);
	raw_close(r);
	return status;
}

static void headers_arrive(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);

	(void)state;
	raw_send(r, "POST /v1/rpc HTTP/1.1\r\nHost: x\r\nidempotency-KEY: k-1\r\n"
		    "User-Agent: vyre-tui/0.1 (x)\r\nContent-Length: 2\r\n\r\n{}");
	assert_int_equal(raw_answer(r, NULL), 200);
	assert_string_equal(w->last_key, "k-1");
	assert_string_equal(w->last_caller.surface, "vyre-tui");
	raw_close(r);
	assert_int_equal(call(w, CALL), 200);
	assert_string_equal(w->last_key, "");
	assert_string_equal(w->last_caller.surface, "http");
	world_free(w);
}

struct refusal {
	const char *name, *request;
	int status;
	const char *says;
};

static void check_refusal(const struct refusal *row)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);
	int status;

	raw_send(r, row->request);
	if (!raw_wait(r, row->says)) {
		fail_msg("%s: got %.*s", row->name, (int)r->in.len, vy_buf_c(&r->in));
	}
	status = raw_answer(r, NULL);
	if (status != row->status) {
		fail_msg("%s: got %d", row->name, status);
	}
	assert_int_equal(w->n_calls, 0);
	if (!raw_wait_close(r)) {
		fail_msg("%s: stays open", row->name);
	}
	raw_close(r);
	world_free(w);
}

static void statuses(void **state)
{
	static const struct refusal rows[] = {
		{ "an unknown path", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 404, "not_found" },
		{ "the control stream without an upgrade",
			"GET /v1/stream HTTP/1.1\r\nHost: x\r\n\r\n", 426, "WebSocket" },
		{ "a post nowhere", "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
			404, "not_found" },
		{ "a call by GET", "GET /v1/rpc HTTP/1.1\r\nHost: x\r\n\r\n", 405, "allow: POST" },
		{ "a call by PUT", "PUT /v1/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
			405, "allow: POST" },
		{ "a stream by POST",
			"POST /v1/streams/stream/session HTTP/1.1\r\nHost: x\r\nContent-Length: "
			"0\r\n\r\n",
			405, "allow: GET" },
		{ "no length", "POST /v1/rpc HTTP/1.1\r\nHost: x\r\n\r\n", 411, "Content-Length" },
		{ "a length that is none",
			"POST /v1/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n", 411,
			"Content-Length" },
		{ "chunks",
			"POST /v1/rpc HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
			411, "Content-Length" },
		{ "chunks, and a length as well",
			"POST /v1/rpc HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
			"Content-Length: 2\r\n\r\n{}",
			411, "Content-Length" },
		{ "more than anybody may send",
			"POST /v1/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n",
			413, "16 MiB" },
		{ "a client that is too new",
			"POST /v1/rpc HTTP/1.1\r\nHost: x\r\nVyre-Protocol: 2\r\n"
			"Content-Length: 2\r\n\r\n{}",
			400, "upgrade vyred" },
		{ "a client that is too old",
			"POST /v1/rpc HTTP/1.1\r\nHost: x\r\nVyre-Protocol: 0\r\n"
			"Content-Length: 2\r\n\r\n{}",
			400, "upgrade vyre-tui" },
		{ "a snapshot", "GET /v1/sessions/s/snapshot HTTP/1.1\r\nHost: x\r\n\r\n", 200,
			"\"cur\":7" },
		{ "of no session", "GET /v1/sessions/t/snapshot HTTP/1.1\r\nHost: x\r\n\r\n", 404,
			"no session t" },
		{ "of a path", "GET /v1/sessions/../snapshot HTTP/1.1\r\nHost: x\r\n\r\n", 404,
			"not_found" },
		{ "a stream without a ticket",
			"GET /v1/streams/stream/session HTTP/1.1\r\nHost: x\r\n\r\n", 403,
			"denied" },
		{ "with a bad one",
			"GET /v1/streams/stream/session?ticket=abc HTTP/1.1\r\nHost: x\r\n\r\n",
			403, "denied" },
		{ "with a cursor that is none",
			"GET /v1/streams/stream/session?ticket=abc&from=x HTTP/1.1\r\nHost: "
			"x\r\n\r\n",
			400, "from: expected a cursor" },
		{ "HTTP/2 is not spoken",
			"GET /v1/rpc HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n"
			"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n",
			404, "not_found" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_refusal(&rows[i]);
	}
}

static void junk_is_no_harm(void **state)
{
	static const struct {
		const char *name;
		struct vy_str bytes;
	} rows[] = {
		{ "nothing that HTTP knows", VY_STR_LIT("hello\r\n\r\n") },
		{ "a TLS hello", VY_STR_LIT("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03") },
		{ "HTTP/2 at once",
			VY_STR_LIT("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0") },
		{ "a tunnel", VY_STR_LIT("CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n") },
		{ "zeros", VY_STR_LIT("\0\0\0\0\0\0\0\0\0\0\0\0") },
		{ "a header without an end", VY_STR_LIT("GET / HTTP/1.1\r\nA") },
		{ "a name without a value", VY_STR_LIT("GET / HTTP/1.1\r\n:\r\n\r\n") },
		{ "a bad escape", VY_STR_LIT("GET /%zz%00%ff HTTP/1.1\r\nHost: x\r\n\r\n") },
		{ "a long way up",
			VY_STR_LIT("GET /../../../../../../etc/passwd HTTP/1.1\r\n\r\n") },
		{ "a frame without a handshake", VY_STR_LIT("\x81\x85\0\0\0\0hello") },
		{ "an upgrade to nothing", VY_STR_LIT("GET /v1/rpc HTTP/1.1\r\nUpgrade: "
						      "\r\nConnection: upgrade\r\n\r\n") },
	};
	struct world *w = world_new(0);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct raw *r = raw_open(w);

		raw_send_n(r, rows[i].bytes.p, rows[i].bytes.n);
		if (call(w, CALL) != 200) { /* nobody else notices */
			fail_msg("%s: the server is gone", rows[i].name);
		}
		raw_close(r);
	}
	world_free(w);
}

static void a_head_may_be_long_but_not_endless(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);

	(void)state;
	raw_send(r, "GET /v1/rpc HTTP/1.1\r\n");
	for (int i = 0; i < 4000 && !r->is_closed; i++) {
		raw_send(r, "X-Filler: 0123456789012345678901234567890123456789\r\n");
	}
	assert_true(raw_wait_close(r));
	assert_int_equal(call(w, CALL), 200);
	raw_close(r);
	world_free(w);
}

static void byte_by_byte(void **state)
{
	static const char request[] =
		"POST /v1/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n[1,2]";
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);
	struct vy_str body;

	(void)state;
	for (size_t i = 0; i < sizeof(request) - 1; i++) {
		raw_send_n(r, request + i, 1);
		world_rest(w, 0);
	}
	assert_int_equal(raw_answer(r, &body), 200);
	assert_true(vy_str_is(body, "[1,2]"));
	raw_close(r);
	world_free(w);
}

/* TRAP: what is sent behind a POST must neither be taken for more of its body nor be looked at
 * again and again (lws_http_action() never comes back from a second one). */
static void what_comes_behind_is_left(void **state)
{
	static const struct {
		const char *name, *first;
	} rows[] = {
		{ "behind a call",
			"POST /v1/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}" },
		{ "behind an empty one",
			"POST /v1/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n" },
		{ "behind a GET", "GET /v1/sessions/s/snapshot HTTP/1.1\r\nHost: x\r\n\r\n" },
		{ "behind a refusal",
			"POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}" },
		{ "behind an upgrade that is not to be",
			"GET /x HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF many = VY_BUF_INIT(VY_MIB);
		struct world *w = world_new(0);
		struct raw *r = raw_open(w);
		uint64_t turns;

		w->answer = ANSWER_HOLD;
		vy_buf_adds(&many, rows[i].first);
		for (int k = 0; k < 20; k++) {
			vy_buf_adds(&many, "POST /v1/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: "
					   "7\r\n\r\n[1,2,3]");
		}
		raw_send(r, vy_buf_c(&many));
		world_rest(w, 20);
		assert_in_range(w->n_calls, 0, 1);
		turns = w->turns;
		world_rest(w, 100);
		if (w->turns - turns > 20) {
			fail_msg("%s: it spins", rows[i].name);
		}
		if (w->n_held) {
			wire_reply(w->wire, w->held[0], 200, VY_STR_LIT("{\"a\":1}"));
		}
		assert_true(raw_answer(r, NULL) >= 200);
		assert_true(raw_wait_close(r));
		assert_in_range(w->n_calls, 0, 1);
		raw_close(r);
		world_free(w);
	}
}

static void large(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);
	size_t n = VY_RPC_BODY_MAX;
	char *big = vy_alloc(n + 1);
	struct vy_str body;

	(void)state;
	memset(big, ' ', n);
	raw_post(r, big); /* just what is allowed, and as much back */
	assert_int_equal(raw_answer(r, &body), 200);
	assert_int_equal(body.n, n);
	assert_int_equal(w->last_body, n);
	raw_close(r);
	/* one more: refused at once, and who goes on sending still reads why */
	r = raw_open(w);
	raw_send(r, "POST /v1/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 16777217\r\n\r\n");
	raw_send_n(r, big, n);
	raw_send(r, " ");
	assert_int_equal(raw_answer(r, NULL), 413);
	raw_post(r, CALL); /* that was all there is on this connection */
	assert_true(raw_wait_close(r));
	assert_int_equal(w->n_calls, 1);
	free(big);
	raw_close(r);
	world_free(w);
}

/* Who is refused before its body came reads why, and then the connection is over however the body
 * comes: with the head, behind it, or when the answer is long there. It is the body that ends it, not
 * that time goes by: no longer than a few other calls. */
static void a_refusal_ends_with_the_body(void **state)
{
	static const struct {
		const char *name, *head;
		int status;
	} rows[] = {
		{ "nothing is here",
			"POST /v1/none HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", 404 },
		{ "another method",
			"PUT /v1/sessions/s/messages HTTP/1.1\r\nHost: x\r\nContent-Length: "
			"9\r\n\r\n",
			405 },
		{ "a stream that is read",
			"POST /v1/stream HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", 405 },
		{ "another Accept",
			"POST /v1/sessions/s/messages HTTP/1.1\r\nHost: x\r\nAccept: "
			"application/json\r\nContent-Length: 9\r\n\r\n",
			406 },
		{ "a client that is too new",
			"POST /v1/rpc HTTP/1.1\r\nHost: x\r\nVyre-Protocol: 2\r\n"
			"Content-Length: 9\r\n\r\n",
			400 },
	};

	(void)state;
	for (size_t i = 0; i < 3 * VY_COUNT(rows); i++) {
		const char *name = rows[i / 3].name, *body = "{\"a\":\"b\"}";
		struct world *w = world_new(0);
		struct raw *r = raw_open(w);
		int status = 0, how = (int)(i % 3);

		if (how == 0) {
			VY_AUTO_BUF all = VY_BUF_INIT(VY_KIB);

			vy_buf_adds(&all, rows[i / 3].head);
			vy_buf_adds(&all, body);
			raw_send_n(r, all.data, all.len);
			status = raw_answer(r, NULL);
		} else {
			raw_send(r, rows[i / 3].head);
			status = how == 2 ? raw_answer(r, NULL) : 0;
			for (size_t at = 0; at < strlen(body); at++) {
				raw_send_n(r, body + at, 1);
			}
			status = how == 2 ? status : raw_answer(r, NULL);
		}
		if (status != rows[i / 3].status) {
			fail_msg("%s, %d: got %d", name, how, status);
		}
		for (int calls = 0; calls < 50 && !r->is_closed; calls++) {
			assert_int_equal(call(w, CALL), 200);
		}
		if (!r->is_closed) {
			fail_msg("%s, %d: stays open", name, how);
		}
		raw_close(r);
		world_free(w);
	}
}

static void who_waits_for_leave_gets_it(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);

	(void)state;
	raw_send(r, "POST /v1/rpc HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: "
		    "2\r\n\r\n");
	assert_true(raw_wait(r, "HTTP/1.1 100 Continue\r\n\r\n"));
	raw_take(r, r->in.len);
	raw_send(r, "{}");
	assert_int_equal(raw_answer(r, NULL), 200);
	raw_close(r);
	world_free(w);
}

static void kinds_of_answers(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);

	(void)state;
	w->answer = ANSWER_NOTHING; /* notifications only */
	raw_post(r, CALL);
	assert_true(raw_wait(r, "\r\n\r\n"));
	assert_memory_equal(r->in.data, "HTTP/1.1 204", 12);
	assert_null(memmem(r->in.data, r->in.len, "content-length", 14));
	raw_close(r);
	w->answer = ANSWER_JUNK;
	assert_int_equal(call(w, "no json"), 400);
	world_free(w);
}

/* An answer for a connection that is gone, twice, and for one that never was. */
static void an_answer_too_late(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);
	struct caller c;
	struct wire_counts n;

	(void)state;
	w->answer = ANSWER_HOLD;
	raw_post(r, CALL);
	world_rest(w, 50);
	assert_int_equal(w->n_held, 1);
	assert_true(wire_place_again(w->wire, w->held[0], &c));
	assert_int_equal(c.kind, CALLER_PERSON);
	raw_close(r);
	world_rest(w, 50);
	wire_counts(w->wire, &n);
	assert_int_equal(n.connections, 0);
	assert_int_equal(n.waiting, 0);
	assert_false(wire_place_again(w->wire, w->held[0], &c));
	wire_reply(w->wire, w->held[0], 200, VY_STR_LIT("{}"));
	wire_reply(w->wire, w->held[0], 200, VY_STR_LIT("{}"));
	wire_reply(w->wire, 4711, 200, VY_STR_LIT("{}"));
	world_free(w);
}

/* Who closes its own half after asking ("printf … | socat") still gets the answer. */
static void half_closed(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);
	uint64_t turns;

	(void)state;
	w->answer = ANSWER_HOLD;
	raw_post(r, CALL);
	shutdown(r->fd, SHUT_WR);
	world_rest(w, 50);
	turns = w->turns;
	world_rest(w, 200);
	assert_true(w->turns - turns < 20);
	wire_reply(w->wire, w->held[0], 200, VY_STR_LIT("{\"late\":1}"));
	assert_true(raw_wait(r, "{\"late\":1}"));
	assert_true(raw_wait_close(r));
	raw_close(r);
	world_free(w);
}

static void many_at_once(void **state)
{
	struct world *w = world_new(0);
	struct raw *r[200];
	struct wire_counts n;

	(void)state;
	for (size_t i = 0; i < VY_COUNT(r); i++) {
		r[i] = raw_open(w);
		raw_post(r[i], CALL);
	}
	for (size_t i = 0; i < VY_COUNT(r); i++) {
		assert_int_equal(raw_answer(r[i], NULL), 200);
	}
	assert_int_equal(w->n_calls, VY_COUNT(r));
	for (size_t i = 0; i < VY_COUNT(r); i++) {
		raw_close(r[i]);
	}
	world_rest(w, 50);
	wire_counts(w->wire, &n);
	assert_int_equal(n.connections, 0);
	world_free(w);
}

/* At once the first time, then ever more slowly. */
static void served_again(struct world *w)
{
	for (int i = 0; i < 250 && !listen_is_served(w->path); i++) {
		world_rest(w, 20);
	}
}

static void a_removed_socket_is_made_again(void **state)
{
	struct world *w = world_new(0);
	char other[200];

	(void)state;
	for (int i = 0; i < 3; i++) {
		unlink(w->path);
		served_again(w);
		assert_int_equal(call(w, CALL), 200);
	}
	snprintf(other, sizeof(other), "%s.old", w->path);
	rename(w->path, other);
	served_again(w);
	unlink(other);
	assert_int_equal(call(w, CALL), 200);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_answered),
		cmocka_unit_test(headers_arrive),
		cmocka_unit_test(statuses),
		cmocka_unit_test(junk_is_no_harm),
		cmocka_unit_test(a_head_may_be_long_but_not_endless),
		cmocka_unit_test(byte_by_byte),
		cmocka_unit_test(what_comes_behind_is_left),
		cmocka_unit_test(large),
		cmocka_unit_test(a_refusal_ends_with_the_body),
		cmocka_unit_test(who_waits_for_leave_gets_it),
		cmocka_unit_test(kinds_of_answers),
		cmocka_unit_test(an_answer_too_late),
		cmocka_unit_test(half_closed),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(a_removed_socket_is_made_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
