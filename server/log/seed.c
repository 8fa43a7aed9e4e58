/* seed.c -- see seed.h. Reads what there is, gives each frame its place, writes all of them at once. */
#include "server/log/seed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/log/seed_place.h"
#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/crash.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/model/ask.h"
#include "shared/model/lower.h"
#include "shared/model/message.h"
#include "shared/model/settle.h"
#include "shared/base/ban.h"

#define READ_FIRST 4096 /* events read back at first; then eight times as many, and so on */
#define ID_SKIP    4    /* "evt_", "att_" */

struct event {
	struct row_journal row; /* its slices are the arena's */
	int64_t cur;            /* 0: it does not say */
	bool is_settlement;
};

struct seeding {
	struct log_store *store;
	struct vy_str session;
	int64_t head, start; /* cursors that may be made */
	struct vy_arena mem;
	struct event *events;
	size_t n, cap;
	struct seed_places *places;
};

/* ---- what there is ---- */

static bool keep_number(void *ctx, const struct store_row *row)
{
	VY_AUTO_JSON *v = vy_json_parse(row->kv.value, NULL);

	*(int64_t *)ctx =
		vy_json_type(v) == VY_JSON_OBJ ? vy_json_int(v, "upto", 0) : vy_json_intval(v, 0);
	return false;
}

static int number_of(struct log_store *store, const char *space, struct vy_str session,
	int64_t *out, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_KV,
		.kv = { .space = vy_str_c(space), .name = session } };

	*out = 0;
	return store->ops->each(store, &like, keep_number, out, e);
}

int seed_exact(struct log_store *store, struct vy_str session, int64_t *exact, struct vy_err *e)
{
	return number_of(store, ROW_SEEDED, session, exact, e);
}

static void copy(struct vy_arena *mem, struct vy_str *s)
{
	*s = vy_arena_str(mem, *s);
}

/* A settlement begins where it says; all others stand where they say. */
static bool keep_event(void *ctx, const struct store_row *row)
{
	struct seeding *s = ctx;
	struct event *ev;

	if (row->journal.data.n == 0) {
		return true;
	}
	s->events = vy_grow(s->events, &s->cap, s->n + 1, sizeof(*s->events));
	ev = &s->events[s->n++];
	*ev = (struct event){ .row = row->journal };
	struct vy_str *const texts[] = { &ev->row.session, &ev->row.id, &ev->row.type,
		&ev->row.actor, &ev->row.chain, &ev->row.subject, &ev->row.turn, &ev->row.data };

	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		copy(&s->mem, texts[i]);
	}
	ev->is_settlement = vy_str_starts(ev->row.type, "assistant.");
	ev->cur = ev->is_settlement ? 0 : vy_lower_cur(ev->row.data);
	return true;
}

static bool keep_seq(void *ctx, const struct store_row *row)
{
	*(int64_t *)ctx = row->journal.seq;
	return true;
}

/* The first event of those read that says where it stood. */
static int64_t first_cur(const struct seeding *s)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->events[i].cur) {
			return s->events[i].cur;
		}
	}
	return INT64_MAX;
}

/* Back as far as the frames that may be made reach. */
static int read_events(struct seeding *s, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_JOURNAL, .journal = { .seq = -1 } };
	int64_t last = 0;
	int rc = s->store->ops->each(s->store, &like, keep_seq, &last, e);

	like.journal.session = s->session;
	for (int64_t back = READ_FIRST; rc == 0; back *= 8) {
		s->n = 0;
		vy_arena_reset(&s->mem);
		like.journal.seq = last > back ? last - back : 0;
		rc = s->store->ops->each(s->store, &like, keep_event, s, e);
		if (like.journal.seq == 0 || first_cur(s) <= s->start) {
			return rc;
		}
	}
	return rc;
}

/* ---- frames ---- */

static struct vy_str id_of(struct seeding *s, struct vy_str id, const char *more, int64_t n)
{
	id = vy_str_from(id, ID_SKIP);
	return n ? vy_str_c(vy_arena_printf(
			   &s->mem, "%.*s%s%lld", VY_STR_ARG(id), more, (long long)n))
		 : id;
}

struct found {
	struct seeding *s;
	struct vy_message m;
	struct vy_ask ask;
	bool has_message, has_ask;
};

static bool read_message(void *ctx, const struct store_row *row)
{
	struct found *f = ctx;

	f->has_message = vy_message_decode(row->message.doc, &f->s->mem, &f->m, NULL) == 0;
	return false;
}

static bool read_ask(void *ctx, const struct store_row *row)
{
	struct found *f = ctx;
	VY_AUTO_JSON *doc = vy_json_parse(row->ask.doc, NULL);

	f->has_ask = doc && vy_str_eq(row->ask.session, f->s->session) &&
		     vy_ask_decode(doc, &f->s->mem, &f->ask, NULL) == 0;
	return false;
}

/* What is kept beside the journal of what an event is about. */
static int look_beside(const struct event *ev, struct found *f, struct vy_err *e)
{
	struct log_store *store = f->s->store;
	struct store_row like = { .kind = ROW_MESSAGE,
		.message = { .session = f->s->session, .message = ev->row.subject } };

	if (vy_str_is(ev->row.type, "ask.raised")) {
		like = (struct store_row){ .kind = ROW_ASK, .ask = { .ask = ev->row.subject } };
		return store->ops->each(store, &like, read_ask, f, e);
	}
	return ev->row.subject.n ? store->ops->each(store, &like, read_message, f, e) : 0;
}

static int place_event(
	struct seeding *s, struct vy_lower *l, const struct event *ev, struct vy_err *e)
{
	struct found found = { .s = s };
	char type[64];
	struct vy_event of = { .type = type,
		.actor = ev->row.actor,
		.chain = ev->row.chain,
		.subject = ev->row.subject,
		.turn = ev->row.turn,
		.step = ev->row.step,
		.time = ev->row.time,
		.data = ev->row.data };
	struct vy_frame f;

	snprintf(type, sizeof(type), "%.*s", VY_STR_ARG(ev->row.type));
	if (look_beside(ev, &found, e) < 0) {
		return -1;
	}
	struct vy_lower_beside beside = { found.has_message ? &found.m : NULL,
		found.has_ask ? &found.ask : NULL };

	if (vy_lower(l, &of, &beside, &s->mem, &f)) {
		bool is_first =
			f.kind == VY_KIND_USER_MESSAGE && found.has_message && found.m.position > 0;

		f.id = id_of(s, ev->row.id, "", 0);
		f.cur = f.cur || !is_first ? f.cur : (uint64_t)found.m.position;
		seed_places_event(s->places, &f);
	}
	return 0;
}

struct giving {
	struct seeding *s;
	struct vy_str id;
	int64_t n;
	size_t attempt;
};

static void give_delta(void *ctx, const struct vy_frame *delta)
{
	struct giving *g = ctx;
	struct vy_frame f = *delta;

	f.id = id_of(g->s, g->id, ".", g->n++);
	seed_places_delta(g->s->places, g->attempt, &f);
}

static int place_settlement(struct seeding *s, const struct event *ev, struct vy_err *e)
{
	struct vy_settlement st;
	struct giving g = { .s = s };
	VY_AUTO_JSON *chain = ev->row.chain.n ? vy_json_parse(ev->row.chain, NULL) : NULL;

	if (vy_settlement_decode(ev->row.data, &s->mem, &st, e) < 0) {
		return -1;
	}
	st.author = vy_str_is(ev->row.actor, "system") ? vy_str_n(NULL, 0) : ev->row.actor;
	st.acts_for = vy_arena_str(&s->mem, vy_json_strval(vy_json_at(chain, 0)));
	st.turn = ev->row.turn;
	if (st.to < s->start) {
		return 0;
	}
	g.id = st.attempt;
	g.attempt = seed_places_attempt(s->places, st.from, st.to, st.reason.n == 0);
	vy_settlement_deltas(&st, give_delta, &g);
	return 0;
}

static int place_all(struct seeding *s, struct vy_err *e)
{
	struct vy_lower l = { "" };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < s->n; i++) {
		rc = s->events[i].is_settlement ? 0 : place_event(s, &l, &s->events[i], e);
	}
	for (size_t i = 0; rc == 0 && i < s->n; i++) {
		rc = s->events[i].is_settlement ? place_settlement(s, &s->events[i], e) : 0;
	}
	return rc;
}

/* ---- written ---- */

static int write_all(
	struct seeding *s, const struct store_frame *frames, size_t n, struct vy_err *e)
{
	char exact[24];
	struct store_row mark = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT(ROW_SEEDED), .name = s->session } };
	const struct store_ops *ops = s->store->ops;

	snprintf(exact, sizeof(exact), "%lld", (long long)s->head + 1);
	mark.kv.value = vy_str_c(exact);
	if (ops->begin(s->store, e) < 0) {
		return -1;
	}
	if (ops->fill(s->store, s->session, frames, n, e) < 0 || ops->put(s->store, &mark, e) < 0) {
		ops->rollback(s->store);
		return -1;
	}
	VY_CRASH(SEED_WRITTEN);
	return ops->commit(s->store, e);
}

static int make(struct seeding *s, struct vy_err *e)
{
	struct store_frame *frames = NULL;
	size_t n;
	int rc;

	s->places = seed_places_new(s->session, s->start, s->head, &s->mem);
	rc = place_all(s, e);
	n = rc == 0 ? seed_places_frames(s->places, SEED_BYTES, &frames) : 0;
	rc = n ? write_all(s, frames, n, e) : rc;
	seed_places_free(s->places);
	return rc < 0 ? -1 : n > 0;
}

int seed_run(struct log_store *store, struct vy_str session, const struct store_bounds *held,
	int64_t *exact, struct vy_err *e)
{
	struct seeding s = { .store = store, .session = session, .head = held->head };
	int rc = 0;

	/* of a log that is lost altogether: as far as the journal knows that it went */
	if (s.head == 0) {
		rc = number_of(store, ROW_DERIVED, session, &s.head, e);
	}
	if (rc < 0 || s.head == 0) {
		return rc;
	}
	s.start = s.head > SEED_FRAMES ? s.head - SEED_FRAMES + 1 : 1;
	vy_arena_init(&s.mem);
	rc = read_events(&s, e);
	rc = rc == 0 && s.n > 0 ? make(&s, e) : rc;
	if (rc > 0) {
		*exact = s.head + 1;
		vy_log(VY_LOG_INFO, "log.seeded", "session=%.*s head=%lld events=%zu",
			VY_STR_ARG(session), (long long)s.head, s.n);
	}
	free(s.events);
	vy_arena_fini(&s.mem);
	return rc;
}
