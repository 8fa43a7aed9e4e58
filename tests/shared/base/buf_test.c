/* buf_test.c -- bytes that grow up to their maximum and never past it. */
#include "tests/check.h"

#include "shared/base/buf.h"
#include "shared/base/ban.h"

static void adds_up_to_its_maximum(void **state)
{
	(void)state;
	VY_AUTO_BUF b = VY_BUF_INIT(5);

	check_str("empty reads as a string", vy_buf_c(&b), "");
	check_true("fits", vy_buf_adds(&b, "abc"));
	check_true("too much is refused whole", !vy_buf_adds(&b, "def"));
	check_true("and remembered", vy_buf_is_over(&b));
	check_str("nothing of it was added", vy_buf_c(&b), "abc");
	check_true("what fits still fits", vy_buf_adds(&b, "de"));
	check_true("full is full", !vy_buf_addc(&b, 'f'));
	check_str("five bytes", vy_buf_c(&b), "abcde");
	vy_buf_clear(&b);
	check_true("cleared forgets", !vy_buf_is_over(&b) && b.len == 0);
	check_true("a length that would overflow", !vy_buf_reserve(&b, SIZE_MAX));
}

static void prints_and_cuts(void **state)
{
	(void)state;
	VY_AUTO_BUF b = VY_BUF_INIT(4096);
	char wide[400];

	memset(wide, 'x', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	vy_buf_addf(&b, "%d-%s", 7, "seven");
	check_str("printed", vy_buf_c(&b), "7-seven");
	vy_buf_clear(&b);
	vy_buf_addf(&b, "%s|", wide);
	check_int("longer than the small buffer", (long long)b.len, sizeof(wide));
	check_true("its end", b.data[b.len - 1] == '|');
	vy_buf_consume(&b, b.len - 3);
	check_str("consumed from the front", vy_buf_c(&b), "xx|");
	vy_buf_truncate(&b, 1);
	check_str("cut at the back", vy_buf_c(&b), "x");
	vy_buf_add(&b, "\0y", 2);
	check_vstr("holds NUL", vy_buf_str(&b), VY_STR_LIT("x\0y"));
}

static void hands_over(void **state)
{
	(void)state;
	VY_AUTO_BUF b = VY_BUF_INIT(10);
	size_t n = 99;
	char *p = vy_buf_take(&b, &n);

	check_str("an empty one gives an empty string", p, "");
	check_int("of length 0", (long long)n, 0);
	free(p);
	vy_buf_adds(&b, "mine");
	p = vy_buf_take(&b, &n);
	check_str("the bytes", p, "mine");
	check_int("their length", (long long)n, 4);
	free(p);
	check_true("usable again, same maximum", b.len == 0 && b.max == 10 && vy_buf_adds(&b, "x"));
}

static void reads_numbers(void **state)
{
	(void)state;
	static const struct {
		const char *name, *in;
		bool ok;
		long long out;
	} rows[] = {
		{ "zero", "0", true, 0 },
		{ "negative", "-17", true, -17 },
		{ "largest", "9223372036854775807", true, INT64_MAX },
		{ "one more", "9223372036854775808", false, 0 },
		{ "smallest", "-9223372036854775808", true, INT64_MIN },
		{ "one less", "-9223372036854775809", false, 0 },
		{ "nothing", "", false, 0 },
		{ "only a sign", "-", false, 0 },
		{ "a plus is no number", "+1", false, 0 },
		{ "space before", " 1", false, 0 },
		{ "a letter behind", "1x", false, 0 },
	};
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		long long v = 0;

		check_int(rows[i].name, vy_parse_i64(vy_str_c(rows[i].in), &v), rows[i].ok);
		check_int(rows[i].name, v, rows[i].out);
	}
}

CHECK_MAIN(CHECK_TEST(adds_up_to_its_maximum), CHECK_TEST(prints_and_cuts), CHECK_TEST(hands_over),
	CHECK_TEST(reads_numbers))
