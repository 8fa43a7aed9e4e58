/* session_start.c -- the agent of a session: launched with what it may have, heard, and gone. */
#include "server/session/session_in.h"

#include <stdlib.h>

#include "server/io/agent_user.h"
#include "server/log/log.h"
#include "server/session/env.h"
#include "server/session/rewind.h"
#include "server/session/table_adopt.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

/* ---- the handshake ---- */

#define LATE_MS 2000 /* a machine that slept, or did not let us run, is no proof of anything */

static void hello_is_over(struct session *s)
{
	vy_timer_del(s->hello);
	s->hello = NULL;
}

static void on_no_hello(void *ctx)
{
	struct session *s = ctx;
	const struct agent_event ev = { .kind = AE_BROKEN,
		.text = VY_STR_LIT("The agent did not answer within 30 seconds of its start, so it "
				   "was ended.") };
	bool is_late = vy_boot_ms(s->conf->clock) > s->hello_due + LATE_MS;

	hello_is_over(s);
	if (is_late || log_trouble(s->conf->log)) { /* perhaps it has, and we could not hear it */
		session_await_hello(s);
		return;
	}
	if (turn_is_unready(s->turn)) {
		vy_log(VY_LOG_ERROR, "agent.mute", "session=%s", session_id(s));
		turn_heard(s->turn, &ev, &s->fx);
		session_run(s);
	}
}

void session_await_hello(struct session *s)
{
	if (!s->hello && turn_is_unready(s->turn)) {
		s->hello = vy_loop_timer(s->conf->loop, on_no_hello, s);
		s->hello_due = vy_boot_ms(s->conf->clock) + VY_HELLO_MS;
		vy_timer_set(s->hello, VY_HELLO_MS);
	}
}

/* ---- what its runner says ---- */

static void on_started(void *ctx)
{
	struct session *s = ctx;

	turn_started(s->turn, &s->fx);
	session_await_hello(s);
	session_tell_asked(s);
	session_tell_files(s);
	session_run(s);
}

static void on_heard(void *ctx, const struct agent_event *ev)
{
	struct session *s = ctx;

	if (ev->kind == AE_OTHER_WAY) {
		s->says_other_way = true;
		return;
	}
	if (ev->kind == AE_REPLY) {
		session_replied(s, ev);
		return;
	}
	if (ev->kind == AE_FILES) {
		session_files_heard(s, ev->json);
	}
	if (ev->kind == AE_SESSION) {
		record_set(&s->record->agent_id, ev->text);
		s->is_record_new = true;
	}
	if (ev->kind == AE_READY) {
		hello_is_over(s);
		session_keep_offer(s, ev->json);
	} else if (ev->kind == AE_COMMANDS) {
		VY_AUTO_JSON *said = vy_json_new_obj();

		vy_json_set(said, "commands", ev->json);
		session_keep_offer(s, said);
	}
	if (ev->kind == AE_ASK && session_floor_refuses(s, ev)) {
		return;
	}
	if (ev->kind == AE_ASK) {
		session_place(s, ev->json);
	}
	if (ev->kind == AE_TOOL_DONE) {
		session_keep_picture(s, ev->json);
	}
	if (ev->kind == AE_TAKEN) { /* from now on the turn knows that it can be resumed */
		VY_CRASH(WORD_TAKEN);
		s->is_other_way = s->was_turned_round = false;
	}
	if (ev->kind == AE_NOTE) {
		session_limit_heard(s, vy_json_get(ev->json, "limit"));
	}
	if (ev->kind == AE_TURN_END && ev->is_limit) {
		session_limited(s, ev);
	} else {
		turn_heard(s->turn, ev, &s->fx);
	}
	session_slot_heard(s, ev);
	if (ev->kind == AE_USAGE) {
		session_pay(s);
	}
	session_run(s);
}

static void drop_runner(struct session *s)
{
	hello_is_over(s);
	session_asked_drop(s);
	runner_free(s->runner);
	s->runner = NULL;
	s->conf->socket_close(s->conf->ctx, s->record->session);
	table_elsewhere_left(s->table, s);
	table_slot_give_all(s->table, SLOTS_SUBAGENT, s->record->session, false);
}

bool session_is_over(struct session *s)
{
	if (s->record->is_deleted && !s->runner && LIST_EMPTY(&s->shells)) {
		table_bury(s->table, s);
	}
	return s->record->is_deleted;
}

void session_delete(struct session *s)
{
	if (s->conf->terms) {
		terms_end_session(s->conf->terms, s->record->session);
	}
	s->record->is_deleted = s->is_record_new = true;
	session_touch(s);
	table_unwant(s->table, s);
	session_shells_end(s, 0);
	if (s->runner) {
		runner_end(s->runner, 0);
	}
	table_life_is(s->table, s);
	(void)session_is_over(s);
}

static void on_unborn(void *ctx)
{
	struct session *s = ctx;

	drop_runner(s);
	if (s->is_spare) {
		table_spare_gone_as(s);
		return;
	}
	if (session_is_over(s)) {
		return;
	}
	turn_unborn(s->turn, &s->fx);
	session_run(s);
}

static void on_gone(void *ctx, const char *why)
{
	struct session *s = ctx;
	int64_t untold = runner_first_untold(s->runner);
	bool is_again = s->says_other_way && !s->was_turned_round;

	drop_runner(s);
	if (s->is_spare) {
		table_spare_gone_as(s);
		return;
	}
	table_adopt_rested(s->table, s);
	table_slot_give_all(s->table, SLOTS_TEAMMATE, s->record->session, false);
	if (session_is_over(s)) {
		return;
	}
	if (s->says_other_way) {
		s->is_other_way = is_again && !s->is_other_way;
	}
	s->says_other_way = false;
	s->was_turned_round = is_again;
	turn_untold(s->turn, untold, &s->fx);
	if (is_again) {
		session_files_gone(s, true);
		turn_again(s->turn, &s->fx);
	} else {
		session_files_gone(s, false);
		turn_gone(s->turn, vy_str_c(why), &s->fx);
	}
	session_run(s);
}

static int secret(void *ctx, const char *name, struct vy_buf *out, struct vy_err *e)
{
	struct session *s = ctx;

	return s->conf->secret(s->conf->ctx, name, out, e);
}

static const struct runner_ops runner_callbacks = {
	.secret = secret,
	.started = on_started,
	.heard = on_heard,
	.gone = on_gone,
	.unborn = on_unborn,
};

struct runner_conf session_runner_conf(struct session *s, const struct provider_ops *driver)
{
	return (struct runner_conf){
		.loop = s->conf->loop,
		.log = s->conf->log,
		.state_dir = s->conf->state_dir,
		.session = s->record->session,
		.orphan_s = s->conf->orphan_s(s->conf->ctx),
		.observe = s->conf->observe,
		.driver = driver,
		.ops = &runner_callbacks,
		.ctx = s,
	};
}

static struct vy_json *hello_json(const struct session *s, struct vy_str system, bool is_resume)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "model", s->record->model);
	vy_json_set_str(o, "mode", turn_mode_get(s->turn));
	vy_json_set_str(o, "system", system);
	vy_json_set_bool(o, "resume", is_resume);
	return o;
}

/* A folder nobody trusted: the agent runs with the user's own settings only, and it is said once. */
static void tell_of_trust(struct session *s, bool is_trusted)
{
	if (s->is_spare) {
		return; /* there is nobody to tell */
	}
	if (is_trusted || s->record->was_told_of_trust || strcmp(s->record->driver, "demo") == 0) {
		return;
	}
	s->record->was_told_of_trust = s->is_record_new = true;
	turn_note(s->turn,
		"This folder is not trusted yet: its own agent settings (hooks, MCP servers, "
		"environment) are left out. /trust, or `vyre-tui trust` here, lets them be used.",
		&s->fx);
}

void session_tell_of_trust(struct session *s)
{
	tell_of_trust(s, table_is_trusted(s->table, s->record->cwd));
}

struct launch {
	struct provider_spawn spawn;
	const char *const *env;
	struct provider_launch spec;
};

static int prepare(struct session *s, const struct provider_conf *pc,
	const struct provider_ops *driver, struct launch *l, struct vy_arena *a, struct vy_err *e)
{
	const struct record *r = s->record;
	VY_AUTO_BUF system = VY_BUF_INIT(TABLE_SYSTEM_MAX);
	const struct agent_user *au = table_agent_user(s->table);
	struct env_source src = {
		.home = au ? au->home : s->conf->home,
		.user = au ? au->name : s->conf->user,
		.path = au ? au->path : s->conf->path,
		.is_other_user = au != NULL,
		.session = r->session,
		.person = r->env,
		.conf = pc->env,
	};
	const char *missing = driver->missing(pc, env_path(&src), a);

	if (missing) {
		return vy_fail(e, VY_NOT_FOUND, "%s", missing);
	}
	table_system(s->table, r, &system);
	l->spec = (struct provider_launch){
		.conf = pc,
		.auth = table_pays(s->table, pc),
		.session = session_str(s),
		.agent_id = vy_str_c(r->agent_id),
		.is_resume = turn_is_taken(s->turn) != s->is_other_way,
		.mark = vy_str_c(turn_rewind(s->turn)->at),
		.fork_of = vy_str_c(turn_rewind(s->turn)->fork_of),
		.is_trusted = table_is_trusted(s->table, r->cwd),
		.is_job = vy_str_is(vy_str_c(r->purpose), "job"),
		.model = vy_str_c(r->model),
		.mode = turn_mode_get(s->turn),
		.budget_usd = session_budget_left(s),
		.tools = r->tools,
		.system = vy_arena_str(a, vy_buf_str(&system)),
		.cwd = vy_str_c(r->cwd),
		.self = s->conf->self,
		.state_dir = au ? NULL : s->conf->state_dir, /* which it cannot enter */
	};
	if (driver->launch(&l->spec, &l->spawn, a, e) != 0) {
		return vy_wrap(e, "starting %s", pc->name);
	}
	src.socket = s->conf->socket_open(s->conf->ctx, r->session, r->person);
	src.driver = l->spawn.env;
	l->env = env_make(&src, a);
	return 0;
}

static void add_words(struct vy_buf *b, const char *what, const char *const *v)
{
	for (size_t i = 0; v && v[i]; i++) {
		vy_buf_addf(b, "%s %zu %s\n", what, strlen(v[i]), v[i]);
	}
}

/* Sizes stand before words, so that no two launches read the same. */
bool session_launch_key(struct session *s, struct vy_buf *key)
{
	const struct provider_conf *pc = s->conf->provider(s->conf->ctx, s->record->provider);
	const struct provider_ops *driver = pc ? provider_find(pc->kind) : NULL;
	const struct agent_user *au = table_agent_user(s->table);
	struct launch l = { 0 };
	struct vy_err e = { 0 };
	struct vy_arena a;

	vy_arena_init(&a);
	bool is_good = driver && prepare(s, pc, driver, &l, &a, &e) == 0;

	if (is_good) {
		VY_AUTO_JSON *hello = hello_json(s, l.spec.system, l.spec.is_resume);
		const char *const more[] = { driver->kind, s->record->provider, s->record->cwd,
			s->record->auth ? s->record->auth : "", au ? au->name : "",
			l.spawn.secret_name ? l.spawn.secret_name : "",
			s->record->person ? s->record->person : "", NULL };

		add_words(key, "arg", l.spawn.argv);
		add_words(key, "env", l.env);
		add_words(key, "of", more);
		vy_json_dump_canonical(hello, key);
		vy_buf_addc(key, '\n');
	}
	vy_arena_fini(&a);
	return is_good;
}

void session_start_agent(struct session *s)
{
	const struct provider_conf *pc = s->conf->provider(s->conf->ctx, s->record->provider);
	const struct provider_ops *driver = pc ? provider_find(pc->kind) : NULL;
	struct launch l = { 0 };
	struct vy_arena a;
	struct vy_err e = { 0 };

	vy_arena_init(&a);
	if (!driver) {
		vy_fail(&e, VY_NOT_FOUND, "the provider %s is not configured any more",
			s->record->provider);
	}
	if (!driver || prepare(s, pc, driver, &l, &a, &e) != 0) {
		session_asked_drop(s);
		table_slot_give_all(s->table, SLOTS_TEAMMATE, s->record->session, false);
		session_files_gone(s, false);
		turn_gone(s->turn, vy_str_c(e.text), &s->fx);
	} else {
		struct runner_conf rc = session_runner_conf(s, driver);
		VY_AUTO_JSON *hello = hello_json(s, l.spec.system, l.spec.is_resume);
		const struct agent_user *au = table_agent_user(s->table);
		struct runner_start start = {
			.user = au ? au->name : NULL,
			.argv = l.spawn.argv,
			.env = l.env,
			.cwd = s->record->cwd,
			.secret_name = l.spawn.secret_name,
			.own_agent = driver->new (&l.spec),
			.hello = hello,
		};

		tell_of_trust(s, l.spec.is_trusted);
		session_is_paid(s, l.spec.auth);
		s->runner = runner_new(&rc, &start);
		runner_pause(s->runner, log_trouble(s->conf->log) != NULL);
	}
	vy_arena_fini(&a);
}
