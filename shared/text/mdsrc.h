/* mdsrc.h -- finds the source lines of parsed blocks.
 *
 * md4c tells where text lay, not where blocks began: a block's lines are those of its text, with
 * the fence, underline or delimiter beside them; one without text is looked for between its
 * neighbours. Fills src and src_end of every block: ascending, in bounds, never overlapping. */
#ifndef VY_MDSRC_H
#define VY_MDSRC_H

#include <stddef.h>

#include "shared/base/str.h"
#include "shared/text/md.h"

void vy_mdsrc_find(struct vy_str src, struct vy_md_block *blocks, size_t n);

#endif
