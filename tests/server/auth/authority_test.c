/* authority_test.c -- every kind of caller against every reach, on sessions of every relation. */
#include "server/auth/authority.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "shared/base/str.h"
#include "shared/base/ban.h"

enum who { PERSON, AGENT, CONFINED, LOOSE, UNKNOWN, SERVICE };
enum what { NO_NAME, MISSING, OWN, STARTED, OTHER, FOREIGN };

#define A AUTHORITY_ALLOWED
#define P AUTHORITY_PERSON_ONLY
#define D AUTHORITY_DENIED
#define N AUTHORITY_NOT_FOUND
#define M AUTHORITY_NO_METHOD

static const struct {
	const char *name;
	enum who who;
	enum vy_reach reach;
	bool writes;
	enum authority is[6]; /* NO_NAME, MISSING, OWN, STARTED, OTHER, FOREIGN */
} rows[] = {
	{ "a person reads", PERSON, VY_REACH_ANYONE, false, { A, N, A, A, A, N } },
	{ "a person acts", PERSON, VY_REACH_ANYONE, true, { A, N, A, A, A, N } },
	{ "a person's own", PERSON, VY_REACH_PERSON, true, { A, N, A, A, A, N } },
	{ "a person opens a stream", PERSON, VY_REACH_OWN, false, { A, N, A, A, A, N } },
	{ "an agent reads", AGENT, VY_REACH_ANYONE, false, { A, N, A, A, A, N } },
	{ "an agent acts", AGENT, VY_REACH_ANYONE, true, { A, N, A, A, D, N } },
	{ "an agent opens a stream", AGENT, VY_REACH_OWN, false, { A, N, A, D, D, N } },
	{ "an agent is no person", AGENT, VY_REACH_PERSON, true, { P, P, P, P, P, P } },
	{ "an agent reads as a person", AGENT, VY_REACH_PERSON, false, { P, P, P, P, P, P } },
	{ "an agent socket reads", CONFINED, VY_REACH_ANYONE, false, { A, N, A, A, A, N } },
	{ "no such method there", CONFINED, VY_REACH_PERSON, true, { M, M, M, M, M, M } },
	{ "an agent of nobody's reads", LOOSE, VY_REACH_ANYONE, false, { A, N, A, A, A, N } },
	{ "an agent of nobody's acts on none", LOOSE, VY_REACH_ANYONE, true, { A, N, D, D, D, N } },
	{ "who cannot be placed reads", UNKNOWN, VY_REACH_ANYONE, false, { A, N, A, A, A, N } },
	{ "and does nothing", UNKNOWN, VY_REACH_ANYONE, true, { P, P, P, P, P, P } },
	{ "nor opens a stream", UNKNOWN, VY_REACH_OWN, false, { P, P, P, P, P, P } },
	{ "nor answers", UNKNOWN, VY_REACH_PERSON, true, { P, P, P, P, P, P } },
	{ "a service reads", SERVICE, VY_REACH_ANYONE, false, { A, N, A, A, A, N } },
	{ "a service is no person", SERVICE, VY_REACH_PERSON, false, { P, P, P, P, P, P } },
};

static struct caller caller_of(enum who who)
{
	struct caller c = { .person = "ann", .device = "local" };

	c.kind = who == PERSON    ? CALLER_PERSON
		 : who == UNKNOWN ? CALLER_UNKNOWN
		 : who == SERVICE ? CALLER_SERVICE
				  : CALLER_AGENT;
	if (who == AGENT || who == CONFINED) {
		snprintf(c.session, sizeof(c.session), "own");
	}
	c.is_confined = who == CONFINED;
	return c;
}

static void judges(void **state)
{
	static const struct authority_session sessions[] = {
		[OWN] = { "own", "ann", NULL },
		[STARTED] = { "child", "ann", "own" },
		[OTHER] = { "other", "ann", "" },
		[FOREIGN] = { "foreign", "bob", "own" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct caller c = caller_of(rows[i].who);

		for (enum what w = NO_NAME; w <= FOREIGN; w++) {
			enum authority got = authority_judge(&c, rows[i].reach, rows[i].writes,
				w != NO_NAME, w <= MISSING ? NULL : &sessions[w]);

			if (got != rows[i].is[w]) {
				fail_msg("%s, relation %d: got %d, want %d", rows[i].name, w, got,
					rows[i].is[w]);
			}
		}
	}
}

/* A right of its own: the person at this machine alone. */
static void observes(void **state)
{
	(void)state;
	for (enum who w = PERSON; w <= SERVICE; w++) {
		struct caller c = caller_of(w);

		assert_int_equal(authority_observes(&c), w == PERSON);
		c.is_confined = true;
		assert_false(authority_observes(&c));
	}
	struct caller far = caller_of(PERSON);

	snprintf(far.device, sizeof(far.device), "phone");
	assert_false(authority_observes(&far));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(observes),
		cmocka_unit_test(judges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
