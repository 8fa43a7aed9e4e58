/* column_test.c -- when the sessions stand beside the chat, in what order, with what; and what is kept
 * of each: how much of it was shown, and where it was read. */
#include "tests/check.h"

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tui/app/column.h"
#include "tui/app/places.h"
#include "shared/base/ban.h"

static void widths(void **state)
{
	static const struct {
		const char *name;
		enum column_wish wish;
		int cols, want;
	} rows[] = {
		{ "by itself, too narrow", COLUMN_AUTO, 119, 0 },
		{ "by itself", COLUMN_AUTO, 120, 30 },
		{ "it takes a quarter, and then no more", COLUMN_AUTO, 400, 32 },
		{ "wanted", COLUMN_ON, 100, 25 },
		{ "wanted, in 80", COLUMN_ON, 80, 24 },
		{ "the least there is", COLUMN_ON, 64, 24 },
		{ "the chat needs the rest", COLUMN_ON, 63, 0 },
		{ "a small one", COLUMN_ON, 40, 0 },
		{ "unwanted", COLUMN_OFF, 400, 0 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_int(rows[i].name, column_cols(rows[i].wish, rows[i].cols), rows[i].want);
	}
}

/* ---- the list ---- */

#define NOW 10000000

static void orders(void **state)
{
	static const struct {
		const char *name, *threads, *want;
	} rows[] = {
		{ "nothing", "[]", "" },
		{ "the newest first", "[{'session':'a','updated':1},{'session':'b','updated':2}]",
			"b a" },
		{ "who asks before all",
			"[{'session':'a','updated':3},{'session':'b','updated':1,'asks':1},"
			"{'session':'c','updated':2,'asks':3}]",
			"c b a" },
		{ "what was put away after all",
			"[{'session':'a','updated':9,'archived':true,'asks':1},{'session':'b'}]",
			"b a" },
		{ "at the same time: as the server has them",
			"[{'session':'a'},{'session':'b'},{'session':'c'}]", "a b c" },
		{ "what is no session is left out", "[1,{'title':'x'},null,{'session':'b'}]", "b" },
		{ "no list", "3", "" },
	};
	struct roster r;
	struct seen seen;

	(void)state;
	roster_init(&r);
	seen_init(&seen);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF text = VY_BUF_INIT(4096), got = VY_BUF_INIT(4096);

		vy_buf_addf(&text, "{\"threads\":%s}", rows[i].threads);
		for (size_t k = 0; k < text.len; k++) {
			text.data[k] = text.data[k] == '\'' ? '"' : text.data[k];
		}
		VY_AUTO_JSON *answer = vy_json_parse(vy_buf_str(&text), NULL);

		check_true(rows[i].name, answer != NULL);
		roster_read(&r, answer, &seen);
		for (size_t k = 0; k < r.n; k++) {
			vy_buf_addf(&got, "%s%.*s", k ? " " : "", VY_STR_ARG(r.rows[k].session));
		}
		check_str(rows[i].name, vy_buf_c(&got), rows[i].want);
	}
	seen_fini(&seen);
	roster_fini(&r);
}

static void asides(void **state)
{
	static const struct {
		const char *name;
		struct roster_row row;
		const char *want, *brief;
	} rows[] = {
		{ "at rest", { .state = VY_STATE_WAITING, .updated = NOW - 300000 }, "5 min",
			"5 min" },
		{ "it works", { .state = VY_STATE_WORKING }, "working", "working" },
		{ "it works, and said something", { .state = VY_STATE_WORKING, .news = 2 }, "2 new",
			"2 new" },
		{ "it failed, whatever it said", { .state = VY_STATE_FAILED, .news = 2 }, "failed",
			"failed" },
		{ "it asks, whatever it said", { .state = VY_STATE_ASKING, .asks = 1, .news = 2 },
			"needs you", "needs you" },
		{ "it asks twice", { .state = VY_STATE_ASKING, .asks = 2 }, "needs you · 2",
			"needs you" },
		{ "put away", { .state = VY_STATE_ASKING, .asks = 2, .is_archived = true },
			"archived", "archived" },
		{ "nobody knows since when", { .state = VY_STATE_WAITING }, "now", "now" },
		{ "about to stop", { .state = VY_STATE_WAITING, .is_stopping = true }, "stopping",
			"stopping" },
	};
	char got[80];

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		roster_aside(&rows[i].row, NOW, false, got, sizeof(got));
		check_str(rows[i].name, got, rows[i].want);
		roster_aside(&rows[i].row, NOW, true, got, sizeof(got));
		check_str(rows[i].name, got, rows[i].brief);
	}
}

/* ---- what was shown ---- */

static void counts(void **state)
{
	struct seen a, b;
	uint64_t rev;

	(void)state;
	seen_init(&a);
	seen_init(&b);
	check_int("nobody knows it", seen_get(&a, "s"), 0);
	seen_set(&a, "s", 3);
	rev = a.rev;
	seen_set(&a, "s", 2);
	seen_set(&a, "s", 3);
	seen_set(&a, "t", 0);
	check_int("it only rises", seen_get(&a, "s"), 3);
	check_int("that was no change", (long long)a.rev, (long long)rev);
	seen_set(&b, "s", 5);
	seen_set(&b, "u", 1);
	VY_AUTO_JSON *packed = seen_pack(&b);

	seen_merge(&a, packed);
	check_int("another client saw more", seen_get(&a, "s"), 5);
	check_int("or other ones", seen_get(&a, "u"), 1);
	check_int("that was no change of ours", (long long)a.rev, (long long)rev);
	VY_AUTO_JSON *bad = vy_json_parse(VY_STR_LIT("{\"s\":\"x\",\"u\":-4,\"v\":{}}"), NULL);

	seen_merge(&a, bad);
	seen_merge(&a, NULL);
	check_int("what makes no sense is passed over", seen_get(&a, "s"), 5);
	for (int i = 0; i < SEEN_MAX + 10; i++) {
		char id[24];

		snprintf(id, sizeof(id), "n%d", i);
		seen_set(&a, id, 1);
		seen_set(&a, "s", 6 + i);
	}
	check_int("there is an end to it", (long long)a.n, SEEN_MAX);
	check_int("who was shown last stays", seen_get(&a, "s"), 6 + SEEN_MAX + 9);
	check_int("who was not, does not", seen_get(&a, "n0"), 0);
	seen_fini(&a);
	seen_fini(&b);
}

/* ---- where it was read ---- */

static void places(void **state)
{
	struct places p = { 0 };
	struct transcript_place at = { .key = vy_strdup("u:1"), .mark = 7 };

	(void)state;
	places_keep(&p, "a", &at);
	check_true("it was handed over", at.key == NULL);
	check_int("it is there", (long long)places_find(&p, "a")->mark, 7);
	check_true("of that one alone", places_find(&p, "b") == NULL);
	at = (struct transcript_place){ .key = vy_strdup("u:2"), .mark = 8 };
	places_keep(&p, "a", &at);
	check_int("the last counts", (long long)places_find(&p, "a")->mark, 8);
	check_int("and is one", (long long)p.n, 1);
	places_keep(&p, "a", &at);
	check_true("read to the end: none", places_find(&p, "a") == NULL);
	for (int i = 0; i <= PLACES_MAX; i++) {
		char id[16];

		snprintf(id, sizeof(id), "s%d", i);
		at = (struct transcript_place){ .key = vy_strdup("u:1"), .mark = (size_t)i };
		places_keep(&p, id, &at);
	}
	check_true("the oldest goes", places_find(&p, "s0") == NULL);
	check_int("the others stay", (long long)places_find(&p, "s1")->mark, 1);
	check_int("there is an end to it", (long long)p.n, PLACES_MAX);
	places_fini(&p);
}

CHECK_MAIN(CHECK_TEST(widths), CHECK_TEST(orders), CHECK_TEST(asides), CHECK_TEST(counts),
	CHECK_TEST(places))
