/* crowd_test.c -- whose keys count, and which size a terminal has; and the list of its sizes. */
#include "server/term/crowd.h"

#include "server/term/sizes.h"
#include "tests/check.h"

#include "shared/base/ban.h"

/* +1 -1 come and go, *1 comes and claims the keys, =1:80x24 says its size, !1 takes. After it: "keys cols x rows", sizes "-" for none. */
static const struct {
	const char *name, *script, *want;
} rows[] = {
	{ "nobody", "", "0 -" },
	{ "one", "+1 =1:80x24", "1 80x24" },
	{ "one that says nothing", "+1", "1 -" },
	{ "the smallest of each side", "+1 =1:80x24 +2 =2:40x50", "1 40x24" },
	{ "who says nothing does not count", "+1 =1:80x24 +2", "1 80x24" },
	{ "it grows again", "+1 =1:80x24 +2 =2:40x50 -2", "1 80x24" },
	{ "one takes", "+1 =1:80x24 +2 =2:100x50 !2", "2 100x50" },
	{ "another takes", "+1 =1:80x24 +2 =2:100x50 !2 !1", "1 80x24" },
	{ "who took changes", "+1 =1:80x24 +2 =2:100x50 !2 =2:10x5 =1:9x9", "2 10x5" },
	{ "who took leaves", "+1 =1:80x24 +2 =2:40x50 +3 =3:70x9 !2 -2", "0 70x9" },
	{ "takes before it said", "+1 =1:80x24 +2 !2", "2 80x24" },
	{ "the holder leaves one", "+1 =1:80x24 +2 =2:40x50 -1", "2 40x50" },
	{ "the holder leaves two", "+1 +2 +3 -1", "0 -" },
	{ "the next one comes", "+1 -1 +2", "2 -" },
	{ "comes to many", "+1 +2 +4 -1 +3", "3 -" },
	{ "the opener comes second", "+1 *2", "2 -" },
	{ "two claims", "*1 *2", "1 -" },
	{ "a claim, and it was taken", "+1 !1 *2", "1 -" },
	{ "cut, and comes again", "*1 +2 -1 *1", "1 -" },
	{ "somebody was faster", "*1 +2 -1 +3 *1", "1 -" },
	{ "and took it", "*1 +2 -1 !2 *1", "2 -" },
	{ "all leave", "+1 =1:8x2 +2 -1 -2", "0 -" },
};

static void who_and_how_large(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct crowd c = { 0 };
		char script[128], said[64], *save = NULL;
		unsigned id, cols, lines;

		snprintf(script, sizeof(script), "%s", rows[i].script);
		for (char *w = strtok_r(script, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
			if (sscanf(w, "=%u:%ux%u", &id, &cols, &lines) == 3) {
				crowd_resize(&c, id, cols, lines);
			} else if (sscanf(w, "*%u", &id) == 1) {
				check_true(rows[i].name, crowd_add(&c, id, true));
			} else if (sscanf(w, "+%u", &id) == 1) {
				check_true(rows[i].name, crowd_add(&c, id, false));
			} else if (sscanf(w, "-%u", &id) == 1) {
				crowd_del(&c, id);
			} else if (sscanf(w, "!%u", &id) == 1) {
				crowd_take(&c, id);
			}
		}
		if (crowd_size(&c, &cols, &lines)) {
			snprintf(said, sizeof(said), "%u %ux%u", c.keys, cols, lines);
		} else {
			snprintf(said, sizeof(said), "%u -", c.keys);
		}
		check_str(rows[i].name, said, rows[i].want);
	}
}

static void too_many(void **state)
{
	struct crowd c = { 0 };

	(void)state;
	for (unsigned i = 1; i <= CROWD_MAX; i++) {
		assert_true(crowd_add(&c, i, false));
	}
	assert_false(crowd_add(&c, CROWD_MAX + 1, true));
	for (unsigned i = CROWD_MAX; i >= 1; i--) {
		crowd_del(&c, i);
	}
	assert_int_equal(c.n, 0);
}

/* ---- sizes ---- */

static void sizes_in_order(void **state)
{
	struct sizes s, back;
	bool holds = true;

	(void)state;
	sizes_init(&s, (struct size){ 5, 80, 24 });
	assert_int_equal(sizes_past(&s, 99), 0);
	sizes_add(&s, (struct size){ 10, 40, 10 });
	sizes_add(&s, (struct size){ 10, 41, 10 });
	sizes_add(&s, (struct size){ 20, 42, 10 });
	assert_int_equal(sizes_at(&s, 9).cols, 80);
	assert_int_equal(sizes_at(&s, 10).cols, 41);
	assert_int_equal(sizes_at(&s, 19).cols, 41);
	assert_int_equal(sizes_at(&s, 20).cols, 42);
	assert_int_equal(sizes_past(&s, 10), 2);
	assert_int_equal(sizes_get(&s, 0, &holds)->cols, 40);
	assert_false(holds);
	sizes_settle(&s);
	assert_int_equal(sizes_get(&s, 2, &holds)->cols, 42);
	assert_true(holds);
	assert_null(sizes_get(&s, 3, &holds));
	sizes_shift(&s);
	assert_int_equal(s.first.cols, 40);
	assert_null(sizes_get(&s, 0, &holds));
	assert_int_equal(sizes_get(&s, 1, &holds)->cols, 41);
	VY_AUTO_JSON *doc = sizes_encode(&s);

	assert_true(sizes_decode(&back, doc));
	assert_int_equal(back.n, 2);
	assert_int_equal(sizes_last(&back).cols, 42);
	assert_int_equal(sizes_at(&back, 10).cols, 41);
	sizes_fini(&back);
	sizes_fini(&s);
}

static const struct {
	const char *name, *doc;
} bad[] = {
	{ "no list", "7" },
	{ "none", "[]" },
	{ "no size", "[[0]]" },
	{ "too large", "[[0,80,1001]]" },
	{ "of nothing", "[[0,0,24]]" },
	{ "below 0", "[[-1,80,24]]" },
	{ "in no order", "[[5,80,24],[4,80,24]]" },
};

static void no_sizes(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(bad); i++) {
		VY_AUTO_JSON *doc = vy_json_parse(vy_str_c(bad[i].doc), NULL);
		struct sizes s;

		check_true(bad[i].name, !sizes_decode(&s, doc));
	}
}

CHECK_MAIN(CHECK_TEST(who_and_how_large), CHECK_TEST(too_many), CHECK_TEST(sizes_in_order),
	CHECK_TEST(no_sizes))
