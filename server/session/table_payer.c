/* table_payer.c -- what pays for the agents of all sessions: kept over vyreds, and the one timer of
 * those that wait for a limit to reset (payer.h). */
#include "server/session/table_in.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "server/provider/auth.h"
#include "server/session/payer.h"
#include "server/session/session_in.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define SPACE     VY_STR_LIT("payer")
#define NAME      VY_STR_LIT("all")
#define LOOK_MS   (60LL * 60 * 1000) /* the wall clock may have been set meanwhile */
#define BEHIND_MS 1000               /* a limit that resets now is better asked a moment later */

/* ---- kept ---- */

static void stage(void *ctx)
{
	struct table *t = ctx;
	VY_AUTO_JSON *v = payer_encode(t->payer);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);

	vy_json_dump(v, &text);
	LOG_PUT(t->conf.log, ROW_KV, kv, .space = SPACE, .name = NAME, .value = vy_buf_str(&text));
}

static void keep(struct table *t)
{
	vy_loop_defer(t->conf.loop, stage, t);
}

static bool read_row(void *ctx, const struct store_row *row)
{
	struct table *t = ctx;
	VY_AUTO_JSON *v = vy_json_parse(row->kv.value, NULL);
	struct vy_err e = { 0 };
	struct payer *p = payer_decode(v, &e);

	if (p) {
		payer_free(t->payer);
		t->payer = p;
	} else { /* it is learnt again */
		vy_log(VY_LOG_WARN, "payer", "why=%s", vy_log_q(e.text));
	}
	return false;
}

/* ---- who waits ---- */

static int64_t now_of(const struct table *t)
{
	return vy_wall_ms(t->conf.clock);
}

static void arm(struct table *t)
{
	int64_t due = payer_due(t->payer), ms = due + BEHIND_MS - now_of(t);

	vy_timer_set(t->limit, due == 0 ? -1 : ms < 0 ? 0 : ms > LOOK_MS ? LOOK_MS : ms);
}

static void on_due(void *ctx)
{
	struct table *t = ctx;
	char *id;

	while ((id = payer_take_due(t->payer, now_of(t)))) {
		struct vy_err e = { 0 };
		struct session *s = table_find(t, vy_str_c(id), &e);

		vy_log(VY_LOG_INFO, "limit.over", "session=%s found=%s", id,
			s ? "yes" : vy_log_q(e.text));
		if (s && session_release(s, &e) != 0) {
			vy_log(VY_LOG_WARN, "limit.over", "session=%s why=%s", id,
				vy_log_q(e.text));
		}
		free(id);
		keep(t);
	}
	arm(t);
}

void table_limit_waits(struct table *t, const char *session, int64_t until)
{
	bool is_wanted = until > 0 && t->conf.goes_on_after_limit &&
			 t->conf.goes_on_after_limit(t->conf.ctx);

	if (is_wanted) {
		payer_wait(t->payer, session, until);
	} else if (!payer_wait_no_more(t->payer, session)) {
		return;
	}
	keep(t);
	arm(t);
}

bool table_goes_on_after_limit(struct table *t)
{
	return t->conf.goes_on_after_limit && t->conf.goes_on_after_limit(t->conf.ctx);
}

/* ---- what pays ---- */

static bool has_second(struct table *t, const struct provider_conf *pc)
{
	char secret[AUTH_SECRET_MAX];

	return pc->fallback && auth_secret(pc, pc->fallback, secret) && t->conf.has_secret &&
	       t->conf.has_secret(t->conf.ctx, secret);
}

const char *table_pays(struct table *t, const struct provider_conf *pc)
{
	return payer_of(t->payer, pc, has_second(t, pc), now_of(t));
}

int64_t table_limit_until(struct table *t, const char *provider, const char *auth)
{
	return payer_until(t->payer, provider, auth, now_of(t));
}

struct vy_json *table_limit(const struct table *t, const char *provider, const char *auth)
{
	return payer_limit(t->payer, provider, auth);
}

void table_limit_heard(
	struct table *t, const char *provider, const char *auth, const struct vy_json *limit)
{
	if (payer_heard(t->payer, provider, auth, limit, now_of(t))) {
		keep(t);
	}
}

void table_limit_reached(
	struct table *t, const struct provider_conf *pc, const char *auth, struct payer_next *next)
{
	payer_reached(t->payer, pc->name, auth, now_of(t));
	keep(t);
	*next = payer_next(t->payer, pc, auth, has_second(t, pc), now_of(t));
}

/* [{auth, pays, is_there, limit?, until?}]: what it has, and what is known of each. */
static void add_credential(
	struct table *t, const struct provider_conf *pc, const char *auth, struct vy_json *list)
{
	struct vy_json *limit = payer_limit(t->payer, pc->name, auth);
	int64_t until = payer_until(t->payer, pc->name, auth, now_of(t));
	struct vy_json *o = vy_json_new_obj();
	char secret[AUTH_SECRET_MAX];

	vy_json_set_c(o, "auth", auth);
	vy_json_set_bool(o, "pays", strcmp(auth, table_pays(t, pc)) == 0);
	if (auth_secret(pc, auth, secret)) {
		vy_json_set_c(o, "secret", secret);
		vy_json_set_bool(
			o, "is_set", t->conf.has_secret && t->conf.has_secret(t->conf.ctx, secret));
	}
	vy_json_set(o, "limit", limit);
	if (until > 0) {
		vy_json_set_int(o, "until", until);
	}
	vy_json_add_take(list, o);
}

struct vy_json *table_credentials(struct table *t, const struct provider_conf *pc)
{
	struct vy_json *list = vy_json_new_arr();

	add_credential(t, pc, auth_of(pc), list);
	if (pc->fallback) {
		add_credential(t, pc, pc->fallback, list);
	}
	return list;
}

/* ---- life ---- */

void table_payer_new(struct table *t)
{
	t->payer = payer_new();
	t->limit = vy_loop_timer(t->conf.loop, on_due, t);
}

void table_payer_boot(struct table *t)
{
	struct store_row like = { .kind = ROW_KV, .kv = { .space = SPACE, .name = NAME } };
	struct vy_err e = { 0 };

	if (log_each(t->conf.log, &like, read_row, t, &e) != 0) {
		vy_log(VY_LOG_WARN, "payer", "why=%s", vy_log_q(e.text));
	}
	if (!log_is_read_only(t->conf.log)) {
		arm(t);
	}
}

void table_payer_free(struct table *t)
{
	vy_loop_forget(t->conf.loop, stage, t);
	vy_timer_del(t->limit);
	payer_free(t->payer);
}
