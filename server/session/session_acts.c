/* session_acts.c -- what people do to a session: said to the turn, its effects done, answered. */
#include "server/session/session_in.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static int have_images(struct session *s, const struct vy_json *images, struct vy_err *e)
{
	for (size_t i = 0; i < vy_json_len(images); i++) {
		struct vy_str ref = vy_json_str(vy_json_at(images, i), "ref");
		int64_t total;

		if (log_output(s->conf->log, session_str(s), ref, 0, NULL, 0, &total, NULL) < 0) {
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
		LOG_PUT(s->conf->log, ROW_OUTPUT, output, .session = session_str(s),
			.ref = ts.message, .mime = VY_STR_LIT("text/plain"), .bytes = say->text);
	}
	take_title(s, say->text);
	session_run(s);

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
	session_run(s);
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
	struct turn_outcome was;

	if (turn_answer(s->turn, a, &was, &s->fx, e) != 0) {
		return NULL;
	}
	struct vy_json *out = vy_json_new_obj();

	vy_json_set_str(out, "ask", a->ask);
	vy_json_set_str(out, "decision", was.decision);
	vy_json_set_str(out, "by", was.by);
	if (was.already) {
		vy_json_set_bool(out, "already", true);
	}
	session_run(s);
	return out;
}

void session_trust_changed(struct session *s)
{
	s->record->was_told_of_trust = false;
	turn_rest(s->turn, 1500, &s->fx); /* the next message starts it with the new settings */
	session_run(s);
}
