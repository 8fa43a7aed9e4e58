/* payer.c -- see payer.h. */
#include "server/session/payer.h"

#include <stdlib.h>
#include <string.h>

#include "server/provider/auth.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define PAYER_VERSION 1

struct known {
	char *provider, *auth;
	struct vy_json *limit; /* NULL: nothing was said */
	int64_t until;         /* used up before; 0: it is not */
	bool is_guess;         /* that is our own word */
};

struct waiter {
	char *session;
	int64_t until;
};

struct payer {
	struct known *known;
	size_t n_known, cap_known;
	struct waiter *waits;
	size_t n_waits, cap_waits;
};

/* ---- the value ---- */

struct payer *payer_new(void)
{
	return VY_NEW(struct payer);
}

void payer_free(struct payer *p)
{
	if (!p) {
		return;
	}
	for (size_t i = 0; i < p->n_known; i++) {
		free(p->known[i].provider);
		free(p->known[i].auth);
		vy_json_free(p->known[i].limit);
	}
	for (size_t i = 0; i < p->n_waits; i++) {
		free(p->waits[i].session);
	}
	free(p->known);
	free(p->waits);
	free(p);
}

static struct known *find(const struct payer *p, const char *provider, const char *auth)
{
	for (size_t i = 0; i < p->n_known; i++) {
		if (strcmp(p->known[i].provider, provider) == 0 &&
			strcmp(p->known[i].auth, auth) == 0) {
			return &p->known[i];
		}
	}
	return NULL;
}

static struct known *find_or_add(struct payer *p, const char *provider, const char *auth)
{
	struct known *k = find(p, provider, auth);

	if (!k) {
		p->known = vy_grow(p->known, &p->cap_known, p->n_known + 1, sizeof(*p->known));
		k = &p->known[p->n_known++];
		*k = (struct known){ .provider = vy_strdup(provider), .auth = vy_strdup(auth) };
	}
	return k;
}

struct vy_json *payer_encode(const struct payer *p)
{
	struct vy_json *o = vy_json_new_obj(), *known = vy_json_new_arr(),
		       *waits = vy_json_new_arr();

	for (size_t i = 0; i < p->n_known; i++) {
		const struct known *k = &p->known[i];
		struct vy_json *v = vy_json_new_obj();

		vy_json_set_c(v, "provider", k->provider);
		vy_json_set_c(v, "auth", k->auth);
		vy_json_set(v, "limit", k->limit);
		vy_json_set_int(v, "until", k->until);
		vy_json_set_bool(v, "guess", k->is_guess);
		vy_json_add_take(known, v);
	}
	for (size_t i = 0; i < p->n_waits; i++) {
		struct vy_json *v = vy_json_new_obj();

		vy_json_set_c(v, "session", p->waits[i].session);
		vy_json_set_int(v, "until", p->waits[i].until);
		vy_json_add_take(waits, v);
	}
	vy_json_set_int(o, "v", PAYER_VERSION);
	vy_json_take(o, "known", known);
	vy_json_take(o, "waits", waits);
	return o;
}

struct payer *payer_decode(const struct vy_json *v, struct vy_err *e)
{
	const struct vy_json *known = vy_json_get(v, "known"), *waits = vy_json_get(v, "waits");
	struct payer *p = payer_new();

	for (size_t i = 0; i < vy_json_len(known); i++) {
		const struct vy_json *o = vy_json_at(known, i);
		const char *provider = vy_json_cstr(o, "provider"), *auth = vy_json_cstr(o, "auth");

		if (provider && auth_is(auth)) {
			struct known *k = find_or_add(p, provider, auth);
			const struct vy_json *limit = vy_json_get(o, "limit");

			k->until = vy_json_int(o, "until", 0);
			k->is_guess = vy_json_bool(o, "guess", false);
			vy_json_free(k->limit);
			k->limit = vy_json_type(limit) == VY_JSON_OBJ ? vy_json_copy(limit) : NULL;
		}
	}
	for (size_t i = 0; i < vy_json_len(waits); i++) {
		const struct vy_json *o = vy_json_at(waits, i);

		if (vy_json_cstr(o, "session")) {
			payer_wait(p, vy_json_cstr(o, "session"), vy_json_int(o, "until", 0));
		}
	}
	if (vy_json_int(v, "v", 0) != PAYER_VERSION) {
		vy_fail(e, VY_CORRUPT, "what is known of limits is damaged");
		payer_free(p);
		return NULL;
	}
	return p;
}

/* ---- what agents say ---- */

/* 0 when it is no time to wait for: past, or said by a clock that is wrong. */
static int64_t in_reach(int64_t until, int64_t now)
{
	return until > now && until <= now + PAYER_MOST_MS ? until : 0;
}

bool payer_heard(struct payer *p, const char *provider, const char *auth,
	const struct vy_json *limit, int64_t now)
{
	struct known *k = find_or_add(p, provider, auth);
	bool is_used_up = vy_str_is(vy_json_str(limit, "status"), "rejected");
	int64_t until = is_used_up ? in_reach(vy_json_int(limit, "resets_at", 0), now) : 0;

	if (k->limit && vy_json_equal(k->limit, limit) && k->until == until) {
		return false;
	}
	vy_json_free(k->limit);
	k->limit = vy_json_copy(limit);
	k->until = until;
	k->is_guess = false;
	return true;
}

int64_t payer_reached(struct payer *p, const char *provider, const char *auth, int64_t now)
{
	struct known *k = find_or_add(p, provider, auth);

	if (in_reach(k->until, now) == 0) {
		k->until = now + PAYER_GUESS_MS;
		k->is_guess = true;
	}
	return k->until;
}

/* ---- who pays ---- */

int64_t payer_until(const struct payer *p, const char *provider, const char *auth, int64_t now)
{
	const struct known *k = find(p, provider, auth);

	return k ? in_reach(k->until, now) : 0;
}

const char *payer_of(
	const struct payer *p, const struct provider_conf *pc, bool has_second, int64_t now)
{
	const char *first = auth_of(pc);
	bool is_second = pc->fallback && has_second && payer_until(p, pc->name, first, now) > 0 &&
			 payer_until(p, pc->name, pc->fallback, now) == 0;

	return is_second ? pc->fallback : first;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a == 0 || (b > 0 && b < a) ? b : a;
}

struct payer_next payer_next(const struct payer *p, const struct provider_conf *pc,
	const char *auth, bool has_second, int64_t now)
{
	const char *first = auth_of(pc);
	const char *other = strcmp(auth, first) != 0 ? first : has_second ? pc->fallback : NULL;
	int64_t until = payer_until(p, pc->name, auth, now);
	int64_t then = other ? payer_until(p, pc->name, other, now) : 0;
	bool is_other_sooner = until == 0 || (then > 0 && then < until);
	struct payer_next next = { .auth = other, .until = until };

	if (!other || then > 0) {
		next.auth = NULL;
		next.until = sooner(until, then);
	}
	const struct known *k =
		find(p, pc->name, !next.auth && other && is_other_sooner ? other : auth);

	next.is_guess = k && k->is_guess;
	return next;
}

struct vy_json *payer_limit(const struct payer *p, const char *provider, const char *auth)
{
	const struct known *k = find(p, provider, auth);

	return k ? k->limit : NULL;
}

/* ---- who waits ---- */

bool payer_wait_no_more(struct payer *p, const char *session)
{
	for (size_t i = 0; i < p->n_waits; i++) {
		if (strcmp(p->waits[i].session, session) == 0) {
			free(p->waits[i].session);
			p->waits[i] = p->waits[--p->n_waits];
			return true;
		}
	}
	return false;
}

void payer_wait(struct payer *p, const char *session, int64_t until)
{
	payer_wait_no_more(p, session);
	p->waits = vy_grow(p->waits, &p->cap_waits, p->n_waits + 1, sizeof(*p->waits));
	p->waits[p->n_waits++] = (struct waiter){ vy_strdup(session), until };
}

int64_t payer_due(const struct payer *p)
{
	int64_t due = 0;

	for (size_t i = 0; i < p->n_waits; i++) {
		due = sooner(due, p->waits[i].until);
	}
	return due;
}

char *payer_take_due(struct payer *p, int64_t now)
{
	for (size_t i = 0; i < p->n_waits; i++) {
		if (p->waits[i].until <= now) {
			char *session = vy_strdup(p->waits[i].session);

			payer_wait_no_more(p, session);
			return session;
		}
	}
	return NULL;
}
