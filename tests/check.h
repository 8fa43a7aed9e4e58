/* check.h -- what a unit test includes: cmocka, and checks that name the row of the table.
 *
 *	static const struct { const char *name; int w; const char *in, *out; } rows[] = { … };
 *	for (size_t i = 0; i < VY_COUNT(rows); i++)
 *		check_str(rows[i].name, wrapped(rows[i].in, rows[i].w), rows[i].out);
 *
 * A check that fails prints the row's name and what differs, and ends the test. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shared/base/str.h"

/* Prints bytes so that every one can be seen; text in UTF-8 stays readable. */
static inline void check_print(const char *label, struct vy_str s, size_t differs_at)
{
	fprintf(stderr, "  %s \"", label);
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (i == differs_at) {
			fputs("»", stderr);
		}
		if (c == '\n') {
			fputs("\\n\n       ", stderr);
		} else if (c < 0x20 || c == 0x7F) {
			fprintf(stderr, "\\x%02X", c);
		} else {
			fputc(c, stderr);
		}
	}
	fprintf(stderr, "%s\" (%zu bytes)\n", differs_at >= s.n ? "»" : "", s.n);
}

static inline void check_vstr(const char *name, struct vy_str got, struct vy_str want)
{
	size_t at = 0;

	if (vy_str_eq(got, want)) {
		return;
	}
	while (at < got.n && at < want.n && got.p[at] == want.p[at]) {
		at++;
	}
	while (at > 0 && at < got.n && ((unsigned char)got.p[at] & 0xC0) == 0x80) {
		at--; /* the mark stands before a character, not in it */
	}
	fprintf(stderr, "%s: differs from byte %zu on\n", name, at);
	check_print("got ", got, at);
	check_print("want", want, at);
	fail_msg("%s", name);
}

static inline void check_str(const char *name, const char *got, const char *want)
{
	check_vstr(name, vy_str_c(got ? got : "(null)"), vy_str_c(want ? want : "(null)"));
}

static inline void check_int(const char *name, long long got, long long want)
{
	if (got != want) {
		fail_msg("%s: got %lld, want %lld", name, got, want);
	}
}

static inline void check_true(const char *name, bool fact)
{
	if (!fact) {
		fail_msg("%s: is not so", name ? name : "");
	}
}

#define CHECK_TEST(fn) cmocka_unit_test(fn)

/* main() of a test file: CHECK_MAIN(test_a, test_b) runs them in order. */
#define CHECK_MAIN(...)                                                                            \
	int main(void)                                                                             \
	{                                                                                          \
		const struct CMUnitTest tests[] = { __VA_ARGS__ };                                 \
                                                                                                   \
		return cmocka_run_group_tests(tests, NULL, NULL);                                  \
	}

#endif
