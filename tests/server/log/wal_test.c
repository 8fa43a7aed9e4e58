/* wal_test.c -- the write-ahead log stays small under a flood, and goes away when it is over; a
 * full disk has a reserve. On a real loop with the real worker. */
#include "server/log/wal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "server/io/db.h"
#include "server/io/work.h"
#include "server/log/reserve.h"
#include "server/log/store.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

static struct {
	struct tempdir dir;
	struct vy_loop *loop;
	struct work *work;
	struct log_store *store;
	struct vy_timer *timer;
	int64_t largest;
	int commits, holds, wakes;
} t;

static int setup(void **state)
{
	struct vy_err e = { 0 };

	(void)state;
	memset(&t, 0, sizeof(t));
	t.dir = tempdir_make();
	t.loop = vy_loop_new();
	t.work = work_new(t.loop, &e);
	assert_non_null(t.work);
	t.store = store_sqlite_open(t.dir.path, t.loop, t.work, &e);
	assert_non_null(t.store);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	db_fault(VY_OK, 0);
	vy_timer_del(t.timer);
	t.store->ops->close(t.store);
	work_free(t.work);
	vy_loop_free(t.loop);
	tempdir_remove(t.dir.path);
	return 0;
}

static int64_t size_of(const char *name)
{
	struct stat st;

	return stat(tempdir_file(&t.dir, name), &st) == 0 ? (int64_t)st.st_size : -1;
}

/* One turn with 100 KiB of rows; VY_RETRY is the hold. */
static int one_commit(struct vy_err *e)
{
	static char bytes[100 * 1024];
	struct store_row row = { .kind = ROW_OUTPUT,
		.output = { VY_STR_LIT("s"), VY_STR_LIT("r"), VY_STR_LIT(""),
			vy_str_n(bytes, sizeof(bytes)) } };

	memset(bytes, 'a' + t.commits % 26, sizeof(bytes));
	if (t.store->ops->begin(t.store, e) < 0) {
		return -1;
	}
	assert_int_equal(t.store->ops->put(t.store, &row, NULL), 0);
	return t.store->ops->commit(t.store, e);
}

enum { FLOOD = 600 };

static void flood(void *ctx)
{
	struct vy_err e = { 0 };
	int64_t now;

	(void)ctx;
	while (t.commits < FLOOD) {
		if (one_commit(&e) < 0) {
			assert_int_equal(e.code, VY_RETRY);
			t.holds++;
			return; /* until the wake */
		}
		t.commits++;
		now = size_of("vyre.db-wal");
		t.largest = now > t.largest ? now : t.largest;
	}
	vy_loop_stop(t.loop);
}

static void wake(void *ctx)
{
	t.wakes++;
	flood(ctx);
}

static void test_a_flood_is_held_back(void **state)
{
	(void)state;
	t.store->ops->on_wake(t.store, wake, NULL);
	vy_loop_defer(t.loop, flood, NULL);
	vy_loop_run(t.loop);
	assert_int_equal(t.commits, FLOOD); /* 60 MB went through … */
	assert_true(t.holds > 0 && t.holds == t.wakes);
	assert_true(t.largest < 2 * (int64_t)WAL_HARD); /* … a WAL that stayed small */
}

static void look(void *ctx)
{
	(void)ctx;
	if (size_of("vyre.db-wal") == 0) {
		vy_loop_stop(t.loop);
	} else if (++t.wakes < 1000) {
		vy_timer_set(t.timer, 20);
	} else {
		vy_loop_stop(t.loop);
	}
}

static void test_quiet_cuts_it(void **state)
{
	(void)state;
	while (t.commits < 20) {
		assert_int_equal(one_commit(NULL), 0);
		t.commits++;
	}
	assert_true(size_of("vyre.db-wal") > WAL_IDLE);
	t.timer = vy_loop_timer(t.loop, look, NULL);
	vy_timer_set(t.timer, 20);
	vy_loop_run(t.loop);
	assert_int_equal(size_of("vyre.db-wal"), 0);
}

static void on_sync(void *ctx, const struct vy_err *failed)
{
	(void)ctx;
	assert_null(failed);
	t.wakes++;
	vy_loop_stop(t.loop);
}

static void test_sync_comes_back(void **state)
{
	(void)state;
	assert_int_equal(one_commit(NULL), 0);
	t.store->ops->sync(t.store, on_sync, NULL);
	vy_loop_run(t.loop);
	assert_int_equal(t.wakes, 1);
	t.store->ops->sync(t.store, on_sync, NULL);
	t.store->ops->drain(t.store); /* without the loop */
	assert_int_equal(t.wakes, 2);
}

static void test_a_full_disk_gives_the_reserve(void **state)
{
	struct vy_err e = { 0 };

	(void)state;
	assert_int_equal(size_of("reserve"), RESERVE_BYTES);
	db_fault(VY_FULL, 1);
	assert_int_equal(one_commit(&e), -1);
	assert_int_equal(e.code, VY_FULL);
	assert_int_equal(size_of("reserve"), -1);
	db_fault(VY_OK, 0);
	assert_int_equal(one_commit(&e), 0);
	assert_true(t.store->ops->has_room(t.store)); /* and takes it back */
	assert_int_equal(size_of("reserve"), RESERVE_BYTES);
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_a_flood_is_held_back),
		T(test_quiet_cuts_it),
		T(test_sync_comes_back),
		T(test_a_full_disk_gives_the_reserve),
	};

	vy_log_set_level(VY_LOG_NONE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
