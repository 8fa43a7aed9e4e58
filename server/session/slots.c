/* slots.c -- see slots.h.
 *
 * Who waits stands in lanes, one for each project that has somebody waiting; the lanes of a kind are a
 * circle whose first is the next in turn. settle() is the only place that hands out a slot, and is
 * called behind every act, so nobody waits for what is free. */
#include "server/session/slots.h"

#include <stdlib.h>

#include "server/session/slots_in.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static const char *const words[] = { [SLOTS_TEAMMATE] = "teammate", [SLOTS_SUBAGENT] = "subagent" };

const char *slots_word(enum slots_kind kind)
{
	return words[kind];
}

bool slots_parse(struct vy_str word, enum slots_kind *out)
{
	for (unsigned i = 0; i < SLOTS_KINDS; i++) {
		if (vy_str_is(word, words[i])) {
			*out = (enum slots_kind)i;
			return true;
		}
	}
	return false;
}

/* ---- the value ---- */

struct slots *slots_new(slots_file_fn *file, void *ctx)
{
	struct slots *s = VY_NEW(struct slots);

	s->file = file;
	s->ctx = ctx;
	for (unsigned k = 0; k < SLOTS_KINDS; k++) {
		TAILQ_INIT(&s->held[k]);
		TAILQ_INIT(&s->circle[k]);
	}
	TAILQ_INIT(&s->limits);
	return s;
}

static void place_free(struct place *p)
{
	free(p->project);
	free(p->session);
	free(p->holder);
	free(p->ticket);
	free(p);
}

static void limit_del(struct slots *s, struct set_limit *l)
{
	TAILQ_REMOVE(&s->limits, l, link);
	free(l->project);
	free(l);
}

static void lane_del(struct slots *s, enum slots_kind kind, struct lane *l)
{
	TAILQ_REMOVE(&s->circle[kind], l, link);
	free(l->project);
	free(l);
}

static void places_clear(struct places *list)
{
	struct place *p;

	while ((p = TAILQ_FIRST(list))) {
		TAILQ_REMOVE(list, p, link);
		place_free(p);
	}
}

void slots_clear(struct slots *s)
{
	struct set_limit *limit;
	struct lane *l;

	for (unsigned k = 0; k < SLOTS_KINDS; k++) {
		places_clear(&s->held[k]);
		while ((l = TAILQ_FIRST(&s->circle[k]))) {
			places_clear(&l->waiting);
			lane_del(s, (enum slots_kind)k, l);
		}
	}
	while ((limit = TAILQ_FIRST(&s->limits))) {
		limit_del(s, limit);
	}
}

void slots_free(struct slots *s)
{
	if (s) {
		slots_clear(s);
		free(s);
	}
}

uint64_t slots_rev(const struct slots *s)
{
	return s->rev;
}

/* ---- news ---- */

void slots_news_init(struct slots_news *n)
{
	*n = (struct slots_news){ .n = 0 };
	vy_arena_init(&n->mem);
}

void slots_news_clear(struct slots_news *n)
{
	n->n = 0;
	vy_arena_reset(&n->mem);
}

void slots_news_fini(struct slots_news *n)
{
	free(n->v);
	vy_arena_fini(&n->mem);
	*n = (struct slots_news){ .n = 0 };
}

static struct slots_item *tell(struct slots *s, enum slots_what what, enum slots_kind kind,
	const struct place *p, struct slots_news *out)
{
	s->rev++;
	out->v = vy_grow(out->v, &out->cap, out->n + 1, sizeof(*out->v));
	struct slots_item *it = &out->v[out->n++];

	*it = (struct slots_item){
		.what = what,
		.who = { kind, vy_arena_str(&out->mem, vy_str_c(p->project)),
			vy_arena_str(&out->mem, vy_str_c(p->session)),
			vy_arena_str(&out->mem, vy_str_c(p->holder)) },
		.position = p->position,
	};
	return it;
}

/* ---- limits ---- */

static bool is_project(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct set_limit *limit_find(
	const struct slots *s, enum slots_kind kind, const char *project)
{
	struct set_limit *l;

	TAILQ_FOREACH (l, &s->limits, link) {
		if (l->kind == kind && is_project(l->project, project)) {
			return l;
		}
	}
	return NULL;
}

bool slots_is_set(const struct slots *s, enum slots_kind kind, const char *project)
{
	return limit_find(s, kind, project) != NULL;
}

int64_t slots_limit(const struct slots *s, enum slots_kind kind, const char *project)
{
	const struct set_limit *l = limit_find(s, kind, project);

	return l ? l->limit : s->file(s->ctx, kind, project);
}

static int64_t used(const struct slots *s, enum slots_kind kind, const char *project)
{
	const struct place *p;
	int64_t n = 0;

	TAILQ_FOREACH (p, &s->held[kind], link) {
		n += !project || strcmp(p->project, project) == 0;
	}
	return n;
}

static bool is_under(const struct slots *s, enum slots_kind kind, const char *project)
{
	int64_t limit = slots_limit(s, kind, project);

	return limit == 0 || used(s, kind, project) < limit;
}

static bool has_room(const struct slots *s, enum slots_kind kind, const char *project)
{
	return is_under(s, kind, NULL) && (!*project || is_under(s, kind, project));
}

/* ---- the line ---- */

struct lane *slots_lane(struct slots *s, enum slots_kind kind, const char *project)
{
	struct lane *l;

	TAILQ_FOREACH (l, &s->circle[kind], link) {
		if (strcmp(l->project, project) == 0) {
			return l;
		}
	}
	l = VY_NEW(struct lane);
	l->project = vy_strdup(project);
	TAILQ_INIT(&l->waiting);
	TAILQ_INSERT_TAIL(&s->circle[kind], l, link);
	return l;
}

/* The first of the lane has a slot now, and its project waits for its next turn. */
static void hand_out(struct slots *s, enum slots_kind kind, struct lane *l, struct slots_news *out)
{
	struct place *p = TAILQ_FIRST(&l->waiting);
	bool has_waited = p->position > 0;

	TAILQ_REMOVE(&l->waiting, p, link);
	TAILQ_INSERT_TAIL(&s->held[kind], p, link);
	p->position = 0;
	struct slots_item *it = tell(s, SLOTS_TAKEN, kind, p, out);

	it->is_of_line = has_waited;
	it->ticket = vy_arena_str(&out->mem, vy_str_c(p->ticket));
	free(p->ticket);
	p->ticket = NULL;
	if (TAILQ_EMPTY(&l->waiting)) {
		lane_del(s, kind, l);
	} else {
		TAILQ_REMOVE(&s->circle[kind], l, link);
		TAILQ_INSERT_TAIL(&s->circle[kind], l, link);
	}
}

static void place_at(struct slots *s, enum slots_kind kind, struct place *p, int64_t position,
	struct slots_news *out)
{
	if (p->position != position) {
		p->position = position;
		tell(s, SLOTS_QUEUED, kind, p, out);
	}
}

/* Round by round, as the circle would give them: the first of each lane, then the second of each … */
static void number(struct slots *s, enum slots_kind kind, struct slots_news *out)
{
	struct place **next = NULL;
	size_t n = 0, cap = 0, left;
	int64_t position = 0;
	struct lane *l;

	TAILQ_FOREACH (l, &s->circle[kind], link) {
		next = vy_grow(next, &cap, n + 1, sizeof(struct place *));
		next[n++] = TAILQ_FIRST(&l->waiting);
	}
	do {
		left = 0;
		for (size_t i = 0; i < n; i++) {
			if (next[i]) {
				place_at(s, kind, next[i], ++position, out);
				next[i] = TAILQ_NEXT(next[i], link);
				left += next[i] != NULL;
			}
		}
	} while (left > 0);
	free(next);
}

static void settle(struct slots *s, enum slots_kind kind, struct slots_news *out)
{
	struct lane *l;

	do {
		TAILQ_FOREACH (l, &s->circle[kind], link) {
			if (has_room(s, kind, l->project)) {
				hand_out(s, kind, l, out);
				break;
			}
		}
	} while (l);
	number(s, kind, out);
}

static bool is_place(const struct place *p, struct vy_str session, struct vy_str holder)
{
	return vy_str_is(session, p->session) && vy_str_is(holder, p->holder);
}

/* Where it is; *lane: the one it waits in, NULL when it holds a slot. */
static struct place *find(const struct slots *s, enum slots_kind kind, struct vy_str session,
	struct vy_str holder, struct lane **lane)
{
	struct place *p;
	struct lane *l;

	*lane = NULL;
	TAILQ_FOREACH (p, &s->held[kind], link) {
		if (is_place(p, session, holder)) {
			return p;
		}
	}
	TAILQ_FOREACH (l, &s->circle[kind], link) {
		TAILQ_FOREACH (p, &l->waiting, link) {
			if (is_place(p, session, holder)) {
				*lane = l;
				return p;
			}
		}
	}
	return NULL;
}

/* ---- acts ---- */

bool slots_take(struct slots *s, const struct slots_who *who, struct vy_str ticket, int64_t now_ms,
	struct slots_news *out)
{
	struct lane *l;
	struct place *p = find(s, who->kind, who->session, who->holder, &l);

	if (p) {
		return l == NULL;
	}
	p = VY_NEW(struct place);
	p->project = vy_memdup0(who->project.p, who->project.n);
	p->session = vy_memdup0(who->session.p, who->session.n);
	p->holder = vy_memdup0(who->holder.p, who->holder.n);
	p->ticket = vy_memdup0(ticket.p, ticket.n);
	p->since = now_ms;
	l = slots_lane(s, who->kind, p->project);
	TAILQ_INSERT_TAIL(&l->waiting, p, link);
	settle(s, who->kind, out);
	return p->position == 0;
}

static void drop(struct slots *s, enum slots_kind kind, struct lane *l, struct place *p,
	struct slots_news *out)
{
	tell(s, SLOTS_RELEASED, kind, p, out)->is_of_line = l != NULL;
	out->v[out->n - 1].position = 0;
	if (l) {
		TAILQ_REMOVE(&l->waiting, p, link);
	} else {
		TAILQ_REMOVE(&s->held[kind], p, link);
	}
	if (l && TAILQ_EMPTY(&l->waiting)) {
		lane_del(s, kind, l);
	}
	place_free(p);
}

bool slots_give(struct slots *s, enum slots_kind kind, struct vy_str session, struct vy_str holder,
	struct slots_news *out)
{
	struct lane *l;
	struct place *p = find(s, kind, session, holder, &l);

	if (!p) {
		return false;
	}
	drop(s, kind, l, p, out);
	settle(s, kind, out);
	return true;
}

static void drop_of(struct slots *s, enum slots_kind kind, struct places *list, struct lane *lane,
	struct vy_str session, struct slots_news *out)
{
	struct place *p = TAILQ_FIRST(list), *next;

	for (; p; p = next) {
		next = TAILQ_NEXT(p, link); /* the lane goes with its last one */
		if (vy_str_is(session, p->session)) {
			drop(s, kind, lane, p, out);
		}
	}
}

/* Those that wait first, or one of them would be given what another one of them had. */
void slots_give_all(struct slots *s, enum slots_kind kind, struct vy_str session, bool waiting,
	struct slots_news *out)
{
	struct lane *l = TAILQ_FIRST(&s->circle[kind]), *next;

	for (; l; l = next) {
		next = TAILQ_NEXT(l, link);
		drop_of(s, kind, &l->waiting, l, session, out);
	}
	if (!waiting) {
		drop_of(s, kind, &s->held[kind], NULL, session, out);
	}
	settle(s, kind, out);
}

void slots_set(struct slots *s, enum slots_kind kind, const char *project, int64_t limit,
	struct slots_news *out)
{
	struct set_limit *l = limit_find(s, kind, project);

	if (limit < 0 && l) {
		limit_del(s, l);
	} else if (limit >= 0) {
		if (!l) {
			l = VY_NEW(struct set_limit);
			l->kind = kind;
			l->project = vy_strdup(project);
			TAILQ_INSERT_TAIL(&s->limits, l, link);
		}
		l->limit = limit;
	}
	s->rev++;
	settle(s, kind, out);
}

void slots_look(struct slots *s, struct slots_news *out)
{
	for (unsigned k = 0; k < SLOTS_KINDS; k++) {
		settle(s, (enum slots_kind)k, out);
	}
}

/* ---- what others may know ---- */

int64_t slots_position(
	const struct slots *s, enum slots_kind kind, struct vy_str session, struct vy_str holder)
{
	struct lane *l;
	const struct place *p = find(s, kind, session, holder, &l);

	return p ? p->position : 0;
}

bool slots_has(
	const struct slots *s, enum slots_kind kind, struct vy_str session, struct vy_str holder)
{
	struct lane *l;

	return find(s, kind, session, holder, &l) && !l;
}

bool slots_has_room(const struct slots *s, enum slots_kind kind, struct vy_str project)
{
	char *name = vy_memdup0(project.p, project.n);
	bool is_free = has_room(s, kind, name);

	free(name);
	return is_free;
}

size_t slots_waiting(const struct slots *s, enum slots_kind kind)
{
	const struct lane *l;
	const struct place *p;
	size_t n = 0;

	TAILQ_FOREACH (l, &s->circle[kind], link) {
		TAILQ_FOREACH (p, &l->waiting, link) {
			n++;
		}
	}
	return n;
}

struct asked {
	struct vy_str session;
	enum slots_kind kind;
	bool found;
};

static void look_for(void *ctx, const struct slots_who *who, int64_t position, int64_t since)
{
	struct asked *a = ctx;

	(void)position;
	(void)since;
	a->found |= who->kind == a->kind && vy_str_eq(who->session, a->session);
}

bool slots_concerns(const struct slots *s, enum slots_kind kind, struct vy_str session)
{
	struct asked a = { session, kind, false };

	slots_each(s, look_for, &a);
	return a.found;
}

static void each_of(const struct places *list, enum slots_kind kind, slots_each_fn *fn, void *ctx)
{
	const struct place *p;

	TAILQ_FOREACH (p, list, link) {
		struct slots_who who = { kind, vy_str_c(p->project), vy_str_c(p->session),
			vy_str_c(p->holder) };

		fn(ctx, &who, p->position, p->since);
	}
}

void slots_each(const struct slots *s, slots_each_fn *fn, void *ctx)
{
	const struct lane *l;

	for (unsigned k = 0; k < SLOTS_KINDS; k++) {
		each_of(&s->held[k], (enum slots_kind)k, fn, ctx);
		TAILQ_FOREACH (l, &s->circle[k], link) {
			each_of(&l->waiting, (enum slots_kind)k, fn, ctx);
		}
	}
}
