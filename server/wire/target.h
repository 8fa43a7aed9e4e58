/* target.h -- what a request's target asks for. Pure.
 *
 * The path and its arguments come apart and percent-decoded, as libwebsockets hands them over.
 * What is no route of ours is TARGET_NONE; a route with junk in its arguments is refused with a
 * sentence (VY_BAD_INPUT), so that nothing is silently taken for something else. */
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/wire/endpoints.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

enum target_route {
	TARGET_NONE,
	TARGET_EVENTS, /* a row of endpoints.h */
#define VY_ROUTE(name, ...) TARGET_##name,
#include "server/wire/routes.def"
#undef VY_ROUTE
};

struct target {
	enum target_route route;
	char session[64];     /* of a snapshot; in which something is said; of a terminal, its id */
	int64_t rows, to;     /* of a snapshot; 0: not said */
	bool is_folded;       /* … with what was rewound */
	struct vy_str ticket; /* of a stream; borrowed; empty: none came */
	bool has_from;
	int64_t from;
	const struct endpoint *endpoint;     /* of events */
	struct vy_str parts[ENDPOINT_PARTS]; /* of its path; borrowed */
};

VY_MUST_USE int target_parse(struct vy_str path, const struct vy_str *args, size_t n,
	struct target *out, struct vy_err *e);

/* A cursor as it stands in `from` and Last-Event-ID: digits, at most 2^63 - 1, nothing else. */
VY_MUST_USE int target_cursor(struct vy_str s, const char *what, int64_t *out, struct vy_err *e);

#endif
