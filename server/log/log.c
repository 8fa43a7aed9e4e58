/* log.c -- see log.h.
 *
 * The heart is log_flush: stage_write puts one turn into the store, published() lets the world
 * know, log_failed() (log_trouble.c) decides when to try again. Everything else fills the stage or reads. */
#include "server/log/log.h"

#include <stdlib.h>

#include "server/log/log_in.h"
#include "shared/base/arena.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/digits.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "shared/model/block.h"
#include "shared/base/ban.h"

#define QUIET_MS 3000 /* without a commit: give memory back */

/* ---- the commit ---- */

struct sync_wait {
	struct after_list afters;
};

static void synced(void *ctx, const struct vy_err *failure)
{
	struct sync_wait *w = ctx;

	after_list_run(&w->afters, failure == NULL);
	free(w);
}

static void run_afters(struct log *l, struct after_list *afters)
{
	struct sync_wait *w = NULL;
	struct after *a, *next;

	for (a = TAILQ_FIRST(afters); a; a = next) {
		next = TAILQ_NEXT(a, link);
		if (a->wants_sync) {
			if (!w) {
				w = VY_NEW(struct sync_wait);
				TAILQ_INIT(&w->afters);
			}
			TAILQ_REMOVE(afters, a, link);
			TAILQ_INSERT_TAIL(&w->afters, a, link);
		}
	}
	after_list_run(afters, true);
	if (w) {
		l->store->ops->sync(l->store, synced, w);
	}
}

/* What a trim or a deletion did to the bounds is asked of the store. */
static void refresh(struct log *l, struct stream *st)
{
	struct store_bounds held;

	if (l->store->ops->bounds(l->store, vy_str_c(st->id), &held, NULL) == 0) {
		streams_bound(l->streams, st, &held);
	}
}

/* They are told of as well: their head is 0. */
static void forget_deleted(struct log *l, struct stream_list *done)
{
	struct staged_row *r;

	TAILQ_FOREACH (r, &l->stage.rows, link) {
		struct stream *st;

		if (r->is_del && r->row->kind == ROW_SESSION &&
			(st = streams_find(l->streams, r->row->session.session))) {
			streams_forget(l->streams, st);
			if (!st->is_touched) {
				st->is_touched = true;
				TAILQ_INSERT_TAIL(done, st, touched);
			}
		}
	}
}

static void tell_committed(struct log *l, const struct stream *st)
{
	for (size_t i = 0; i < VY_COUNT(l->committed); i++) {
		if (l->committed[i].fn) {
			l->committed[i].fn(l->committed[i].ctx, st->id, st->held.head);
		}
	}
}

/* The stage is emptied before anybody is told: listeners stage for the next transaction. */
static void published(struct log *l)
{
	struct stream_list done = TAILQ_HEAD_INITIALIZER(done);
	struct after_list afters = TAILQ_HEAD_INITIALIZER(afters);
	struct stream *st;

	VY_CRASH(COMMIT_DONE);
	l->commits++;
	l->events = derive_events(l->derive);
	TAILQ_CONCAT(&done, &l->stage.touched, touched);
	TAILQ_CONCAT(&afters, &l->stage.afters, link);
	TAILQ_FOREACH (st, &done, touched) {
		bool is_over = st->held.frames + (int64_t)st->n_wait > l->limits.retain_frames ||
			       st->held.bytes + (int64_t)st->wait_bytes > l->limits.retain_bytes;

		streams_committed(l->streams, st);
		if (is_over) {
			refresh(l, st);
		}
	}
	forget_deleted(l, &done);
	stage_rows_clear(&l->stage);
	l->stage.bytes = 0;
	VY_CRASH(PUBLISH_RINGS);
	while ((st = TAILQ_FIRST(&done))) {
		TAILQ_REMOVE(&done, st, touched);
		st->is_touched = false;
		tell_committed(l, st);
	}
	VY_CRASH(PUBLISH_TOLD);
	run_afters(l, &afters);
	if (streams_bytes(l->streams) > VY_RINGS_MEM_QUIET && !log_timer_is_set(l->quiet_timer)) {
		l->at_quiet = l->commits;
		log_timer_set(l->quiet_timer, QUIET_MS);
	}
}

void log_flush(struct log *l)
{
	struct vy_err e = { 0 };

	VY_CHECK(l, LOG_MAGIC);
	if (l->is_flushing || stage_is_empty(&l->stage)) {
		return;
	}
	l->is_flushing = true;
	log_timer_set(l->pace_timer, -1);
	if (l->trouble.is_broken) {
		/* Who only read is answered; who wrote learns that it was for nothing. */
		struct after_list afters = TAILQ_HEAD_INITIALIZER(afters);
		bool has_lost = l->has_lost;

		l->has_lost = false;
		TAILQ_CONCAT(&afters, &l->stage.afters, link);
		after_list_run(&afters, !has_lost);
	} else if (!stage_has_writes(&l->stage)) {
		struct after_list afters = TAILQ_HEAD_INITIALIZER(afters);

		TAILQ_CONCAT(&afters, &l->stage.afters, link);
		run_afters(l, &afters);
	} else if (stage_write(&l->stage, l->store, &l->limits, &e) == 0) {
		published(l);
		log_recovered(l);
	} else {
		log_failed(l, &e);
	}
	l->is_flushing = false;
}

/* ---- when ---- */

static void nothing(void *ctx)
{
	(void)ctx;
}

/* May what was staged go now? Else the pace timer, or the retry, will say when. */
static bool is_time(struct log *l)
{
	int wait;

	if (l->seen == l->stage.changes || l->trouble.retry_ms > 0) {
		return false;
	}
	l->seen = l->stage.changes;
	wait = pace_wait(&l->pace, vy_boot_ms(l->clock));
	if (log_timer_is_set(l->pace_timer)) {
		return false;
	}
	if (wait > 0 && stage_has_writes(&l->stage)) {
		log_timer_set(l->pace_timer, wait);
		return false;
	}
	return true;
}

static void on_turn_end(void *ctx)
{
	struct log *l = ctx;
	bool is_due = l->is_due;

	l->is_due = false;
	if (l->trouble.retry_ms > 0) {
		log_release_reads(l); /* no flush will come by here */
	}
	if (!is_time(l) && !is_due) {
		return;
	}
	l->seen = l->stage.changes;
	log_flush(l);
	if (l->seen != l->stage.changes) {
		vy_loop_defer(l->loop, nothing, NULL); /* the turn's end comes once more */
	}
}

/* A timer, or the store, in the middle of a turn: others of this turn may have staged one half of
 * what belongs together and deferred the other, so the commit waits for the turn's end. */
static void on_try_again(void *ctx)
{
	struct log *l = ctx;

	if (l->loop) {
		l->is_due = true;
		vy_loop_defer(l->loop, nothing, NULL);
	} else {
		log_flush(l);
	}
}

static void on_quiet(void *ctx)
{
	struct log *l = ctx;

	if (l->commits != l->at_quiet) {
		l->at_quiet = l->commits;
		log_timer_set(l->quiet_timer, QUIET_MS);
		return;
	}
	streams_shrink(l->streams, VY_RINGS_MEM_QUIET);
	vy_mem_give_back();
}

/* ---- staging ---- */

/* An id says nothing that the cursor does not, but for the start it belongs to: so a packed run needs
 * to keep no ids (pack.h). */
static void name_frame(struct log *l, struct stream *st, struct vy_frame *f)
{
	if (f->id.n == 0) {
		if (!*st->ids) {
			vy_random_id(STREAM_IDS * 3 / 4, st->ids);
		}
		memcpy(l->id, st->ids, STREAM_IDS);
		f->id = vy_str_n(l->id,
			STREAM_IDS + vy_digits((uint64_t)st->staged + 1, 16, l->id + STREAM_IDS));
	}
	if (f->time == 0) {
		f->time = vy_wall_ms(l->clock);
	}
}

/* What a sealed field must not say is in no log, so no door out, whichever it is, can let it through. */
static void seal(struct vy_frame *f, struct vy_arena *mem)
{
	static const enum vy_fid blocks[] = { VY_F_RESULT, VY_F_BLOCKS };
	struct vy_str sealed;

	for (size_t i = 0; i < VY_COUNT(blocks); i++) {
		if (vy_frame_has(f, blocks[i]) &&
			vy_block_seal(vy_frame_str(f, blocks[i]), mem, &sealed)) {
			vy_frame_set_json(f, blocks[i], sealed);
		}
	}
}

static int append(struct log *l, const char *session, struct vy_frame *f, struct vy_err *e)
{
	struct stream *st;

	VY_CHECK(l, LOG_MAGIC);
	if (l->trouble.is_broken) {
		l->has_lost = true;
		return vy_fail(e, l->trouble.why.code, "%s", l->trouble.why.text);
	}
	if (l->stage.bytes > VY_STAGED_MAX) {
		return vy_fail(e, VY_FULL, "too much waits to be stored (%s)", l->trouble.why.text);
	}
	st = log_stream(l, session, e);
	if (!st) {
		return -1;
	}
	if (derive_open(l->derive, st, e) < 0) {
		return -1;
	}
	f->cur = 0;
	f->session = vy_str_c(st->id);
	name_frame(l, st, f);
	if (vy_frame_check_new(f, e) < 0) {
		return -1;
	}
	f->cur = (uint64_t)st->staged + 1;
	vy_buf_clear(&l->scratch);
	if (!vy_frame_encode(f, &l->scratch)) {
		l->scratch.over = false;
		f->cur = 0;
		return vy_fail(e, VY_BAD_INPUT, "a frame is over %d KiB", VY_FRAME_MAX / VY_KIB);
	}
	stage_frame(&l->stage, st,
		frame_ref_new((int64_t)f->cur, (int64_t)f->span, vy_buf_str(&l->scratch)));
	derive_frame(l->derive, st, f);
	VY_CRASH(FRAME_STAGED);
	return 0;
}

int log_append(struct log *l, const char *session, struct vy_frame *f, struct vy_err *e)
{
	bool may_hold = f->kind == VY_KIND_TOOL_FINISHED || f->kind == VY_KIND_TEXT_DONE;
	struct vy_arena mem;
	int rc;

	VY_CHECK(l, LOG_MAGIC);
	if (!may_hold) {
		return append(l, session, f, e);
	}
	vy_arena_init(&mem);
	seal(f, &mem);
	rc = append(l, session, f, e);
	vy_arena_fini(&mem);
	return rc;
}

void log_quiet(struct log *l, bool is_quiet)
{
	derive_quiet(l->derive, is_quiet);
}

/* A session's record is news; the listener may stage a call, no row. */
static void tell_record(struct log *l, const struct store_row *row, bool is_gone)
{
	if (l->news && row->kind == ROW_SESSION && row->session.session.n) {
		char id[VY_ID_MAX + 1];

		snprintf(id, sizeof(id), "%.*s", VY_STR_ARG(row->session.session));
		l->news(l->news_ctx,
			&(struct log_news){
				.session = id, .record = row->session.doc, .is_gone = is_gone });
	}
}

void log_put(struct log *l, const struct store_row *row)
{
	VY_CHECK(l, LOG_MAGIC);
	l->has_lost |= l->trouble.is_broken;
	if (!l->trouble.is_broken) {
		stage_row(&l->stage, row, false);
		tell_record(l, row, false);
	}
}

void log_del(struct log *l, const struct store_row *row)
{
	VY_CHECK(l, LOG_MAGIC);
	l->has_lost |= l->trouble.is_broken;
	if (!l->trouble.is_broken) {
		stage_row(&l->stage, row, true);
		if (row->kind == ROW_SESSION) {
			derive_deleted(l->derive, row->session.session);
		}
		tell_record(l, row, true);
	}
}

void log_after(struct log *l, log_after_fn *fn, void *ctx)
{
	VY_CHECK(l, LOG_MAGIC);
	stage_after(&l->stage, fn, ctx, false);
}

void log_after_sync(struct log *l, log_after_fn *fn, void *ctx)
{
	VY_CHECK(l, LOG_MAGIC);
	stage_after(&l->stage, fn, ctx, true);
}

void log_after_read(struct log *l, log_after_fn *fn, void *ctx)
{
	VY_CHECK(l, LOG_MAGIC);
	stage_after(&l->stage, fn, ctx, false);
	TAILQ_LAST(&l->stage.afters, after_list)->is_read = true;
}

/* ---- asked from outside ---- */

const char *log_epoch(const struct log *l)
{
	return l->epoch.epoch;
}

int64_t log_starts(const struct log *l)
{
	return l->epoch.starts;
}

bool log_was_clean(const struct log *l)
{
	return l->epoch.was_clean;
}

void log_on_event(struct log *l, log_event_fn *fn, void *ctx)
{
	derive_on_event(l->derive, fn, ctx);
}

void log_on_committed(struct log *l, log_committed_fn *fn, void *ctx)
{
	struct committed_listener *of = NULL;

	for (size_t i = 0; i < VY_COUNT(l->committed); i++) {
		struct committed_listener *at = &l->committed[i];

		if (at->fn && at->ctx == ctx) {
			of = at;
			break;
		}
		of = of || at->fn ? of : at;
	}
	vy_assert(of || !fn); /* one too many */
	if (of) {
		*of = (struct committed_listener){ fn, ctx };
	}
}

void log_on_news(struct log *l, log_news_fn *fn, void *ctx)
{
	l->news = fn;
	l->news_ctx = ctx;
	derive_on_news(l->derive, fn, ctx);
}

void log_on_paused(struct log *l, log_paused_fn *fn, void *ctx)
{
	struct paused_listener *free_one = NULL;

	for (size_t i = 0; i < VY_COUNT(l->paused); i++) {
		struct paused_listener *p = &l->paused[i];

		if (p->fn && p->ctx == ctx) {
			p->fn = fn;
			return;
		}
		free_one = !p->fn && !free_one ? p : free_one;
	}
	vy_assert(!fn || free_one); /* one too many */
	if (fn) {
		*free_one = (struct paused_listener){ fn, ctx };
	}
}

bool log_pause(const struct log *l, struct log_pause *out)
{
	if (l->trouble.why.code == VY_OK) {
		return false;
	}
	*out = (struct log_pause){ trouble_reason(&l->trouble), vy_buf_c(&l->note) };
	return true;
}

bool log_is_read_only(const struct log *l)
{
	return l->trouble.is_broken;
}

const struct vy_err *log_trouble(const struct log *l)
{
	return l->trouble.why.code == VY_OK ? NULL : &l->trouble.why;
}

/* ---- life ---- */

static int64_t or_else(int64_t given, int64_t otherwise)
{
	return given > 0 ? given : otherwise;
}

struct log *log_new(const struct log_conf *conf, struct vy_err *e)
{
	struct log *l = VY_NEW(struct log);
	struct vy_err why = { 0 };
	struct streams_conf sc = {
		.damaged = log_damaged,
		.ctx = l,
		.ring_frames = (size_t)or_else((int64_t)conf->ring_frames, VY_RING_MEM_FRAMES),
		.ring_bytes = (size_t)or_else((int64_t)conf->ring_bytes, VY_RING_MEM_BYTES),
		.all_bytes = (size_t)or_else((int64_t)conf->rings_bytes, VY_RINGS_MEM_BYTES),
	};

	if (conf->damaged) {
		why = *conf->damaged;
		epoch_read(conf->store, &l->epoch);
	} else if (epoch_open(conf->store, conf->boot_id, &l->epoch, &why) < 0 &&
		   why.code != VY_CORRUPT) {
		free(l);
		vy_fail(e, why.code, "%s", why.text);
		return NULL;
	} else if (why.code != VY_OK) {
		epoch_read(conf->store, &l->epoch);
	}
	VY_MAGIC_SET(l, LOG_MAGIC);
	l->store = conf->store;
	l->loop = conf->loop;
	l->clock = conf->clock;
	l->limits.epoch = l->epoch.epoch;
	l->limits.retain_frames = or_else(conf->retain_frames, VY_RING_FRAMES);
	l->limits.retain_bytes = or_else(conf->retain_bytes, VY_RING_BYTES);
	l->streams = streams_new(l->store, &sc);
	stage_init(&l->stage);
	l->derive = derive_new(l->store, l->streams, &l->stage);
	vy_buf_init(&l->scratch, VY_FRAME_MAX);
	vy_buf_init(&l->note, LOG_NOTE_MAX);
	l->remedy = conf->remedy;
	l->remedy_ctx = conf->ctx;
	l->store->ops->on_wake(l->store, on_try_again, l);
	if (l->loop) {
		l->pace_timer = vy_loop_timer(l->loop, on_try_again, l);
		l->retry_timer = vy_loop_timer(l->loop, on_try_again, l);
		l->room_timer = vy_loop_timer(l->loop, log_look_for_room, l);
		l->quiet_timer = vy_loop_timer(l->loop, on_quiet, l);
		vy_loop_at_end(l->loop, on_turn_end, l);
	}
	if (why.code != VY_OK) {
		trouble_failed(&l->trouble, &why, vy_boot_ms(l->clock));
		log_say_trouble(l);
	}
	LOG_DEL(l, ROW_KEY, key, .expires = vy_wall_ms(l->clock));
	vy_log(VY_LOG_INFO, "log.open", "store=%s epoch=%s starts=%lld clean=%s renewed=%s",
		l->store->ops->name, l->epoch.epoch, (long long)l->epoch.starts,
		l->epoch.was_clean ? "yes" : "no", l->epoch.was_renewed ? "yes" : "no");
	return l;
}

void log_settle(struct log *l)
{
	VY_CHECK(l, LOG_MAGIC);
	for (int i = 0; i < 3 && !stage_is_empty(&l->stage); i++) {
		log_flush(l); /* what is called back may stage once more */
	}
	log_dismiss_afters(l);
	l->store->ops->drain(l->store);
}

static void mark_clean(struct log *l)
{
	struct vy_err e = { 0 };

	if (l->trouble.is_broken || stage_has_writes(&l->stage)) {
		return; /* what waits is lost: that is no clean end */
	}
	if (epoch_close(l->store, &e) < 0) {
		vy_log(VY_LOG_WARN, "log.close", "err=%s", vy_log_q(e.text));
	}
}

void log_free(struct log *l)
{
	if (!l) {
		return;
	}
	log_settle(l);
	l->store->ops->on_wake(l->store, NULL, NULL);
	mark_clean(l);
	if (l->loop) {
		vy_loop_forget(l->loop, on_turn_end, l);
		vy_loop_forget(l->loop, log_on_damage, l);
	}
	vy_timer_del(l->pace_timer);
	vy_timer_del(l->retry_timer);
	vy_timer_del(l->room_timer);
	vy_timer_del(l->quiet_timer);
	stage_fini(&l->stage);
	derive_free(l->derive);
	streams_free(l->streams);
	vy_buf_fini(&l->scratch);
	vy_buf_fini(&l->note);
	VY_MAGIC_CLEAR(l);
	free(l);
}
