/* terms.c -- see terms.h: all of them, in the order they were opened. */
#include "server/term/terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/log/log.h"
#include "server/term/rc.h"
#include "server/term/term_in.h"
#include "server/term/viewer.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

/* ---- the table ---- */

static void on_paused(void *ctx, bool is_paused, const struct vy_err *why)
{
	struct terms *ts = ctx;
	struct term *t;

	(void)why;
	if (!is_paused) {
		TAILQ_FOREACH (t, &ts->all, link) {
			term_resume(t);
		}
	}
}

struct terms *terms_new(const struct terms_conf *conf)
{
	static const struct terms_ops nobody = { 0 };
	struct terms *ts = VY_NEW(struct terms);

	ts->conf = *conf;
	ts->conf.ops = conf->ops ? conf->ops : &nobody;
	TAILQ_INIT(&ts->all);
	log_on_paused(conf->log, on_paused, ts);
	return ts;
}

void terms_free(struct terms *ts)
{
	struct term *t;
	struct vy_err e = { 0 };

	if (!ts) {
		return;
	}
	log_on_paused(ts->conf.log, NULL, ts);
	vy_fail(&e, VY_RETRY, "vyred is restarting; come again in a moment");
	while ((t = TAILQ_FIRST(&ts->all))) {
		terms_opened_fn *fn = t->opened;
		void *ctx = t->opened_ctx;

		t->opened = NULL;
		term_drop(t);
		if (fn) {
			fn(ctx, NULL, &e);
		}
	}
	free(ts);
}

bool terms_knows(const struct terms *ts, const char *hid)
{
	const struct term *t;

	TAILQ_FOREACH (t, &ts->all, link) {
		if (strcmp(t->facts.hid, hid) == 0) {
			return true;
		}
	}
	return false;
}

static struct term *find(const struct terms *ts, struct vy_str id)
{
	struct term *t;

	TAILQ_FOREACH (t, &ts->all, link) {
		if (vy_str_is(id, t->facts.id)) {
			return t;
		}
	}
	return NULL;
}

const struct term_facts *terms_get(struct terms *ts, struct vy_str id)
{
	struct term *t = find(ts, id);

	return t && t->state != TERM_OPENING ? term_facts_now(t) : NULL;
}

void terms_each(struct terms *ts, const char *session, terms_each_fn *fn, void *ctx)
{
	struct term *t, *next;

	for (t = TAILQ_FIRST(&ts->all); t; t = next) {
		next = TAILQ_NEXT(t, link);
		if (t->state != TERM_OPENING &&
			(!session || strcmp(session, t->facts.session) == 0)) {
			fn(ctx, term_facts_now(t));
		}
	}
}

void terms_look(struct terms *ts)
{
	struct term *t;

	TAILQ_FOREACH (t, &ts->all, link) {
		term_rest(t);
	}
}

/* ---- opening ---- */

/* One that ended long ago makes room. */
static int has_room(struct terms *ts, const char *session, struct vy_err *e)
{
	struct term *t, *old = NULL;
	size_t of_session = 0;

	TAILQ_FOREACH (t, &ts->all, link) {
		bool is_its = strcmp(t->facts.session, session) == 0;

		of_session += is_its && t->state != TERM_ENDED;
		if (t->state == TERM_ENDED && (!old || t->facts.ended < old->facts.ended)) {
			old = t;
		}
	}
	if (of_session >= VY_TERMS_SESSION_MAX) {
		return vy_fail(e, VY_BUSY, "this session has %d terminals: close one",
			VY_TERMS_SESSION_MAX);
	}
	if (ts->n >= VY_TERMS_MAX && old) {
		term_forget(old);
	}
	return ts->n < VY_TERMS_MAX ? 0
				    : vy_fail(e, VY_BUSY, "this server has %d terminals: close one",
					      VY_TERMS_MAX);
}

static struct vy_json *list_json(const char *const *v)
{
	struct vy_json *arr = vy_json_new_arr();

	for (size_t i = 0; v[i]; i++) {
		vy_json_add_take(arr, vy_json_new_str(vy_str_c(v[i])));
	}
	return arr;
}

static struct vy_json *start_json(const struct terms_open *o)
{
	struct vy_json *start = vy_json_new_obj();

	vy_json_take(start, "argv", list_json(o->argv));
	vy_json_take(start, "env", list_json(o->env));
	vy_json_set_c(start, "cwd", o->cwd);
	return start;
}

/* The same asking once more: an earlier vyred died before it could answer. */
static bool is_known(struct terms *ts, const struct terms_open *o, terms_opened_fn *fn, void *ctx)
{
	struct term *t;

	TAILQ_FOREACH (t, &ts->all, link) {
		if (!o->asked.n || !vy_str_is(o->asked, t->asked) || t->opened ||
			strcmp(t->facts.session, o->session) != 0 ||
			strcmp(t->facts.person, o->person) != 0) {
			continue;
		}
		if (t->state == TERM_OPENING) {
			vy_json_free(t->start);
			t->start = start_json(o);
			marks_free(t->marks);
			t->marks = marks_new(o->key);
			t->opened = fn;
			t->opened_ctx = ctx;
		} else {
			fn(ctx, term_facts_now(t), NULL);
		}
		return true;
	}
	return false;
}

int terms_open(struct terms *ts, const struct terms_open *o, terms_opened_fn *fn, void *ctx,
	struct vy_err *e)
{
	char id[VY_UUID_LEN + 1];

	if (is_known(ts, o, fn, ctx)) {
		return 0;
	}
	if (has_room(ts, o->session, e) != 0) {
		return -1;
	}
	vy_uuid(id);
	struct term *t = term_make(ts, id);

	snprintf(t->facts.session, sizeof(t->facts.session), "%s", o->session);
	snprintf(t->facts.person, sizeof(t->facts.person), "%s", o->person);
	t->facts.started = vy_wall_ms(ts->conf.clock);
	t->start = start_json(o);
	t->asked = o->asked.n ? vy_memdup0(o->asked.p, o->asked.n) : NULL;
	t->opened = fn;
	t->opened_ctx = ctx;
	t->marks = marks_new(o->key);
	sizes_init(&t->sizes, (struct size){ 0, o->cols, o->rows });
	term_read_screen(t, vy_str_n(NULL, 0)); /* a fresh one */
	term_begin(t);
	return 0;
}

/* ---- ending ---- */

bool terms_close(struct terms *ts, struct vy_str id)
{
	struct term *t = find(ts, id);
	bool runs = t && t->state == TERM_RUNS;

	if (runs) {
		t->steps = 0;
		term_close(t);
	} else if (t) {
		term_forget(t);
	}
	return runs;
}

static void end_all(struct terms *ts, const char *session)
{
	struct term *t, *next;

	for (t = TAILQ_FIRST(&ts->all); t; t = next) {
		next = TAILQ_NEXT(t, link);
		if (session && strcmp(t->facts.session, session) != 0) {
			continue;
		}
		if (t->state == TERM_OPENING) {
			term_ended(t, "its session ends");
		} else {
			term_forget(t);
		}
	}
}

void terms_end_session(struct terms *ts, const char *session)
{
	end_all(ts, session);
}

void terms_end_all(struct terms *ts)
{
	end_all(ts, NULL);
}

/* ---- looking ---- */

struct term_viewer *terms_look_at(
	struct terms *ts, struct vy_str id, const struct term_view *v, struct vy_err *e)
{
	struct term *t = find(ts, id);

	if (!t || t->state == TERM_OPENING) {
		vy_fail(e, VY_NOT_FOUND, "there is no such terminal");
		return NULL;
	}
	return viewer_new(t, v, e);
}

/* ---- over a restart ---- */

static bool read_facts(void *ctx, const struct store_row *row)
{
	struct terms *ts = ctx;
	char id[VY_UUID_LEN + 1];

	snprintf(id, sizeof(id), "%.*s", VY_STR_ARG(row->kv.name));
	struct term *t = term_make(ts, id);

	if (!term_read(t, row->kv.value)) {
		t->is_broken = true;
	}
	return true;
}

static bool read_screen(void *ctx, const struct store_row *row)
{
	struct term *t = ctx;

	term_read_screen(t, row->kv.value);
	return true;
}

void terms_boot(struct terms *ts)
{
	struct store_row like = { .kind = ROW_KV, .kv = { .space = VY_STR_LIT("term") } };
	struct vy_err e = { 0 };
	struct term *t, *next;

	if (log_is_read_only(ts->conf.log)) {
		return; /* what a holder says could not be kept: it keeps it */
	}
	rc_sweep(ts->conf.state_dir);
	if (log_each(ts->conf.log, &like, read_facts, ts, &e) != 0) {
		vy_log(VY_LOG_ERROR, "term.boot", "why=%s", vy_log_q(e.text));
	}
	for (t = TAILQ_FIRST(&ts->all); t; t = next) {
		struct store_row key = { .kind = ROW_KV,
			.kv = { .space = VY_STR_LIT("term-screen"),
				.name = vy_str_c(t->facts.id) } };

		next = TAILQ_NEXT(t, link);
		if (t->is_broken) { /* its holder is a stray */
			term_delete_rows(ts->conf.log, vy_str_c(t->facts.id));
			term_drop(t);
			continue;
		}
		if (log_row(ts->conf.log, &key, read_screen, t, &e) != 0) {
			vy_log(VY_LOG_ERROR, "term.boot", "term=%s why=%s", t->facts.id,
				vy_log_q(e.text));
		}
		if (!t->shadow) {
			term_read_screen(t, vy_str_n(NULL, 0));
		}
		vy_log(VY_LOG_INFO, "boot.term", "term=%s session=%s hid=%s from=%llu", t->facts.id,
			t->facts.session, t->facts.hid, (unsigned long long)t->kept);
		VY_CRASH(TERM_BOOT);
		term_go_on(t);
	}
}
