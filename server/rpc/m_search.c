/* m_search.c -- threads.search: what was said anywhere, of the sessions this person may read. */
#include <stdlib.h>

#include "server/auth/authority.h"
#include "server/log/search.h"
#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define SEARCH_LIMIT 30

struct finding {
	const struct caller *who;
	struct vy_json *titles; /* of the sessions that may be read, by id */
	struct vy_json *hits;
	size_t limit;
	struct vy_str session; /* only of this one; empty: of all */
	bool more;
};

static bool add_title(void *ctx, const struct table_item *item)
{
	struct finding *f = ctx;
	struct authority_session as = { item->id, item->person, item->started_by };

	if (authority_judge(f->who, VY_REACH_ANYONE, false, true, &as) == AUTHORITY_ALLOWED &&
		(f->session.n == 0 || vy_str_is(f->session, item->id))) {
		vy_json_set_str(f->titles, item->id, vy_json_str(item->record, "title"));
	}
	return true;
}

static bool add_hit(void *ctx, const struct search_hit *hit)
{
	struct finding *f = ctx;
	char *id = vy_memdup0(hit->session.p, hit->session.n);
	struct vy_json *title = vy_json_get(f->titles, id), *o;

	free(id);
	if (!title) {
		return true;
	}
	if (vy_json_len(f->hits) == f->limit) {
		f->more = true;
		return false;
	}
	o = vy_json_new_obj();
	vy_json_set_str(o, "session", hit->session);
	vy_json_set(o, "title", title);
	vy_json_set_str(o, "message", hit->message);
	vy_json_set_str(o, "role", hit->role);
	vy_json_set_int(o, "time", hit->time);
	vy_json_set_str(o, "text", hit->text);
	vy_json_add_take(f->hits, o);
	return true;
}

static struct vy_json *threads_search(struct rpc_call *c, struct vy_err *e)
{
	VY_AUTO_JSON *titles = vy_json_new_obj(), *hits = vy_json_new_arr();
	struct finding f = { .who = c->who,
		.titles = titles,
		.hits = hits,
		.limit = (size_t)vy_json_int(c->params, "limit", SEARCH_LIMIT),
		.session = vy_json_str(c->params, "session") };
	bool behind = false;

	if (!c->house->search) {
		vy_fail(e, VY_UNSUPPORTED, "this server does not search");
		return NULL;
	}
	if (table_each(c->house->table, add_title, &f, e) < 0 ||
		search_find(c->house->search, vy_json_str(c->params, "query"), add_hit, &f, &behind,
			e) < 0) {
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_set(o, "hits", hits);
	vy_json_set_bool(o, "more", f.more);
	vy_json_set_bool(o, "behind", behind);
	return o;
}

const struct rpc_handler m_search[] = {
	{ "threads.search", threads_search },
	{ 0 },
};
