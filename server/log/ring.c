/* ring.c -- see ring.h. Cursors are dense, so a frame's place is its distance from the first. */
#include "server/log/ring.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* ---- a frame ---- */

struct frame_ref *frame_ref_new(int64_t cur, int64_t span, struct vy_str bytes)
{
	struct frame_ref *f = vy_alloc(sizeof(*f) + bytes.n);

	vy_assert(bytes.n > 0 && bytes.n <= UINT32_MAX);
	f->refs = 1;
	f->len = (uint32_t)bytes.n;
	f->cur = cur;
	f->span = span;
	memcpy(f->bytes, bytes.p, bytes.n);
	return f;
}

struct frame_ref *frame_ref(struct frame_ref *f)
{
	f->refs++;
	return f;
}

void frame_unref(struct frame_ref *f)
{
	if (f) {
		vy_assert(f->refs > 0);
		if (--f->refs == 0) {
			free(f);
		}
	}
}

/* ---- the ring ---- */

void ring_init(struct ring *r, size_t max_frames, size_t max_bytes)
{
	vy_assert(max_frames > 0);
	*r = (struct ring){ .max_frames = max_frames, .max_bytes = max_bytes };
}

void ring_fini(struct ring *r)
{
	ring_clear(r);
}

static struct frame_ref **slot(const struct ring *r, size_t i)
{
	return &r->slots[(r->start + i) % r->cap];
}

static void drop_first(struct ring *r)
{
	struct frame_ref *f = *slot(r, 0);

	r->bytes -= f->len;
	r->start = (r->start + 1) % r->cap;
	r->n--;
	frame_unref(f);
}

static void grow(struct ring *r)
{
	size_t cap = r->cap ? r->cap * 2 : 64;
	struct frame_ref **slots;

	if (cap > r->max_frames) {
		cap = r->max_frames;
	}
	slots = vy_calloc(cap, sizeof(struct frame_ref *));
	for (size_t i = 0; i < r->n; i++) {
		slots[i] = *slot(r, i);
	}
	free(r->slots);
	r->slots = slots;
	r->cap = cap;
	r->start = 0;
}

void ring_push(struct ring *r, struct frame_ref *f)
{
	vy_assert(f->cur > 0 && (r->n == 0 || f->cur == ring_last(r) + 1));
	/* The newest stays even when it alone is over the bytes: live viewers come for it. */
	while (r->n > 0 && (r->n == r->max_frames || r->bytes + f->len > r->max_bytes)) {
		drop_first(r);
	}
	if (r->n == r->cap) {
		grow(r);
	}
	*slot(r, r->n) = frame_ref(f);
	r->n++;
	r->bytes += f->len;
}

struct frame_ref *ring_get(const struct ring *r, int64_t cur)
{
	int64_t first = ring_first(r);

	if (r->n == 0 || cur < first || cur >= first + (int64_t)r->n) {
		return NULL;
	}
	return *slot(r, (size_t)(cur - first));
}

int64_t ring_first(const struct ring *r)
{
	return r->n ? (*slot(r, 0))->cur : 0;
}

int64_t ring_last(const struct ring *r)
{
	return r->n ? (*slot(r, 0))->cur + (int64_t)r->n - 1 : 0;
}

void ring_drop_below(struct ring *r, int64_t cur)
{
	while (r->n > 0 && (*slot(r, 0))->cur < cur) {
		drop_first(r);
	}
}

void ring_clear(struct ring *r)
{
	while (r->n > 0) {
		drop_first(r);
	}
	free(r->slots);
	r->slots = NULL;
	r->cap = r->start = 0;
}
