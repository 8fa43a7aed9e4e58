/* ticket_test.c -- once, in time, by the one it was made for. */
#include "server/auth/ticket.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "shared/base/limits.h"
#include "shared/base/ban.h"

static int64_t now_ms;

static int64_t fake_now(void *ctx)
{
	(void)ctx;
	return now_ms;
}

static const struct vy_clock clock_fake = { fake_now, fake_now, NULL };

static struct ticket_grant grant_of(const char *person, const char *viewer)
{
	struct ticket_grant g = { .caller.kind = CALLER_PERSON };

	snprintf(g.caller.person, sizeof(g.caller.person), "%s", person);
	snprintf(g.caller.device, sizeof(g.caller.device), "local");
	snprintf(g.session, sizeof(g.session), "s");
	snprintf(g.viewer, sizeof(g.viewer), "%s", viewer);
	return g;
}

static void opens_once(void **state)
{
	struct ticket_table *t = ticket_table_new(&clock_fake);
	struct ticket_grant a = grant_of("ann", "v1"), b = grant_of("ann", "v2"), got;
	char ta[TICKET_LEN + 1], tb[TICKET_LEN + 1];
	struct vy_err e;

	(void)state;
	assert_int_equal(ticket_issue(t, &a, ta, &e), 0);
	assert_int_equal(ticket_issue(t, &b, tb, &e), 0);
	assert_int_equal(strlen(ta), TICKET_LEN);
	assert_string_not_equal(ta, tb);
	assert_int_equal(ticket_redeem(t, vy_str_c(tb), &b.caller, &got, &e), 0);
	assert_string_equal(got.viewer, "v2");
	assert_int_equal(ticket_redeem(t, vy_str_c(tb), &b.caller, &got, &e), -1);
	assert_int_equal(e.code, VY_DENIED);
	/* without a bearer the bearer is the ticket's caller */
	assert_int_equal(ticket_redeem(t, vy_str_c(ta), NULL, &got, &e), 0);
	assert_string_equal(got.viewer, "v1");
	assert_string_equal(got.caller.person, "ann");
	ticket_table_free(t);
}

static void a_mismatch_spends_it(void **state)
{
	struct ticket_table *t = ticket_table_new(&clock_fake);
	struct ticket_grant a = grant_of("ann", "v"), got;
	struct caller thief = grant_of("bob", "").caller, phone = a.caller;
	char ticket[TICKET_LEN + 1];

	(void)state;
	assert_int_equal(ticket_issue(t, &a, ticket, NULL), 0);
	assert_int_equal(ticket_redeem(t, vy_str_c(ticket), &thief, &got, NULL), -1);
	assert_int_equal(ticket_redeem(t, vy_str_c(ticket), &a.caller, &got, NULL), -1);
	snprintf(phone.device, sizeof(phone.device), "phone");
	assert_int_equal(ticket_issue(t, &a, ticket, NULL), 0);
	assert_int_equal(ticket_redeem(t, vy_str_c(ticket), &phone, &got, NULL), -1);
	assert_int_equal(ticket_redeem(t, vy_str_c(ticket), &a.caller, &got, NULL), -1);
	ticket_table_free(t);
}

static void grows_old(void **state)
{
	struct ticket_table *t = ticket_table_new(&clock_fake);
	struct ticket_grant a = grant_of("ann", "v"), got;
	char ticket[TICKET_LEN + 1];

	(void)state;
	assert_int_equal(ticket_issue(t, &a, ticket, NULL), 0);
	now_ms += VY_TICKET_LIFE_MS - 1;
	assert_int_equal(ticket_redeem(t, vy_str_c(ticket), &a.caller, &got, NULL), 0);
	assert_int_equal(ticket_issue(t, &a, ticket, NULL), 0);
	now_ms += VY_TICKET_LIFE_MS;
	assert_int_equal(ticket_redeem(t, vy_str_c(ticket), &a.caller, &got, NULL), -1);
	ticket_table_free(t);
}

static void is_bounded(void **state)
{
	struct ticket_table *t = ticket_table_new(&clock_fake);
	struct ticket_grant a = grant_of("ann", "v"), got;
	char first[TICKET_LEN + 1], ticket[TICKET_LEN + 1];
	struct vy_err e;

	(void)state;
	assert_int_equal(ticket_issue(t, &a, first, &e), 0);
	for (int i = 1; i < TICKET_TABLE; i++) {
		assert_int_equal(ticket_issue(t, &a, ticket, &e), 0);
	}
	assert_int_equal(ticket_issue(t, &a, ticket, &e), -1);
	assert_int_equal(e.code, VY_BUSY);
	assert_int_equal(ticket_redeem(t, vy_str_c(first), &a.caller, &got, &e), 0);
	assert_int_equal(ticket_issue(t, &a, ticket, &e), 0);
	now_ms += VY_TICKET_LIFE_MS; /* all of them are too old: there is room again */
	assert_int_equal(ticket_issue(t, &a, ticket, &e), 0);
	ticket_table_free(t);
}

static void junk(void **state)
{
	static const char *const rows[] = { "", "x", "'; drop",
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" };
	struct ticket_table *t = ticket_table_new(&clock_fake);
	struct ticket_grant a = grant_of("ann", "v"), got;
	char ticket[TICKET_LEN + 1];

	(void)state;
	assert_int_equal(ticket_issue(t, &a, ticket, NULL), 0);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		assert_int_equal(ticket_redeem(t, vy_str_c(rows[i]), NULL, &got, NULL), -1);
	}
	assert_int_equal(ticket_redeem(t, vy_str_n(ticket, TICKET_LEN - 1), NULL, &got, NULL), -1);
	assert_int_equal(ticket_redeem(t, vy_str_c(ticket), NULL, &got, NULL), 0);
	ticket_table_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opens_once),
		cmocka_unit_test(a_mismatch_spends_it),
		cmocka_unit_test(grows_old),
		cmocka_unit_test(is_bounded),
		cmocka_unit_test(junk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
