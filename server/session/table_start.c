/* table_start.c -- a new session: what the caller said, checked, and what it did not say, chosen. */
#include "server/session/table_in.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/io/agent_user.h"
#include "server/session/env.h"
#include "server/session/session_in.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

/* "claude, codex, demo". */
static void list_providers(const struct table *t, struct vy_buf *out)
{
	const struct provider_conf *pc;

	for (size_t i = 0; t->conf.provider_at && (pc = t->conf.provider_at(t->conf.ctx, i)); i++) {
		vy_buf_addf(out, "%s%s", i ? ", " : "", pc->name);
	}
}

static int known_provider(
	struct table *t, struct vy_str name, const struct provider_conf **out, struct vy_err *e)
{
	VY_AUTO_BUF known = VY_BUF_INIT(4096);
	char *word = vy_memdup0(name.p, name.n);

	*out = t->conf.provider(t->conf.ctx, word);
	free(word);
	if (!*out) {
		list_providers(t, &known);
		return vy_fail(e, VY_NOT_FOUND,
			"params.provider: there is no provider \"%.*s\": this vyred knows %s",
			VY_STR_ARG(name), vy_buf_c(&known));
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
	const struct agent_user *au = table_agent_user(t);

	if (au) {
		vy_fail(e, VY_BAD_INPUT,
			"params.cwd: agents are the user %s here, who may not enter vyre's own "
			"folders: name one that %s can work in",
			au->name, au->name);
		return NULL;
	}
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

struct vy_json *table_caps_json(const struct provider_caps *c)
{
	struct vy_json *o = vy_json_new_obj();

#define PROVIDER_CAP(member, name, what) vy_json_set_bool(o, name, c->member);
#include "server/provider/caps.def"
#undef PROVIDER_CAP
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

/* What an agent starts is bounded as it is itself: by its tools, and by what it has left to spend. */
static int bound(struct table *t, struct record *r, const struct table_start *st, struct vy_err *e)
{
	const struct session *by = st->started_by.n ? table_loaded(t, st->started_by) : NULL;

	r->tools = session_tools_handed_on(by, st->tools);
	r->budget_usd = st->budget_usd;
	if (by && session_record(by)->budget_usd > 0) {
		r->budget_usd = session_budget_left(by);
		if (r->budget_usd <= 0) {
			return vy_fail(e, VY_DENIED,
				"what the session that starts this one may cost is spent");
		}
	}
	return 0;
}

/* An agent that does not know what is built in chooses for itself. */
static void choose_model(struct table *t, struct record *r, struct vy_str asked)
{
	struct defaults_choice c = table_model(t, r->project, r->purpose);
	bool is_built_in = strcmp(c.from, "default") == 0;

	if (is_built_in && !provider_find(r->driver)->knows_built_in) {
		c.model = "";
	}
	record_set(&r->model, asked.n ? asked : vy_str_c(c.model));
	record_set(&r->model_from, vy_str_c(asked.n ? "explicit" : c.from));
}

int table_fill(struct table *t, struct record *r, const struct table_start *st, struct vy_err *e)
{
	struct vy_str name = st->provider.n ? st->provider : VY_STR_LIT("claude");
	const struct provider_conf *pc;

	if (known_provider(t, name, &pc, e) != 0 || session_tools_check(st->tools, e) != 0) {
		return -1;
	}
	if (st->tools && !provider_find(pc->kind)->caps.can_tools) {
		return vy_fail(
			e, VY_UNSUPPORTED, "%s cannot be kept to some of its tools", pc->name);
	}
	r->cwd = st->cwd.n ? vy_memdup0(st->cwd.p, st->cwd.n) : own_folder(t, r->session, e);
	if (!r->cwd || good_folder(r->cwd, e) != 0) {
		return -1;
	}
	record_set(&r->provider, vy_str_c(pc->name));
	record_set(&r->driver, vy_str_c(pc->kind));
	record_set(&r->auth, vy_str_c(table_pays(t, pc)));
	r->limits = vy_json_ref(table_limit(t, pc->name, r->auth));
	record_set(&r->project, st->project);
	record_set(&r->purpose, st->purpose.n ? st->purpose : vy_str_c(purpose_of(st)));
	choose_model(t, r, st->model);
	record_set(&r->system, st->system);
	record_set(&r->person, st->person);
	record_set(&r->started_by, st->started_by);
	r->title = st->title.n ? record_title_from(st->title) : NULL;
	r->is_titled = r->title != NULL;
	r->is_once = st->is_once;
	r->env = env_allowed(st->env);
	if (bound(t, r, st, e) != 0) {
		return -1;
	}
	r->capabilities = table_caps_json(&provider_find(pc->kind)->caps);
	return 0;
}

struct session *table_start(struct table *t, const struct table_start *st, struct vy_err *e)
{
	char id[VY_UUID_LEN + 1];

	if (!table_has_room(t)) {
		(void)!table_refuse_start(t, e);
		return NULL;
	}
	vy_uuid(id);
	struct record *r = record_new(id);

	r->created = r->updated = vy_wall_ms(t->conf.clock);
	if (table_fill(t, r, st, e) != 0) {
		record_free(r);
		return NULL;
	}
	struct session *s = table_spare_take(t, &r, st);

	if (!s) {
		s = table_keep(t, session_new(t, r));
	}
	table_spare_learn(t, st);
	vy_log(VY_LOG_INFO, "session.new", "session=%s provider=%s cwd=%s", session_id(s),
		session_record(s)->provider, vy_log_q(session_record(s)->cwd));
	if (st->mode.n && session_set_mode(s, st->mode, e) != 0) {
		table_unstart(t, s);
		return NULL;
	}
	return s;
}

void table_unstart(struct table *t, struct session *s)
{
	VY_AUTO_BUF own = VY_BUF_INIT(4096);

	vy_log(VY_LOG_INFO, "session.none", "session=%s", session_id(s));
	vy_buf_addf(&own, "%s/work/%s", t->conf.state_dir, session_id(s));
	rmdir(vy_buf_c(&own)); /* its own folder, if it got one */
	if (session_is_live(s)) {
		session_end_spare(s); /* it was one */
		return;
	}
	table_drop(t, s);
}
