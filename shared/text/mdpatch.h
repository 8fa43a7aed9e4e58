/* mdpatch.h -- the source as md4c 0.4 may be given it, and the way back for offsets.
 *
 * A copy with zeros behind it, since md4c reads a few bytes past the end; with U+FFFD for bad
 * UTF-8, since it reads further there; and with a table's delimiters of one or two dashes, which
 * GitHub takes and md4c does not, made long enough (code in fences is left alone). */
#ifndef VY_MDPATCH_H
#define VY_MDPATCH_H

#include <stddef.h>

#include "shared/base/arena.h"
#include "shared/base/str.h"

struct vy_mdpatch_cut {
	size_t at;    /* in the patched text: behind the bytes put in */
	size_t added; /* by all cuts up to and with this one */
};

struct vy_mdpatch {
	struct vy_str text; /* in the arena; never borrows the source */
	const struct vy_mdpatch_cut *cuts;
	size_t n;
};

void vy_mdpatch_make(struct vy_str src, struct vy_arena *a, struct vy_mdpatch *out);
size_t vy_mdpatch_back(const struct vy_mdpatch *p, size_t at); /* patched offset to source offset */

#endif
