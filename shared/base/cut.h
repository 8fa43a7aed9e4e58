/* cut.h -- cuts a stream of bytes into pieces: lines, or messages led by their length.
 *
 *	while ((got = vy_cut_next(&cut, &in, &piece)) != VY_CUT_MORE)
 *
 * A piece that lies whole inside `in` is lent from there, without a copy; one that came in several
 * parts is lent from the cutter. It is valid until the next call. A piece over the maximum is one
 * VY_CUT_TOO_LONG, told as soon as it is known (with what was there of it), and its rest is
 * skipped: never memory, and the next piece is whole again. Pure. */
#ifndef VY_CUT_H
#define VY_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

enum vy_cut_kind {
	VY_CUT_LINES, /* ended by "\n", which is not part of the piece */
	VY_CUT_U32,   /* led by its length: 4 bytes, big-endian, the length itself not counted */
};

enum vy_cut_got { VY_CUT_MORE, VY_CUT_PIECE, VY_CUT_TOO_LONG };

struct vy_cut {
	enum vy_cut_kind kind;
	struct vy_buf part; /* of an unfinished piece; its maximum is the longest piece */
	bool part_lent;     /* part holds the piece that was given out last */
	bool skipping;      /* inside a piece that was too long */
	uint8_t head[4];    /* U32: the length as far as it came */
	size_t head_n;
	size_t left; /* U32: bytes missing of the present piece */
};

void vy_cut_init(struct vy_cut *c, enum vy_cut_kind kind, size_t piece_max);
void vy_cut_fini(struct vy_cut *c);

/* Takes the next piece from the front of `in`; VY_CUT_MORE when all of it is eaten. */
enum vy_cut_got vy_cut_next(struct vy_cut *c, struct vy_str *in, struct vy_str *piece);

/* Bytes kept of an unfinished piece; of a line, the stream's end minus this is where it began. */
size_t vy_cut_pending(const struct vy_cut *c);

/* At the end of the stream: the last line, if it had no newline. */
bool vy_cut_rest(struct vy_cut *c, struct vy_str *piece);

#endif
