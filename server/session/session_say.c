/* session_say.c -- what people say in a session: to its agent, or so that it stands there (wire 2, 5).
 *
 * A message has one id for good, and is stored once: the same again gets what became of the first.
 * What nobody answers (route.h) is a frame and nothing else: it never comes near the queue, so
 * nothing of it can be steered, retried, or told along with another message. */
#include "server/session/session_in.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "server/session/table_adopt.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/model/message.h"
#include "shared/model/queue.h"
#include "shared/model/route.h"
#include "shared/base/ban.h"

static bool read_mime(void *ctx, const struct store_row *row)
{
	vy_json_set_str(ctx, "mime", row->output.mime);
	return false;
}

/* [{ref, mime}] of what was sent, and nothing else of it; NULL with a reason when one is missing. */
static struct vy_json *our_images(struct session *s, const struct vy_json *images, struct vy_err *e)
{
	struct vy_json *list = vy_json_new_arr();
	int64_t sum = 0;

	for (size_t i = 0; i < vy_json_len(images); i++) {
		struct vy_str ref = vy_json_str(vy_json_at(images, i), "ref");
		struct store_row like = { .kind = ROW_OUTPUT,
			.output = { .session = session_str(s), .ref = ref } };
		struct vy_json *o = vy_json_new_obj();

		vy_json_add_take(list, o);
		vy_json_set_str(o, "ref", ref);
		if (!ref.n || log_each(s->conf->log, &like, read_mime, o, e) != 0 ||
			!vy_json_get(o, "mime")) {
			vy_json_free(list);
			vy_fail(e, VY_NOT_FOUND, "there is no image %.*s in this session",
				VY_STR_ARG(ref));
			return NULL;
		}
		int64_t n = 0;

		(void)!log_output(s->conf->log, session_str(s), ref, 0, NULL, 0, &n, NULL);
		sum += n;
	}
	if (sum > VY_SAY_IMAGES_MAX) { /* one line to the agent, which has a limit */
		vy_json_free(list);
		vy_fail(e, VY_FULL, "the images of one message may have %d MiB together",
			VY_SAY_IMAGES_MAX / VY_MIB);
		return NULL;
	}
	return list;
}

static void take_title(struct session *s, struct vy_str text)
{
	if (!s->record->title) {
		s->record->title = record_title_from(text);
		s->is_record_new = true;
	}
}

/* A frame may not hold it all: the whole is kept beside. */
void session_keep_whole(struct session *s, struct vy_str message, struct vy_str text)
{
	if (text.n > VY_FRAME_TEXT_MAX / 4) {
		LOG_PUT(s->conf->log, ROW_OUTPUT, output, .session = session_str(s), .ref = message,
			.mime = VY_STR_LIT("text/plain"), .bytes = text);
	}
}

static const char *why_it_waits(const struct session *s)
{
	return turn_is_held(s->turn)    ? "the queue is held: release it to go on"
	       : turn_is_spent(s->turn) ? "budget: what this session may cost is spent; it goes on "
					  "with a larger budget"
	       : turn_is_stopping(s->turn) ? "the agent is just being ended"
	       : turn_waits_elsewhere(s->turn)
		       ? "elsewhere: another program has this conversation open; it goes on when "
			 "that has ended"
	       : turn_waits_for_slot(s->turn)
		       ? "slots: as many teammates as may work are at work; it goes on by itself"
	       : turn_wants(s->turn)
		       ? "live-cap: as many agents as may live are at work; it goes on by itself"
		       : NULL;
}

/* What became of a message, as threads.send and stream.send answer. `turn`: as its frame said it;
 * without one nobody answers it, unless it has a turn that was begun since. */
static struct vy_json *receipt(struct session *s, struct vy_str message, struct vy_str turn)
{
	struct vy_json *out = vy_json_new_obj();
	bool has_turn = false, is_here = turn_find(s->turn, message, &has_turn) != NULL;
	bool is_queued = is_here && !has_turn;

	vy_json_set_str(out, "message", message);
	vy_json_set_c(out, "state", is_queued ? "queued" : "sent");
	if (is_queued) {
		vy_json_set_str(out, "queued", message);
		vy_json_set_c(out, "reason", why_it_waits(s));
	} else if (turn.n) {
		vy_json_set_str(out, "turn", turn);
	} else if (is_here) {
		VY_AUTO_BUF now = VY_BUF_INIT(256);

		vy_buf_addf(&now, "%s:%lld", s->record->session, (long long)turn_number(s->turn));
		vy_json_set_str(out, "turn", vy_buf_str(&now));
	}
	return out;
}

/* ---- said before ---- */

struct said {
	struct vy_arena mem;
	struct vy_message m;
	bool is_bad;
};

static bool read_said(void *ctx, const struct store_row *row)
{
	struct said *x = ctx;

	x->is_bad = vy_message_decode(row->message.doc, &x->mem, &x->m, NULL) != 0;
	return false;
}

/* Revision 0: there is none. */
static int find_said(struct session *s, struct vy_str message, struct said *x, struct vy_err *e)
{
	struct store_row key = { .kind = ROW_MESSAGE,
		.message = { .session = session_str(s), .message = message } };

	x->m = (struct vy_message){ 0 };
	if (log_row(s->conf->log, &key, read_said, x, e) != 0) {
		return -1;
	}
	return x->is_bad ? vy_fail(e, VY_CORRUPT, "the record of message %.*s is damaged",
				   VY_STR_ARG(message))
			 : 0;
}

/* By the same person, and the same words as far as the record has them. */
static bool is_same(const struct vy_message *m, const struct session_say *say)
{
	struct vy_str text = say->text;

	if (!vy_str_eq(m->author, say->author) || m->state == VY_MESSAGE_DELETED) {
		return false;
	}
	if (m->enc.n || say->enc) {
		VY_AUTO_JSON *enc = m->enc.n ? vy_json_parse(m->enc, NULL) : NULL;

		return enc && say->enc && vy_json_equal(enc, say->enc);
	}
	if (m->edited) {
		return true; /* it was its first words */
	}
	return text.n == (m->bytes ? (size_t)m->bytes : m->text.n) && text.n >= m->text.n &&
	       memcmp(text.n ? text.p : "", m->text.n ? m->text.p : "", m->text.n) == 0;
}

/* *out is what became of it, owned, with `replayed`; or NULL: it is a new one. */
static int said_before(
	struct session *s, const struct session_say *say, struct vy_json **out, struct vy_err *e)
{
	struct said x = { .is_bad = false };
	int rc;

	*out = NULL;
	if (say->message.n == 0) {
		return 0;
	}
	vy_arena_init(&x.mem);
	rc = find_said(s, say->message, &x, e);
	if (rc == 0 && x.m.revision > 0 && !is_same(&x.m, say)) {
		rc = vy_fail(e, VY_CONFLICT, "another message of this session has the id %.*s",
			VY_STR_ARG(say->message));
	} else if (rc == 0 && x.m.revision > 0) {
		*out = receipt(s, say->message, x.m.turn);
		vy_json_set_bool(*out, "replayed", true);
	}
	vy_arena_fini(&x.mem);
	return rc;
}

/* What it answers, or hangs on, is a message of this session. */
static int has_root(struct session *s, struct vy_str message, const char *what, struct vy_err *e)
{
	struct said x = { .is_bad = false };
	int rc = 0;

	if (message.n == 0) {
		return 0;
	}
	vy_arena_init(&x.mem);
	rc = find_said(s, message, &x, e);
	if (rc == 0 && (x.m.revision == 0 || x.m.state == VY_MESSAGE_DELETED)) {
		rc = vy_fail(e, VY_NOT_FOUND, "params.%s: there is no such message in this session",
			what);
	}
	vy_arena_fini(&x.mem);
	return rc;
}

/* ---- saying it ---- */

static int can_say(struct session *s, const struct session_say *say, struct vy_err *e)
{
	if (say->text.n == 0 && vy_json_len(say->images) == 0 && !say->enc) {
		return vy_fail(e, VY_BAD_INPUT, "params.text: expected some words, got none");
	}
	return has_root(s, say->reply_to, "reply_to", e) != 0 ||
			       has_root(s, say->parent, "parent", e) != 0
		       ? -1
		       : 0;
}

/* Into the turn or, when nobody answers, into the log alone. */
static int into_turn(struct session *s, const struct session_say *say, struct turn_say *ts,
	bool is_answered, struct vy_err *e)
{
	VY_AUTO_JSON *images = our_images(s, say->images, e);

	if (!images) {
		return -1;
	}
	ts->images = vy_json_len(images) ? images : NULL;
	if (is_answered && turn_say(s->turn, ts, &s->fx, e) != 0) {
		return -1;
	}
	if (!is_answered) {
		turn_post(s->turn, ts, &s->fx);
	}
	turn_mention(s->turn, ts, &s->fx);
	return 0;
}

struct vy_json *session_say(struct session *s, const struct session_say *say, struct vy_err *e)
{
	char fresh[VY_UUID_LEN + 1], assistant[SESSION_WHO_MAX], person[SESSION_WHO_MAX];
	struct vy_route route = { .mentions = say->mentions, .is_private = say->enc != NULL };
	struct turn_say ts = {
		.message = say->message,
		.text = say->text,
		.author = say->author,
		.reply_to = say->reply_to,
		.parent = say->parent,
		.surface = say->surface,
		.enc = say->enc,
		.mentions = say->mentions,
		.when = say->when,
		.has_no_place = !table_has_room(s->table) ||
				!table_teammate_has_room(s->table, s) ||
				table_is_elsewhere(s->table, s),
		.now_ms = vy_wall_ms(s->conf->clock),
	};
	struct vy_json *before;

	session_assistant(s, assistant);
	snprintf(person, sizeof(person), "person:%s", s->record->person);
	route.assistant = vy_str_c(assistant);
	route.person = vy_str_c(person);
	if (said_before(s, say, &before, e) != 0 || before) {
		return before;
	}
	if (can_say(s, say, e) != 0 || vy_route_check(&route, e) != 0) {
		return NULL;
	}
	if (!ts.message.n) {
		vy_uuid(fresh);
		ts.message = vy_str_c(fresh);
	}
	bool is_answered = vy_route_is_answered(&route);

	if (!turn_has_process(s->turn)) { /* what was said elsewhere comes first */
		table_adopt_catch_up(s->table, s);
	}
	if (into_turn(s, say, &ts, is_answered, e) != 0) {
		return NULL;
	}
	if (s->record->is_archived) { /* it is in use again */
		s->record->is_archived = false;
		s->is_record_new = true;
	}
	VY_CRASH(SAY_TAKEN);
	session_keep_whole(s, ts.message, say->text);
	if (is_answered) {
		take_title(s, say->text);
	}
	if (s->is_fresh) {
		s->is_fresh = false;
		session_tell_of_trust(s);
		session_tell_of_payer(s);
	}
	session_run(s);
	VY_CRASH(SAY_DONE);
	return receipt(s, ts.message, vy_str_n(NULL, 0));
}
