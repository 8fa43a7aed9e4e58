/* pack_in.h -- what pack.c (reading) and pack_make.c share: the form of a run.
 *
 * Unzipped:
 *	number of shapes, each: parts[0 … 5] as texts, is_expired
 *	number of settlements, each: seq
 *	number of entries, each: 0, a text                         a frame as it is
 *	                     or: shape + 1, settlement, first piece, pieces, signed: id number - cursor,
 *	                         the shape to show instead + 1 (0: none; that one is expired) */
#ifndef PACK_IN_H
#define PACK_IN_H

#include "server/log/numbers.h"
#include "server/log/pack.h"

#define PACK_MARK     ((char)2)
#define PACK_UNZIPPED (4 * 1024 * 1024)
#define PACK_SHAPES   256 /* of a run; frames beyond that stay as they are */

/* The parts of an encoded delta: before the number of its id, before the cursor, before the time, before
 * the text, behind it up to the bracket that ends the data, and the rest. */
enum { SHAPE_ID, SHAPE_CUR, SHAPE_TIME, SHAPE_TEXT, SHAPE_DATA, SHAPE_REST, SHAPE_PARTS };

struct pack_shape {
	struct vy_str parts[SHAPE_PARTS];
	bool is_expired; /* no text: parts[SHAPE_TEXT] ends where SHAPE_DATA begins */
};

/* A line taken apart; slices into it. */
struct pack_cut {
	struct pack_shape shape;
	int64_t id, time;   /* the id's number */
	struct vy_str text; /* as it stands in the line */
};

/* False: it is no delta of the usual form. */
bool pack_cut_line(struct vy_str line, int64_t cur, struct pack_cut *out);
bool pack_same_shape(const struct pack_shape *a, const struct pack_shape *b);
/* The text as it stands in a frame, without quotes. */
void pack_escape(struct vy_str text, struct vy_buf *out);

#endif
