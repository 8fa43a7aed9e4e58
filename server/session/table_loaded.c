/* table_loaded.c -- the sessions in memory, and what is done to all of them. */
#include "server/session/table_in.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "server/session/session_in.h"
#include "server/session/table_adopt.h"
#include "server/session/table_copy.h"
#include "shared/base/mem.h"
#include "shared/model/state.h"
#include "shared/base/ban.h"

const struct table_conf *table_conf(const struct table *t)
{
	return &t->conf;
}

static void on_paused(void *ctx, bool is_paused, const struct vy_err *why)
{
	struct table *t = ctx;
	struct table_entry *e, *tmp;

	(void)why; /* the log has said it */
	HASH_ITER (hh, t->entries, e, tmp) {
		session_pause(e->session, is_paused);
	}
}

struct table *table_new(const struct table_conf *conf)
{
	struct table *t = VY_NEW(struct table);

	t->conf = *conf;
	table_defaults_open(t);
	table_slots_open(t);
	table_elsewhere_open(t);
	table_payer_new(t);
	log_on_paused(conf->log, on_paused, t);
	table_life_new(t);
	return t;
}

void table_free(struct table *t)
{
	struct table_entry *e, *tmp;

	if (!t) {
		return;
	}
	log_on_paused(t->conf.log, NULL, t);
	t->is_ending = true;
	table_copy_free(t->copying);
	table_adopt_free(t);
	HASH_ITER (hh, t->entries, e, tmp) {
		HASH_DEL(t->entries, e);
		session_free(e->session);
		free(e);
	}
	vy_json_free(t->models);
	table_elsewhere_free(t);
	slots_free(t->slots);
	table_life_free(t);
	table_payer_free(t);
	free(t);
}

struct session *table_keep(struct table *t, struct session *s)
{
	struct table_entry *e = VY_NEW(struct table_entry);

	snprintf(e->id, sizeof(e->id), "%s", session_id(s));
	e->session = s;
	HASH_ADD_STR(t->entries, id, e);
	return s;
}

void table_drop(struct table *t, struct session *s)
{
	struct table_entry *e = NULL;

	HASH_FIND_STR(t->entries, session_id(s), e);
	vy_assert(e && e->session == s);
	HASH_DEL(t->entries, e);
	free(e);
	table_life_drop(t, s);
	table_slot_give_all(t, SLOTS_SUBAGENT, session_id(s), false);
	table_slot_give_all(t, SLOTS_TEAMMATE, session_id(s), false);
	session_free(s);
}

struct session *table_loaded(struct table *t, struct vy_str id)
{
	struct table_entry *e = NULL;

	HASH_FIND(hh, t->entries, id.p, id.n, e);
	return e ? e->session : NULL;
}

const char *table_state_word(struct table *t, const char *id)
{
	struct session *s = table_loaded(t, vy_str_c(id));
	enum vy_record r;

	if (s && session_place_in_line(s) > 0) {
		return vy_state_word(VY_STATE_PAUSED);
	}
	return s && vy_record_parse(vy_str_c(session_record(s)->state), &r)
		       ? vy_state_word(vy_record_state(r))
		       : vy_state_word(VY_STATE_WAITING);
}

void table_each_loaded(struct table *t, void (*fn)(void *ctx, struct session *s), void *ctx)
{
	struct table_entry *e, *tmp;

	HASH_ITER (hh, t->entries, e, tmp) {
		fn(ctx, e->session);
	}
}

/* ---- the end ---- */

static void drain_one(void *ctx, struct session *s)
{
	(void)ctx;
	session_drain(s);
}

void table_drain(struct table *t)
{
	table_life_end(t);
	table_each_loaded(t, drain_one, NULL);
}

static void count_live(void *ctx, struct session *s)
{
	*(size_t *)ctx += session_is_live(s) && !session_is_busy(s);
}

bool table_is_quiet(struct table *t)
{
	size_t live = 0;

	table_each_loaded(t, count_live, &live);
	/* Of a damaged log nobody can be told to end; holders keep what they have. */
	return live == 0 || log_is_read_only(t->conf.log);
}

static void count_all(void *ctx, struct session *s)
{
	*(size_t *)ctx += session_is_live(s) || session_has_shell(s);
}

bool table_is_still(struct table *t)
{
	size_t live = 0;

	table_each_loaded(t, count_all, &live);
	return live == 0 || log_is_read_only(t->conf.log);
}

static void stop_one(void *ctx, struct session *s)
{
	if (session_is_live(s) || session_has_shell(s) || session_wants(s)) {
		(void)session_stop(s, *(int64_t *)ctx, NULL);
	}
}

void table_stop_all(struct table *t, int64_t grace_ms)
{
	table_life_end(t);
	table_each_loaded(t, stop_one, &grace_ms);
}
