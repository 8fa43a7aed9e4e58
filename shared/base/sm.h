/* sm.h -- a checked state machine: a table of states and the moves each allows.
 *
 *	static const struct vy_sm_state states[] = {
 *		[P_ABSENT]   = { "absent",   VY_BIT(P_STARTING) },
 *		[P_STARTING] = { "starting", VY_BIT(P_LIVE) | VY_BIT(P_ABSENT) }, …
 *
 * The state changes in vy_sm_move() and nowhere else. A move the table does not allow leaves the
 * state alone and says so. Pure; the caller logs. */
#ifndef VY_SM_H
#define VY_SM_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"

#define VY_BIT(n) (1u << (n))

struct vy_sm_state {
	const char *name;
	uint32_t may; /* bit i: may go to state i */
};

struct vy_sm {
	const struct vy_sm_state *states;
	unsigned count;
	unsigned now;
};

/* 0, or -1 with VY_CONFLICT: "cannot go from idle to asking". Staying is always allowed. */
VY_MUST_USE int vy_sm_move(struct vy_sm *m, unsigned to, struct vy_err *e);
const char *vy_sm_name(const struct vy_sm *m); /* of the present state */

#endif
