/* input_test.c -- each message once, in order; when it may be acknowledged; when no more is taken. */
#include "server/holder/input.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tests/check.h"

static struct vy_str blob(size_t n)
{
	static char bytes[VY_HOLD_MSG_MAX];

	return vy_str_n(bytes, n);
}

/* What the child gets, read in steps. */
static void read_all(struct input *in, size_t step, struct vy_buf *out)
{
	struct vy_str s;
	bool is_end;

	while (input_peek(in, &s, &is_end)) {
		size_t n = s.n < step ? s.n : step;

		vy_buf_add(out, is_end ? "." : s.p, is_end ? 1 : n);
		input_wrote(in, n);
	}
}

static void test_once_and_in_order(void **state)
{
	static const struct {
		const char *name;
		uint64_t seq;
		const char *bytes;
		enum input_got got;
	} rows[] = {
		{ "the first may have any number", 4, "a", INPUT_TAKEN },
		{ "the same again", 4, "a", INPUT_OLD },
		{ "a lower one", 0, "z", INPUT_OLD },
		{ "the next", 5, "bc", INPUT_TAKEN },
		{ "numbers may leave gaps", 9, "d", INPUT_TAKEN },
		{ "one from the gap is too late", 7, "y", INPUT_OLD },
		{ "the end", 10, "", INPUT_TAKEN },
		{ "after the end", 11, "x", INPUT_CLOSED },
		{ "the end again", 10, "", INPUT_OLD },
	};

	(void)state;
	for (size_t step = 1; step < 3; step++) {
		VY_AUTO_BUF out = VY_BUF_INIT(100);
		struct input in;

		input_init(&in);
		for (size_t i = 0; i < VY_COUNT(rows); i++) {
			check_int(rows[i].name,
				input_add(&in, rows[i].seq, vy_str_c(rows[i].bytes)), rows[i].got);
		}
		check_int("what is to come next", (long long)in.next, 11);
		check_int("all are due", (long long)input_due(&in), 11);
		read_all(&in, step, &out);
		check_str("the child reads", vy_buf_c(&out), "abcd.");
		input_fini(&in);
	}
}

static void test_due(void **state)
{
	struct input in;

	(void)state;
	input_init(&in);
	check_int("nothing yet", (long long)input_due(&in), 0);
	input_add(&in, 0, blob(INPUT_SOFT));
	check_int("the first at once", (long long)input_due(&in), 1);
	input_add(&in, 1, blob(10));
	check_int("what stands right behind the soft limit", (long long)input_due(&in), 2);
	input_add(&in, 2, blob(10));
	input_add(&in, 3, blob(10));
	check_int("what stands further is held back", (long long)input_due(&in), 2);
	input_wrote(&in, 9);
	check_int("not yet", (long long)input_due(&in), 2);
	input_wrote(&in, 1);
	check_int("as the child reads, it comes", (long long)input_due(&in), 3);
	input_wrote(&in, 10);
	check_int("and the last", (long long)input_due(&in), 4);
	input_fini(&in);
}

static void test_full(void **state)
{
	struct input in;
	uint64_t seq = 0;

	(void)state;
	input_init(&in);
	while (in.taken + VY_HOLD_MSG_MAX <= INPUT_MAX) {
		check_int("room", input_add(&in, seq++, blob(VY_HOLD_MSG_MAX)), INPUT_TAKEN);
	}
	check_int("full", input_add(&in, seq, blob(VY_HOLD_MSG_MAX)), INPUT_FULL);
	check_int("it was not taken", (long long)in.next, (long long)seq);
	input_wrote(&in, VY_HOLD_MSG_MAX);
	check_int("room again", input_add(&in, seq, blob(VY_HOLD_MSG_MAX)), INPUT_TAKEN);
	input_fini(&in);
}

static void test_closed(void **state)
{
	struct input in;
	struct vy_str s;
	bool is_end;

	(void)state;
	input_init(&in);
	input_add(&in, 0, vy_str_c("lost"));
	input_close(&in);
	check_true("nothing to write", !input_peek(&in, &s, &is_end));
	check_int("not taken any more", input_add(&in, 1, vy_str_c("x")), INPUT_CLOSED);
	check_int("so a vyred knows it did not arrive", (long long)in.next, 1);
	input_fini(&in);
}

CHECK_MAIN(CHECK_TEST(test_once_and_in_order), CHECK_TEST(test_due), CHECK_TEST(test_full),
	CHECK_TEST(test_closed))
