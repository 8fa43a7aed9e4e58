/* parts.h -- the pieces of a merged frame: their lengths, and the text they measure. Pure. */
#ifndef VY_FRAME_PARTS_H
#define VY_FRAME_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/str.h"
#include "shared/frame/scan.h"

/* Walks `parts`: "[3,1,4]". False at the end; `ok` says whether all of it was lengths. */
struct vy_parts {
	struct vy_scan s;
	bool ok;
};

void vy_parts_init(struct vy_parts *p, struct vy_str json);
bool vy_parts_next(struct vy_parts *p, size_t *len);

/* How many bytes the base64 stands for, or -1 when it is none. */
long vy_b64_len(struct vy_str b64);

#endif
