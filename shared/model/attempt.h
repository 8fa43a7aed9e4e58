/* attempt.h -- the words of one attempt as they grow: texts by block, and each piece with its time.
 *
 * What settle.h makes a settlement of on the server, and follow.h of what is heard live; so the two are
 * the same, down to the milliseconds between pieces. Owns what is in it; its names may be set freely
 * (heap, NULL for none). Pure. */
#ifndef VY_MODEL_ATTEMPT_H
#define VY_MODEL_ATTEMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/str.h"
#include "shared/model/settle.h"

struct vy_attempt_block {
	int64_t index;
	bool is_reasoning, is_done; /* is_done: its owner's */
	struct vy_buf text;
	int64_t units; /* of the text, UTF-16 */
	struct vy_piece *pieces;
	size_t n, cap;
};

struct vy_attempt {
	char *id, *message, *parent, *turn, *author, *acts_for;
	int64_t step, from;
	int64_t started, last; /* time of the first piece, of the newest */
	struct vy_attempt_block *blocks;
	size_t n_blocks, cap_blocks, at; /* at: the block written to last */
	struct vy_piece_run *runs;
	size_t n_runs, cap_runs;
	size_t bytes, pieces;
};

void vy_attempt_init(struct vy_attempt *a, int64_t started); /* nothing in it */
void vy_attempt_fini(struct vy_attempt *a);

/* Would one more piece be too much (settle.h)? */
bool vy_attempt_is_full(const struct vy_attempt *a, struct vy_str text);
void vy_attempt_add(
	struct vy_attempt *a, int64_t index, bool is_reasoning, struct vy_str text, int64_t time);

/* As a settlement without an end. The list of blocks is in `mem`, all else is lent. */
void vy_attempt_view(const struct vy_attempt *a, struct vy_arena *mem, struct vy_settlement *out);

#endif
