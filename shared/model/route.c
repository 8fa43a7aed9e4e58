/* route.c -- see route.h. */
#include "shared/model/route.h"

#include "shared/base/ban.h"

int vy_route_check(const struct vy_route *r, struct vy_err *e)
{
	for (size_t i = 0; i < vy_json_len(r->mentions); i++) {
		struct vy_str who = vy_json_strval(vy_json_at(r->mentions, i));

		if (!vy_str_eq(who, r->assistant) && !vy_str_eq(who, r->person)) {
			return vy_fail(e, VY_NOT_FOUND, "there is no %.*s in this session",
				VY_STR_ARG(who));
		}
	}
	return 0;
}

bool vy_route_is_answered(const struct vy_route *r)
{
	size_t n = vy_json_len(r->mentions);

	for (size_t i = 0; i < n; i++) {
		if (vy_str_eq(vy_json_strval(vy_json_at(r->mentions, i)), r->assistant)) {
			return !r->is_private;
		}
	}
	return n == 0 && !r->is_private;
}
