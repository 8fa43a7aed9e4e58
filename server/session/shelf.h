/* shelf.h -- the pictures of a session: what people sent and what tools brought.
 *
 * Each is kept once, under a name made of what it holds; threads.output gives it back. */
#ifndef SHELF_H
#define SHELF_H

#include <stdbool.h>

#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "shared/base/str.h"

struct log;

#define SHELF_REF_MAX (4 + 2 * VY_SHA256_LEN + 1)

/* The word of one of the four that agents take; NULL: it is none. */
const char *shelf_kind(struct vy_str mime);
/* Do the bytes begin as one of that kind does? */
bool shelf_is(struct vy_str mime, struct vy_str bytes);

/* VY_FULL: the session has as many as it may have. */
VY_MUST_USE int shelf_put(struct log *log, struct vy_str session, struct vy_str mime,
	struct vy_str bytes, char ref[SHELF_REF_MAX], struct vy_err *e);

#endif
