/* term.c -- one terminal from its row to its end (term_in.h).
 *
 * It comes to be in steps, each behind the one before: its row is committed, a holder is started, a shell in
 * it. It ends when the holder says so or is gone. How it goes away is a matter of its timer: hung
 * up, told to end, killed; nobody looked for so long; ended so long ago. */
#include "server/term/term_in.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/log/log.h"
#include "server/term/viewer.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/vt/vt.h"
#include "shared/base/ban.h"

#define STEP_MS   2000 /* between a hang-up, a request and the kill */
#define LINGER_MS 2000 /* one that was closed is seen to end */

/* ---- memory ---- */

static void on_timer(void *ctx);

struct term *term_make(struct terms *ts, const char *id)
{
	struct term *t = VY_NEW(struct term);

	VY_MAGIC_SET(t, TERM_MAGIC);
	t->terms = ts;
	t->calls = 1; /* the table's own */
	snprintf(t->facts.id, sizeof(t->facts.id), "%s", id);
	t->next_seq = 1;
	reel_init(&t->ring, 0);
	TAILQ_INIT(&t->viewers);
	t->timer = vy_loop_timer(ts->conf.loop, on_timer, t);
	t->active_ms = vy_boot_ms(ts->conf.clock);
	TAILQ_INSERT_TAIL(&ts->all, t, link);
	ts->n++;
	return t;
}

void term_came(struct term *t)
{
	VY_CHECK(t, TERM_MAGIC);
	if (--t->calls == 0) {
		VY_MAGIC_CLEAR(t);
		free(t);
	}
}

/* What is to come of the log finds one that does nothing more. */
void term_drop(struct term *t)
{
	struct terms *ts = t->terms;
	struct term_viewer *v;

	VY_CHECK(t, TERM_MAGIC);
	vy_assert(ts != NULL);
	while ((v = TAILQ_FIRST(&t->viewers))) {
		viewer_cut(v);
	}
	TAILQ_REMOVE(&ts->all, t, link);
	ts->n--;
	t->terms = NULL;
	vy_timer_del(t->timer);
	t->timer = NULL;
	if (!t->is_leaving) {
		hold_free(t->hold);
		t->hold = NULL;
	}
	vy_wipe(t->token, sizeof(t->token));
	vy_json_free(t->start);
	t->start = NULL;
	marks_free(t->marks);
	t->marks = NULL;
	free(t->asked);
	t->asked = NULL;
	term_prologue_drop(t->prologue);
	t->prologue = NULL;
	vy_vt_free(t->shadow);
	t->shadow = NULL;
	reel_fini(&t->ring);
	sizes_fini(&t->sizes);
	term_came(t);
}

const struct term_facts *term_facts_now(struct term *t)
{
	struct size last = sizes_last(&t->sizes);

	t->facts.cols = last.cols;
	t->facts.rows = last.rows;
	t->facts.floor = t->ring.floor;
	t->facts.end = t->ring.end > t->caught ? t->ring.end : t->caught;
	t->facts.viewers = (int)t->crowd.n;
	return &t->facts;
}

static void tell(struct term *t, void (*fn)(void *ctx, const struct term_facts *f))
{
	if (fn) {
		fn(t->terms->conf.ctx, term_facts_now(t));
	}
}

void term_wake(struct term *t)
{
	struct term_viewer *v;

	TAILQ_FOREACH (v, &t->viewers, link) {
		viewer_wake(v);
	}
}

/* ---- it begins ---- */

static void begin(void *ctx, bool committed)
{
	struct term *t = ctx;

	if (!t->terms) {
		term_came(t);
		return;
	}
	t->calls--; /* the table's own is still there */
	if (committed) {
		term_start(t);
	} else {
		term_ended(t, "the server could not store it");
	}
}

void term_begin(struct term *t)
{
	hold_new_id(t->facts.hid, t->token);
	term_put(t);
	VY_CRASH(TERM_STAGED);
	t->calls++;
	log_after(t->terms->conf.log, begin, t);
}

/* ---- it ends ---- */

/* Opened for nobody: nothing is left of it. */
static void end_unopened(struct term *t, const char *why)
{
	terms_opened_fn *fn = t->opened;
	void *ctx = t->opened_ctx;
	struct vy_err e = { 0 };

	t->opened = NULL;
	vy_fail(&e, VY_IO, "no terminal could be opened: %s", why);
	vy_log(VY_LOG_WARN, "term.refused", "term=%s session=%s why=%s", t->facts.id,
		t->facts.session, vy_log_q(why));
	term_forget(t);
	if (fn) {
		fn(ctx, NULL, &e);
	}
}

void term_ended(struct term *t, const char *why)
{
	if (t->state == TERM_OPENING) {
		end_unopened(t, why);
		return;
	}
	if (t->facts.is_closing && t->hold) {
		hold_signal(t->hold, SIGKILL, true); /* whatever its shell left */
	}
	if (t->state != TERM_ENDED) {
		t->state = TERM_ENDED;
		t->facts.ended = vy_wall_ms(t->terms->conf.clock);
		snprintf(t->facts.why, sizeof(t->facts.why), "%s", why);
		term_put(t);
		VY_CRASH(TERM_ENDED);
		vy_log(VY_LOG_INFO, "term.ended", "term=%s session=%s status=%d signal=%d why=%s",
			t->facts.id, t->facts.session, t->facts.status, t->facts.signal,
			vy_log_q(why));
		tell(t, t->terms->conf.ops->ended);
	}
	term_wake(t);
	term_rest(t);
}

/* Behind the commit that forgets it. A vyred that dies before leaves a stray, which the next one ends. */
static void let_go(void *ctx, bool committed)
{
	struct term *t = ctx;

	VY_CRASH(TERM_LEFT);
	if (t->hold && committed) {
		hold_signal(t->hold, SIGKILL, true);
		hold_bye(t->hold);
	}
	hold_free(t->hold);
	t->hold = NULL;
	term_came(t);
}

void term_forget(struct term *t)
{
	struct terms *ts = t->terms;
	struct term_facts was = *term_facts_now(t);

	term_delete_rows(ts->conf.log, vy_str_c(was.id));
	t->is_leaving = true;
	t->calls++;
	log_after(ts->conf.log, let_go, t);
	term_drop(t);
	if (was.pid) {
		vy_log(VY_LOG_INFO, "term.closed", "term=%s session=%s", was.id, was.session);
		if (ts->conf.ops->closed) {
			ts->conf.ops->closed(ts->conf.ctx, &was);
		}
	}
}

void term_close(struct term *t)
{
	static const int signals[] = { SIGHUP, SIGTERM, SIGKILL };
	int last = (int)VY_COUNT(signals) - 1, step = t->steps < last ? t->steps : last;

	if (!t->facts.is_closing) {
		t->facts.is_closing = true;
		term_put(t);
	}
	t->steps++;
	if (t->hold) {
		hold_signal(t->hold, signals[step], true);
	}
	term_rest(t);
}

/* ---- its timer ---- */

static int64_t idle_left(const struct term *t)
{
	const struct terms_conf *c = &t->terms->conf;
	int64_t keep = c->keep_ms(c->ctx);
	int64_t left = t->active_ms + keep - vy_boot_ms(c->clock);

	if (keep <= 0 || t->crowd.n > 0 || t->state != TERM_RUNS) {
		return -1;
	}
	return left > 0 ? left : 0;
}

static int64_t ended_left(const struct term *t)
{
	int64_t stay = t->facts.is_closing ? LINGER_MS : VY_TERM_AFTER_MS;
	int64_t left = t->facts.ended + stay - vy_wall_ms(t->terms->conf.clock);

	return left < 0 ? 0 : left > stay ? stay : left;
}

void term_rest(struct term *t)
{
	vy_timer_set(t->timer, t->state == TERM_ENDED ? ended_left(t)
			       : t->facts.is_closing  ? STEP_MS
						      : idle_left(t));
}

static void on_timer(void *ctx)
{
	struct term *t = ctx;

	VY_CHECK(t, TERM_MAGIC);
	if (t->state == TERM_ENDED) {
		term_forget(t);
	} else if (t->facts.is_closing) {
		term_close(t);
	} else if (idle_left(t) == 0) {
		vy_log(VY_LOG_INFO, "term.idle", "term=%s session=%s", t->facts.id,
			t->facts.session);
		term_close(t);
	} else {
		term_rest(t);
	}
}

/* ---- over a restart ---- */

void term_go_on(struct term *t)
{
	t->is_resumed = true;
	t->state = t->facts.ended ? TERM_ENDED : t->facts.pid ? TERM_RUNS : TERM_OPENING;
	if (t->facts.is_closing) {
		t->steps = 2; /* its time was over, or ended with the earlier vyred */
	}
	if (!t->is_unheld) {
		term_attach(t);
	}
	term_rest(t);
}
