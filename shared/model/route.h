/* route.h -- who answers a message (wire 2, 14).
 *
 * The assistants that it mentions; else the one that is assigned here. Nobody answers what is
 * private, which nobody here can read, nor what mentions persons alone: that is said to them.
 * Pure. */
#ifndef VY_MODEL_ROUTE_H
#define VY_MODEL_ROUTE_H

#include <stdbool.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

struct vy_route {
	struct vy_str assistant, person; /* of this session: "assistant:claude", "person:ID" */
	const struct vy_json *mentions;  /* ["assistant:claude", "person:ID"], NULL */
	bool is_private;
};

/* VY_NOT_FOUND: it mentions somebody who is not here. */
VY_MUST_USE int vy_route_check(const struct vy_route *r, struct vy_err *e);
/* Does the assistant of this session answer it? */
bool vy_route_is_answered(const struct vy_route *r);

#endif
