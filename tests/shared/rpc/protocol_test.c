/* protocol_test.c -- which side is to be upgraded is said right, on both sides. */
#include "shared/rpc/protocol.h"

#include "tests/check.h"
#include "shared/base/ban.h"

static void check_said(const char *name, int rc, const struct vy_err *e, const char *says)
{
	check_int(name, rc, *says ? -1 : 0);
	check_true(name, strstr(e->text, says) != NULL);
}

static void a_server_judges_clients(void **state)
{
	static const struct {
		const char *name, *said, *says;
	} rows[] = {
		{ "one that says nothing", "", "" },
		{ "one of our time", "1", "" },
		{ "a newer one", "2", "up to 1: upgrade vyred" },
		{ "an older one", "0", "from 1 on: upgrade vyre-tui" },
		{ "no number", "new", "expected a number" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_err e = { 0 };
		int rc = vy_protocol_of_client(vy_str_c(rows[i].said), &e);

		check_said(rows[i].name, rc, &e, rows[i].says);
	}
}

static void a_client_judges_servers(void **state)
{
	static const struct {
		const char *name;
		int64_t min, max;
		const char *says;
	} rows[] = {
		{ "one of our time", 1, 1, "" },
		{ "one that still takes us", 1, 7, "" },
		{ "one that came after us", 2, 7, "upgrade vyre-tui" },
		{ "one that was before us", 0, 0, "upgrade vyred" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_err e = { 0 };
		int rc = vy_protocol_of_server(rows[i].min, rows[i].max, &e);

		check_said(rows[i].name, rc, &e, rows[i].says);
	}
}

CHECK_MAIN(CHECK_TEST(a_server_judges_clients), CHECK_TEST(a_client_judges_servers))
