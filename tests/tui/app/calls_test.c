/* calls_test.c -- a key's call is made again until it is answered, with the same key, and never late. */
#include <stdlib.h>

#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tests/check.h"
#include "tui/app/calls.h"
#include "tui/net/rpc.h"

/* ---- a server that answers as the test says ------------------------------------------------ */

struct rpc_call {
	char key[VY_UUID_LEN + 1];
	int64_t ask; /* params.n, to tell one call from another */
	bool is_cancelled;
	rpc_done_fn *fn;
	void *ctx;
};

static struct rpc_call made[64];
static size_t n_made, stop_at;
static struct vy_loop *loop;
static struct rpc *const a_server = (struct rpc *)&made;

struct rpc_call *rpc_call(struct rpc *r, const char *method, struct vy_json *own_params,
	const char *key, int64_t timeout_ms, rpc_done_fn *fn, void *ctx)
{
	struct rpc_call *c = &made[n_made++];

	(void)r;
	(void)timeout_ms;
	assert_true(n_made <= VY_COUNT(made));
	check_str("method", method, "threads.interrupt");
	*c = (struct rpc_call){ .fn = fn, .ctx = ctx, .ask = vy_json_int(own_params, "n", -1) };
	snprintf(c->key, sizeof(c->key), "%s", key);
	vy_json_free(own_params);
	if (n_made == stop_at) {
		vy_loop_stop(loop);
	}
	return c;
}

void rpc_cancel(struct rpc_call *c)
{
	if (c) {
		c->is_cancelled = true;
	}
}

static void answer(size_t i, enum vy_code code, const char *why)
{
	struct vy_err e = { .code = code };
	VY_AUTO_JSON *result = vy_json_new_obj();

	snprintf(e.text, sizeof(e.text), "%s", why);
	assert_true(i < n_made);
	assert_false(made[i].is_cancelled);
	made[i].fn(made[i].ctx, code == VY_OK ? result : NULL, &e);
}

/* ---- the stage ------------------------------------------------------------------------------ */

static int64_t now;
static char said[200];
static struct calls *calls;

static int64_t boot_ms(void *ctx)
{
	(void)ctx;
	return now;
}

static const struct vy_clock a_clock = { boot_ms, boot_ms, NULL };

static void on_failed(void *ctx, const char *why)
{
	(void)ctx;
	snprintf(said, sizeof(said), "%s", why);
	vy_loop_stop(loop);
}

static void begin(void)
{
	now = 1000;
	n_made = stop_at = 0;
	said[0] = '\0';
	loop = vy_loop_new();
	calls = calls_new(loop, &a_clock, a_server, on_failed, NULL);
}

static void end(void)
{
	calls_free(calls);
	vy_loop_free(loop);
}

static void press(int64_t n)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_int(o, "n", n);
	calls_make(calls, "threads.interrupt", o);
}

/* Until so many calls were made, all in all. */
static void run_to(size_t n)
{
	stop_at = n;
	vy_loop_run(loop);
	check_int("calls", (long long)n_made, (long long)n);
}

/* ---- what is promised ----------------------------------------------------------------------- */

static void test_busy_is_made_again(void **state)
{
	static const enum vy_code codes[] = { VY_BUSY, VY_RETRY };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(codes); i++) {
		begin();
		press(7);
		answer(0, codes[i], "come again"); /* the line is live, and stays so */
		run_to(2);
		check_str("the same key", made[1].key, made[0].key);
		check_int("the same call", made[1].ask, 7);
		answer(1, codes[i], "come again");
		run_to(3);
		check_str("and again", made[2].key, made[0].key);
		answer(2, VY_OK, "");
		check_str("nothing to say", said, "");
		calls_retry(calls);
		check_int("it is over", (long long)n_made, 3);
		end();
	}
}

static void test_too_old_is_said(void **state)
{
	(void)state;
	begin();
	press(1);
	press(2);
	answer(0, VY_BUSY, "too many at once");
	answer(1, VY_OK, "");
	now += CALLS_WAIT_MS + 1;
	vy_loop_run(loop);
	check_str("the server's own words", said, "too many at once");
	check_int("not made again", (long long)n_made, 2);

	press(3);
	answer(2, VY_RETRY, "nobody answers");
	now += CALLS_WAIT_MS + 1;
	vy_loop_run(loop);
	check_str("nobody's", said, "the server was away too long: press the key again");
	check_int("not made again", (long long)n_made, 3);
	end();
}

static void test_line_is_up(void **state)
{
	(void)state;
	begin();
	press(1);
	press(2);
	answer(0, VY_RETRY, "it went away");
	calls_retry(calls);
	check_int("at once, and only what waits", (long long)n_made, 3);
	check_str("the same key", made[2].key, made[0].key);
	answer(1, VY_DENIED, "Only a person can");
	check_str("a no is a no", said, "Only a person can");
	answer(2, VY_OK, "");
	end();
}

static void test_the_end_is_silent(void **state)
{
	(void)state;
	begin();
	press(1);
	press(2);
	answer(0, VY_BUSY, "later");
	end();
	check_true("what was under way is cancelled", made[1].is_cancelled);
	check_str("nothing is told", said, "");
}

static void test_many(void **state)
{
	(void)state;
	begin();
	for (int i = 0; i < CALLS_MAX; i++) {
		press(i);
	}
	check_str("room for all", said, "");
	press(CALLS_MAX);
	check_str("one too many", said, "too much waits for the server already");
	check_int("was not made", (long long)n_made, CALLS_MAX);
	end();
}

CHECK_MAIN(CHECK_TEST(test_busy_is_made_again), CHECK_TEST(test_too_old_is_said),
	CHECK_TEST(test_line_is_up), CHECK_TEST(test_the_end_is_silent), CHECK_TEST(test_many))
