/* codec.h -- frames as the bytes that go to the log and to every viewer (wire 3).
 *
 * A frame is encoded once, when its cursor is known; the same bytes are stored, kept in the ring
 * and sent. The order of keys is fixed, so equal frames are equal bytes. decode(encode(f)) equals
 * f. Decoding ignores what it does not know and refuses a known field of a wrong type by name
 * ("data.text: expected a string, got a number"); whether the frame makes sense is check.h's.
 * Pure; any thread. */
#ifndef VY_FRAME_CODEC_H
#define VY_FRAME_CODEC_H

#include <stdbool.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/jw.h"
#include "shared/frame/frame.h"

/* Appends one line without a line feed. False: it does not fit, `out` is as it was but over. */
VY_MUST_USE bool vy_frame_encode(const struct vy_frame *f, struct vy_buf *out);

/* The same as one value inside a larger text. */
void vy_frame_write(const struct vy_frame *f, struct vy_jw *w);

/* Appends encoded frame `line` with another cursor: a copy, thirty times cheaper than encoding.
 * `line` must come from vy_frame_encode. */
VY_MUST_USE bool vy_frame_recur(struct vy_str line, uint64_t cur, struct vy_buf *out);

/* Reads one frame. Slices point into `json` where the text stands there as it is, and into `a`
 * where it had to be unescaped: both must outlive the frame (vy_frame_dup keeps it longer). */
VY_MUST_USE int vy_frame_decode(
	struct vy_str json, struct vy_arena *a, struct vy_frame *out, struct vy_err *e);

#endif
