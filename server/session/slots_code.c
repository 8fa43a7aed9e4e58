/* slots_code.c -- the ledger of slots as JSON: what outlives vyred, and what people are shown.
 *
 * Stored is who holds and who waits, each lane at its place of the circle, and what people set. The
 * configuration is not: it may be another when vyred comes back. */
#include <stdlib.h>

#include "server/session/slots_in.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define SLOTS_VERSION 1

/* ---- stored ---- */

static struct vy_json *place_json(const struct place *p)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "session", p->session);
	vy_json_set_c(o, "holder", p->holder);
	vy_json_set_int(o, "since", p->since);
	if (p->position == 0) { /* one that waits has its project from the lane */
		vy_json_set_c(o, "project", p->project);
	} else {
		vy_json_set_int(o, "position", p->position);
		vy_json_set_c(o, "ticket", p->ticket);
	}
	return o;
}

static struct vy_json *places_json(const struct places *list)
{
	struct vy_json *arr = vy_json_new_arr();
	const struct place *p;

	TAILQ_FOREACH (p, list, link) {
		vy_json_add_take(arr, place_json(p));
	}
	return arr;
}

static struct vy_json *circle_json(const struct lanes *circle)
{
	struct vy_json *arr = vy_json_new_arr();
	const struct lane *l;

	TAILQ_FOREACH (l, circle, link) {
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_c(o, "project", l->project);
		vy_json_take(o, "waiting", places_json(&l->waiting));
		vy_json_add_take(arr, o);
	}
	return arr;
}

struct vy_json *slots_encode(const struct slots *s)
{
	struct vy_json *o = vy_json_new_obj(), *limits = vy_json_new_arr();
	const struct set_limit *l;

	vy_json_set_int(o, "v", SLOTS_VERSION);
	for (unsigned k = 0; k < SLOTS_KINDS; k++) {
		struct vy_json *of = vy_json_new_obj();

		vy_json_take(of, "held", places_json(&s->held[k]));
		vy_json_take(of, "circle", circle_json(&s->circle[k]));
		vy_json_take(o, slots_word((enum slots_kind)k), of);
	}
	TAILQ_FOREACH (l, &s->limits, link) {
		struct vy_json *set = vy_json_new_obj();

		vy_json_set_c(set, "kind", slots_word(l->kind));
		vy_json_set_c(set, "project", l->project);
		vy_json_set_int(set, "limit", l->limit);
		vy_json_add_take(limits, set);
	}
	vy_json_take(o, "limits", limits);
	return o;
}

static char *text_at(const struct vy_json *v, const char *key)
{
	struct vy_str s = vy_json_str(v, key);

	return vy_memdup0(s.p, s.n);
}

static bool read_places(struct places *list, const struct vy_json *v, const char *project)
{
	for (size_t i = 0; i < vy_json_len(v); i++) {
		const struct vy_json *o = vy_json_at(v, i);
		struct place *p = VY_NEW(struct place);

		p->project = project ? vy_strdup(project) : text_at(o, "project");
		p->session = text_at(o, "session");
		p->holder = text_at(o, "holder");
		p->ticket = project ? text_at(o, "ticket") : NULL;
		p->since = vy_json_int(o, "since", 0);
		p->position = project ? vy_json_int(o, "position", 1) : 0;
		TAILQ_INSERT_TAIL(list, p, link);
		if (!*p->session || !*p->holder || (project && p->position < 1)) {
			return false;
		}
	}
	return true;
}

static bool read_kind(struct slots *s, enum slots_kind kind, const struct vy_json *v)
{
	const struct vy_json *circle = vy_json_get(v, "circle");

	if (!read_places(&s->held[kind], vy_json_get(v, "held"), NULL)) {
		return false;
	}
	for (size_t i = 0; i < vy_json_len(circle); i++) {
		const struct vy_json *o = vy_json_at(circle, i);
		char *project = text_at(o, "project");
		bool is_good = vy_json_len(vy_json_get(o, "waiting")) > 0 &&
			       read_places(&slots_lane(s, kind, project)->waiting,
				       vy_json_get(o, "waiting"), project);

		free(project);
		if (!is_good) {
			return false;
		}
	}
	return true;
}

static bool read_limits(struct slots *s, const struct vy_json *v)
{
	struct slots_news none;
	bool is_good = true;

	slots_news_init(&none);
	for (size_t i = 0; i < vy_json_len(v) && is_good; i++) {
		const struct vy_json *o = vy_json_at(v, i);
		enum slots_kind kind;

		is_good = slots_parse(vy_json_str(o, "kind"), &kind) &&
			  vy_json_int(o, "limit", -1) >= 0;
		if (is_good) {
			slots_set(s, kind, vy_json_cstr(o, "project"), vy_json_int(o, "limit", 0),
				&none);
		}
	}
	slots_news_fini(&none);
	return is_good;
}

/* Limits first, while nobody waits; what they and the configuration leave free is handed out by the
 * next act, for which the caller has ears. */
bool slots_decode(struct slots *s, const struct vy_json *v)
{
	bool is_good =
		vy_json_int(v, "v", 0) == SLOTS_VERSION && read_limits(s, vy_json_get(v, "limits"));

	for (unsigned k = 0; k < SLOTS_KINDS && is_good; k++) {
		is_good = read_kind(
			s, (enum slots_kind)k, vy_json_get(v, slots_word((enum slots_kind)k)));
	}
	if (!is_good) {
		slots_clear(s);
	}
	return is_good;
}

/* ---- shown ---- */

struct answer {
	const struct slots *slots;
	struct vy_str project;
	slots_may_fn *may;
	void *ctx;
	struct vy_json *limits, *holders, *waiting;
};

static struct vy_json *limit_json(const struct answer *a, enum slots_kind kind, const char *project)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "kind", slots_word(kind));
	vy_json_set_c(o, "project", project);
	vy_json_set_int(o, "limit", slots_limit(a->slots, kind, project));
	vy_json_set_c(o, "from", slots_is_set(a->slots, kind, project) ? "set" : "config");
	vy_json_set_int(o, "used", 0);
	vy_json_set_int(o, "waiting", 0);
	return o;
}

static bool is_row(const struct vy_json *row, enum slots_kind kind, struct vy_str project)
{
	return vy_str_is(vy_json_str(row, "kind"), slots_word(kind)) &&
	       vy_str_eq(vy_json_str(row, "project"), project);
}

/* The row of limits of a project, of the box when it is empty; made when there is none. */
static struct vy_json *row_of(struct answer *a, enum slots_kind kind, struct vy_str project)
{
	for (size_t i = 0; i < vy_json_len(a->limits); i++) {
		if (is_row(vy_json_at(a->limits, i), kind, project)) {
			return vy_json_at(a->limits, i);
		}
	}
	char *name = project.n ? vy_memdup0(project.p, project.n) : NULL;

	vy_json_add_take(a->limits, limit_json(a, kind, name));
	free(name);
	return vy_json_at(a->limits, vy_json_len(a->limits) - 1);
}

static void count(struct vy_json *row, int64_t position)
{
	const char *what = position ? "waiting" : "used";

	vy_json_set_int(row, what, vy_json_int(row, what, 0) + 1);
}

static bool is_asked(const struct answer *a, struct vy_str project)
{
	return a->project.n == 0 || vy_str_eq(project, a->project);
}

static void add_place(void *ctx, const struct slots_who *who, int64_t position, int64_t since)
{
	struct answer *a = ctx;

	count(row_of(a, who->kind, vy_str_n(NULL, 0)), position);
	if (!is_asked(a, who->project)) {
		return;
	}
	if (who->project.n) {
		count(row_of(a, who->kind, who->project), position);
	}
	if (a->may && !a->may(a->ctx, who->session)) {
		return;
	}
	struct vy_json *o = vy_json_new_obj(), *list = position ? a->waiting : a->holders;
	size_t at = vy_json_len(list);

	vy_json_set_c(o, "kind", slots_word(who->kind));
	if (who->project.n) {
		vy_json_set_str(o, "project", who->project);
	}
	vy_json_set_str(o, "session", who->session);
	vy_json_set_str(o, "holder", who->holder);
	if (position) {
		vy_json_set_int(o, "position", position);
		while (at > 0 && vy_json_int(vy_json_at(list, at - 1), "position", 0) > position &&
			is_row(vy_json_at(list, at - 1), who->kind,
				vy_json_str(vy_json_at(list, at - 1), "project"))) {
			at--;
		}
	}
	vy_json_set_int(o, "since", since);
	vy_json_insert_take(list, at, o);
}

struct vy_json *slots_json(
	const struct slots *s, struct vy_str project, slots_may_fn *may, void *ctx)
{
	struct answer a = { s, project, may, ctx, vy_json_new_arr(), vy_json_new_arr(),
		vy_json_new_arr() };
	struct vy_json *o = vy_json_new_obj();
	const struct set_limit *l;

	for (unsigned k = 0; k < SLOTS_KINDS; k++) {
		(void)row_of(&a, (enum slots_kind)k, vy_str_n(NULL, 0));
		if (project.n) {
			(void)row_of(&a, (enum slots_kind)k, project);
		}
	}
	TAILQ_FOREACH (l, &s->limits, link) {
		if (is_asked(&a, vy_str_c(l->project))) {
			(void)row_of(&a, l->kind, vy_str_c(l->project));
		}
	}
	slots_each(s, add_place, &a);
	vy_json_take(o, "slots", a.limits);
	vy_json_take(o, "holders", a.holders);
	vy_json_take(o, "waiting", a.waiting);
	return o;
}
