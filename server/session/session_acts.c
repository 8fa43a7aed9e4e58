/* session_acts.c -- what people do to a session: said to the turn, its effects done, answered. */
#include "server/session/session_in.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/model/queue.h"
#include "shared/base/ban.h"

/* ---- the queue ---- */

/* An act that is nothing but its effects. */
static int done(struct session *s, int rc)
{
	session_run(s);
	return rc;
}

int session_edit(struct session *s, struct vy_str queued, struct vy_str text, struct vy_err *e)
{
	if (text.n == 0) {
		return vy_fail(e, VY_BAD_INPUT,
			"params.text: expected some words, got none (threads.unqueue takes a "
			"message back)");
	}
	if (turn_edit(s->turn, queued, text, &s->fx, e) != 0) {
		return -1;
	}
	session_keep_whole(s, queued, text);
	done(s, 0);
	VY_CRASH(EDIT_DONE);
	return 0;
}

struct vy_json *session_queued_text(const struct session *s, struct vy_str queued)
{
	bool has_turn;
	const struct vy_queue_item *it = turn_find(s->turn, queued, &has_turn);

	return it ? vy_json_new_str(it->text) : NULL;
}

int session_unqueue(struct session *s, struct vy_str queued, struct vy_err *e)
{
	int rc = done(s, turn_unqueue(s->turn, queued, &s->fx, e));

	VY_CRASH(EDIT_DONE);
	return rc;
}

int session_send_now(struct session *s, struct vy_str queued, struct vy_err *e)
{
	return done(s, turn_send_now(s->turn, queued, &s->fx, e));
}

int session_move(struct session *s, struct vy_str queued, struct vy_str before, struct vy_err *e)
{
	int rc = done(s, turn_move(s->turn, queued, before, &s->fx, e));

	VY_CRASH(EDIT_DONE);
	return rc;
}

int session_release(struct session *s, struct vy_err *e)
{
	int rc = done(s, turn_release(s->turn, &s->fx, e));

	VY_CRASH(RELEASE_DONE);
	return rc;
}

/* ---- ends, settings ---- */

int session_interrupt(struct session *s, bool *was_busy, struct vy_err *e)
{
	*was_busy = turn_is_busy(s->turn) || turn_wants(s->turn);
	turn_set_goes_on(s->turn, s->conf->goes_on(s->conf->ctx)); /* as it is configured now */
	table_slot_give_all(s->table, SLOTS_SUBAGENT, s->record->session, true);
	int rc = done(s, turn_interrupt(s->turn, &s->fx, e));

	VY_CRASH(INTERRUPT_DONE);
	return rc;
}

int session_stop(struct session *s, int64_t grace_ms, struct vy_err *e)
{
	session_shells_end(s, grace_ms);
	int rc = done(s, turn_stop(s->turn, grace_ms, &s->fx, e));

	VY_CRASH(STOP_DONE);
	return rc;
}

int session_set_mode(struct session *s, struct vy_str mode, struct vy_err *e)
{
	return done(s, turn_mode(s->turn, mode, &s->fx, e));
}

int session_set_model(struct session *s, struct vy_str model, struct vy_err *e)
{
	int rc = turn_model(s->turn, model, &s->fx, e);

	if (rc == 0) {
		record_set(&s->record->model_from, VY_STR_LIT("explicit"));
		s->is_record_new = true;
	}
	return done(s, rc);
}

int session_set_thinking(struct session *s, bool is_on, int64_t tokens, struct vy_err *e)
{
	char word[32];

	if (!vy_json_bool(s->record->capabilities, "thinking", false)) {
		return vy_fail(e, VY_UNSUPPORTED, "%s has no such setting", s->record->provider);
	}
	if (is_on && tokens > 0) {
		snprintf(word, sizeof(word), "%lld", (long long)tokens);
	} else {
		snprintf(word, sizeof(word), "%s", is_on ? "on" : "off");
	}
	return done(s, turn_thinking(s->turn, vy_str_c(word), &s->fx, e));
}

int session_set_effort(struct session *s, struct vy_str word, struct vy_err *e)
{
	if (!vy_json_bool(s->record->capabilities, "effort", false)) {
		return vy_fail(e, VY_UNSUPPORTED, "%s has no such setting", s->record->provider);
	}
	return done(s, turn_effort(s->turn, word, &s->fx, e));
}

struct vy_json *session_compact(
	struct session *s, struct vy_str hint, struct vy_str author, struct vy_err *e)
{
	const struct provider_ops *driver = provider_find(s->record->driver);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	struct session_say w = { .author = author, .when = AGENT_QUEUE };

	if (!driver || !driver->compact) {
		vy_fail(e, VY_UNSUPPORTED, "%s cannot be told to summarise what was said",
			s->record->provider);
		return NULL;
	}
	vy_buf_adds(&text, driver->compact);
	if (hint.n) {
		vy_buf_addc(&text, ' ');
		vy_buf_addstr(&text, hint);
	}
	w.text = vy_buf_str(&text);
	return session_say(s, &w, e);
}

int session_kill_task(struct session *s, struct vy_str task, struct vy_err *e)
{
	if (session_shell_kill(s, task)) {
		return 0;
	}
	return done(s, turn_kill_task(s->turn, task, &s->fx, e));
}

int session_archive(struct session *s, bool is_archived, struct vy_err *e)
{
	if (is_archived && session_is_busy(s)) {
		return vy_fail(e, VY_CONFLICT, "a turn runs in this session: end it first");
	}
	if (s->record->is_archived != is_archived) {
		s->record->is_archived = is_archived;
		s->is_record_new = true;
		if (is_archived) {
			turn_leave_line(s->turn, &s->fx);
			turn_rest(s->turn, "idle", SESSION_GRACE_MS, &s->fx);
		}
	}
	return done(s, 0);
}

int session_rename(struct session *s, struct vy_str title, struct vy_err *e)
{
	char *clean = record_title_from(title);

	if (!clean) {
		return vy_fail(e, VY_BAD_INPUT, "params.title: expected a name, got an empty line");
	}
	free(s->record->title);
	s->record->title = clean;
	s->record->is_titled = s->is_record_new = true;
	turn_title(s->turn, vy_str_c(clean), &s->fx);
	return done(s, 0);
}

static bool read_ask(void *ctx, const struct store_row *row)
{
	*(struct vy_json **)ctx = vy_json_parse(row->ask.doc, NULL);
	return false;
}

/* The turn remembers the last ones; the row of each remembers how it ended. */
static struct vy_json *answered_long_ago(struct session *s, struct vy_str ask, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_ASK, .ask = { .ask = ask } };
	struct vy_json *found = NULL;

	if (log_each(s->conf->log, &like, read_ask, &found, e) != 0) {
		return NULL;
	}
	VY_AUTO_JSON *row = found;
	struct vy_str decision = vy_json_str(row, "decision");

	if (!decision.n) {
		vy_fail(e, VY_NOT_FOUND, "there is no such ask");
		return NULL;
	}
	if (vy_str_is(decision, "cancelled")) {
		vy_fail(e, VY_GONE, "the agent took this question back; nothing was answered");
		return NULL;
	}
	if (vy_str_is(decision, "superseded")) {
		vy_fail(e, VY_GONE, "this question was settled in another way");
		return NULL;
	}
	struct vy_json *out = vy_json_new_obj();

	vy_json_set_str(out, "ask", ask);
	vy_json_set_str(out, "decision", decision);
	vy_json_set_str(out, "by", vy_json_str(row, "by"));
	vy_json_set_bool(out, "already", true);
	if (vy_json_get(row, "delivered")) {
		vy_json_set_bool(out, "delivered", false);
	}
	return out;
}

void session_answer_lost(struct session *s, struct vy_str ask)
{
	struct store_row like = { .kind = ROW_ASK, .ask = { .ask = ask } };
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);
	struct vy_json *found = NULL;
	struct vy_err e = { 0 };
	int rc = log_each(s->conf->log, &like, read_ask, &found, &e);
	VY_AUTO_JSON *row = found;

	if (rc != 0 || !row) {
		vy_log(VY_LOG_WARN, "ask.lost", "session=%s ask=%.*s why=%s", s->record->session,
			VY_STR_ARG(ask), vy_log_q(e.text));
		return;
	}
	vy_json_set_bool(row, "delivered", false);
	vy_json_dump(row, &text);
	LOG_PUT(s->conf->log, ROW_ASK, ask, .ask = ask, .session = session_str(s), .is_open = false,
		.raised = vy_json_int(row, "raised", 0), .doc = vy_buf_str(&text));
	vy_log(VY_LOG_INFO, "ask.lost", "session=%s ask=%.*s", s->record->session, VY_STR_ARG(ask));
}

struct vy_json *session_answer(struct session *s, const struct turn_answer *a, struct vy_err *e)
{
	struct turn_outcome was;
	struct vy_err why = { 0 };

	if (turn_answer(s->turn, a, &was, &s->fx, &why) != 0) {
		if (why.code == VY_NOT_FOUND) {
			return answered_long_ago(s, a->ask, e);
		}
		if (e) {
			*e = why;
		}
		return NULL;
	}
	VY_CRASH(ANSWER_TAKEN);
	struct vy_json *out = vy_json_new_obj();

	vy_json_set_str(out, "ask", a->ask);
	vy_json_set_str(out, "decision", was.decision);
	vy_json_set_str(out, "by", was.by);
	if (was.already) {
		vy_json_set_bool(out, "already", true);
	}
	if (was.is_lost) {
		vy_json_set_bool(out, "delivered", false);
	}
	session_run(s);
	VY_CRASH(ANSWER_DONE);
	return out;
}

void session_trust_changed(struct session *s)
{
	s->record->was_told_of_trust = false;
	s->is_record_new = true;
	turn_rest(s->turn, "restart", SESSION_GRACE_MS,
		&s->fx); /* the next message starts it with the new settings */
	session_run(s);
}
