/* fold.c -- the fold's rows and lists, and reading them; see fold.h and fold_own.h. */
#include "shared/model/fold.h"

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/merge.h"
#include "shared/model/fold_own.h"
#include "shared/base/ban.h"

/* ---- lists ---- */

void fold_list_insert(struct fold_list *l, size_t at, struct fold_row *r)
{
	l->v = vy_grow(l->v, &l->cap, l->n + 1, sizeof(struct fold_row *));
	memmove(&l->v[at + 1], &l->v[at], (l->n - at) * sizeof(struct fold_row *));
	l->v[at] = r;
	l->n++;
}

/* From the end: what is looked for is nearly always new. */
size_t fold_list_index(const struct fold_list *l, const struct fold_row *r)
{
	for (size_t i = l->n; i-- > 0;) {
		if (l->v[i] == r) {
			return i;
		}
	}
	return VY_FOLD_NOWHERE;
}

bool fold_list_remove(struct fold_list *l, const struct fold_row *r)
{
	size_t at = fold_list_index(l, r);

	if (at == VY_FOLD_NOWHERE) {
		return false;
	}
	memmove(&l->v[at], &l->v[at + 1], (l->n - at - 1) * sizeof(struct fold_row *));
	l->n--;
	return true;
}

static void list_fini(struct fold_list *l)
{
	free(l->v);
	*l = (struct fold_list){ 0 };
}

/* ---- what changed ---- */

static void changed(struct vy_fold *f, size_t at)
{
	struct vy_change *ch = f->ch;

	if (!ch->rows) {
		ch->rows = true;
		ch->row = at;
	} else if (ch->row != at) {
		ch->rest = true;
		ch->grew = false;
		ch->row = at < ch->row ? at : ch->row;
	}
}

/* ---- the transcript ---- */

struct vy_str fold_keep(struct vy_fold *f, struct vy_str s)
{
	return s.n ? vy_arena_str(&f->a, s) : vy_str_n(NULL, 0);
}

void fold_set(struct vy_str *owned, struct vy_str s)
{
	char *p = s.n ? vy_memdup0(s.p, s.n) : NULL;

	free((char *)(uintptr_t)owned->p);
	*owned = vy_str_n(p, s.n);
}

/* Turns and authors come in runs: one copy serves them all. */
static struct vy_str share(struct vy_fold *f, struct vy_str *last, struct vy_str s)
{
	if (!vy_str_eq(*last, s)) {
		*last = fold_keep(f, s);
	}
	return *last;
}

struct fold_row *fold_find(const struct vy_fold *f, struct vy_str key)
{
	struct fold_row *r = NULL;

	if (f->by_key && key.n) {
		HASH_FIND(hh, f->by_key, key.p, key.n, r);
	}
	return r;
}

struct fold_row *fold_new(
	struct vy_fold *f, enum vy_row_kind kind, struct vy_str key, const struct vy_frame *fr)
{
	struct fold_row *r = VY_NEW(struct fold_row);

	r->row.kind = kind;
	r->row.key = fold_keep(f, key);
	r->row.turn = share(f, &f->last_turn, fr->turn);
	r->row.author = share(f, &f->last_author, fr->author);
	r->row.acts_for = share(f, &f->last_acts_for, fr->acts_for);
	r->row.first = vy_frame_first(fr);
	r->row.last = r->row.rev = fr->cur;
	r->row.time = r->row.time_last = fr->time;
	r->at = VY_FOLD_NOWHERE;
	vy_buf_init(&r->text, VY_FOLD_TEXT_MAX);
	HASH_ADD_KEYPTR(hh, f->by_key, r->row.key.p, r->row.key.n, r);
	return r;
}

void fold_delete(struct vy_fold *f, struct fold_row *r)
{
	HASH_DEL(f->by_key, r);
	vy_buf_fini(&r->text);
	free(r);
}

static void renumber(struct vy_fold *f, size_t from)
{
	for (size_t i = from; i < f->shown.n; i++) {
		f->shown.v[i]->at = i;
	}
}

static bool is_shown(const struct fold_row *r)
{
	return !r->row.withheld && !r->row.folded;
}

static void show(struct vy_fold *f, struct fold_row *r, size_t at)
{
	fold_list_insert(&f->shown, at, r);
	renumber(f, at);
	changed(f, at);
	f->ch->inserted++;
}

static void hide(struct vy_fold *f, struct fold_row *r)
{
	size_t at = r->at;

	fold_list_remove(&f->shown, r);
	r->at = VY_FOLD_NOWHERE;
	renumber(f, at);
	changed(f, at);
	f->ch->removed++;
}

void fold_append(struct vy_fold *f, struct fold_row *r)
{
	fold_list_insert(&f->all, f->all.n, r);
	r->listed = true;
	if (is_shown(r)) {
		show(f, r, f->shown.n);
	}
}

void fold_take_out(struct vy_fold *f, struct fold_row *r)
{
	if (r->at != VY_FOLD_NOWHERE) {
		hide(f, r);
	}
	fold_list_remove(&f->all, r);
	r->listed = false;
}

void fold_settle(struct vy_fold *f, struct fold_row *r)
{
	if (is_shown(r) == (r->at != VY_FOLD_NOWHERE)) {
		return;
	}
	if (!is_shown(r)) {
		hide(f, r);
		return;
	}
	size_t at = 0;

	for (size_t i = fold_list_index(&f->all, r); i-- > 0;) {
		if (f->all.v[i]->at != VY_FOLD_NOWHERE) {
			at = f->all.v[i]->at + 1; /* behind the nearest one before it */
			break;
		}
	}
	show(f, r, at);
}

void fold_touch(struct vy_fold *f, struct fold_row *r, const struct vy_frame *fr)
{
	r->row.last = r->row.rev = fr->cur;
	r->row.time_last = fr->time;
	if (r->at != VY_FOLD_NOWHERE) {
		changed(f, r->at);
		f->ch->grew = false;
	}
}

void fold_touch_text(struct vy_fold *f, struct fold_row *r, const struct vy_frame *fr, size_t from)
{
	bool alone = !f->ch->rows;

	fold_touch(f, r, fr);
	if (alone && f->ch->rows) {
		f->ch->grew = true;
		f->ch->from = from;
	}
}

/* ---- rewinds ---- */

/* A frame was visible at `as_of` if it lies behind the last rewind before that, or was visible
 * where that rewind went back to. */
bool fold_is_visible(const struct vy_fold *f, uint64_t cur, uint64_t as_of)
{
	for (size_t i = f->nrewinds; i-- > 0;) {
		const struct fold_rewind *w = &f->rewinds[i];

		if (w->at > as_of) {
			continue;
		}
		if (cur >= w->at) {
			break;
		}
		as_of = w->to;
	}
	return cur <= as_of;
}

void fold_reshow(struct vy_fold *f)
{
	size_t same = 0, before = f->shown.n;
	struct fold_list shown = { 0 };

	for (size_t i = 0; i < f->all.n; i++) {
		struct fold_row *r = f->all.v[i];

		r->row.folded = !fold_is_visible(f, r->row.first, UINT64_MAX);
		r->at = VY_FOLD_NOWHERE;
		if (is_shown(r)) {
			fold_list_insert(&shown, shown.n, r);
		}
	}
	while (same < before && same < shown.n && f->shown.v[same] == shown.v[same]) {
		same++;
	}
	list_fini(&f->shown);
	f->shown = shown;
	renumber(f, 0);
	if (f->ch && (same < before || same < shown.n)) {
		changed(f, same);
		f->ch->removed += before - same;
		f->ch->inserted += shown.n - same;
		f->ch->rest = true;
	}
}

/* Is the frame visible at `to`, and folded away now? */
static bool is_missed(const struct vy_fold *f, uint64_t cur, uint64_t to)
{
	return fold_is_visible(f, cur, to) && !fold_is_visible(f, cur, UINT64_MAX);
}

/* Does `to` bring back something that we were not given? Between the borders of all rewinds
 * everything is visible or nothing is, so the borders are enough to ask. */
static bool wants_missing(const struct vy_fold *f, uint64_t to)
{
	if (!f->lacks_folded) {
		return false;
	}
	for (size_t i = 0; i < f->nrewinds; i++) {
		if (is_missed(f, f->rewinds[i].at - 1, to) || is_missed(f, f->rewinds[i].to, to)) {
			return true;
		}
	}
	return is_missed(f, to, to);
}

void fold_rewind(struct vy_fold *f, uint64_t at, uint64_t to)
{
	if (to >= at) {
		return;
	}
	if (wants_missing(f, to)) {
		f->ch->stale = true;
	}
	f->rewinds = vy_grow(f->rewinds, &f->rewinds_cap, f->nrewinds + 1, sizeof(f->rewinds[0]));
	f->rewinds[f->nrewinds++] = (struct fold_rewind){ at, to };
	fold_reshow(f);
}

/* ---- life ---- */

struct vy_fold *vy_fold_new(void)
{
	struct vy_fold *f = VY_NEW(struct vy_fold);

	vy_arena_init(&f->a);
	f->state.state = VY_STATE_WAITING;
	return f;
}

static void free_rows(struct vy_fold *f)
{
	struct fold_row *r, *next;

	HASH_ITER (hh, f->by_key, r, next) {
		fold_delete(f, r);
	}
}

void vy_fold_clear(struct vy_fold *f)
{
	struct vy_fold_state *s = &f->state;
	struct vy_str *const owned[] = { &s->turn, &s->reason, &s->note, &s->mode, &s->model,
		&s->todo };

	free_rows(f);
	list_fini(&f->all);
	list_fini(&f->shown);
	list_fini(&f->queued);
	list_fini(&f->asks);
	free(f->rewinds);
	free(f->terms);
	for (size_t i = 0; i < VY_COUNT(owned); i++) {
		fold_set(owned[i], vy_str_n(NULL, 0));
	}
	vy_arena_fini(&f->a);
	*f = (struct vy_fold){ .state.state = VY_STATE_WAITING };
	vy_arena_init(&f->a);
}

void vy_fold_free(struct vy_fold *f)
{
	if (f) {
		vy_fold_clear(f);
		vy_arena_fini(&f->a);
		free(f);
	}
}

static void apply(struct vy_fold *f, const struct vy_frame *frame)
{
	size_t queued = f->queued.n, asks = f->asks.n;

	fold_frame(f, frame);
	f->state.cur = frame->cur;
	f->state.queued = f->queued.n;
	f->state.asks = f->asks.n;
	f->last_time = frame->time;
	if (f->queued.n != queued || f->asks.n != asks) {
		f->ch->state = true;
	}
}

void vy_fold_apply(struct vy_fold *f, const struct vy_frame *frame, struct vy_change *ch)
{
	struct vy_change ignored;

	f->ch = ch ? ch : &ignored;
	*f->ch = (struct vy_change){ 0 };
	if (frame->cur > f->state.cur) {
		if (frame->span > 1 && frame->cur - frame->span < f->state.cur) {
			struct vy_frame cut = *frame; /* some of it is folded already */
			struct vy_arena a;

			vy_arena_init(&a);
			if (vy_frame_trim(&cut, f->state.cur, &a, NULL) == 0) {
				apply(f, &cut);
			}
			vy_arena_fini(&a);
		} else {
			apply(f, frame);
		}
	}
	f->ch = NULL;
}

/* ---- reading ---- */

size_t vy_fold_len(const struct vy_fold *f)
{
	return f->shown.n;
}

const struct vy_row *vy_fold_row(const struct vy_fold *f, size_t i)
{
	return i < f->shown.n ? &f->shown.v[i]->row : NULL;
}

const struct vy_row *vy_fold_find(const struct vy_fold *f, struct vy_str key)
{
	const struct fold_row *r = fold_find(f, key);

	return r ? &r->row : NULL;
}

bool vy_fold_index(const struct vy_fold *f, struct vy_str key, size_t *i)
{
	const struct fold_row *r = fold_find(f, key);

	if (!r || r->at == VY_FOLD_NOWHERE) {
		return false;
	}
	*i = r->at;
	return true;
}

const struct vy_fold_state *vy_fold_state(const struct vy_fold *f)
{
	return &f->state;
}

const struct vy_row *vy_fold_queued(const struct vy_fold *f, size_t i)
{
	return i < f->queued.n ? &f->queued.v[i]->row : NULL;
}

const struct vy_row *vy_fold_ask(const struct vy_fold *f, size_t i)
{
	return i < f->asks.n ? &f->asks.v[i]->row : NULL;
}

unsigned vy_fold_depth(const struct vy_fold *f, const struct vy_row *r)
{
	unsigned depth = 0;

	while (r && r->parent.n && depth < FOLD_DEPTH_MAX) {
		VY_AUTO_BUF key = VY_BUF_INIT(2 * VY_ID_MAX);

		vy_buf_adds(&key, "tool:");
		vy_buf_addstr(&key, r->parent);
		r = vy_fold_find(f, vy_buf_str(&key));
		depth += r != NULL;
	}
	return depth;
}
