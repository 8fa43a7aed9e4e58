/* ring_test.c -- bounds, order, and frames that outlive their ring; the pace of commits; a row among those that are staged. */
#include "server/log/ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>

#include <cmocka.h>

#include "server/log/pace.h"
#include "server/log/row.h"
#include "server/log/stage.h"
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

/* ---- what is staged ---- */

static struct store_row kv(const char *space, const char *name, const char *value)
{
	return (struct store_row){ .kind = ROW_KV,
		.kv = { vy_str_c(space), vy_str_c(name), vy_str_c(value) } };
}

static void check_kv(const struct stage *g, const char *space, const char *name, const char *want)
{
	struct store_row key = kv(space, name, "");
	const struct store_row *r = stage_find(g, &key);

	if (!want) {
		assert_null(r);
		return;
	}
	assert_non_null(r);
	assert_true(vy_str_is(r->kv.value, want));
}

static void put(struct stage *g, const char *space, const char *name, const char *value)
{
	struct store_row r = kv(space, name, value);

	stage_row(g, &r, false);
}

static void test_one_row_of_many_that_are_staged(void **state)
{
	struct store_row gone = kv("x", "n500", "");
	struct stage g;
	char name[20], value[20];

	(void)state;
	stage_init(&g);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		snprintf(value, sizeof(value), "%d", i);
		put(&g, "x", name, value);
	}
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		snprintf(value, sizeof(value), "%d", i);
		check_kv(&g, "x", name, value);
	}
	check_kv(&g, "x", "n1000", NULL);
	check_kv(&g, "xn", "1", NULL);
	put(&g, "x", "n3", "anew");
	check_kv(&g, "x", "n3", "anew");
	stage_row(&g, &gone, true);
	check_kv(&g, "x", "n500", NULL);
	check_kv(&g, "x", "n501", "501");
	put(&g, "x", "n500", "back");
	check_kv(&g, "x", "n500", "back");
	stage_fini(&g);
}

/* Its key alone makes a row the same, and all of its key. */
static void test_a_hash_is_of_what_is_the_same(void **state)
{
	const struct store_row rows[] = {
		kv("a", "b", "1"),
		kv("a", "b", "another value"),
		kv("ab", "", "1"),
		kv("", "ab", "1"),
		{ .kind = ROW_MESSAGE,
			.message = { .session = VY_STR_LIT("a"), .message = VY_STR_LIT("b") } },
		{ .kind = ROW_TELL, .tell = { .hid = VY_STR_LIT("a"), .seq = 1 } },
		{ .kind = ROW_TELL, .tell = { .hid = VY_STR_LIT("a"), .seq = 2 } },
		{ .kind = ROW_JOURNAL, .journal = { .seq = 1 } },
		{ .kind = ROW_JOURNAL, .journal = { .seq = 2 } },
		{ .kind = ROW_CONTROL, .control = { .seq = 1 } },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		for (size_t k = 0; k < VY_COUNT(rows); k++) {
			assert_int_equal(row_hash(&rows[i]) == row_hash(&rows[k]),
				row_same(&rows[i], &rows[k]));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_a_lent_frame_outlives),
		cmocka_unit_test(test_drop_and_go_on),
		cmocka_unit_test(test_pace),
		cmocka_unit_test(test_one_row_of_many_that_are_staged),
		cmocka_unit_test(test_a_hash_is_of_what_is_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
