/* ring.h -- the newest frames of one session, already encoded.
 *
 * Holds at most so many frames and bytes, in cursor order and without gaps; what is older is in
 * the store. A frame is encoded once and shared by all readers: ring_get() lends it, and whoever
 * keeps it takes a reference. Loop thread only. Pushing a cursor that is not next is a bug. */
#ifndef RING_H
#define RING_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/str.h"

/* One encoded frame. Never changed after it was made. */
struct frame_ref {
	uint32_t refs, len;
	int64_t cur;  /* 0: control or ephemeral, never logged */
	int64_t span; /* logged frames it stands for; 1, more when merged */
	char bytes[]; /* one line of JSON without a newline; not terminated */
};

struct frame_ref *frame_ref_new(int64_t cur, int64_t span, struct vy_str bytes); /* one reference */
struct frame_ref *frame_ref(struct frame_ref *f);
void frame_unref(struct frame_ref *f); /* NULL is fine */

static inline struct vy_str frame_ref_str(const struct frame_ref *f)
{
	return vy_str_n(f->bytes, f->len);
}

struct ring {
	struct frame_ref **slots; /* a circle of cap */
	size_t cap, start, n;
	size_t bytes, max_frames, max_bytes;
};

void ring_init(struct ring *r, size_t max_frames, size_t max_bytes);
void ring_fini(struct ring *r);
void ring_push(struct ring *r, struct frame_ref *f);           /* takes a reference of its own */
struct frame_ref *ring_get(const struct ring *r, int64_t cur); /* lent; NULL: not here */
int64_t ring_first(const struct ring *r);                      /* 0 when empty */
int64_t ring_last(const struct ring *r);                       /* 0 when empty */
void ring_drop_below(struct ring *r, int64_t cur);
void ring_clear(struct ring *r);

#endif
