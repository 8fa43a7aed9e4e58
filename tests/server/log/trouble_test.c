/* trouble_test.c -- what a failed commit means, and in which words: each code, in one table. */
#include "server/log/trouble.h"

#include "tests/check.h"
#include "shared/base/ban.h"

static void each_code_has_its_words(void **state)
{
	static const struct {
		enum vy_code code;
		const char *reason, *begins, *says;
		bool is_broken;
	} rows[] = {
		{ VY_FULL, "disk-full", "It failed", "goes on by itself when there is room.",
			false },
		{ VY_IO, "disk-failed", "It failed", "it is tried again.", false },
		{ VY_RETRY, "storage-slow", "The storage is slow: it failed",
			"Agents wait and lose nothing.", false },
		{ VY_CORRUPT, "damaged", "It failed", "nothing new is taken.", true },
		{ VY_CONFLICT, "not-ours", "It failed", "start vyred again.", true },
		{ VY_BUG, "not-ours", "It failed", "start vyred again.", true },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		const char *name = vy_code_name(rows[i].code);
		VY_AUTO_BUF note = VY_BUF_INIT(4096);
		struct trouble t = { 0 };
		struct vy_err e;

		vy_fail(&e, rows[i].code, "it failed");
		bool is_news = trouble_failed(&t, &e, 1000);

		/* another program may be done any moment */
		check_true(name, is_news == (rows[i].code != VY_RETRY));
		trouble_failed(&t, &e, 1000 + TROUBLE_SLOW_MS);
		check_str(name, trouble_reason(&t), rows[i].reason);
		trouble_note(&t, &note);
		check_true(name, vy_str_starts(vy_buf_str(&note), rows[i].begins));
		check_true(name, strstr(vy_buf_c(&note), rows[i].says) != NULL);
		check_true(name, t.is_broken == rows[i].is_broken);
		check_true(name, (t.retry_ms > 0) == !rows[i].is_broken);
	}
}

CHECK_MAIN(CHECK_TEST(each_code_has_its_words))
