/* table_life.c -- the life of processes: who may have one, who rests, and when (design/life.md).
 *
 * The ledger (live.h) decides, we do. Sessions say how they stand whenever that changed; one timer
 * waits for the one that has been idle the longest, and none while nobody is. Who waits, and since when
 * who is idle is so, is stored with what it comes from: a vyred that is killed goes on from there. The
 * times are of the boot clock, which only means something while the machine runs; so do processes. */
#include "server/session/table_in.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "server/session/session_in.h"
#include "shared/base/clock.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define SPACE VY_STR_LIT("life")
#define NAME  VY_STR_LIT("ledger")

#define NAMED_MOST 3  /* who is busy: so many by name */
#define NAME_MOST  40 /* bytes of a title in a sentence */

static struct table_life limits(const struct table *t)
{
	struct table_life is = { 0 };

	if (t->conf.life) {
		t->conf.life(t->conf.ctx, &is);
	}
	return is;
}

/* ---- what outlives us ---- */

static void stage(void *ctx)
{
	struct table *t = ctx;
	VY_AUTO_JSON *v = live_encode(t->live);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);

	t->live_rev = live_rev(t->live);
	vy_json_dump(v, &text);
	LOG_PUT(t->conf.log, ROW_KV, kv, .space = SPACE, .name = NAME, .value = vy_buf_str(&text));
	VY_CRASH(LIFE_STAGED);
}

static void keep(struct table *t)
{
	if (t->live_rev != live_rev(t->live)) {
		vy_loop_defer(t->conf.loop, stage, t);
	}
}

/* ---- what it decides ---- */

static struct session *of(struct table *t, const char *id)
{
	return table_loaded(t, vy_str_c(id));
}

static void rest(struct table *t, const char *id)
{
	struct session *s = of(t, id);

	if (s && s == t->spare) {
		table_spare_drop(t);
	} else if (s) {
		vy_log(VY_LOG_INFO, "session.rest", "session=%s", session_id(s));
		session_rest(s, "idle");
		VY_CRASH(LIFE_RESTED);
	} else {
		live_is(t->live, id, LIVE_ABSENT, 0);
	}
}

static void go(struct table *t, const char *id)
{
	struct session *s = of(t, id);

	if (s) {
		session_go(s);
		VY_CRASH(LIFE_WENT);
	} else {
		live_is(t->live, id, LIVE_ABSENT, 0);
	}
}

static void waits(struct table *t, const char *id, int64_t position)
{
	struct session *s = of(t, id);
	char note[160];
	size_t n = live_count(t->live);

	snprintf(note, sizeof(note),
		n == 1 ? "One agent is at work, and no more may live. This goes on by itself."
		       : "%zu agents are at work, and no more may live. This goes on by itself.",
		n);
	if (s) {
		session_waits(s, "live-cap", position, note);
		VY_CRASH(LIFE_WAITS);
	}
}

static void arm(struct table *t)
{
	int64_t due = live_due(t->live, limits(t).idle_ms);
	int64_t now = vy_boot_ms(t->conf.clock);

	if (t->is_ending || log_is_read_only(t->conf.log)) {
		due = -1;
	}
	if (due != t->due) {
		t->due = due;
		vy_timer_set(t->idle, due < 0 ? -1 : due > now ? due - now : 0);
	}
}

/* What one does may be what the next is decided from: each is done before it. */
void table_life_work(struct table *t)
{
	struct live_decision d;

	if (t->is_booting || t->is_ending || t->is_deciding || log_is_read_only(t->conf.log)) {
		return;
	}
	t->is_deciding = true;
	live_limit(t->live, limits(t).max_live);
	while (live_next(t->live, &d)) {
		char id[VY_UUID_LEN + 1];

		snprintf(id, sizeof(id), "%s", d.id);
		switch (d.what) {
		case LIVE_GO: go(t, id); break;
		case LIVE_REST: rest(t, id); break;
		case LIVE_WAITS: waits(t, id, d.position); break;
		}
	}
	t->is_deciding = false;
	keep(t);
	arm(t);
}

static void on_idle(void *ctx)
{
	struct table *t = ctx;
	struct live_decision d;
	int64_t idle_ms = limits(t).idle_ms;

	t->due = -1;
	if (!t->is_ending) {
		while (live_expired(t->live, vy_boot_ms(t->conf.clock), idle_ms, &d)) {
			char id[VY_UUID_LEN + 1];

			snprintf(id, sizeof(id), "%s", d.id);
			rest(t, id);
		}
	}
	table_life_work(t);
}

/* ---- what is said to it ---- */

void table_life_is(struct table *t, struct session *s)
{
	enum live_use use = session_use(s);

	if ((int)use == s->use) {
		return; /* by far the most often: a piece of text changes nothing here */
	}
	bool was_busy = s->use == LIVE_BUSY && (use == LIVE_IDLE || use == LIVE_WATCHED);

	s->use = (int)use;
	live_is(t->live, session_id(s), use, vy_boot_ms(t->conf.clock));
	if (session_is_finished(s)) {
		session_rest(s, "done");
	}
	if (was_busy && limits(t).has_spare) {
		table_spare_want(t);
	}
	table_life_work(t);
	if (session_record(s)->started_by && use != LIVE_BUSY) {
		table_teammate_idle(t);
	}
}

void table_want(struct table *t, struct session *s)
{
	if (!table_elsewhere_lets(t, s)) {
		return; /* its conversation must be free first, and then it wishes again */
	}
	if (!table_teammate_may(t, s)) {
		return; /* a slot comes first, and wishes again */
	}
	live_wish(t->live, session_id(s));
	table_life_work(t);
	if (!t->is_booting && !t->is_deciding && live_position(t->live, session_id(s)) == 0) {
		session_soon(s);
	}
}

void table_unwant(struct table *t, struct session *s)
{
	table_elsewhere_unwait(t, s);
	if (!session_is_live(s)) {
		table_slot_give_all(t, SLOTS_TEAMMATE, session_id(s), false);
	}
	live_unwish(t->live, session_id(s));
	table_life_work(t);
}

bool table_has_room(struct table *t)
{
	live_limit(t->live, limits(t).max_live);
	return live_has_room(t->live);
}

bool table_has_free(struct table *t)
{
	struct table_life is = limits(t);

	live_limit(t->live, is.max_live);
	return is.has_spare && live_has_free(t->live);
}

static void name_busy(struct table *t, struct vy_buf *out)
{
	const char *id;
	size_t n = 0;

	for (; (id = live_busy_at(t->live, n)) && n < NAMED_MOST; n++) {
		struct session *s = of(t, id);
		const char *title = s ? session_record(s)->title : NULL;
		struct vy_str name = vy_str_c(title ? title : id);

		name.n = vy_utf8_cut(name, NAME_MOST);
		vy_buf_addf(out, "%s\"%.*s\"", n ? ", " : "", VY_STR_ARG(name));
	}
	if (id) {
		vy_buf_adds(out, ", …");
	}
}

int table_refuse_start(struct table *t, struct vy_err *e)
{
	VY_AUTO_BUF names = VY_BUF_INIT(1024);

	name_busy(t, &names);
	return vy_fail(e, VY_BUSY,
		"%zu of %lld agents are at work (%s): wait for one to be done, stop one, or raise "
		"max_live",
		live_count(t->live), (long long)limits(t).max_live, vy_buf_c(&names));
}

void table_viewers(struct table *t, const char *session)
{
	struct session *s = table_loaded(t, vy_str_c(session));

	if (s) {
		table_life_is(t, s);
	}
}

void table_life_changed(struct table *t)
{
	table_spare_drop(t); /* what it was launched with may be said otherwise now */
	t->due = -2;         /* whatever it was set for, it is set anew */
	table_life_work(t);
}

/* ---- begin and end ---- */

void table_life_new(struct table *t)
{
	t->live = live_new();
	t->due = -1;
	vy_buf_init(&t->spare_key, VY_LINE_MAX);
	t->idle = vy_loop_timer(t->conf.loop, on_idle, t);
}

void table_life_free(struct table *t)
{
	table_spare_free(t);
	vy_loop_forget(t->conf.loop, stage, t);
	vy_timer_del(t->idle);
	live_free(t->live);
}

/* It is out of memory, or was never: nothing of it is known. */
void table_life_drop(struct table *t, struct session *s)
{
	live_unwish(t->live, session_id(s));
	live_is(t->live, session_id(s), LIVE_ABSENT, 0);
	table_life_work(t);
}

/* vyred ends: nobody is started in the places that become free. */
void table_life_end(struct table *t)
{
	t->is_ending = true;
	table_spare_drop(t);
	arm(t);
}

static bool read_ledger(void *ctx, const struct store_row *row)
{
	*(struct vy_json **)ctx = vy_json_parse(row->kv.value, NULL);
	return false;
}

static void say_use(void *ctx, struct session *s)
{
	table_life_is(ctx, s);
}

/* In the order in which they wished; each still has to want it. */
static void take_up_line(struct table *t, const struct vy_json *line)
{
	for (size_t i = 0; i < vy_json_len(line); i++) {
		struct vy_str id = vy_json_strval(vy_json_at(line, i));
		struct vy_err e = { 0 };
		struct session *s = table_loaded(t, id);

		s = s ? s : table_load(t, id, &e);
		if (s && session_wants(s)) {
			live_wish(t->live, session_id(s));
			live_told(t->live, session_id(s), session_place_in_line(s));
		} else {
			vy_log(VY_LOG_WARN, "boot.line", "session=%.*s why=%s", VY_STR_ARG(id),
				s ? "none" : vy_log_q(e.text));
		}
	}
}

void table_life_boot(struct table *t)
{
	struct store_row like = { .kind = ROW_KV, .kv = { .space = SPACE, .name = NAME } };
	struct vy_json *found = NULL;
	struct table_entry *x, *tmp;

	(void)!log_each(t->conf.log, &like, read_ledger, &found, NULL);
	VY_AUTO_JSON *was = found;

	table_each_loaded(t, say_use, t);
	HASH_ITER (hh, t->entries, x, tmp) {
		live_idle_since(t->live, x->id, vy_json_int(vy_json_get(was, "idle"), x->id, 0));
	}
	take_up_line(t, vy_json_get(was, "line"));
	VY_CRASH(LIFE_BOOT);
}
