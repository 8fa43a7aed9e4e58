/* retain.c -- see retain.h.
 *
 * Sessions that may have something to do stand in a list, each with the time at which it is looked at
 * next. A look does one step, or finds that there is none: then it is looked at once more when it is
 * idle, and is forgotten after that. */
#include "server/log/retain.h"

#include <stdlib.h>
#include <sys/queue.h>
#include <uthash.h>

#include "shared/base/clock.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

enum {
	SOON_MS = 2000,  /* behind the first new frame */
	IDLE_MS = 60000, /* without a frame: it is idle */
	GAP_MS = 10,     /* between two steps */
	AGAIN_MS = 5000, /* after one that came to nothing */
	SWEEP_MS = 3600000,
	HOUR_MS = 3600000,
	FEW = 256, /* frames that are worth a run while more may come */
	TRIES = 5,
	LOOKS = 16,         /* sessions looked at in one go */
	TRIM_FRAMES = 2048, /* that go in one step */
};

struct entry {
	char *session;
	int64_t touched, due; /* boot ms */
	int tries;
	bool is_over; /* it is one of the oldest, and there is too much */
	TAILQ_ENTRY(entry) link;
	UT_hash_handle hh;
};

struct retain {
	struct retain_conf c;
	struct entry *table;
	TAILQ_HEAD(, entry) list;
	struct entry *at; /* whose step is under way */
	struct vy_timer *timer;
	int64_t drift; /* wall less boot, at the start */
	int64_t next_sweep;
	bool has_room; /* some may be given back */
	bool is_jumped;
};

/* ---- the list ---- */

static int64_t now(const struct retain *t)
{
	return vy_boot_ms(t->c.clock);
}

static struct entry *find(struct retain *t, const char *session)
{
	struct entry *en;

	HASH_FIND_STR(t->table, session, en);
	if (!en) {
		en = VY_NEW(struct entry);
		en->session = vy_strdup(session);
		en->due = INT64_MAX;
		HASH_ADD_KEYPTR(hh, t->table, en->session, strlen(en->session), en);
		TAILQ_INSERT_TAIL(&t->list, en, link);
	}
	return en;
}

static void drop(struct retain *t, struct entry *en)
{
	vy_assert(t->table); /* it is in there */
	HASH_DEL(t->table, en);
	TAILQ_REMOVE(&t->list, en, link);
	free(en->session);
	free(en);
}

static struct entry *next_due(struct retain *t)
{
	struct entry *en, *first = NULL;

	TAILQ_FOREACH (en, &t->list, link) {
		if (!first || en->due < first->due) {
			first = en;
		}
	}
	return first;
}

/* The timer stands where the next thing is due. */
static void rest(struct retain *t)
{
	struct entry *en = next_due(t);
	int64_t at = en && en->due < t->next_sweep ? en->due : t->next_sweep;

	if (t->has_room && at > now(t) + GAP_MS) {
		at = now(t) + GAP_MS;
	}
	at -= now(t);
	vy_timer_set(t->timer, at > 0 ? at : 0);
}

static void on_committed(void *ctx, const char *session, int64_t head)
{
	struct retain *t = ctx;
	struct entry *en = find(t, session);

	(void)head;
	en->touched = now(t);
	if (en->due > en->touched + t->c.soon_ms) {
		en->due = en->touched + t->c.soon_ms;
		if (!t->at) {
			rest(t);
		}
	}
}

/* ---- what may go ---- */

struct mark {
	int64_t since, upto;
	bool is_there;
};

static bool keep_mark(void *ctx, const struct store_row *row)
{
	VY_AUTO_JSON *v = vy_json_parse(row->kv.value, NULL);
	struct mark *m = ctx;

	m->since = vy_json_int(v, "since", 0);
	m->upto = vy_json_int(v, "upto", 0);
	m->is_there = v != NULL;
	return false;
}

/* The last frame that nothing open rests on (derive.h). */
static int64_t settled_to(struct retain *t, const char *session)
{
	struct store_row like = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT(ROW_DERIVED), .name = vy_str_c(session) } };
	struct mark m = { 0 };

	if (log_each(t->c.log, &like, keep_mark, &m, NULL) < 0 || !m.is_there) {
		return 0;
	}
	return m.since > 0 ? m.since - 1 : m.upto;
}

/* Wall ms: what is older expires; 0: nothing does. */
static int64_t expire_before(struct retain *t)
{
	int64_t wall = vy_wall_ms(t->c.clock), off = wall - now(t) - t->drift;

	if (!t->is_jumped && (off > HOUR_MS || off < -HOUR_MS)) {
		t->is_jumped = true;
		vy_log(VY_LOG_WARN, "retain.clock", "jumped_s=%lld retention=paused",
			(long long)(off / 1000));
	}
	if (t->is_jumped || t->c.retain_hours <= 0) {
		return 0;
	}
	return wall - (int64_t)(t->c.retain_hours * HOUR_MS);
}

/* ---- a step ---- */

static void on_step(void *ctx, int rc)
{
	struct retain *t = ctx;
	struct entry *en = t->at;

	t->at = NULL;
	en->tries = rc < 0 ? en->tries + 1 : 0;
	en->due = now(t) + (rc < 0 ? AGAIN_MS : GAP_MS);
	t->has_room |= rc == 0;
	if (en->tries == TRIES) {
		drop(t, en);
	}
	rest(t);
}

/* Some of its oldest frames, when nothing is open in it: true when there may be more. */
static bool trim(struct retain *t, struct entry *en, int64_t settled_to)
{
	struct store_bounds held;
	struct vy_err e = { 0 };
	int64_t floor;

	if (log_held(t->c.log, en->session, &held, &e) < 0 || held.floor > held.head ||
		held.head != settled_to) {
		return false;
	}
	floor = held.floor + TRIM_FRAMES;
	floor = floor < held.head + 1 ? floor : held.head + 1;
	if (log_trim(t->c.log, en->session, floor, &e) < 0) {
		vy_log(VY_LOG_WARN, "retain.trim", "session=%s err=%s", en->session,
			vy_log_q(e.text));
		return false;
	}
	t->has_room = true;
	return true;
}

/* True: a step was made or is under way. */
static bool look(struct retain *t, struct entry *en)
{
	int64_t at = now(t), upto = settled_to(t, en->session);
	bool is_idle = at - en->touched >= t->c.idle_ms;
	struct store_tidy what = { vy_str_c(en->session), upto, is_idle ? 1 : FEW,
		is_idle ? expire_before(t) : 0, is_idle };
	struct vy_err e = { 0 };
	int rc;

	if (en->is_over && is_idle && trim(t, en, upto)) {
		en->due = at + GAP_MS;
		return true;
	}
	t->at = en;
	rc = log_tidy(t->c.log, &what, on_step, t, &e);
	if (rc > 0) {
		return true;
	}
	t->at = NULL;
	if (rc < 0 && e.code != VY_RETRY) {
		vy_log(VY_LOG_WARN, "retain.step", "session=%s err=%s", en->session,
			vy_log_q(e.text));
	}
	if (rc < 0 || is_idle) {
		drop(t, en);
	} else {
		en->due = en->touched + t->c.idle_ms;
	}
	return false;
}

/* ---- all sessions ---- */

struct sweep {
	struct retain *t;
	int64_t bytes;
};

/* Newest first, so those past the bound are the oldest. */
static bool add_session(void *ctx, const struct store_row *row)
{
	struct sweep *s = ctx;
	char *id = vy_memdup0(row->session.session.p, row->session.session.n);
	struct entry *en = find(s->t, id);

	if (en->due == INT64_MAX) {
		en->due = now(s->t);
		en->touched = en->due - s->t->c.idle_ms;
	}
	free(id);
	return true;
}

static void weigh(struct sweep *s)
{
	struct entry *en;

	TAILQ_FOREACH (en, &s->t->list, link) {
		struct store_bounds held = { 0 };

		(void)!log_held(s->t->c.log, en->session, &held, NULL);
		s->bytes += held.bytes;
		en->is_over = s->bytes > s->t->c.most_bytes;
	}
}

static void sweep(struct retain *t)
{
	struct store_row like = { .kind = ROW_SESSION };
	struct sweep s = { t, 0 };

	t->next_sweep = now(t) + t->c.sweep_ms;
	if (log_each(t->c.log, &like, add_session, &s, NULL) == 0) {
		weigh(&s);
	}
	t->has_room = true;
}

/* ---- the timer ---- */

static void give_room(struct retain *t)
{
	struct vy_err e = { 0 };
	int rc = log_shrink(t->c.log, &e);

	t->has_room = rc > 0 || (rc < 0 && e.code == VY_RETRY);
	if (rc < 0 && e.code != VY_RETRY) {
		vy_log(VY_LOG_WARN, "retain.room", "err=%s", vy_log_q(e.text));
	}
}

static void on_timer(void *ctx)
{
	struct retain *t = ctx;
	struct entry *en;
	bool has_worked = false;

	if (t->at) {
		return;
	}
	if (now(t) >= t->next_sweep) {
		sweep(t);
	}
	for (int i = 0; i < LOOKS && !has_worked && (en = next_due(t)) && en->due <= now(t); i++) {
		has_worked = look(t, en);
	}
	if (!has_worked && t->has_room) {
		give_room(t);
	}
	if (!t->at) {
		rest(t);
	}
}

/* ---- life ---- */

struct retain *retain_new(const struct retain_conf *c)
{
	struct retain *t = VY_NEW(struct retain);

	t->c = *c;
	t->c.most_bytes = c->most_bytes ? c->most_bytes : VY_LOGS_BYTES;
	t->c.soon_ms = c->soon_ms ? c->soon_ms : SOON_MS;
	t->c.idle_ms = c->idle_ms ? c->idle_ms : IDLE_MS;
	t->c.sweep_ms = c->sweep_ms ? c->sweep_ms : SWEEP_MS;
	TAILQ_INIT(&t->list);
	t->drift = vy_wall_ms(c->clock) - now(t);
	t->next_sweep = now(t) + t->c.idle_ms;
	t->timer = vy_loop_timer(c->loop, on_timer, t);
	log_on_committed(c->log, on_committed, t);
	rest(t);
	return t;
}

void retain_for(struct retain *t, double hours)
{
	if (t) {
		t->c.retain_hours = hours;
	}
}

void retain_free(struct retain *t)
{
	struct entry *en;

	if (!t) {
		return;
	}
	log_on_committed(t->c.log, NULL, t);
	log_tidy_end(t->c.log);
	HASH_CLEAR(hh, t->table);
	while ((en = TAILQ_FIRST(&t->list))) {
		TAILQ_REMOVE(&t->list, en, link);
		free(en->session);
		free(en);
	}
	vy_timer_del(t->timer);
	free(t);
}
