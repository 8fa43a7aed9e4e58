/* ring_test.c -- bounds, order, and frames that outlive their ring; and the pace of commits. */
#include "server/log/ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>

#include <cmocka.h>

#include "server/log/pace.h"
#include "shared/base/ban.h"

static void push(struct ring *r, int64_t cur, size_t len)
{
	char bytes[256];
	struct frame_ref *f;

	memset(bytes, 'x', sizeof(bytes));
	f = frame_ref_new(cur, 1, vy_str_n(bytes, len));
	ring_push(r, f);
	frame_unref(f);
}

static void test_bounds(void **state)
{
	static const struct {
		const char *name;
		size_t frames, bytes, len;
		int64_t first; /* after 1000 pushes */
	} rows[] = {
		{ "frames bind", 10, 1 << 20, 10, 991 },
		{ "bytes bind", 1000, 100, 10, 991 },
		{ "not a whole number", 1000, 105, 10, 991 },
		{ "one frame", 1, 1 << 20, 10, 1000 },
		{ "one larger than all", 1000, 50, 200, 1000 },
		{ "all fit", 1000, 1 << 20, 10, 1 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct ring r;

		ring_init(&r, rows[i].frames, rows[i].bytes);
		assert_null(ring_get(&r, 1));
		assert_int_equal(ring_first(&r), 0);
		for (int64_t c = 1; c <= 1000; c++) {
			push(&r, c, rows[i].len);
			assert_int_equal(ring_last(&r), c);
			assert_int_equal(ring_get(&r, c)->cur, c);
		}
		if (ring_first(&r) != rows[i].first) {
			fail_msg("%s: first %lld", rows[i].name, (long long)ring_first(&r));
		}
		assert_null(ring_get(&r, rows[i].first - 1));
		assert_null(ring_get(&r, 1001));
		assert_null(ring_get(&r, 0));
		for (int64_t c = rows[i].first; c <= 1000; c++) {
			assert_int_equal(ring_get(&r, c)->cur, c);
		}
		assert_int_equal(r.bytes, (size_t)(1001 - rows[i].first) * rows[i].len);
		ring_fini(&r);
	}
}

static void test_a_lent_frame_outlives(void **state)
{
	struct ring r;
	struct frame_ref *kept;

	(void)state;
	ring_init(&r, 2, 1000);
	push(&r, 7, 5);
	kept = frame_ref(ring_get(&r, 7));
	push(&r, 8, 5);
	push(&r, 9, 5);
	assert_null(ring_get(&r, 7));
	assert_int_equal(kept->cur, 7);
	assert_int_equal(kept->refs, 1);
	ring_fini(&r);
	assert_memory_equal(kept->bytes, "xxxxx", 5);
	frame_unref(kept);
}

static void test_drop_and_go_on(void **state)
{
	struct ring r;

	(void)state;
	ring_init(&r, 100, 1000);
	for (int64_t c = 1; c <= 20; c++) {
		push(&r, c, 5);
	}
	ring_drop_below(&r, 15);
	assert_int_equal(ring_first(&r), 15);
	ring_drop_below(&r, 3);
	assert_int_equal(ring_first(&r), 15);
	push(&r, 21, 5);
	ring_drop_below(&r, 100);
	assert_int_equal(r.n, 0);
	push(&r, 50, 5); /* an empty one starts anywhere */
	assert_int_equal(ring_first(&r), 50);
	ring_clear(&r);
	push(&r, 90, 5);
	assert_int_equal(ring_get(&r, 90)->cur, 90);
	ring_fini(&r);
}

/* ---- pace ---- */

/* Turns of `gap_us` each for `ms`: did any commit have to wait? */
static bool waits(struct pace *p, int64_t *now_us, int gap_us, int ms)
{
	bool any = false;

	for (int64_t end = *now_us + (int64_t)ms * 1000; *now_us < end; *now_us += gap_us) {
		any |= pace_wait(p, *now_us / 1000) > 0;
	}
	return any;
}

static void test_pace(void **state)
{
	struct pace p = { 0 };
	int64_t now = 5000 * 1000;

	(void)state;
	assert_false(waits(&p, &now, 50 * 1000, 500)); /* words of a model */
	assert_false(waits(&p, &now, 1000, 100));      /* a frame a ms */
	assert_true(waits(&p, &now, 100, 30));         /* ten a ms */
	assert_int_equal(pace_wait(&p, now / 1000), PACE_WAIT_MS);
	now += 50 * 1000;
	assert_false(waits(&p, &now, 1000, 100)); /* quiet again: at once */
	assert_true(waits(&p, &now, 100, 30));
	assert_int_equal(pace_wait(&p, 0), 0); /* a clock that jumps back */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_a_lent_frame_outlives),
		cmocka_unit_test(test_drop_and_go_on),
		cmocka_unit_test(test_pace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
