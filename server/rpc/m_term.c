/* m_term.c -- term.open, term.attach, term.list, term.close. */
#include <stdlib.h>

#include "server/auth/ticket.h"
#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "server/term/terms.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static struct terms *terms_of(struct rpc_call *c, struct vy_err *e)
{
	if (!c->house->terms) {
		vy_fail(e, VY_UNSUPPORTED, "this server has no terminals");
	}
	return c->house->terms;
}

/* ---- a way to look at one ---- */

static struct vy_json *place(const struct rpc_conf *house, const struct caller *who,
	const struct term_facts *f, int64_t from, bool had_keys, struct vy_err *e)
{
	struct ticket_grant grant = { .caller = *who, .had_keys = had_keys };
	char ticket[TICKET_LEN + 1], path[256];

	snprintf(grant.session, sizeof(grant.session), "%s", f->session);
	snprintf(grant.term, sizeof(grant.term), "%s", f->id);
	vy_random_id(9, grant.viewer);
	if (ticket_issue(house->tickets, &grant, ticket, e) != 0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();
	int n = snprintf(path, sizeof(path), "/v1/streams/term/%s?ticket=%s", f->id, ticket);

	if (from >= 0) {
		snprintf(path + n, sizeof(path) - (size_t)n, "&from=%lld", (long long)from);
	}
	vy_json_set_c(o, "term", f->id);
	vy_json_set_c(o, "session", f->session);
	vy_json_set_c(o, "ticket", ticket);
	vy_json_set_c(o, "path", path);
	vy_json_set_int(o, "floor", (int64_t)f->floor);
	vy_json_set_int(o, "end", (int64_t)f->end);
	vy_json_set_int(o, "cols", f->cols);
	vy_json_set_int(o, "rows", f->rows);
	if (f->pid) {
		vy_json_set_int(o, "pid", f->pid);
	}
	if (f->ended) {
		vy_json_set_int(o, "ended", f->ended);
	}
	return o;
}

/* ---- open ---- */

struct opening {
	const struct rpc_conf *house;
	struct rpc_later *later;
	struct caller who;
};

static void on_opened(void *ctx, const struct term_facts *f, const struct vy_err *why)
{
	struct opening *o = ctx;
	struct vy_err e = why ? *why : (struct vy_err){ 0 };
	struct vy_json *result = f ? place(o->house, &o->who, f, -1, true, &e) : NULL;

	rpc_told(o->later, result, result ? NULL : &e);
	free(o);
}

static struct vy_json *term_open(struct rpc_call *c, struct vy_err *e)
{
	struct opening *o;
	struct vy_err why = { 0 };

	if (!terms_of(c, e)) {
		return NULL;
	}
	o = VY_NEW(struct opening);
	o->house = c->house;
	o->who = *c->who;
	o->later = rpc_later(c);
	if (session_term(c->session, (unsigned)vy_json_int(c->params, "cols", 80),
		    (unsigned)vy_json_int(c->params, "rows", 24), c->key, on_opened, o,
		    &why) != 0) {
		on_opened(o, NULL, &why);
	}
	return NULL;
}

/* ---- the others ---- */

/* The session it belongs to was found by it, and may be read. */
static const struct term_facts *named(struct rpc_call *c, struct vy_err *e)
{
	struct terms *terms = terms_of(c, e);
	const struct term_facts *f =
		terms ? terms_get(terms, vy_json_str(c->params, "term")) : NULL;

	if (terms && !f) {
		vy_fail(e, VY_NOT_FOUND, "there is no such terminal");
	}
	return f;
}

static struct vy_json *term_attach(struct rpc_call *c, struct vy_err *e)
{
	const struct term_facts *f = named(c, e);

	return f ? place(c->house, c->who, f, vy_json_int(c->params, "from", -1),
			   vy_json_bool(c->params, "keys", false), e)
		 : NULL;
}

static struct vy_json *term_close_(struct rpc_call *c, struct vy_err *e)
{
	const struct term_facts *f = named(c, e);

	if (!f) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "term", f->id);
	vy_json_set_bool(
		o, "closing", terms_close(c->house->terms, vy_json_str(c->params, "term")));
	return o;
}

struct listing {
	struct rpc_call *call;
	struct vy_json *list;
};

static struct vy_json *record(const struct term_facts *f)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "term", f->id);
	vy_json_set_c(o, "session", f->session);
	if (f->pid) {
		vy_json_set_int(o, "pid", f->pid);
	}
	vy_json_set_int(o, "cols", f->cols);
	vy_json_set_int(o, "rows", f->rows);
	vy_json_set_int(o, "started", f->started);
	vy_json_set_int(o, "viewers", f->viewers);
	vy_json_set_int(o, "floor", (int64_t)f->floor);
	vy_json_set_int(o, "end", (int64_t)f->end);
	if (f->ended) {
		vy_json_set_int(o, "ended", f->ended);
	}
	if (f->has_code) {
		vy_json_set_int(
			o, f->signal ? "signal" : "status", f->signal ? f->signal : f->status);
	}
	if (f->why[0]) {
		vy_json_set_c(o, "why", f->why);
	}
	return o;
}

static void add(void *ctx, const struct term_facts *f)
{
	struct listing *l = ctx;

	if (strcmp(f->person, l->call->who->person) == 0) {
		vy_json_add_take(l->list, record(f));
	}
}

static struct vy_json *term_list(struct rpc_call *c, struct vy_err *e)
{
	struct listing l = { c, vy_json_new_arr() };
	struct vy_json *o = vy_json_new_obj();

	(void)e;
	vy_json_take(o, "terms", l.list);
	if (c->house->terms) {
		terms_each(c->house->terms, c->session ? session_id(c->session) : NULL, add, &l);
	}
	return o;
}

const struct rpc_handler m_term[] = {
	{ "term.open", term_open },
	{ "term.attach", term_attach },
	{ "term.list", term_list },
	{ "term.close", term_close_ },
	{ 0 },
};
