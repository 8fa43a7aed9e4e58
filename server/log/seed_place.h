/* seed_place.h -- where each frame of a log that is made again stands (seed.h).
 *
 * Places are the cursors from `start` to `head`. Events go first, where they say, or behind the one before;
 * then deltas, in the order of their times: each behind its attempt's last one, behind what happened
 * before it, in the next place that is free. The end of a block that is whole
 * stands right behind it when there are places enough up to the end of its attempt, else behind what was
 * written at once with it, if there is a place before anything else happened. What is empty then is a hidden frame. Frames are encoded as they are placed. */
#ifndef SEED_PLACE_H
#define SEED_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "server/log/store.h"
#include "shared/base/arena.h"
#include "shared/frame/frame.h"

struct seed_places;

/* Everything given out lives in `mem`. */
struct seed_places *seed_places_new(
	struct vy_str session, int64_t start, int64_t head, struct vy_arena *mem);
void seed_places_free(struct seed_places *p);

/* In the order of the journal. f->cur 0: not known. */
void seed_places_event(struct seed_places *p, const struct vy_frame *f);
/* Its deltas stand from `from` on and before `to`. */
size_t seed_places_attempt(struct seed_places *p, int64_t from, int64_t to, bool is_whole);
void seed_places_delta(struct seed_places *p, size_t attempt, const struct vy_frame *f);

/* All of them up to the head, the newest that have `most` bytes, from a person's words on if there is one.
 * 0: not one is known. */
size_t seed_places_frames(struct seed_places *p, size_t most, struct store_frame **out);

#endif
