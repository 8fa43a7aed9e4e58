/* spool.h -- what a child wrote and vyred has not committed yet.
 *
 * A run of bytes with offsets that never start over, all streams together in the order they were
 * read; each byte remembers its stream. The first mem_max bytes are kept in memory, the others in
 * an unlinked file, until they are forgotten. Never drops: when it is full, or the disk is,
 * spool_room() is 0 and the child must wait. */
#ifndef HOLDER_SPOOL_H
#define HOLDER_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"

#define SPOOL_PIECE (64 * 1024) /* the most one spool_add takes */

struct spool;

/* Offsets start at 0. `dir` is where the file goes, once one is needed. max >= mem_max. */
struct spool *spool_new(const char *dir, size_t mem_max, uint64_t max);
void spool_free(struct spool *s);

uint64_t spool_floor(const struct spool *s); /* the first byte it still has */
uint64_t spool_end(const struct spool *s);   /* after the last */

size_t spool_room(const struct spool *s, int stream); /* how much of it can be added now */
void spool_add(struct spool *s, int stream, const void *p, size_t n); /* n <= spool_room() */

/* The disk was full: some bytes wait in the hand and nothing more is taken. spool_retry() tries
 * again and says whether it is well. */
bool spool_is_stuck(const struct spool *s);
bool spool_retry(struct spool *s);

/* Copies bytes of one stream from `off` (floor <= off <= end) on: how many, 0 at the end, -1 when
 * the file cannot be read. */
VY_MUST_USE long spool_read(
	const struct spool *s, uint64_t off, void *out, size_t room, int *stream, struct vy_err *e);

void spool_forget(struct spool *s, uint64_t off); /* everything before it; past the end: all */

#endif
