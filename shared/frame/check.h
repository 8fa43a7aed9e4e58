/* check.h -- the one judgement whether a frame is a frame, for server, client and tests.
 *
 * The server asks before the log takes it, a client after it decoded it. What is checked: the
 * kind has its fields and they have their sizes and words; a logged kind has a cursor, another
 * has none; the span fits the cursor and the parts fit the text; acts_for stands only beside an
 * assistant or a model; every text is UTF-8 and every JSON field is JSON; the whole is at most
 * VY_FRAME_MAX encoded. Pure; any thread. */
#ifndef VY_FRAME_CHECK_H
#define VY_FRAME_CHECK_H

#include "shared/base/err.h"
#include "shared/frame/frame.h"

/* VY_BAD_INPUT naming the kind and the field: "text-delta: data.message is missing". */
VY_MUST_USE int vy_frame_check(const struct vy_frame *f, struct vy_err *e);

/* The same for one that the log has not given its cursor yet (cur is 0). */
VY_MUST_USE int vy_frame_check_new(const struct vy_frame *f, struct vy_err *e);

/* How many bytes of `s` one frame may carry as its text: at most VY_FRAME_TEXT_MAX, never ending
 * inside a character, and less where the text is so full of escapes that the frame would be too
 * big. 0 only for an empty `s`. Cut a long delta with it, piece by piece. */
size_t vy_frame_text_fit(struct vy_str s);

#endif
