/* follow.c -- see follow.h.
 *
 * Three lists: the attempts that are open; the events kept back, of which the first is always the
 * settlement of one of them; and the baselines, which wait for follow.live. */
#include "shared/model/follow.h"

#include <stdlib.h>
#include <sys/queue.h>

#include "shared/base/json.h"
#include "shared/base/mem.h"
#include "shared/model/attempt.h"
#include "shared/model/kept.h"
#include "shared/base/ban.h"

#define EPOCH_MAX 64
#define ENDED_MAX 16 /* attempts whose end is remembered, so that their start is not taken twice */

struct open {
	struct vy_attempt words;
	int64_t after; /* its settlement is behind that */
	bool is_staged;
	TAILQ_ENTRY(open) link;
};

enum phase { CLOSED, PAST, LIVE };

struct vy_follow {
	enum phase phase;
	int64_t last, revision; /* revision -1: not known */
	char epoch[EPOCH_MAX + 1];
	const char *why;
	TAILQ_HEAD(open_list, open) open;
	struct vy_kept_list held;    /* events; `of`: the attempt that it settles */
	struct vy_kept_list waiting; /* baselines */
	size_t bytes;                /* of both */
	char *ended[ENDED_MAX];
	size_t n_ended;
	struct vy_arena mem; /* of one word */
};

struct say {
	vy_follow_fn *fn;
	void *ctx;
};

/* ---- saying ---- */

static void say_event(const struct say *to, int64_t seq, struct vy_str item)
{
	to->fn(to->ctx,
		&(struct vy_follow_said){ .what = VY_FOLLOW_EVENT, .seq = seq, .item = item });
}

static void say_attempt(struct vy_follow *f, const struct open *o, enum vy_follow_what what,
	struct vy_str item, const struct say *to)
{
	struct vy_settlement st;

	vy_attempt_view(&o->words, &f->mem, &st);
	to->fn(to->ctx, &(struct vy_follow_said){ .what = what, .item = item, .attempt = &st });
	vy_arena_reset(&f->mem);
}

/* ---- what is kept back ---- */

static bool keep(struct vy_follow *f, struct vy_kept_list *list, const struct vy_kept *like,
	struct vy_str item)
{
	return vy_kept_add(list, &f->bytes, VY_FOLLOW_HELD_MAX, like, item);
}

static void drop_first(struct vy_follow *f, struct vy_kept_list *list)
{
	vy_kept_drop_first(list, &f->bytes);
}

/* Up to the next settlement that waits for an end; `all`: also those. */
static void release(struct vy_follow *f, bool all, const struct say *to)
{
	struct vy_kept *h;

	while ((h = STAILQ_FIRST(&f->held)) && (all || !h->of)) {
		say_event(to, h->seq, vy_str_n(h->item, h->n));
		drop_first(f, &f->held);
	}
}

/* ---- attempts ---- */

static struct open *find(const struct vy_follow *f, struct vy_str attempt)
{
	struct open *o;

	TAILQ_FOREACH (o, &f->open, link) {
		if (vy_str_is(attempt, o->words.id)) {
			return o;
		}
	}
	return NULL;
}

static void remember_end(struct vy_follow *f, const char *id)
{
	char **at = &f->ended[f->n_ended++ % ENDED_MAX];

	free(*at);
	*at = vy_strdup(id);
}

static bool has_ended(const struct vy_follow *f, struct vy_str attempt)
{
	for (size_t i = 0; i < ENDED_MAX; i++) {
		if (f->ended[i] && vy_str_is(attempt, f->ended[i])) {
			return true;
		}
	}
	return false;
}

static void drop(struct vy_follow *f, struct open *own_o)
{
	TAILQ_REMOVE(&f->open, own_o, link);
	vy_attempt_fini(&own_o->words);
	free(own_o);
}

/* What was open is not known any more, what was kept back stands for itself. */
static void forget(struct vy_follow *f, const struct say *to)
{
	struct open *o;

	while (!STAILQ_EMPTY(&f->waiting)) {
		drop_first(f, &f->waiting);
	}
	while ((o = TAILQ_FIRST(&f->open))) {
		say_attempt(f, o, VY_FOLLOW_VOID, vy_str_n(NULL, 0), to);
		drop(f, o);
	}
	release(f, true, to);
	f->phase = CLOSED;
	f->revision = -1;
}

static enum vy_follow_got again(struct vy_follow *f, const char *why, const struct say *to)
{
	forget(f, to);
	f->why = why;
	return VY_FOLLOW_AGAIN;
}

/* ---- events ---- */

static struct open *owner(const struct vy_follow *f, int64_t seq, const struct vy_json *v)
{
	struct vy_str type = vy_json_str(v, "type"), turn = vy_json_str(v, "turn");
	const struct vy_json *data = vy_json_get(v, "data");
	struct open *o;

	if (!vy_str_is(type, "assistant.message") && !vy_str_is(type, "assistant.attempt")) {
		return NULL;
	}
	TAILQ_FOREACH (o, &f->open, link) {
		bool is_named = vy_json_get(data, "attempt") != NULL;

		if (seq > o->after && vy_json_int(v, "step", -1) == o->words.step &&
			vy_str_eq(turn, vy_str_c(o->words.turn)) &&
			(!is_named || vy_str_is(vy_json_str(data, "attempt"), o->words.id))) {
			return o;
		}
	}
	return NULL;
}

static enum vy_follow_got on_event(
	struct vy_follow *f, struct vy_str item, const struct vy_json *v, const struct say *to)
{
	int64_t seq = vy_json_int(v, "seq", 0);
	struct open *of;

	if (seq <= 0 || f->phase == CLOSED) {
		return again(f, seq <= 0 ? "no event" : "an event before the opening", to);
	}
	if (seq <= f->last) {
		return VY_FOLLOW_OK;
	}
	if (vy_json_int(v, "after", 0) > f->last) {
		return again(f, "an event is missing", to);
	}
	of = owner(f, seq, v);
	if (of && of->is_staged) {
		return again(f, "two settlements of one attempt", to);
	}
	if (!of && STAILQ_EMPTY(&f->held)) {
		f->last = seq;
		say_event(to, seq, item);
		return VY_FOLLOW_OK;
	}
	if (!keep(f, &f->held,
		    &(struct vy_kept){ .seq = seq, .of = of, .type = vy_json_cstr(v, "type") },
		    item)) {
		return again(f, "too much waits for an end", to);
	}
	f->last = seq;
	if (of) {
		of->is_staged = true;
	}
	return VY_FOLLOW_OK;
}

/* ---- frames of attempts ---- */

static char *word(const struct vy_json *v, const char *key)
{
	struct vy_str s = vy_json_str(v, key);

	return s.n ? vy_memdup0(s.p, s.n) : NULL;
}

/* One that no clock can show is not taken for a time. */
static int64_t time_of(const struct vy_json *v, int64_t none)
{
	int64_t time = vy_json_int(v, "time", none);

	return time < 0 || time > VY_PIECE_DT_MAX ? none : time;
}

static struct open *open_new(struct vy_follow *f, const struct vy_json *v)
{
	struct open *o = VY_NEW(struct open);

	vy_attempt_init(&o->words, time_of(v, 0));
	o->words.id = word(v, "attempt");
	o->words.message = word(v, "message");
	o->words.parent = word(v, "parent");
	o->words.turn = word(v, "turn");
	o->words.author = word(v, "author");
	o->words.acts_for = word(v, "acts_for");
	o->words.step = vy_json_int(v, "step", 0);
	o->after = vy_json_int(v, "started_after_seq", 0);
	TAILQ_INSERT_TAIL(&f->open, o, link);
	return o;
}

struct filling {
	struct open *open;
	bool is_full;
};

static void add_delta(void *ctx, const struct vy_frame *d)
{
	struct filling *fill = ctx;
	struct open *o = fill->open;

	fill->is_full |= vy_attempt_is_full(&o->words, vy_frame_str(d, VY_F_TEXT));
	if (fill->is_full) {
		return;
	}
	vy_attempt_add(&o->words, vy_frame_int(d, VY_F_INDEX, 0), vy_frame_bool(d, VY_F_REASONING),
		vy_frame_str(d, VY_F_TEXT), d->time);
}

/* 0, or -1: it is none. */
static int take_baseline(struct open *o, const struct vy_json *baseline)
{
	struct vy_settlement st = { .started = o->words.started };
	struct filling fill = { o, false };
	struct vy_err e = { 0 };
	struct vy_arena mem;
	int rc;

	vy_arena_init(&mem);
	rc = vy_settlement_read_blocks(baseline, "times", &mem, &st, &e);
	if (rc == 0) {
		vy_settlement_deltas(&st, add_delta, &fill);
	}
	vy_arena_fini(&mem);
	return rc < 0 || vy_json_int(baseline, "chunks", -1) != (int64_t)o->words.pieces ? -1 : 0;
}

static enum vy_follow_got on_start(
	struct vy_follow *f, struct vy_str item, const struct vy_json *v, const struct say *to)
{
	const struct vy_json *baseline = vy_json_get(v, "baseline");
	struct open *o;
	size_t n = 0;

	if (find(f, vy_json_str(v, "attempt"))) {
		return again(f, "an attempt starts twice", to);
	}
	TAILQ_FOREACH (o, &f->open, link) {
		n++;
	}
	if (n >= VY_ATTEMPTS_MAX) {
		return again(f, "too many attempts", to);
	}
	o = open_new(f, v);
	if (baseline && take_baseline(o, baseline) < 0) {
		return again(f, "a baseline is none", to);
	}
	say_attempt(f, o, VY_FOLLOW_BEGUN, item, to);
	return VY_FOLLOW_OK;
}

static enum vy_follow_got on_chunk(struct vy_follow *f, struct open *o, struct vy_str item,
	const struct vy_json *v, const struct say *to)
{
	const struct vy_json *delta = vy_json_get(v, "delta");
	struct vy_str text = vy_json_str(delta, "text");

	if (vy_json_int(v, "index", -1) != (int64_t)o->words.pieces) {
		return again(f, "a chunk is missing", to);
	}
	if (vy_json_int(delta, "block", -1) < 0) {
		return again(f, "no chunk", to);
	}
	if (vy_attempt_is_full(&o->words, text)) {
		return again(f, "an attempt is too long", to);
	}
	vy_attempt_add(&o->words, vy_json_int(delta, "block", 0),
		vy_str_is(vy_json_str(delta, "kind"), "reasoning"), text,
		time_of(v, o->words.last));
	say_attempt(f, o, VY_FOLLOW_GROWN, item, to);
	return VY_FOLLOW_OK;
}

static enum vy_follow_got on_end(struct vy_follow *f, struct open *o, struct vy_str item,
	const struct vy_json *v, const struct say *to)
{
	const struct vy_json *named = vy_json_get(v, "settlement");
	bool is_committed = vy_str_is(vy_json_str(v, "outcome"), "committed");
	struct vy_kept *h = vy_kept_of(&f->held, o);

	if (vy_json_int(v, "index", -1) != (int64_t)o->words.pieces) {
		return again(f, "a chunk is missing at the end", to);
	}
	if (is_committed && (!h || vy_json_int(named, "seq", -1) != h->seq ||
				    !vy_str_is(vy_json_str(named, "type"), h->type))) {
		return again(f, "a settlement is missing", to);
	}
	say_attempt(f, o, VY_FOLLOW_ENDED, item, to);
	remember_end(f, o->words.id);
	if (h) {
		h->of = NULL;
	}
	drop(f, o);
	release(f, false, to);
	return VY_FOLLOW_OK;
}

/* Is it the next one? A new agent's first comes when nothing of the one before is open. */
static enum {
	NEXT,
	OLD,
	GAP
} judge(const struct vy_follow *f, int64_t revision, const struct vy_json *v)
{
	bool is_start = vy_str_is(vy_json_str(v, "type"), "attempt.start");

	if (f->revision < 0 || revision == f->revision + 1) {
		return NEXT;
	}
	if (is_start && revision == 1 && TAILQ_EMPTY(&f->open)) {
		return has_ended(f, vy_json_str(v, "attempt")) ? OLD : NEXT;
	}
	return revision <= f->revision ? OLD : GAP;
}

/* One that is known came twice. */
static enum vy_follow_got on_baseline(
	struct vy_follow *f, struct vy_str item, const struct vy_json *v, const struct say *to)
{
	struct vy_str attempt = vy_json_str(v, "attempt");

	if (find(f, attempt) || has_ended(f, attempt)) {
		return VY_FOLLOW_OK;
	}
	f->revision = vy_json_int(v, "revision", -1);
	return on_start(f, item, v, to);
}

static enum vy_follow_got on_frame(
	struct vy_follow *f, struct vy_str item, const struct vy_json *v, const struct say *to)
{
	struct vy_str type = vy_json_str(v, "type"), attempt = vy_json_str(v, "attempt");
	int64_t revision = vy_json_int(v, "revision", -1);
	struct open *o;

	if (revision < 0 || attempt.n == 0) {
		return again(f, "no frame of an attempt", to);
	}
	if (vy_json_get(v, "baseline")) {
		return on_baseline(f, item, v, to);
	}
	switch (judge(f, revision, v)) {
	case OLD: return VY_FOLLOW_OK;
	case GAP: return again(f, "a frame is missing", to);
	case NEXT: break;
	}
	f->revision = revision;
	if (vy_str_is(type, "attempt.start")) {
		return on_start(f, item, v, to);
	}
	o = find(f, attempt);
	if (o && vy_str_is(type, "attempt.chunk")) {
		return on_chunk(f, o, item, v, to);
	}
	if (o && vy_str_is(type, "attempt.end")) {
		return on_end(f, o, item, v, to);
	}
	return VY_FOLLOW_OK; /* of one nobody saw: its settlement has it */
}

/* ---- the opening ---- */

static enum vy_follow_got on_reset(
	struct vy_follow *f, const struct vy_json *v, const struct say *to)
{
	forget(f, to);
	f->last = 0;
	snprintf(f->epoch, sizeof(f->epoch), "%.*s", VY_STR_ARG(vy_json_str(v, "epoch")));
	return VY_FOLLOW_RESET;
}

/* The server may not have been asked for a certain history. */
static enum vy_follow_got on_open(
	struct vy_follow *f, const struct vy_json *v, const struct say *to)
{
	struct vy_str epoch = vy_json_str(v, "epoch");

	if (f->epoch[0] && epoch.n && !vy_str_is(epoch, f->epoch)) {
		return on_reset(f, v, to);
	}
	forget(f, to);
	f->phase = PAST;
	if (epoch.n) {
		snprintf(f->epoch, sizeof(f->epoch), "%.*s", VY_STR_ARG(epoch));
	}
	return VY_FOLLOW_OK;
}

static enum vy_follow_got take_waiting(struct vy_follow *f, const struct say *to)
{
	struct vy_kept *h;

	while ((h = STAILQ_FIRST(&f->waiting))) {
		struct vy_str item = vy_str_n(h->item, h->n);
		VY_AUTO_JSON *v = vy_json_parse(item, NULL);

		if (on_frame(f, item, v, to) != VY_FOLLOW_OK) {
			return VY_FOLLOW_AGAIN; /* the list is gone */
		}
		drop_first(f, &f->waiting);
	}
	return VY_FOLLOW_OK;
}

static enum vy_follow_got on_live(
	struct vy_follow *f, struct vy_str item, const struct vy_json *v, const struct say *to)
{
	int64_t n = 0, want = vy_json_int(v, "attempts", 0);
	struct open *o;

	if (f->phase == LIVE) {
		return VY_FOLLOW_OK; /* it came twice */
	}
	if (f->phase == CLOSED || vy_json_int(v, "seq", 0) > f->last) {
		return again(f, "the opening is not whole", to);
	}
	if (take_waiting(f, to) != VY_FOLLOW_OK) {
		return VY_FOLLOW_AGAIN;
	}
	TAILQ_FOREACH (o, &f->open, link) {
		n++;
	}
	if (n != want) {
		return again(f, "a baseline is missing", to);
	}
	f->phase = LIVE;
	f->revision = vy_json_int(v, "revision", f->revision);
	to->fn(to->ctx, &(struct vy_follow_said){ .what = VY_FOLLOW_LIVE, .item = item });
	return VY_FOLLOW_OK;
}

static enum vy_follow_got on_any_frame(
	struct vy_follow *f, struct vy_str item, const struct vy_json *v, const struct say *to)
{
	if (f->phase == LIVE) {
		return on_frame(f, item, v, to);
	}
	if (f->phase == CLOSED || !vy_json_get(v, "baseline")) {
		return again(f, "a frame before the opening's end", to);
	}
	return keep(f, &f->waiting, &(struct vy_kept){ 0 }, item)
		       ? VY_FOLLOW_OK
		       : again(f, "too much waits for the opening's end", to);
}

enum vy_follow_got vy_follow_take(
	struct vy_follow *f, struct vy_str item, vy_follow_fn *say, void *ctx)
{
	VY_AUTO_JSON *v = vy_json_parse(item, NULL);
	struct vy_str type = vy_json_str(v, "type");
	const struct say to = { say, ctx };

	if (type.n == 0) {
		return again(f, "no item", &to);
	}
	if (vy_str_is(type, "follow.open")) {
		return on_open(f, v, &to);
	}
	if (vy_str_is(type, "follow.live")) {
		return on_live(f, item, v, &to);
	}
	if (vy_str_is(type, "follow.reset")) {
		return on_reset(f, v, &to);
	}
	if (vy_str_starts(type, "follow.")) {
		return VY_FOLLOW_OK; /* of a newer server */
	}
	return vy_str_starts(type, "attempt.") ? on_any_frame(f, item, v, &to)
					       : on_event(f, item, v, &to);
}

void vy_follow_lost(struct vy_follow *f, vy_follow_fn *say, void *ctx)
{
	const struct say to = { say, ctx };

	forget(f, &to);
}

/* ---- asked from outside ---- */

int64_t vy_follow_last(const struct vy_follow *f)
{
	return f->last;
}

const char *vy_follow_epoch(const struct vy_follow *f)
{
	return f->epoch;
}

const char *vy_follow_why(const struct vy_follow *f)
{
	return f->why;
}

bool vy_follow_is_live(const struct vy_follow *f)
{
	return f->phase == LIVE;
}

bool vy_follow_attempt(
	const struct vy_follow *f, size_t i, struct vy_arena *mem, struct vy_settlement *out)
{
	const struct open *o;

	TAILQ_FOREACH (o, &f->open, link) {
		if (i-- == 0) {
			vy_attempt_view(&o->words, mem, out);
			return true;
		}
	}
	return false;
}

/* ---- life ---- */

struct vy_follow *vy_follow_new(void)
{
	struct vy_follow *f = VY_NEW(struct vy_follow);

	f->revision = -1;
	f->why = "";
	TAILQ_INIT(&f->open);
	STAILQ_INIT(&f->held);
	STAILQ_INIT(&f->waiting);
	vy_arena_init(&f->mem);
	return f;
}

void vy_follow_free(struct vy_follow *f)
{
	if (!f) {
		return;
	}
	while (!STAILQ_EMPTY(&f->held)) {
		drop_first(f, &f->held);
	}
	while (!STAILQ_EMPTY(&f->waiting)) {
		drop_first(f, &f->waiting);
	}
	while (!TAILQ_EMPTY(&f->open)) {
		drop(f, TAILQ_FIRST(&f->open));
	}
	for (size_t i = 0; i < ENDED_MAX; i++) {
		free(f->ended[i]);
	}
	vy_arena_fini(&f->mem);
	free(f);
}
