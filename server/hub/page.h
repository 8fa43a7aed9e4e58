/* page.h -- the next frames of one viewer, fetched from the log a handful at a time.
 *
 * What lies behind while a viewer catches up may be merged (shared/frame/merge); what is new never
 * is. A page holds references: the ring and the log may move on meanwhile. */
#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/log/ring.h"
#include "shared/base/err.h"

#define PAGE_FRAMES 64
#define PAGE_BYTES  (64 * 1024) /* of the frames read; the first always fits */
#define PAGE_MERGED 512         /* frames read for a merged page */

struct log;

struct page {
	struct frame_ref *frames[PAGE_FRAMES];
	uint16_t at, n;
};

/* Fills an empty page with what follows `after`. Up to and including `merge_to` runs are merged;
 * 0: none. Nothing new is no error. */
VY_MUST_USE int page_fill(struct page *p, struct log *log, const char *session, int64_t after,
	int64_t merge_to, struct vy_err *e);
struct frame_ref *page_first(const struct page *p); /* lent; NULL when empty */
void page_pop(struct page *p);
void page_clear(struct page *p);

/* The frame of a commit that brought one, fetched once for all viewers that had got everything before. */
struct news {
	struct frame_ref *frame;
	int64_t after, head; /* what the session's log ended at before, and ends at now */
};

/* It ends there now; what it was is given back. */
void news_committed(struct news *n, int64_t head);
/* The frame behind `cursor`, lent until the next commit, when that is the one; NULL: a page has it. */
struct frame_ref *news_behind(struct news *n, struct log *log, const char *session, int64_t cursor);

#endif
