/* control.c -- see control.h.
 *
 * On its way an event is a `draft` with a call behind the commit; what it needs of the store (the
 * words of a message) is read there, when the store has it. */
#include "server/hub/control.h"

#include <stdlib.h>
#include <sys/queue.h>
#include <uthash.h>

#include "server/auth/authority.h"
#include "server/hub/lifecycle.h"
#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/clock.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/model/registry.h"
#include "shared/base/ban.h"

#define CONTROL_MAGIC 0x6374726cu
#define SUB_MAGIC     0x63737562u

#define SEQ_SHIFT  30 /* events of one start; a later start is ahead of all of an earlier one */
#define DATA_MAX   (32 * VY_MIB)
#define TYPES_MOST 32

/* A session, as far as events need it: whose it is, and how its record was told last. */
struct known {
	char *session, *person, *started_by, *project;
	struct vy_json *record;
	bool is_gone;
	UT_hash_handle hh;
};

struct item {
	struct known *of;
	enum vy_control_type type;
	size_t len;
	char bytes[];
};

struct draft {
	struct control *control;
	struct known *of;
	enum vy_control_type type;
	int64_t time;
	char *id, *data; /* id NULL: named by its seq. data NULL: … */
	char *message;   /* … the record of a message that changed so */
	enum vy_message_change change;
	TAILQ_ENTRY(draft) link;
};

struct control_sub {
	VY_MAGIC;
	struct control *control;
	struct caller who;
	int64_t at; /* the last seq it is past */
	bool wants_reset, is_dry, is_due;
	char *session, *project;
	char *types[TYPES_MOST];
	size_t n_types;
	void (*ready)(void *ctx);
	void *ctx;
	TAILQ_ENTRY(control_sub) link, in_due;
};

struct control {
	VY_MAGIC;
	struct log *log;
	struct vy_loop *loop;
	const struct vy_clock *clock;
	struct known *known;
	struct item *ring[CONTROL_EVENTS];
	int64_t born;        /* wall ms: what was created later is new */
	int64_t head, floor; /* floor: the oldest held; head + 1 when none is */
	size_t bytes;
	TAILQ_HEAD(, draft) drafts;
	TAILQ_HEAD(, control_sub) subs;
	TAILQ_HEAD(, control_sub) due;
	bool is_deferred;
	control_owner_fn *owner;
	void *owner_ctx;
};

/* ---- whose a session is ---- */

static bool is_same(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* True: it was another's before. */
static bool learn(struct known *k, const struct vy_json *doc)
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

static struct known *known_of(struct control *c, const char *session)
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

static bool learn_row(void *ctx, const struct store_row *row)
{
	VY_AUTO_JSON *doc = vy_json_parse(row->session.doc, NULL);

	learn(ctx, doc);
	return false;
}

/* A session whose record was not written since this start is read once, behind a commit. */
static void find_owner(struct control *c, struct known *k)
{
	struct store_row like = { .kind = ROW_SESSION,
		.session = { .session = vy_str_c(k->session) } };
	struct vy_err e = { 0 };

	if (!k->person && log_each(c->log, &like, learn_row, k, &e) < 0) {
		vy_log(VY_LOG_ERROR, "control.owner", "session=%s err=%s", k->session,
			vy_log_q(e.text));
	}
}

/* ---- the ring ---- */

static struct item **slot(struct control *c, int64_t seq)
{
	return &c->ring[seq % CONTROL_EVENTS];
}

static void drop_oldest(struct control *c)
{
	struct item **it = slot(c, c->floor++);

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
		(c->head - c->floor + 1 >= CONTROL_EVENTS || c->bytes + bytes.n > CONTROL_BYTES)) {
		drop_oldest(c);
	}
	*slot(c, ++c->head) = it;
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

static void make_due(struct control_sub *s)
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

/* ---- an event, written ---- */

static void write_event(struct vy_jw *w, const struct draft *d, int64_t seq, struct vy_str data)
{
	char id[32];

	snprintf(id, sizeof(id), "evt_%llx", (unsigned long long)seq);
	vy_jw_obj(w);
	vy_jw_kstr(w, "id", vy_str_c(d->id ? d->id : id));
	vy_jw_kint(w, "seq", seq);
	vy_jw_kstr(w, "type", vy_str_c(vy_control_row(d->type)->word));
	vy_jw_kint(w, "time", d->time);
	vy_jw_kstr(w, "session", vy_str_c(d->of->session));
	vy_jw_key(w, "data");
	vy_jw_raw(w, data);
	vy_jw_end_obj(w);
}

static int draw_message(struct draft *d, struct vy_buf *out, struct vy_err *e)
{
	struct vy_message m = { 0 };
	struct vy_arena mem;
	int rc;

	vy_arena_init(&mem);
	rc = vy_message_decode(vy_str_c(d->message), &mem, &m, e);
	rc = rc < 0 ? rc : lifecycle_data(d->control->log, d->of->session, &m, d->change, out, e);
	vy_arena_fini(&mem);
	return rc;
}

static void publish(struct control *c, struct draft *d)
{
	VY_AUTO_BUF data = VY_BUF_INIT(DATA_MAX), bytes = VY_BUF_INIT(DATA_MAX);
	struct vy_jw w = VY_JW(&bytes);
	struct control_sub *s;
	struct vy_err e = { 0 };

	find_owner(c, d->of);
	if (d->message && draw_message(d, &data, &e) < 0) {
		vy_log(VY_LOG_ERROR, "control.message", "session=%s err=%s", d->of->session,
			vy_log_q(e.text));
		return;
	}
	write_event(&w, d, c->head + 1, d->message ? vy_buf_str(&data) : vy_str_c(d->data));
	if (vy_buf_is_over(&bytes)) {
		vy_log(VY_LOG_ERROR, "control.event", "session=%s type=%s err=long", d->of->session,
			vy_control_row(d->type)->word);
		return;
	}
	keep(c, d->of, d->type, vy_buf_str(&bytes));
	TAILQ_FOREACH (s, &c->subs, link) {
		make_due(s);
	}
}

/* ---- drafts ---- */

static void draft_free(struct draft *d)
{
	if (d->control) {
		TAILQ_REMOVE(&d->control->drafts, d, link);
	}
	free(d->id);
	free(d->data);
	free(d->message);
	free(d);
}

static void on_committed(void *ctx, bool committed)
{
	struct draft *d = ctx;

	if (committed && d->control) {
		publish(d->control, d);
	}
	draft_free(d);
}

static struct draft *draft_new(struct control *c, struct known *of, enum vy_control_type type)
{
	struct draft *d = VY_NEW(struct draft);

	d->control = c;
	d->of = of;
	d->type = type;
	TAILQ_INSERT_TAIL(&c->drafts, d, link);
	log_after(c->log, on_committed, d);
	return d;
}

struct telling {
	struct control *control;
	struct known *of;
};

static void on_event(void *ctx, const struct vy_control *ev)
{
	struct telling *t = ctx;
	struct draft *d = draft_new(t->control, t->of, ev->type);

	d->time = ev->time;
	d->id = ev->id.n ? vy_memdup0(ev->id.p, ev->id.n) : NULL;
	d->data = vy_memdup0(ev->data.p, ev->data.n);
}

static void message_changed(struct control *c, struct known *of, const struct log_news *n)
{
	const struct vy_message *m = n->message;
	VY_AUTO_BUF doc = VY_BUF_INIT(4 * VY_MIB), id = VY_BUF_INIT(4 * VY_KIB);
	struct vy_jw w = VY_JW(&doc);
	struct draft *d = draft_new(c, of, lifecycle_type((enum vy_message_change)n->change));

	vy_message_encode(m, &w);
	lifecycle_id(of->session, m->message, m->revision, &id);
	d->time = m->updated;
	d->change = (enum vy_message_change)n->change;
	d->message = vy_buf_take(&doc, NULL);
	d->id = vy_buf_take(&id, NULL);
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

static void record_changed(struct control *c, struct known *k, const struct log_news *n)
{
	struct telling t = { c, k };
	struct vy_json *doc = n->is_gone ? NULL : vy_json_parse(n->record, NULL);
	bool is_gone = !doc || vy_json_bool(vy_json_get(doc, "own"), "deleted", false);
	bool is_new = !k->record && vy_json_int(doc, "created", 0) >= c->born;
	struct vy_arena mem;

	if (k->is_gone || (is_gone && n->is_gone && !k->record && !k->person)) {
		vy_json_free(doc); /* told before, or never known to anybody */
		return;
	}
	bool is_other = is_gone;

	if (doc) {
		is_other |= learn(k, doc);
		shown(doc);
	}
	if (is_other && c->owner) {
		c->owner(c->owner_ctx, k->session);
	}
	vy_arena_init(&mem);
	vy_control_of_record(k->record, is_gone ? NULL : doc, is_new, &mem, on_event, &t);
	vy_arena_fini(&mem);
	vy_json_free(k->record);
	k->record = is_gone ? NULL : vy_json_ref(doc);
	k->is_gone = is_gone;
	vy_json_free(doc);
}

static void on_news(void *ctx, const struct log_news *n)
{
	struct control *c = ctx;
	struct known *k = known_of(c, n->session);

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

/* ---- life ---- */

struct control *control_new(struct log *log, struct vy_loop *loop, const struct vy_clock *clock)
{
	struct control *c = VY_NEW(struct control);

	VY_MAGIC_SET(c, CONTROL_MAGIC);
	c->log = log;
	c->loop = loop;
	c->clock = clock;
	c->born = vy_wall_ms(clock);
	c->head = log_starts(log) << SEQ_SHIFT;
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

/* ---- a subscription ---- */

/* Named whole, or by its beginning up to a dot. */
static bool is_type(struct vy_str word)
{
	for (int t = 0; t < VY_CONTROL_TYPES; t++) {
		struct vy_str at = vy_str_c(vy_control_row((enum vy_control_type)t)->word);
		bool is_group = word.n > 1 && word.p[word.n - 1] == '.' && word.n < at.n;

		if (vy_str_eq(at, word) || (is_group && memcmp(at.p, word.p, word.n) == 0)) {
			return true;
		}
	}
	return false;
}

static int read_filter(struct control_sub *s, const struct vy_json *filter, struct vy_err *e)
{
	const struct vy_json *types = vy_json_get(filter, "types");

	s->session = vy_strdup(vy_json_cstr(filter, "session"));
	s->project = vy_strdup(vy_json_cstr(filter, "project"));
	for (size_t i = 0; i < vy_json_len(types); i++) {
		struct vy_str word = vy_json_strval(vy_json_at(types, i));

		if (i >= TYPES_MOST || !is_type(word)) {
			return vy_fail(e, VY_BAD_INPUT,
				"params.filter.types: there is no control event \"%.*s\"",
				VY_STR_ARG(word));
		}
		s->types[s->n_types++] = vy_memdup0(word.p, word.n);
	}
	return 0;
}

static void sub_free(struct control_sub *s)
{
	free(s->session);
	free(s->project);
	for (size_t i = 0; i < s->n_types; i++) {
		free(s->types[i]);
	}
	VY_MAGIC_CLEAR(s);
	free(s);
}

struct control_sub *control_subscribe(
	struct control *c, const struct control_open *o, struct vy_err *e)
{
	struct control_sub *s = VY_NEW(struct control_sub);

	VY_CHECK(c, CONTROL_MAGIC);
	VY_MAGIC_SET(s, SUB_MAGIC);
	s->control = c;
	s->who = *o->who;
	s->ready = o->ready;
	s->ctx = o->ctx;
	s->at = o->has_since ? o->since : c->head;
	s->wants_reset = s->at < c->floor - 1 || s->at > c->head;
	if (read_filter(s, o->filter, e) != 0) {
		sub_free(s);
		return NULL;
	}
	TAILQ_INSERT_TAIL(&c->subs, s, link);
	s->is_dry = true;
	make_due(s);
	return s;
}

void control_unsubscribe(struct control_sub *s)
{
	if (!s) {
		return;
	}
	VY_CHECK(s, SUB_MAGIC);
	if (s->is_due) {
		TAILQ_REMOVE(&s->control->due, s, in_due);
	}
	TAILQ_REMOVE(&s->control->subs, s, link);
	sub_free(s);
}

/* ---- what it gets ---- */

static bool wants_type(const struct control_sub *s, const char *word)
{
	for (size_t i = 0; i < s->n_types; i++) {
		size_t n = strlen(s->types[i]);
		bool is_group = s->types[i][n - 1] == '.';

		if (is_group ? strncmp(word, s->types[i], n) == 0
			     : strcmp(word, s->types[i]) == 0) {
			return true;
		}
	}
	return s->n_types == 0;
}

static bool is_for(const struct control_sub *s, const struct item *it)
{
	const struct known *k = it->of;
	struct authority_session as = { k->session, k->person, k->started_by };

	return (!s->session || strcmp(s->session, k->session) == 0) &&
	       (!s->project || (k->project && strcmp(s->project, k->project) == 0)) &&
	       wants_type(s, vy_control_row(it->type)->word) &&
	       authority_judge(&s->who, VY_REACH_ANYONE, false, true, &as) == AUTHORITY_ALLOWED;
}

static void write_reset(struct control_sub *s, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);
	int64_t head = s->control->head;
	char id[40];

	s->wants_reset = false;
	s->at = head;
	snprintf(id, sizeof(id), "evt_reset.%llx", (unsigned long long)head);
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "id", vy_str_c(id));
	vy_jw_kint(&w, "seq", head);
	vy_jw_kstr(&w, "type", vy_str_c(vy_control_row(VY_CONTROL_CONTROL_RESET)->word));
	vy_jw_kint(&w, "time", vy_wall_ms(s->control->clock));
	vy_jw_key(&w, "data");
	vy_jw_obj(&w);
	vy_jw_kint(&w, "head", head);
	vy_jw_end_obj(&w);
	vy_jw_end_obj(&w);
}

bool control_next(struct control_sub *s, struct vy_buf *out)
{
	struct control *c = s->control;

	VY_CHECK(s, SUB_MAGIC);
	s->is_dry = false;
	if (s->wants_reset || s->at < c->floor - 1) {
		write_reset(s, out);
		return true;
	}
	while (s->at < c->head) {
		const struct item *it = *slot(c, ++s->at);

		if (is_for(s, it)) {
			vy_buf_add(out, it->bytes, it->len);
			return true;
		}
	}
	s->is_dry = true;
	return false;
}
