/* target_test.c -- what request targets mean. */
#include "server/wire/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "shared/base/ban.h"

#define STREAM "/v1/streams/stream/session"

static void targets(void **state)
{
	static const struct {
		const char *path, *args[3];
		enum target_route route;
		const char *session, *ticket;
		int64_t from; /* -1: none */
		bool bad;
	} rows[] = {
		{ "/v1/rpc", { 0 }, TARGET_RPC, "", "", -1, false },
		{ "/v1/rpc", { "x=1" }, TARGET_RPC, "", "", -1, false },
		{ "/v1/rpc/", { 0 }, TARGET_NONE, "", "", -1, false },
		{ "/v1/rp", { 0 }, TARGET_NONE, "", "", -1, false },
		{ "", { 0 }, TARGET_NONE, "", "", -1, false },
		{ STREAM, { "ticket=abc" }, TARGET_STREAM, "", "abc", -1, false },
		{ STREAM, { "from=0", "ticket=abc" }, TARGET_STREAM, "", "abc", 0, false },
		{ STREAM, { "ticket=", "from=9223372036854775807" }, TARGET_STREAM, "", "",
			9223372036854775807, false },
		{ STREAM, { 0 }, TARGET_STREAM, "", "", -1, false },
		{ STREAM, { "ticketx=abc", "fromage=brie" }, TARGET_STREAM, "", "", -1, false },
		{ STREAM, { "from=" }, TARGET_STREAM, "", "", -1, true },
		{ STREAM, { "from=-1" }, TARGET_STREAM, "", "", -1, true },
		{ STREAM, { "from=+1" }, TARGET_STREAM, "", "", -1, true },
		{ STREAM, { "from=1 " }, TARGET_STREAM, "", "", -1, true },
		{ STREAM, { "from=0x10" }, TARGET_STREAM, "", "", -1, true },
		{ STREAM, { "from=9223372036854775808" }, TARGET_STREAM, "", "", -1, true },
		{ STREAM, { "from=1", "from=x" }, TARGET_STREAM, "", "", -1, true },
		{ "/v1/streams/term/abc-1", { "ticket=t", "from=7" }, TARGET_TERM, "abc-1", "t", 7,
			false },
		{ "/v1/streams/term/abc-1", { "from=x" }, TARGET_TERM, "abc-1", "", -1, true },
		{ "/v1/streams/term/", { "ticket=t" }, TARGET_NONE, "", "", -1, false },
		{ "/v1/streams/term/a/b", { "ticket=t" }, TARGET_NONE, "", "", -1, false },
		{ "/v1/sessions/abc-1/snapshot", { 0 }, TARGET_SNAPSHOT, "abc-1", "", -1, false },
		{ "/v1/sessions/abc-1/snapshot", { "rows=400", "to=17" }, TARGET_SNAPSHOT, "abc-1",
			"", -1, false },
		{ "/v1/sessions/abc-1/snapshot", { "rows=-1" }, TARGET_SNAPSHOT, "abc-1", "", -1,
			true },
		{ "/v1/sessions/abc-1/snapshot", { "to=all" }, TARGET_SNAPSHOT, "abc-1", "", -1,
			true },
		{ "/v1/sessions//snapshot", { 0 }, TARGET_NONE, "", "", -1, false },
		{ "/v1/sessions/snapshot", { 0 }, TARGET_NONE, "", "", -1, false },
		{ "/v1/sessions/a/b/snapshot", { 0 }, TARGET_NONE, "", "", -1, false },
		{ "/v1/sessions/../snapshot", { 0 }, TARGET_NONE, "", "", -1, false },
		{ "/v1/sessions/a", { 0 }, TARGET_NONE, "", "", -1, false },
		{ "/v1/sessions/"
		  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"
		  "snapshot",
			{ 0 }, TARGET_NONE, "", "", -1, false },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_str args[3];
		struct target t;
		struct vy_err e = { .code = VY_OK };
		size_t n = 0;
		int rc;

		for (; n < 3 && rows[i].args[n]; n++) {
			args[n] = vy_str_c(rows[i].args[n]);
		}
		rc = target_parse(vy_str_c(rows[i].path), args, n, &t, &e);
		if (rows[i].bad) {
			if (rc != -1 || e.code != VY_BAD_INPUT ||
				!strstr(e.text, ": expected a cursor")) {
				fail_msg("%s %s: %d %s", rows[i].path, rows[i].args[0], rc, e.text);
			}
			continue;
		}
		if (rc != 0 || t.route != rows[i].route ||
			strcmp(t.session, rows[i].session) != 0 ||
			!vy_str_is(t.ticket, rows[i].ticket) || t.has_from != (rows[i].from >= 0) ||
			(t.has_from && t.from != rows[i].from)) {
			fail_msg("%s: %d route %d %s", rows[i].path, rc, t.route, t.session);
		}
	}
}

static void a_page_of_a_snapshot(void **state)
{
	struct vy_str args[] = { VY_STR_LIT("rows=400"), VY_STR_LIT("to=17") };
	struct vy_err e = { .code = VY_OK };
	struct target t;

	(void)state;
	assert_int_equal(target_parse(VY_STR_LIT("/v1/sessions/s/snapshot"), args, 2, &t, &e), 0);
	assert_int_equal(t.rows, 400);
	assert_int_equal(t.to, 17);
	assert_int_equal(target_parse(VY_STR_LIT("/v1/sessions/s/snapshot"), args, 0, &t, &e), 0);
	assert_int_equal(t.rows + t.to, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(targets),
		cmocka_unit_test(a_page_of_a_snapshot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
