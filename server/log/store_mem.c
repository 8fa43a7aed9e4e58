/* store_mem.c -- a store in memory, for tests: the same promises, and faults on demand.
 *
 * What a transaction does is kept as a list and applied by commit, so a rollback is a free. Small
 * numbers of everything: lists are walked. */
#include <stdlib.h>
#include <sys/queue.h>

#include "server/log/row.h"
#include "server/log/store.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct mem_frame {
	int64_t cur;
	struct vy_str bytes; /* behind it */
	TAILQ_ENTRY(mem_frame) link;
};
TAILQ_HEAD(frame_list, mem_frame);

struct mem_stream {
	char *session;
	int64_t head, floor;
	struct frame_list frames;
	TAILQ_ENTRY(mem_stream) link;
};

struct mem_row {
	struct store_row *row;
	TAILQ_ENTRY(mem_row) link;
};
TAILQ_HEAD(row_list, mem_row);

/* One step of the open transaction. */
enum mem_op_kind { OP_APPEND, OP_FILL, OP_TRIM, OP_PUT, OP_DEL };
struct mem_op {
	enum mem_op_kind kind;
	char *session;         /* append, trim */
	struct mem_frame *f;   /* append */
	int64_t floor;         /* trim */
	struct store_row *row; /* put, del */
	TAILQ_ENTRY(mem_op) link;
};
TAILQ_HEAD(op_list, mem_op);

struct mem_store {
	struct log_store base;
	TAILQ_HEAD(, mem_stream) streams;
	struct row_list rows;
	struct op_list ops;
	bool is_open;
	int fail_in, fail_times;
	enum vy_code fail_code;
};

static struct mem_store *of(struct log_store *s)
{
	return (struct mem_store *)s;
}

/* ---- the transaction ---- */

static void drop_ops(struct mem_store *m)
{
	struct mem_op *op;

	while ((op = TAILQ_FIRST(&m->ops))) {
		TAILQ_REMOVE(&m->ops, op, link);
		free(op->session);
		free(op->f);
		free(op->row);
		free(op);
	}
	m->is_open = false;
}

static int faulty(struct mem_store *m, const char *what, struct vy_err *e)
{
	if (m->fail_times > 0 && --m->fail_in <= 0) {
		m->fail_times--;
		drop_ops(m);
		return vy_fail(e, m->fail_code, "told to fail in %s", what);
	}
	return 0;
}

static struct mem_op *op_add(struct mem_store *m, enum mem_op_kind kind)
{
	struct mem_op *op = VY_NEW(struct mem_op);

	vy_assert(m->is_open);
	op->kind = kind;
	TAILQ_INSERT_TAIL(&m->ops, op, link);
	return op;
}

static struct mem_stream *stream_of(struct mem_store *m, struct vy_str session)
{
	struct mem_stream *st;

	TAILQ_FOREACH (st, &m->streams, link) {
		if (vy_str_is(session, st->session)) {
			return st;
		}
	}
	return NULL;
}

static int mem_begin(struct log_store *s, struct vy_err *e)
{
	vy_assert(!of(s)->is_open);
	if (faulty(of(s), "begin", e) < 0) {
		return -1;
	}
	of(s)->is_open = true;
	return 0;
}

/* The head as the open transaction sees it. */
static int64_t head_now(struct mem_store *m, struct vy_str session)
{
	struct mem_stream *st = stream_of(m, session);
	int64_t head = st ? st->head : 0;
	struct mem_op *op;

	TAILQ_FOREACH (op, &m->ops, link) {
		if (op->kind == OP_APPEND && vy_str_is(session, op->session)) {
			head = op->f->cur;
		}
	}
	return head;
}

static bool epoch_is(struct mem_store *m, const char *epoch)
{
	struct mem_row *r;

	TAILQ_FOREACH (r, &m->rows, link) {
		if (r->row->kind == ROW_KV && vy_str_is(r->row->kv.space, "meta") &&
			vy_str_is(r->row->kv.name, "epoch")) {
			return vy_str_is(r->row->kv.value, epoch);
		}
	}
	return false;
}

static int mem_append(struct log_store *s, struct vy_str session, int64_t prev, const char *epoch,
	const struct store_frame *frames, size_t n, struct vy_err *e)
{
	struct mem_store *m = of(s);

	if (faulty(m, "append", e) < 0) {
		return -1;
	}
	if (head_now(m, session) != prev || !epoch_is(m, epoch)) {
		drop_ops(m);
		return vy_fail(e, VY_CONFLICT, "the log of %.*s does not end at %lld in epoch %s",
			VY_STR_ARG(session), (long long)prev, epoch);
	}
	for (size_t i = 0; i < n; i++) {
		struct mem_op *op = op_add(m, OP_APPEND);

		vy_assert(frames[i].cur == prev + 1 + (int64_t)i);
		op->session = vy_memdup0(session.p, session.n);
		op->f = vy_alloc(sizeof(*op->f) + frames[i].bytes.n);
		memcpy(op->f + 1, frames[i].bytes.p, frames[i].bytes.n);
		op->f->cur = frames[i].cur;
		op->f->bytes = vy_str_n((char *)(op->f + 1), frames[i].bytes.n);
	}
	return 0;
}

static int mem_trim(struct log_store *s, struct vy_str session, int64_t floor, struct vy_err *e)
{
	struct mem_op *op;

	(void)e;
	op = op_add(of(s), OP_TRIM);
	op->session = vy_memdup0(session.p, session.n);
	op->floor = floor;
	return 0;
}

static int mem_fill(struct log_store *s, struct vy_str session, const struct store_frame *frames,
	size_t n, struct vy_err *e)
{
	struct mem_stream *st = stream_of(of(s), session);

	if (faulty(of(s), "fill", e) < 0) {
		return -1;
	}
	if (st && (!TAILQ_EMPTY(&st->frames) || st->head != frames[n - 1].cur)) {
		drop_ops(of(s));
		return vy_fail(e, VY_CONFLICT, "the log of %.*s is not empty", VY_STR_ARG(session));
	}
	for (size_t i = 0; i < n; i++) {
		struct mem_op *op = op_add(of(s), OP_FILL);

		op->session = vy_memdup0(session.p, session.n);
		op->floor = frames[0].cur;
		op->f = vy_alloc(sizeof(*op->f) + frames[i].bytes.n);
		memcpy(op->f + 1, frames[i].bytes.p, frames[i].bytes.n);
		op->f->cur = frames[i].cur;
		op->f->bytes = vy_str_n((char *)(op->f + 1), frames[i].bytes.n);
	}
	return 0;
}

/* Never replaced. */
static bool is_once(const struct store_row *row)
{
	return row->kind == ROW_JOURNAL || row->kind == ROW_CONTROL;
}

static int mem_put(struct log_store *s, const struct store_row *row, struct vy_err *e)
{
	struct mem_row *r;

	if (faulty(of(s), "put", e) < 0) {
		return -1;
	}
	for (r = is_once(row) ? TAILQ_LAST(&of(s)->rows, row_list) : NULL; r;
		r = TAILQ_PREV(r, row_list, link)) {
		if (row_same(r->row, row)) {
			drop_ops(of(s));
			return vy_fail(e, VY_CONFLICT, "there is such a row already");
		}
		if (r->row->kind == row->kind && row_order(r->row, row) < 0) {
			break; /* they come in their order */
		}
	}
	op_add(of(s), OP_PUT)->row = row_dup(row);
	return 0;
}

static int mem_del(struct log_store *s, const struct store_row *row, struct vy_err *e)
{
	if (faulty(of(s), "del", e) < 0) {
		return -1;
	}
	op_add(of(s), OP_DEL)->row = row_dup(row);
	return 0;
}

/* ---- applying ---- */

static void stream_trim(struct mem_stream *st, int64_t floor)
{
	struct mem_frame *f;

	while ((f = TAILQ_FIRST(&st->frames)) && f->cur < floor) {
		TAILQ_REMOVE(&st->frames, f, link);
		free(f);
	}
	floor = floor > st->head + 1 ? st->head + 1 : floor;
	st->floor = floor > st->floor ? floor : st->floor;
}

static void stream_drop(struct mem_store *m, struct mem_stream *st)
{
	stream_trim(st, INT64_MAX);
	TAILQ_REMOVE(&m->streams, st, link);
	free(st->session);
	free(st);
}

static void apply_append(struct mem_store *m, struct mem_op *op)
{
	struct mem_stream *st = stream_of(m, vy_str_c(op->session));

	if (!st) {
		st = VY_NEW(struct mem_stream);
		st->session = vy_strdup(op->session);
		st->floor = 1;
		TAILQ_INIT(&st->frames);
		TAILQ_INSERT_TAIL(&m->streams, st, link);
	}
	st->head = op->f->cur;
	TAILQ_INSERT_TAIL(&st->frames, op->f, link);
	op->f = NULL;
}

static void row_drop(struct mem_store *m, struct mem_row *r)
{
	TAILQ_REMOVE(&m->rows, r, link);
	free(r->row);
	free(r);
}

/* Tells belong to a session by way of its live rows, so those go last. */
static void apply_del(struct mem_store *m, const struct store_row *del)
{
	struct mem_stream *st;
	struct mem_row *r, *next;

	for (r = TAILQ_FIRST(&m->rows); r; r = next) {
		next = TAILQ_NEXT(r, link);
		if (del->kind == ROW_SESSION && r->row->kind == ROW_JOURNAL &&
			vy_str_eq(r->row->journal.session, del->session.session)) {
			r->row->journal.data.n = 0;
		}
		if (del->kind == ROW_SESSION && r->row->kind == ROW_CONTROL &&
			vy_str_eq(r->row->control.session, del->session.session)) {
			struct row_control *c = &r->row->control;

			c->session.n = c->type.n = c->own.n = c->doc.n = 0;
		}
		if (!row_dies_with(r->row, del)) {
			continue;
		}
		if (r->row->kind == ROW_LIVE && del->kind == ROW_SESSION) {
			struct store_row *live = row_dup(r->row);

			apply_del(m, live);
			free(live);
			next = TAILQ_FIRST(&m->rows); /* the list is another now */
			continue;
		}
		row_drop(m, r);
	}
	if (del->kind == ROW_SESSION && (st = stream_of(m, del->session.session))) {
		stream_drop(m, st);
	}
}

static void apply_put(struct mem_store *m, struct mem_op *op)
{
	struct mem_row *r;

	for (r = is_once(op->row) ? NULL : TAILQ_FIRST(&m->rows); r; r = TAILQ_NEXT(r, link)) {
		if (row_same(r->row, op->row)) {
			row_drop(m, r);
			break;
		}
	}
	r = VY_NEW(struct mem_row);
	r->row = op->row;
	op->row = NULL;
	TAILQ_INSERT_TAIL(&m->rows, r, link);
}

static int mem_commit(struct log_store *s, struct vy_err *e)
{
	struct mem_store *m = of(s);
	struct mem_stream *st;
	struct mem_op *op;

	if (faulty(m, "commit", e) < 0) {
		return -1;
	}
	TAILQ_FOREACH (op, &m->ops, link) {
		switch (op->kind) {
		case OP_APPEND: apply_append(m, op); break;
		case OP_FILL:
			apply_append(m, op);
			st = stream_of(m, vy_str_c(op->session));
			vy_assert(st); /* made just now, if it was not there */
			st->floor = op->floor;
			break;
		case OP_PUT: apply_put(m, op); break;
		case OP_DEL: apply_del(m, op->row); break;
		case OP_TRIM:
			st = stream_of(m, vy_str_c(op->session));
			if (st) {
				stream_trim(st, op->floor);
			}
			break;
		}
	}
	drop_ops(m);
	return 0;
}

static void mem_rollback(struct log_store *s)
{
	drop_ops(of(s));
}

/* ---- reading ---- */

static int mem_bounds(
	struct log_store *s, struct vy_str session, struct store_bounds *out, struct vy_err *e)
{
	struct mem_stream *st = stream_of(of(s), session);
	struct mem_frame *f;

	(void)e;
	*out = (struct store_bounds){ .floor = 1 };
	if (st) {
		out->head = st->head;
		out->floor = st->floor;
		TAILQ_FOREACH (f, &st->frames, link) {
			out->frames++;
			out->bytes += (int64_t)f->bytes.n;
		}
	}
	return 0;
}

static int mem_read(struct log_store *s, struct vy_str session, int64_t from,
	const struct store_reading *how, store_frame_fn *fn, void *ctx, struct vy_err *e)
{
	struct mem_stream *st = stream_of(of(s), session);
	struct mem_frame *f;

	(void)e;
	(void)how;
	if (!st) {
		return 0;
	}
	TAILQ_FOREACH (f, &st->frames, link) {
		struct store_frame lent = { f->cur, f->bytes, 1 };

		if (f->cur >= from && !fn(ctx, &lent)) {
			break;
		}
	}
	return 0;
}

static int by_order(const void *a, const void *b)
{
	return row_order(*(struct store_row *const *)a, *(struct store_row *const *)b);
}

static int mem_each(struct log_store *s, const struct store_row *like, store_row_fn *fn, void *ctx,
	struct vy_err *e)
{
	struct store_row **found = NULL;
	size_t n = 0, cap = 0;
	struct mem_row *r;

	(void)e;
	TAILQ_FOREACH (r, &of(s)->rows, link) {
		if (row_like(r->row, like)) {
			found = vy_grow(found, &cap, n + 1, sizeof(struct store_row *));
			found[n++] = r->row;
		}
	}
	if (n > 1) {
		qsort(found, n, sizeof(struct store_row *), by_order);
	}
	for (size_t i = 0; i < n; i++) {
		struct store_row row = *found[i];

		if (row.kind == ROW_OUTPUT) {
			row.output.bytes = vy_str_n(NULL, 0);
		}
		if (!fn(ctx, &row)) {
			break;
		}
	}
	free(found);
	return 0;
}

static int64_t mem_output(struct log_store *s, struct vy_str session, struct vy_str ref,
	int64_t off, void *out, size_t n, int64_t *total, struct vy_err *e)
{
	struct store_row want = { .kind = ROW_OUTPUT,
		.output = { .session = session, .ref = ref } };
	struct mem_row *r;

	TAILQ_FOREACH (r, &of(s)->rows, link) {
		if (row_same(r->row, &want)) {
			struct vy_str part =
				off < 0 ? vy_str_n(NULL, 0)
					: vy_str_from(r->row->output.bytes, (size_t)off);

			n = n < part.n ? n : part.n;
			if (part.p && n) {
				memcpy(out, part.p, n);
			}
			if (total) {
				*total = (int64_t)r->row->output.bytes.n;
			}
			return (int64_t)n;
		}
	}
	return vy_fail(e, VY_NOT_FOUND, "no output %.*s here", VY_STR_ARG(ref));
}

/* ---- the rest ---- */

/* Frames are kept as they came: it is for tests, and forgets all at its end. */
static int mem_tidy(struct log_store *s, const struct store_tidy *t,
	void (*done)(void *ctx, int rc), void *ctx, struct vy_err *e)
{
	(void)s;
	(void)t;
	(void)done;
	(void)ctx;
	(void)e;
	return 0;
}

static int mem_shrink(struct log_store *s, struct vy_err *e)
{
	(void)s;
	(void)e;
	return 0;
}

static void mem_sync(
	struct log_store *s, void (*fn)(void *ctx, const struct vy_err *failed), void *ctx)
{
	(void)s;
	fn(ctx, NULL);
}

static void mem_drain(struct log_store *s)
{
	(void)s;
}

static bool mem_has_room(struct log_store *s)
{
	return of(s)->fail_times <= 0;
}

static int mem_copy(
	struct log_store *s, const char *path, int64_t *copied, int64_t *total, struct vy_err *e)
{
	(void)s;
	*copied = *total = 0;
	return vy_fail(e, VY_UNSUPPORTED, "making %s: this store has no copies", path);
}

static void mem_on_wake(struct log_store *s, void (*wake)(void *ctx), void *ctx)
{
	(void)s;
	(void)wake;
	(void)ctx;
}

static void mem_close(struct log_store *s)
{
	struct mem_store *m = of(s);

	drop_ops(m);
	while (!TAILQ_EMPTY(&m->streams)) {
		stream_drop(m, TAILQ_FIRST(&m->streams));
	}
	while (!TAILQ_EMPTY(&m->rows)) {
		row_drop(m, TAILQ_FIRST(&m->rows));
	}
	free(m);
}

static const struct store_ops mem_ops = {
	.name = "mem",
	.begin = mem_begin,
	.commit = mem_commit,
	.rollback = mem_rollback,
	.append = mem_append,
	.trim = mem_trim,
	.fill = mem_fill,
	.put = mem_put,
	.del = mem_del,
	.bounds = mem_bounds,
	.read = mem_read,
	.each = mem_each,
	.output = mem_output,
	.tidy = mem_tidy,
	.shrink = mem_shrink,
	.sync = mem_sync,
	.drain = mem_drain,
	.has_room = mem_has_room,
	.on_wake = mem_on_wake,
	.copy = mem_copy,
	.copy_end = mem_drain,
	.close = mem_close,
};

struct log_store *store_mem_new(void)
{
	struct mem_store *m = VY_NEW(struct mem_store);

	m->base.ops = &mem_ops;
	TAILQ_INIT(&m->streams);
	TAILQ_INIT(&m->rows);
	TAILQ_INIT(&m->ops);
	return &m->base;
}

void store_mem_fail(struct log_store *s, int kth, int times, enum vy_code code)
{
	of(s)->fail_in = kth;
	of(s)->fail_times = times;
	of(s)->fail_code = code;
}
