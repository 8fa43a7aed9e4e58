/* trouble.h -- what a failed commit means: try again when, say what, or never again. Pure. */
#ifndef TROUBLE_H
#define TROUBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"

#define TROUBLE_RETRY_MIN_MS  20
#define TROUBLE_RETRY_BUSY_MS 250 /* another program's lock may end any moment */
#define TROUBLE_RETRY_MAX_MS  5000
#define TROUBLE_SLOW_MS       1000 /* held by another program for so long: say it */

struct trouble {
	struct vy_err why; /* VY_OK: none that anybody must know */
	bool is_broken;    /* only a restart or a repair ends it */
	int64_t retry_ms;  /* the present back-off; 0: the last commit went through */
	int64_t since;     /* the first failure of this row of failures */
};

/* A commit failed: true when people must be told why (it is news). retry_ms says when to try again,
 * 0 with is_broken: never. */
bool trouble_failed(struct trouble *t, const struct vy_err *e, int64_t now_ms);
/* A commit went through. What did may have used the last reserve, so a full disk is over only when
 * trouble_end is called. True when it is over and that is news. */
bool trouble_passed(struct trouble *t);
bool trouble_end(struct trouble *t); /* true when that is news */

/* One word for programs: disk-full, disk-failed, storage-slow, damaged, not-ours. */
const char *trouble_reason(const struct trouble *t);
/* One sentence or two for a person; what the system said stands in it. */
void trouble_note(const struct trouble *t, struct vy_buf *out);

#endif
