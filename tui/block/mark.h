/* mark.h -- the small signs of the screen (marks.def). Pure. */
#ifndef BLOCK_MARK_H
#define BLOCK_MARK_H

#include "tui/block/draw.h"

enum block_mark {
#define BLOCK_MARK(name, utf8, ascii) MARK_##name,
#include "tui/block/marks.def"
#undef BLOCK_MARK
	MARK_COUNT
};

#define MARK_SPINS 8 /* phases of the spinner, from MARK_SPIN0 */

/* As this sheet shows it: one cell. */
const char *mark_of(const struct block_sheet *s, enum block_mark m);
const char *mark_look(enum block_mark m, bool is_plain);

#endif
