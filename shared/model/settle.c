/* settle.c -- see settle.h: the machine. What an attempt has so far is attempt.c; how a settlement is
 * written and read is settle_code.c.
 *
 * The hot path is a word of the attempt that had the word before: it is the first in the list. */
#include "shared/model/settle.h"

#include <stdlib.h>
#include <sys/queue.h>

#include "shared/base/mem.h"
#include "shared/model/attempt.h"
#include "shared/base/ban.h"

#define ATTEMPT_PREFIX "att_"

struct attempt {
	struct vy_attempt words;
	TAILQ_ENTRY(attempt) link;
};
TAILQ_HEAD(attempt_list, attempt);

/* A call that runs. Whose it is, and that it does, matters of those with somebody below or above. */
struct call {
	char *tool, *parent;
	int64_t cur;
	bool matters;
	TAILQ_ENTRY(call) link;
};
TAILQ_HEAD(call_list, call);

struct vy_settle {
	struct attempt_list open; /* the newest word's first */
	struct call_list calls;
	size_t n_open;
	int64_t stopping; /* cursor of the frame that said so; 0: it is not stopping */
};

static char *keep(struct vy_str s)
{
	return s.n ? vy_memdup0(s.p, s.n) : NULL;
}

static bool is_same(const char *mine, struct vy_str s)
{
	return vy_str_eq(vy_str_c(mine), s);
}

/* ---- attempts ---- */

static void drop_attempt(struct vy_settle *s, struct attempt *a)
{
	TAILQ_REMOVE(&s->open, a, link);
	s->n_open--;
	vy_attempt_fini(&a->words);
	free(a);
}

static void say_settled(const struct attempt *a, const struct vy_frame *f, struct vy_str reason,
	struct vy_str usage, const struct vy_settle_out *out)
{
	struct vy_settlement st;
	struct vy_arena mem;

	vy_arena_init(&mem);
	vy_attempt_view(&a->words, &mem, &st);
	st.reason = reason;
	st.usage = usage;
	st.to = (int64_t)f->cur;
	st.time = f->time;
	out->settled(out->ctx, &st);
	vy_arena_fini(&mem);
}

static void settle(struct vy_settle *s, struct attempt *a, const struct vy_frame *f,
	struct vy_str reason, const struct vy_settle_out *out)
{
	struct vy_str usage = f->kind == VY_KIND_STATUS && !a->words.parent
				      ? vy_frame_str(f, VY_F_USAGE)
				      : vy_str_n(NULL, 0);

	say_settled(a, f, reason, usage, out);
	drop_attempt(s, a);
}

/* Those under that parent; the oldest first. */
static void settle_under(struct vy_settle *s, struct vy_str parent, const struct vy_frame *f,
	struct vy_str reason, const struct vy_settle_out *out)
{
	struct attempt *a, *before;

	for (a = TAILQ_LAST(&s->open, attempt_list); a; a = before) {
		before = TAILQ_PREV(a, attempt_list, link);
		if (is_same(a->words.parent, parent)) {
			settle(s, a, f, reason, out);
		}
	}
}

static void settle_all(struct vy_settle *s, const struct vy_frame *f, struct vy_str reason,
	const struct vy_settle_out *out)
{
	struct attempt *a;

	while ((a = TAILQ_LAST(&s->open, attempt_list))) {
		settle(s, a, f, reason, out);
	}
}

static struct attempt *open_attempt(
	struct vy_settle *s, const struct vy_frame *f, struct vy_str parent, int64_t step)
{
	struct attempt *own_a = VY_NEW(struct attempt);
	struct vy_attempt *a = &own_a->words;

	vy_attempt_init(a, f->time);
	a->id = vy_alloc(sizeof(ATTEMPT_PREFIX) + f->id.n);
	memcpy(a->id, ATTEMPT_PREFIX, sizeof(ATTEMPT_PREFIX));
	if (f->id.n) {
		memcpy(a->id + sizeof(ATTEMPT_PREFIX) - 1, f->id.p, f->id.n);
	}
	a->id[sizeof(ATTEMPT_PREFIX) - 1 + f->id.n] = '\0';
	a->message = keep(vy_frame_str(f, VY_F_MESSAGE));
	a->parent = keep(parent);
	a->turn = keep(f->turn);
	a->author = keep(f->author);
	a->acts_for = keep(f->acts_for);
	a->step = step;
	a->from = (int64_t)f->cur;
	TAILQ_INSERT_HEAD(&s->open, own_a, link);
	s->n_open++;
	return own_a;
}

/* ---- words ---- */

static struct call *call_of(struct vy_settle *s, struct vy_str tool)
{
	struct call *c;

	TAILQ_FOREACH (c, &s->calls, link) {
		if (is_same(c->tool, tool)) {
			return c;
		}
	}
	return NULL;
}

static struct attempt *attempt_of(struct vy_settle *s, struct vy_str parent)
{
	struct attempt *a;

	TAILQ_FOREACH (a, &s->open, link) {
		if (is_same(a->words.parent, parent)) {
			return a;
		}
	}
	return NULL;
}

static void add_piece(struct attempt *a, const struct vy_frame *f, struct vy_str text)
{
	vy_attempt_add(&a->words, vy_frame_int(f, VY_F_INDEX, 0), vy_frame_bool(f, VY_F_REASONING),
		text, f->time);
}

static void to_front(struct vy_settle *s, struct attempt *a)
{
	if (a != TAILQ_FIRST(&s->open)) {
		TAILQ_REMOVE(&s->open, a, link);
		TAILQ_INSERT_HEAD(&s->open, a, link);
	}
}

static void on_delta(struct vy_settle *s, const struct vy_frame *f, int64_t step,
	const struct vy_settle_out *out)
{
	struct vy_str parent = vy_frame_str(f, VY_F_PARENT), text = vy_frame_str(f, VY_F_TEXT);
	struct attempt *a = attempt_of(s, parent);

	if (a && (!is_same(a->words.message, vy_frame_str(f, VY_F_MESSAGE)) ||
			 vy_attempt_is_full(&a->words, text))) {
		settle(s, a, f, vy_str_n(NULL, 0), out);
		a = NULL;
	}
	if (!a) {
		if (s->n_open == VY_ATTEMPTS_MAX) {
			settle(s, TAILQ_LAST(&s->open, attempt_list), f, vy_str_n(NULL, 0), out);
		}
		struct call *above = parent.n ? call_of(s, parent) : NULL;

		if (above) {
			above->matters = true;
		}
		a = open_attempt(s, f, parent, step);
		out->opened(out->ctx, f);
	}
	to_front(s, a);
	add_piece(a, f, text);
	if (out->piece) {
		out->piece(out->ctx, vy_str_c(a->words.id), (int64_t)a->words.pieces - 1, f);
	}
}

static void on_cut(struct vy_settle *s, const struct vy_frame *f, const struct vy_settle_out *out)
{
	struct attempt *a, *next;

	for (a = TAILQ_FIRST(&s->open); a; a = next) {
		next = TAILQ_NEXT(a, link);
		if (is_same(a->words.message, vy_frame_str(f, VY_F_MESSAGE))) {
			settle(s, a, f, VY_STR_LIT("retried"), out);
		}
	}
}

/* Of a subagent's words. With `out`, those of one whose call has already ended (it was sent to the
 * background) are settled: nothing else will say that they are over. */
static void mark_done(
	struct vy_settle *s, const struct vy_frame *f, const struct vy_settle_out *out)
{
	struct attempt *a, *next;

	for (a = TAILQ_FIRST(&s->open); a; a = next) {
		bool is_done = a->words.parent != NULL;

		next = TAILQ_NEXT(a, link);
		if (!is_done || !is_same(a->words.message, vy_frame_str(f, VY_F_MESSAGE))) {
			continue;
		}
		for (size_t i = 0; i < a->words.n_blocks; i++) {
			a->words.blocks[i].is_done |=
				a->words.blocks[i].index == vy_frame_int(f, VY_F_INDEX, 0);
			is_done &= a->words.blocks[i].is_done;
		}
		if (out && is_done && !call_of(s, vy_str_c(a->words.parent))) {
			settle(s, a, f, vy_str_n(NULL, 0), out);
		}
	}
}

/* ---- calls ---- */

static void drop_call(struct vy_settle *s, struct call *c)
{
	TAILQ_REMOVE(&s->calls, c, link);
	free(c->tool);
	free(c->parent);
	free(c);
}

static void on_call(struct vy_settle *s, const struct vy_frame *f)
{
	struct vy_str parent = vy_frame_str(f, VY_F_PARENT_TOOL);

	if (!call_of(s, vy_frame_str(f, VY_F_TOOL_ID))) {
		struct call *c = VY_NEW(struct call);

		*c = (struct call){ .tool = keep(vy_frame_str(f, VY_F_TOOL_ID)),
			.parent = keep(parent),
			.cur = (int64_t)f->cur,
			.matters = parent.n > 0 || vy_frame_is(f, VY_F_KIND, "agent") };
		TAILQ_INSERT_TAIL(&s->calls, c, link);
	}
}

/* Whoever said it is done with it when the call has run. One that is cancelled says nothing of the
 * words before it: what cancelled it will. */
static void on_call_done(
	struct vy_settle *s, const struct vy_frame *f, const struct vy_settle_out *out)
{
	struct vy_str tool = vy_frame_str(f, VY_F_TOOL_ID);
	struct call *c = call_of(s, tool);
	bool is_canceled = vy_frame_is(f, VY_F_STATUS, "canceled");

	settle_under(s, tool, f, is_canceled ? VY_STR_LIT("interrupted") : vy_str_n(NULL, 0), out);
	if (!is_canceled) {
		settle_under(
			s, c ? vy_str_c(c->parent) : vy_str_n(NULL, 0), f, vy_str_n(NULL, 0), out);
	}
	if (c) {
		drop_call(s, c);
	}
}

/* ---- the end of a turn, of the agent ---- */

static void forget_calls(struct vy_settle *s)
{
	while (!TAILQ_EMPTY(&s->calls)) {
		drop_call(s, TAILQ_FIRST(&s->calls));
	}
	s->stopping = 0;
}

static void on_waiting(
	struct vy_settle *s, const struct vy_frame *f, const struct vy_settle_out *out)
{
	if (vy_frame_is(f, VY_F_NOTE, "interrupted")) { /* in the background too */
		settle_all(
			s, f, s->stopping ? VY_STR_LIT("stopped") : VY_STR_LIT("interrupted"), out);
	} else {
		settle_under(s, vy_str_n(NULL, 0), f, vy_str_n(NULL, 0), out);
	}
}

/* Also what was in the background; a new process: nobody said so before. */
bool vy_settle_ends_agent(const struct vy_frame *f)
{
	if (f->kind != VY_KIND_STATUS) {
		return false;
	}
	return vy_frame_is(f, VY_F_STATE, "stopped") || vy_frame_is(f, VY_F_STATE, "finished") ||
	       vy_frame_is(f, VY_F_REASON, "agent-lost") ||
	       (vy_frame_is(f, VY_F_STATE, "starting") && !vy_frame_has(f, VY_F_NOTE));
}

static void on_status(
	struct vy_settle *s, const struct vy_frame *f, const struct vy_settle_out *out)
{
	bool is_lost =
		vy_frame_is(f, VY_F_REASON, "agent-lost") || vy_frame_is(f, VY_F_STATE, "starting");

	if (vy_frame_bool(f, VY_F_STOPPING)) {
		s->stopping = (int64_t)f->cur;
	} else if (vy_settle_ends_agent(f)) {
		settle_all(s, f, is_lost ? VY_STR_LIT("agent-lost") : VY_STR_LIT("stopped"), out);
		forget_calls(s);
	} else if (vy_frame_is(f, VY_F_STATE, "waiting")) {
		on_waiting(s, f, out);
	} else if (vy_frame_is(f, VY_F_STATE, "failed")) {
		struct vy_str why = vy_frame_str(f, VY_F_REASON);

		settle_under(s, vy_str_n(NULL, 0), f, why.n ? why : VY_STR_LIT("failed"), out);
	}
}

void vy_settle_step(struct vy_settle *s, const struct vy_frame *f, int64_t step,
	const struct vy_settle_out *out)
{
	if (vy_frame_is_expired(f)) {
		return;
	}
	switch ((int)f->kind) {
	case VY_KIND_TEXT_DELTA: on_delta(s, f, step, out); break;
	case VY_KIND_TEXT_DONE: mark_done(s, f, out); break;
	case VY_KIND_TEXT_CUT: on_cut(s, f, out); break;
	case VY_KIND_TOOL_STARTED: on_call(s, f); break;
	case VY_KIND_TOOL_FINISHED: on_call_done(s, f, out); break;
	case VY_KIND_STATUS: on_status(s, f, out); break;
	default: break;
	}
}

/* ---- the way back ---- */

/* Which words are of an attempt that is open is known, not found out: what ended the others may rest
 * on calls from before. */
static void delta_again(struct vy_settle *s, const struct vy_frame *f, bool opens, int64_t step)
{
	struct vy_str parent = vy_frame_str(f, VY_F_PARENT);
	struct attempt *a = opens ? open_attempt(s, f, parent, step) : attempt_of(s, parent);
	struct call *above = parent.n ? call_of(s, parent) : NULL;

	if (above) {
		above->matters = true;
	}
	if (a && is_same(a->words.message, vy_frame_str(f, VY_F_MESSAGE))) {
		to_front(s, a);
		add_piece(a, f, vy_frame_str(f, VY_F_TEXT));
	}
}

void vy_settle_again(struct vy_settle *s, const struct vy_frame *f, bool opens, int64_t step)
{
	struct call *c;

	if (vy_frame_is_expired(f)) {
		return;
	}
	switch ((int)f->kind) {
	case VY_KIND_TEXT_DELTA: delta_again(s, f, opens, step); break;
	case VY_KIND_TEXT_DONE: mark_done(s, f, NULL); break;
	case VY_KIND_TOOL_STARTED: on_call(s, f); break;
	case VY_KIND_TOOL_FINISHED:
		c = call_of(s, vy_frame_str(f, VY_F_TOOL_ID));
		if (c) {
			drop_call(s, c);
		}
		break;
	case VY_KIND_STATUS:
		if (vy_frame_bool(f, VY_F_STOPPING)) {
			s->stopping = (int64_t)f->cur;
		} else if (vy_settle_ends_agent(f)) {
			forget_calls(s);
		}
		break;
	default: break;
	}
}

/* ---- what it rests on ---- */

static int64_t lower(int64_t a, int64_t b)
{
	return a == 0 || (b > 0 && b < a) ? b : a;
}

int64_t vy_settle_since(const struct vy_settle *s)
{
	const struct attempt *a;
	const struct call *c;
	int64_t since = s->stopping;

	TAILQ_FOREACH (a, &s->open, link) {
		since = lower(since, a->words.from);
	}
	TAILQ_FOREACH (c, &s->calls, link) {
		since = c->matters ? lower(since, c->cur) : since;
	}
	return since;
}

bool vy_settle_open(const struct vy_settle *s, size_t i, int64_t *from, int64_t *step)
{
	const struct attempt *a;

	TAILQ_FOREACH (a, &s->open, link) {
		if (i-- == 0) {
			*from = a->words.from;
			*step = a->words.step;
			return true;
		}
	}
	return false;
}

bool vy_settle_so_far(
	const struct vy_settle *s, size_t i, struct vy_arena *mem, struct vy_settlement *out)
{
	const struct attempt *a;

	TAILQ_FOREACH (a, &s->open, link) {
		if (i-- == 0) {
			vy_attempt_view(&a->words, mem, out);
			return true;
		}
	}
	return false;
}

size_t vy_settlement_pieces(const struct vy_settlement *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_blocks; i++) {
		n += s->blocks[i].n;
	}
	return n;
}

/* ---- life ---- */

struct vy_settle *vy_settle_new(void)
{
	struct vy_settle *s = VY_NEW(struct vy_settle);

	TAILQ_INIT(&s->open);
	TAILQ_INIT(&s->calls);
	return s;
}

void vy_settle_free(struct vy_settle *s)
{
	if (!s) {
		return;
	}
	while (!TAILQ_EMPTY(&s->open)) {
		drop_attempt(s, TAILQ_FIRST(&s->open));
	}
	forget_calls(s);
	free(s);
}
