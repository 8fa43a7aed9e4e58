/* observe.c -- see observe.h. */
#include "server/hub/observe.h"

#include <stdlib.h>
#include <uthash.h>

#include "server/guard/redact.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define OBSERVE_MAGIC 0x6f627376u
#define SUB_MAGIC     0x6f627375u

#define CURSOR_SHIFT 30                          /* lines of one session and one start */
#define LINE_ROOM    ((size_t)8 * TAPE_LINE_MAX) /* a hit may be longer than the secret was */

struct reel { /* of one session */
	struct observe *observe;
	char *session;
	struct tape tape;
	uint32_t parts; /* attachments so far */
	unsigned taps;
	TAILQ_HEAD(, observe_sub) subs;
	TAILQ_ENTRY(reel) link;
	UT_hash_handle hh;
};

struct observe_tap {
	struct reel *reel;
	uint32_t part;
};

struct observe_sub {
	VY_MAGIC;
	struct reel *reel;
	int64_t at; /* number of the line given last */
	bool in_key[TAPE_WAYS];
	bool is_tidy, is_dry, is_due;
	void (*ready)(void *ctx);
	void *ctx;
	TAILQ_ENTRY(observe_sub) link, in_due;
};

struct observe {
	VY_MAGIC;
	struct observe_conf conf;
	struct reel *by_session;
	TAILQ_HEAD(reels, reel) reels; /* written to last stands last */
	size_t bytes;
	TAILQ_HEAD(, observe_sub) due;
	bool is_deferred;
};

static void work_off(void *ctx);

/* ---- reels ---- */

static void reel_free(struct reel *r)
{
	struct observe *o = r->observe;

	o->bytes -= r->tape.bytes;
	tape_fini(&r->tape);
	TAILQ_REMOVE(&o->reels, r, link);
	HASH_DEL(o->by_session, r);
	free(r->session);
	free(r);
}

/* It holds nothing, and nobody holds it. */
static void free_empty(struct reel *r)
{
	if (!r->taps && TAILQ_EMPTY(&r->subs) && r->tape.bytes == 0) {
		reel_free(r);
	}
}

static struct reel *reel_of(struct observe *o, const char *session)
{
	struct reel *r;

	HASH_FIND_STR(o->by_session, session, r);
	if (!r) {
		r = VY_NEW(struct reel);
		r->observe = o;
		r->session = vy_strdup(session);
		tape_init(&r->tape);
		TAILQ_INIT(&r->subs);
		TAILQ_INSERT_TAIL(&o->reels, r, link);
		HASH_ADD_KEYPTR(hh, o->by_session, r->session, strlen(r->session), r);
	}
	return r;
}

static void drop_bytes(struct reel *r)
{
	struct observe *o = r->observe;
	size_t before = r->tape.bytes;

	tape_drop_oldest(&r->tape);
	o->bytes -= before - r->tape.bytes;
}

/* What was written to longest ago makes room. */
static void make_room(struct observe *o)
{
	struct reel *r = TAILQ_FIRST(&o->reels), *next;

	while (o->bytes > OBSERVE_MAX && r) {
		next = TAILQ_NEXT(r, link);
		while (o->bytes > OBSERVE_MAX && r->tape.bytes) {
			drop_bytes(r);
		}
		free_empty(r);
		r = next;
	}
}

struct observe *observe_new(const struct observe_conf *conf)
{
	struct observe *o = VY_NEW(struct observe);

	VY_MAGIC_SET(o, OBSERVE_MAGIC);
	o->conf = *conf;
	TAILQ_INIT(&o->reels);
	TAILQ_INIT(&o->due);
	return o;
}

void observe_free(struct observe *o)
{
	struct reel *r;

	if (!o) {
		return;
	}
	VY_CHECK(o, OBSERVE_MAGIC);
	vy_loop_forget(o->conf.loop, work_off, o);
	while ((r = TAILQ_FIRST(&o->reels))) {
		vy_assert(!r->taps && TAILQ_EMPTY(&r->subs));
		reel_free(r);
	}
	VY_MAGIC_CLEAR(o);
	free(o);
}

void observe_forget(struct observe *o, const char *session)
{
	struct reel *r = NULL;

	if (o) {
		HASH_FIND_STR(o->by_session, session, r);
	}
	if (r) {
		while (r->tape.bytes) {
			drop_bytes(r);
		}
		free_empty(r);
	}
}

/* ---- waking ---- */

static void work_off(void *ctx)
{
	struct observe *o = ctx;
	struct observe_sub *s;

	o->is_deferred = false;
	while ((s = TAILQ_FIRST(&o->due))) {
		TAILQ_REMOVE(&o->due, s, in_due);
		s->is_due = false;
		s->ready(s->ctx);
	}
}

static void make_due(struct observe_sub *s)
{
	struct observe *o = s->reel->observe;

	if (s->is_dry && !s->is_due) {
		s->is_dry = false;
		s->is_due = true;
		TAILQ_INSERT_TAIL(&o->due, s, in_due);
	}
	if (!o->is_deferred && !TAILQ_EMPTY(&o->due)) {
		o->is_deferred = true;
		vy_loop_defer(o->conf.loop, work_off, o);
	}
}

/* ---- who speaks with an agent ---- */

struct observe_tap *observe_attach(struct observe *o, const char *session)
{
	struct observe_tap *t;

	if (!o) {
		return NULL;
	}
	t = VY_NEW(struct observe_tap);
	t->reel = reel_of(o, session);
	t->reel->taps++;
	t->part = ++t->reel->parts;
	return t;
}

void observe_detach(struct observe_tap *t)
{
	if (t) {
		t->reel->taps--;
		free_empty(t->reel);
		free(t);
	}
}

void observe_line(struct observe_tap *t, enum tape_way way, struct vy_str line)
{
	struct tape_line l = { .part = t ? t->part : 0, .way = way, .whole = line.n, .text = line };
	struct observe_sub *s;
	struct observe *o;
	size_t before;

	if (!t) {
		return;
	}
	o = t->reel->observe;
	l.time = vy_wall_ms(o->conf.clock);
	before = t->reel->tape.bytes;
	tape_write(&t->reel->tape, &l);
	if (t->reel->tape.bytes != before) { /* another chunk, and perhaps one less */
		o->bytes += t->reel->tape.bytes - before;
		TAILQ_REMOVE(&o->reels, t->reel, link);
		TAILQ_INSERT_TAIL(&o->reels, t->reel, link);
		make_room(o);
	}
	TAILQ_FOREACH (s, &t->reel->subs, link) {
		make_due(s);
	}
}

/* ---- who looks ---- */

/* Where a reader comes in, a key may be under way: what is held before that place says so. */
static void find_keys(struct observe_sub *s)
{
	const struct tape *t = &s->reel->tape;
	struct tape_line l;

	memcpy(s->in_key, t->in_key, sizeof(s->in_key));
	for (int64_t n = tape_first(t); n <= s->at && tape_read(t, n, &l); n++) {
		tape_is_of_key(&s->in_key[l.way], l.text);
	}
}

static int64_t base_of(const struct observe *o)
{
	return o->conf.starts << CURSOR_SHIFT;
}

struct observe_sub *observe_subscribe(struct observe *o, const struct observe_open *open)
{
	struct observe_sub *s = VY_NEW(struct observe_sub);
	int64_t after = open->after - base_of(o), last;

	VY_CHECK(o, OBSERVE_MAGIC);
	VY_MAGIC_SET(s, SUB_MAGIC);
	s->reel = reel_of(o, open->session);
	last = s->reel->tape.next - 1;
	s->at = after < 0 ? 0 : after > last ? last : after;
	s->is_tidy = open->is_tidy;
	s->ready = open->ready;
	s->ctx = open->ctx;
	s->is_dry = true;
	TAILQ_INSERT_TAIL(&s->reel->subs, s, link);
	find_keys(s);
	make_due(s);
	return s;
}

void observe_unsubscribe(struct observe_sub *s)
{
	struct reel *r;

	if (!s) {
		return;
	}
	VY_CHECK(s, SUB_MAGIC);
	r = s->reel;
	if (s->is_due) {
		TAILQ_REMOVE(&r->observe->due, s, in_due);
	}
	TAILQ_REMOVE(&r->subs, s, link);
	free_empty(r);
	VY_MAGIC_CLEAR(s);
	free(s);
}

int64_t observe_cursor(const struct observe_sub *s)
{
	return base_of(s->reel->observe) + s->at;
}

static void write_epoch(const struct observe *o, uint32_t part, struct vy_buf *out)
{
	vy_buf_addf(out, "%lld.%u", (long long)o->conf.starts, part);
}

void observe_epoch(const struct observe_sub *s, struct vy_buf *out)
{
	if (s->reel->parts) {
		write_epoch(s->reel->observe, s->reel->parts, out);
	}
}

/* ---- an item ---- */

/* The line without its secrets, as text; and as a value, if that is wanted and it is JSON. */
static struct vy_json *clean(struct observe_sub *s, const struct tape_line *l, struct vy_buf *text)
{
	VY_AUTO_BUF first = VY_BUF_INIT(LINE_ROOM);
	bool is_cut = l->text.n < l->whole;
	struct vy_json *v = is_cut || !vy_str_starts(l->text, "{")
				    ? NULL
				    : vy_json_parse_lenient(l->text, NULL);

	if (v) {
		guard_redact_json(v);
		vy_json_dump(v, &first);
		vy_json_free(v);
		guard_redact(vy_buf_str(&first), text);
		return s->is_tidy ? vy_json_parse_lenient(vy_buf_str(text), NULL) : NULL;
	}
	vy_utf8_clean(l->text, &first);
	if (vy_str_starts(l->text, "{") || !tape_is_of_key(&s->in_key[l->way], l->text)) {
		(is_cut ? guard_redact_cut : guard_redact)(vy_buf_str(&first), text);
	} else {
		vy_buf_adds(text, "[redacted: private key]");
	}
	return NULL;
}

static void write_line(struct vy_jw *w, const struct tape_line *l, struct vy_str text)
{
	vy_jw_kstr(w, "line", text);
	if (l->text.n < l->whole) {
		vy_jw_kint(w, "bytes", (int64_t)l->whole);
	}
}

static void write_tidy(
	struct vy_jw *w, const struct observe *o, const struct vy_json *v, struct vy_str text)
{
	VY_AUTO_BUF kind = VY_BUF_INIT(VY_KIB), summary = VY_BUF_INIT(4 * VY_KIB);

	o->conf.tidy(v, text, &kind, &summary);
	vy_jw_kstr(w, "kind", vy_buf_str(&kind));
	vy_jw_kstr(w, "summary", vy_buf_str(&summary));
}

static void write_item(struct observe_sub *s, const struct tape_line *l, struct vy_buf *out)
{
	const struct observe *o = s->reel->observe;
	VY_AUTO_BUF text = VY_BUF_INIT(2 * LINE_ROOM), epoch = VY_BUF_INIT(64);
	VY_AUTO_JSON *v = clean(s, l, &text);
	struct vy_jw w = VY_JW(out);

	write_epoch(o, l->part, &epoch);
	vy_jw_obj(&w);
	vy_jw_kint(&w, "cur", base_of(o) + l->n);
	vy_jw_kstr(&w, "epoch", vy_buf_str(&epoch));
	vy_jw_kint(&w, "time", l->time);
	vy_jw_kstr(&w, "dir", vy_str_c(l->way == TAPE_OUT ? "out" : "in"));
	if (l->way == TAPE_IN_ERR) {
		vy_jw_kbool(&w, "stderr", true);
	}
	if (s->is_tidy) {
		write_tidy(&w, o, v, vy_buf_str(&text));
	} else {
		write_line(&w, l, vy_buf_str(&text));
	}
	vy_jw_end_obj(&w);
}

bool observe_next(struct observe_sub *s, struct vy_buf *out)
{
	struct tape_line l;

	VY_CHECK(s, SUB_MAGIC);
	s->is_dry = !tape_read(&s->reel->tape, s->at + 1, &l);
	if (s->is_dry) {
		return false;
	}
	if (l.n != s->at + 1) { /* what lay between is not held any more */
		memcpy(s->in_key, s->reel->tape.in_key, sizeof(s->in_key));
	}
	write_item(s, &l, out);
	s->at = l.n;
	return true;
}
