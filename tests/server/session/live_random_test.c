/* live_random_test.c -- the ledger against a model that is too simple to be wrong.
 *
 * Eight sessions do what they like, as a house would have them do it: who goes starts (or fails to),
 * who is let go leaves in its own time. After each act and all that was decided: no more have a place
 * than may, nobody waits who need not, the line is in the order of wishes, who was told where it stands
 * stands there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/session/live.h"
#include "shared/base/mem.h"
#include "tests/check.h"

#define SESSIONS 8
#define SCRIPTS  400
#define STEPS    300

struct one {
	enum live_use use;
	bool goes; /* it has a place and has not started yet */
	long wished, told;
	int64_t since;
};

static struct model {
	struct live *l;
	struct one s[SESSIONS];
	int64_t limit, now;
	long wishes;
} m;

static uint64_t dice;

static unsigned roll(unsigned n)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (unsigned)(dice >> 33) % n;
}

static const char *name(size_t i)
{
	static const char *const names[SESSIONS] = { "a", "b", "c", "d", "e", "f", "g", "h" };

	return names[i];
}

static struct one *named(const char *id)
{
	return &m.s[id[0] - 'a'];
}

static bool has_place(const struct one *o)
{
	return o->use != LIVE_ABSENT || o->goes;
}

static int64_t taken(bool with_leaving)
{
	int64_t n = 0;

	for (size_t i = 0; i < SESSIONS; i++) {
		n += has_place(&m.s[i]) && (with_leaving || m.s[i].use != LIVE_LEAVING);
	}
	return n;
}

static int64_t waiting(void)
{
	int64_t n = 0;

	for (size_t i = 0; i < SESSIONS; i++) {
		n += m.s[i].wished != 0;
	}
	return n;
}

static const struct one *first_in_line(void)
{
	const struct one *best = NULL;

	for (size_t i = 0; i < SESSIONS; i++) {
		if (m.s[i].wished && (!best || m.s[i].wished < best->wished)) {
			best = &m.s[i];
		}
	}
	return best;
}

static bool can_rest(const struct one *o)
{
	return o->use == LIVE_IDLE || o->use == LIVE_WATCHED || o->use == LIVE_SPARE;
}

static int rank(const struct one *o)
{
	return o->use == LIVE_SPARE ? 0 : o->use == LIVE_IDLE ? 1 : 2;
}

static void check_rest(const struct one *o)
{
	assert_true(can_rest(o));
	for (size_t i = 0; i < SESSIONS; i++) {
		const struct one *x = &m.s[i];

		if (can_rest(x)) {
			assert_true(rank(o) <= rank(x));
			assert_true(rank(o) < rank(x) || rank(o) == 2 || o->since <= x->since);
		}
	}
	assert_true(m.limit > 0 && taken(false) + waiting() > m.limit);
}

static void check_go(const struct one *o)
{
	assert_true(o->wished != 0);
	assert_ptr_equal(o, first_in_line());
	assert_true(m.limit == 0 || taken(true) < m.limit);
}

static void decide(void)
{
	struct live_decision d;
	int n = 0;

	while (live_next(m.l, &d)) {
		struct one *o = named(d.id);

		assert_true(++n < 100);
		switch (d.what) {
		case LIVE_GO:
			check_go(o);
			o->goes = true;
			o->wished = o->told = 0;
			break;
		case LIVE_REST:
			check_rest(o);
			o->use = LIVE_LEAVING;
			break;
		case LIVE_WAITS:
			assert_true(o->wished != 0);
			assert_true(o->told != d.position);
			o->told = (long)d.position;
			break;
		}
	}
}

static void check_line(void)
{
	int64_t soon = m.limit - taken(false);

	for (size_t i = 0; i < SESSIONS; i++) {
		const struct one *o = &m.s[i];
		long at = 1;

		for (size_t k = 0; o->wished && k < SESSIONS; k++) {
			at += m.s[k].wished && m.s[k].wished < o->wished;
		}
		assert_int_equal(live_position(m.l, name(i)), o->told);
		assert_true(!o->wished || at <= soon || o->told == at);
		assert_int_equal(live_use_of(m.l, name(i)), o->use);
	}
}

static void check_now(void)
{
	bool any_can_rest = false;

	for (size_t i = 0; i < SESSIONS; i++) {
		any_can_rest |= can_rest(&m.s[i]);
	}
	assert_int_equal((int64_t)live_count(m.l), taken(true));
	if (waiting() > 0) {
		assert_true(m.limit > 0 && taken(true) >= m.limit);
		assert_true(!any_can_rest || taken(false) + waiting() <= m.limit);
	}
	if (m.limit > 0 && taken(false) > m.limit) {
		assert_false(any_can_rest); /* only who works may be too many */
	}
	check_line();
}

static void is_now(size_t i, enum live_use use)
{
	struct one *o = &m.s[i];
	bool counted = o->use == LIVE_IDLE || o->use == LIVE_SPARE;
	bool counts = use == LIVE_IDLE || use == LIVE_SPARE;

	o->goes = false;
	o->since = counts ? counted ? o->since : m.now : 0;
	o->use = use;
	live_is(m.l, name(i), use, m.now);
}

static void act(void)
{
	static const enum live_use works[] = { LIVE_BUSY, LIVE_BUSY, LIVE_IDLE, LIVE_WATCHED };
	size_t i = roll(SESSIONS);
	struct one *o = &m.s[i];

	m.now += roll(20);
	if (roll(25) == 0) {
		m.limit = roll(5);
		live_limit(m.l, m.limit);
	} else if (o->goes) {
		is_now(i, roll(6) ? LIVE_BUSY : LIVE_ABSENT);
	} else if (o->use == LIVE_LEAVING) {
		is_now(i, LIVE_ABSENT);
	} else if (o->use == LIVE_ABSENT && o->wished && roll(4) == 0) {
		o->wished = o->told = 0;
		live_unwish(m.l, name(i));
	} else if (o->use == LIVE_ABSENT && !o->wished) {
		o->wished = ++m.wishes;
		live_wish(m.l, name(i));
	} else if (o->use != LIVE_ABSENT) {
		is_now(i, roll(8) == 0   ? LIVE_ABSENT
			  : roll(8) == 0 ? LIVE_LEAVING
					 : works[roll(VY_COUNT(works))]);
	}
}

/* In the end everybody who wished has been let in, one after the other. */
static void wind_down(void)
{
	for (int n = 0; waiting() > 0; n++) {
		assert_true(n < 1000);
		for (size_t i = 0; i < SESSIONS; i++) {
			if (has_place(&m.s[i])) {
				is_now(i, LIVE_ABSENT);
				decide();
				check_now();
			}
		}
	}
}

static void stories(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SCRIPTS; seed++) {
		dice = seed * 0x9E3779B97F4A7C15u + 1;
		m = (struct model){ .l = live_new(), .now = 1 };
		for (int step = 0; step < STEPS; step++) {
			act();
			decide();
			check_now();
		}
		wind_down();
		live_free(m.l);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(stories) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
