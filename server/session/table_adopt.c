/* table_adopt.c -- see table_adopt.h. The transcript is read by the worker (server/adopt); here its frames are
 * stored, a few hundred in a turn of the loop, and then record and turn in one commit. */
#include "server/session/table_adopt.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "server/adopt/attic.h"
#include "server/io/peercred.h"
#include "server/log/log.h"
#include "server/session/session_in.h"
#include "server/session/table_in.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define SPACE      "copy"         /* what is half made is tidied up as a copy is (table_copy.c) */
#define STEP       512            /* frames a turn of the loop: some 4 ms and its commit 3, … */
#define STEP_BYTES (512 * VY_KIB) /* … about so many bytes */
#define WAITERS    64
#define KEY_MAX    400

struct waiter {
	table_adopted_fn *fn;
	void *ctx;
};

struct adopting {
	struct table *table;
	const struct adopt_kind *kind;
	char *id, *person;
	char session[VY_UUID_LEN + 1];
	struct past *past;
	size_t at; /* frames stored */
	struct record *record;
	struct waiter waiters[WAITERS];
	size_t n_waiters;
	struct vy_timer *soon;
	int64_t began;
	LIST_ENTRY(adopting) link;
};

/* ---- what is ours ---- */

static void key_of(const char *kind, struct vy_str id, char out[KEY_MAX])
{
	snprintf(out, KEY_MAX, "%s %.*s", kind, VY_STR_ARG(id));
}

/* Of an agent that is reached by a protocol, by what its provider is called. */
static const char *kind_of(const struct vy_json *record)
{
	struct vy_str driver = vy_json_str(record, "driver"),
		      name = vy_json_str(record, "provider");
	const struct adopt_kind *k = adopt_find(vy_str_is(driver, "acp") ? name : driver);

	return k ? k->kind : NULL;
}

static bool add_ours(void *ctx, const struct store_row *row)
{
	VY_AUTO_JSON *v = vy_json_parse(row->session.doc, NULL);
	const struct vy_json *own = vy_json_get(v, "own"), *adopted = vy_json_get(v, "adopted");
	struct vy_str session = vy_json_str(v, "session"), agent = vy_json_str(own, "agent_id");
	const char *kind = kind_of(v);
	char key[KEY_MAX];

	if (vy_json_bool(own, "deleted", false) || !session.n) {
		return true;
	}
	if (kind) {
		key_of(kind, agent.n ? agent : session, key);
		vy_json_set_str(ctx, key, session);
	}
	if (vy_json_str(adopted, "id").n) {
		const struct adopt_kind *k = adopt_find(vy_json_str(adopted, "provider"));

		key_of(k ? k->kind : "", vy_json_str(adopted, "id"), key);
		vy_json_set_str(ctx, key, session);
	}
	return true;
}

struct vy_json *table_ours(struct table *t)
{
	struct store_row like = { .kind = ROW_SESSION };
	struct vy_json *o = vy_json_new_obj();

	(void)!log_each(t->conf.log, &like, add_ours, o, NULL);
	return o;
}

static struct session *ours(struct table *t, const struct adopt_kind *kind, struct vy_str id)
{
	VY_AUTO_JSON *all = table_ours(t);
	char key[KEY_MAX];

	key_of(kind->kind, id, key);
	struct vy_str session = vy_json_str(all, key);

	return session.n ? table_find(t, session, NULL) : NULL;
}

const char *table_adopt_file(const struct record *r)
{
	bool is_shared = vy_str_is(vy_json_str(r->adopted, "provider"), "opencode");

	return is_shared ? NULL : vy_json_cstr(r->adopted, "path");
}

bool table_adopt_is_open(struct table *t, struct vy_str id, int64_t updated)
{
	const struct elsewhere_bound *b = elsewhere_of(t->elsewhere, id);
	int64_t now = vy_wall_ms(t->conf.clock);
	struct peercred_proc p;

	if (b && peercred_proc((pid_t)b->proc.pid, &p, NULL) == 0 && p.born == b->proc.born) {
		return true;
	}
	return now - updated < ELSEWHERE_QUIET_MS &&
	       elsewhere_explained(t->elsewhere, id) < updated;
}

/* ---- its end ---- */

static void adopting_free(struct adopting *a)
{
	LIST_REMOVE(a, link);
	vy_timer_del(a->soon);
	past_free(a->past);
	record_free(a->record);
	free(a->id);
	free(a->person);
	free(a);
}

static void tell_all(struct adopting *a, struct session *made, const struct vy_err *why)
{
	struct waiter waiters[WAITERS];
	size_t n = a->n_waiters;

	memcpy(waiters, a->waiters, sizeof(waiters));
	adopting_free(a);
	for (size_t i = 0; i < n; i++) {
		waiters[i].fn(waiters[i].ctx, made, why);
	}
}

/* What is half there stays marked as such for the next vyred. */
void table_adopt_free(struct table *t)
{
	struct vy_err e = { 0 };

	vy_fail(&e, VY_GONE, "vyred ends: ask the one that is started next");
	while (LIST_FIRST(&t->adopting)) {
		tell_all(LIST_FIRST(&t->adopting), NULL, &e);
	}
}

static void mark_half(struct adopting *a, bool is_half)
{
	struct log *l = a->table->conf.log;

	if (is_half) {
		LOG_PUT(l, ROW_KV, kv, .space = VY_STR_LIT(SPACE), .name = vy_str_c(a->session),
			.value = vy_str_c(a->id));
	} else {
		LOG_DEL(l, ROW_KV, kv, .space = VY_STR_LIT(SPACE), .name = vy_str_c(a->session));
	}
}

static void finish(struct adopting *a, struct session *made, const struct vy_err *why)
{
	if (!made && a->record) {
		LOG_DEL(a->table->conf.log, ROW_SESSION, session, .session = vy_str_c(a->session));
		mark_half(a, false);
	}
	tell_all(a, made, why);
}

/* ---- frames ---- */

static void keep_wholes(struct log *log, const char *session, const struct past *p)
{
	for (size_t i = 0; i < p->n_wholes; i++) {
		LOG_PUT(log, ROW_OUTPUT, output, .session = vy_str_c(session),
			.ref = p->wholes[i].message, .mime = VY_STR_LIT("text/plain"),
			.bytes = p->wholes[i].text);
	}
}

/* One that our own log would not have is left out: a transcript may say anything. */
static int store(struct log *log, const char *session, struct vy_frame *f, struct vy_err *e)
{
	struct vy_err why = { 0 };

	if (log_append(log, session, f, &why) == 0) {
		return 0;
	}
	if (why.code == VY_BAD_INPUT) {
		vy_log(VY_LOG_WARN, "session.adopt", "session=%s kind=%s why=%s", session,
			vy_kind_word(f->kind), vy_log_q(why.text));
		return 0;
	}
	*e = why;
	return -1;
}

/* ---- record and turn ---- */

static struct record *record_of(struct adopting *a, const struct attic_item *item)
{
	struct table *t = a->table;
	const struct provider_conf *pc = t->conf.provider(t->conf.ctx, a->kind->kind);
	bool is_own = a->kind == &adopt_claude || a->kind == &adopt_codex;
	const char *driver = pc ? pc->kind : is_own ? a->kind->kind : "acp";
	const struct provider_ops *ops = provider_find(driver);
	struct record *r = record_new(a->session);

	record_set(&r->provider, vy_str_c(a->kind->kind));
	record_set(&r->driver, vy_str_c(driver));
	record_set(&r->auth, vy_str_c(pc ? table_pays(t, pc) : NULL));
	record_set(&r->cwd, vy_str_c(item->cwd));
	record_set(&r->purpose, VY_STR_LIT("chat"));
	record_set(&r->model_from, VY_STR_LIT("default"));
	record_set(&r->person, vy_str_c(a->person));
	record_set(&r->agent_id, vy_str_c(a->id));
	r->title = item->title ? record_title_from(vy_str_c(item->title)) : NULL;
	r->is_titled = r->title != NULL;
	r->is_archived = item->is_archived;
	r->created = a->past->n ? a->past->frames[0].time : item->updated;
	r->updated = item->updated;
	r->adopted_upto = a->past->upto;
	r->adopted = vy_json_new_obj();
	vy_json_set_c(r->adopted, "provider", a->kind->kind);
	vy_json_set_c(r->adopted, "id", a->id);
	vy_json_set_c(r->adopted, "path", item->path);
	vy_json_set_int(r->adopted, "time", vy_wall_ms(t->conf.clock));
	r->capabilities = ops ? table_caps_json(&ops->caps) : NULL;
	return r;
}

static struct session *make(struct adopting *a)
{
	const struct turn_past past = {
		.at = a->past->mark,
		.number = a->past->turn,
		.messages = a->past->messages,
		.mode = vy_str_c(a->record->mode),
		.is_taken = true,
	};
	struct session *s;

	keep_wholes(a->table->conf.log, a->session, a->past);
	s = table_keep(a->table, session_new(a->table, a->record));
	a->record = NULL;
	session_begin_from(s, &past);
	mark_half(a, false);
	VY_CRASH(ADOPT_DONE);
	return s;
}

static void go_on(void *ctx)
{
	struct adopting *a = ctx;
	struct log *log = a->table->conf.log;
	struct vy_err e = { 0 };
	size_t end = a->past->n < a->at + STEP ? a->past->n : a->at + STEP;
	size_t bytes = 0;
	int rc = 0;

	if (log_trouble(log) != NULL) {
		vy_fail(&e, VY_IO, "the server could not store this, so it was not done");
		finish(a, NULL, &e);
		return;
	}
	log_quiet(log, true);
	while (rc == 0 && a->at < end && bytes < STEP_BYTES) {
		struct vy_frame *f = &a->past->frames[a->at++];

		bytes += vy_frame_str(f, VY_F_TEXT).n + vy_frame_str(f, VY_F_RESULT).n;
		rc = store(log, a->session, f, &e);
	}
	log_quiet(log, false);
	VY_CRASH(ADOPT_STEP);
	if (rc != 0) {
		finish(a, NULL, &e);
	} else if (a->at < a->past->n) {
		vy_timer_set(a->soon, 0); /* in a turn of the loop of its own */
	} else {
		vy_log(VY_LOG_INFO, "session.adopted",
			"session=%s provider=%s id=%s turns=%lld frames=%zu ms=%lld", a->session,
			a->kind->kind, vy_log_q(a->id), (long long)a->past->turn, a->past->n,
			(long long)(vy_boot_ms(a->table->conf.clock) - a->began));
		finish(a, make(a), NULL);
	}
}

static void on_read(
	void *ctx, const struct attic_item *item, struct past *own, const struct vy_err *why)
{
	struct adopting *a = ctx;
	struct vy_err e = { 0 };

	a->past = own;
	if (!own) {
		finish(a, NULL, why);
		return;
	}
	if (!item->cwd) {
		vy_fail(&e, VY_UNSUPPORTED,
			"nobody knows in which folder this session ran, so it cannot be taken "
			"over");
		finish(a, NULL, &e);
		return;
	}
	if (own->turn == 0) {
		vy_fail(&e, VY_UNSUPPORTED, "nothing was said in this session that could be read");
		finish(a, NULL, &e);
		return;
	}
	a->record = record_of(a, item);
	mark_half(a, true);
	go_on(a);
}

/* ---- the beginning ---- */

static struct adopting *under_way(struct table *t, const struct adopt_kind *kind, struct vy_str id)
{
	struct adopting *a;

	LIST_FOREACH (a, &t->adopting, link) {
		if (a->kind == kind && vy_str_is(id, a->id)) {
			return a;
		}
	}
	return NULL;
}

static struct adopting *begin(
	struct table *t, const struct adopt_kind *kind, const struct table_adopt *what)
{
	struct adopting *a = VY_NEW(struct adopting);
	VY_AUTO_BUF person = VY_BUF_INIT(VY_ID_MAX), assistant = VY_BUF_INIT(VY_ID_MAX);

	a->table = t;
	a->kind = kind;
	a->id = vy_memdup0(what->id.p, what->id.n);
	a->person = vy_memdup0(what->person.p, what->person.n);
	a->soon = vy_loop_timer(t->conf.loop, go_on, a);
	a->began = vy_boot_ms(t->conf.clock);
	vy_uuid(a->session);
	LIST_INSERT_HEAD(&t->adopting, a, link);
	vy_buf_addf(&person, "person:%s", a->person);
	vy_buf_addf(&assistant, "assistant:%s", kind->kind);
	attic_read(t->conf.attic,
		&(struct attic_reading){ .kind = kind,
			.id = what->id,
			.session = a->session,
			.person = vy_buf_str(&person),
			.assistant = vy_buf_str(&assistant) },
		on_read, a);
	return a;
}

void table_adopt(struct table *t, const struct table_adopt *what, table_adopted_fn *fn, void *ctx)
{
	const struct adopt_kind *kind = adopt_find(what->provider);
	struct vy_err e = { 0 };
	struct session *s;
	struct adopting *a;

	if (!kind || !t->conf.attic) {
		vy_fail(&e, VY_NOT_FOUND,
			"params.provider: expected claude, codex, opencode or gemini, got \"%.*s\"",
			VY_STR_ARG(what->provider));
		fn(ctx, NULL, &e);
		return;
	}
	s = ours(t, kind, what->id);
	if (s) {
		fn(ctx, s, NULL);
		return;
	}
	a = under_way(t, kind, what->id);
	a = a ? a : begin(t, kind, what);
	if (a->n_waiters == WAITERS) {
		vy_fail(&e, VY_BUSY, "this session is just being taken over: wait a moment");
		fn(ctx, NULL, &e);
		return;
	}
	a->waiters[a->n_waiters++] = (struct waiter){ fn, ctx };
}

/* ---- what was added since ---- */

struct looking {
	struct log *log;
	struct vy_str session;
};

static bool is_there(void *ctx, const struct store_row *row)
{
	(void)row;
	*(bool *)ctx = true;
	return false;
}

static bool is_known(void *ctx, struct vy_str message)
{
	const struct looking *l = ctx;
	struct store_row like = { .kind = ROW_MESSAGE,
		.message = { .session = l->session, .message = message } };
	bool is = false;

	return log_row(l->log, &like, is_there, &is, NULL) == 0 && is;
}

void table_adopt_catch_up(struct table *t, struct session *s)
{
	struct record *r = s->record;
	const struct adopt_kind *kind = adopt_find(vy_json_str(r->adopted, "provider"));
	struct looking look = { t->conf.log, session_str(s) };
	char person[SESSION_WHO_MAX], assistant[SESSION_WHO_MAX];
	VY_AUTO_BUF path = VY_BUF_INIT(8192);
	struct vy_err e = { 0 };

	if (!kind || !t->conf.attic || r->adopted_upto <= 0 || turn_is_busy(s->turn)) {
		return;
	}
	snprintf(person, sizeof(person), "person:%s", r->person ? r->person : "");
	session_assistant(s, assistant);
	vy_buf_addstr(&path, vy_json_str(r->adopted, "path"));
	const struct past_of of = { .session = r->session,
		.person = vy_str_c(person),
		.assistant = vy_str_c(assistant),
		.turn = turn_number(s->turn),
		.messages = turn_messages(s->turn),
		.now = vy_wall_ms(t->conf.clock),
		.is_known = is_known,
		.ctx = &look };
	struct past *p =
		attic_added(t->conf.attic, kind, vy_buf_c(&path), r->cwd, r->adopted_upto, &of);

	if (!p) {
		return;
	}
	for (size_t i = 0; i < p->n && e.code == VY_OK; i++) {
		(void)!store(t->conf.log, r->session, &p->frames[i], &e);
	}
	keep_wholes(t->conf.log, r->session, p);
	turn_went_on(s->turn, p->turn, p->messages, p->mark);
	r->adopted_upto = p->upto;
	s->is_record_new = true;
	session_touch(s);
	past_free(p);
}

void table_adopt_rested(struct table *t, struct session *s)
{
	VY_AUTO_BUF path = VY_BUF_INIT(8192);
	struct stat st;

	(void)t;
	vy_buf_addstr(&path, vy_json_str(s->record->adopted, "path"));
	if (s->record->adopted_upto > 0 && stat(vy_buf_c(&path), &st) == 0) {
		s->record->adopted_upto = st.st_size;
		s->is_record_new = true;
		session_touch(s);
	}
}
