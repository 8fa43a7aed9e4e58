/* session_rewind.c -- a session goes back to one of a person's words, and forth again (session.h).
 *
 * What is checked stands in rewind.h, what is done in turn_rewind.c; here is what both need to know:
 * the message's record and mark, its whole text, the log's newest frame. A mark is a row that
 * commits with the frame by which its message was taken. */
#include "server/session/session_in.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "server/session/rewind.h"
#include "shared/base/buf.h"
#include "shared/base/crash.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/model/message.h"
#include "shared/base/ban.h"

#define LAST_SEEN 400 /* messages looked through for the last of one's own */

/* ---- marks ---- */

static void space_of(const struct session *s, char out[64])
{
	snprintf(out, 64, REWIND_SPACE "%s", s->record->session);
}

static bool add_name(void *ctx, const struct store_row *row)
{
	vy_json_add_take(ctx, vy_json_new_str(row->kv.name));
	return true;
}

void session_forget_marks(struct session *s)
{
	VY_AUTO_JSON *names = vy_json_new_arr();
	char space[64];

	space_of(s, space);
	struct store_row like = { .kind = ROW_KV, .kv = { .space = vy_str_c(space) } };

	(void)!log_each(s->conf->log, &like, add_name, names, NULL);
	for (size_t i = 0; i < vy_json_len(names); i++) {
		LOG_DEL(s->conf->log, ROW_KV, kv, .space = vy_str_c(space),
			.name = vy_json_strval(vy_json_at(names, i)));
	}
}

/* ---- a message, and all that is known of it ---- */

void session_point_init(struct session_point *p)
{
	*p = (struct session_point){ .is_bad = false };
	vy_arena_init(&p->mem);
}

void session_point_fini(struct session_point *p)
{
	vy_arena_fini(&p->mem);
}

static bool read_message(void *ctx, const struct store_row *row)
{
	struct session_point *p = ctx;

	p->is_bad = vy_message_decode(row->message.doc, &p->mem, &p->m, NULL) != 0;
	return false;
}

static bool read_mark(void *ctx, const struct store_row *row)
{
	struct session_point *p = ctx;

	if (!rewind_mark_read(row->kv.value, &p->mem, &p->mark)) {
		p->mark = (struct rewind_mark){ 0 };
	}
	return false;
}

int session_point_find(
	struct session *s, struct vy_str message, struct session_point *p, struct vy_err *e)
{
	char space[64];

	space_of(s, space);
	struct store_row said = { .kind = ROW_MESSAGE,
		.message = { .session = session_str(s), .message = message } };
	struct store_row mark = { .kind = ROW_KV,
		.kv = { .space = vy_str_c(space), .name = message } };

	if (log_row(s->conf->log, &said, read_message, p, e) != 0 ||
		log_row(s->conf->log, &mark, read_mark, p, e) != 0) {
		return -1;
	}
	return p->is_bad ? vy_fail(e, VY_CORRUPT, "the record of message %.*s is damaged",
				   VY_STR_ARG(message))
			 : 0;
}

/* Told again, since its turn came to nothing by a limit: what came before it is what it was the first time. */
static bool is_marked(struct session *s, struct vy_str message)
{
	struct session_point p;
	struct vy_err e = { 0 };
	bool is;

	session_point_init(&p);
	is = session_point_find(s, message, &p, &e) == 0 && p.mark.as.n > 0 &&
	     vy_str_eq(p.mark.agent, session_agent(s));
	session_point_fini(&p);
	return is;
}

void session_keep_mark(struct session *s, struct vy_str message, struct vy_json *mark)
{
	VY_AUTO_BUF text = VY_BUF_INIT(4 * VY_KIB);
	char space[64];

	space_of(s, space);
	if (is_marked(s, message)) {
		return;
	}
	vy_json_set_str(mark, "agent", session_agent(s));
	vy_json_dump(mark, &text);
	LOG_PUT(s->conf->log, ROW_KV, kv, .space = vy_str_c(space), .name = message,
		.value = vy_buf_str(&text));
	VY_CRASH(MARK_STAGED);
}

struct last {
	struct vy_arena mem;
	struct vy_str who;
	char *message;
	int left;
};

static bool is_last(void *ctx, const struct store_row *row)
{
	struct last *l = ctx;
	struct vy_message m;

	vy_arena_reset(&l->mem);
	if (vy_message_decode(row->message.doc, &l->mem, &m, NULL) == 0 && m.role == VY_ROLE_USER &&
		m.state == VY_MESSAGE_COMPLETED && m.turn.n && vy_str_eq(m.author, l->who)) {
		record_set(&l->message, m.message);
	}
	return !l->message && --l->left > 0;
}

/* The last of one's own words that has a turn; owned, NULL. */
static char *last_of(struct session *s, struct vy_str who)
{
	struct last l = { .who = who, .left = LAST_SEEN };
	struct store_row like = { .kind = ROW_MESSAGE, .message = { .session = session_str(s) } };

	vy_arena_init(&l.mem);
	(void)!log_each(s->conf->log, &like, is_last, &l, NULL);
	vy_arena_fini(&l.mem);
	return l.message;
}

/* All of what was said: a long text is kept beside. */
static int whole_text(
	struct session *s, const struct vy_message *m, struct vy_buf *out, struct vy_err *e)
{
	int64_t total = 0;

	if (m->bytes == 0) {
		vy_buf_addstr(out, m->text);
		return 0;
	}
	if (log_output(s->conf->log, session_str(s), m->message, 0, NULL, 0, &total, e) < 0 ||
		!vy_buf_reserve(out, (size_t)total)) {
		return -1;
	}
	int64_t n = log_output(
		s->conf->log, session_str(s), m->message, 0, out->data, (size_t)total, &total, e);

	out->len = n > 0 ? (size_t)n : 0;
	return n < 0 ? -1 : 0;
}

/* ---- back ---- */

static int check(struct session *s, const struct session_back *b, struct session_point *p,
	bool may_start, struct vy_err *e)
{
	const struct provider_ops *driver = provider_find(s->record->driver);
	struct rewind_ask ask = {
		.message = &p->m,
		.mark = &p->mark,
		.who = b->who,
		.chapter = turn_rewind(s->turn)->chapter,
		.caps = driver ? &driver->caps : &(struct provider_caps){ 0 },
		.provider = s->record->provider,
	};

	if (session_point_find(s, b->message, p, e) != 0) {
		return -1;
	}
	ask.mark = p->mark.as.n ? &p->mark : NULL;
	return rewind_check(&ask, e) != 0 ? -1 : turn_may_go_back(s->turn, may_start, e);
}

static void use_agent(struct session *s, struct vy_str agent)
{
	if (!vy_str_eq(agent, session_agent(s))) {
		record_set(&s->record->agent_id, agent);
		s->is_record_new = true;
	}
}

/* Everything is checked. */
static void go_back(struct session *s, const struct session_back *b, const struct session_point *p)
{
	char fresh[VY_UUID_LEN + 1];
	struct turn_back t = {
		.message = b->message,
		.author = b->who,
		.fork_of = p->mark.agent,
		.at = p->mark.at,
		.agent_now = session_agent(s),
		.to = (p->m.taken ? p->m.taken : p->m.position) - 1,
		.files = b->files,
		.key = b->key,
		.answer = b->answer,
		.head = log_staged(s->conf->log, s->record->session),
	};

	vy_uuid(fresh);
	t.agent = vy_str_c(fresh);
	turn_go_back(s->turn, &t, &s->fx);
	use_agent(s, t.agent);
}

static struct vy_json *said_of(const struct session_point *p, struct vy_str text, int64_t to)
{
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_str(o, "message", p->m.message);
	vy_json_set_int(o, "to", to);
	vy_json_set_bool(o, "redo", false);
	vy_json_set_str(o, "text", text);
	if (p->m.images.n) {
		vy_json_take(o, "images", vy_json_parse(p->m.images, NULL));
	}
	return o;
}

struct vy_json *session_rewound_json(
	struct session *s, const struct session_back *b, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	struct session_point p;
	struct vy_json *o = NULL;

	session_point_init(&p);
	if (check(s, b, &p, false, e) == 0 && whole_text(s, &p.m, &text, e) == 0) {
		o = said_of(&p, vy_buf_str(&text), (p.m.taken ? p.m.taken : p.m.position) - 1);
	}
	session_point_fini(&p);
	return o;
}

int session_go_back(struct session *s, const struct session_back *b, struct vy_err *e)
{
	struct session_point p;

	session_point_init(&p);
	int rc = check(s, b, &p, false, e);

	if (rc == 0) {
		go_back(s, b, &p);
		VY_CRASH(REWIND_TAKEN);
		session_run(s);
		VY_CRASH(REWIND_DONE);
	}
	session_point_fini(&p);
	return rc;
}

int session_may_rewind(struct session *s, const struct session_back *b, struct vy_err *e)
{
	struct session_point p;

	session_point_init(&p);
	int rc = check(s, b, &p, true, e);

	session_point_fini(&p);
	return rc;
}

struct vy_json *session_rewind(struct session *s, const struct session_back *b, struct vy_err *e)
{
	struct vy_json *o = session_rewound_json(s, b, e);

	if (o && session_go_back(s, b, e) != 0) {
		vy_json_free(o);
		o = NULL;
	}
	return o;
}

struct vy_json *session_redo(struct session *s, struct vy_str who, struct vy_err *e)
{
	const struct rewind_step *step = turn_redo_step(s->turn);

	if (turn_may_go_back(s->turn, false, e) != 0) {
		return NULL;
	}
	if (!step) {
		vy_fail(e, VY_CONFLICT,
			"there is nothing to redo: nothing was rewound, or something was said "
			"since");
		return NULL;
	}
	struct vy_json *o = vy_json_new_obj();

	vy_json_set_c(o, "message", step->message);
	vy_json_set_int(o, "to", step->to);
	vy_json_set_bool(o, "redo", true);
	use_agent(s, vy_str_c(step->agent));
	turn_redo(s->turn, who, &s->fx);
	VY_CRASH(REWIND_TAKEN);
	session_run(s);
	VY_CRASH(REWIND_DONE);
	return o;
}

/* ---- what a copy begins with ---- */

/* Everything: the agent's history as far as it is known to stand, that of another one for a copy in
 * which nothing was said yet. */
static void origin_of_all(struct session *s, struct session_origin *out)
{
	const struct rewind *r = turn_rewind(s->turn);
	bool has_history = (turn_is_taken(s->turn) || r->fork_of) &&
			   (r->at || !session_is_busy(s)); /* of its first turn nothing is whole */

	out->mark = (struct rewind_mark){ .at = vy_str_c(r->at), .chapter = r->chapter };
	out->fork_of = !has_history ? vy_str_n(NULL, 0)
		       : r->fork_of ? vy_str_c(r->fork_of)
				    : session_agent(s);
}

int session_origin_of(struct session *s, struct vy_str message, struct vy_arena *mem,
	struct session_origin *out, struct vy_err *e)
{
	const struct provider_ops *driver = provider_find(s->record->driver);
	struct session_point p;
	struct rewind_ask ask = {
		.message = &p.m,
		.chapter = turn_rewind(s->turn)->chapter,
		.caps = driver ? &driver->caps : &(struct provider_caps){ 0 },
		.provider = s->record->provider,
		.is_copy = true,
	};
	int rc = 0;

	*out = (struct session_origin){ .upto = INT64_MAX };
	session_point_init(&p);
	if (message.n) {
		rc = session_point_find(s, message, &p, e);
		ask.mark = p.mark.as.n ? &p.mark : NULL;
		rc = rc == 0 ? rewind_check(&ask, e) : rc;
		out->upto = (p.m.taken ? p.m.taken : p.m.position) - 1;
		out->mark = p.mark;
		out->fork_of = p.mark.at.n ? p.mark.agent : vy_str_n(NULL, 0);
	} else if (!ask.caps->can_fork) {
		rc = vy_fail(e, VY_UNSUPPORTED, "%s cannot copy a conversation", ask.provider);
	} else {
		origin_of_all(s, out);
	}
	out->mark.at = vy_arena_str(mem, out->mark.at);
	out->fork_of = vy_arena_str(mem, out->fork_of);
	session_point_fini(&p);
	return rc;
}

struct vy_json *session_words(struct session *s, struct vy_str message, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	struct session_point p;
	struct vy_json *o = NULL;

	session_point_init(&p);
	if (session_point_find(s, message, &p, e) == 0 && whole_text(s, &p.m, &text, e) == 0) {
		o = vy_json_new_obj();
		vy_json_set_str(o, "text", vy_buf_str(&text));
		if (p.m.images.n) {
			vy_json_take(o, "images", vy_json_parse(p.m.images, NULL));
		}
	}
	session_point_fini(&p);
	return o;
}

/* ---- said anew ---- */

static struct vy_json *say_anew(struct session *s, const struct session_back *b,
	const struct session_point *p, struct vy_str text, struct vy_err *e)
{
	VY_AUTO_JSON *images = p->m.images.n ? vy_json_parse(p->m.images, NULL) : NULL;
	struct session_say say = {
		.message = b->uuid,
		.text = text,
		.author = b->who,
		.reply_to = p->m.reply_to,
		.images = images,
		.when = AGENT_STEER,
	};

	go_back(s, b, p);
	struct vy_json *o = session_say(s, &say, e);

	vy_json_set_str(o, "of", b->message);
	return o;
}

static struct vy_json *retry(struct session *s, const struct session_back *b, struct vy_err *e)
{
	VY_AUTO_BUF own = VY_BUF_INIT(VY_SEND_TEXT_MAX);
	struct session_point p;
	struct vy_json *o = NULL;

	session_point_init(&p);
	if (check(s, b, &p, false, e) != 0) {
		goto out;
	}
	if (turn_queued(s->turn) > 0) {
		vy_fail(e, VY_CONFLICT,
			"messages wait in the queue: let them go, or take them back, first");
		goto out;
	}
	if (!b->text.n && whole_text(s, &p.m, &own, e) != 0) {
		goto out;
	}
	o = say_anew(s, b, &p, b->text.n ? b->text : vy_buf_str(&own), e);
	VY_CRASH(REWIND_DONE);
out:
	session_point_fini(&p);
	return o;
}

struct vy_json *session_retry(struct session *s, const struct session_back *b, struct vy_err *e)
{
	struct session_back to = *b;
	char *last = b->message.n ? NULL : last_of(s, b->who);
	struct vy_json *o = NULL;

	if (last) {
		to.message = vy_str_c(last);
	}
	if (!to.message.n) {
		vy_fail(e, VY_NOT_FOUND,
			"you said nothing in this session that could be said again");
	} else {
		o = retry(s, &to, e);
	}
	free(last);
	return o;
}
