/* digits_test.c -- digits are what printf says they are. */
#include "tests/check.h"

#include <stdio.h>

#include "shared/base/digits.h"
#include "shared/base/ban.h"

static void check_one(uint64_t n)
{
	char out[VY_DIGITS_MAX], want[32];
	size_t len = vy_digits(n, 10, out);

	snprintf(want, sizeof(want), "%llu", (unsigned long long)n);
	assert_int_equal(len, strlen(want));
	assert_memory_equal(out, want, len);
	len = vy_digits(n, 16, out);
	snprintf(want, sizeof(want), "%llx", (unsigned long long)n);
	assert_int_equal(len, strlen(want));
	assert_memory_equal(out, want, len);
}

static void as_printf_says(void **state)
{
	(void)state;
	for (uint64_t n = 0; n < 3000; n++) {
		check_one(n);
	}
	for (uint64_t n = 1; n; n <<= 1) {
		check_one(n - 1);
		check_one(n);
		check_one(n + 1);
	}
	for (uint64_t n = 1; n < UINT64_MAX / 10; n *= 10) {
		check_one(n - 1);
		check_one(n);
	}
	check_one(UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(as_printf_says) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
