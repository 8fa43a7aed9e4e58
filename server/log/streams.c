/* streams.c -- see streams.h. */
#include "server/log/streams.h"

#include <stdlib.h>
#include <uthash.h>

#include "server/log/derive.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/base/ban.h"

/* The table's entry; callers see the stream in it. */
struct entry {
	struct stream st;
	UT_hash_handle hh;
};

struct streams {
	struct log_store *store;
	struct streams_conf conf;
	struct entry *table;
	struct entry
		*last; /* found: a hundred viewers of a session ask for it one after the other */
	struct stream_list by_use; /* least recently used first */
	size_t bytes;              /* of all rings */
};

struct streams *streams_new(struct log_store *store, const struct streams_conf *c)
{
	struct streams *ss = VY_NEW(struct streams);

	ss->store = store;
	ss->conf = *c;
	TAILQ_INIT(&ss->by_use);
	return ss;
}

static void drop_waiting(struct stream *st)
{
	for (size_t i = 0; i < st->n_wait; i++) {
		frame_unref(st->wait[i]);
	}
	st->n_wait = st->wait_bytes = 0;
	st->staged = st->held.head;
}

void streams_free(struct streams *ss)
{
	struct entry *en, *next;

	HASH_ITER (hh, ss->table, en, next) {
		HASH_DEL(ss->table, en);
		drop_waiting(&en->st);
		derived_free(en->st.derived);
		ring_fini(&en->st.ring);
		free(en->st.wait);
		free(en->st.id);
		free(en);
	}
	free(ss);
}

struct stream *streams_find(struct streams *ss, struct vy_str id)
{
	struct entry *en = ss->last;

	if (!en || !vy_str_is(id, en->st.id)) {
		HASH_FIND(hh, ss->table, id.p, id.n, en);
		ss->last = en;
	}
	return en ? &en->st : NULL;
}

struct stream *streams_get(struct streams *ss, const char *id, struct vy_err *e)
{
	struct stream *st = streams_find(ss, vy_str_c(id));
	struct store_bounds held;
	struct vy_err why = { 0 };
	struct entry *en;

	if (st) {
		return st;
	}
	if (ss->store->ops->bounds(ss->store, vy_str_c(id), &held, &why) < 0) {
		vy_fail(e, why.code, "%s", why.text);
		return NULL;
	}
	if (why.code == VY_CORRUPT) {
		ss->conf.damaged(ss->conf.ctx, &why);
	}
	en = VY_NEW(struct entry);
	st = &en->st;
	st->id = vy_strdup(id);
	st->held = held;
	st->staged = held.head;
	ring_init(&st->ring, ss->conf.ring_frames, ss->conf.ring_bytes);
	HASH_ADD_KEYPTR(hh, ss->table, st->id, strlen(st->id), en);
	TAILQ_INSERT_TAIL(&ss->by_use, st, by_use);
	return st;
}

void stream_wait_push(struct stream *st, struct frame_ref *own_f)
{
	st->wait = vy_grow(st->wait, &st->cap_wait, st->n_wait + 1, sizeof(struct frame_ref *));
	st->wait[st->n_wait++] = own_f;
	st->wait_bytes += own_f->len;
	st->staged = own_f->cur;
}

void streams_committed(struct streams *ss, struct stream *st)
{
	ss->bytes -= st->ring.bytes;
	for (size_t i = 0; i < st->n_wait; i++) {
		ring_push(&st->ring, st->wait[i]);
		frame_unref(st->wait[i]);
	}
	ss->bytes += st->ring.bytes;
	st->held.head = st->staged;
	st->held.frames += (int64_t)st->n_wait;
	st->held.bytes += (int64_t)st->wait_bytes;
	st->n_wait = st->wait_bytes = 0;
	TAILQ_REMOVE(&ss->by_use, st, by_use);
	TAILQ_INSERT_TAIL(&ss->by_use, st, by_use);
	if (ss->bytes > ss->conf.all_bytes) {
		streams_shrink(ss, ss->conf.all_bytes);
	}
}

void streams_forget(struct streams *ss, struct stream *st)
{
	ss->bytes -= st->ring.bytes;
	ring_clear(&st->ring);
	derived_free(st->derived);
	st->derived = NULL;
	st->held = (struct store_bounds){ .floor = 1 };
	drop_waiting(st);
}

void streams_bound(struct streams *ss, struct stream *st, const struct store_bounds *held)
{
	st->held = *held;
	ss->bytes -= st->ring.bytes;
	ring_drop_below(&st->ring, held->floor);
	ss->bytes += st->ring.bytes;
}

void streams_quiet(struct streams *ss, struct stream *st)
{
	ss->bytes -= st->ring.bytes;
	ring_clear(&st->ring);
}

size_t streams_bytes(const struct streams *ss)
{
	return ss->bytes;
}

/* Half a ring is of no use to a reader who stands before it, so each goes as a whole; the one in
 * use keeps its newest. */
void streams_shrink(struct streams *ss, size_t all_bytes)
{
	struct stream *st;

	TAILQ_FOREACH (st, &ss->by_use, by_use) {
		struct stream *newest = TAILQ_LAST(&ss->by_use, stream_list);

		if (ss->bytes <= all_bytes) {
			return;
		}
		ss->bytes -= st->ring.bytes;
		if (st != newest) {
			ring_clear(&st->ring);
		}
		while (st == newest && st->ring.bytes > all_bytes) {
			ring_drop_below(&st->ring, ring_first(&st->ring) + 1);
		}
		ss->bytes += st->ring.bytes;
	}
}

/* ---- reading ---- */

struct reading {
	stream_read_fn *fn;
	void *ctx;
	int64_t from, next, until; /* until: the first that the ring has */
	bool is_done;
	struct vy_err *why; /* it cannot be read now */
	const struct store_reading *how;
};

static bool from_store(void *ctx, const struct store_frame *f)
{
	struct reading *r = ctx;
	int64_t span = f->span > 1 ? f->span : 1;
	struct frame_ref *lent;

	if (f->cur != r->next + span - 1 || f->cur >= r->until) {
		return false;
	}
	r->next += span;
	lent = frame_ref_new(f->cur, span, f->bytes);
	r->is_done = !r->fn(r->ctx, lent);
	frame_unref(lent);
	return !r->is_done;
}

static bool keep_cur(void *ctx, const struct store_frame *f)
{
	*(int64_t *)ctx = f->cur;
	return false;
}

/* The cursor of the frame there, or of the next one; 0: no more; -1: it cannot be read. */
static int64_t try_at(struct streams *ss, struct stream *st, int64_t at)
{
	int64_t cur = 0;

	return ss->store->ops->read(ss->store, vy_str_c(st->id), at, NULL, keep_cur, &cur, NULL) < 0
		       ? -1
		       : cur;
}

/* The first cursor from `from` on that can be read; `until` when none before that can. A broken page
 * takes many frames along: ever longer steps over it, then back to its end. */
static int64_t readable_from(struct streams *ss, struct stream *st, int64_t from, int64_t until)
{
	int64_t bad = from - 1, good = -1, at = from;

	for (int64_t step = 1; at < until && good < 0; step *= 2) {
		good = try_at(ss, st, at);
		bad = good < 0 ? at : bad;
		at = good < 0 ? at + step : at;
	}
	while (good > 0 && at - bad > 1) {
		int64_t middle = bad + (at - bad) / 2, cur = try_at(ss, st, middle);

		bad = cur < 0 ? middle : bad;
		at = cur < 0 ? at : middle;
		good = cur < 0 ? good : cur;
	}
	return good > 0 && good < until ? good : until;
}

/* Stands for the frames from `from` to `to`, which nobody can read. */
static struct frame_ref *hole(const struct stream *st, int64_t from, int64_t to)
{
	VY_AUTO_BUF line = VY_BUF_INIT(4 * VY_KIB);
	struct vy_frame f;
	char id[40];

	snprintf(id, sizeof(id), "unreadable-%lld", (long long)to);
	vy_frame_init(&f, VY_KIND_HIDDEN);
	f.id = vy_str_c(id);
	f.session = vy_str_c(st->id);
	f.cur = (uint64_t)to;
	f.span = (uint64_t)(to - from + 1);
	vy_assert(vy_frame_encode(&f, &line));
	return frame_ref_new(to, to - from + 1, vy_buf_str(&line));
}

/* From the store up to where the ring begins, holes and all. */
static void read_stored(struct streams *ss, struct stream *st, struct reading *r)
{
	while (!r->is_done && r->next < r->until) {
		struct vy_err e = { 0 };
		int rc = ss->store->ops->read(
			ss->store, vy_str_c(st->id), r->next, r->how, from_store, r, &e);

		if (r->is_done || r->next >= r->until) {
			return;
		}
		if (rc == 0) {
			vy_fail(&e, VY_CORRUPT, "frame %lld of %s is missing in the store",
				(long long)r->next, st->id);
		}
		if (e.code != VY_CORRUPT) {
			*r->why = e;
			return;
		}
		ss->conf.damaged(ss->conf.ctx, &e);
		int64_t next = readable_from(ss, st, r->next, r->until);

		if (next > st->held.head && r->next == r->from) {
			*r->why = e; /* none of what was asked for */
			return;
		}
		struct frame_ref *f = hole(st, r->next, next - 1);

		r->next = next;
		r->is_done = !r->fn(r->ctx, f);
		frame_unref(f);
	}
}

int streams_read(struct streams *ss, struct stream *st, int64_t after,
	const struct store_reading *how, stream_read_fn *fn, void *ctx, struct vy_err *e)
{
	struct store_reading as = how ? *how : (struct store_reading){ 0 };
	struct vy_err why = { 0 };
	struct reading r = { fn, ctx, after + 1, after + 1, 0, false, &why, &as };

	if (after < st->held.floor - 1 || after > st->held.head) {
		return vy_fail(e, VY_GONE, "frames after %lld: the log holds %lld to %lld",
			(long long)after, (long long)st->held.floor, (long long)st->held.head);
	}
	r.until = st->ring.n ? ring_first(&st->ring) : st->held.head + 1;
	/* what is packed comes merged sooner than it could be joined out of the ring */
	if (as.merge_to >= r.until && st->held.packed >= r.until) {
		r.until = (as.merge_to < st->held.packed ? as.merge_to : st->held.packed) + 1;
	}
	as.merge_to = as.merge_to < r.until ? as.merge_to : r.until - 1;
	read_stored(ss, st, &r);
	if (why.code != VY_OK) {
		return vy_fail(e, why.code, "%s", why.text);
	}
	while (!r.is_done && r.next <= st->held.head) {
		r.is_done = !fn(ctx, ring_get(&st->ring, r.next++));
	}
	return 0;
}
