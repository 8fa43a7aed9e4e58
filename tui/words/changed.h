/* changed.h -- what became of files, in a few words. Pure. */
#ifndef WORDS_CHANGED_H
#define WORDS_CHANGED_H

#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"

/* "router.c +3 −1", "3 files +12 −4"; nothing for no file. `one` is its path when it is one; else it
 * may be empty. Appends. */
void words_files(size_t n, struct vy_str one, int64_t added, int64_t removed, struct vy_buf *out);
/* " +3 −1". Appends. */
void words_lines(int64_t added, int64_t removed, struct vy_buf *out);

#endif
