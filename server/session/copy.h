/* copy.h -- which frames of a session a copy of it has, and how they stand in it.
 *
 * What was rewound is left out, so is what waited or was never more than a setting; what the cut leaves
 * open is ended. A frame keeps its author, time and message, and gets the copy's turns; ids and
 * cursors are the log's to give. Fed with the source's frames in order, twice: first to see what is
 * folded away and where whole turns end, then to be copied. Pure. */
#ifndef COPY_H
#define COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/frame/frame.h"

struct copy_rewind {
	uint64_t at, to;
};

struct copy {
	char *from, *to; /* sessions */
	uint64_t upto;   /* of the source: nothing behind it */
	struct copy_rewind *rewinds;
	size_t n, cap;
	uint64_t whole; /* the end of the last turn that stands, as far as was looked */
	/* of what was copied */
	int64_t turn, messages;
	int64_t last;                          /* turn of the newest frame */
	bool is_open;                          /* … which has not ended */
	struct vy_json *tools, *asks, *blocks; /* open: id → what it needs */
};

/* upto UINT64_MAX: all there is. */
void copy_init(struct copy *c, struct vy_str from, struct vy_str to, uint64_t upto);
void copy_fini(struct copy *c);

/* The first time round. */
void copy_look(struct copy *c, const struct vy_frame *f);
/* Looked at everything: with `is_busy` it ends with the last whole turn. */
void copy_looked(struct copy *c, bool is_busy);
/* Does it stand, in the source as it is at its end? */
bool copy_sees(const struct copy *c, uint64_t cur);

/* The second time: false: the copy has no such frame. Slices live in `a` or are the source's. */
bool copy_frame(struct copy *c, const struct vy_frame *f, struct vy_arena *a, struct vy_frame *out);
/* In front of a frame that copy_frame() made, until it says false: the end of a turn that lost its own. */
bool copy_before(
	struct copy *c, const struct vy_frame *f, struct vy_arena *a, struct vy_frame *out);
/* In the end, until it says false: what the cut left open, and the end of the last turn. */
bool copy_end(struct copy *c, struct vy_arena *a, struct vy_frame *out);

#endif
