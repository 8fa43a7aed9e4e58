/* err_test.c -- an error's text is whole characters whatever happens to it; codes keep their words. */
#include <errno.h>

#include "shared/base/err.h"
#include "shared/base/sm.h"
#include "tests/check.h"

static void test_set_and_wrap(void **state)
{
	struct vy_err e;

	(void)state;
	check_int("-1", vy_fail(&e, VY_NOT_FOUND, "no session %s", "x"), -1);
	check_int("code", e.code, VY_NOT_FOUND);
	vy_wrap(&e, "opening %d", 7);
	check_str("text", e.text, "opening 7: no session x");
	check_int("wrapping keeps the code", e.code, VY_NOT_FOUND);

	vy_fail_errno(&e, ENOENT, "reading %s", "/x");
	check_int("code", e.code, VY_IO);
	check_str("text", e.text, "reading /x: No such file or directory");
	vy_fail_errno(&e, ENOSPC, "writing");
	check_int("a full disk is a code of its own", e.code, VY_FULL);

	vy_err_clear(&e);
	check_int("cleared", e.code, VY_OK);
	check_str("cleared", e.text, "");
	check_int("nobody asks why", vy_fail(NULL, VY_BUG, "%d", 1), -1);
	check_int("nobody asks why", vy_wrap(NULL, "x"), -1);
}

/* Long texts are cut, at every offset, but never within a character. */
static void test_cut_between_characters(void **state)
{
	(void)state;
	for (int pad = 0; pad < 8; pad++) {
		char text[1024];
		struct vy_err e;
		size_t n = 0;

		memset(text, 'x', (size_t)pad);
		for (n = (size_t)pad; n + 8 < sizeof(text);) {
			memcpy(text + n, "é€😀", 9);
			n += 9;
		}
		text[n < sizeof(text) ? n : sizeof(text) - 1] = '\0';
		vy_fail(&e, VY_BAD_INPUT, "%s", text);
		for (int wraps = 0; wraps < 5; wraps++) {
			size_t len = strlen(e.text);
			size_t back = len;

			check_true("is cut", len < sizeof(e.text) && len > sizeof(e.text) - 5);
			while (back > 0 && ((unsigned char)e.text[back - 1] & 0xC0) == 0x80) {
				back--;
			}
			unsigned char lead = (unsigned char)e.text[back - 1];
			size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;

			check_int("the last character is whole", (long long)(len - back + 1),
				(long long)want);
			vy_wrap(&e, "w%d", wraps);
		}
	}
}

static void test_codes(void **state)
{
	(void)state;
	for (int c = VY_OK + 1; c < VY_CODE_COUNT; c++) {
		check_true(vy_code_name(c), vy_code_kind(c)[0] != '\0' && vy_code_rpc(c) < -32000);
	}
	check_str("kind", vy_code_kind(VY_PERSON_ONLY), "person_only");
	check_str("unknown", vy_code_kind((enum vy_code)999), "internal");
}

static void test_state_machine(void **state)
{
	enum { A, B, C };
	static const struct vy_sm_state states[] = {
		[A] = { "a", VY_BIT(B) },
		[B] = { "b", VY_BIT(A) | VY_BIT(C) },
		[C] = { "c", 0 },
	};
	struct vy_sm m = { .states = states, .count = VY_COUNT(states), .now = A };
	struct vy_err e;

	(void)state;
	check_int("a>c", vy_sm_move(&m, C, &e), -1);
	check_int("code", e.code, VY_CONFLICT);
	check_str("text", e.text, "cannot go from a to c");
	check_str("a refused move changes nothing", vy_sm_name(&m), "a");
	check_int("staying", vy_sm_move(&m, A, &e), 0);
	check_int("a>b", vy_sm_move(&m, B, &e), 0);
	check_int("b>c", vy_sm_move(&m, C, &e), 0);
	check_int("c is an end", vy_sm_move(&m, A, &e), -1);
	check_str("now", vy_sm_name(&m), "c");
}

CHECK_MAIN(CHECK_TEST(test_set_and_wrap), CHECK_TEST(test_cut_between_characters),
	CHECK_TEST(test_codes), CHECK_TEST(test_state_machine))
