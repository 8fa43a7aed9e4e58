/* stage.c -- see stage.h. */
#include "server/log/stage.h"

#include <stdlib.h>

#include "server/log/row.h"
#include "shared/base/crash.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define LOOK_BACK  32  /* staged rows looked through for an older version */
#define TRIM_SLACK 256 /* frames over the bound before a trim: it is not done for each frame */

void stage_init(struct stage *g)
{
	*g = (struct stage){ 0 };
	TAILQ_INIT(&g->touched);
	TAILQ_INIT(&g->rows);
	TAILQ_INIT(&g->afters);
}

void stage_fini(struct stage *g)
{
	struct after *a;

	stage_rows_clear(g);
	while ((a = TAILQ_FIRST(&g->afters))) {
		TAILQ_REMOVE(&g->afters, a, link);
		free(a);
	}
}

bool stage_has_writes(const struct stage *g)
{
	return !TAILQ_EMPTY(&g->touched) || !TAILQ_EMPTY(&g->rows);
}

bool stage_is_empty(const struct stage *g)
{
	return !stage_has_writes(g) && TAILQ_EMPTY(&g->afters);
}

void stage_frame(struct stage *g, struct stream *st, struct frame_ref *own_f)
{
	g->changes++;
	g->bytes += own_f->len;
	stream_wait_push(st, own_f);
	if (!st->is_touched) {
		st->is_touched = true;
		TAILQ_INSERT_TAIL(&g->touched, st, touched);
	}
}

/* The one that the new row replaces: its last version, when nothing was deleted since. */
static struct staged_row *older(struct stage *g, const struct store_row *row, uint64_t hash)
{
	struct staged_row *r;
	int looked = 0;

	TAILQ_FOREACH_REVERSE(r, &g->rows, staged_rows, link)
	{
		if (r->is_del || looked++ == LOOK_BACK) {
			return NULL;
		}
		if (r->hash == hash && row_same(r->row, row)) {
			return r;
		}
	}
	return NULL;
}

void stage_row(struct stage *g, const struct store_row *row, bool is_del)
{
	uint64_t hash = row_hash(row);
	struct staged_row *r = is_del ? NULL : older(g, row, hash);

	g->changes++;
	if (r) {
		g->bytes -= row_bytes(r->row);
		free(r->row);
	} else {
		r = VY_NEW(struct staged_row);
		r->is_del = is_del;
		r->hash = hash;
		TAILQ_INSERT_TAIL(&g->rows, r, link);
	}
	r->row = row_dup(row);
	g->bytes += row_bytes(row);
}

const struct store_row *stage_find(const struct stage *g, const struct store_row *key)
{
	const struct staged_row *r;
	uint64_t hash = row_hash(key);

	TAILQ_FOREACH_REVERSE(r, &g->rows, staged_rows, link)
	{
		if (r->is_del ? row_dies_with(key, r->row)
			      : r->hash == hash && row_same(r->row, key)) {
			return r->is_del ? NULL : r->row;
		}
	}
	return NULL;
}

void stage_after(struct stage *g, void (*fn)(void *ctx, bool committed), void *ctx, bool wants_sync)
{
	struct after *a = VY_NEW(struct after);

	g->changes++;
	a->fn = fn;
	a->ctx = ctx;
	a->wants_sync = wants_sync;
	TAILQ_INSERT_TAIL(&g->afters, a, link);
}

void stage_rows_clear(struct stage *g)
{
	struct staged_row *r;

	while ((r = TAILQ_FIRST(&g->rows))) {
		TAILQ_REMOVE(&g->rows, r, link);
		free(r->row);
		free(r);
	}
}

void after_list_run(struct after_list *list, bool committed)
{
	struct after *a;

	while ((a = TAILQ_FIRST(list))) {
		TAILQ_REMOVE(list, a, link);
		a->fn(a->ctx, committed);
		free(a);
	}
}

/* ---- writing ---- */

static int write_frames(
	struct stream *st, struct log_store *s, const struct stage_limits *lim, struct vy_err *e)
{
	struct store_frame *frames = vy_calloc(st->n_wait, sizeof(*frames));
	int rc;

	for (size_t i = 0; i < st->n_wait; i++) {
		frames[i].cur = st->wait[i]->cur;
		frames[i].bytes = frame_ref_str(st->wait[i]);
	}
	rc = s->ops->append(s, vy_str_c(st->id), st->held.head, lim->epoch, frames, st->n_wait, e);
	free(frames);
	return rc;
}

struct shed {
	int64_t want; /* bytes still to shed */
	int64_t floor;
};

static bool shed_one(void *ctx, const struct store_frame *f)
{
	struct shed *s = ctx;

	s->want -= (int64_t)f->bytes.n;
	s->floor = f->cur + 1;
	return s->want > 0;
}

/* What a session holds beyond its bounds goes in the transaction that made it too much. */
static int trim(
	struct stream *st, struct log_store *s, const struct stage_limits *lim, struct vy_err *e)
{
	int64_t frames = st->held.frames + (int64_t)st->n_wait;
	struct shed shed = { .floor = st->held.floor };

	if (frames > lim->retain_frames + TRIM_SLACK) {
		shed.floor = st->staged + 1 - lim->retain_frames;
	}
	shed.want = st->held.bytes + (int64_t)st->wait_bytes - lim->retain_bytes;
	if (shed.want > lim->retain_bytes / 64 &&
		s->ops->read(s, vy_str_c(st->id), shed.floor, NULL, shed_one, &shed, e) < 0) {
		return -1;
	}
	if (shed.floor <= st->held.floor) {
		return 0;
	}
	return s->ops->trim(s, vy_str_c(st->id), shed.floor, e);
}

static int write_row(struct log_store *s, const struct staged_row *r, struct vy_err *e)
{
	return r->is_del ? s->ops->del(s, r->row, e) : s->ops->put(s, r->row, e);
}

int stage_write(
	struct stage *g, struct log_store *s, const struct stage_limits *lim, struct vy_err *e)
{
	struct staged_row *r;
	struct stream *st;

	VY_CRASH(COMMIT_BEGIN);
	if (s->ops->begin(s, e) < 0) {
		return -1;
	}
	TAILQ_FOREACH (st, &g->touched, touched) {
		if (write_frames(st, s, lim, e) < 0 || trim(st, s, lim, e) < 0) {
			s->ops->rollback(s);
			return vy_wrap(e, "writing the log of %s", st->id);
		}
	}
	VY_CRASH(COMMIT_FRAMES);
	TAILQ_FOREACH (r, &g->rows, link) {
		if (write_row(s, r, e) < 0) {
			s->ops->rollback(s);
			return -1;
		}
	}
	VY_CRASH(COMMIT_ROWS);
	return s->ops->commit(s, e);
}
