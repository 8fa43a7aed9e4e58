/* streams.h -- what the log knows of each session in memory: its bounds, its newest frames (ring)
 * and the frames that wait for the commit. */
#ifndef STREAMS_H
#define STREAMS_H

#include <stdbool.h>
#include <sys/queue.h>

#include "server/log/ring.h"
#include "server/log/store.h"

#define STREAM_IDS 8

struct derived;
struct streams;

struct stream {
	char *id;
	struct store_bounds held; /* as committed */
	int64_t staged;           /* last cursor given out, >= held.head */
	struct ring ring;         /* committed frames only */
	struct frame_ref **wait;  /* held.head + 1 … staged */
	size_t n_wait, cap_wait, wait_bytes;
	struct derived *derived;  /* derive.h; NULL: not asked for since the start */
	bool is_touched;          /* stands in a list of the log's */
	bool is_looked;           /* it was looked whether it must be made again (seed.h) … */
	bool was_empty;           /* … and was empty then */
	int64_t exact;            /* below: made again; 0: it is as it was */
	char ids[STREAM_IDS + 1]; /* what its frames' ids of this start begin with; "": none yet */
	TAILQ_ENTRY(stream) touched, by_use;
};
TAILQ_HEAD(stream_list, stream);

struct streams_conf {
	size_t ring_frames, ring_bytes, all_bytes;
	/* A read met damage and went on behind it. */
	void (*damaged)(void *ctx, const struct vy_err *e);
	void *ctx;
};

struct streams *streams_new(struct log_store *store, const struct streams_conf *c);
void streams_free(struct streams *ss);

/* Made on first use from what the store holds; borrowed as long as `ss` lives. */
VY_MUST_USE struct stream *streams_get(struct streams *ss, const char *id, struct vy_err *e);
struct stream *streams_find(struct streams *ss, struct vy_str id); /* NULL: not in memory */

void stream_wait_push(struct stream *st, struct frame_ref *own_f); /* takes it over */
/* The waiting frames are committed: they go to the ring. */
void streams_committed(struct streams *ss, struct stream *st);
void streams_forget(struct streams *ss, struct stream *st); /* the session is deleted */
/* The store holds something else now; older frames leave the ring. */
void streams_bound(struct streams *ss, struct stream *st, const struct store_bounds *held);
void streams_quiet(struct streams *ss, struct stream *st); /* its ring is emptied */
size_t streams_bytes(const struct streams *ss);            /* of all rings */
void streams_shrink(struct streams *ss, size_t all_bytes); /* least recently used first */

/* log_read's way (log.h): the ring where it reaches, else the store. What the store cannot read any
 * more comes as one `hidden` frame over all of it, so cursors stay gapless. */
typedef bool stream_read_fn(void *ctx, struct frame_ref *f);
VY_MUST_USE int streams_read(struct streams *ss, struct stream *st, int64_t after,
	const struct store_reading *how, stream_read_fn *fn, void *ctx, struct vy_err *e);

#endif
