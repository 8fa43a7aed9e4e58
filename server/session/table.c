/* table.c -- see table.h. */
#include "server/session/table.h"

#include <stdlib.h>

#include "server/io/agent_user.h"
#include "server/log/log.h"
#include "server/session/table_in.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* ---- from the store ---- */

struct reading {
	struct vy_json *record, *turn;
};

static bool read_row(void *ctx, const struct store_row *row)
{
	struct reading *r = ctx;

	if (row->kind == ROW_SESSION) {
		r->record = vy_json_parse(row->session.doc, NULL);
	} else {
		r->turn = vy_json_parse(row->kv.value, NULL);
	}
	return false;
}

struct session *table_load(struct table *t, struct vy_str id, struct vy_err *e)
{
	struct reading r = { 0 };
	struct store_row rec = { .kind = ROW_SESSION, .session = { .session = id } };
	struct store_row turn = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT("turn"), .name = id } };
	struct session *s = NULL;

	bool has_record = log_each(t->conf.log, &rec, read_row, &r, e) == 0;
	bool has_turn = log_each(t->conf.log, &turn, read_row, &r, e) == 0;

	/* Of a damaged store, what can be read is enough. */
	if ((has_record && has_turn) || (r.record && log_is_read_only(t->conf.log))) {
		if (!r.record) {
			vy_fail(e, VY_NOT_FOUND, "there is no session %.*s", VY_STR_ARG(id));
		} else if (!r.turn && !log_is_read_only(t->conf.log)) {
			vy_fail(e, VY_CORRUPT, "the stored state of session %.*s is damaged",
				VY_STR_ARG(id));
		} else {
			struct record *record = record_decode(r.record, e);

			s = record ? session_load(t, record, r.turn, e) : NULL;
		}
		if (s && !vy_str_is(id, session_id(s))) {
			session_free(s);
			s = NULL;
			vy_fail(e, VY_CORRUPT, "the stored record of session %.*s is another's",
				VY_STR_ARG(id));
		}
	}
	vy_json_free(r.record);
	vy_json_free(r.turn);
	return s ? table_keep(t, s) : NULL;
}

struct session *table_find(struct table *t, struct vy_str id, struct vy_err *e)
{
	struct session *s = table_loaded(t, id);

	if (s && !session_record(s)->is_deleted && !session_is_spare(s)) {
		return s;
	}
	if (s || !vy_is_uuid(id)) {
		vy_fail(e, VY_NOT_FOUND, "there is no session %.*s", VY_STR_ARG(id));
		return NULL;
	}
	s = table_load(t, id, e);
	if (s) {
		session_settle(s);
	}
	return s;
}

static bool read_ask(void *ctx, const struct store_row *row)
{
	char *session = ctx;

	snprintf(session, VY_UUID_LEN + 1, "%.*s", VY_STR_ARG(row->ask.session));
	return false;
}

struct session *table_find_by_ask(struct table *t, struct vy_str ask, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_ASK, .ask = { .ask = ask } };
	char session[VY_UUID_LEN + 1] = "";

	if (ask.n && log_each(t->conf.log, &like, read_ask, session, e) != 0) {
		return NULL;
	}
	if (!session[0]) {
		vy_fail(e, VY_NOT_FOUND, "there is no such ask");
		return NULL;
	}
	return table_find(t, vy_str_c(session), e);
}

/* ---- listing ---- */

struct listing {
	struct table *t;
	table_each_fn *fn;
	void *ctx;
};

static bool list_row(void *ctx, const struct store_row *row)
{
	struct listing *l = ctx;
	struct session *s = table_loaded(l->t, row->session.session);

	if (s) {
		const struct record *r = session_record(s);

		if (r->is_deleted) {
			return true;
		}
		VY_AUTO_JSON *doc = session_json(s);
		struct table_item item = { doc, r->session, r->person, r->started_by };

		return l->fn(l->ctx, &item);
	}
	VY_AUTO_JSON *doc = vy_json_parse(row->session.doc, NULL);
	VY_AUTO_JSON *own = vy_json_ref(vy_json_get(doc, "own"));
	struct table_item item = { doc, vy_json_cstr(doc, "session"), vy_json_cstr(own, "person"),
		vy_json_cstr(own, "started_by") };

	if (!item.id) {
		return true; /* damaged: threads.get says so */
	}
	vy_json_del(doc, "own");
	return l->fn(l->ctx, &item);
}

int table_each(struct table *t, table_each_fn *fn, void *ctx, struct vy_err *e)
{
	struct listing l = { t, fn, ctx };
	struct store_row like = { .kind = ROW_SESSION };

	return log_each(t->conf.log, &like, list_row, &l, e);
}

static bool count_row(void *ctx, const struct store_row *row)
{
	(void)row;
	++*(int64_t *)ctx;
	return true;
}

int64_t table_count(struct table *t)
{
	struct store_row like = { .kind = ROW_SESSION };
	int64_t n = 0;

	return log_each(t->conf.log, &like, count_row, &n, NULL) == 0 ? n : 0;
}

/* ---- trust ---- */

static bool found(void *ctx, const struct store_row *row)
{
	*(bool *)ctx = vy_str_is(row->kv.value, "yes");
	return false;
}

bool table_is_trusted(struct table *t, const char *cwd)
{
	struct store_row like = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT("trust"), .name = vy_str_c(cwd) } };
	bool is_trusted = false;

	return log_each(t->conf.log, &like, found, &is_trusted, NULL) == 0 && is_trusted;
}

void table_trust(struct table *t, const char *cwd, bool is_trusted)
{
	LOG_PUT(t->conf.log, ROW_KV, kv, .space = VY_STR_LIT("trust"), .name = vy_str_c(cwd),
		.value = is_trusted ? VY_STR_LIT("yes") : VY_STR_LIT("no"));
}

const struct agent_user *table_agent_user(const struct table *t)
{
	return t->conf.agent_user ? t->conf.agent_user(t->conf.ctx) : NULL;
}

void table_guard(struct table *t, const struct record *r, struct guard_context *out)
{
	const struct provider_conf *pc = t->conf.provider(t->conf.ctx, r->provider);

	const struct agent_user *au = table_agent_user(t);

	*out = (struct guard_context){
		.cwd = vy_str_c(r->cwd),
		.home = vy_str_c(au ? au->home : t->conf.home),
		.state_dir = vy_str_c(t->conf.state_dir),
		.config_file = vy_str_c(t->conf.config_file),
		.agent_config_dir = vy_json_str(pc ? pc->env : NULL, "CLAUDE_CONFIG_DIR"),
	};
}
