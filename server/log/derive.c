/* derive.c -- see derive.h. */
#include "server/log/derive.h"

#include <stdlib.h>

#include "server/log/journal.h"
#include "server/log/mark.h"
#include "server/log/row.h"
#include "shared/base/arena.h"
#include "shared/base/crash.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/model/lift.h"
#include "shared/model/message.h"
#include "shared/model/settle.h"
#include "shared/base/ban.h"

#define ID_PREFIX    "evt_"
#define MARK_MAX     (32 * VY_KIB)
#define MESSAGE_MAX  (4 * VY_MIB)  /* a record as JSON */
#define SETTLED_MAX  (64 * VY_MIB) /* the bounds of settle.h, with every byte escaped */
#define ATTEMPT_SKIP 4             /* "att_" */

struct derived {
	struct vy_settle *settle;
	struct vy_lift lift;
	int64_t upto; /* everything up to this frame is derived and was staged */
};

struct derive {
	struct log_store *store;
	struct streams *streams;
	struct stage *stage;
	void (*on_event)(void *ctx, struct vy_str deleted);
	void *on_event_ctx;
	bool has_head;
	struct journal journal;
	struct vy_arena mem; /* of one frame */
	struct vy_buf data;  /* of one settlement */
	log_news_fn *news;
	void *news_ctx;
	bool is_quiet;
	bool is_again; /* what is derived now happened before this start */
};

/* One frame of one session, on its way through the machines. */
struct step {
	struct derive *d;
	struct stream *st;
	const struct vy_frame *f;
	bool is_new; /* it said something */
};

/* ---- news ---- */

void derive_on_news(struct derive *d, log_news_fn *fn, void *ctx)
{
	d->news = fn;
	d->news_ctx = ctx;
}

void derive_quiet(struct derive *d, bool is_quiet)
{
	d->is_quiet = is_quiet;
}

static void tell(struct step *s, struct log_news *n)
{
	if (s->d->news && !s->d->is_again && !s->d->is_quiet) {
		n->session = s->st->id;
		n->frame = s->f;
		s->d->news(s->d->news_ctx, n);
	}
}

/* ---- events ---- */

static struct vy_str event_id(struct derive *d, struct vy_str of)
{
	return vy_str_c(vy_arena_printf(&d->mem, ID_PREFIX "%.*s", VY_STR_ARG(of)));
}

static int64_t stage_event(struct step *s, struct row_journal *r)
{
	struct store_row row = { .kind = ROW_JOURNAL };

	r->session = vy_str_c(s->st->id);
	journal_seal(&s->d->journal, r);
	row.journal = *r;
	stage_row(s->d->stage, &row, false);
	s->is_new = true;
	VY_CRASH(JOURNAL_STAGED);
	if (s->d->on_event) {
		s->d->on_event(s->d->on_event_ctx, vy_str_n(NULL, 0));
	}
	return r->seq;
}

static void lift(struct step *s)
{
	struct vy_event ev;

	if (!vy_lift(&s->st->derived->lift, s->f, &s->d->mem, &ev)) {
		return;
	}
	struct row_journal r = {
		.id = event_id(s->d, s->f->id),
		.type = vy_str_c(ev.type),
		.time = ev.time,
		.actor = ev.actor,
		.chain = ev.chain,
		.subject = ev.subject,
		.turn = ev.turn,
		.step = ev.step,
		.data = ev.data,
	};

	stage_event(s, &r);
	tell(s, &(struct log_news){ .event = &ev, .id = r.id });
}

/* ---- messages ---- */

struct found {
	struct vy_arena *mem;
	struct vy_str doc;
};

static bool keep_doc(void *ctx, const struct store_row *row)
{
	struct found *f = ctx;

	f->doc = vy_arena_str(f->mem, row->message.doc);
	return false;
}

/* The record as it was staged or stored last; revision 0: there is none. */
static struct vy_message find_message(struct step *s, struct vy_str id)
{
	struct store_row like = { .kind = ROW_MESSAGE,
		.message = { .session = vy_str_c(s->st->id), .message = id } };
	const struct store_row *staged = stage_find(s->d->stage, &like);
	struct found found = { .mem = &s->d->mem };
	struct vy_message m = { 0 };
	struct vy_err e = { 0 };

	if (staged) {
		keep_doc(&found, staged);
	} else if (s->d->store->ops->each(s->d->store, &like, keep_doc, &found, &e) < 0) {
		vy_log(VY_LOG_ERROR, "derive.message", "session=%s err=%s", s->st->id,
			vy_log_q(e.text));
	}
	if (found.doc.n && vy_message_decode(found.doc, &s->d->mem, &m, &e) < 0) {
		vy_log(VY_LOG_ERROR, "derive.message", "session=%s err=%s", s->st->id,
			vy_log_q(e.text));
		m = (struct vy_message){ 0 };
	}
	return m;
}

static void stage_message(struct step *s, const struct vy_message *m, enum vy_message_change change)
{
	struct store_row row = { .kind = ROW_MESSAGE,
		.message = { .session = vy_str_c(s->st->id),
			.message = m->message,
			.position = vy_message_stands_at(m) } };
	VY_AUTO_BUF doc = VY_BUF_INIT(MESSAGE_MAX);
	struct vy_jw w = VY_JW(&doc);

	if (change == VY_MESSAGE_SAME) {
		return;
	}
	vy_message_encode(m, &w);
	row.message.doc = vy_buf_str(&doc);
	stage_row(s->d->stage, &row, false);
	s->is_new = true;
	tell(s, &(struct log_news){ .message = m, .change = (int)change });
}

static void said(struct step *s)
{
	struct vy_message m = find_message(s, vy_frame_str(s->f, VY_F_MESSAGE));

	stage_message(s, &m, vy_message_said(&m, s->f));
}

/* ---- what is rewound ---- */

static bool add_id(void *ctx, const struct store_row *row)
{
	vy_json_add_take(ctx, vy_json_new_str(row->message.message));
	return true;
}

/* Everything said behind that frame is taken back: the person's words and the assistant's; a redo brings
 * it again. */
static void rewind_messages(struct step *s)
{
	VY_AUTO_JSON *v = vy_json_parse(vy_frame_str(s->f, VY_F_REWOUND), NULL);
	VY_AUTO_JSON *ids = vy_json_new_arr();
	int64_t to = vy_json_int(v, "to", INT64_MAX);
	struct store_row like = { .kind = ROW_MESSAGE,
		.message = { .session = vy_str_c(s->st->id) } };
	const struct staged_row *row;

	(void)!s->d->store->ops->each(s->d->store, &like, add_id, ids, NULL);
	TAILQ_FOREACH (row, &s->d->stage->rows, link) {
		if (!row->is_del && row_like(row->row, &like)) {
			add_id(ids, row->row);
		}
	}
	for (size_t i = 0; i < vy_json_len(ids); i++) {
		struct vy_message m = find_message(s, vy_json_strval(vy_json_at(ids, i)));

		stage_message(s, &m, vy_message_rewind(&m, (int64_t)s->f->cur, to, s->f->time));
	}
}

/* ---- attempts ---- */

static void opened(void *ctx, const struct vy_frame *first)
{
	struct step *s = ctx;
	struct vy_message m;

	m = find_message(s, vy_frame_str(first, VY_F_MESSAGE));
	stage_message(s, &m, vy_message_streams(&m, first));
	s->is_new = true;
}

static void settled(void *ctx, const struct vy_settlement *st)
{
	struct step *s = ctx;
	struct derive *d = s->d;
	struct vy_frame who = { .author = st->author, .acts_for = st->acts_for };

	vy_buf_clear(&d->data);
	vy_settlement_encode(st, &d->data);
	vy_assert(!vy_buf_is_over(&d->data));
	struct row_journal r = {
		.id = event_id(d, vy_str_from(st->attempt, ATTEMPT_SKIP)),
		.type = st->reason.n ? VY_STR_LIT("assistant.attempt")
				     : VY_STR_LIT("assistant.message"),
		.time = st->time,
		.actor = vy_lift_actor(&who),
		.chain = vy_lift_chain(&who, &d->mem),
		.subject = st->message,
		.turn = st->turn,
		.step = st->step,
		.data = vy_buf_str(&d->data),
	};
	int64_t seq = stage_event(s, &r);
	struct vy_message m = find_message(s, st->message);

	stage_message(s, &m, vy_message_settled(&m, st->reason, seq, st->time, &d->mem));
	if (d->data.cap > VY_MIB) {
		vy_buf_fini(&d->data);
	}
	VY_CRASH(SETTLE_STAGED);
}

/* ---- the mark ---- */

static void stage_mark(struct step *s)
{
	struct derived *dd = s->st->derived;
	VY_AUTO_BUF mark = VY_BUF_INIT(MARK_MAX);
	struct store_row row = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT(ROW_DERIVED), .name = vy_str_c(s->st->id) } };

	dd->upto = (int64_t)s->f->cur;
	mark_write(dd->upto, dd->settle, &dd->lift, &mark);
	row.kv.value = vy_buf_str(&mark);
	stage_row(s->d->stage, &row, false);
}

/* ---- a frame ---- */

void derive_frame(struct derive *d, struct stream *st, const struct vy_frame *f)
{
	struct step s = { .d = d, .st = st, .f = f };
	const struct vy_settle_out out = { opened, settled, &s };
	struct derived *dd = st->derived;

	/* what an attempt ends with comes behind its settlement, what it begins with is the step's */
	vy_settle_step(dd->settle, f, dd->lift.step, &out);
	if (f->kind == VY_KIND_TEXT_DELTA && !s.is_new) {
		return;
	}
	if (f->kind == VY_KIND_USER_MESSAGE) {
		said(&s);
	} else if (f->kind == VY_KIND_STATUS && vy_frame_has(f, VY_F_REWOUND)) {
		rewind_messages(&s);
	}
	lift(&s);
	if (s.is_new) {
		stage_mark(&s);
		vy_arena_reset(&d->mem);
	}
}

/* ---- after a start ---- */

struct rebuild {
	struct derive *d;
	struct stream *st;
	struct vy_arena mem;
	struct mark mark;
};

static bool again(void *ctx, struct frame_ref *ref)
{
	struct rebuild *r = ctx;
	struct derived *dd = r->st->derived;
	struct vy_err e = { 0 };
	struct vy_frame f;

	vy_arena_reset(&r->mem);
	if (vy_frame_decode(frame_ref_str(ref), &r->mem, &f, &e) < 0) {
		vy_log(VY_LOG_ERROR, "derive.frame", "session=%s cur=%lld err=%s", r->st->id,
			(long long)ref->cur, vy_log_q(e.text));
		return true; /* damaged: the session goes on without what it would have said */
	}
	if ((int64_t)f.cur <= dd->upto) {
		int64_t at_step = 0;
		bool is_first = mark_opens(&r->mark, (int64_t)f.cur, &at_step);

		vy_settle_again(dd->settle, &f, is_first, at_step);
	} else {
		derive_frame(r->d, r->st, &f);
	}
	return true;
}

static bool keep_mark(void *ctx, const struct store_row *row)
{
	mark_parse(ctx, row->kv.value);
	return false;
}

/* What the session's open attempts rest on, and what no vyred has derived yet. */
static int read_again(struct rebuild *r, struct vy_err *e)
{
	struct stream *st = r->st;
	struct derived *dd = st->derived;
	int64_t after = mark_after(&r->mark, st->held.floor);

	dd->upto = r->mark.upto;
	dd->lift = r->mark.lift;
	return after < st->held.head ? streams_read(r->d->streams, st, after, NULL, again, r, e)
				     : 0;
}

int derive_open(struct derive *d, struct stream *st, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT(ROW_DERIVED), .name = vy_str_c(st->id) } };
	struct rebuild r = { .d = d, .st = st };
	int rc;

	if (st->derived) {
		return 0;
	}
	if (!d->has_head && journal_open(d->store, &d->journal, e) < 0) {
		return -1;
	}
	d->has_head = true;
	mark_parse(&r.mark, vy_str_n(NULL, 0));
	if (d->store->ops->each(d->store, &like, keep_mark, &r.mark, e) < 0) {
		mark_fini(&r.mark);
		return -1;
	}
	st->derived = VY_NEW(struct derived);
	st->derived->settle = vy_settle_new();
	vy_arena_init(&r.mem);
	d->is_again = true;
	rc = read_again(&r, e);
	d->is_again = false;
	vy_arena_fini(&r.mem);
	mark_fini(&r.mark);
	if (rc < 0) {
		derived_free(st->derived);
		st->derived = NULL;
		return vy_wrap(e, "reading the log of %s again", st->id);
	}
	return 0;
}

/* ---- what is open ---- */

void derive_attempts(const struct stream *st, log_attempt_fn *fn, void *ctx)
{
	struct vy_settlement so_far;
	struct vy_arena mem;

	vy_arena_init(&mem);
	for (size_t i = 0; vy_settle_so_far(st->derived->settle, i, &mem, &so_far); i++) {
		fn(ctx, &so_far);
	}
	vy_arena_fini(&mem);
}

/* ---- who listens ---- */

void derive_on_event(struct derive *d, void (*fn)(void *ctx, struct vy_str deleted), void *ctx)
{
	d->on_event = fn;
	d->on_event_ctx = ctx;
}

void derive_deleted(struct derive *d, struct vy_str session)
{
	if (d->on_event) {
		d->on_event(d->on_event_ctx, session);
	}
}

int64_t derive_events(const struct derive *d)
{
	return d->journal.seq;
}

/* ---- life ---- */

void derived_free(struct derived *own)
{
	if (own) {
		vy_settle_free(own->settle);
		free(own);
	}
}

struct derive *derive_new(struct log_store *store, struct streams *streams, struct stage *stage)
{
	struct derive *d = VY_NEW(struct derive);

	d->store = store;
	d->streams = streams;
	d->stage = stage;
	vy_arena_init(&d->mem);
	vy_buf_init(&d->data, SETTLED_MAX);
	return d;
}

void derive_free(struct derive *d)
{
	vy_arena_fini(&d->mem);
	vy_buf_fini(&d->data);
	free(d);
}
