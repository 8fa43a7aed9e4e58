/* arena_test.c -- memory given back all at once: aligned, zeroed, apart. */
#include "tests/check.h"

#include <stdalign.h>

#include "shared/base/arena.h"
#include "shared/base/ban.h"

static bool is_zero(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i]) {
			return false;
		}
	}
	return true;
}

static void gives_aligned_zeroed_pieces(void **state)
{
	(void)state;
	struct vy_arena a;
	unsigned char *pieces[200];

	vy_arena_init(&a);
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < VY_COUNT(pieces); i++) {
			size_t n = i * 37 % 900 + 1;

			pieces[i] = vy_arena_alloc(&a, n);
			check_true("aligned", (uintptr_t)pieces[i] % alignof(max_align_t) == 0);
			check_true("zeroed", is_zero(pieces[i], n));
			memset(pieces[i], (int)(i + 1), n);
		}
		for (size_t i = 0; i < VY_COUNT(pieces); i++) {
			size_t n = i * 37 % 900 + 1;

			check_true(
				"kept apart", pieces[i][0] == (unsigned char)(i + 1) &&
						      pieces[i][n - 1] == (unsigned char)(i + 1));
		}
		check_true("counted", a.used >= 200);
		vy_arena_reset(&a);
		check_int("empty after a reset", (long long)a.used, 0);
	}
	vy_arena_fini(&a);
}

static void takes_more_than_a_block(void **state)
{
	(void)state;
	struct vy_arena a;

	vy_arena_init(&a);
	unsigned char *big = vy_arena_calloc(&a, 3, 1024 * 1024);

	check_true("zeroed", is_zero(big, 3 * 1024 * 1024));
	memset(big, 0xFF, 3 * 1024 * 1024);
	vy_arena_reset(&a);
	check_true("a huge block is not kept", a.head == NULL);
	check_true("and it works on", is_zero(vy_arena_alloc(&a, 64), 64));
	vy_arena_fini(&a);
}

static void copies_text(void **state)
{
	(void)state;
	struct vy_arena a;

	vy_arena_init(&a);
	check_str("dup ends in NUL", vy_arena_dup(&a, "abcdef", 3), "abc");
	check_str("dup of nothing", vy_arena_dup(&a, NULL, 0), "");
	check_str("printf", vy_arena_printf(&a, "%s:%d", "row", 17), "row:17");
	check_vstr("slice", vy_arena_str(&a, VY_STR_LIT("x\0y")), VY_STR_LIT("x\0y"));
	vy_arena_fini(&a);
}

CHECK_MAIN(CHECK_TEST(gives_aligned_zeroed_pieces), CHECK_TEST(takes_more_than_a_block),
	CHECK_TEST(copies_text))
