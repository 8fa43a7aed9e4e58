/* sm.c -- see sm.h. */
#include "shared/base/sm.h"

#include "shared/base/ban.h"

int vy_sm_move(struct vy_sm *m, unsigned to, struct vy_err *e)
{
	vy_assert(to < m->count);
	if (to != m->now && !(m->states[m->now].may & VY_BIT(to))) {
		return vy_fail(e, VY_CONFLICT, "cannot go from %s to %s", vy_sm_name(m),
			m->states[to].name);
	}
	m->now = to;
	return 0;
}

const char *vy_sm_name(const struct vy_sm *m)
{
	return m->states[m->now].name;
}
