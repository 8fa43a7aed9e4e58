/* m_adopt.c -- sessions that other programs left in their own folders: listed, and made ours. */
#include "server/rpc/handler.h"

#include <stdlib.h>

#include "server/adopt/attic.h"
#include "server/provider/adopt.h"
#include "server/session/table.h"
#include "server/session/table_adopt.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define LIMIT 200

struct listing {
	struct rpc_later *later;
	struct table *table;
};

static void set_or_null(struct vy_json *o, const char *key, const char *s)
{
	if (s) {
		vy_json_set_c(o, key, s);
	} else {
		vy_json_set_null(o, key);
	}
}

/* Of one that is ours the agent may be ours, too: then nobody else has it open. */
static bool is_live(struct table *t, struct vy_str session)
{
	struct session *s = session.n ? table_find(t, session, NULL) : NULL;

	return s && session_is_live(s);
}

static struct vy_json *row(
	struct table *t, const struct attic_item *item, const struct vy_json *ours)
{
	struct vy_json *o = vy_json_new_obj();
	VY_AUTO_BUF key = VY_BUF_INIT(1024);

	vy_buf_addf(&key, "%s %s", item->provider, item->id);
	struct vy_str session = vy_json_str(ours, vy_buf_c(&key));

	vy_json_set_c(o, "provider", item->provider);
	vy_json_set_c(o, "id", item->id);
	set_or_null(o, "cwd", item->cwd);
	set_or_null(o, "title", item->title);
	vy_json_set_int(o, "updated", item->updated);
	vy_json_set_int(o, "size", item->size);
	vy_json_set_bool(o, "open",
		!is_live(t, session) && table_adopt_is_open(t, vy_str_c(item->id), item->updated));
	vy_json_set_c(o, "path", item->path);
	if (session.n) {
		vy_json_set_str(o, "session", session);
	}
	if (item->is_gone) {
		vy_json_set_bool(o, "gone", true);
	}
	if (item->is_archived) {
		vy_json_set_bool(o, "archived", true);
	}
	vy_json_set_c(o, "why", item->why);
	return o;
}

static void on_listed(void *ctx, const struct attic_list *list)
{
	struct listing *l = ctx;
	struct vy_json *o = vy_json_new_obj(), *rows = vy_json_new_arr(),
		       *unread = vy_json_new_arr();
	VY_AUTO_JSON *ours = list ? table_ours(l->table) : NULL;
	struct vy_err e = { 0 };

	for (size_t i = 0; list && i < list->n; i++) {
		vy_json_add_take(rows, row(l->table, &list->items[i], ours));
	}
	for (size_t i = 0; list && i < list->n_unread; i++) {
		struct vy_json *u = vy_json_new_obj();

		vy_json_set_c(u, "provider", list->unread[i].provider);
		vy_json_set_c(u, "path", list->unread[i].path);
		vy_json_set_c(u, "why", list->unread[i].why);
		vy_json_add_take(unread, u);
	}
	vy_json_take(o, "sessions", rows);
	vy_json_set_bool(o, "more", list && list->has_more);
	vy_json_take(o, "unread", unread);
	if (list) {
		rpc_told(l->later, o, NULL);
	} else {
		vy_fail(&e, VY_GONE, "vyred ends: ask the one that is started next");
		vy_json_free(o);
		rpc_told(l->later, NULL, &e);
	}
	free(l);
}

static struct vy_json *threads_adoptable(struct rpc_call *c, struct vy_err *e)
{
	const struct vy_json *before = vy_json_get(c->params, "before");
	const struct attic_ask ask = { .cwd = vy_json_str(c->params, "cwd"),
		.limit = (size_t)vy_json_int(c->params, "limit", LIMIT),
		.before_provider = vy_json_str(before, "provider"),
		.before_id = vy_json_str(before, "id"),
		.before_updated = vy_json_int(before, "updated", 0) };
	struct listing *l;

	if (!c->house->attic) {
		vy_fail(e, VY_UNSUPPORTED,
			"this server does not look for other programs' sessions");
		return NULL;
	}
	l = VY_NEW(struct listing);
	l->later = rpc_later(c);
	l->table = c->house->table;
	attic_list(c->house->attic, &ask, on_listed, l);
	return NULL;
}

static void on_adopted(void *ctx, struct session *made, const struct vy_err *why)
{
	struct vy_json *o = made ? vy_json_new_obj() : NULL;

	if (made) {
		vy_json_set_c(o, "session", session_id(made));
	}
	rpc_told(ctx, o, why);
}

static struct vy_json *threads_adopt(struct rpc_call *c, struct vy_err *e)
{
	const struct table_adopt what = { .provider = vy_json_str(c->params, "provider"),
		.id = vy_json_str(c->params, "id"),
		.person = vy_str_c(c->who->person) };

	(void)e;
	table_adopt(c->house->table, &what, on_adopted, rpc_later(c));
	return NULL;
}

const struct rpc_handler m_adopt[] = {
	{ "threads.adoptable", threads_adoptable },
	{ "threads.adopt", threads_adopt },
	{ 0 },
};
