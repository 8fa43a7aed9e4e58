/* table_delete.c -- a session goes for good: hidden at once, ended, and buried when nothing is left.
 *
 * Hidden is a mark in its record, so a vyred that dies in between goes on with it. The burial is a
 * transaction of its own behind all that was said of the session before. */
#include "server/session/table_in.h"

#include <stdlib.h>

#include "server/hub/observe.h"
#include "server/log/log.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct burial {
	struct table *table;
	char id[VY_UUID_LEN + 1];
};

struct names {
	struct vy_str id;
	struct vy_json *list;
};

static bool add_draft(void *ctx, const struct store_row *row)
{
	struct names *n = ctx;

	if (row->kv.name.n > n->id.n && memcmp(row->kv.name.p, n->id.p, n->id.n) == 0) {
		vy_json_add_take(n->list, vy_json_new_str(row->kv.name));
	}
	return true;
}

/* Of everybody who had begun to write to it. */
static void delete_drafts(struct table *t, struct vy_str id)
{
	struct store_row like = { .kind = ROW_KV, .kv = { .space = VY_STR_LIT("draft") } };
	VY_AUTO_JSON *list = vy_json_new_arr();
	struct names n = { id, list };

	(void)!log_each(t->conf.log, &like, add_draft, &n, NULL);
	for (size_t i = 0; i < vy_json_len(list); i++) {
		LOG_DEL(t->conf.log, ROW_KV, kv, .space = VY_STR_LIT("draft"),
			.name = vy_json_strval(vy_json_at(list, i)));
	}
}

static void bury(void *ctx, bool committed)
{
	struct burial *b = ctx;
	struct vy_str id = vy_str_c(b->id);
	struct session *s = committed ? table_loaded(b->table, id) : NULL;

	if (s) {
		struct table *t = b->table;

		session_forget_marks(s);
		table_drop(t, s);
		observe_forget(t->conf.observe, b->id);
		delete_drafts(t, id);
		LOG_DEL(t->conf.log, ROW_KV, kv, .space = VY_STR_LIT("turn"), .name = id);
		LOG_DEL(t->conf.log, ROW_SESSION, session, .session = id);
		vy_log(VY_LOG_INFO, "session.deleted", "session=%s", b->id);
	}
	free(b);
}

void table_bury(struct table *t, struct session *s)
{
	struct burial *b = VY_NEW(struct burial);

	b->table = t;
	snprintf(b->id, sizeof(b->id), "%s", session_id(s));
	log_after(t->conf.log, bury, b);
}

int table_delete(struct table *t, struct session *s, struct vy_err *e)
{
	(void)t;
	if (session_is_busy(s)) {
		return vy_fail(e, VY_CONFLICT, "a turn runs in this session: end it first");
	}
	session_delete(s);
	return 0;
}

/* ---- what an earlier vyred had begun ---- */

static bool add_deleted(void *ctx, const struct store_row *row)
{
	static const char mark[] = "\"deleted\":true";
	struct vy_str doc = row->session.doc;

	if (memmem(doc.p, doc.n, mark, sizeof(mark) - 1)) {
		VY_AUTO_JSON *v = vy_json_parse(doc, NULL);

		if (vy_json_bool(vy_json_get(v, "own"), "deleted", false)) {
			vy_json_add_take(ctx, vy_json_new_str(row->session.session));
		}
	}
	return true;
}

void table_go_on_deleting(struct table *t)
{
	struct store_row like = { .kind = ROW_SESSION };
	VY_AUTO_JSON *list = vy_json_new_arr();

	(void)!log_each(t->conf.log, &like, add_deleted, list, NULL);
	for (size_t i = 0; i < vy_json_len(list); i++) {
		struct vy_str id = vy_json_strval(vy_json_at(list, i));
		struct vy_err e = { 0 };
		struct session *s = table_loaded(t, id);

		s = s ? s : table_load(t, id, &e);
		if (s) {
			session_delete(s);
		} else { /* damaged: there is nothing of it that could run */
			LOG_DEL(t->conf.log, ROW_SESSION, session, .session = id);
		}
	}
}
