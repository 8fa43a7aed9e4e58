/* generation.c -- see generation.h.
 *
 * Underneath is a subscription of the hub, so who may see what, and when it is over, is decided where
 * it is for every frame. The view has one of four states; what ends a message is not guessed from its
 * frames: they say when it may have, and the message's record says whether it has. */
#include "server/hub/generation.h"

#include <stdio.h>
#include <stdlib.h>

#include "server/hub/hub.h"
#include "server/hub/lifecycle.h"
#include "server/hub/place.h"
#include "server/hub/words.h"
#include "server/log/history.h"
#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/hash.h"
#include "shared/base/jw.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/base/ban.h"

#define GENERATION_MAGIC 0x67656e65u
#define ITEM_MAX         (36 * VY_MIB)

enum state {
	STARTING, /* a snapshot is due: of a commit, so it may have to wait for one */
	STARTED,  /* it is made, and not taken yet */
	LIVE,
	ENDING, /* the end is due */
	OVER
};

struct generation {
	VY_MAGIC;
	struct log *log;
	struct hub *hub;
	struct hub_sub *sub;
	char *session, *message;
	enum state state;
	bool is_agent;
	int64_t cur; /* all up to this frame is in what was told */
	struct channel_at at[CHANNELS];
	int64_t until;                 /* the frame that settled it; 0: not known to be */
	struct vy_buf snapshot, other; /* other: the message that had words under … */
	struct vy_buf parent;          /* … this parent last, if it was not ours */
	struct view_tag tag;
	struct vy_arena mem; /* of one frame */
	int code;
	void (*ready)(void *ctx);
	void *ctx;
};

static void over(struct generation *g, int code)
{
	g->state = OVER;
	g->code = code;
}

/* ---- the record ---- */

/* As committed. VY_NOT_FOUND: there is none, or it was deleted. */
static int read_record(struct log *log, const char *session, struct vy_str message,
	struct vy_arena *mem, struct vy_message *m, struct vy_err *e)
{
	if (history_message(log, session, message, mem, m, e) < 0) {
		return -1;
	}
	return m->state != VY_MESSAGE_DELETED
		       ? 0
		       : vy_fail(e, VY_NOT_FOUND, "there is no such message");
}

static int record_of(struct generation *g, struct vy_message *m)
{
	struct vy_err e = { 0 };

	vy_arena_reset(&g->mem);
	if (read_record(g->log, g->session, vy_str_c(g->message), &g->mem, m, &e) == 0) {
		return 0;
	}
	over(g, e.code == VY_NOT_FOUND ? HUB_DONE : HUB_TRY_LATER);
	return -1;
}

/* ---- the snapshot ---- */

static struct place here(const struct generation *g)
{
	return (struct place){ .epoch = vy_str_c(log_epoch(g->log)),
		.cur = g->cur,
		.n = { g->at[CHANNEL_TEXT].n, g->at[CHANNEL_REASONING].n } };
}

static void name_item(struct generation *g, const char *event, bool is_snapshot)
{
	struct place p = here(g);

	g->tag.event = event;
	place_write(&p, is_snapshot, g->tag.id, sizeof(g->tag.id));
}

static void write_snapshot(struct generation *g, const struct vy_message *m, const struct words *w)
{
	struct vy_jw j = VY_JW(&g->snapshot);

	vy_buf_clear(&g->snapshot);
	name_item(g, "snapshot", true);
	vy_jw_obj(&j);
	vy_jw_kstr(&j, "id", vy_str_c(g->tag.id));
	vy_jw_kstr(&j, "type", VY_STR_LIT("snapshot"));
	vy_jw_kstr(&j, "messageId", m->message);
	vy_jw_kint(&j, "messageRevision", m->revision);
	vy_jw_kstr(&j, "state", vy_str_c(vy_message_life_word(m->state)));
	vy_jw_kstr(&j, "text", vy_buf_str(&w->text[CHANNEL_TEXT]));
	vy_jw_kstr(&j, "reasoning", vy_buf_str(&w->text[CHANNEL_REASONING]));
	vy_jw_key(&j, "index");
	vy_jw_obj(&j);
	vy_jw_kint(&j, "text", w->at[CHANNEL_TEXT].n);
	vy_jw_kint(&j, "reasoning", w->at[CHANNEL_REASONING].n);
	vy_jw_end_obj(&j);
	vy_jw_kstr(&j, "transcriptTargetId", vy_str_c(g->session));
	vy_jw_kstr(&j, "producer", m->author);
	vy_jw_end_obj(&j);
}

/* Of the last commit, if nothing of the session waits for the next one. */
static void start(struct generation *g)
{
	struct words w = { 0 };
	struct vy_err e = { 0 };
	struct vy_message m;

	if (record_of(g, &m) < 0) {
		return;
	}
	if (words_read(g->log, g->session, &m, &w, &e) == 0) {
		g->cur = log_head(g->log, g->session);
		memcpy(g->at, w.at, sizeof(g->at));
		g->until = vy_message_is_open(&m) ? 0 : g->cur;
		write_snapshot(g, &m, &w);
		g->state = STARTED;
	} else if (e.code != VY_RETRY) {
		vy_log(VY_LOG_ERROR, "generation.start", "session=%s err=%s", g->session,
			vy_log_q(e.text));
		over(g, HUB_TRY_LATER);
	}
	words_fini(&w);
}

static void on_ready(void *ctx)
{
	struct generation *g = ctx;

	VY_CHECK(g, GENERATION_MAGIC);
	if (g->state == STARTING) { /* here everything of the session is committed */
		start(g);
	}
	g->ready(g->ctx);
}

static void subscribe(struct generation *g, int64_t from)
{
	struct hub_open o = { .session = g->session,
		.from = from,
		.is_agent = g->is_agent,
		.ready = on_ready,
		.ctx = g };
	struct hub_sub *old = g->sub;
	char viewer[16];

	vy_random_id(9, viewer);
	o.viewer = viewer;
	g->sub = hub_subscribe(g->hub, &o);
	hub_unsubscribe(old);
}

/* What it had is replaced. */
static void start_again(struct generation *g)
{
	subscribe(g, log_head(g->log, g->session));
	g->state = STARTING;
	g->until = 0;
}

/* ---- frames ---- */

/* Is it settled? Then by which frame. What nobody settles (a person's words) is, by the frame at hand. */
static void look_for_end(struct generation *g)
{
	struct words w = { 0 };
	struct vy_message m;

	if (record_of(g, &m) < 0 || vy_message_is_open(&m)) {
		return;
	}
	if (words_read(g->log, g->session, &m, &w, NULL) == 0 && w.until > 0) {
		g->until = w.until;
	} else {
		g->until = g->cur;
	}
	words_fini(&w);
}

static bool is_buf(const struct vy_buf *b, struct vy_str s)
{
	return vy_str_eq(vy_buf_str(b), s);
}

static void set_buf(struct vy_buf *b, struct vy_str s)
{
	vy_buf_clear(b);
	vy_buf_addstr(b, s);
}

/* The first words of another message may end ours; those behind them do not. */
static bool may_end(struct generation *g, const struct vy_frame *f)
{
	struct vy_str message = vy_frame_str(f, VY_F_MESSAGE);
	struct vy_str parent = vy_frame_str(f, VY_F_PARENT);

	switch ((int)f->kind) {
	case VY_KIND_TEXT_DELTA:
		if (is_buf(&g->other, message) && is_buf(&g->parent, parent)) {
			return false;
		}
		set_buf(&g->other, message);
		set_buf(&g->parent, parent);
		return true;
	case VY_KIND_USER_MESSAGE: return vy_str_is(message, g->message);
	case VY_KIND_TEXT_DONE:
	case VY_KIND_TEXT_CUT:
	case VY_KIND_TOOL_FINISHED:
	case VY_KIND_STATUS: return true;
	default: return false;
	}
}

static void write_delta(struct generation *g, const struct vy_frame *f, struct vy_buf *out)
{
	static const char type[] = "session.message.delta.appended";
	enum channel c = vy_frame_bool(f, VY_F_REASONING) ? CHANNEL_REASONING : CHANNEL_TEXT;
	struct channel_at *at = &g->at[c];
	int64_t block = vy_frame_int(f, VY_F_INDEX, 0);
	const char *between = words_between(at, block);
	struct vy_str text = vy_frame_str(f, VY_F_TEXT);
	struct vy_jw j = VY_JW(out);

	*at = (struct channel_at){ at->n + 1, block };
	name_item(g, type, false);
	vy_jw_obj(&j);
	vy_jw_kstr(&j, "id", vy_str_c(g->tag.id));
	vy_jw_kstr(&j, "type", vy_str_c(type));
	vy_jw_kstr(&j, "messageId", vy_str_c(g->message));
	vy_jw_kstr(&j, "channel", vy_str_c(channel_word(c)));
	vy_jw_kint(&j, "index", at->n - 1);
	vy_jw_kstr(&j, "text",
		*between ? vy_str_c(vy_arena_printf(&g->mem, "%s%.*s", between, VY_STR_ARG(text)))
			 : text);
	vy_jw_end_obj(&j);
}

/* True: an item was written. */
static bool on_frame(struct generation *g, struct vy_str bytes, struct vy_buf *out)
{
	struct vy_frame f;

	vy_arena_reset(&g->mem);
	if (vy_frame_decode(bytes, &g->mem, &f, NULL) < 0 || (int64_t)f.cur <= g->cur) {
		return false;
	}
	if ((f.kind == VY_KIND_HIDDEN && !g->is_agent) || f.span != 1 ||
		(f.kind == VY_KIND_TEXT_DELTA && vy_frame_is_expired(&f))) {
		start_again(g); /* words may be missing here, which the settlement has */
		return false;
	}
	g->cur = (int64_t)f.cur;
	if (f.kind == VY_KIND_TEXT_DELTA && vy_frame_is(&f, VY_F_MESSAGE, g->message)) {
		set_buf(&g->other, vy_str_n(NULL, 0));
		write_delta(g, &f, out);
		return true;
	}
	if (!g->until && may_end(g, &f)) {
		look_for_end(g);
	}
	return false;
}

/* ---- the end ---- */

static int write_end(struct generation *g, struct vy_buf *out, struct vy_err *e)
{
	VY_AUTO_BUF data = VY_BUF_INIT(ITEM_MAX), id = VY_BUF_INIT(VIEW_ID_MAX + 1);
	struct vy_jw j = VY_JW(out);
	struct vy_message m;

	if (record_of(g, &m) < 0) {
		return vy_fail(e, VY_GONE, "%s", "deleted");
	}
	enum vy_message_change change =
		m.state == VY_MESSAGE_FAILED ? VY_MESSAGE_HAS_FAILED : VY_MESSAGE_IS_COMPLETED;

	if (lifecycle_data(g->log, g->session, &m, change, &data, e) < 0) {
		return -1;
	}
	lifecycle_id(g->session, m.message, m.revision, &id);
	g->tag.event = vy_message_change_word(change);
	snprintf(g->tag.id, sizeof(g->tag.id), "%s", vy_buf_c(&id));
	vy_jw_obj(&j);
	vy_jw_kstr(&j, "id", vy_buf_str(&id));
	vy_jw_kstr(&j, "type", vy_str_c(g->tag.event));
	vy_jw_kint(&j, "time", m.updated);
	vy_jw_kstr(&j, "session", vy_str_c(g->session));
	vy_jw_key(&j, "data");
	vy_jw_raw(&j, vy_buf_str(&data));
	vy_jw_end_obj(&j);
	return 0;
}

static enum view_got give_end(struct generation *g, struct vy_buf *out)
{
	struct vy_err e = { 0 };

	if (write_end(g, out, &e) < 0) {
		over(g, g->code ? g->code : e.code == VY_GONE ? HUB_DONE : HUB_TRY_LATER);
		return VIEW_CLOSED;
	}
	over(g, HUB_DONE);
	return VIEW_ITEM;
}

/* ---- what comes next ---- */

static enum view_got give_snapshot(struct generation *g, struct vy_buf *out)
{
	vy_buf_addstr(out, vy_buf_str(&g->snapshot));
	vy_buf_fini(&g->snapshot);
	g->state = g->until ? ENDING : LIVE;
	return VIEW_ITEM;
}

/* One step with the hub: VIEW_ITEM when something was written or there may be more. */
static enum view_got step(struct generation *g, struct vy_buf *out, bool *written)
{
	struct hub_item it;

	if (g->state == LIVE && log_head(g->log, g->session) - g->cur > GENERATION_BEHIND) {
		start_again(g);
		start(g);
		return VIEW_ITEM;
	}
	switch (hub_next(g->sub, SIZE_MAX, &it)) {
	case HUB_ITEM: break;
	case HUB_CLOSED: over(g, hub_code(g->sub)); return VIEW_CLOSED;
	case HUB_EMPTY:
	case HUB_LARGE:
	default: return VIEW_EMPTY;
	}
	if (it.kind == HUB_RESET) {
		start_again(g);
	} else if (it.kind == HUB_FRAME && g->state == LIVE) {
		*written = on_frame(g, frame_ref_str(it.frame), out);
	}
	hub_item_done(&it);
	return VIEW_ITEM;
}

static enum view_got next(void *sub, struct vy_buf *out)
{
	struct generation *g = sub;
	enum view_got got = VIEW_ITEM;
	bool written = false;

	VY_CHECK(g, GENERATION_MAGIC);
	if (g->state == STARTING) {
		start(g);
	}
	while (got == VIEW_ITEM && !written) {
		if (g->state == LIVE && g->until && g->cur >= g->until) {
			g->state = ENDING;
		}
		switch (g->state) {
		case STARTED: return give_snapshot(g, out);
		case ENDING: return give_end(g, out);
		case OVER: return VIEW_CLOSED;
		case STARTING: /* what is committed by now will be in the snapshot */
		case LIVE:
		default: got = step(g, out, &written); break;
		}
	}
	if (got == VIEW_EMPTY) {
		vy_arena_fini(&g->mem); /* who waits holds little */
	}
	return got;
}

static int code(void *sub)
{
	return ((struct generation *)sub)->code;
}

static void tag(void *sub, struct view_tag *out)
{
	*out = ((struct generation *)sub)->tag;
}

static void close_it(void *sub)
{
	struct generation *g = sub;

	VY_CHECK(g, GENERATION_MAGIC);
	hub_unsubscribe(g->sub);
	vy_arena_fini(&g->mem);
	vy_buf_fini(&g->snapshot);
	vy_buf_fini(&g->other);
	vy_buf_fini(&g->parent);
	free(g->session);
	free(g->message);
	VY_MAGIC_CLEAR(g);
	free(g);
}

const struct view_ops view_generation = {
	.method = "generation.event",
	.drops_slow = true,
	.next = next,
	.code = code,
	.close = close_it,
	.tag = tag,
};

/* ---- where it begins ---- */

static bool is_held(struct generation *g, const struct vy_message *m, const struct place *p)
{
	int64_t head = log_head(g->log, g->session), floor = log_floor(g->log, g->session);

	return vy_str_is(p->epoch, log_epoch(g->log)) && p->cur >= m->position && p->cur <= head &&
	       p->cur + 1 >= floor && head - p->cur <= GENERATION_BEHIND;
}

/* Goes on behind what the reader holds, if that is still to be had; false: it begins anew. */
static bool go_on(struct generation *g, const struct vy_message *m, struct vy_str after)
{
	VY_AUTO_BUF end = VY_BUF_INIT(VIEW_ID_MAX + 1);
	struct words w = { .is_ahead_too = true };
	struct place p;
	bool is_known = false;

	lifecycle_id(g->session, m->message, m->revision, &end);
	if (!vy_message_is_open(m) && vy_str_eq(after, vy_buf_str(&end))) {
		g->state = ENDING; /* it has all; once more, that it knows to stop */
		return true;
	}
	if (!place_read(after, &p) || !is_held(g, m, &p)) {
		return false;
	}
	memcpy(w.held, p.n, sizeof(w.held));
	if (words_read(g->log, g->session, m, &w, NULL) == 0 &&
		p.n[CHANNEL_TEXT] <= w.at[CHANNEL_TEXT].n &&
		p.n[CHANNEL_REASONING] <= w.at[CHANNEL_REASONING].n) {
		is_known = true;
		g->state = LIVE;
		g->cur = p.cur;
		g->until = vy_message_is_open(m) ? 0 : w.until ? w.until : p.cur;
		for (int c = 0; c < CHANNELS; c++) {
			g->at[c] = (struct channel_at){ p.n[c], w.held_block[c] };
		}
	}
	words_fini(&w);
	return is_known;
}

int generation_open(const struct generation_open *o, struct view *out, struct vy_err *e)
{
	struct generation *g;
	struct vy_message m;
	struct vy_arena mem;

	if (o->after.n && !place_is_event(o->after)) {
		return vy_fail(e, VY_BAD_INPUT,
			"after: expected the id of an event (evt_…), got \"%.*s\"",
			(int)(o->after.n < 40 ? o->after.n : 40), o->after.p);
	}
	vy_arena_init(&mem);
	if (read_record(o->log, o->session, o->message, &mem, &m, e) < 0) {
		vy_arena_fini(&mem);
		return -1;
	}
	g = VY_NEW(struct generation);
	VY_MAGIC_SET(g, GENERATION_MAGIC);
	g->log = o->log;
	g->hub = o->hub;
	g->is_agent = o->is_agent;
	g->session = vy_strdup(o->session);
	g->message = vy_memdup0(o->message.p, o->message.n);
	g->ready = o->ready;
	g->ctx = o->ctx;
	vy_arena_init(&g->mem);
	vy_buf_init(&g->snapshot, ITEM_MAX);
	vy_buf_init(&g->other, VY_ID_MAX);
	vy_buf_init(&g->parent, VY_ID_MAX);
	if (!o->after.n || !go_on(g, &m, o->after)) {
		g->cur = log_head(g->log, g->session);
	}
	subscribe(g, g->cur);
	vy_arena_fini(&mem);
	out->ops = &view_generation;
	out->sub = g;
	return 0;
}
