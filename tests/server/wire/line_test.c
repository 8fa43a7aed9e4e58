/* line_test.c -- JSON-RPC a line at a time: in order, to the last answer, and no faster than it is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "server/wire/line.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/server/wire/world.h"
#include "shared/base/ban.h"

#define CALL "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\n"

struct line_case {
	struct world *w;
	char path[128];
	struct raw *r;
};

static struct line_case begin(enum world_answer answer)
{
	struct line_case k = { .w = world_new(0) };
	struct vy_err e;

	snprintf(k.path, sizeof(k.path), "%s/rpc.sock", k.w->dir);
	assert_int_equal(wire_listen_line(k.w->wire, k.path, &e), 0);
	k.w->answer = answer;
	k.r = raw_open_path(k.w, k.path);
	return k;
}

static void end(struct line_case *k)
{
	raw_close(k->r);
	world_free(k->w);
}

static void reply(struct line_case *k, unsigned i, const char *body)
{
	wire_reply(k->w->wire, k->w->held[i], 200, vy_str_c(body));
}

static bool has_calls(void *ctx)
{
	struct line_case *k = ctx;

	return k->w->n_calls >= 2;
}

static unsigned connections(struct line_case *k)
{
	struct wire_counts n;

	wire_counts(k->w->wire, &n);
	return n.connections;
}

static bool is_alone(void *ctx)
{
	return connections(ctx) == 0;
}

/* ---- calls ---- */

static void a_line_is_a_call(void **state)
{
	struct line_case k = begin(ANSWER_ECHO);
	struct stat st;

	(void)state;
	assert_int_equal(stat(k.path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	raw_send(k.r, "{\"id\":1}\n\n{\"id\":2}\r\n{\"id\":");
	assert_true(raw_wait(k.r, "{\"id\":1}\n{\"id\":2}"));
	raw_send(k.r, "3}\n");
	assert_true(raw_wait(k.r, "{\"id\":3}\n"));
	assert_int_equal(k.w->n_calls, 3);
	assert_int_equal(k.w->last_caller.kind, CALLER_PERSON);
	assert_string_equal(k.w->last_caller.person, "ann");
	assert_false(k.r->is_closed);
	end(&k);
}

static void answers_come_as_they_are_ready(void **state)
{
	struct line_case k = begin(ANSWER_HOLD);
	struct caller who;

	(void)state;
	raw_send(k.r, CALL CALL);
	assert_true(world_run(k.w, has_calls, &k));
	assert_true(wire_place_again(k.w->wire, k.w->held[0], &who));
	assert_int_equal(who.kind, CALLER_PERSON);
	reply(&k, 1, "second");
	reply(&k, 0, "first");
	assert_true(raw_wait(k.r, "second\nfirst\n"));
	assert_false(wire_place_again(k.w->wire, k.w->held[0], &who));
	end(&k);
}

static void a_notification_is_not_answered(void **state)
{
	struct line_case k = begin(ANSWER_NOTHING);

	(void)state;
	raw_send(k.r, CALL CALL);
	assert_true(world_run(k.w, has_calls, &k));
	k.w->answer = ANSWER_ECHO;
	raw_send(k.r, "{\"id\":9}\n");
	assert_true(raw_wait(k.r, "\n"));
	assert_true(vy_str_is(vy_buf_str(&k.r->in), "{\"id\":9}\n"));
	end(&k);
}

/* ---- ends ---- */

/* printf '…' | nc -U: the last line may have no end, and the answer comes after the half is closed. */
static void who_has_said_all_is_answered(void **state)
{
	struct line_case k = begin(ANSWER_HOLD);

	(void)state;
	raw_send(k.r, CALL "{\"id\":2}");
	shutdown(k.r->fd, SHUT_WR);
	assert_true(world_run(k.w, has_calls, &k));
	world_rest(k.w, 20);
	assert_false(k.r->is_closed);
	reply(&k, 0, "one");
	reply(&k, 1, "two");
	assert_true(raw_wait_close(k.r));
	assert_true(vy_str_is(vy_buf_str(&k.r->in), "one\ntwo\n"));
	assert_int_equal(connections(&k), 0);
	end(&k);
}

static void who_said_nothing_is_let_go(void **state)
{
	struct line_case k = begin(ANSWER_ECHO);

	(void)state;
	shutdown(k.r->fd, SHUT_WR);
	assert_true(raw_wait_close(k.r));
	end(&k);
}

static void an_answer_to_one_who_is_gone_is_nobodys(void **state)
{
	struct line_case k = begin(ANSWER_HOLD);
	struct caller who;

	(void)state;
	raw_send(k.r, CALL CALL);
	assert_true(world_run(k.w, has_calls, &k));
	raw_close(k.r);
	k.r = raw_open_path(k.w, k.path);
	reply(&k, 0, "one"); /* finds out */
	world_rest(k.w, 20);
	reply(&k, 1, "two");
	assert_false(wire_place_again(k.w->wire, k.w->held[1], &who));
	assert_int_equal(connections(&k), 1);
	end(&k);
}

/* ---- too much ---- */

static void a_line_over_the_limit_is_told_and_passed_over(void **state)
{
	struct line_case k = begin(ANSWER_ECHO);
	size_t n = VY_RPC_BODY_MAX + 1;
	char *text = vy_alloc(n + 1);

	(void)state;
	memset(text, 'x', n);
	text[n] = '\n';
	raw_send_n(k.r, text, n + 1);
	free(text);
	raw_send(k.r, "{\"id\":4}\n");
	assert_true(raw_wait(k.r, "{\"id\":4}\n"));
	assert_true(raw_wait(k.r, "\"kind\":\"limit\""));
	assert_int_equal(k.w->n_calls, 1);
	end(&k);
}

static bool has_most(void *ctx)
{
	struct line_case *k = ctx;

	return k->w->n_calls >= LINE_CALLS_MAX;
}

static void who_asks_much_waits(void **state)
{
	struct line_case k = begin(ANSWER_HOLD);

	(void)state;
	for (int i = 0; i < LINE_CALLS_MAX + 10; i++) {
		raw_send(k.r, CALL);
	}
	assert_true(world_run(k.w, has_most, &k));
	world_rest(k.w, 30);
	assert_int_equal(k.w->n_calls, LINE_CALLS_MAX);
	reply(&k, 0, "one");
	assert_true(raw_wait(k.r, "one\n"));
	world_rest(k.w, 30);
	assert_int_equal(k.w->n_calls, LINE_CALLS_MAX + 1);
	end(&k);
}

/* As much as goes out without waiting, in lines of 64 KiB, until nothing more is taken. */
static size_t send_all_one_can(struct line_case *k)
{
	static char text[64 * VY_KIB];
	size_t sent = 0;

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\n';
	for (int idle = 0; idle < 5; idle++) {
		ssize_t n;

		while ((n = send(k->r->fd, text + sent % sizeof(text),
				sizeof(text) - sent % sizeof(text), MSG_DONTWAIT)) > 0) {
			sent += (size_t)n;
			idle = 0;
			if (sent > 64 * VY_MIB) {
				return sent;
			}
			world_rest(k->w, 0);
		}
		world_rest(k->w, 20);
	}
	return sent;
}

/* It is read from again when it has read, and another is not held up by it. */
static void who_does_not_read_is_not_read(void **state)
{
	struct line_case k = begin(ANSWER_ECHO);
	struct raw *other = raw_open_path(k.w, k.path);
	size_t sent;

	(void)state;
	raw_pause(k.r, true);
	sent = send_all_one_can(&k);
	assert_true(sent > VY_MIB && sent < 8 * VY_MIB);
	raw_send(other, "{\"id\":5}\n");
	assert_true(raw_wait(other, "{\"id\":5}\n"));
	raw_close(other);
	shutdown(k.r->fd, SHUT_WR);
	raw_pause(k.r, false);
	assert_true(raw_wait_close(k.r));
	assert_int_equal(k.r->came, sent + (sent % (64 * VY_KIB) ? 1 : 0));
	end(&k);
}

/* ---- vyred ends ---- */

static void done(void *ctx)
{
	*(bool *)ctx = true;
}

static void each_gets_its_last_answer(void **state)
{
	struct line_case k = begin(ANSWER_HOLD);
	struct raw *idle = raw_open_path(k.w, k.path);
	bool is_done = false;

	(void)state;
	raw_send(k.r, CALL CALL);
	assert_true(world_run(k.w, has_calls, &k));
	wire_drain(k.w->wire, done, &is_done);
	assert_int_not_equal(access(k.path, F_OK), 0);
	assert_true(raw_wait_close(idle));
	raw_send(k.r, CALL);
	reply(&k, 0, "one");
	assert_true(raw_wait(k.r, "one\n"));
	assert_false(is_done);
	reply(&k, 1, "two");
	assert_true(raw_wait(k.r, "two\n"));
	assert_true(world_run(k.w, is_alone, &k));
	world_rest(k.w, 20);
	assert_true(is_done);
	assert_int_equal(k.w->n_calls, 2);
	raw_close(idle);
	end(&k);
}

/* The time for the end is over, and both kinds still wait. */
static void it_is_freed_with_some_under_way(void **state)
{
	struct line_case k = begin(ANSWER_HOLD);
	struct raw *http = raw_open(k.w);
	bool is_done = false;

	(void)state;
	raw_send(k.r, CALL);
	raw_post(http, CALL);
	assert_true(world_run(k.w, has_calls, &k));
	wire_drain(k.w->wire, done, &is_done);
	raw_close(http);
	end(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_a_call),
		cmocka_unit_test(answers_come_as_they_are_ready),
		cmocka_unit_test(a_notification_is_not_answered),
		cmocka_unit_test(who_has_said_all_is_answered),
		cmocka_unit_test(who_said_nothing_is_let_go),
		cmocka_unit_test(an_answer_to_one_who_is_gone_is_nobodys),
		cmocka_unit_test(a_line_over_the_limit_is_told_and_passed_over),
		cmocka_unit_test(who_asks_much_waits),
		cmocka_unit_test(who_does_not_read_is_not_read),
		cmocka_unit_test(each_gets_its_last_answer),
		cmocka_unit_test(it_is_freed_with_some_under_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
