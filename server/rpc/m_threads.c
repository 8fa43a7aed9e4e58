/* m_threads.c -- a session's life: start, list, get, send, interrupt, stop, name, archive, trust. */
#include <stdlib.h>
#include <sys/stat.h>

#include "server/auth/authority.h"
#include "server/hub/hub.h"
#include "server/log/log.h"
#include "server/rpc/handler.h"
#include "server/session/runner.h"
#include "server/session/table.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define STOP_GRACE_MS 5000

/* ---- start and send ---- */

static enum agent_when when_of(struct vy_str mode)
{
	return vy_str_is(mode, "now")     ? AGENT_NOW
	       : vy_str_is(mode, "queue") ? AGENT_QUEUE
					  : AGENT_STEER;
}

/* The key of a send is the message's uuid towards the agent. */
static struct vy_str message_of(const struct rpc_call *c, char uuid[VY_UUID_LEN + 1])
{
	if (c->key.n == 0 || vy_is_uuid(c->key)) {
		return c->key;
	}
	vy_uuid_of(c->key, uuid);
	return vy_str_c(uuid);
}

static struct vy_json *say(struct rpc_call *c, struct session *s, struct vy_err *e)
{
	char uuid[VY_UUID_LEN + 1];
	struct session_say w = {
		.message = message_of(c, uuid),
		.text = vy_json_str(c->params, "text"),
		.author = c->author,
		.surface = vy_str_c(c->who->surface),
		.images = vy_json_get(c->params, "images"),
		.when = when_of(vy_json_str(c->params, "mode")),
	};

	return session_say(s, &w, e);
}

static int agent_may_start(const struct rpc_call *c, struct vy_err *e)
{
	static const char *const not_theirs[] = { "mode", "system", "budget_usd", "slots" };

	if (c->who->kind == CALLER_PERSON) {
		return 0;
	}
	if (c->who->kind != CALLER_AGENT || !c->house->agents_may_start(c->house->ctx)) {
		return vy_fail(e, VY_PERSON_ONLY,
			"Only a person can start a session here ([sessions] agents_may_start=no)");
	}
	for (size_t i = 0; i < VY_COUNT(not_theirs); i++) {
		if (vy_json_get(c->params, not_theirs[i])) {
			return vy_fail(e, VY_PERSON_ONLY,
				"Only a person can start a session with %s", not_theirs[i]);
		}
	}
	return 0;
}

/* Better refused than taken and not kept. */
static int can_start(const struct rpc_call *c, struct vy_err *e)
{
	if (vy_json_len(vy_json_get(c->params, "images")) > 0) {
		return vy_fail(e, VY_NOT_FOUND,
			"params.images: a session that is not there yet has no images; start it, "
			"then send them");
	}
	return 0;
}

static struct vy_json *threads_start(struct rpc_call *c, struct vy_err *e)
{
	struct table_start st = {
		.provider = vy_json_str(c->params, "provider"),
		.cwd = vy_json_str(c->params, "cwd"),
		.project = vy_json_str(c->params, "project"),
		.purpose = vy_json_str(c->params, "purpose"),
		.model = vy_json_str(c->params, "model"),
		.mode = vy_json_str(c->params, "mode"),
		.title = vy_json_str(c->params, "title"),
		.system = vy_json_str(c->params, "system"),
		.person = vy_str_c(c->who->person),
		.started_by = vy_str_c(c->who->kind == CALLER_AGENT ? c->who->session : ""),
		.env = vy_json_get(c->params, "env"),
		.tools = vy_json_get(c->params, "tools"),
		.budget_usd = vy_json_num(c->params, "budget_usd", 0),
		.is_once = vy_json_bool(c->params, "once", false),
	};
	char *cwd = NULL;

	if (agent_may_start(c, e) != 0 || can_start(c, e) != 0) {
		return NULL;
	}
	if (st.cwd.n) { /* one folder, one name: trust and "the newest of this folder" go by it */
		char *given = vy_memdup0(st.cwd.p, st.cwd.n);

		cwd = realpath(given, NULL);
		free(given);
		if (cwd) {
			st.cwd = vy_str_c(cwd);
		}
	}
	struct session *s = table_start(c->house->table, &st, e);

	free(cwd);
	if (!s) {
		return NULL;
	}
	if (vy_json_str(c->params, "text").n) {
		VY_AUTO_JSON *sent = say(c, s, e);

		if (!sent) {
			table_unstart(c->house->table, s);
			return NULL;
		}
	}
	return session_json(s);
}

static struct vy_json *threads_send(struct rpc_call *c, struct vy_err *e)
{
	return say(c, c->session, e);
}

/* ---- list and get ---- */

struct listing {
	const struct vy_json *filter;
	const struct caller *who;
	struct vy_json *out;
};

static bool matches(const struct vy_json *filter, const struct vy_json *record, const char *key)
{
	struct vy_str want = vy_json_str(filter, key);

	return want.n == 0 || vy_str_eq(want, vy_json_str(record, key));
}

static bool holds_text(const struct vy_json *filter, const struct vy_json *record)
{
	struct vy_str want = vy_json_str(filter, "text"), title = vy_json_str(record, "title");

	return want.n == 0 || (title.n && memmem(title.p, title.n, want.p, want.n));
}

static bool may_see(const struct caller *who, const struct table_item *item)
{
	struct authority_session as = { item->id, item->person, item->started_by };

	return authority_judge(who, VY_REACH_ANYONE, false, true, &as) == AUTHORITY_ALLOWED;
}

static bool list_one(void *ctx, const struct table_item *item)
{
	struct listing *l = ctx;
	const struct vy_json *record = item->record;
	bool archived = vy_json_bool(record, "archived", false);

	if (archived == vy_json_bool(l->filter, "archived", false) && may_see(l->who, item) &&
		matches(l->filter, record, "project") && matches(l->filter, record, "state") &&
		matches(l->filter, record, "provider") && matches(l->filter, record, "cwd") &&
		holds_text(l->filter, record)) {
		vy_json_add_take(l->out, vy_json_copy(record));
	}
	return true;
}

static struct vy_json *threads_list(struct rpc_call *c, struct vy_err *e)
{
	struct listing l = { vy_json_get(c->params, "filter"), c->who, vy_json_new_arr() };

	if (c->who->kind == CALLER_UNKNOWN) {
		vy_json_free(l.out);
		vy_fail(e, VY_PERSON_ONLY, "Only a person can list sessions");
		return NULL;
	}
	/* of a damaged store, those that can be read */
	if (table_each(c->house->table, list_one, &l, e) != 0 && !log_is_read_only(c->house->log)) {
		vy_json_free(l.out);
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_take(o, "threads", l.out);
	vy_json_take(o, "paused", rpc_paused(c));
	return o;
}

static struct vy_json *threads_get(struct rpc_call *c, struct vy_err *e)
{
	(void)e;
	return session_json(c->session);
}

static struct vy_json *threads_output(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str id = vy_str_c(session_id(c->session)), ref = vy_json_str(c->params, "ref");
	int64_t off = vy_json_int(c->params, "offset", 0);
	int64_t limit = vy_json_int(c->params, "limit", 256 * VY_KIB), total = 0;
	VY_AUTO_BUF raw = VY_BUF_INIT(2 * VY_MIB);

	vy_buf_reserve(&raw, (size_t)limit);
	int64_t n = log_output(c->house->log, id, ref, off, raw.data, (size_t)limit, &total, e);

	if (n < 0) {
		return NULL;
	}
	struct vy_str piece = vy_str_n(raw.data, (size_t)n);
	struct vy_json *o = vy_json_new_obj();

	if (off + n < total) {
		piece.n -= vy_utf8_unfinished(piece);
	}
	/* A limit below one character: its bytes, or the reader would not come on. */
	if (vy_utf8_is_valid(piece) && (piece.n > 0 || n == 0)) {
		vy_json_set_str(o, "text", piece);
	} else {
		VY_AUTO_BUF b64 = VY_BUF_INIT(4 * VY_MIB);

		piece.n = (size_t)n;
		vy_buf_reserve(&b64, piece.n * 4 / 3 + 8);
		b64.len = vy_base64(piece.p, piece.n, b64.data);
		vy_json_set_str(o, "b64", vy_buf_str(&b64));
	}
	vy_json_set_int(o, "offset", off);
	vy_json_set_int(o, "total", total);
	vy_json_set_bool(o, "more", off + (int64_t)piece.n < total);
	return o;
}

/* ---- ends ---- */

static struct vy_json *one_bool(const char *key, bool value)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_bool(o, key, value);
	return o;
}

static struct vy_json *threads_interrupt(struct rpc_call *c, struct vy_err *e)
{
	bool was_busy;

	/* Esc ends the turn; with none, the commands that a person runs, and only they may. */
	if (!session_is_busy(c->session) && c->who->kind == CALLER_PERSON &&
		session_shells_end(c->session, -1) > 0) {
		return one_bool("interrupted", true);
	}
	return session_interrupt(c->session, &was_busy, e) == 0 ? one_bool("interrupted", was_busy)
								: NULL;
}

static struct vy_json *threads_stop(struct rpc_call *c, struct vy_err *e)
{
	int64_t grace = vy_json_int(c->params, "grace_ms", STOP_GRACE_MS);

	return session_stop(c->session, grace, e) == 0 ? one_bool("stopping", true) : NULL;
}

/* ---- name, place, trust, pids ---- */

static struct vy_json *one_str(const char *key, struct vy_str value)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, key, value);
	return o;
}

static struct vy_json *threads_rename(struct rpc_call *c, struct vy_err *e)
{
	if (session_rename(c->session, vy_json_str(c->params, "title"), e) != 0) {
		return NULL;
	}
	return session_json(c->session);
}

static struct vy_json *archive(struct rpc_call *c, bool is_archived, struct vy_err *e)
{
	return session_archive(c->session, is_archived, e) == 0 ? session_json(c->session) : NULL;
}

static struct vy_json *threads_archive(struct rpc_call *c, struct vy_err *e)
{
	return archive(c, true, e);
}

static struct vy_json *threads_unarchive(struct rpc_call *c, struct vy_err *e)
{
	return archive(c, false, e);
}

static struct vy_json *threads_delete(struct rpc_call *c, struct vy_err *e)
{
	if (table_delete(c->house->table, c->session, e) != 0) {
		return NULL;
	}
	return one_bool("deleted", true);
}

static void trust_one(void *ctx, struct session *s)
{
	if (strcmp(session_record(s)->cwd, ctx) == 0) {
		session_trust_changed(s);
	}
}

static struct vy_json *threads_trust(struct rpc_call *c, struct vy_err *e)
{
	struct vy_str given = vy_json_str(c->params, "cwd");
	char *word = vy_memdup0(given.p, given.n), *cwd = realpath(word, NULL);
	struct vy_json *o = NULL;

	if (given.n == 0 || given.p[0] != '/' || !cwd) {
		vy_fail(e, VY_BAD_INPUT,
			"params.cwd: expected the absolute path of a folder, got \"%s\"", word);
	} else {
		bool on = vy_json_bool(c->params, "trusted", true);

		table_trust(c->house->table, cwd, on);
		table_each_loaded(c->house->table, trust_one, cwd);
		o = one_str("cwd", vy_str_c(cwd));
		vy_json_set_bool(o, "trusted", on);
	}
	free(word);
	free(cwd);
	return o;
}

struct pid_list {
	struct vy_json *out;
};

static void add_pids(void *ctx, struct session *s)
{
	struct pid_list *l = ctx;
	struct runner_pids p;

	if (session_is_spare(s) || !session_pids(s, &p) || p.pid == 0) {
		return;
	}
	struct vy_json *o = vy_json_new_obj(), *groups = vy_json_new_arr(),
		       *sids = vy_json_new_arr();
	size_t at = 0;

	vy_json_add_take(groups, vy_json_new_int(p.pgid));
	vy_json_add_take(sids, vy_json_new_int(p.sid));
	vy_json_set_c(o, "session", session_id(s));
	vy_json_set_int(o, "pid", p.pid);
	vy_json_take(o, "pgids", groups);
	vy_json_take(o, "sids", sids);
	while (at < vy_json_len(l->out) && vy_json_int(vy_json_at(l->out, at), "pid", 0) < p.pid) {
		at++;
	}
	vy_json_insert_take(l->out, at, o);
}

static struct vy_json *threads_pids(struct rpc_call *c, struct vy_err *e)
{
	struct pid_list l = { vy_json_new_arr() };
	struct vy_json *o = vy_json_new_obj();

	(void)e;
	table_each_loaded(c->house->table, add_pids, &l);
	vy_json_take(o, "pids", l.out);
	return o;
}

const struct rpc_handler m_threads[] = {
	{ "threads.start", threads_start },
	{ "threads.send", threads_send },
	{ "threads.list", threads_list },
	{ "threads.get", threads_get },
	{ "threads.output", threads_output },
	{ "threads.interrupt", threads_interrupt },
	{ "threads.stop", threads_stop },
	{ "threads.rename", threads_rename },
	{ "threads.delete", threads_delete },
	{ "threads.archive", threads_archive },
	{ "threads.unarchive", threads_unarchive },
	{ "threads.trust", threads_trust },
	{ "threads.pids", threads_pids },
	{ 0 },
};
