/* resume.c -- see resume.h. */
#include "shared/frame/resume.h"

#include "shared/base/err.h"
#include "shared/base/limits.h"
#include "shared/frame/backoff.h"
#include "shared/frame/merge.h"
#include "shared/base/ban.h"

#define SETTLED_MS 5000 /* a connection that lived so long was a good one */

#define CLOSE_TOO_BIG 1009
#define CLOSE_LATER   1013
#define CLOSE_NO_MORE 4403

struct step {
	struct vy_resume *r;
	const struct vy_resume_event *ev;
	struct vy_arena *a;
	struct vy_resume_out *out;
};

/* ---- effects ---- */

static struct vy_resume_effect *emit(struct step *s, enum vy_resume_effect_type type)
{
	vy_assert(s->out->n < VY_COUNT(s->out->e));
	struct vy_resume_effect *e = &s->out->e[s->out->n++];

	e->type = type;
	e->ms = 0;
	e->text = NULL;
	return e;
}

static void deliver(struct step *s, const struct vy_frame *f)
{
	emit(s, VY_RESUME_DO_DELIVER)->frame = *f;
}

/* Opens, or reads the snapshot that has to come first. */
static void attempt(struct step *s)
{
	s->r->tries++;
	s->r->heard_ms = s->ev->now_ms;
	s->r->state = s->r->wants_snapshot ? VY_RESUME_SNAPSHOT : VY_RESUME_OPENING;
	emit(s, s->r->wants_snapshot ? VY_RESUME_DO_SNAPSHOT : VY_RESUME_DO_OPEN);
}

/* At once when the last attempt brought something (or there was none), else after a while. */
static void again(struct step *s)
{
	if (s->r->tries == 0) {
		attempt(s);
		return;
	}
	int64_t ms = vy_backoff_ms(VY_BACKOFF_FIRST_MS, s->r->tries, s->ev->random);

	s->r->state = VY_RESUME_WAITING;
	s->r->due_ms = s->ev->now_ms + ms;
	emit(s, VY_RESUME_DO_WAIT)->ms = ms;
}

static void drop_and_again(struct step *s)
{
	emit(s, VY_RESUME_DO_CLOSE);
	again(s);
}

/* The first snapshot is taken at once; one that leads to another is paced like any attempt. */
static void snapshot_first(struct step *s)
{
	s->r->wants_snapshot = true;
	emit(s, VY_RESUME_DO_CLOSE);
	if (s->r->snapshots++ == 0) {
		attempt(s);
	} else {
		again(s);
	}
}

static void give_up(struct step *s, const char *sentence)
{
	s->r->state = VY_RESUME_LOST;
	emit(s, VY_RESUME_DO_GIVE_UP)->text = sentence;
}

static void progress(struct step *s)
{
	s->r->tries = 0;
	s->r->snapshots = 0;
	s->r->was_too_big = false;
}

/* ---- what is known of the log ---- */

static bool is_other_epoch(const struct vy_resume *r, struct vy_str epoch)
{
	return r->epoch[0] && epoch.n && !vy_str_is(epoch, r->epoch);
}

static void set_epoch(struct vy_resume *r, struct vy_str epoch)
{
	size_t n = epoch.n < VY_EPOCH_MAX ? epoch.n : VY_EPOCH_MAX;

	if (n) {
		memcpy(r->epoch, epoch.p, n);
		r->epoch[n] = '\0';
	}
}

static void set_last(struct vy_resume *r, uint64_t last)
{
	r->has_last = true;
	r->last = last;
}

/* ---- events ---- */

/* The answer of stream.open tells early what a reset would tell late. */
static void opened(struct step *s)
{
	struct vy_resume *r = s->r;
	const struct vy_resume_event *ev = s->ev;

	if (r->state != VY_RESUME_OPENING) {
		return;
	}
	r->heard_ms = ev->now_ms;
	if (r->has_last &&
		(is_other_epoch(r, ev->epoch) || r->last > ev->head || r->last + 1 < ev->floor)) {
		snapshot_first(s);
		return;
	}
	set_epoch(r, ev->epoch);
	r->opened_ms = ev->now_ms;
	r->state = VY_RESUME_LIVE;
}

static void heartbeat(struct step *s, const struct vy_frame *f)
{
	struct vy_resume *r = s->r;
	uint64_t head = (uint64_t)vy_frame_int(f, VY_F_HEAD, 0);

	if (is_other_epoch(r, vy_frame_str(f, VY_F_EPOCH))) {
		snapshot_first(s);
		return;
	}
	set_epoch(r, vy_frame_str(f, VY_F_EPOCH));
	if (!r->has_last) { /* the log held nothing: from here on nothing may be missed */
		set_last(r, head);
	}
	if (head > r->last) {
		drop_and_again(s);
		return;
	}
	if (s->ev->now_ms - r->opened_ms >= SETTLED_MS) {
		progress(s);
	} else if (r->tries > 1) {
		r->tries = 1; /* it answers, but a server that closes again at once is not rushed */
	}
	deliver(s, f);
}

/* A frame with a cursor: next, old, partly old, or behind a gap. */
static void logged(struct step *s, const struct vy_frame *f)
{
	struct vy_resume *r = s->r;
	struct vy_frame cut = *f;

	if (f->span < 1 || f->span > f->cur) {
		drop_and_again(s);
		return;
	}
	if (r->has_last && f->cur <= r->last) {
		return;
	}
	if (r->has_last && vy_frame_first(f) > r->last + 1) {
		drop_and_again(s);
		return;
	}
	if (r->has_last && vy_frame_first(f) <= r->last &&
		vy_frame_trim(&cut, r->last, s->a, NULL) < 0) {
		drop_and_again(s); /* the parts are nonsense: it may be better told next time */
		return;
	}
	set_last(r, f->cur);
	progress(s);
	deliver(s, &cut);
}

static void frame(struct step *s)
{
	const struct vy_frame *f = s->ev->frame;

	if (s->r->state != VY_RESUME_LIVE) {
		return;
	}
	s->r->heard_ms = s->ev->now_ms;
	if (f->kind == VY_KIND_HEARTBEAT) {
		heartbeat(s, f);
	} else if (f->kind == VY_KIND_RESET) {
		snapshot_first(s);
	} else if (f->cur == 0) {
		deliver(s, f);
	} else {
		logged(s, f);
	}
}

static bool is_trying(const struct vy_resume *r)
{
	return r->state == VY_RESUME_OPENING || r->state == VY_RESUME_LIVE ||
	       r->state == VY_RESUME_SNAPSHOT;
}

/* The frame that was too big would be too big again: a snapshot leads past it, once. */
static void too_big(struct step *s)
{
	if (s->r->was_too_big) {
		give_up(s, "The server holds a message that is too big for this connection.");
		return;
	}
	s->r->was_too_big = true;
	s->r->wants_snapshot = true;
	again(s);
}

static void closed(struct step *s)
{
	if (!is_trying(s->r) || (s->r->state == VY_RESUME_SNAPSHOT && s->ev->code != 0)) {
		return; /* the second: the stream's own goodbye behind its reset */
	}
	switch (s->ev->code) {
	case CLOSE_NO_MORE: give_up(s, "You no longer have access to this session."); return;
	case CLOSE_TOO_BIG: too_big(s); return;
	case CLOSE_LATER:
		if (s->r->tries == 0) {
			s->r->tries = 1; /* asked for patience: not at once */
		}
		break;
	default: break;
	}
	again(s);
}

static void refused(struct step *s)
{
	if (is_trying(s->r)) {
		give_up(s, vy_arena_str(s->a, s->ev->text).p);
	}
}

static void taken(struct step *s)
{
	if (s->r->state != VY_RESUME_SNAPSHOT) {
		return;
	}
	s->r->wants_snapshot = false;
	s->r->epoch[0] = '\0';
	set_epoch(s->r, s->ev->epoch);
	set_last(s->r, s->ev->head);
	attempt(s);
}

static void tick(struct step *s)
{
	struct vy_resume *r = s->r;

	if (r->state == VY_RESUME_WAITING && s->ev->now_ms >= r->due_ms) {
		attempt(s);
	} else if (is_trying(r) && s->ev->now_ms - r->heard_ms >= VY_DEAD_MS) {
		drop_and_again(s);
	}
}

void vy_resume_init(struct vy_resume *r)
{
	*r = (struct vy_resume){ .state = VY_RESUME_IDLE };
}

void vy_resume_init_from(struct vy_resume *r, uint64_t last, struct vy_str epoch)
{
	vy_resume_init(r);
	set_last(r, last);
	set_epoch(r, epoch);
}

void vy_resume_step(struct vy_resume *r, const struct vy_resume_event *ev, struct vy_arena *a,
	struct vy_resume_out *out)
{
	struct step s = { .r = r, .ev = ev, .a = a, .out = out };

	out->n = 0;
	switch (ev->type) {
	case VY_RESUME_START:
		if (!is_trying(r)) {
			progress(&s);
			attempt(&s);
		}
		break;
	case VY_RESUME_OPENED: opened(&s); break;
	case VY_RESUME_FRAME: frame(&s); break;
	case VY_RESUME_BYTES: r->heard_ms = ev->now_ms; break;
	case VY_RESUME_CLOSED: closed(&s); break;
	case VY_RESUME_REFUSED: refused(&s); break;
	case VY_RESUME_TAKEN: taken(&s); break;
	case VY_RESUME_PATH:
		if (r->state == VY_RESUME_WAITING) {
			attempt(&s);
		}
		break;
	case VY_RESUME_TICK: tick(&s); break;
	case VY_RESUME_STOP:
		if (is_trying(r)) {
			emit(&s, VY_RESUME_DO_CLOSE);
		}
		r->state = VY_RESUME_IDLE;
		break;
	}
}

int64_t vy_resume_due(const struct vy_resume *r)
{
	if (r->state == VY_RESUME_WAITING) {
		return r->due_ms;
	}
	return is_trying(r) ? r->heard_ms + VY_DEAD_MS : INT64_MAX;
}
