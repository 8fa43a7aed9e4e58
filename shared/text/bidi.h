/* bidi.h -- the order in which a row of text is seen, when some of it runs from right to left.
 *
 * The Unicode bidirectional algorithm over the clusters of a paragraph, each given by its first
 * character: levels of the whole, then the order of each row it is wrapped to.
 * The text itself stays as it is: what is copied or searched is never turned. Controls of the
 * algorithm do not come here, they are shown as marks (utf8.h). Pure; any thread. */
#ifndef VY_BIDI_H
#define VY_BIDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VY_BIDI_MAX 4096 /* clusters of a row; a longer one is left as it is */

/* Can this character make a row run another way? Most rows have none and need no more. */
bool vy_bidi_is_rtl(uint32_t cp);

/* The direction a paragraph of these characters has: that of its first letter. */
bool vy_bidi_is_rtl_text(const uint32_t *cps, size_t n);

/* The levels of a paragraph's characters, from which each of its rows gets its order wherever it is
 * broken. False, and all are the paragraph's own: it is longer than VY_BIDI_MAX. */
bool vy_bidi_levels(const uint32_t *cps, size_t n, bool is_rtl, int8_t *levels);

/* One row of it, n characters: both lists begin there. order[place on the screen, from the left] =
 * index; turned[index]: it runs from right to left, so a bracket is shown mirrored. */
void vy_bidi_row(const uint32_t *cps, const int8_t *levels, size_t n, bool is_rtl, uint16_t *order,
	bool *turned);

/* The same of a paragraph that is one row. */
void vy_bidi_order(const uint32_t *cps, size_t n, bool is_rtl, uint16_t *order, bool *turned);

/* "(" is ")", anything without a mirror image itself. */
uint32_t vy_bidi_mirror(uint32_t cp);

#endif
