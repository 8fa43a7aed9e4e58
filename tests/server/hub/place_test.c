/* place_test.c -- the ids that a generation stream goes on from. */
#include "server/hub/place.h"

#include "tests/check.h"

#include "shared/base/ban.h"

static void ids(void **state)
{
	static const struct {
		const char *id;
		bool is_event, is_place;
		int64_t cur, text, reasoning;
	} rows[] = {
		{ "evt_AbC-_9.12.3.4", true, true, 12, 3, 4 },
		{ "evt_AbC-_9.12.3.4.s", true, true, 12, 3, 4 },
		{ "evt_e.9223372036854775807.0.0", true, true, INT64_MAX, 0, 0 },
		{ "evt_e.9223372036854775808.0.0", true, false, 0, 0, 0 },
		{ "evt_e.1.2.3.x", true, false, 0, 0, 0 },
		{ "evt_e.1.2.3.s.s", true, false, 0, 0, 0 },
		{ "evt_e.1.2", true, false, 0, 0, 0 },
		{ "evt_e.1.-2.3", true, false, 0, 0, 0 },
		{ "evt_e.1.+2.3", true, false, 0, 0, 0 },
		{ "evt_.1.2.3", true, false, 0, 0, 0 },
		{ "evt_9f2c-session.msg_01.2", true, false, 0, 0, 0 },
		{ "evt_", false, false, 0, 0, 0 },
		{ "", false, false, 0, 0, 0 },
		{ "12", false, false, 0, 0, 0 },
		{ "evt_a b", false, false, 0, 0, 0 },
		{ "evt_a\nb", false, false, 0, 0, 0 },
		{ "EVT_a", false, false, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_str id = vy_str_c(rows[i].id);
		struct place p = { 0 };

		if (place_is_event(id) != rows[i].is_event ||
			place_read(id, &p) != rows[i].is_place) {
			fail_msg("%s", rows[i].id);
		}
		if (rows[i].is_place && (p.cur != rows[i].cur || p.n[0] != rows[i].text ||
						p.n[1] != rows[i].reasoning)) {
			fail_msg("%s: %lld", rows[i].id, (long long)p.cur);
		}
	}
}

static void there_and_back(void **state)
{
	struct place p = { VY_STR_LIT("epoch-_12345"), 77, { 5, 6 } }, q;
	char id[100];

	(void)state;
	for (int s = 0; s < 2; s++) {
		place_write(&p, s, id, sizeof(id));
		assert_true(place_read(vy_str_c(id), &q));
		assert_true(vy_str_eq(p.epoch, q.epoch));
		assert_int_equal(q.cur, 77);
		assert_int_equal(q.n[0], 5);
		assert_int_equal(q.n[1], 6);
	}
}

static void order(void **state)
{
	static const struct {
		const char *a, *b;
		bool is_ahead;
	} rows[] = {
		{ "evt_e.2.1.0", "evt_e.1.1.0", true },
		{ "evt_e.1.1.0", "evt_e.2.1.0", false },
		{ "evt_e.10.1.0.s", "evt_e.9.1.0", true },
		{ "evt_e.1.1.0", "evt_f.2.1.0", true },
		{ "evt_S.m.3", "evt_e.2.1.0", true },
		{ "evt_e.2.1.0", "evt_S.m.3", false },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (place_is_ahead(vy_str_c(rows[i].a), vy_str_c(rows[i].b)) != rows[i].is_ahead) {
			fail_msg("%s before %s", rows[i].a, rows[i].b);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids),
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
