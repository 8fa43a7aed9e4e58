/* promise.h -- what the method table promises of an answer (shared/rpc/methods.def), held against every
 * answer that a script gets: all that is there is promised, and what is promised is there. */
#ifndef TESTS_PLAY_PROMISE_H
#define TESTS_PLAY_PROMISE_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

struct vy_frame;

/* False, with why: the result is not what it was to be. Remembers that this method was answered. */
bool promise_keeps(struct vy_str method, const struct vy_json *result, struct vy_buf *why);

/* The same of what stands as JSON in a frame (shared/frame/shapes.def, shared/model/blocks.def). */
bool promise_frame(const struct vy_frame *f, struct vy_buf *why);

/* Appends the methods that nobody was answered since the program began, each behind a blank. */
void promise_left(struct vy_buf *out);

#endif
