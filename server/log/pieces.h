/* pieces.h -- the deltas of one settlement, each at hand: its text and its time, in the order they came.
 *
 * What a packed run (pack.h) makes its frames from. Owns what it holds. Any thread. */
#ifndef PIECES_H
#define PIECES_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

struct piece {
	struct vy_str text; /* of one block they lie one behind the other */
	int64_t time;       /* wall ms */
};

struct pieces {
	int64_t seq;      /* of the settlement in the journal */
	int64_t from, to; /* cursors: its first delta, and what settled it */
	struct vy_str message, parent;
	struct piece *v;
	size_t n;
	struct vy_arena mem;
};

/* `data` as JSON or compact. On failure there is nothing to free. */
VY_MUST_USE int pieces_read(struct pieces *w, int64_t seq, struct vy_str data, struct vy_err *e);
void pieces_fini(struct pieces *w);

#endif
