/* reel.h -- the newest bytes of a terminal, by the offset they have in all it ever printed.
 *
 * It holds [floor, end). What is older than REEL_BYTES leaves at the front: who owns the ring takes it
 * with reel_old() and lets it go with reel_drop(), before more is added. It leaves a line at a time, so the
 * floor stands at the beginning of a line; where no line ends within REEL_LINE bytes it is cut between two
 * characters, so a line of any length costs no more memory than others. Bytes lie in a circle: a
 * slice that is lent ends at its seam, and is good until the next add. The memory grows with what is
 * held. Pure. */
#ifndef TERM_REEL_H
#define TERM_REEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/str.h"

#define REEL_BYTES (4u * 1024 * 1024)
#define REEL_LINE  (64u * 1024) /* further than this a line's end is not looked for */
#define REEL_ADD   (64u * 1024) /* at most so much is added at a time */

struct reel {
	char *data;
	size_t cap;
	uint64_t floor, end;
	uint64_t due; /* how far the floor is to go */
};

void reel_init(struct reel *r, uint64_t at); /* empty, both its ends there */
void reel_fini(struct reel *r);

/* Takes as much as may be added at once, the count. What is old is dropped first. */
size_t reel_add(struct reel *r, struct vy_str bytes);

/* The next slice that has to leave, from the floor on; empty: none has. */
struct vy_str reel_old(struct reel *r);
/* The next slice from the floor on up to `at`, which may be held or not; empty: none is before it. */
struct vy_str reel_before(const struct reel *r, uint64_t at);
void reel_drop(struct reel *r, size_t n);

/* What stands at `at`, at most `most` bytes; empty when that is not held. */
struct vy_str reel_at(const struct reel *r, uint64_t at, size_t most);

#endif
