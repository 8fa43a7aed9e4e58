/* errand.c -- see errand.h. */
#include "server/hub/errand.h"

#include <stdio.h>
#include <stdlib.h>

#include "server/hub/hub.h"
#include "server/log/history.h"
#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/hash.h"
#include "shared/base/jw.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/model/message.h"
#include "shared/base/ban.h"

#define ERRAND_MAGIC 0x65727264u

/* ---- which frames ---- */

static void set(char out[VY_ID_MAX + 1], struct vy_str s)
{
	snprintf(out, VY_ID_MAX + 1, "%.*s", VY_STR_ARG(s));
}

void errand_init(struct errand *er, struct vy_str message)
{
	*er = (struct errand){ .is_taken = false };
	set(er->message, message);
}

static void on_message(struct errand *er, const struct vy_frame *f)
{
	if (vy_frame_is(f, VY_F_STATE, "cancelled")) {
		er->reason = "taken-back";
	}
	er->is_taken =
		vy_frame_is(f, VY_F_STATE, "sent") || vy_frame_is(f, VY_F_STATE, "picked-up");
	set(er->turn, er->is_taken ? f->turn : vy_str_n(NULL, 0));
}

static bool holds(const struct vy_frame *f)
{
	return f->kind == VY_KIND_STATUS && vy_frame_bool(f, VY_F_HELD);
}

bool errand_step(struct errand *er, const struct vy_frame *f)
{
	if (er->reason) {
		return false;
	}
	if (f->kind == VY_KIND_USER_MESSAGE && vy_frame_is(f, VY_F_MESSAGE, er->message)) {
		on_message(er, f);
		return true;
	}
	if (!er->is_taken) {
		er->reason = holds(f) ? "held" : NULL;
		return er->reason != NULL;
	}
	if (!er->turn[0]) {
		set(er->turn, f->turn);
	}
	if (f->turn.n == 0 || !vy_str_is(f->turn, er->turn)) {
		return false;
	}
	if (f->kind == VY_KIND_STATUS && vy_frame_is(f, VY_F_STATE, "waiting")) {
		er->reason = "done";
	}
	return true;
}

/* ---- as a view ---- */

struct reader {
	VY_MAGIC;
	struct hub_sub *sub;
	struct errand errand;
	struct vy_arena mem; /* of one frame */
	struct view_tag tag;
	bool is_held, is_over;
	int code;
	void (*ready)(void *ctx);
	void *ctx;
};

static void on_ready(void *ctx)
{
	struct reader *r = ctx;

	VY_CHECK(r, ERRAND_MAGIC);
	r->ready(r->ctx);
}

static void over(struct reader *r, int code)
{
	r->is_over = true;
	r->code = code;
}

static enum view_got give_end(struct reader *r, struct vy_buf *out)
{
	struct vy_jw j = VY_JW(out);

	over(r, HUB_DONE);
	r->tag.event = "ended";
	r->tag.id[0] = '\0';
	vy_jw_obj(&j);
	vy_jw_kstr(&j, "type", VY_STR_LIT("ended"));
	vy_jw_kstr(&j, "reason", vy_str_c(r->errand.reason));
	vy_jw_kstr(&j, "message", vy_str_c(r->errand.message));
	if (r->errand.turn[0]) {
		vy_jw_kstr(&j, "turn", vy_str_c(r->errand.turn));
	}
	vy_jw_end_obj(&j);
	return VIEW_ITEM;
}

/* True: it was given. */
static bool on_frame(struct reader *r, const struct hub_item *it, struct vy_buf *out)
{
	struct vy_frame f;

	vy_arena_reset(&r->mem);
	if (vy_frame_decode(frame_ref_str(it->frame), &r->mem, &f, NULL) < 0 ||
		!errand_step(&r->errand, &f)) {
		return false;
	}
	r->tag.event = NULL;
	snprintf(r->tag.id, sizeof(r->tag.id), "%lld", (long long)it->frame->cur);
	vy_buf_addstr(out, frame_ref_str(it->frame));
	return true;
}

/* It waited in a held queue already, and all that is committed was looked at. */
static bool waits_held(struct reader *r)
{
	if (r->is_held && !r->errand.is_taken && !r->errand.reason) {
		r->errand.reason = "held";
		return true;
	}
	r->is_held = false;
	return false;
}

static enum view_got next(void *sub, struct vy_buf *out)
{
	struct reader *r = sub;
	struct hub_item it;

	VY_CHECK(r, ERRAND_MAGIC);
	while (!r->is_over && !r->errand.reason) {
		bool is_given = false;

		switch (hub_next(r->sub, SIZE_MAX, &it)) {
		case HUB_ITEM: break;
		case HUB_CLOSED: over(r, hub_code(r->sub)); continue;
		case HUB_EMPTY:
		case HUB_LARGE:
		default:
			if (waits_held(r)) {
				continue;
			}
			vy_arena_fini(&r->mem); /* who waits holds little */
			return VIEW_EMPTY;
		}
		if (it.kind == HUB_RESET) {
			over(r, HUB_TRY_LATER); /* slower than the log is long */
		} else if (it.kind == HUB_FRAME) {
			is_given = on_frame(r, &it, out);
		}
		hub_item_done(&it);
		if (is_given) {
			return VIEW_ITEM;
		}
	}
	return r->is_over ? VIEW_CLOSED : give_end(r, out);
}

static int code(void *sub)
{
	return ((struct reader *)sub)->code;
}

static void tag(void *sub, struct view_tag *out)
{
	*out = ((struct reader *)sub)->tag;
}

static void close_it(void *sub)
{
	struct reader *r = sub;

	VY_CHECK(r, ERRAND_MAGIC);
	hub_unsubscribe(r->sub);
	vy_arena_fini(&r->mem);
	VY_MAGIC_CLEAR(r);
	free(r);
}

const struct view_ops view_errand = {
	.method = "turn.frame",
	.next = next,
	.code = code,
	.close = close_it,
	.tag = tag,
};

int errand_open(const struct errand_open *o, struct view *out, struct vy_err *e)
{
	struct hub_open ho = {
		.session = o->session, .is_merged = true, .is_agent = o->is_agent, .ready = on_ready
	};
	struct reader *r;
	struct vy_message m;
	struct vy_arena mem;
	char viewer[16];
	int rc;

	vy_arena_init(&mem);
	rc = history_message(o->log, o->session, o->message, &mem, &m, e);
	if (rc == 0 && m.role != VY_ROLE_USER) {
		rc = vy_fail(e, VY_NOT_FOUND, "there is no such message");
	}
	if (rc == 0 && m.enc.n) {
		rc = vy_fail(e, VY_UNSUPPORTED,
			"no agent is told of a private message, so it has no turn");
	}
	if (rc == 0 && m.position < log_floor(o->log, o->session)) {
		rc = vy_fail(e, VY_GONE, "the log does not hold this message's turn any more");
	}
	vy_arena_fini(&mem);
	if (rc < 0) {
		return -1;
	}
	r = VY_NEW(struct reader);
	VY_MAGIC_SET(r, ERRAND_MAGIC);
	errand_init(&r->errand, o->message);
	vy_arena_init(&r->mem);
	r->is_held = o->is_held;
	r->ready = o->ready;
	r->ctx = o->ctx;
	vy_random_id(9, viewer);
	ho.viewer = viewer;
	ho.from = m.position - 1;
	ho.ctx = r;
	r->sub = hub_subscribe(o->hub, &ho);
	out->ops = &view_errand;
	out->sub = r;
	return 0;
}
