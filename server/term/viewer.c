/* viewer.c -- see viewer.h. */
#include "server/term/viewer.h"

#include <stdio.h>
#include <stdlib.h>

#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/frame/term.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define VIEWER_MAGIC 0x76696577u

_Static_assert(VY_TERM_HEAD < TERM_GIVE_MAX, "a piece has room for bytes");

/* ---- life ---- */

static void ready(void *ctx)
{
	struct term_viewer *v = ctx;

	VY_CHECK(v, VIEWER_MAGIC);
	v->conf.ready(v->conf.ctx);
}

void viewer_wake(struct term_viewer *v)
{
	if (v->is_dry) {
		v->is_dry = false;
		vy_loop_defer(v->loop, ready, v);
	}
}

static void viewer_tell_keys(struct term *t)
{
	struct term_viewer *v;

	TAILQ_FOREACH (v, &t->viewers, link) {
		v->hears_take = true;
	}
	term_wake(t);
}

void viewer_cut(struct term_viewer *v)
{
	struct term *t = v->term;
	bool had_keys;

	VY_CHECK(v, VIEWER_MAGIC);
	had_keys = crowd_has_keys(&t->crowd, v->id);
	TAILQ_REMOVE(&t->viewers, v, link);
	crowd_del(&t->crowd, v->id);
	if (had_keys) {
		viewer_tell_keys(t);
	}
	term_prologue_drop(v->prologue);
	v->prologue = NULL;
	v->term = NULL;
	viewer_wake(v);
}

struct term_viewer *viewer_new(struct term *t, const struct term_view *conf, struct vy_err *e)
{
	unsigned id = ++t->last_viewer ? t->last_viewer : ++t->last_viewer;

	if (!crowd_add(&t->crowd, id, conf->had_keys)) {
		vy_fail(e, VY_BUSY, "%d look at this terminal already: close one", CROWD_MAX);
		return NULL;
	}
	struct term_viewer *v = VY_NEW(struct term_viewer);

	VY_MAGIC_SET(v, VIEWER_MAGIC);
	v->term = t;
	v->id = id;
	v->conf = *conf;
	v->loop = t->terms->conf.loop;
	v->needs_hello = true;
	v->at = conf->from;
	v->is_dry = true;
	if (conf->had_keys && crowd_has_keys(&t->crowd, id)) {
		viewer_tell_keys(t);
	}
	TAILQ_INSERT_TAIL(&t->viewers, v, link);
	viewer_wake(v);
	term_rest(t);
	return v;
}

void term_viewer_free(struct term_viewer *v)
{
	struct term *t;

	if (!v) {
		return;
	}
	VY_CHECK(v, VIEWER_MAGIC);
	t = v->term;
	if (t) {
		viewer_cut(v);
		t->active_ms = vy_boot_ms(t->terms->conf.clock);
		term_fit(t);
		term_rest(t);
	}
	vy_loop_forget(v->loop, ready, v);
	VY_MAGIC_CLEAR(v);
	free(v);
}

/* ---- what it gets ---- */

static struct term_piece text(const struct vy_term_msg *m, struct vy_buf *out)
{
	vy_term_write(m, true, out);
	return (struct term_piece){ TERM_TEXT, true, true };
}

/* From where it is when the ring has that, else from the floor with the screen there. What it holds of the
 * time before a terminal's end is from another one. */
static struct term_piece hello(struct term_viewer *v, struct vy_buf *out)
{
	struct term *t = v->term;
	bool goes_on = v->conf.has_from && v->at >= t->ring.floor && v->at <= t->ring.end;
	struct vy_term_msg m = { .type = VY_TERM_HELLO };

	v->at = goes_on ? v->at : t->ring.floor;
	v->size = sizes_past(&t->sizes, v->at);
	if (!goes_on && v->at > 0) {
		v->prologue = term_prologue(t);
		v->prologue_at = 0;
	}
	struct size size = sizes_at(&t->sizes, v->at);

	m.offset = v->at;
	m.floor = t->ring.floor;
	m.end = t->ring.end;
	m.cols = size.cols;
	m.rows = size.rows;
	m.pid = t->facts.pid;
	m.has_prologue = v->prologue != NULL;
	m.has_keys = crowd_has_keys(&t->crowd, v->id);
	v->conf.has_from = true;
	v->needs_hello = v->hears_take = v->heard_end = false;
	return text(&m, out);
}

static struct term_piece screen(struct term_viewer *v, struct vy_buf *out)
{
	struct prologue *p = v->prologue;
	unsigned char head[VY_TERM_HEAD];
	struct term_piece piece = { TERM_BINARY, v->prologue_at == 0, false };
	size_t room = TERM_GIVE_MAX, left = p->n - v->prologue_at;

	if (piece.is_first) {
		vy_term_head(p->at, head);
		vy_buf_add(out, head, sizeof(head));
		room -= sizeof(head);
	}
	vy_buf_add(out, p->bytes + v->prologue_at, left < room ? left : room);
	v->prologue_at += left < room ? left : room;
	piece.is_last = v->prologue_at == p->n;
	if (piece.is_last) {
		term_prologue_drop(p);
		v->prologue = NULL;
	}
	return piece;
}

static struct term_piece keyboard(struct term_viewer *v, struct vy_buf *out)
{
	struct vy_term_msg m = { .type = VY_TERM_TAKE,
		.has_keys = crowd_has_keys(&v->term->crowd, v->id) };

	v->hears_take = false;
	return text(&m, out);
}

static struct term_piece resized(struct term_viewer *v, const struct size *s, struct vy_buf *out)
{
	struct vy_term_msg m = {
		.type = VY_TERM_RESIZE, .offset = s->offset, .cols = s->cols, .rows = s->rows
	};

	v->size++;
	return text(&m, out);
}

static struct term_piece bytes(struct term_viewer *v, uint64_t to, struct vy_buf *out)
{
	size_t most = TERM_GIVE_MAX - VY_TERM_HEAD;
	unsigned char head[VY_TERM_HEAD];

	vy_term_head(v->at, head);
	vy_buf_add(out, head, sizeof(head));
	while (v->at < to && most > 0) { /* twice at the ring's seam */
		struct vy_str s = reel_at(
			&v->term->ring, v->at, to - v->at < most ? (size_t)(to - v->at) : most);

		vy_buf_addstr(out, s);
		v->at += s.n;
		most -= s.n;
	}
	return (struct term_piece){ TERM_BINARY, true, true };
}

static struct term_piece end(struct term_viewer *v, struct vy_buf *out)
{
	const struct term_facts *f = &v->term->facts;
	struct vy_term_msg m = { .type = VY_TERM_EXIT,
		.has_status = f->has_code && !f->signal,
		.has_signal = f->has_code && f->signal,
		.status = f->status,
		.signal = f->signal };

	v->heard_end = true;
	snprintf(m.why, sizeof(m.why), "%s", f->why);
	return text(&m, out);
}

/* After a restart the ring is what it was only when the holder has said all of it again. */
static bool is_shown(const struct term *t)
{
	return (t->is_met || t->is_unheld) && t->ring.end >= t->caught;
}

/* Sizes and bytes, as they stand; nothing past a size that is not committed, unless nothing can be: who is to
 * make room on the disk must see what they do. */
static struct term_piece stream(struct term_viewer *v, struct vy_buf *out)
{
	struct term *t = v->term;
	bool holds = false;
	const struct size *s = sizes_get(&t->sizes, v->size, &holds);
	uint64_t to = s ? s->offset : t->ring.end;

	if (v->at < to) {
		return bytes(v, to, out);
	}
	if (s && (holds || log_trouble(t->terms->conf.log))) {
		return resized(v, s, out);
	}
	if (!s && t->state == TERM_ENDED && !v->heard_end) {
		return end(v, out);
	}
	v->is_dry = true;
	return (struct term_piece){ TERM_NOTHING, false, false };
}

struct term_piece term_viewer_next(struct term_viewer *v, struct vy_buf *out)
{
	struct term *t = v->term;

	VY_CHECK(v, VIEWER_MAGIC);
	if (!t) {
		return (struct term_piece){ TERM_OVER, false, false };
	}
	if (v->prologue) {
		return screen(v, out);
	}
	if (!is_shown(t)) {
		v->is_dry = true;
		return (struct term_piece){ TERM_NOTHING, false, false };
	}
	if (v->needs_hello || v->at < t->ring.floor) {
		return hello(v, out);
	}
	return v->hears_take ? keyboard(v, out) : stream(v, out);
}

/* ---- what it says ---- */

void term_viewer_type(struct term_viewer *v, struct vy_str keys)
{
	struct term *t = v->term;
	struct vy_err e = { 0 };

	VY_CHECK(v, VIEWER_MAGIC);
	if (!t || !crowd_has_keys(&t->crowd, v->id) || t->state != TERM_RUNS || !t->is_met ||
		!t->hold || keys.n == 0) {
		return;
	}
	t->active_ms = vy_boot_ms(t->terms->conf.clock);
	if (hold_in(t->hold, t->next_seq, keys, &e) == 0) {
		t->next_seq++;
		marks_type(t->marks, keys);
	} else { /* a program that does not read: what is typed on is lost, as at any terminal */
		vy_log(VY_LOG_DEBUG, "term.deaf", "term=%s why=%s", t->facts.id, vy_log_q(e.text));
	}
}

static void take(struct term_viewer *v)
{
	struct term *t = v->term;

	crowd_take(&t->crowd, v->id);
	viewer_tell_keys(t);
	term_fit(t);
	term_wake(t);
}

int term_viewer_hear(struct term_viewer *v, struct vy_str said, struct vy_err *e)
{
	struct vy_term_msg m;

	VY_CHECK(v, VIEWER_MAGIC);
	if (vy_term_read(said, false, &m, e) != 0) {
		return -1;
	}
	if (v->term && m.type == VY_TERM_RESIZE) {
		crowd_resize(&v->term->crowd, v->id, m.cols, m.rows);
		term_fit(v->term);
	} else if (v->term && m.type == VY_TERM_TAKE) {
		take(v);
	}
	return 0;
}
