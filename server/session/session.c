/* session.c -- see session.h: its rows, its effects, its life.
 *
 * All effects of a session go through one list. session_run() does them in order; what a command
 * makes the agent's driver say at once is appended to the same list, so the order of things is the
 * order they happened in, however deep the call came from. */
#include "server/session/session.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "server/provider/shell.h"
#include "server/session/session_in.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define FX_KEPT 8 /* effects whose memory waits for the next run */

/* ---- rows ---- */

void session_take_facts(struct session *s)
{
	struct record *r = s->record;
	VY_AUTO_JSON *facts = turn_facts(s->turn);
	char turn[VY_UUID_LEN + 32];

	record_set(&r->state, vy_str_c(turn_state(s->turn)));
	record_set(&r->process, vy_str_c(turn_process(s->turn)));
	record_set(&r->reason, vy_str_c(turn_reason(s->turn)));
	record_set(
		&r->wait_kind, vy_str_c(turn_place(s->turn) == 0        ? NULL
					: turn_waits_elsewhere(s->turn) ? "elsewhere"
					: turn_waits_for_slot(s->turn)  ? slots_word(SLOTS_TEAMMATE)
									: "live"));
	r->wait_position = turn_place(s->turn);
	record_set(&r->mode, turn_mode_get(s->turn));
	record_set(&r->thinking, turn_thinking_get(s->turn));
	record_set(&r->effort, turn_effort_get(s->turn));
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
	r->messages = turn_messages(s->turn);
	r->held = turn_is_held(s->turn);
	r->until = turn_until(s->turn);
	vy_json_free(r->usage);
	r->usage = vy_json_ref(vy_json_get(facts, "usage"));
	vy_json_free(r->tasks);
	r->tasks = vy_json_ref(vy_json_get(facts, "tasks"));
}

/* That its agent was let go, or comes back, is no news of a session: a list keeps its order. */
static bool is_news(struct session *s, const struct vy_json *doc)
{
	static const char *const life[] = { "process", "reason", "wait", "updated" };
	VY_AUTO_JSON *rest = vy_json_copy(doc);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);
	uint8_t digest[VY_SHA256_LEN];

	for (size_t i = 0; i < VY_COUNT(life); i++) {
		vy_json_del(rest, life[i]);
	}
	vy_json_dump(rest, &text);
	vy_sha256(text.data, text.len, digest);
	bool is_same = memcmp(digest, s->doc_but_life, sizeof(digest)) == 0;

	memcpy(s->doc_but_life, digest, sizeof(digest));
	return !is_same;
}

static void put_record(struct session *s)
{
	struct record *r = s->record;
	uint8_t digest[VY_SHA256_LEN];

	session_take_facts(s);
	VY_AUTO_JSON *doc = record_encode(r);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);

	vy_json_dump(doc, &text);
	vy_sha256(text.data, text.len, digest);
	if (memcmp(digest, s->doc, sizeof(digest)) == 0) {
		return;
	}
	if (is_news(s, doc)) {
		r->updated = vy_wall_ms(s->conf->clock);
	}
	vy_json_set_int(doc, "updated", r->updated);
	vy_buf_clear(&text);
	vy_json_dump(doc, &text);
	vy_sha256(text.data, text.len, s->doc);
	LOG_PUT(s->conf->log, ROW_SESSION, session, .session = session_str(s),
		.doc = vy_buf_str(&text), .project = vy_str_c(r->project),
		.state = vy_str_c(r->state), .updated = r->updated, .is_archived = r->is_archived);
}

static void put_turn(struct session *s)
{
	VY_AUTO_JSON *v = turn_encode(s->turn);
	VY_AUTO_BUF text = VY_BUF_INIT((size_t)VY_QUEUE_MAX * VY_SEND_TEXT_MAX * 2);

	vy_json_dump(v, &text);
	s->turn_rev = turn_rev(s->turn);
	LOG_PUT(s->conf->log, ROW_KV, kv, .space = VY_STR_LIT("turn"), .name = session_str(s),
		.value = vy_buf_str(&text));
	VY_CRASH(TURN_STAGED);
}

static void stage(void *ctx)
{
	struct session *s = ctx;

	s->is_dirty = false;
	if (s->is_spare) {
		return;
	}
	if (s->turn_rev != turn_rev(s->turn)) {
		put_turn(s);
		if (s->waits_until != turn_until(s->turn)) {
			s->waits_until = turn_until(s->turn);
			table_limit_waits(s->table, s->record->session, s->waits_until);
		}
		s->is_record_new = true;
	}
	if (s->is_record_new) { /* while text streams, neither is */
		s->is_record_new = false;
		put_record(s);
	}
}

void session_touch(struct session *s)
{
	if (!s->is_dirty) {
		s->is_dirty = true;
		vy_loop_defer(s->conf->loop, stage, s);
	}
}

/* ---- effects ---- */

/* What an agent sent may be more than a frame takes. The frame says less then; it is not left out,
 * or a call would never end and a question never be seen. */
static bool say_less(struct vy_frame *f)
{
	switch ((int)f->kind) {
	case VY_KIND_TOOL_FINISHED:
		vy_frame_set_json(f, VY_F_RESULT,
			VY_STR_LIT("{\"type\":\"text\",\"text\":\"too large to be shown\"}"));
		return true;
	case VY_KIND_ASK:
		vy_frame_set_json(f, VY_F_OPTIONS, VY_STR_LIT("[]"));
		vy_frame_del(f, VY_F_QUESTIONS);
		vy_frame_del(f, VY_F_DETAIL);
		vy_frame_set_bool(f, VY_F_MORE, true);
		return true;
	case VY_KIND_STATUS:
		vy_frame_del(f, VY_F_USAGE);
		vy_frame_del(f, VY_F_COMPACTED);
		vy_frame_del(f, VY_F_LAUNCH);
		return true;
	default: return false;
	}
}

/* The turn knows that it starts; here is known what. */
static void add_launch(struct session *s, struct vy_frame *f)
{
	const struct record *r = s->record;
	VY_AUTO_JSON *o = vy_json_parse(vy_frame_str(f, VY_F_LAUNCH), NULL);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_FRAME_MAX);

	vy_json_set_c(o, "provider", r->provider);
	vy_json_set_c(o, "model", r->model);
	vy_json_set_c(o, "auth", r->auth);
	vy_json_set_c(o, "purpose", r->purpose);
	vy_json_set_c(o, "cwd", r->cwd);
	vy_json_dump(o, &text);
	vy_frame_set_json(f, VY_F_LAUNCH, vy_arena_str(&s->arena, vy_buf_str(&text)));
}

static void append_frame(struct session *s, struct vy_frame *f)
{
	struct vy_err e = { 0 };

	if (s->is_spare) {
		return;
	}

	if (f->kind == VY_KIND_STATUS && vy_frame_has(f, VY_F_LAUNCH)) {
		add_launch(s, f);
	}

	if (log_append(s->conf->log, s->record->session, f, &e) == 0) {
		return;
	}
	if (log_is_read_only(s->conf->log)) {
		return; /* the log has said it */
	}
	vy_log(VY_LOG_ERROR, "session.frame", "session=%s kind=%s why=%s", s->record->session,
		vy_kind_word(f->kind), vy_log_q(e.text));
	if (e.code == VY_BAD_INPUT && say_less(f) &&
		log_append(s->conf->log, s->record->session, f, &e) != 0) {
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

		if (log_output(s->conf->log, session_str(s), vy_json_str(image, "ref"), 0, NULL, 0,
			    &total, NULL) < 0 ||
			!vy_buf_reserve(&raw, (size_t)total) ||
			!vy_buf_reserve(&b64, (size_t)total * 4 / 3 + 8)) {
			continue;
		}
		int64_t n = log_output(s->conf->log, session_str(s), vy_json_str(image, "ref"), 0,
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
	int64_t seq = runner_next_tell(s->runner);

	runner_command(s->runner, &fx->command);
	if (fx->command.kind == AC_ANSWER && fx->ask.n && s->runner &&
		runner_next_tell(s->runner) > seq) {
		turn_answer_told(s->turn, fx->ask, seq);
	}
}

static void put_ask(struct session *s, struct effect *fx)
{
	VY_AUTO_BUF doc = VY_BUF_INIT(VY_LINE_MAX);
	int64_t now = vy_wall_ms(s->conf->clock);

	vy_json_set_int(fx->json, "raised", now);
	vy_json_dump(fx->json, &doc);
	LOG_PUT(s->conf->log, ROW_ASK, ask, .ask = fx->ask, .session = session_str(s),
		.is_open = true, .raised = now, .doc = vy_buf_str(&doc));
	VY_CRASH(ASK_OPENED);
}

/* The row keeps what was asked, and says how it ended. */
static void close_ask(struct session *s, struct effect *fx)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);
	VY_AUTO_JSON *doc = vy_json_copy(fx->json);

	vy_json_set_str(doc, "decision", fx->text);
	vy_json_set_str(doc, "by", fx->by);
	vy_json_set_int(doc, "closed", vy_wall_ms(s->conf->clock));
	vy_json_dump(doc, &text);
	LOG_PUT(s->conf->log, ROW_ASK, ask, .ask = fx->ask, .session = session_str(s),
		.is_open = false, .raised = vy_json_int(doc, "raised", 0),
		.doc = vy_buf_str(&text));
	VY_CRASH(ASK_CLOSED);
	vy_log(VY_LOG_INFO, "ask.closed", "session=%s ask=%.*s decision=%.*s by=%.*s",
		s->record->session, VY_STR_ARG(fx->ask), VY_STR_ARG(fx->text), VY_STR_ARG(fx->by));
}

static void do_effect(struct session *s, struct effect *fx)
{
	switch (fx->kind) {
	case FX_FRAME: append_frame(s, &fx->frame); break;
	case FX_COMMAND: do_command(s, fx); break;
	case FX_WANT: table_want(s->table, s); break;
	case FX_UNWANT:
		table_unwant(s->table, s);
		session_nobody_comes(s);
		break;
	case FX_START: session_start_agent(s); break;
	case FX_END:
		if (s->runner) {
			(fx->is_rest ? runner_rest : runner_end)(s->runner, fx->grace_ms);
		}
		break;
	case FX_CHECK: session_floor_check(s, fx); break;
	case FX_ASK_OPEN: put_ask(s, fx); break;
	case FX_ASK_CLOSED: close_ask(s, fx); break;
	case FX_ASK_LOST: session_answer_lost(s, fx->ask); break;
	case FX_MARK: session_keep_mark(s, fx->text, fx->json); break;
	case FX_FILES: session_files_over(s, fx->json); break;
	case FX_UNDO_OVER: session_undo_over(s, fx->text); break;
	}
}

void session_run(struct session *s)
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
	if (s->fx.cap <= FX_KEPT) {
		effects_clear(&s->fx);
	} else {
		effects_fini(&s->fx);
	}
	vy_arena_reset(&s->arena);
	session_touch(s);
	table_life_is(s->table, s);
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

static struct turn *fresh_turn(const struct session *s)
{
	char salt[64], assistant[SESSION_WHO_MAX];

	vy_random_id(18, salt);
	session_assistant(s, assistant);
	return turn_new(vy_str_c(s->record->session), vy_str_c(salt), vy_str_c(assistant));
}

struct session *session_new(struct table *t, struct record *own_record)
{
	struct session *s = session_make(t, own_record);

	s->turn = fresh_turn(s);
	session_touch(s);
	return s;
}

void session_begin_from(struct session *s, const struct turn_past *past)
{
	turn_begin_from(s->turn, past);
	s->is_record_new = true;
	session_touch(s);
}

struct session *session_load(
	struct table *t, struct record *own_record, struct vy_json *turn, struct vy_err *e)
{
	struct session *s = session_make(t, own_record);

	s->turn = turn ? turn_decode(turn, e) : NULL;
	if (!s->turn && log_is_read_only(s->conf->log)) {
		s->turn = fresh_turn(s); /* what was said can be read without it */
	}
	if (!s->turn) {
		session_free(s);
		return NULL;
	}
	s->turn_rev = turn_rev(s->turn);
	s->waits_until = turn_until(s->turn);
	if (vy_json_bool(turn_pending(s->turn), "redo", false)) {
		vy_loop_defer(s->conf->loop, session_redo_go_on, s);
	}
	return s;
}

static bool is_shell(const struct row_live *live)
{
	VY_AUTO_JSON *state = vy_json_parse(live->driver_state, NULL);

	return shell_is_state(state);
}

bool session_can_go_on(const struct session *s, const struct row_live *live)
{
	return !s->runner || is_shell(live);
}

void session_go_on(struct session *s, const struct row_live *live)
{
	VY_CHECK(s, SESSION_MAGIC);
	if (is_shell(live)) {
		session_shell_go_on(s, live);
		return;
	}
	const struct provider_ops *driver = provider_find(s->record->driver);
	struct runner_conf rc = session_runner_conf(s, driver);
	struct vy_err e = { 0 };

	if (!driver) {
		vy_fail(&e, VY_UNSUPPORTED, "this vyred has no driver %s", s->record->driver);
	} else {
		s->conf->socket_open(s->conf->ctx, s->record->session, s->record->person);
		s->runner = runner_resume(&rc, live, &e);
	}
	if (!s->runner) {
		vy_log(VY_LOG_ERROR, "session.go_on", "session=%s why=%s", s->record->session,
			vy_log_q(e.text));
		runner_abandon(s->conf->log, s->conf->state_dir, live);
		s->conf->socket_close(s->conf->ctx, s->record->session);
		turn_untold(s->turn, INT64_MAX, &s->fx); /* what arrived, nobody knows */
		turn_gone(s->turn, vy_str_c(e.text), &s->fx);
		session_run(s);
	} else {
		runner_pause(s->runner, log_trouble(s->conf->log) != NULL);
		session_await_hello(s);
		if (s->is_spare) {
			session_end_spare(s);
		}
		session_pay(s);
		session_run(s);
	}
}

void session_settle(struct session *s)
{
	if (log_is_read_only(s->conf->log)) {
		return; /* its end could not be written down; it is shown as it was */
	}
	if (!s->runner && turn_has_process(s->turn)) {
		turn_gone(s->turn, VY_STR_LIT("The agent's process is gone."), &s->fx);
		session_run(s);
	}
	if (!session_is_waited_for(s)) { /* who asked is gone with the vyred that was asked */
		turn_unwake(s->turn, &s->fx);
		session_run(s);
	}
	if (turn_wants(s->turn)) {
		table_want(s->table, s);
	}
}

void session_free(struct session *s)
{
	if (!s) {
		return;
	}
	VY_CHECK(s, SESSION_MAGIC);
	vy_loop_forget(s->conf->loop, stage, s);
	session_pay_forget(s);
	vy_timer_del(s->hello);
	vy_loop_forget(s->conf->loop, session_redo_go_on, s);
	session_asked_drop(s);
	session_files_end(s);
	runner_free(s->runner);
	session_shells_free(s);
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
	session_shells_pause(s, is_paused);
}

void session_drain(struct session *s)
{
	session_asked_drop(s);
	session_files_end(s);
	turn_rest(s->turn, "restart", SESSION_GRACE_MS, &s->fx);
	session_run(s);
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
	session_take_facts(s);
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
