/* place.h -- where in its file a change stands that an agent asks for.
 *
 * An agent says which words would come in the place of which, not where they stand. Who looks into
 * the file can say it, with whole lines and what is around them, but only where there is no doubt:
 * the old words are there exactly once, and the file is text. Pure. */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/str.h"

struct place_change {
	struct vy_str path;    /* as the person is shown it */
	struct vy_str was, is; /* the words */
	bool is_whole;         /* `is` is all the file will hold; `was` is nothing */
};

/* Appends the change as unified text with its true lines. false when they cannot be known from this
 * file (or there is no room): then what was appended is of no use. */
bool place_print(
	const struct place_change *c, struct vy_str file, struct vy_arena *a, struct vy_buf *out);

#endif
