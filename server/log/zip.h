/* zip.h -- bytes made small and back (zstd): the only file that knows how. Any thread. */
#ifndef ZIP_H
#define ZIP_H

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

enum {
	ZIP_FAST = 3,  /* some hundred MB a second */
	ZIP_SMALL = 19 /* some MB a second: for the worker */
};

/* Appended, with its own length in it. False: it does not fit, `out` is over. */
VY_MUST_USE bool zip(struct vy_str in, int level, struct vy_buf *out);
/* Appended. VY_CORRUPT: it was not made by zip(), was damaged, or would not fit. */
VY_MUST_USE int unzip(struct vy_str in, struct vy_buf *out, struct vy_err *e);

#endif
