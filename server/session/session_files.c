/* session_files.c -- a session goes back together with the files, and forth again (session.h).
 *
 * First the agent is asked what would change (a dry run; one that rests is woken). Those files are kept
 * (undo.h), which commits together with what the agent is then told: from there on it is `pending`
 * in the turn, nothing else begins, and the agent's answer, whenever and to whichever vyred it comes,
 * is the rewind. An agent that is gone before it answered may have put back some: all of them are
 * written again as they were, and nothing was rewound. A redo is the other way round: that it is
 * to be is committed, then the files are written, then it is said. So who dies in between leaves
 * files and frames as they were, or as they are to be. */
#include "server/session/session_in.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "server/session/undo.h"
#include "shared/base/crash.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define ASKED_MS 60000

/* Who waits. Of one at a time; a restart forgets them, not what they wait for. */
struct session_files {
	struct session *s;
	char *message, *who, *key;
	bool is_dry, is_told;
	struct vy_timer *limit;
	session_files_fn *fn;
	void *ctx;
};

static void answer(struct session *s, struct vy_json *own_result, const struct vy_err *why)
{
	struct session_files *f = s->files;

	if (!f) {
		vy_json_free(own_result);
		return;
	}
	s->files = NULL;
	vy_timer_del(f->limit);
	f->fn(f->ctx, own_result, why);
	free(f->message);
	free(f->who);
	free(f->key);
	free(f);
}

static void fail(struct session *s, const struct vy_err *why)
{
	answer(s, NULL, why);
}

static void on_limit(void *ctx)
{
	struct session_files *f = ctx;
	struct session *s = f->s;
	struct vy_err e = { 0 };

	vy_fail(&e, VY_GONE, "the agent did not answer within %d seconds; nothing was changed",
		ASKED_MS / 1000);
	fail(s, &e);
	session_let_sleep(s);
	session_run(s);
}

static void wait_for(struct session *s, const struct session_back *b, bool is_dry,
	session_files_fn *fn, void *ctx)
{
	struct session_files *f = VY_NEW(struct session_files);

	*f = (struct session_files){
		.s = s,
		.message = vy_memdup0(b->message.p, b->message.n),
		.who = vy_memdup0(b->who.p, b->who.n),
		.key = vy_memdup0(b->key.p, b->key.n),
		.is_dry = is_dry,
		.limit = vy_loop_timer(s->conf->loop, on_limit, f),
		.fn = fn,
		.ctx = ctx,
	};
	s->files = f;
}

void session_files_left(struct session *s, const struct vy_err *why)
{
	if (!turn_pending(s->turn)) {
		fail(s, why);
	}
}

void session_files_end(struct session *s)
{
	struct vy_err e = { 0 };

	if (!s->files) {
		return;
	}
	if (turn_pending(s->turn)) {
		vy_fail(&e, VY_GONE,
			"vyred ends; the one that is started next goes on with the files");
	} else {
		vy_fail(&e, VY_GONE,
			"the agent ended before it had put the files back; they are "
			"as they were");
	}
	fail(s, &e);
}

/* ---- asked ---- */

void session_tell_files(struct session *s)
{
	struct session_files *f = s->files;
	VY_AUTO_JSON *how = vy_json_new_obj();
	struct session_point p;
	struct vy_err e = { 0 };

	if (!f || f->is_told || turn_pending(s->turn)) {
		return;
	}
	session_point_init(&p);
	if (session_point_find(s, vy_str_c(f->message), &p, &e) != 0) {
		session_point_fini(&p);
		fail(s, &e);
		return;
	}
	struct agent_command c = { .kind = AC_FILES, .message = p.mark.as, .json = how };

	f->is_told = true;
	vy_timer_set(f->limit, ASKED_MS);
	vy_json_set_bool(how, "dry", true);
	runner_command(s->runner, &c);
	session_point_fini(&p);
}

static int can_begin(struct session *s, const struct session_back *b, struct vy_err *e)
{
	const struct provider_ops *driver = provider_find(s->record->driver);

	if (!driver || !driver->caps.can_files) {
		return vy_fail(
			e, VY_UNSUPPORTED, "%s keeps no files to go back to", s->record->provider);
	}
	if (session_may_rewind(s, b, e) != 0) {
		return -1;
	}
	if (s->files || turn_is_stopping(s->turn)) {
		return vy_fail(e, VY_CONFLICT, "this session is just going back: wait a moment");
	}
	return 0;
}

/* Asked already with that key: it is under way, or was done while nobody could hear of it. */
static bool is_known(struct session *s, const struct session_back *b, bool is_dry,
	session_files_fn *fn, void *ctx)
{
	const struct rewind *r = turn_rewind(s->turn);
	const struct vy_json *pending = turn_pending(s->turn);

	if (is_dry || !b->key.n) {
		return false;
	}
	if (r->key && r->answer && vy_str_is(b->key, r->key)) {
		fn(ctx, vy_json_parse(vy_str_c(r->answer), NULL), NULL);
		return true;
	}
	if (!s->files && vy_str_eq(vy_json_str(pending, "key"), b->key)) {
		wait_for(s, b, false, fn, ctx);
		return true;
	}
	return false;
}

int session_rewind_files(struct session *s, const struct session_back *b, bool is_dry,
	session_files_fn *fn, void *ctx, struct vy_err *e)
{
	if (is_known(s, b, is_dry, fn, ctx)) {
		return 0;
	}
	if (can_begin(s, b, e) != 0) {
		return -1;
	}
	wait_for(s, b, is_dry, fn, ctx);
	vy_timer_set(s->files->limit, ASKED_MS); /* also until there is an agent */
	if (turn_wake(s->turn, &s->fx)) {
		session_tell_files(s);
	}
	session_run(s);
	return 0;
}

/* ---- what would change ---- */

/* {can, changed, added, removed, why?}: as people are told. */
static struct vy_json *told(const struct vy_json *said)
{
	struct vy_json *o = vy_json_copy(said);

	vy_json_del(o, "dry");
	return o;
}

static void put_back(struct session *s, const struct vy_json *said, const struct session_back *b)
{
	char name[VY_UUID_LEN + 1];
	struct vy_err e = { 0 };
	VY_AUTO_JSON *o = session_rewound_json(s, b, &e);
	VY_AUTO_JSON *pending = vy_json_new_obj();
	struct session_point p;

	vy_uuid(name);
	session_point_init(&p);
	if (!o || session_point_find(s, b->message, &p, &e) != 0 ||
		undo_keep(s->conf->log, session_str(s), name, vy_json_get(said, "changed"), &e) !=
			0) {
		session_point_fini(&p);
		fail(s, &e);
		return;
	}
	vy_json_take(o, "files", told(said));
	vy_json_set_str(pending, "message", b->message);
	vy_json_set_str(pending, "who", b->who);
	vy_json_set_str(pending, "key", b->key);
	vy_json_set_c(pending, "files", name);
	vy_json_set(pending, "answer", o);
	turn_put_files(s->turn, p.mark.as, pending, &s->fx);
	VY_CRASH(FILES_KEPT);
	session_point_fini(&p);
}

static void heard_dry(struct session *s, const struct vy_json *said)
{
	struct session_files *f = s->files;
	struct session_back b = {
		.message = vy_str_c(f->message), .who = vy_str_c(f->who), .key = vy_str_c(f->key)
	};
	struct vy_err e = { 0 };

	vy_timer_set(f->limit, -1);
	if (f->is_dry) {
		struct vy_json *o = session_rewound_json(s, &b, &e);

		if (o) {
			vy_json_take(o, "files", told(said));
		}
		answer(s, o, o ? NULL : &e);
	} else if (!vy_json_bool(said, "can", false)) {
		struct vy_str why = vy_json_str(said, "why");

		vy_fail(&e, VY_UNSUPPORTED, "the files cannot be put back: %.*s", VY_STR_ARG(why));
		fail(s, &e);
	} else if (session_may_rewind(s, &b, &e) != 0) { /* a turn began meanwhile */
		fail(s, &e);
	} else if (vy_json_len(vy_json_get(said, "changed")) == 0) {
		struct vy_json *o = session_rewind(s, &b, &e);

		if (o) {
			vy_json_take(o, "files", told(said));
		}
		answer(s, o, o ? NULL : &e);
	} else {
		put_back(s, said, &b);
	}
}

void session_files_heard(struct session *s, const struct vy_json *said)
{
	if (s->files && s->files->is_told && vy_json_bool(said, "dry", false) &&
		!turn_pending(s->turn)) {
		heard_dry(s, said);
	}
}

/* Its agent is gone; what is pending comes as FX_FILES. */
void session_files_gone(struct session *s, bool is_again)
{
	struct vy_err e = { 0 };

	if (s->files && is_again) {
		s->files->is_told = false;
		return;
	}
	if (s->files && !turn_pending(s->turn)) {
		vy_fail(&e, VY_GONE,
			"the agent ended before it had put the files back; they are "
			"as they were");
		fail(s, &e);
	}
}

/* ---- put back, or not ---- */

static void as_before(struct session *s, const char *name, const char *why)
{
	struct vy_err e = { 0 };

	if (undo_write(s->conf->log, session_str(s), name, &e) != 0) {
		vy_log(VY_LOG_ERROR, "session.files", "session=%s why=%s", s->record->session,
			vy_log_q(e.text));
		turn_note(s->turn, e.text, &s->fx);
	}
	undo_drop(s->conf->log, session_str(s), name);
	vy_fail(&e, VY_GONE,
		"the agent ended before it had put the files back; they are as they "
		"were");
	if (why) {
		vy_fail(&e, VY_UNSUPPORTED, "the files cannot be put back: %.*s",
			VY_STR_ARG(vy_str_c(why)));
	}
	fail(s, &e);
	turn_files_over(s->turn, &s->fx);
}

void session_files_over(struct session *s, const struct vy_json *v)
{
	const struct vy_json *pending = vy_json_get(v, "pending"), *said = vy_json_get(v, "said");
	const char *name = vy_json_cstr(pending, "files");
	struct session_back b = { .message = vy_json_str(pending, "message"),
		.who = vy_json_str(pending, "who"),
		.key = vy_json_str(pending, "key") };
	VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
	struct vy_err e = { 0 };

	if (!vy_json_bool(said, "can", false)) {
		as_before(s, name, said ? vy_json_cstr(said, "why") : NULL);
		return;
	}
	VY_CRASH(FILES_BACK);
	vy_json_dump(vy_json_get(pending, "answer"), &text);
	undo_seal(s->conf->log, session_str(s), name);
	b.files = vy_str_c(name);
	b.answer = vy_buf_str(&text);
	if (session_go_back(s, &b, &e) != 0) { /* its record was damaged meanwhile */
		as_before(s, name, e.text);
		return;
	}
	answer(s, vy_json_copy(vy_json_get(pending, "answer")), NULL);
}

void session_undo_over(struct session *s, struct vy_str name)
{
	VY_AUTO_BUF word = VY_BUF_INIT(128);

	vy_buf_addstr(&word, name);
	undo_drop(s->conf->log, session_str(s), vy_buf_c(&word));
}

/* ---- forth again ---- */

void session_redo_go_on(void *ctx)
{
	struct session *s = ctx;
	VY_AUTO_JSON *pending = vy_json_copy(turn_pending(s->turn));
	struct vy_err e = { 0 };

	if (!vy_json_bool(pending, "redo", false)) {
		return;
	}
	if (undo_write(s->conf->log, session_str(s), vy_json_cstr(pending, "files"), &e) != 0) {
		turn_files_over(s->turn, &s->fx);
		fail(s, &e);
	} else {
		VY_CRASH(FILES_BACK);
		turn_files_over(s->turn, &s->fx);
		struct vy_json *o = session_redo(s, vy_json_str(pending, "who"), &e);

		if (o) {
			VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_ANSWER_MAX);

			vy_json_dump(o, &text);
			turn_back_answered(s->turn, vy_json_str(pending, "key"), vy_buf_str(&text));
		}
		answer(s, o, o ? NULL : &e);
	}
	session_run(s);
}

struct redoing {
	struct table *table;
	char id[VY_UUID_LEN + 1];
};

static void on_committed(void *ctx, bool committed)
{
	struct redoing *r = ctx;
	struct session *s = committed ? table_find(r->table, vy_str_c(r->id), NULL) : NULL;

	if (s) {
		session_redo_go_on(s);
	}
	free(r);
}

bool session_redo_has_files(const struct session *s, struct vy_str key)
{
	const struct rewind_step *step = turn_redo_step(s->turn);
	const struct rewind *r = turn_rewind(s->turn);

	return (step && step->files) || (key.n && r->key && vy_str_is(key, r->key));
}

int session_redo_files(struct session *s, const struct session_back *b, session_files_fn *fn,
	void *ctx, struct vy_err *e)
{
	const struct rewind_step *step = turn_redo_step(s->turn);
	VY_AUTO_JSON *pending = vy_json_new_obj();

	if (is_known(s, b, false, fn, ctx)) {
		return 0;
	}
	if (turn_may_go_back(s->turn, false, e) != 0 ||
		undo_check(s->conf->log, session_str(s), step->files, e) != 0) {
		return -1;
	}
	if (s->files) {
		return vy_fail(e, VY_CONFLICT, "this session is just going back: wait a moment");
	}
	struct redoing *r = VY_NEW(struct redoing);

	r->table = s->table;
	snprintf(r->id, sizeof(r->id), "%s", s->record->session);
	vy_json_set_bool(pending, "redo", true);
	vy_json_set_str(pending, "who", b->who);
	vy_json_set_str(pending, "key", b->key);
	vy_json_set_c(pending, "files", step->files);
	wait_for(s, b, false, fn, ctx);
	turn_put_files(s->turn, vy_str_n(NULL, 0), pending, &s->fx);
	session_run(s);
	log_after(s->conf->log, on_committed, r);
	return 0;
}
