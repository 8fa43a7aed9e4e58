/* attempts.c -- see attempts.h.
 *
 * How events and frames get into one order: the id of an event names the frame it is of (evt_ and the
 * frame's id, for a settlement the id of its attempt's first). So a frame that brings one finds it
 * among those that came with the commit, and all that are before it go first. */
#include "server/hub/attempts.h"

#include <stdlib.h>
#include <sys/queue.h>

#include "shared/base/arena.h"
#include "shared/base/jw.h"
#include "shared/base/mem.h"
#include "shared/model/lift.h"
#include "shared/model/settle.h"
#include "shared/base/ban.h"

#define EVENT_PREFIX   4 /* "evt_" */
#define ATTEMPT_PREFIX 4 /* "att_" */

struct event {
	int64_t seq;
	char *id, *type;
	STAILQ_ENTRY(event) link;
};

struct open { /* an attempt */
	char *id;
	int64_t after; /* the newest event before it */
	TAILQ_ENTRY(open) link;
};

struct attempts {
	struct vy_settle *settle;
	struct vy_lift lift;
	int64_t seq; /* of the last event said */
	int64_t revision;
	STAILQ_HEAD(, event) events; /* not said yet */
	TAILQ_HEAD(open_list, open) open;
	struct vy_arena mem;
	struct vy_buf json;
};

/* What a step needs beside the machine. */
struct step {
	struct attempts *a;
	const struct attempts_out *out; /* NULL: nothing is said */
};

/* ---- events ---- */

static void say_event(struct step *s, struct event *own_ev)
{
	STAILQ_REMOVE_HEAD(&s->a->events, link);
	s->a->seq = own_ev->seq;
	s->out->event(s->out->ctx, own_ev->seq);
	free(own_ev->id);
	free(own_ev->type);
	free(own_ev);
}

static const struct event *find_event(const struct attempts *a, struct vy_str of)
{
	const struct event *ev;

	STAILQ_FOREACH (ev, &a->events, link) {
		if (vy_str_eq(vy_str_from(vy_str_c(ev->id), EVENT_PREFIX), of)) {
			return ev;
		}
	}
	return NULL;
}

/* That one, and what is before it; its number, its type in `mem`, or 0: there is none. */
static int64_t say_upto(struct step *s, struct vy_str of, struct vy_str *type)
{
	const struct event *ev = find_event(s->a, of);
	int64_t seq = ev ? ev->seq : 0;

	if (ev) {
		*type = vy_arena_str(&s->a->mem, vy_str_c(ev->type));
	}
	while (s->a->seq < seq) {
		say_event(s, STAILQ_FIRST(&s->a->events));
	}
	return seq;
}

/* ---- frames of attempts ---- */

static struct vy_jw begin(struct attempts *a, const char *type, struct vy_str attempt)
{
	struct vy_jw w;

	vy_buf_clear(&a->json);
	w = VY_JW(&a->json);
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "type", vy_str_c(type));
	vy_jw_kstr(&w, "attempt", attempt);
	vy_jw_kint(&w, "revision", a->revision);
	return w;
}

static void end(struct attempts *a, struct vy_jw *w, const struct attempts_out *out)
{
	vy_jw_end_obj(w);
	if (!vy_buf_is_over(&a->json)) {
		out->frame(out->ctx, vy_buf_str(&a->json));
	}
	if (a->json.cap > VY_MIB) {
		vy_buf_fini(&a->json);
		vy_buf_init(&a->json, ATTEMPTS_FRAME_MAX);
	}
}

static struct open *open_of(const struct attempts *a, struct vy_str attempt)
{
	struct open *o;

	TAILQ_FOREACH (o, &a->open, link) {
		if (vy_str_is(attempt, o->id)) {
			return o;
		}
	}
	return NULL;
}

static void write_start(const struct attempts *a, const struct vy_settlement *st, struct vy_jw *w)
{
	const struct open *o = open_of(a, st->attempt);

	vy_jw_kstr(w, "turn", st->turn);
	vy_jw_kint(w, "step", st->step);
	vy_jw_kint(w, "started_after_seq", o ? o->after : a->seq);
	vy_jw_kint(w, "time", st->started);
	vy_jw_kstr(w, "message", st->message);
	vy_jw_kstr(w, "author", st->author);
	if (st->acts_for.n) {
		vy_jw_kstr(w, "acts_for", st->acts_for);
	}
	if (st->parent.n) {
		vy_jw_kstr(w, "parent", st->parent);
	}
}

static void say_start(struct step *s, struct vy_str attempt, const struct vy_frame *f)
{
	struct attempts *a = s->a;
	struct vy_settlement st = { .attempt = attempt,
		.turn = f->turn,
		.step = a->lift.step,
		.started = f->time,
		.message = vy_frame_str(f, VY_F_MESSAGE),
		.author = f->author,
		.acts_for = f->acts_for,
		.parent = vy_frame_str(f, VY_F_PARENT) };
	struct vy_jw w;

	a->revision++;
	w = begin(a, "attempt.start", attempt);
	write_start(a, &st, &w);
	end(a, &w, s->out);
}

static void say_chunk(
	struct step *s, struct vy_str attempt, int64_t index, const struct vy_frame *f)
{
	struct attempts *a = s->a;
	struct vy_jw w;

	a->revision++;
	w = begin(a, "attempt.chunk", attempt);
	vy_jw_kint(&w, "index", index);
	vy_jw_kint(&w, "time", f->time);
	vy_jw_key(&w, "delta");
	vy_jw_obj(&w);
	vy_jw_kint(&w, "block", vy_frame_int(f, VY_F_INDEX, 0));
	vy_jw_kstr(&w, "kind",
		vy_frame_bool(f, VY_F_REASONING) ? VY_STR_LIT("reasoning") : VY_STR_LIT("text"));
	vy_jw_kstr(&w, "text", vy_frame_str(f, VY_F_TEXT));
	vy_jw_end_obj(&w);
	end(a, &w, s->out);
}

static void say_end(struct step *s, const struct vy_settlement *st, int64_t seq, struct vy_str type)
{
	struct attempts *a = s->a;
	struct vy_jw w;

	a->revision++;
	w = begin(a, "attempt.end", st->attempt);
	vy_jw_kint(&w, "index", (int64_t)vy_settlement_pieces(st));
	vy_jw_kstr(&w, "outcome", seq ? VY_STR_LIT("committed") : VY_STR_LIT("abandoned"));
	if (seq) {
		vy_jw_key(&w, "settlement");
		vy_jw_obj(&w);
		vy_jw_kstr(&w, "type", type);
		vy_jw_kint(&w, "seq", seq);
		vy_jw_end_obj(&w);
	}
	end(a, &w, s->out);
}

/* ---- what the machine says ---- */

static void opened(void *ctx, const struct vy_frame *first)
{
	(void)ctx;
	(void)first; /* its first piece says it */
}

static void piece(void *ctx, struct vy_str attempt, int64_t nth, const struct vy_frame *f)
{
	struct step *s = ctx;

	if (nth == 0) {
		struct open *o = VY_NEW(struct open);

		o->id = vy_memdup0(attempt.p, attempt.n);
		o->after = s->a->seq;
		TAILQ_INSERT_TAIL(&s->a->open, o, link);
	}
	if (s->out && nth == 0) {
		say_start(s, attempt, f);
	}
	if (s->out) {
		say_chunk(s, attempt, nth, f);
	}
}

static void forget(struct attempts *a, struct open *own_o)
{
	TAILQ_REMOVE(&a->open, own_o, link);
	free(own_o->id);
	free(own_o);
}

static void settled(void *ctx, const struct vy_settlement *st)
{
	struct step *s = ctx;
	struct open *o = open_of(s->a, st->attempt);
	struct vy_str type = VY_STR_LIT("");

	if (s->out) {
		int64_t seq = say_upto(s, vy_str_from(st->attempt, ATTEMPT_PREFIX), &type);

		say_end(s, st, seq, type);
	}
	if (o) {
		forget(s->a, o);
	}
}

static void walk(struct step *s, const struct vy_frame *f)
{
	const struct vy_settle_out out = { opened, settled, s, piece };
	struct attempts *a = s->a;
	struct vy_event ev;
	struct vy_str type;

	vy_settle_step(a->settle, f, a->lift.step, &out);
	if (vy_lift(&a->lift, f, &a->mem, &ev) && s->out) {
		say_upto(s, f->id, &type);
	}
	if (vy_settle_ends_agent(f)) {
		a->revision = 0;
	}
	if (a->mem.used) {
		vy_arena_reset(&a->mem);
	}
}

void attempts_frame(struct attempts *a, const struct vy_frame *f, const struct attempts_out *out)
{
	struct step s = { a, out };

	walk(&s, f);
}

void attempts_event(struct attempts *a, const struct attempts_event *ev)
{
	struct event *own_ev = VY_NEW(struct event);

	own_ev->seq = ev->seq;
	own_ev->id = vy_memdup0(ev->id.p, ev->id.n);
	own_ev->type = vy_memdup0(ev->type.p, ev->type.n);
	STAILQ_INSERT_TAIL(&a->events, own_ev, link);
}

void attempts_rest(struct attempts *a, const struct attempts_out *out)
{
	struct step s = { a, out };

	while (!STAILQ_EMPTY(&a->events)) {
		say_event(&s, STAILQ_FIRST(&a->events));
	}
}

/* ---- the way back ---- */

void attempts_mark(struct attempts *a, const struct mark *m)
{
	a->lift = m->lift;
}

void attempts_again(struct attempts *a, const struct mark *m, const struct vy_frame *f)
{
	struct step s = { a, NULL };
	int64_t at_step = 0;
	bool is_first;

	if ((int64_t)f->cur > m->upto) {
		walk(&s, f);
		return;
	}
	is_first = mark_opens(m, (int64_t)f->cur, &at_step);
	vy_settle_again(a->settle, f, is_first, at_step);
}

void attempts_are_there(struct attempts *a)
{
	int64_t from, at_step;

	a->revision = vy_settle_open(a->settle, 0, &from, &at_step) ? 1 : 0;
}

/* ---- who comes now ---- */

int64_t attempts_revision(const struct attempts *a)
{
	return a->revision;
}

/* Into a buffer of its own: the machine is not changed by who looks. */
static void baseline(
	const struct attempts *a, const struct vy_settlement *st, const struct attempts_out *out)
{
	struct attempts by = { .revision = a->revision };
	struct vy_jw w;

	vy_buf_init(&by.json, ATTEMPTS_FRAME_MAX);
	w = begin(&by, "attempt.start", st->attempt);
	write_start(a, st, &w);
	vy_jw_key(&w, "baseline");
	vy_jw_obj(&w);
	vy_settlement_write_blocks(st, "times", &w);
	vy_jw_kint(&w, "chunks", (int64_t)vy_settlement_pieces(st));
	vy_jw_end_obj(&w);
	end(&by, &w, out);
	vy_buf_fini(&by.json);
}

size_t attempts_baselines(const struct attempts *a, const struct attempts_out *out)
{
	struct vy_settlement *all, st;
	struct vy_arena mem;
	size_t n = 0, at;

	vy_arena_init(&mem);
	all = vy_arena_calloc(&mem, VY_ATTEMPTS_MAX + 1, sizeof(*all));
	while (n < VY_ATTEMPTS_MAX && vy_settle_so_far(a->settle, n, &mem, &st)) {
		for (at = n++; at > 0 && all[at - 1].from > st.from; at--) {
			all[at] = all[at - 1];
		}
		all[at] = st;
	}
	for (size_t i = 0; i < n; i++) {
		baseline(a, &all[i], out);
	}
	vy_arena_fini(&mem);
	return n;
}

/* ---- life ---- */

struct attempts *attempts_new(int64_t seq)
{
	struct attempts *a = VY_NEW(struct attempts);

	a->settle = vy_settle_new();
	a->seq = seq;
	STAILQ_INIT(&a->events);
	TAILQ_INIT(&a->open);
	vy_arena_init(&a->mem);
	vy_buf_init(&a->json, ATTEMPTS_FRAME_MAX);
	return a;
}

void attempts_free(struct attempts *a)
{
	struct event *ev;

	if (!a) {
		return;
	}
	while ((ev = STAILQ_FIRST(&a->events))) {
		STAILQ_REMOVE_HEAD(&a->events, link);
		free(ev->id);
		free(ev->type);
		free(ev);
	}
	while (!TAILQ_EMPTY(&a->open)) {
		forget(a, TAILQ_FIRST(&a->open));
	}
	vy_settle_free(a->settle);
	vy_arena_fini(&a->mem);
	vy_buf_fini(&a->json);
	free(a);
}
