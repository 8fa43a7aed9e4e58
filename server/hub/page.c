/* page.c -- see page.h. */
#include "server/hub/page.h"

#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/frame/codec.h"
#include "shared/frame/merge.h"
#include "shared/frame/twin.h"
#include "shared/base/ban.h"

#define LONG_RUN 64 /* frames in one: joining it with its neighbours would not make it much less */

struct filling {
	struct page *page;
	size_t read, bytes;
	int64_t merge_to;
	/* only while merging */
	struct vy_merge merge;
	struct vy_twin twin;
	struct vy_arena arena;
	struct vy_buf line;
	struct frame_ref *first; /* the run is this one frame: it goes as it is */
};

static void page_push(struct page *p, struct frame_ref *own_f)
{
	p->frames[p->n++] = own_f;
}

/* ---- merging ---- */

/* The run so far becomes a frame of the page. */
static void end_run(struct filling *f)
{
	const struct vy_frame *run = vy_merge_take(&f->merge);

	if (!run) {
		return;
	}
	vy_buf_clear(&f->line);
	if (run->span == 1) {
		page_push(f->page, frame_ref(f->first));
	} else {
		/* A run is at most 64 KiB of text and its ids: it fits. */
		vy_assert(vy_frame_encode(run, &f->line));
		page_push(f->page,
			frame_ref_new((int64_t)run->cur, (int64_t)run->span, vy_buf_str(&f->line)));
	}
	frame_unref(f->first);
	f->first = NULL;
}

static void add_to_run(struct filling *f, const struct vy_frame *frame, struct frame_ref *lent)
{
	if (!vy_merge_add(&f->merge, frame)) {
		end_run(f);
		if (!vy_merge_add(&f->merge, frame)) {
			page_push(f->page, frame_ref(lent));
			return;
		}
	}
	if (!f->first) {
		f->first = frame_ref(lent);
	}
}

/* A long run came joined from the store: it goes as it is. */
static bool is_long(const struct frame_ref *lent)
{
	return lent->span > LONG_RUN;
}

static void take_merging(struct filling *f, struct frame_ref *lent)
{
	const struct vy_frame *twin;
	struct vy_frame frame;

	if (is_long(lent)) {
		end_run(f);
		page_push(f->page, frame_ref(lent));
		return;
	}
	twin = vy_twin_read(&f->twin, frame_ref_str(lent));

	if (twin) {
		add_to_run(f, twin, lent);
		return;
	}
	vy_arena_reset(&f->arena);
	if (vy_frame_decode(frame_ref_str(lent), &f->arena, &frame, NULL) < 0) {
		end_run(f); /* we wrote it, but a viewer can judge it as well */
		page_push(f->page, frame_ref(lent));
	} else {
		add_to_run(f, &frame, lent);
		if (frame.kind == VY_KIND_TEXT_DELTA && lent->span == 1) {
			vy_twin_note(&f->twin, frame_ref_str(lent));
		}
	}
}

/* ---- reading ---- */

static bool take(void *ctx, struct frame_ref *lent)
{
	struct filling *f = ctx;
	size_t most = f->merge_to ? PAGE_MERGED : PAGE_FRAMES;

	f->read += (size_t)lent->span;
	f->bytes += lent->len;
	if (lent->cur <= f->merge_to) {
		take_merging(f, lent);
	} else {
		if (f->merge_to) {
			end_run(f);
		}
		page_push(f->page, frame_ref(lent));
	}
	/* One place is kept for a run that is not ended yet. */
	return f->read < most && f->page->n < PAGE_FRAMES - 1 && f->bytes < PAGE_BYTES;
}

int page_fill(struct page *p, struct log *log, const char *session, int64_t after, int64_t merge_to,
	struct vy_err *e)
{
	struct filling f = { .page = p, .merge_to = merge_to > after ? merge_to : 0 };
	int rc;

	vy_assert(p->at == p->n);
	p->at = p->n = 0;
	if (f.merge_to) {
		vy_merge_init(&f.merge);
		vy_twin_init(&f.twin);
		vy_arena_init(&f.arena);
		vy_buf_init(&f.line, VY_FRAME_MAX);
	}
	rc = log_read_as(log, session, after, &(struct store_reading){ .merge_to = f.merge_to },
		take, &f, e);
	if (f.merge_to) {
		end_run(&f);
		vy_merge_fini(&f.merge);
		vy_twin_fini(&f.twin);
		vy_arena_fini(&f.arena);
		vy_buf_fini(&f.line);
	}
	if (rc < 0) {
		page_clear(p);
	}
	return rc;
}

struct frame_ref *page_first(const struct page *p)
{
	return p->at < p->n ? p->frames[p->at] : NULL;
}

void page_pop(struct page *p)
{
	vy_assert(p->at < p->n);
	frame_unref(p->frames[p->at++]);
}

void page_clear(struct page *p)
{
	while (p->at < p->n) {
		page_pop(p);
	}
	p->at = p->n = 0;
}

/* ---- for all ---- */

void news_committed(struct news *n, int64_t head)
{
	frame_unref(n->frame);
	*n = (struct news){ .after = n->head, .head = head };
}

struct frame_ref *news_behind(struct news *n, struct log *log, const char *session, int64_t cursor)
{
	if (cursor != n->after || n->head != n->after + 1) {
		return NULL;
	}
	if (!n->frame) {
		n->frame = log_frame(log, session, n->head); /* or else a page hears why */
	}
	return n->frame && n->frame->cur == n->head && n->frame->span == 1 ? n->frame : NULL;
}
