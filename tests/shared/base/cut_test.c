/* cut_test.c -- pieces are the same however the stream was split; a long one is told once. */
#include "shared/base/cut.h"
#include "tests/check.h"

enum { MAX = 8 };

/* What came out, a word each: "[piece]", "<beginning of a long one>". */
static void run(struct vy_cut *c, struct vy_str in, size_t step, struct vy_buf *out)
{
	while (in.n) {
		struct vy_str part = vy_str_n(in.p, step < in.n ? step : in.n), piece;
		enum vy_cut_got got;

		in = vy_str_from(in, part.n);
		while ((got = vy_cut_next(c, &part, &piece)) != VY_CUT_MORE) {
			bool is_long = got == VY_CUT_TOO_LONG;

			vy_buf_addc(out, is_long ? '<' : '[');
			vy_buf_add(out, piece.p, is_long && piece.n > 3 ? 3 : piece.n);
			vy_buf_addc(out, is_long ? '>' : ']');
		}
	}
}

static void test_lines(void **state)
{
	static const struct {
		const char *name, *in, *out;
	} rows[] = {
		{ "two lines", "a\nbc\n", "[a][bc]" },
		{ "empty lines", "\n\na\n", "[][][a]" },
		{ "the last has no end", "a\nb", "[a]" },
		{ "exactly the maximum", "12345678\nx\n", "[12345678][x]" },
		{ "one over it", "123456789\nx\n", "<123>[x]" },
		{ "far over it", "1234567890123456789012345\nx\n", "<123>[x]" },
		{ "two long ones", "123456789\nabcdefghi\n\n", "<123><abc>[]" },
		{ "a carriage return stays", "a\r\n", "[a\r]" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		for (size_t step = 1; step <= strlen(rows[i].in); step++) {
			VY_AUTO_BUF out = VY_BUF_INIT(1000);
			struct vy_cut c;

			/* of a long line, three bytes are there whatever the step: it is told late */
			vy_cut_init(&c, VY_CUT_LINES, MAX);
			run(&c, vy_str_c(rows[i].in), step, &out);
			check_str(rows[i].name, vy_buf_c(&out), rows[i].out);
			vy_cut_fini(&c);
		}
	}
}

static void test_messages(void **state)
{
	static const struct {
		const char *name;
		struct vy_str in;
		const char *out;
	} rows[] = {
		{ "two", VY_STR_LIT("\0\0\0\1a\0\0\0\2bc"), "[a][bc]" },
		{ "empty", VY_STR_LIT("\0\0\0\0\0\0\0\1a"), "[][a]" },
		{ "exactly the maximum",
			VY_STR_LIT("\0\0\0\010"
				   "12345678\0\0\0\1a"),
			"[12345678][a]" },
		{ "cut in its length", VY_STR_LIT("\0\0\0\1a\0\0"), "[a]" },
		{ "cut in its body", VY_STR_LIT("\0\0\0\3ab"), "" },
		{ "newlines are bytes", VY_STR_LIT("\0\0\0\3\n\n\n"), "[\n\n\n]" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		for (size_t step = 1; step <= rows[i].in.n; step++) {
			VY_AUTO_BUF out = VY_BUF_INIT(1000);
			struct vy_cut c;

			vy_cut_init(&c, VY_CUT_U32, MAX);
			run(&c, rows[i].in, step, &out);
			check_str(rows[i].name, vy_buf_c(&out), rows[i].out);
			vy_cut_fini(&c);
		}
	}
}

/* A message says its length first, so a long one is refused before its bytes are there. */
static void test_long_message(void **state)
{
	struct vy_str in = VY_STR_LIT("\0\0\0\011123456789\0\0\0\1a"), piece;
	struct vy_cut c;

	(void)state;
	for (size_t step = 1; step <= in.n; step++) {
		struct vy_str rest = in;
		int told = 0, pieces = 0;

		vy_cut_init(&c, VY_CUT_U32, MAX);
		while (rest.n) {
			struct vy_str part = vy_str_n(rest.p, step < rest.n ? step : rest.n);
			enum vy_cut_got got;

			rest = vy_str_from(rest, part.n);
			while ((got = vy_cut_next(&c, &part, &piece)) != VY_CUT_MORE) {
				told += got == VY_CUT_TOO_LONG;
				pieces += got == VY_CUT_PIECE && vy_str_is(piece, "a");
			}
		}
		check_int("told once", told, 1);
		check_int("the next one is whole", pieces, 1);
		vy_cut_fini(&c);
	}
}

static void test_a_length_of_all_ones(void **state)
{
	struct vy_str in = VY_STR_LIT("\xff\xff\xff\xff"
				      "abc"),
		      piece;
	struct vy_cut c;

	(void)state;
	vy_cut_init(&c, VY_CUT_U32, MAX);
	check_int("too long", vy_cut_next(&c, &in, &piece), VY_CUT_TOO_LONG);
	check_int("skipped", vy_cut_next(&c, &in, &piece), VY_CUT_MORE);
	vy_cut_fini(&c);
}

static void test_memory(void **state)
{
	struct vy_str in = VY_STR_LIT("whole\n"), piece;
	char many[4096];
	struct vy_cut c;

	(void)state;
	vy_cut_init(&c, VY_CUT_LINES, 1000);
	check_int("a line", vy_cut_next(&c, &in, &piece), VY_CUT_PIECE);
	check_true("a whole one is lent, not copied", c.part.data == NULL);
	memset(many, 'x', sizeof(many));
	for (int i = 0; i < 1000; i++) {
		struct vy_str part = vy_str_n(many, sizeof(many));

		while (vy_cut_next(&c, &part, &piece) != VY_CUT_MORE) {
		}
	}
	check_true("an endless line is not kept", c.part.cap <= 2000);
	check_int("and nothing of it is pending", (long long)vy_cut_pending(&c), 0);
	vy_cut_fini(&c);
}

static void test_rest(void **state)
{
	struct vy_str in = VY_STR_LIT("a\nlast"), piece;
	struct vy_cut c;

	(void)state;
	vy_cut_init(&c, VY_CUT_LINES, MAX);
	while (vy_cut_next(&c, &in, &piece) != VY_CUT_MORE) {
	}
	check_int("pending", (long long)vy_cut_pending(&c), 4);
	check_true("there is a rest", vy_cut_rest(&c, &piece));
	check_vstr("the rest", piece, VY_STR_LIT("last"));
	check_true("once", !vy_cut_rest(&c, &piece));
	vy_cut_fini(&c);
}

CHECK_MAIN(CHECK_TEST(test_lines), CHECK_TEST(test_messages), CHECK_TEST(test_long_message),
	CHECK_TEST(test_a_length_of_all_ones), CHECK_TEST(test_memory), CHECK_TEST(test_rest))
