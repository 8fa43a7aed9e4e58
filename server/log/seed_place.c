/* seed_place.c -- see seed_place.h. */
#include "server/log/seed_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "shared/model/lower.h"
#include "shared/base/ban.h"

struct attempt {
	int64_t from, to, last; /* last: where its newest delta is placed */
	int64_t left;           /* deltas that are not */
	bool is_whole;
};

struct delta {
	size_t attempt, order;
	struct vy_frame f;
	bool ends_block; /* no other of its block comes */
	int64_t cur;     /* where it is placed; 0: nowhere */
};

struct known { /* an event that is placed */
	int64_t time, cur;
};

struct seed_places {
	struct vy_str session;
	int64_t start, head;
	struct vy_arena *mem;
	struct vy_str *lines; /* of start … head; empty: free */
	bool *is_event, *is_border;
	size_t n_placed;
	int64_t behind; /* the event placed last */
	struct attempt *attempts;
	size_t n_attempts, cap_attempts;
	struct delta *deltas;
	size_t n_deltas, cap_deltas;
	struct known *known;
	size_t n_known, cap_known;
};

/* ---- a place ---- */

static bool is_inside(const struct seed_places *p, int64_t cur)
{
	return cur >= p->start && cur <= p->head;
}

/* The first that is free from `cur` on; 0: none. */
static int64_t free_from(const struct seed_places *p, int64_t cur)
{
	cur = cur < p->start ? p->start : cur;
	while (cur <= p->head && p->lines[cur - p->start].n) {
		cur++;
	}
	return cur <= p->head ? cur : 0;
}

/* What is no good frame (an event of long ago that lacks what is asked now) leaves its place. */
static bool put(struct seed_places *p, const struct vy_frame *f, int64_t cur)
{
	VY_AUTO_BUF line = VY_BUF_INIT(VY_FRAME_MAX);
	struct vy_frame at = *f;

	at.cur = (uint64_t)cur;
	at.session = p->session;
	if (vy_frame_check(&at, NULL) < 0 || !vy_frame_encode(&at, &line)) {
		return false;
	}
	p->lines[cur - p->start] = vy_arena_str(p->mem, vy_buf_str(&line));
	p->n_placed++;
	return true;
}

/* ---- events ---- */

void seed_places_event(struct seed_places *p, const struct vy_frame *f)
{
	int64_t cur = (int64_t)f->cur;

	if (!cur) {
		cur = free_from(p, p->behind + 1);
	}
	if (!is_inside(p, cur) || p->lines[cur - p->start].n || !put(p, f, cur)) {
		return;
	}
	p->behind = cur;
	p->is_event[cur - p->start] = true;
	p->is_border[cur - p->start] = f->kind == VY_KIND_USER_MESSAGE;
	p->known = vy_grow(p->known, &p->cap_known, p->n_known + 1, sizeof(*p->known));
	p->known[p->n_known++] = (struct known){ f->time, cur };
}

static int by_time(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	return x->time != y->time ? (x->time > y->time) - (x->time < y->time)
				  : (x->cur > y->cur) - (x->cur < y->cur);
}

/* ---- deltas ---- */

size_t seed_places_attempt(struct seed_places *p, int64_t from, int64_t to, bool is_whole)
{
	p->attempts =
		vy_grow(p->attempts, &p->cap_attempts, p->n_attempts + 1, sizeof(*p->attempts));
	p->attempts[p->n_attempts] =
		(struct attempt){ .from = from, .to = to, .last = from - 1, .is_whole = is_whole };
	return p->n_attempts++;
}

/* The one before it of the same block does not end it. */
static void goes_on(struct seed_places *p, const struct delta *d)
{
	for (size_t i = p->n_deltas; i-- > 0 && p->deltas[i].attempt == d->attempt;) {
		if (vy_frame_int(&p->deltas[i].f, VY_F_INDEX, 0) ==
			vy_frame_int(&d->f, VY_F_INDEX, 0)) {
			p->deltas[i].ends_block = false;
			return;
		}
	}
}

void seed_places_delta(struct seed_places *p, size_t attempt, const struct vy_frame *f)
{
	struct delta d = { .attempt = attempt, .order = p->n_deltas, .ends_block = true };

	vy_frame_dup(f, p->mem, &d.f);
	goes_on(p, &d);
	p->deltas = vy_grow(p->deltas, &p->cap_deltas, p->n_deltas + 1, sizeof(*p->deltas));
	p->deltas[p->n_deltas++] = d;
	p->attempts[attempt].left++;
}

static int by_time_and_order(const void *a, const void *b)
{
	const struct delta *x = a, *y = b;

	return x->f.time != y->f.time ? (x->f.time > y->f.time) - (x->f.time < y->f.time)
				      : (x->order > y->order) - (x->order < y->order);
}

static void place_delta(struct seed_places *p, struct delta *d, int64_t happened)
{
	struct attempt *a = &p->attempts[d->attempt];
	int64_t behind = a->last > happened ? a->last : happened;
	int64_t cur = free_from(p, behind + 1);

	if (a->last < p->start && a->last >= a->from) {
		return; /* it began in front of what is made */
	}
	if (!cur || !put(p, &d->f, cur)) {
		return;
	}
	a->last = d->cur = cur;
	a->left--;
}

/* More places than what is still to come of its attempt needs. */
static bool has_room(const struct seed_places *p, const struct attempt *a)
{
	int64_t room = 0;

	for (int64_t cur = a->last + 1; cur < a->to && cur <= p->head && room <= a->left; cur++) {
		room += !p->lines[cur - p->start].n;
	}
	return room > a->left;
}

static bool put_end(struct seed_places *p, const struct delta *d, int64_t cur)
{
	struct vy_frame done;

	vy_lower_done(&d->f, &done);
	done.id = vy_str_c(vy_arena_printf(p->mem, "%.*s.end", VY_STR_ARG(d->f.id)));
	return put(p, &done, cur);
}

/* Right behind its block, when nothing else was being written. */
static void place_end_now(struct seed_places *p, struct delta *d, const struct delta *next)
{
	struct attempt *a = &p->attempts[d->attempt];

	if (d->cur && (!next || next->attempt == d->attempt) && d->cur < p->head &&
		!p->lines[d->cur + 1 - p->start].n && has_room(p, a) && put_end(p, d, d->cur + 1)) {
		a->last = d->cur + 1;
		d->ends_block = false;
	}
}

/* Behind the last of a whole block, and whatever else was written at once, before anything else happened. */
static void place_end(struct seed_places *p, const struct delta *d)
{
	int64_t cur = d->cur + 1;

	while (cur <= p->head && p->lines[cur - p->start].n && !p->is_event[cur - p->start]) {
		cur++;
	}
	if (cur <= p->head && !p->lines[cur - p->start].n) {
		(void)put_end(p, d, cur);
	}
}

/* What had happened before a delta: not in the same ms, where nobody can tell. */
static void place_deltas(struct seed_places *p)
{
	int64_t happened = 0;
	size_t k = 0;

	if (p->n_deltas == 0) {
		return;
	}
	qsort(p->known, p->n_known, sizeof(*p->known), by_time);
	qsort(p->deltas, p->n_deltas, sizeof(*p->deltas), by_time_and_order);
	for (size_t i = 0; i < p->n_deltas; i++) {
		while (k < p->n_known && p->known[k].time < p->deltas[i].f.time) {
			happened = p->known[k].cur > happened ? p->known[k].cur : happened;
			k++;
		}
		struct delta *d = &p->deltas[i];

		place_delta(p, d, happened);
		if (d->ends_block && p->attempts[d->attempt].is_whole) {
			place_end_now(p, d, i + 1 < p->n_deltas ? d + 1 : NULL);
		}
	}
	for (size_t i = 0; i < p->n_deltas; i++) {
		const struct delta *d = &p->deltas[i];

		if (d->cur && d->ends_block && p->attempts[d->attempt].is_whole) {
			place_end(p, d);
		}
	}
}

/* ---- all of them ---- */

static struct vy_str hidden(struct seed_places *p, int64_t cur)
{
	VY_AUTO_BUF line = VY_BUF_INIT(4 * VY_KIB);
	struct vy_frame f;
	char id[40];

	snprintf(id, sizeof(id), "lost-%lld", (long long)cur);
	vy_frame_init(&f, VY_KIND_HIDDEN);
	f.id = vy_str_c(id);
	f.session = p->session;
	f.cur = (uint64_t)cur;
	vy_assert(vy_frame_encode(&f, &line));
	return vy_arena_str(p->mem, vy_buf_str(&line));
}

/* Where the newest that have `most` bytes begin. */
static int64_t floor_of(const struct seed_places *p, size_t most)
{
	int64_t floor = p->head + 1, border = 0;
	size_t bytes = 0;

	while (floor > p->start && bytes + p->lines[floor - 1 - p->start].n <= most) {
		bytes += p->lines[--floor - p->start].n;
		border = p->is_border[floor - p->start] ? floor : border;
	}
	return floor > 1 && border ? border : floor;
}

size_t seed_places_frames(struct seed_places *p, size_t most, struct store_frame **out)
{
	size_t n;

	place_deltas(p);
	if (p->n_placed == 0) {
		return 0;
	}
	for (int64_t cur = p->start; cur <= p->head; cur++) {
		if (!p->lines[cur - p->start].n) {
			p->lines[cur - p->start] = hidden(p, cur);
		}
	}
	int64_t floor = floor_of(p, most);

	n = (size_t)(p->head + 1 - floor);
	*out = vy_arena_calloc(p->mem, n + 1, sizeof(**out));
	for (size_t i = 0; i < n; i++) {
		(*out)[i].cur = floor + (int64_t)i;
		(*out)[i].bytes = p->lines[floor + (int64_t)i - p->start];
	}
	return n;
}

/* ---- life ---- */

struct seed_places *seed_places_new(
	struct vy_str session, int64_t start, int64_t head, struct vy_arena *mem)
{
	struct seed_places *p = VY_NEW(struct seed_places);
	size_t n = (size_t)(head - start + 1);

	*p = (struct seed_places){ .session = session, .start = start, .head = head, .mem = mem };
	p->lines = vy_calloc(n, sizeof(*p->lines));
	p->is_border = vy_calloc(n, sizeof(*p->is_border));
	p->is_event = vy_calloc(n, sizeof(*p->is_event));
	p->behind = start - 1;
	return p;
}

void seed_places_free(struct seed_places *p)
{
	free(p->lines);
	free(p->is_border);
	free(p->is_event);
	free(p->attempts);
	free(p->deltas);
	free(p->known);
	free(p);
}
