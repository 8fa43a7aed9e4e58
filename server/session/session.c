/* session.c -- see session.h.
 *
 * All effects of a session go through one list. run() does them in order; what a command makes the
 * agent's driver say at once is appended to the same list, so the order of things is the order
 * they happened in, however deep the call came from. */
#include "server/session/session.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "server/session/env.h"
#include "server/session/runner.h"
#include "server/session/table.h"
#include "shared/base/arena.h"
#include "shared/base/clock.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define SESSION_MAGIC 0x53455353u

struct session {
	VY_MAGIC;
	struct table *table;
	const struct table_conf *conf;
	struct record *record;
	struct turn *turn;
	struct runner *runner; /* NULL: no process */
	struct vy_arena arena;
	struct effects fx;
	size_t at; /* effects done */
	bool is_running, is_dirty;
	bool other_way;             /* the last launch said it was the wrong way round */
	bool was_other_way;         /* and it was tried both ways */
	uint64_t turn_rev;          /* of the stored turn */
	uint8_t doc[VY_SHA256_LEN]; /* digest of the stored record */
};

static void run(struct session *s);

static struct vy_str id_of(const struct session *s)
{
	return vy_str_c(s->record->session);
}

/* ---- rows ---- */

static void take_facts(struct session *s)
{
	struct record *r = s->record;
	VY_AUTO_JSON *facts = turn_facts(s->turn);
	char turn[VY_UUID_LEN + 32];

	record_set(&r->state, vy_str_c(turn_state(s->turn)));
	record_set(&r->mode, turn_mode_get(s->turn));
	if (turn_model_get(s->turn).n) {
		record_set(&r->model, turn_model_get(s->turn));
	}
	if (turn_number(s->turn) > 0) {
		snprintf(
			turn, sizeof(turn), "%s:%lld", r->session, (long long)turn_number(s->turn));
		record_set(&r->turn, vy_str_c(turn));
	}
	r->asks = (int64_t)turn_asks(s->turn);
	r->queued = (int64_t)turn_queued(s->turn);
	r->held = turn_is_held(s->turn);
	vy_json_free(r->usage);
	r->usage = vy_json_ref(vy_json_get(facts, "usage"));
	vy_json_free(r->tasks);
	r->tasks = vy_json_ref(vy_json_get(facts, "tasks"));
}

static void put_record(struct session *s)
{
	struct record *r = s->record;
	uint8_t digest[VY_SHA256_LEN];

	take_facts(s);
	VY_AUTO_JSON *doc = record_encode(r);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);

	vy_json_dump(doc, &text);
	vy_sha256(text.data, text.len, digest);
	if (memcmp(digest, s->doc, sizeof(digest)) == 0) {
		return;
	}
	r->updated = vy_wall_ms(s->conf->clock);
	vy_json_set_int(doc, "updated", r->updated);
	vy_buf_clear(&text);
	vy_json_dump(doc, &text);
	vy_sha256(text.data, text.len, s->doc);
	LOG_PUT(s->conf->log, ROW_SESSION, session, .session = id_of(s), .doc = vy_buf_str(&text),
		.project = vy_str_c(r->project), .state = vy_str_c(r->state), .updated = r->updated,
		.is_archived = r->is_archived);
}

static void put_turn(struct session *s)
{
	if (s->turn_rev == turn_rev(s->turn)) {
		return;
	}
	VY_AUTO_JSON *v = turn_encode(s->turn);
	VY_AUTO_BUF text = VY_BUF_INIT((size_t)VY_QUEUE_MAX * VY_SEND_TEXT_MAX * 2);

	vy_json_dump(v, &text);
	s->turn_rev = turn_rev(s->turn);
	LOG_PUT(s->conf->log, ROW_KV, kv, .space = VY_STR_LIT("turn"), .name = id_of(s),
		.value = vy_buf_str(&text));
}

static void stage(void *ctx)
{
	struct session *s = ctx;

	s->is_dirty = false;
	put_turn(s);
	put_record(s);
}

static void touch(struct session *s)
{
	if (!s->is_dirty) {
		s->is_dirty = true;
		vy_loop_defer(s->conf->loop, stage, s);
	}
}

/* ---- the agent's side ---- */

static void on_started(void *ctx)
{
	struct session *s = ctx;

	turn_started(s->turn, &s->fx);
	run(s);
}

static void on_heard(void *ctx, const struct agent_event *ev)
{
	struct session *s = ctx;

	if (ev->kind == AE_OTHER_WAY) {
		s->other_way = true;
		return;
	}
	if (ev->kind == AE_SESSION) {
		record_set(&s->record->agent_id, ev->text);
	}
	if (ev->kind == AE_TAKEN) {
		s->was_other_way = false;
	}
	turn_heard(s->turn, ev, &s->fx);
	run(s);
}

static void on_gone(void *ctx, const char *why)
{
	struct session *s = ctx;

	runner_free(s->runner);
	s->runner = NULL;
	s->conf->socket_close(s->conf->ctx, s->record->session);
	if (s->other_way && !s->was_other_way) {
		s->was_other_way = true;
		turn_again(s->turn, &s->fx);
	} else {
		s->other_way = s->was_other_way = false;
		turn_gone(s->turn, vy_str_c(why), &s->fx);
	}
	run(s);
}

static const struct runner_ops runner_callbacks = {
	.started = on_started,
	.heard = on_heard,
	.gone = on_gone,
};

static struct runner_conf runner_conf_of(struct session *s, const struct provider_ops *driver)
{
	return (struct runner_conf){
		.loop = s->conf->loop,
		.log = s->conf->log,
		.state_dir = s->conf->state_dir,
		.session = s->record->session,
		.orphan_s = s->conf->orphan_s,
		.driver = driver,
		.ops = &runner_callbacks,
		.ctx = s,
	};
}

static struct vy_json *hello_json(const struct session *s, bool is_resume)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "model", s->record->model);
	vy_json_set_str(o, "mode", turn_mode_get(s->turn));
	vy_json_set_c(o, "system", s->record->system);
	vy_json_set_bool(o, "resume", is_resume);
	return o;
}

/* A folder nobody trusted: the agent runs with the user's own settings only, and it is said once. */
static void tell_of_trust(struct session *s, bool is_trusted)
{
	if (is_trusted || s->record->was_told_of_trust || strcmp(s->record->driver, "demo") == 0) {
		return;
	}
	s->record->was_told_of_trust = true;
	turn_note(s->turn,
		"This folder is not trusted yet: its own agent settings (hooks, MCP servers, "
		"environment) are left out. Trust it to use them.",
		&s->fx);
}

struct launch {
	struct provider_spawn spawn;
	struct vy_buf secret;
	const char *const *env;
	struct provider_launch spec;
};

static int prepare(struct session *s, const struct provider_conf *pc,
	const struct provider_ops *driver, struct launch *l, struct vy_arena *a, struct vy_err *e)
{
	const struct record *r = s->record;
	struct env_source src = {
		.home = s->conf->home,
		.user = s->conf->user,
		.path = s->conf->path,
		.session = r->session,
		.person = r->env,
		.conf = pc->env,
	};
	const char *missing = driver->missing(pc, env_path(&src), a);

	if (missing) {
		return vy_fail(e, VY_NOT_FOUND, "%s", missing);
	}
	l->spec = (struct provider_launch){
		.conf = pc,
		.session = id_of(s),
		.agent_id = vy_str_c(r->agent_id),
		.is_resume = turn_is_taken(s->turn) != s->other_way,
		.is_trusted = table_is_trusted(s->table, r->cwd),
		.model = vy_str_c(r->model),
		.mode = turn_mode_get(s->turn),
		.system = vy_str_c(r->system),
		.cwd = vy_str_c(r->cwd),
		.self = s->conf->self,
	};
	if (driver->launch(&l->spec, &l->spawn, a, e) != 0) {
		return vy_wrap(e, "starting %s", pc->name);
	}
	if (l->spawn.secret_name &&
		s->conf->secret(s->conf->ctx, l->spawn.secret_name, &l->secret, e) != 0) {
		return -1;
	}
	src.socket = s->conf->socket_open(s->conf->ctx, r->session, r->person);
	src.driver = l->spawn.env;
	l->env = env_make(&src, a);
	return 0;
}

static void start_agent(struct session *s)
{
	const struct provider_conf *pc = s->conf->provider(s->conf->ctx, s->record->provider);
	const struct provider_ops *driver = pc ? provider_find(pc->kind) : NULL;
	struct launch l = { .secret = VY_BUF_INIT(VY_SECRET_MAX) };
	struct vy_arena a;
	struct vy_err e = { 0 };

	vy_arena_init(&a);
	if (!driver) {
		vy_fail(&e, VY_NOT_FOUND, "the provider %s is not configured any more",
			s->record->provider);
	}
	if (!driver || prepare(s, pc, driver, &l, &a, &e) != 0) {
		turn_gone(s->turn, vy_str_c(e.text), &s->fx);
	} else {
		struct runner_conf rc = runner_conf_of(s, driver);
		VY_AUTO_JSON *hello = hello_json(s, l.spec.is_resume);
		struct runner_start start = {
			.argv = l.spawn.argv,
			.env = l.env,
			.cwd = s->record->cwd,
			.secret = vy_buf_str(&l.secret),
			.own_agent = driver->new (&l.spec),
			.hello = hello,
		};

		tell_of_trust(s, l.spec.is_trusted);
		s->runner = runner_new(&rc, &start);
	}
	if (l.secret.len) {
		vy_wipe(l.secret.data, l.secret.len);
	}
	vy_buf_fini(&l.secret);
	vy_arena_fini(&a);
}

/* ---- effects ---- */

static void append_frame(struct session *s, struct vy_frame *f)
{
	struct vy_err e = { 0 };

	if (log_append(s->conf->log, s->record->session, f, &e) != 0) {
		vy_log(VY_LOG_ERROR, "session.frame", "session=%s kind=%s why=%s",
			s->record->session, vy_kind_word(f->kind), vy_log_q(e.text));
	}
}

/* The wire's images are refs into our store; the agent wants the bytes. */
static struct vy_json *images_with_bytes(struct session *s, const struct vy_json *refs)
{
	struct vy_json *out = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(refs); i++) {
		const struct vy_json *image = vy_json_at(refs, i);
		int64_t total = 0;
		VY_AUTO_BUF raw = VY_BUF_INIT(VY_SEND_TEXT_MAX);
		VY_AUTO_BUF b64 = VY_BUF_INIT(VY_SEND_TEXT_MAX * 2);

		if (log_output(s->conf->log, id_of(s), vy_json_str(image, "ref"), 0, NULL, 0,
			    &total, NULL) < 0 ||
			!vy_buf_reserve(&raw, (size_t)total) ||
			!vy_buf_reserve(&b64, (size_t)total * 4 / 3 + 8)) {
			continue;
		}
		int64_t n = log_output(s->conf->log, id_of(s), vy_json_str(image, "ref"), 0,
			raw.data, (size_t)total, &total, NULL);

		if (n > 0) {
			struct vy_json *o = vy_json_new_obj();

			b64.len = vy_base64(raw.data, (size_t)n, b64.data);
			vy_json_set(o, "mime", vy_json_get(image, "mime"));
			vy_json_set_str(o, "b64", vy_buf_str(&b64));
			vy_json_add_take(out, o);
		}
	}
	return out;
}

static void do_command(struct session *s, struct effect *fx)
{
	if (!s->runner) {
		return;
	}
	if (fx->command.kind == AC_SAY && fx->command.json) {
		VY_AUTO_JSON *images = images_with_bytes(s, fx->command.json);

		fx->command.json = images;
		runner_command(s->runner, &fx->command);
		return;
	}
	runner_command(s->runner, &fx->command);
}

static void do_check(struct session *s, struct effect *fx)
{
	struct guard_context gc = { 0 };
	struct agent_command c = { .kind = AC_CHECKED, .request = fx->command.request };

	table_guard(s->table, s->record, &gc);
	struct guard_answer ga = guard_check(fx->text, fx->json, &gc, &s->arena);

	if (ga.verdict != GUARD_NOTHING) {
		c.decision = vy_str_c(ga.verdict == GUARD_DENY ? "deny" : "ask");
		c.text = vy_str_c(ga.text);
		vy_log(VY_LOG_WARN, "guard", "session=%s tool=%s rule=%s verdict=%.*s",
			s->record->session,
			vy_log_q(vy_arena_dup(&s->arena, fx->text.p, fx->text.n)), ga.rule,
			VY_STR_ARG(c.decision));
	}
	if (s->runner) {
		runner_command(s->runner, &c);
	}
}

static void put_ask(struct session *s, struct effect *fx)
{
	VY_AUTO_BUF doc = VY_BUF_INIT(VY_LINE_MAX);
	int64_t now = vy_wall_ms(s->conf->clock);

	vy_json_set_int(fx->json, "raised", now);
	vy_json_dump(fx->json, &doc);
	LOG_PUT(s->conf->log, ROW_ASK, ask, .ask = fx->ask, .session = id_of(s), .is_open = true,
		.raised = now, .doc = vy_buf_str(&doc));
}

static void close_ask(struct session *s, struct effect *fx)
{
	VY_AUTO_BUF doc = VY_BUF_INIT(VY_MIB);
	struct vy_jw w = VY_JW(&doc);

	vy_jw_obj(&w);
	vy_jw_kstr(&w, "decision", fx->text);
	vy_jw_kstr(&w, "by", fx->by);
	vy_jw_end_obj(&w);
	LOG_PUT(s->conf->log, ROW_ASK, ask, .ask = fx->ask, .session = id_of(s), .is_open = false,
		.raised = vy_wall_ms(s->conf->clock), .doc = vy_buf_str(&doc));
	vy_log(VY_LOG_INFO, "ask.closed", "session=%s ask=%.*s decision=%.*s by=%.*s",
		s->record->session, VY_STR_ARG(fx->ask), VY_STR_ARG(fx->text), VY_STR_ARG(fx->by));
}

static void do_effect(struct session *s, struct effect *fx)
{
	switch (fx->kind) {
	case FX_FRAME: append_frame(s, &fx->frame); break;
	case FX_COMMAND: do_command(s, fx); break;
	case FX_START: start_agent(s); break;
	case FX_END:
		if (s->runner) {
			runner_end(s->runner, fx->grace_ms);
		}
		break;
	case FX_CHECK: do_check(s, fx); break;
	case FX_ASK_OPEN: put_ask(s, fx); break;
	case FX_ASK_CLOSED: close_ask(s, fx); break;
	}
}

static void run(struct session *s)
{
	if (s->is_running) {
		return; /* the run below us takes them along */
	}
	s->is_running = true;
	while (s->at < s->fx.n) {
		struct effect fx = s->fx.v[s->at++]; /* the list may move under us */

		do_effect(s, &fx);
	}
	s->is_running = false;
	s->at = 0;
	effects_fini(&s->fx);
	vy_arena_reset(&s->arena);
	touch(s);
}

/* ---- life ---- */

static struct session *session_make(struct table *t, struct record *own_record)
{
	struct session *s = VY_NEW(struct session);

	VY_MAGIC_SET(s, SESSION_MAGIC);
	s->table = t;
	s->conf = table_conf(t);
	s->record = own_record;
	vy_arena_init(&s->arena);
	effects_init(&s->fx, &s->arena);
	return s;
}

struct session *session_new(struct table *t, struct record *own_record)
{
	struct session *s = session_make(t, own_record);
	char salt[64], assistant[VY_ID_MAX];

	vy_random_id(18, salt);
	snprintf(assistant, sizeof(assistant), "assistant:%s", own_record->provider);
	s->turn = turn_new(id_of(s), vy_str_c(salt), vy_str_c(assistant));
	turn_set_goes_on(s->turn, s->conf->goes_on(s->conf->ctx));
	touch(s);
	return s;
}

struct session *session_load(
	struct table *t, struct record *own_record, struct vy_json *turn, struct vy_err *e)
{
	struct session *s = session_make(t, own_record);

	s->turn = turn_decode(turn, e);
	if (!s->turn) {
		session_free(s);
		return NULL;
	}
	s->turn_rev = turn_rev(s->turn);
	turn_set_goes_on(s->turn, s->conf->goes_on(s->conf->ctx));
	return s;
}

void session_go_on(struct session *s, const struct row_live *live)
{
	const struct provider_ops *driver = provider_find(s->record->driver);
	struct runner_conf rc = runner_conf_of(s, driver);
	struct vy_err e = { 0 };

	if (!driver) {
		vy_fail(&e, VY_UNSUPPORTED, "this vyred has no driver %s", s->record->driver);
	} else {
		s->conf->socket_open(s->conf->ctx, s->record->session, s->record->person);
		s->runner = runner_resume(&rc, live, &e);
	}
	if (!s->runner) {
		turn_gone(s->turn, vy_str_c(e.text), &s->fx);
		run(s);
	}
}

void session_settle(struct session *s)
{
	if (!s->runner && turn_has_process(s->turn)) {
		turn_gone(s->turn, VY_STR_LIT("The agent's process is gone."), &s->fx);
		run(s);
	}
}

void session_free(struct session *s)
{
	if (!s) {
		return;
	}
	VY_CHECK(s, SESSION_MAGIC);
	runner_free(s->runner);
	turn_free(s->turn);
	record_free(s->record);
	effects_fini(&s->fx);
	vy_arena_fini(&s->arena);
	VY_MAGIC_CLEAR(s);
	free(s);
}

void session_pause(struct session *s, bool is_paused)
{
	if (s->runner) {
		runner_pause(s->runner, is_paused);
	}
}

void session_drain(struct session *s)
{
	turn_rest(s->turn, 1500, &s->fx);
	run(s);
}

/* ---- what others may know ---- */

const char *session_id(const struct session *s)
{
	return s->record->session;
}

const struct record *session_record(const struct session *s)
{
	return s->record;
}

bool session_is_busy(const struct session *s)
{
	return turn_is_busy(s->turn);
}

bool session_is_live(const struct session *s)
{
	return s->runner != NULL;
}

struct vy_json *session_json(struct session *s)
{
	take_facts(s);
	return record_json(s->record, s->conf->viewers(s->conf->ctx, s->record->session),
		log_epoch(s->conf->log));
}

struct vy_json *session_queue(const struct session *s)
{
	return turn_queue_json(s->turn);
}

bool session_pids(const struct session *s, struct runner_pids *out)
{
	if (!s->runner) {
		return false;
	}
	runner_pids(s->runner, out);
	return true;
}

/* ---- people's acts ---- */

static int have_images(struct session *s, const struct vy_json *images, struct vy_err *e)
{
	for (size_t i = 0; i < vy_json_len(images); i++) {
		struct vy_str ref = vy_json_str(vy_json_at(images, i), "ref");
		int64_t total;

		if (log_output(s->conf->log, id_of(s), ref, 0, NULL, 0, &total, NULL) < 0) {
			return vy_fail(e, VY_NOT_FOUND, "there is no image %.*s in this session",
				VY_STR_ARG(ref));
		}
	}
	return 0;
}

static void take_title(struct session *s, struct vy_str text)
{
	if (s->record->title) {
		return;
	}
	s->record->title = record_title_from(text);
}

struct vy_json *session_say(struct session *s, const struct session_say *say, struct vy_err *e)
{
	char fresh[VY_UUID_LEN + 1];
	bool was_busy = turn_is_busy(s->turn) || turn_is_held(s->turn);
	struct turn_say ts = {
		.message = say->message,
		.text = say->text,
		.author = say->author,
		.images = say->images,
		.when = say->when,
		.now_ms = vy_wall_ms(s->conf->clock),
	};

	if (say->text.n == 0 && vy_json_len(say->images) == 0) {
		vy_fail(e, VY_BAD_INPUT, "params.text: expected some words, got none");
		return NULL;
	}
	if (have_images(s, say->images, e) != 0) {
		return NULL;
	}
	if (!ts.message.n) {
		vy_uuid(fresh);
		ts.message = vy_str_c(fresh);
	}
	if (turn_say(s->turn, &ts, &s->fx, e) != 0) {
		return NULL;
	}
	if (say->text.n > VY_FRAME_TEXT_MAX / 4) { /* a frame may not hold it all: keep the whole */
		LOG_PUT(s->conf->log, ROW_OUTPUT, output, .session = id_of(s), .ref = ts.message,
			.mime = VY_STR_LIT("text/plain"), .bytes = say->text);
	}
	take_title(s, say->text);
	run(s);

	struct vy_json *out = vy_json_new_obj();
	char turn[VY_UUID_LEN + 32];

	vy_json_set_str(out, "message", ts.message);
	vy_json_set_c(out, "state", was_busy ? "queued" : "sent");
	if (was_busy) {
		vy_json_set_str(out, "queued", ts.message);
		if (turn_is_held(s->turn)) {
			vy_json_set_c(out, "reason", "the queue is held: release it to go on");
		}
	} else {
		snprintf(turn, sizeof(turn), "%s:%lld", s->record->session,
			(long long)turn_number(s->turn));
		vy_json_set_c(out, "turn", turn);
	}
	return out;
}

/* An act that is nothing but its effects. */
static int done(struct session *s, int rc)
{
	run(s);
	return rc;
}

int session_edit(struct session *s, struct vy_str queued, struct vy_str text, struct vy_err *e)
{
	return done(s, turn_edit(s->turn, queued, text, &s->fx, e));
}

int session_unqueue(struct session *s, struct vy_str queued, struct vy_err *e)
{
	return done(s, turn_unqueue(s->turn, queued, &s->fx, e));
}

int session_send_now(struct session *s, struct vy_str queued, struct vy_err *e)
{
	return done(s, turn_send_now(s->turn, queued, &s->fx, e));
}

int session_move(struct session *s, struct vy_str queued, struct vy_str before, struct vy_err *e)
{
	return done(s, turn_move(s->turn, queued, before, &s->fx, e));
}

int session_release(struct session *s, struct vy_err *e)
{
	return done(s, turn_release(s->turn, &s->fx, e));
}

int session_interrupt(struct session *s, bool *was_busy, struct vy_err *e)
{
	*was_busy = turn_is_busy(s->turn);
	return done(s, turn_interrupt(s->turn, &s->fx, e));
}

int session_stop(struct session *s, int64_t grace_ms, struct vy_err *e)
{
	return done(s, turn_stop(s->turn, grace_ms, &s->fx, e));
}

int session_set_mode(struct session *s, struct vy_str mode, struct vy_err *e)
{
	return done(s, turn_mode(s->turn, mode, &s->fx, e));
}

int session_set_model(struct session *s, struct vy_str model, struct vy_err *e)
{
	return done(s, turn_model(s->turn, model, &s->fx, e));
}

int session_rename(struct session *s, struct vy_str title, struct vy_err *e)
{
	char *clean = record_title_from(title);

	if (!clean) {
		return vy_fail(e, VY_BAD_INPUT, "params.title: expected a name, got an empty line");
	}
	free(s->record->title);
	s->record->title = clean;
	s->record->is_titled = true;
	turn_title(s->turn, vy_str_c(clean), &s->fx);
	return done(s, 0);
}

struct vy_json *session_answer(struct session *s, const struct turn_answer *a, struct vy_err *e)
{
	bool already;
	struct vy_str decision = { 0 };

	if (turn_answer(s->turn, a, &already, &decision, &s->fx, e) != 0) {
		return NULL;
	}
	struct vy_json *out = vy_json_new_obj();

	vy_json_set_str(out, "ask", a->ask);
	vy_json_set_str(out, "decision", decision);
	vy_json_set_str(out, "by", a->by);
	if (already) {
		vy_json_set_bool(out, "already", true);
	}
	run(s);
	return out;
}

void session_trust_changed(struct session *s)
{
	s->record->was_told_of_trust = false;
	turn_rest(s->turn, 1500, &s->fx); /* the next message starts it with the new settings */
	run(s);
}
