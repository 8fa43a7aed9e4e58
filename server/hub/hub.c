/* hub.c -- see hub.h.
 *
 * A subscription is either dry (it saw everything and waits for `ready`) or its peer will ask.
 * Waking is two steps, because `ready` may end any subscription: first all that must hear go to
 * the list of the due, then the list is worked off from its head. */
#include "server/hub/hub.h"

#include <stdlib.h>
#include <sys/queue.h>
#include <uthash.h>

#include "server/hub/page.h"
#include "server/hub/seal.h"
#include "server/log/log.h"
#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define HUB_MAGIC  0x4875420au
#define SUB_MAGIC  0x5375620au
#define FAR_BEHIND 256 /* frames: a viewer so far back is replaying, whatever it did before */

struct live { /* one frame that is not logged, waiting for one viewer */
	char *key;
	struct frame_ref *frame;
	TAILQ_ENTRY(live) link;
};

struct hub_sub {
	VY_MAGIC;
	struct hub *hub;
	struct audience *audience;
	char *viewer;
	void (*ready)(void *ctx);
	void *ctx;
	int64_t cursor;   /* last logged one handed out */
	int64_t merge_to; /* what is replay; 0: this viewer wants none merged */
	struct page page;
	struct frame_ref
		*sealed; /* the page's first as this viewer sees it, when it was too large */
	TAILQ_HEAD(, live) live;
	unsigned n_live;
	const char *reset; /* the reason, until it was handed out */
	int code;          /* 0: open */
	int counted;       /* viewers it is */
	bool is_dry, is_due, is_merged, is_agent, wants_beat;
	bool wants_word; /* whether the log is paused */
	TAILQ_ENTRY(hub_sub) in_audience, in_due;
};
TAILQ_HEAD(sub_list, hub_sub);

struct audience { /* of one session */
	char *session;
	struct sub_list subs;
	int viewers;
	struct news news;
	UT_hash_handle hh;
};

struct hub {
	VY_MAGIC;
	struct log *log;
	struct vy_loop *loop;
	struct audience *audiences;
	struct sub_list due;
	struct vy_timer *beat;
	unsigned subs;
	bool is_deferred;
	hub_seal_fn *seal;
	void *seal_ctx;
	hub_viewers_fn *viewers;
	void *viewers_ctx;
	hub_state_fn *state;
	void *state_ctx;
};

/* ---- waking ---- */

static void work_off(struct hub *h)
{
	struct hub_sub *s;

	while ((s = TAILQ_FIRST(&h->due))) {
		TAILQ_REMOVE(&h->due, s, in_due);
		s->is_due = false;
		s->ready(s->ctx);
	}
}

static void on_deferred(void *ctx)
{
	struct hub *h = ctx;

	h->is_deferred = false;
	work_off(h);
}

/* There is something for it; `ready` comes with work_off. */
static void make_due(struct hub_sub *s)
{
	if (s->is_dry && !s->is_due) {
		s->is_dry = false;
		s->is_due = true;
		TAILQ_INSERT_TAIL(&s->hub->due, s, in_due);
	}
}

/* What was made due hears of it later in this turn. */
static void defer_ready(struct hub *h)
{
	if (!h->is_deferred && !TAILQ_EMPTY(&h->due)) {
		h->is_deferred = true;
		vy_loop_defer(h->loop, on_deferred, h);
	}
}

static struct audience *audience_of(const struct hub *h, const char *session)
{
	struct audience *a;

	HASH_FIND_STR(h->audiences, session, a);
	return a;
}

static void on_committed(void *ctx, const char *session, int64_t head)
{
	struct hub *h = ctx;
	struct audience *a = audience_of(h, session);
	struct hub_sub *s;

	if (a) {
		news_committed(&a->news, head);
		TAILQ_FOREACH (s, &a->subs, in_audience) {
			make_due(s);
		}
		work_off(h);
	}
}

static void on_beat(void *ctx)
{
	struct hub *h = ctx;
	struct audience *a, *next;
	struct hub_sub *s;

	vy_timer_set(h->beat, VY_HEARTBEAT_MS);
	HASH_ITER (hh, h->audiences, a, next) {
		TAILQ_FOREACH (s, &a->subs, in_audience) {
			s->wants_beat = true;
			make_due(s);
		}
	}
	work_off(h);
}

static void on_paused(void *ctx, bool is_paused, const struct vy_err *why)
{
	struct hub *h = ctx;
	struct audience *a, *next;
	struct hub_sub *s;

	(void)is_paused;
	(void)why;
	HASH_ITER (hh, h->audiences, a, next) {
		TAILQ_FOREACH (s, &a->subs, in_audience) {
			s->wants_word = true;
			make_due(s);
		}
	}
	defer_ready(h);
}

/* ---- life ---- */

struct hub *hub_new(struct log *log, struct vy_loop *loop)
{
	struct hub *h = VY_NEW(struct hub);

	VY_MAGIC_SET(h, HUB_MAGIC);
	h->log = log;
	h->loop = loop;
	TAILQ_INIT(&h->due);
	h->beat = vy_loop_timer(loop, on_beat, h);
	log_on_committed(log, on_committed, h);
	log_on_paused(log, on_paused, h);
	return h;
}

void hub_free(struct hub *h)
{
	VY_CHECK(h, HUB_MAGIC);
	vy_assert(h->subs == 0);
	log_on_committed(h->log, NULL, h);
	log_on_paused(h->log, NULL, h);
	vy_loop_forget(h->loop, on_deferred, h);
	vy_timer_del(h->beat);
	VY_MAGIC_CLEAR(h);
	free(h);
}

void hub_on_seal(struct hub *h, hub_seal_fn *fn, void *ctx)
{
	h->seal = fn;
	h->seal_ctx = ctx;
}

void hub_on_viewers(struct hub *h, hub_viewers_fn *fn, void *ctx)
{
	h->viewers = fn;
	h->viewers_ctx = ctx;
}

void hub_on_state(struct hub *h, hub_state_fn *fn, void *ctx)
{
	h->state = fn;
	h->state_ctx = ctx;
}

static void count(struct hub *h, struct audience *a, int change)
{
	a->viewers += change;
	if (change && h->viewers) {
		h->viewers(h->viewers_ctx, a->session, a->viewers);
	}
}

static struct audience *audience_make(struct hub *h, const char *session)
{
	struct audience *a = audience_of(h, session);

	if (!a) {
		a = VY_NEW(struct audience);
		a->session = vy_strdup(session);
		TAILQ_INIT(&a->subs);
		HASH_ADD_KEYPTR(hh, h->audiences, a->session, strlen(a->session), a);
	}
	return a;
}

/* Where it begins, or why it cannot (wire 4). */
static void place(struct hub_sub *s, const struct hub_open *o)
{
	struct log *log = s->hub->log;
	int64_t head = log_head(log, o->session), floor = log_floor(log, o->session);

	if (head < 0 || floor < 0) {
		s->code = HUB_TRY_LATER;
	} else if (o->from == HUB_NO_CURSOR) {
		s->cursor = floor - 1;
	} else if (o->epoch && *o->epoch && strcmp(o->epoch, log_epoch(log)) != 0) {
		s->reset = "epoch";
	} else if (o->from < floor - 1 ||
		   (o->from > floor - 1 && o->from < log_exact(log, o->session) - 1)) {
		s->reset = "behind";
	} else if (o->from > head) {
		s->reset = "ahead";
	} else {
		s->cursor = o->from;
	}
	s->merge_to = o->is_merged ? head : 0;
}

struct hub_sub *hub_subscribe(struct hub *h, const struct hub_open *o)
{
	struct hub_sub *s = VY_NEW(struct hub_sub);

	VY_CHECK(h, HUB_MAGIC);
	VY_MAGIC_SET(s, SUB_MAGIC);
	s->hub = h;
	s->viewer = vy_strdup(o->viewer ? o->viewer : "");
	s->ready = o->ready;
	s->ctx = o->ctx;
	s->is_merged = o->is_merged;
	s->counted = o->is_counted;
	s->is_agent = o->is_agent;
	s->wants_beat = true; /* one follows the replay */
	s->wants_word = log_trouble(h->log) != NULL;
	s->is_dry = true;
	TAILQ_INIT(&s->live);
	place(s, o);
	s->audience = audience_make(h, o->session);
	s->audience->news.head = log_head(h->log, o->session);
	TAILQ_INSERT_TAIL(&s->audience->subs, s, in_audience);
	if (h->subs++ == 0) {
		vy_timer_set(h->beat, VY_HEARTBEAT_MS);
	}
	count(h, s->audience, s->counted);
	make_due(s);
	defer_ready(h);
	return s;
}

static void live_drop(struct hub_sub *s, struct live *l)
{
	TAILQ_REMOVE(&s->live, l, link);
	s->n_live--;
	frame_unref(l->frame);
	free(l->key);
	free(l);
}

/* What it would still have got; nothing leaves any more. */
static void drop_all(struct hub_sub *s)
{
	while (!TAILQ_EMPTY(&s->live)) {
		live_drop(s, TAILQ_FIRST(&s->live));
	}
	page_clear(&s->page);
	frame_unref(s->sealed);
	s->sealed = NULL;
}

void hub_unsubscribe(struct hub_sub *s)
{
	struct hub *h;
	struct audience *a;

	if (!s) {
		return;
	}
	VY_CHECK(s, SUB_MAGIC);
	h = s->hub;
	a = s->audience;
	if (s->is_due) {
		TAILQ_REMOVE(&h->due, s, in_due);
	}
	TAILQ_REMOVE(&a->subs, s, in_audience);
	count(h, a, -s->counted);
	if (TAILQ_EMPTY(&a->subs)) {
		HASH_DEL(h->audiences, a);
		frame_unref(a->news.frame);
		free(a->session);
		free(a);
	}
	if (--h->subs == 0) {
		vy_timer_set(h->beat, -1);
	}
	drop_all(s);
	free(s->viewer);
	VY_MAGIC_CLEAR(s);
	free(s);
}

/* ---- what comes next ---- */

static enum hub_got give(struct hub_item *out, enum hub_kind kind, struct frame_ref *own_f)
{
	out->kind = kind;
	out->frame = own_f;
	return HUB_ITEM;
}

static struct frame_ref *control_frame(struct hub_sub *s, enum vy_kind kind)
{
	VY_AUTO_BUF line = VY_BUF_INIT(4 * VY_KIB);
	struct vy_frame f;

	vy_frame_init(&f, kind);
	f.session = vy_str_c(s->audience->session);
	if (kind == VY_KIND_RESET) {
		vy_frame_set_c(&f, VY_F_REASON, s->reset);
		vy_frame_set_int(&f, VY_F_HEAD, log_head(s->hub->log, s->audience->session));
		vy_frame_set_int(&f, VY_F_FLOOR, log_floor(s->hub->log, s->audience->session));
	} else {
		/* Never a head that this viewer was not sent: one that is ahead means a gap. */
		vy_frame_set_int(&f, VY_F_HEAD, s->cursor);
	}
	vy_frame_set_c(&f, VY_F_EPOCH, log_epoch(s->hub->log));
	vy_assert(vy_frame_encode(&f, &line));
	return frame_ref_new(0, 1, vy_buf_str(&line));
}

static struct frame_ref *word_frame(struct hub_sub *s)
{
	VY_AUTO_BUF line = VY_BUF_INIT(32 * VY_KIB);
	const struct hub *h = s->hub;
	struct log_pause pause;
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_STATUS);
	f.session = vy_str_c(s->audience->session);
	if (log_pause(h->log, &pause)) {
		vy_frame_set_c(&f, VY_F_STATE, "paused");
		vy_frame_set_c(&f, VY_F_REASON, pause.reason);
		vy_frame_set_c(&f, VY_F_NOTE, pause.note);
	} else {
		vy_frame_set_c(&f, VY_F_STATE,
			h->state ? h->state(h->state_ctx, s->audience->session) : "waiting");
	}
	vy_assert(vy_frame_encode(&f, &line));
	return frame_ref_new(0, 1, vy_buf_str(&line));
}

static enum hub_got end(struct hub_sub *s, int code)
{
	s->code = code;
	drop_all(s);
	return HUB_CLOSED;
}

static enum hub_got give_reset(struct hub_sub *s, struct hub_item *out)
{
	struct frame_ref *f = control_frame(s, VY_KIND_RESET);

	end(s, HUB_DONE);
	s->reset = NULL;
	return give(out, HUB_RESET, f);
}

static enum hub_got give_live(struct hub_sub *s, size_t room, struct hub_item *out)
{
	struct live *l = TAILQ_FIRST(&s->live);
	struct frame_ref *f;

	if (l->frame->len > room) {
		return HUB_LARGE;
	}
	f = frame_ref(l->frame);
	live_drop(s, l);
	return give(out, HUB_EPHEMERAL, f);
}

/* As this viewer sees it. */
static struct frame_ref *seal(struct hub_sub *s, struct frame_ref *f)
{
	return s->is_agent    ? seal_for_agent(f)
	       : s->hub->seal ? s->hub->seal(s->hub->seal_ctx, s->viewer, f)
			      : frame_ref(f);
}

/* What just was committed, for one that had got all before. */
static enum hub_got give_news(
	struct hub_sub *s, struct frame_ref *f, size_t room, struct hub_item *out)
{
	struct frame_ref *sealed = seal(s, f);

	if (sealed->len > room) {
		frame_unref(sealed);
		return HUB_LARGE;
	}
	s->cursor = f->cur;
	return give(out, HUB_FRAME, sealed);
}

static enum hub_got give_page(struct hub_sub *s, size_t room, struct hub_item *out)
{
	struct frame_ref *f = page_first(&s->page), *sealed = s->sealed;

	if (!sealed) {
		sealed = seal(s, f);
	}
	if (sealed->len > room) {
		s->sealed = sealed; /* drawn once, however often it is asked for */
		return HUB_LARGE;
	}
	s->sealed = NULL;
	s->cursor = f->cur;
	page_pop(&s->page);
	return give(out, HUB_FRAME, sealed);
}

/* 1: the page has something; 0: nothing new; -1: it cannot be served any more. */
static int turn_page(struct hub_sub *s)
{
	const char *session = s->audience->session;
	int64_t head = s->audience->news.head;
	struct vy_err e = { 0 };

	if (page_first(&s->page)) {
		return 1;
	}
	if (head == s->cursor) {
		return 0;
	}
	if (s->is_merged && head - s->cursor > FAR_BEHIND) {
		s->merge_to = head;
	}
	if (page_fill(&s->page, s->hub->log, session, s->cursor, s->merge_to, &e) == 0) {
		return page_first(&s->page) != NULL;
	}
	if (e.code == VY_CORRUPT) {
		return 0; /* the viewer was told of the damage; there is no more that could be read */
	}
	if (e.code == VY_GONE) {
		s->reset = head < s->cursor ? "ahead" : "behind";
	} else {
		vy_log(VY_LOG_ERROR, "hub.read", "session=%s err=%s", session, vy_log_q(e.text));
		end(s, HUB_TRY_LATER);
	}
	return -1;
}

enum hub_got hub_next(struct hub_sub *s, size_t room, struct hub_item *out)
{
	struct audience *a = s->audience;
	struct frame_ref *f;
	int rc;

	VY_CHECK(s, SUB_MAGIC);
	*out = (struct hub_item){ 0 };
	s->is_dry = false;
	if (s->code) {
		return HUB_CLOSED;
	}
	if (s->reset) {
		return give_reset(s, out);
	}
	if (s->wants_word) {
		s->wants_word = false;
		return give(out, HUB_EPHEMERAL, word_frame(s));
	}
	if (!TAILQ_EMPTY(&s->live)) {
		return give_live(s, room, out);
	}
	/* its own page has more, or runs are to be merged: not for it */
	f = page_first(&s->page) || s->cursor < s->merge_to
		    ? NULL
		    : news_behind(&a->news, s->hub->log, a->session, s->cursor);
	if (f) {
		return give_news(s, f, room, out);
	}
	rc = turn_page(s);
	if (rc > 0) {
		return give_page(s, room, out);
	}
	if (rc < 0) {
		return s->reset ? give_reset(s, out) : HUB_CLOSED;
	}
	if (s->wants_beat) {
		s->wants_beat = false;
		return give(out, HUB_HEARTBEAT, control_frame(s, VY_KIND_HEARTBEAT));
	}
	s->is_dry = true;
	return HUB_EMPTY;
}

void hub_item_done(struct hub_item *it)
{
	frame_unref(it->frame);
	it->frame = NULL;
}

int hub_code(const struct hub_sub *s)
{
	return s->code;
}

int64_t hub_cursor(const struct hub_sub *s)
{
	return s->cursor;
}

void hub_stands_for(struct hub_sub *s, int viewers)
{
	count(s->hub, s->audience, viewers - s->counted);
	s->counted = viewers;
}

/* ---- for those who know ---- */

int hub_viewers(const struct hub *h, const char *session)
{
	struct audience *a = audience_of(h, session);

	return a ? a->viewers : 0;
}

static bool is_for(const struct hub_sub *s, const char *viewer)
{
	return !viewer || strcmp(s->viewer, viewer) == 0;
}

static void live_add(struct hub_sub *s, const char *key, struct frame_ref *f)
{
	struct live *l;

	TAILQ_FOREACH (l, &s->live, link) {
		if (strcmp(l->key, key) == 0) {
			live_drop(s, l);
			break;
		}
	}
	if (s->n_live == HUB_LIVE_MAX) {
		live_drop(s, TAILQ_FIRST(&s->live));
	}
	l = VY_NEW(struct live);
	l->key = vy_strdup(key);
	l->frame = frame_ref(f);
	TAILQ_INSERT_TAIL(&s->live, l, link);
	s->n_live++;
	make_due(s);
}

void hub_ephemeral(struct hub *h, const char *session, const char *key, struct vy_str bytes,
	const char *only_viewer)
{
	struct audience *a = audience_of(h, session);
	struct frame_ref *f;
	struct hub_sub *s;

	if (!a) {
		return;
	}
	f = frame_ref_new(0, 1, bytes);
	TAILQ_FOREACH (s, &a->subs, in_audience) {
		if (!s->code && !s->reset && is_for(s, only_viewer)) {
			live_add(s, key, f);
		}
	}
	frame_unref(f);
	defer_ready(h);
}

static void close_some(struct audience *a, const char *viewer, int code)
{
	struct hub_sub *s;

	TAILQ_FOREACH (s, &a->subs, in_audience) {
		if (!s->code && is_for(s, viewer)) {
			end(s, code);
			make_due(s);
		}
	}
}

void hub_close_session(struct hub *h, const char *session, const char *viewer, int code)
{
	struct audience *a = audience_of(h, session);

	if (a) {
		close_some(a, viewer, code);
		defer_ready(h);
	}
}

void hub_close_all(struct hub *h, int code)
{
	struct audience *a, *next;

	HASH_ITER (hh, h->audiences, a, next) {
		close_some(a, NULL, code);
	}
	defer_ready(h);
}
