/* term_screen.c -- what a terminal printed: the ring, the shadow behind it, its sizes, its checkpoints.
 *
 * The shadow stands at the ring's floor: it has eaten every byte before that, and every size that holds from there or
 * from before. A checkpoint is the shadow as bytes; only what it made needless is acknowledged to the
 * holder, and sizes are remembered from it on. So a vyred that comes anew makes ring, shadow and
 * sizes again as they were, of the checkpoint and of what the holder sends once more. */
#include <stdlib.h>
#include <string.h>

#include "server/log/log.h"
#include "server/term/term_in.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/vt/vt.h"
#include "shared/vt/vt_prologue.h"
#include "shared/base/ban.h"

/* ---- the shadow ---- */

static void size_shadow(struct term *t)
{
	const struct size *s;
	bool holds;

	while ((s = sizes_get(&t->sizes, t->shown, &holds)) && s->offset <= t->ring.floor) {
		vy_vt_resize(t->shadow, (int)s->cols, (int)s->rows);
		t->shown++;
	}
}

/* Up to the next size, which is the shadow's before the byte that follows it. */
static size_t feed_shadow(struct term *t, struct vy_str old)
{
	bool holds;
	const struct size *s = sizes_get(&t->sizes, t->shown, &holds);

	if (s && s->offset - t->ring.floor < old.n) {
		old.n = (size_t)(s->offset - t->ring.floor);
	}
	vy_vt_feed(t->shadow, old);
	return old.n;
}

static void let_leave(struct term *t, struct vy_str old)
{
	reel_drop(&t->ring, feed_shadow(t, old));
	size_shadow(t);
	term_prologue_drop(t->prologue);
	t->prologue = NULL;
}

void term_prologue_drop(struct prologue *p)
{
	if (p && --p->refs == 0) {
		free(p);
	}
}

struct prologue *term_prologue(struct term *t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_TERM_PROLOGUE_MAX);

	if (!t->prologue) {
		vy_vt_prologue(t->shadow, &b);
		if (vy_buf_is_over(&b)) { /* a clean screen is better than half of one */
			vy_log(VY_LOG_WARN, "term.prologue", "term=%s over=%d", t->facts.id,
				VY_TERM_PROLOGUE_MAX);
			vy_buf_fini(&b);
		}
		t->prologue = vy_alloc(sizeof(*t->prologue) + b.len);
		t->prologue->refs = 1;
		t->prologue->at = t->ring.floor;
		t->prologue->n = b.len;
		memcpy(t->prologue->bytes, vy_buf_c(&b), b.len);
	}
	t->prologue->refs++;
	return t->prologue;
}

/* ---- checkpoints ---- */

static void keep(struct term *t);
static bool is_due(const struct term *t);

/* What had to be put off while nothing could be stored. (Not by log_after(): on a full disk commits go
 * through while the trouble lasts, and each would find us waiting again.) */
void term_resume(struct term *t)
{
	if (!t->is_waiting) {
		return;
	}
	t->is_waiting = false;
	if (is_due(t)) {
		keep(t);
	}
	term_fit(t);
}

static bool has_to_wait(struct term *t)
{
	bool has_to = log_trouble(t->terms->conf.log) != NULL;

	t->is_waiting |= has_to;
	return has_to;
}

static void on_kept(void *ctx, bool committed)
{
	struct term *t = ctx;

	VY_CRASH(TERM_KEPT);
	if (t->terms) {
		t->is_keeping = false;
		if (committed) {
			t->kept = t->keeping;
			while (t->sizes.n && t->sizes.later[0].offset <= t->kept &&
				t->sizes.no < t->shown) {
				sizes_shift(&t->sizes);
			}
			if (t->hold) {
				hold_ack(t->hold, t->kept);
			}
			if (t->wants_fit) {
				term_fit(t);
			}
		}
	}
	term_came(t);
}

static void keep(struct term *t)
{
	struct prologue *p;

	if (t->is_keeping || has_to_wait(t)) {
		return; /* the holder keeps all meanwhile */
	}
	p = term_prologue(t);
	t->is_keeping = true;
	t->keeping = t->ring.floor;
	t->kept_bytes = p->n;
	term_put_screen(t, vy_str_n(p->bytes, p->n));
	term_put(t);
	VY_CRASH(TERM_KEEPING);
	term_prologue_drop(p);
	t->calls++;
	log_after(t->terms->conf.log, on_kept, t);
}

/* Not more often than it costs: of a very large screen less often. */
static bool is_due(const struct term *t)
{
	uint64_t far = t->kept_bytes > VY_TERM_KEEP_BYTES ? t->kept_bytes : VY_TERM_KEEP_BYTES;

	return t->ring.floor - t->kept >= far;
}

/* ---- bytes ---- */

/* ---- what its shell says ---- */

static void on_mark(void *ctx, const struct marks_event *ev)
{
	struct term *t = ctx;
	const struct terms_conf *c = &t->terms->conf;

	t->has_mark = true;
	if (c->ops->marked) {
		c->ops->marked(c->ctx, term_facts_now(t), ev);
	}
}

/* Each byte once, over restarts too: the row says up to where, in the transaction of what was told. */
static void hear_marks(struct term *t, uint64_t off, struct vy_str bytes)
{
	uint64_t end = off + bytes.n;

	if (end <= t->marked) {
		return;
	}
	bytes = vy_str_from(bytes, off < t->marked ? (size_t)(t->marked - off) : 0);
	t->has_mark = false;
	t->marked = end;
	marks_hear(t->marks, bytes, on_mark, t);
	if (t->has_mark) {
		term_put(t);
	}
}

/* What we had already comes again when the connection to the holder breaks, or a vyred begins. */
void term_heard(struct term *t, uint64_t off, struct vy_str bytes)
{
	struct vy_str old;

	hear_marks(t, off, bytes);
	if (off > t->ring.end) { /* its spool never forgets what we did not acknowledge */
		vy_log(VY_LOG_ERROR, "term.gap", "term=%s from=%llu to=%llu", t->facts.id,
			(unsigned long long)t->ring.end, (unsigned long long)off);
		reel_fini(&t->ring);
		reel_init(&t->ring, off);
		size_shadow(t);
	}
	bytes = vy_str_from(bytes, (size_t)(t->ring.end - off));
	while (bytes.n) {
		bytes = vy_str_from(bytes, reel_add(&t->ring, bytes));
		while ((old = reel_old(&t->ring)).n) {
			let_leave(t, old);
		}
	}
	t->active_ms = vy_boot_ms(t->terms->conf.clock);
	if (is_due(t)) {
		keep(t);
	}
	term_wake(t);
}

/* ---- its size ---- */

static void on_sized(void *ctx, bool committed)
{
	struct term *t = ctx;

	VY_CRASH(TERM_SIZED);
	t->is_sizing = false;
	if (t->terms) {
		struct size s = sizes_last(&t->sizes);

		(void)committed; /* else the log has ended, and so do we */
		sizes_settle(&t->sizes);
		if (t->hold) {
			hold_resize(t->hold, s.cols, s.rows);
		}
		if (t->wants_fit) {
			term_fit(t);
		}
		term_wake(t);
	}
	term_came(t);
}

/* One has to leave first: what the ring has before it goes to the shadow. */
static void make_room(struct term *t)
{
	uint64_t at = t->sizes.later[SIZES_MAX / 2].offset;
	struct vy_str old;

	while ((old = reel_before(&t->ring, at)).n) {
		let_leave(t, old);
	}
	keep(t);
}

void term_fit(struct term *t)
{
	struct size last = sizes_last(&t->sizes), want = { .offset = t->ring.end };

	t->wants_fit = false;
	if (t->state != TERM_RUNS || !crowd_size(&t->crowd, &want.cols, &want.rows) ||
		(want.cols == last.cols && want.rows == last.rows)) {
		return;
	}
	if (t->is_sizing || sizes_is_full(&t->sizes) || has_to_wait(t)) {
		t->wants_fit = true;
		if (!t->is_sizing && sizes_is_full(&t->sizes)) {
			make_room(t);
		}
		return;
	}
	sizes_add(&t->sizes, want);
	size_shadow(t);
	t->is_sizing = true;
	term_put(t);
	t->calls++;
	log_after(t->terms->conf.log, on_sized, t);
}
