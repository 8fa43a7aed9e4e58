/* hold_window_test.c -- what is given out, what waits, and what no longer fits. */
#include "server/io/hold_window.h"
#include "shared/base/limits.h"
#include "tests/check.h"

static struct vy_str blob(size_t n)
{
	static char bytes[VY_HOLD_MSG_MAX];

	return vy_str_n(bytes, n);
}

/* Takes all that may go now; how many. */
static int take(struct hold_window *w, uint64_t *last)
{
	struct vy_str bytes;
	int n = 0;

	while (hold_window_next(w, last, &bytes)) {
		n++;
	}
	return n;
}

static void test_flow(void **state)
{
	struct hold_window w;
	uint64_t seq = 0;

	(void)state;
	hold_window_init(&w);
	for (uint64_t i = 1; i <= 10; i++) {
		assert_true(hold_window_add(&w, i, blob(VY_MIB)));
	}
	check_int("a window's worth goes", take(&w, &seq), VY_HOLD_IN_WINDOW / VY_MIB);
	check_int("in order", (long long)seq, 4);
	hold_window_arrived(&w, 1);
	check_int("what did not arrive makes no room", take(&w, &seq), 0);
	hold_window_arrived(&w, 3);
	check_int("two did", take(&w, &seq), 2);
	check_int("the next two", (long long)seq, 6);
	hold_window_arrived(&w, 9);
	check_int("some arrived by an earlier vyred", take(&w, &seq), 2);
	check_int("the last", (long long)seq, 10);
	hold_window_arrived(&w, 100);
	check_int("nothing is left", (long long)w.waiting, 0);
	check_int("nor on its way", (long long)w.on_way, 0);
	assert_true(hold_window_add(&w, 101, blob(0)));
	check_int("an end of input goes too", take(&w, &seq), 1);
	hold_window_fini(&w);
}

static void test_large(void **state)
{
	struct hold_window w;
	uint64_t seq = 0;

	(void)state;
	hold_window_init(&w);
	assert_true(hold_window_add(&w, 1, blob(2 * VY_HOLD_IN_WINDOW)));
	assert_true(hold_window_add(&w, 2, blob(1)));
	check_int("one larger than the window goes alone", take(&w, &seq), 1);
	hold_window_arrived(&w, 2);
	check_int("then the next", take(&w, &seq), 1);
	check_true("one larger than a message may be is refused",
		!hold_window_add(&w, 3, blob(VY_HOLD_MSG_MAX)));
	hold_window_fini(&w);
}

static void test_full(void **state)
{
	struct hold_window w;
	uint64_t seq = 1;

	(void)state;
	hold_window_init(&w);
	while (hold_window_add(&w, seq, blob(VY_MIB))) {
		seq++;
	}
	check_int("full", (long long)w.waiting, VY_HOLD_IN_MAX);
	take(&w, &seq);
	check_true("being on the way is no room", !hold_window_add(&w, 1000, blob(1)));
	hold_window_arrived(&w, 2);
	check_true("having arrived is", hold_window_add(&w, 1000, blob(VY_MIB)));
	hold_window_fini(&w);
}

CHECK_MAIN(CHECK_TEST(test_flow), CHECK_TEST(test_large), CHECK_TEST(test_full))
