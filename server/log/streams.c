/* streams.c -- see streams.h. */
#include "server/log/streams.h"

#include <stdlib.h>
#include <uthash.h>

#include "server/log/derive.h"
#include "shared/base/mem.h"
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
	struct entry *en;

	HASH_FIND(hh, ss->table, id.p, id.n, en);
	return en ? &en->st : NULL;
}

struct stream *streams_get(struct streams *ss, const char *id, struct vy_err *e)
{
	struct stream *st = streams_find(ss, vy_str_c(id));
	struct store_bounds held;
	struct entry *en;

	if (st) {
		return st;
	}
	if (ss->store->ops->bounds(ss->store, vy_str_c(id), &held, e) < 0) {
		return NULL;
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
	int64_t next, until; /* until: the first that the ring has */
	bool is_done;
};

static bool from_store(void *ctx, const struct store_frame *f)
{
	struct reading *r = ctx;
	struct frame_ref *lent;

	if (f->cur != r->next || f->cur >= r->until) {
		return false;
	}
	r->next++;
	lent = frame_ref_new(f->cur, 1, f->bytes);
	r->is_done = !r->fn(r->ctx, lent);
	frame_unref(lent);
	return !r->is_done;
}

int streams_read(struct streams *ss, struct stream *st, int64_t after, stream_read_fn *fn,
	void *ctx, struct vy_err *e)
{
	struct reading r = { fn, ctx, after + 1, 0, false };

	if (after < st->held.floor - 1 || after > st->held.head) {
		return vy_fail(e, VY_GONE, "frames after %lld: the log holds %lld to %lld",
			(long long)after, (long long)st->held.floor, (long long)st->held.head);
	}
	r.until = st->ring.n ? ring_first(&st->ring) : st->held.head + 1;
	if (r.next < r.until) {
		if (ss->store->ops->read(ss->store, vy_str_c(st->id), r.next, from_store, &r, e) <
			0) {
			return -1;
		}
		if (!r.is_done && r.next < r.until) {
			return vy_fail(e, VY_CORRUPT, "frame %lld of %s is missing in the store",
				(long long)r.next, st->id);
		}
	}
	while (!r.is_done && r.next <= st->held.head) {
		r.is_done = !fn(ctx, ring_get(&st->ring, r.next++));
	}
	return 0;
}
