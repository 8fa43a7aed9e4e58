/* work_test.c -- jobs run elsewhere, in order; results come home; nothing is lost at the end. */
#include "server/io/work.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include <cmocka.h>

#include "shared/io/loop.h"
#include "shared/base/ban.h"

enum { JOBS = 200 };

static struct {
	struct vy_loop *loop;
	struct work *work;
	pthread_t home;
	int ran[JOBS], n_ran; /* the worker's */
	int done, failed;     /* the loop's */
	bool is_elsewhere;
} t;

static int run(void *ctx, struct vy_err *e)
{
	int i = (int)(intptr_t)ctx;

	t.is_elsewhere = !pthread_equal(pthread_self(), t.home);
	t.ran[t.n_ran++] = i;
	return i % 10 == 7 ? vy_fail(e, VY_FULL, "job %d", i) : 0;
}

static void done(void *ctx, int rc, const struct vy_err *e)
{
	int i = (int)(intptr_t)ctx;

	assert_true(pthread_equal(pthread_self(), t.home));
	assert_int_equal(i, t.done); /* in order */
	assert_int_equal(rc, i % 10 == 7 ? -1 : 0);
	if (rc < 0) {
		char want[32];

		snprintf(want, sizeof(want), "job %d", i);
		assert_string_equal(e->text, want);
		t.failed++;
	}
	if (++t.done == JOBS) {
		vy_loop_stop(t.loop);
	}
}

static void begin(void)
{
	memset(&t, 0, sizeof(t));
	t.home = pthread_self();
	t.loop = vy_loop_new();
	t.work = work_new(t.loop, NULL);
	assert_non_null(t.work);
}

static void check(void)
{
	assert_int_equal(t.done, JOBS);
	assert_int_equal(t.failed, JOBS / 10);
	assert_true(t.is_elsewhere);
	for (int i = 0; i < JOBS; i++) {
		assert_int_equal(t.ran[i], i);
	}
}

static void test_results_come_home(void **state)
{
	(void)state;
	begin();
	for (int i = 0; i < JOBS; i++) {
		work_add(t.work, run, done, (void *)(intptr_t)i);
	}
	vy_loop_run(t.loop);
	check();
	work_free(t.work);
	vy_loop_free(t.loop);
}

static void test_free_finishes_all(void **state)
{
	(void)state;
	begin();
	for (int i = 0; i < JOBS; i++) {
		work_add(t.work, run, done, (void *)(intptr_t)i);
	}
	work_free(t.work); /* the loop never ran */
	check();
	vy_loop_free(t.loop);
	work_free(NULL);
}

/* The first holds the worker until all others are given. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static int gate_run(void *ctx, struct vy_err *e)
{
	(void)ctx;
	(void)e;
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return 0;
}

static void test_some_go_first(void **state)
{
	static const int want[] = { 4, 3, 1, 2 };

	(void)state;
	begin();
	pthread_mutex_lock(&gate);
	work_add_first(t.work, gate_run, NULL, NULL); /* it may run already, or not */
	work_add(t.work, run, NULL, (void *)1);
	work_add(t.work, run, NULL, (void *)2);
	work_add_first(t.work, run, NULL, (void *)3);
	work_add_first(t.work, run, NULL, (void *)4);
	pthread_mutex_unlock(&gate);
	work_free(t.work);
	assert_int_equal(t.n_ran, 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(t.ran[i], want[i]);
	}
	vy_loop_free(t.loop);
}

/* A chain: each result gives the next job, also while the worker is taken down. */
static int link_run(void *ctx, struct vy_err *e)
{
	(void)ctx;
	(void)e;
	return 0;
}

static void link_done(void *ctx, int rc, const struct vy_err *e)
{
	(void)rc;
	(void)e;
	if (++t.done < 5) {
		work_add(t.work, link_run, link_done, ctx);
	}
}

static void test_free_finishes_what_results_ask_for(void **state)
{
	(void)state;
	begin();
	work_add(t.work, link_run, link_done, NULL);
	work_free(t.work);
	assert_int_equal(t.done, 5);
	vy_loop_free(t.loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_results_come_home),
		cmocka_unit_test(test_free_finishes_all),
		cmocka_unit_test(test_some_go_first),
		cmocka_unit_test(test_free_finishes_what_results_ask_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
