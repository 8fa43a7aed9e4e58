/* table.c -- see table.h. */
#include "server/session/table.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <uthash.h>

#include "server/io/hold_sweep.h"
#include "server/log/log.h"
#include "server/session/env.h"
#include "server/session/runner.h"
#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct entry {
	char id[VY_UUID_LEN + 1];
	struct session *session;
	UT_hash_handle hh;
};

struct table {
	struct table_conf conf;
	struct entry *entries; /* by id */
};

const struct table_conf *table_conf(const struct table *t)
{
	return &t->conf;
}

static void on_paused(void *ctx, bool is_paused, const struct vy_err *why)
{
	struct table *t = ctx;
	struct entry *e, *tmp;

	(void)why; /* the log has said it */
	HASH_ITER (hh, t->entries, e, tmp) {
		session_pause(e->session, is_paused);
	}
}

struct table *table_new(const struct table_conf *conf)
{
	struct table *t = VY_NEW(struct table);

	t->conf = *conf;
	log_on_paused(conf->log, on_paused, t);
	return t;
}

void table_free(struct table *t)
{
	struct entry *e, *tmp;

	if (!t) {
		return;
	}
	log_on_paused(t->conf.log, NULL, NULL);
	HASH_ITER (hh, t->entries, e, tmp) {
		HASH_DEL(t->entries, e);
		session_free(e->session);
		free(e);
	}
	free(t);
}

static struct session *keep(struct table *t, struct session *s)
{
	struct entry *e = VY_NEW(struct entry);

	snprintf(e->id, sizeof(e->id), "%s", session_id(s));
	e->session = s;
	HASH_ADD_STR(t->entries, id, e);
	return s;
}

static struct session *loaded(struct table *t, struct vy_str id)
{
	struct entry *e = NULL;

	HASH_FIND(hh, t->entries, id.p, id.n, e);
	return e ? e->session : NULL;
}

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

static struct session *load(struct table *t, struct vy_str id, struct vy_err *e)
{
	struct reading r = { 0 };
	struct store_row rec = { .kind = ROW_SESSION, .session = { .session = id } };
	struct store_row turn = { .kind = ROW_KV,
		.kv = { .space = VY_STR_LIT("turn"), .name = id } };
	struct session *s = NULL;

	if (log_each(t->conf.log, &rec, read_row, &r, e) == 0 &&
		log_each(t->conf.log, &turn, read_row, &r, e) == 0) {
		if (!r.record) {
			vy_fail(e, VY_NOT_FOUND, "there is no session %.*s", VY_STR_ARG(id));
		} else if (!r.turn) {
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
	return s ? keep(t, s) : NULL;
}

struct session *table_find(struct table *t, struct vy_str id, struct vy_err *e)
{
	struct session *s = loaded(t, id);

	if (s) {
		return s;
	}
	if (!vy_is_uuid(id)) {
		vy_fail(e, VY_NOT_FOUND, "there is no session %.*s", VY_STR_ARG(id));
		return NULL;
	}
	s = load(t, id, e);
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
		vy_fail(e, VY_NOT_FOUND, "there is no such question");
		return NULL;
	}
	return table_find(t, vy_str_c(session), e);
}

/* ---- boot ---- */

struct live_copy {
	struct row_live row;
	struct live_copy *next;
};

static struct vy_str copy(struct vy_str s)
{
	return vy_str_n(vy_memdup0(s.p, s.n), s.n);
}

static bool read_live(void *ctx, const struct store_row *row)
{
	struct live_copy **list = ctx, *c = VY_NEW(struct live_copy);

	c->row = row->live;
	c->row.session = copy(row->live.session);
	c->row.hid = copy(row->live.hid);
	c->row.token = copy(row->live.token);
	c->row.driver_state = copy(row->live.driver_state);
	c->row.extra = copy(row->live.extra);
	c->next = *list;
	*list = c;
	return true;
}

static void free_live(struct live_copy *c)
{
	const struct vy_str parts[] = { c->row.session, c->row.hid, c->row.token,
		c->row.driver_state, c->row.extra };

	for (size_t i = 0; i < VY_COUNT(parts); i++) {
		free((char *)(uintptr_t)parts[i].p);
	}
	free(c);
}

static bool is_live_hid(void *ctx, const char *hid)
{
	const struct live_copy *c = *(struct live_copy **)ctx;

	while (c && !vy_str_is(c->row.hid, hid)) {
		c = c->next;
	}
	return c != NULL;
}

/* An agent whose session cannot be read, or that has another one, is nobody's. */
static void go_on(struct table *t, const struct row_live *live)
{
	struct vy_err e = { 0 };
	struct session *s = loaded(t, live->session) ? NULL : load(t, live->session, &e);

	vy_log(s ? VY_LOG_INFO : VY_LOG_ERROR, "boot.live", "session=%s hid=%s found=%s",
		live->session.p, live->hid.p, s ? "yes" : vy_log_q(e.text));
	if (s) {
		session_go_on(s, live);
	} else {
		runner_abandon(t->conf.log, t->conf.state_dir, live);
	}
}

void table_boot(struct table *t)
{
	struct store_row like = { .kind = ROW_LIVE };
	struct live_copy *list = NULL;
	struct vy_err e = { 0 };

	if (log_each(t->conf.log, &like, read_live, &list, &e) != 0) {
		vy_log(VY_LOG_ERROR, "boot", "why=%s", vy_log_q(e.text));
	} else {
		int strays = hold_end_strays(t->conf.state_dir, is_live_hid, &list);

		vy_log(strays ? VY_LOG_INFO : VY_LOG_DEBUG, "boot.strays", "n=%d", strays);
	}
	while (list) {
		struct live_copy *c = list;

		list = c->next;
		go_on(t, &c->row);
		free_live(c);
	}
}

/* ---- starting one ---- */

static int known_provider(
	struct table *t, struct vy_str name, const struct provider_conf **out, struct vy_err *e)
{
	char *word = vy_memdup0(name.p, name.n);

	*out = t->conf.provider(t->conf.ctx, word);
	free(word);
	if (!*out) {
		return vy_fail(e, VY_NOT_FOUND,
			"params.provider: there is no provider \"%.*s\" (providers.list says which "
			"there are)",
			VY_STR_ARG(name));
	}
	return 0;
}

static int good_folder(const char *cwd, struct vy_err *e)
{
	struct stat st;

	if (cwd[0] != '/') {
		return vy_fail(
			e, VY_BAD_INPUT, "params.cwd: expected an absolute path, got \"%s\"", cwd);
	}
	if (stat(cwd, &st) != 0) {
		return vy_fail(e, VY_BAD_INPUT, "params.cwd: %s: %s", cwd, strerror(errno));
	}
	if (!S_ISDIR(st.st_mode)) {
		return vy_fail(e, VY_BAD_INPUT, "params.cwd: %s is not a folder", cwd);
	}
	return 0;
}

/* A session without a folder gets one of its own, below the state folder. */
static char *own_folder(struct table *t, const char *id, struct vy_err *e)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4096);

	vy_buf_addf(&b, "%s/work", t->conf.state_dir);
	if (mkdir(b.data, 0700) != 0 && errno != EEXIST) {
		vy_fail_errno(e, errno, "making %s", b.data);
		return NULL;
	}
	vy_buf_addf(&b, "/%s", id);
	if (mkdir(b.data, 0700) != 0 && errno != EEXIST) {
		vy_fail_errno(e, errno, "making %s", b.data);
		return NULL;
	}
	return vy_buf_take(&b, NULL);
}

static struct vy_json *caps_json(const struct provider_caps *c)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_bool(o, "steer", c->can_steer);
	vy_json_set_bool(o, "interrupt", c->can_interrupt);
	vy_json_set_bool(o, "take_back", c->can_take_back);
	vy_json_set_bool(o, "resume", c->can_resume);
	vy_json_set_bool(o, "asks", c->can_ask);
	vy_json_set_bool(o, "plans", c->can_plan);
	vy_json_set_bool(o, "images", c->can_images);
	vy_json_set_bool(o, "models", c->can_model);
	vy_json_set_bool(o, "modes", c->has_modes);
	vy_json_set_bool(o, "thinking", c->has_thinking);
	return o;
}

/* Of a session that was started without saying. */
static const char *purpose_of(const struct table_start *st)
{
	return st->is_once        ? "job"
	       : st->started_by.n ? "agent"
	       : st->project.n    ? "project"
				  : "chat";
}

static int fill(struct table *t, struct record *r, const struct table_start *st, struct vy_err *e)
{
	struct vy_str name = st->provider.n ? st->provider : VY_STR_LIT("claude");
	const struct provider_conf *pc;

	if (known_provider(t, name, &pc, e) != 0) {
		return -1;
	}
	r->cwd = st->cwd.n ? vy_memdup0(st->cwd.p, st->cwd.n) : own_folder(t, r->session, e);
	if (!r->cwd || good_folder(r->cwd, e) != 0) {
		return -1;
	}
	record_set(&r->provider, vy_str_c(pc->name));
	record_set(&r->driver, vy_str_c(pc->kind));
	record_set(&r->auth, vy_str_c(pc->auth ? pc->auth : "login"));
	record_set(&r->project, st->project);
	record_set(&r->purpose, st->purpose.n ? st->purpose : vy_str_c(purpose_of(st)));
	record_set(&r->model,
		st->model.n ? st->model
			    : vy_str_c(t->conf.model(t->conf.ctx, r->project, r->purpose)));
	record_set(&r->system, st->system);
	record_set(&r->person, st->person);
	record_set(&r->started_by, st->started_by);
	r->title = st->title.n ? record_title_from(st->title) : NULL;
	r->is_titled = r->title != NULL;
	r->is_once = st->is_once;
	r->env = env_allowed(st->env);
	r->capabilities = caps_json(&provider_find(pc->kind)->caps);
	return 0;
}

struct session *table_start(struct table *t, const struct table_start *st, struct vy_err *e)
{
	char id[VY_UUID_LEN + 1];

	vy_uuid(id);
	struct record *r = record_new(id);

	r->created = r->updated = vy_wall_ms(t->conf.clock);
	if (fill(t, r, st, e) != 0) {
		record_free(r);
		return NULL;
	}
	struct session *s = keep(t, session_new(t, r));

	vy_log(VY_LOG_INFO, "session.new", "session=%s provider=%s cwd=%s", id, r->provider,
		vy_log_q(r->cwd));
	if (st->mode.n && session_set_mode(s, st->mode, e) != 0) {
		return NULL;
	}
	return s;
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
	struct session *s = loaded(l->t, row->session.session);

	if (s) {
		const struct record *r = session_record(s);
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

void table_each_loaded(struct table *t, void (*fn)(void *ctx, struct session *s), void *ctx)
{
	struct entry *e, *tmp;

	HASH_ITER (hh, t->entries, e, tmp) {
		fn(ctx, e->session);
	}
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

/* ---- the end ---- */

static void drain_one(void *ctx, struct session *s)
{
	(void)ctx;
	session_drain(s);
}

void table_drain(struct table *t)
{
	table_each_loaded(t, drain_one, NULL);
}

static void count_live(void *ctx, struct session *s)
{
	*(size_t *)ctx += session_is_live(s) && !session_is_busy(s);
}

bool table_is_quiet(struct table *t)
{
	size_t live = 0;

	table_each_loaded(t, count_live, &live);
	return live == 0;
}

static void count_all(void *ctx, struct session *s)
{
	*(size_t *)ctx += session_is_live(s);
}

bool table_is_still(struct table *t)
{
	size_t live = 0;

	table_each_loaded(t, count_all, &live);
	return live == 0;
}

static void stop_one(void *ctx, struct session *s)
{
	if (session_is_live(s)) {
		(void)session_stop(s, *(int64_t *)ctx, NULL);
	}
}

void table_stop_all(struct table *t, int64_t grace_ms)
{
	table_each_loaded(t, stop_one, &grace_ms);
}

void table_guard(struct table *t, const struct record *r, struct guard_context *out)
{
	*out = (struct guard_context){
		.cwd = vy_str_c(r->cwd),
		.home = vy_str_c(t->conf.home),
		.state_dir = vy_str_c(t->conf.state_dir),
		.config_file = vy_str_c(t->conf.config_file),
	};
}
