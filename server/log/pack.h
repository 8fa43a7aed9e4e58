/* pack.h -- a run of a session's frames as one row, and the same frames again.
 *
 * A text-delta that is settled needs no words of its own: they stand in its settlement, with its time.
 * What it shares with its neighbours (ids, turn, author, message, block) is kept once a run as a
 * shape, its id is that shape's and its cursor (log.c, name_frame): a thousand such deltas are a
 * hundred bytes. Every other frame is kept as it is. All of it is zipped.
 *
 * The frames come back byte for byte: pack_make() reads its own work and says when it is not so. What
 * expires (wire 7: deltas and shell output) keeps cursor, kind, ids and time, and says `expired`; the
 * words of a settled delta can still be read by whoever asks for them (is_whole).
 *
 *	packed:  u8 2; zipped: shapes, seqs of settlements, entries (a literal, or so many pieces) */
#ifndef PACK_H
#define PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/log/store.h"
#include "server/log/pieces.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"

#define PACK_ID_PREFIX 8    /* characters of a frame's id before the number */
#define PACK_FRAMES    4096 /* of a run, at most */

/* ---- making ---- */

struct pack_source {
	const struct store_frame *frames; /* cursors without a gap */
	size_t n;
	struct pieces *const *settled; /* what their words may stand in */
	size_t n_settled;
	int64_t expire_before; /* wall ms; 0: nothing expires */
};

/* Appended. *expires: the time of the newest frame in it that is still to expire; 0: none. False: it
 * is more than a row may hold. */
VY_MUST_USE bool pack_make(
	const struct pack_source *src, int level, struct vy_buf *out, int64_t *expires);

/* ---- reading ---- */

struct pack;

/* Of the run that begins with cursor `first`. NULL: damaged. */
VY_MUST_USE struct pack *pack_open(struct vy_str row, int64_t first, struct vy_err *e);
void pack_free(struct pack *p); /* NULL is fine */
int64_t pack_last(const struct pack *p);

/* The settlement with that number, lent until the next call of pack_read; NULL: it cannot be read. */
typedef struct pieces *pack_words_fn(void *ctx, int64_t seq, struct vy_err *e);

/* Frames from `from` on until fn says enough: 1 it did, 0 the end of the run, -1 failed. */
VY_MUST_USE int pack_read(struct pack *p, int64_t from, const struct store_reading *how,
	pack_words_fn *words, store_frame_fn *fn, void *ctx, void *words_ctx, struct vy_err *e);
/* Which settlements it stands on: the i-th, or 0 past the last. */
int64_t pack_seq(const struct pack *p, size_t i);

#endif
