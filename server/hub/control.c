/* control.c -- see control.h. How events are made; control_sub.c is how they are given out.
 *
 * On its way an event is a `draft` with a call behind the commit; what it needs of the store (the
 * words of a message) is read there, when the store has it. */
#include "server/hub/control.h"

#include <stdlib.h>

#include "server/hub/control_in.h"
#include "server/hub/lifecycle.h"
#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/crash.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/base/clock.h"
#include "shared/base/ban.h"

#define OWN_MAX 4096

struct draft {
	struct control *control;
	struct known *of;
	struct control_event ev; /* its doc is ours */
	TAILQ_ENTRY(draft) link;
};

/* ---- whose a session is ---- */

static bool is_same(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

bool control_learn(struct known *k, const struct vy_json *doc)
{
	const struct vy_json *own = vy_json_get(doc, "own");
	bool is_other =
		k->person && (!is_same(k->person, vy_json_cstr(own, "person")) ||
				     !is_same(k->started_by, vy_json_cstr(own, "started_by")));

	free(k->person);
	free(k->started_by);
	free(k->project);
	k->person = vy_strdup(vy_json_cstr(own, "person"));
	k->started_by = vy_strdup(vy_json_cstr(own, "started_by"));
	k->project = vy_strdup(vy_json_cstr(doc, "project"));
	return is_other;
}

struct known *control_known(struct control *c, const char *session)
{
	struct known *k;

	HASH_FIND_STR(c->known, session, k);
	if (!k) {
		k = VY_NEW(struct known);
		k->session = vy_strdup(session);
		HASH_ADD_KEYPTR(hh, c->known, k->session, strlen(k->session), k);
	}
	return k;
}

/* As threads.get shows it: without what only vyred needs, and what is not the record's to know. */
static struct vy_json *shown(struct vy_json *doc)
{
	static const char *const not_ours[] = { "own", "viewers", "epoch" };

	for (size_t i = 0; i < VY_COUNT(not_ours); i++) {
		vy_json_del(doc, not_ours[i]);
	}
	return doc;
}

static bool learn_row(void *ctx, const struct store_row *row)
{
	struct known *k = ctx;
	struct vy_json *doc = vy_json_parse(row->session.doc, NULL);

	control_learn(k, doc);
	k->is_gone = vy_json_bool(vy_json_get(doc, "own"), "deleted", false);
	k->record = doc ? shown(doc) : NULL;
	return false;
}

void control_find_known(struct control *c, struct known *k)
{
	struct store_row like = { .kind = ROW_SESSION,
		.session = { .session = vy_str_c(k->session) } };
	struct vy_err e = { 0 };

	if (k->session[0] && !k->person && !k->record &&
		log_each(c->log, &like, learn_row, k, &e) < 0) {
		vy_log(VY_LOG_ERROR, "control.owner", "session=%s err=%s", k->session,
			vy_log_q(e.text));
	}
}

/* ---- the ring ---- */

struct item **control_slot(struct control *c, int64_t seq)
{
	return &c->ring[seq % CONTROL_RING];
}

static void drop_oldest(struct control *c)
{
	struct item **it = control_slot(c, c->floor++);

	c->bytes -= (*it)->len;
	free(*it);
	*it = NULL;
}

static void keep(
	struct control *c, struct known *of, enum vy_control_type type, struct vy_str bytes)
{
	struct item *it = vy_alloc(sizeof(*it) + bytes.n);

	it->of = of;
	it->type = type;
	it->len = bytes.n;
	memcpy(it->bytes, bytes.p, bytes.n);
	while (c->floor <= c->head &&
		(c->head - c->floor + 1 >= CONTROL_RING || c->bytes + bytes.n > CONTROL_BYTES)) {
		drop_oldest(c);
	}
	*control_slot(c, ++c->head) = it;
	c->bytes += bytes.n;
}

/* ---- waking ---- */

static void work_off(void *ctx)
{
	struct control *c = ctx;
	struct control_sub *s;

	c->is_deferred = false;
	while ((s = TAILQ_FIRST(&c->due))) {
		TAILQ_REMOVE(&c->due, s, in_due);
		s->is_due = false;
		s->ready(s->ctx);
	}
}

void control_make_due(struct control_sub *s)
{
	struct control *c = s->control;

	if (s->is_dry && !s->is_due) {
		s->is_dry = false;
		s->is_due = true;
		TAILQ_INSERT_TAIL(&c->due, s, in_due);
	}
	if (!c->is_deferred && !TAILQ_EMPTY(&c->due)) {
		c->is_deferred = true;
		vy_loop_defer(c->loop, work_off, c);
	}
}

/* ---- published ---- */

/* What cannot be drawn has its place, and no bytes. */
static void publish(struct control *c, struct draft *d)
{
	VY_AUTO_BUF bytes = VY_BUF_INIT(CONTROL_DOC);
	struct control_sub *s;
	struct vy_err e = { 0 };

	vy_assert(d->ev.seq == c->head + 1);
	control_find_known(c, d->of);
	if (control_event_draw(c->log, &d->ev, &bytes, &e) < 0 || vy_buf_is_over(&bytes)) {
		vy_log(VY_LOG_ERROR, "control.event", "session=%s type=%s err=%s", d->of->session,
			vy_control_row(d->ev.type)->word, vy_log_q(e.text));
		vy_buf_fini(&bytes);
	}
	keep(c, d->of, d->ev.type, vy_buf_str(&bytes));
	TAILQ_FOREACH (s, &c->subs, link) {
		control_make_due(s);
	}
}

/* ---- drafts ---- */

static void draft_free(struct draft *d)
{
	if (d->control) {
		TAILQ_REMOVE(&d->control->drafts, d, link);
	}
	free((char *)d->ev.doc.p);
	free(d);
}

static void on_committed(void *ctx, bool committed)
{
	struct draft *d = ctx;

	if (committed && d->control) {
		publish(d->control, d);
		VY_CRASH(CONTROL_TOLD);
	}
	draft_free(d);
}

/* Whose a session was, for who asks when it is gone (learn). */
static void write_own(const struct known *k, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_jw_key(&w, "own");
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "person", vy_str_c(k->person));
	vy_jw_kstr(&w, "started_by", vy_str_c(k->started_by));
	vy_jw_end_obj(&w);
	vy_jw_kstr(&w, "project", vy_str_c(k->project));
	vy_jw_end_obj(&w);
}

/* It is in this turn's transaction, and said behind it. */
static void draft(struct control *c, struct known *of, enum vy_control_type type, struct vy_str doc)
{
	VY_AUTO_BUF own = VY_BUF_INIT(OWN_MAX);
	struct draft *d = VY_NEW(struct draft);

	d->control = c;
	d->of = of;
	d->ev.type = type;
	d->ev.seq = ++c->staged;
	d->ev.session = of->session;
	d->ev.doc = vy_str_n(vy_memdup0(doc.p, doc.n), doc.n);
	TAILQ_INSERT_TAIL(&c->drafts, d, link);
	if (type == VY_CONTROL_SESSION_DELETED) {
		write_own(of, &own);
	}
	control_event_keep(c->log, &d->ev, vy_buf_str(&own), &c->kept);
	log_after(c->log, on_committed, d);
	VY_CRASH(CONTROL_STAGED);
}

struct telling {
	struct control *control;
	struct known *of;
};

static void on_event(void *ctx, const struct vy_control *ev)
{
	VY_AUTO_BUF doc = VY_BUF_INIT(CONTROL_DOC);
	struct telling *t = ctx;
	struct vy_control timed = *ev;

	if (timed.time == 0) { /* of what is no more, no record says when */
		timed.time = vy_wall_ms(t->control->clock);
	}
	control_event_write(&timed, t->of->session, t->control->staged + 1, &doc);
	if (vy_buf_is_over(&doc)) {
		vy_log(VY_LOG_ERROR, "control.event", "session=%s type=%s err=long", t->of->session,
			vy_control_row(ev->type)->word);
		return;
	}
	draft(t->control, t->of, ev->type, vy_buf_str(&doc));
}

static void message_changed(struct control *c, struct known *of, const struct log_news *n)
{
	VY_AUTO_BUF doc = VY_BUF_INIT(4 * VY_MIB);
	struct vy_jw w = VY_JW(&doc);
	struct vy_message m = *n->message;

	if (m.enc.n) { /* that there is one: what it is stands in the log and the history alone */
		m.enc = VY_STR_LIT("true");
	}
	vy_message_encode(&m, &w);
	draft(c, of, lifecycle_type((enum vy_message_change)n->change), vy_buf_str(&doc));
}

static void record_changed(struct control *c, struct known *k, const struct log_news *n)
{
	struct telling t = { c, k };
	struct vy_json *doc = n->is_gone ? NULL : vy_json_parse(n->record, NULL);
	bool is_gone = !doc || vy_json_bool(vy_json_get(doc, "own"), "deleted", false);
	struct vy_arena mem;

	control_find_known(c, k); /* as it was stored: what is staged is not */

	if (k->is_gone || (is_gone && n->is_gone && !k->record && !k->person)) {
		vy_json_free(doc); /* told before, or never known to anybody */
		return;
	}
	bool is_other = is_gone;

	if (doc) {
		is_other |= control_learn(k, doc);
		shown(doc);
	}
	if (is_other && c->owner) {
		c->owner(c->owner_ctx, k->session);
	}
	vy_arena_init(&mem);
	vy_control_of_record(k->record, is_gone ? NULL : doc, !k->record, &mem, on_event, &t);
	vy_arena_fini(&mem);
	vy_json_free(k->record);
	k->record = is_gone ? NULL : vy_json_ref(doc);
	k->is_gone = is_gone;
	vy_json_free(doc);
}

static void on_news(void *ctx, const struct log_news *n)
{
	struct control *c = ctx;
	struct known *k = control_known(c, n->session);

	VY_CHECK(c, CONTROL_MAGIC);
	if (n->event) {
		struct telling t = { c, k };
		struct vy_arena mem;

		vy_arena_init(&mem);
		vy_control_of_event(n->id, n->event, n->frame, &mem, on_event, &t);
		vy_arena_fini(&mem);
	} else if (n->message && n->change != VY_MESSAGE_SAME) {
		message_changed(c, k, n);
	} else if (!n->message) {
		record_changed(c, k, n);
	}
}

void control_provider(struct control *c, const char *name, const char *why)
{
	struct telling t = { c, control_known(c, "") };
	struct vy_arena mem;

	VY_CHECK(c, CONTROL_MAGIC);
	if (log_is_read_only(c->log)) {
		return;
	}
	vy_arena_init(&mem);
	vy_control_of_provider(vy_str_c(name), vy_str_c(why), &mem, on_event, &t);
	vy_arena_fini(&mem);
}

void control_of_defaults(struct control *c, const struct vy_control_defaults *d)
{
	struct telling t = { c, control_known(c, "") };
	struct vy_arena mem;

	VY_CHECK(c, CONTROL_MAGIC);
	if (log_is_read_only(c->log)) {
		return;
	}
	vy_arena_init(&mem);
	vy_control_of_defaults(d, &mem, on_event, &t);
	vy_arena_fini(&mem);
}

typedef void draw_fn(const void *what, struct vy_arena *mem, vy_control_fn *fn, void *ctx);

/* With a session, as a slot or a terminal of it. */
static void of_session(struct control *c, struct vy_str session, const void *what, draw_fn *draw)
{
	VY_CHECK(c, CONTROL_MAGIC);
	if (log_is_read_only(c->log)) {
		return;
	}
	VY_AUTO_BUF id = VY_BUF_INIT(OWN_MAX);
	struct vy_arena mem;

	vy_buf_addstr(&id, session);
	struct telling t = { c, control_known(c, vy_buf_c(&id)) };

	vy_arena_init(&mem);
	draw(what, &mem, on_event, &t);
	vy_arena_fini(&mem);
}

static void draw_slot(const void *what, struct vy_arena *mem, vy_control_fn *fn, void *ctx)
{
	vy_control_of_slot(what, mem, fn, ctx);
}

void control_of_slot(struct control *c, const struct vy_control_slot *slot)
{
	of_session(c, slot->session, slot, draw_slot);
}

static void draw_term(const void *what, struct vy_arena *mem, vy_control_fn *fn, void *ctx)
{
	vy_control_of_term(what, mem, fn, ctx);
}

void control_of_term(struct control *c, const struct vy_control_term *term)
{
	of_session(c, term->session, term, draw_term);
}

/* ---- life ---- */

struct control *control_new(struct log *log, struct vy_loop *loop, const struct vy_clock *clock)
{
	struct control *c = VY_NEW(struct control);

	VY_MAGIC_SET(c, CONTROL_MAGIC);
	c->log = log;
	c->loop = loop;
	c->clock = clock;
	control_event_open(log, clock, &c->kept, &c->head);
	c->staged = c->head;
	c->floor = c->head + 1;
	TAILQ_INIT(&c->drafts);
	TAILQ_INIT(&c->subs);
	TAILQ_INIT(&c->due);
	log_on_news(log, on_news, c);
	return c;
}

void control_free(struct control *c)
{
	struct known *k, *next;
	struct draft *d;

	if (!c) {
		return;
	}
	VY_CHECK(c, CONTROL_MAGIC);
	vy_assert(TAILQ_EMPTY(&c->subs));
	while ((d = TAILQ_FIRST(&c->drafts))) { /* its call comes, to nobody */
		TAILQ_REMOVE(&c->drafts, d, link);
		d->control = NULL;
	}
	log_on_news(c->log, NULL, NULL);
	vy_loop_forget(c->loop, work_off, c);
	while (c->floor <= c->head) {
		drop_oldest(c);
	}
	HASH_ITER (hh, c->known, k, next) {
		HASH_DEL(c->known, k);
		free(k->session);
		free(k->person);
		free(k->started_by);
		free(k->project);
		vy_json_free(k->record);
		free(k);
	}
	VY_MAGIC_CLEAR(c);
	free(c);
}

void control_on_owner(struct control *c, control_owner_fn *fn, void *ctx)
{
	c->owner = fn;
	c->owner_ctx = ctx;
}

int64_t control_head(const struct control *c)
{
	return c->head;
}
