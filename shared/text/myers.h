/* myers.h -- what two sequences of numbers have in common, and what not.
 *
 * Myers' O(ND) search for the middle of a shortest edit, in linear space, on what is left after the
 * equal ends and the items that occur on one side only are taken off. Two sequences too far apart
 * are split at the furthest point reached so far: right, not always shortest. Pure. */
#ifndef VY_MYERS_H
#define VY_MYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/str.h"

struct vy_myers_side {
	const uint32_t *items;
	size_t n;
	bool *changed; /* filled: not part of what is common; n of them */
};

/* The items left unchanged are the same sequence on both sides. */
void vy_myers(struct vy_myers_side *a, struct vy_myers_side *b);

/* Numbers for slices: the same bytes, the same number (from 0, below na + nb). */
void vy_myers_number(const struct vy_str *a, size_t na, uint32_t *ids_a, const struct vy_str *b,
	size_t nb, uint32_t *ids_b);

#endif
