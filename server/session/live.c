/* live.c -- see live.h.
 *
 * One list of those that matter: who has a place or waits for one. They are few (the limit, and who
 * waits), so each question is a walk. */
#include "server/session/live.h"

#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "shared/base/mem.h"
#include "shared/base/str.h"
#include "shared/base/ban.h"

struct live_one {
	char *id;
	enum live_use use;
	bool is_promised; /* it got a place and does not use it yet */
	int64_t since;    /* idle since; 0: it is not */
	int64_t turn;     /* in the line: by the order of wishes; 0: it is not in it */
	int64_t told;     /* the position it was told; 0: none */
	TAILQ_ENTRY(live_one) link;
};

struct live {
	TAILQ_HEAD(live_list, live_one) all; /* the line among them is in the order of wishes */
	int64_t limit, turns;
	uint64_t rev;
};

struct live *live_new(void)
{
	struct live *l = VY_NEW(struct live);

	TAILQ_INIT(&l->all);
	return l;
}

static void drop(struct live *l, struct live_one *x)
{
	TAILQ_REMOVE(&l->all, x, link);
	free(x->id);
	free(x);
}

void live_free(struct live *l)
{
	struct live_one *x;

	if (!l) {
		return;
	}
	while ((x = TAILQ_FIRST(&l->all))) {
		drop(l, x);
	}
	free(l);
}

static struct live_one *find(const struct live *l, const char *id)
{
	struct live_one *x;

	TAILQ_FOREACH (x, &l->all, link) {
		if (strcmp(x->id, id) == 0) {
			break;
		}
	}
	return x;
}

static struct live_one *find_or_add(struct live *l, const char *id)
{
	struct live_one *x = find(l, id);

	if (!x) {
		x = VY_NEW(struct live_one);
		x->id = vy_strdup(id);
		TAILQ_INSERT_TAIL(&l->all, x, link);
	}
	return x;
}

static bool has_place(const struct live_one *x)
{
	return x->use != LIVE_ABSENT || x->is_promised;
}

static bool is_leaving(const struct live_one *x)
{
	return x->use == LIVE_LEAVING && !x->is_promised;
}

/* ---- facts and wishes ---- */

void live_limit(struct live *l, int64_t most)
{
	l->limit = most;
}

static bool counts_time(enum live_use use)
{
	return use == LIVE_IDLE || use == LIVE_SPARE;
}

/* Whom nothing is known of is not in it. */
static void tidy(struct live *l, struct live_one *x)
{
	if (!has_place(x) && x->turn == 0) {
		drop(l, x);
	}
}

void live_is(struct live *l, const char *id, enum live_use use, int64_t now_ms)
{
	struct live_one *x = use == LIVE_ABSENT ? find(l, id) : find_or_add(l, id);

	if (!x) {
		return;
	}
	int64_t since = !counts_time(use) ? 0 : x->since ? x->since : now_ms;

	/* What was let go leaves, whatever it thinks it does until then. */
	x->use = use;
	x->is_promised = false;
	if (x->since != since) {
		x->since = since;
		l->rev++;
	}
	tidy(l, x);
}

void live_idle_since(struct live *l, const char *id, int64_t since_ms)
{
	struct live_one *x = find(l, id);

	if (x && x->use == LIVE_IDLE && since_ms > 0 && since_ms < x->since) {
		x->since = since_ms;
		l->rev++;
	}
}

void live_wish(struct live *l, const char *id)
{
	struct live_one *x = find_or_add(l, id);

	if (x->turn) {
		return;
	}
	if (is_leaving(x)) { /* it has left, or would not ask; its place was another's already */
		x->use = LIVE_ABSENT;
	}
	x->turn = ++l->turns;
	x->told = 0;
	TAILQ_REMOVE(&l->all, x, link);
	TAILQ_INSERT_TAIL(&l->all, x, link);
	l->rev++;
}

void live_told(struct live *l, const char *id, int64_t position)
{
	struct live_one *x = find(l, id);

	if (x && x->turn) {
		x->told = position;
	}
}

void live_unwish(struct live *l, const char *id)
{
	struct live_one *x = find(l, id);

	if (!x) {
		return;
	}
	l->rev += x->turn != 0;
	x->turn = x->told = 0;
	x->is_promised = false;
	tidy(l, x);
}

/* ---- what is to be done ---- */

struct sums {
	int64_t taken, leaving, can_rest, waiting;
};

static bool can_rest(const struct live_one *x)
{
	return x->use == LIVE_IDLE || x->use == LIVE_WATCHED || x->use == LIVE_SPARE;
}

static struct sums sum(const struct live *l)
{
	struct sums n = { 0 };
	const struct live_one *x;

	TAILQ_FOREACH (x, &l->all, link) {
		n.taken += has_place(x);
		n.leaving += is_leaving(x);
		n.can_rest += can_rest(x);
		n.waiting += x->turn != 0 && !has_place(x);
	}
	return n;
}

static bool grant(struct live *l, struct live_decision *out)
{
	struct sums n = sum(l);
	struct live_one *x;

	TAILQ_FOREACH (x, &l->all, link) {
		if (x->turn && (has_place(x) || l->limit == 0 || n.taken < l->limit)) {
			break;
		}
	}
	if (!x) {
		return false;
	}
	x->is_promised = x->use == LIVE_ABSENT;
	x->turn = x->told = 0;
	l->rev++;
	*out = (struct live_decision){ .what = LIVE_GO, .id = x->id };
	return true;
}

/* The spare, then who is not looked at, then who is; among equals who is idle the longest. Whom
 * somebody looks at has no such time: who came first is first. */
static struct live_one *first_to_rest(const struct live *l)
{
	static const enum live_use order[] = { LIVE_SPARE, LIVE_IDLE, LIVE_WATCHED };

	for (size_t i = 0; i < VY_COUNT(order); i++) {
		struct live_one *x, *best = NULL;

		TAILQ_FOREACH (x, &l->all, link) {
			if (x->use == order[i] && (!best || x->since < best->since)) {
				best = x;
			}
		}
		if (best) {
			return best;
		}
	}
	return NULL;
}

static void let_go(struct live *l, struct live_one *x, struct live_decision *out)
{
	x->use = LIVE_LEAVING;
	x->since = 0;
	l->rev++;
	*out = (struct live_decision){ .what = LIVE_REST, .id = x->id };
}

/* Places that will be, once who leaves has left, against those that are wanted. */
static bool make_room(struct live *l, struct live_decision *out)
{
	struct sums n = sum(l);

	if (l->limit == 0 || n.taken - n.leaving + n.waiting <= l->limit) {
		return false;
	}
	struct live_one *x = first_to_rest(l);

	if (x) {
		let_go(l, x, out);
	}
	return x != NULL;
}

/* Who gets a place as soon as one that leaves has left is not told to wait. */
static bool tell_positions(struct live *l, struct live_decision *out)
{
	struct sums n = sum(l);
	int64_t soon = l->limit - (n.taken - n.leaving), position = 0;
	struct live_one *x;

	TAILQ_FOREACH (x, &l->all, link) {
		if (!x->turn) {
			continue;
		}
		position++;
		if (position <= soon || x->told == position) {
			continue;
		}
		x->told = position;
		*out = (struct live_decision){
			.what = LIVE_WAITS, .id = x->id, .position = position
		};
		return true;
	}
	return false;
}

bool live_next(struct live *l, struct live_decision *out)
{
	return grant(l, out) || make_room(l, out) || tell_positions(l, out);
}

static struct live_one *longest_idle(const struct live *l)
{
	struct live_one *x, *best = NULL;

	TAILQ_FOREACH (x, &l->all, link) {
		if (x->since && (!best || x->since < best->since)) {
			best = x;
		}
	}
	return best;
}

bool live_expired(struct live *l, int64_t now_ms, int64_t idle_ms, struct live_decision *out)
{
	struct live_one *x = idle_ms > 0 ? longest_idle(l) : NULL;

	if (!x || x->since + idle_ms > now_ms) {
		return false;
	}
	let_go(l, x, out);
	return true;
}

int64_t live_due(const struct live *l, int64_t idle_ms)
{
	const struct live_one *x = idle_ms > 0 ? longest_idle(l) : NULL;

	return x ? x->since + idle_ms : -1;
}

/* ---- what others may know ---- */

bool live_has_room(const struct live *l)
{
	struct sums n = sum(l);

	return l->limit == 0 || n.taken - n.leaving - n.can_rest + n.waiting < l->limit;
}

bool live_has_free(const struct live *l)
{
	struct sums n = sum(l);

	return l->limit == 0 || n.taken + n.waiting < l->limit;
}

size_t live_count(const struct live *l)
{
	return (size_t)sum(l).taken;
}

int64_t live_position(const struct live *l, const char *id)
{
	const struct live_one *x = find(l, id);

	return x ? x->told : 0;
}

const char *live_busy_at(const struct live *l, size_t i)
{
	const struct live_one *x;

	TAILQ_FOREACH (x, &l->all, link) {
		if ((x->use == LIVE_BUSY || x->is_promised) && i-- == 0) {
			return x->id;
		}
	}
	return NULL;
}

enum live_use live_use_of(const struct live *l, const char *id)
{
	const struct live_one *x = find(l, id);

	return x ? x->use : LIVE_ABSENT;
}

/* ---- what outlives vyred ---- */

struct vy_json *live_encode(const struct live *l)
{
	struct vy_json *o = vy_json_new_obj(), *line = vy_json_new_arr(), *idle = vy_json_new_obj();
	const struct live_one *x;

	TAILQ_FOREACH (x, &l->all, link) {
		if (x->turn) {
			vy_json_add_take(line, vy_json_new_str(vy_str_c(x->id)));
		}
		if (x->since && x->use == LIVE_IDLE) {
			vy_json_set_int(idle, x->id, x->since);
		}
	}
	vy_json_set_int(o, "v", 1);
	vy_json_take(o, "line", line);
	vy_json_take(o, "idle", idle);
	return o;
}

uint64_t live_rev(const struct live *l)
{
	return l->rev;
}
