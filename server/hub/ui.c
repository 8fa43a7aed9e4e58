/* ui.c -- see ui.h. A show is one viewer of the hub; its stage is the core. */
#include "server/hub/ui.h"

#include <stdlib.h>
#include <sys/queue.h>
#include <uthash.h>

#include "server/hub/hub.h"
#include "server/hub/rows.h"
#include "server/hub/ui_stage.h"
#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/clock.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/io/loop.h"
#include "shared/model/fold.h"
#include "shared/base/ban.h"

#define UI_MAGIC  0x75692e75u
#define SUB_MAGIC 0x75692e73u

struct show;

struct ui_sub {
	VY_MAGIC;
	struct show *show;
	struct ui_place place;
	const char *said;
	void (*ready)(void *ctx);
	void *ctx;
	bool is_dry, is_due, is_counted;
	TAILQ_ENTRY(ui_sub) link, in_due;
};

struct show { /* of one session, for persons or for agents */
	struct ui *ui;
	char *session;
	char *name; /* the hash's: 'a' or 'p', and the session */
	bool is_agent;
	struct ui_stage *stage;
	struct hub_sub *frames; /* NULL once it is over */
	struct vy_timer *pause;
	struct vy_arena arena; /* of the frame at hand */
	int code;
	int counted;
	bool is_fresh; /* nothing has come since its rows were read */
	TAILQ_HEAD(, ui_sub) subs;
	UT_hash_handle hh;
};

struct ui {
	VY_MAGIC;
	struct ui_conf conf;
	struct show *shows;
	TAILQ_HEAD(, ui_sub) due;
	bool is_deferred;
};

/* ---- waking ---- */

static void work_off(void *ctx)
{
	struct ui *u = ctx;
	struct ui_sub *s;

	u->is_deferred = false;
	while ((s = TAILQ_FIRST(&u->due))) {
		TAILQ_REMOVE(&u->due, s, in_due);
		s->is_due = false;
		s->ready(s->ctx);
	}
}

static void make_due(struct ui_sub *s)
{
	struct ui *u = s->show->ui;

	if (s->is_dry && !s->is_due) {
		s->is_dry = false;
		s->is_due = true;
		TAILQ_INSERT_TAIL(&u->due, s, in_due);
	}
	if (!u->is_deferred && !TAILQ_EMPTY(&u->due)) {
		u->is_deferred = true;
		vy_loop_defer(u->conf.loop, work_off, u);
	}
}

/* ---- a show ---- */

static int64_t now(const struct show *sh)
{
	return vy_boot_ms(sh->ui->conf.clock);
}

static void close_show(struct show *sh, int code)
{
	struct ui_sub *s;

	hub_unsubscribe(sh->frames);
	sh->frames = NULL;
	sh->code = code;
	HASH_DEL(sh->ui->shows, sh); /* who comes now gets another one */
	vy_timer_set(sh->pause, -1);
	TAILQ_FOREACH (s, &sh->subs, link) {
		make_due(s);
	}
}

/* Whoever is behind hears of it, and what still waits has its time. */
static void tell_all(struct show *sh)
{
	int64_t at = now(sh), due = ui_stage_tick(sh->stage, at);
	struct ui_sub *s;

	vy_timer_set(sh->pause, due == UI_NEVER ? -1 : due - at);
	TAILQ_FOREACH (s, &sh->subs, link) {
		if (s->is_dry && ui_stage_has(sh->stage, &s->place)) {
			make_due(s);
		}
	}
}

static void on_pause(void *ctx)
{
	tell_all(ctx);
}

static void on_frames(void *ctx);

/* The newest rows, and the frames behind them. */
static int open_show(struct show *sh, struct vy_err *e)
{
	const struct ui_conf *c = &sh->ui->conf;
	struct rows_ask ask = { .session = sh->session,
		.rows = UI_ROWS,
		.is_agent = sh->is_agent,
		.is_whole = c->is_whole,
		.ctx = c->ctx };
	struct vy_fold *fold = rows_load(c->log, &ask, e);

	if (!fold) {
		return -1;
	}
	/* of a log that holds nothing any more there is nothing to go on from */
	int64_t cur = (int64_t)vy_fold_state(fold)->cur;
	struct hub_open o = { .session = sh->session,
		.viewer = "",
		.from = cur >= log_floor(c->log, sh->session) - 1 ? cur : HUB_NO_CURSOR,
		.is_merged = true,
		.is_agent = sh->is_agent,
		.ready = on_frames,
		.ctx = sh };

	hub_unsubscribe(sh->frames);
	sh->frames = hub_subscribe(c->hub, &o);
	sh->is_fresh = true;
	hub_stands_for(sh->frames, sh->counted);
	if (sh->stage) {
		ui_stage_renew(sh->stage, fold);
	} else {
		sh->stage = ui_stage_new(fold, log_epoch(c->log));
	}
	return 0;
}

static void begin_again(struct show *sh)
{
	struct vy_err e = { .text = "nothing to go on from" };

	if (sh->is_fresh || open_show(sh, &e) < 0) { /* fresh: it would begin for ever */
		vy_log(VY_LOG_ERROR, "ui.rows", "session=%s err=%s", sh->session, vy_log_q(e.text));
		close_show(sh, HUB_TRY_LATER);
	}
}

/* False: the rows have to be read anew. */
static bool take_frame(struct show *sh, const struct frame_ref *ref)
{
	struct vy_frame f;
	struct vy_err e = { 0 };

	vy_arena_reset(&sh->arena);
	if (vy_frame_decode(frame_ref_str(ref), &sh->arena, &f, &e) < 0) {
		vy_log(VY_LOG_ERROR, "ui.frame", "session=%s cur=%lld err=%s", sh->session,
			(long long)ref->cur, vy_log_q(e.text));
		return true; /* as every other viewer of it */
	}
	return ui_stage_apply(sh->stage, &f, ref->len, now(sh));
}

static void on_frames(void *ctx)
{
	struct show *sh = ctx;
	struct hub_item it;
	bool is_good = true;
	enum hub_got got;

	while (is_good && (got = hub_next(sh->frames, SIZE_MAX, &it)) == HUB_ITEM) {
		is_good =
			it.kind != HUB_RESET && (it.kind != HUB_FRAME || take_frame(sh, it.frame));
		sh->is_fresh = sh->is_fresh && it.kind != HUB_FRAME && it.kind != HUB_HEARTBEAT;
		hub_item_done(&it);
	}
	if (!is_good) {
		begin_again(sh);
	} else if (got == HUB_CLOSED) {
		close_show(sh, hub_code(sh->frames));
	}
	if (sh->frames) {
		tell_all(sh);
	}
}

static void free_show(struct show *sh)
{
	if (!sh->code) {
		HASH_DEL(sh->ui->shows, sh);
	}
	hub_unsubscribe(sh->frames);
	vy_timer_del(sh->pause);
	ui_stage_free(sh->stage);
	vy_arena_fini(&sh->arena);
	free(sh->session);
	free(sh->name);
	free(sh);
}

static struct show *make_show(
	struct ui *u, const struct ui_open *o, const char *name, struct vy_err *e)
{
	struct show *sh = VY_NEW(struct show);

	sh->ui = u;
	sh->session = vy_strdup(o->session);
	sh->name = vy_strdup(name);
	sh->is_agent = o->is_agent;
	sh->pause = vy_loop_timer(u->conf.loop, on_pause, sh);
	vy_arena_init(&sh->arena);
	TAILQ_INIT(&sh->subs);
	HASH_ADD_KEYPTR(hh, u->shows, sh->name, strlen(sh->name), sh);
	if (open_show(sh, e) < 0) {
		free_show(sh);
		return NULL;
	}
	return sh;
}

/* ---- life ---- */

struct ui *ui_new(const struct ui_conf *conf)
{
	struct ui *u = VY_NEW(struct ui);

	VY_MAGIC_SET(u, UI_MAGIC);
	u->conf = *conf;
	TAILQ_INIT(&u->due);
	return u;
}

void ui_free(struct ui *u)
{
	if (u) {
		VY_CHECK(u, UI_MAGIC);
		vy_assert(!u->shows);
		vy_loop_forget(u->conf.loop, work_off, u);
		VY_MAGIC_CLEAR(u);
		free(u);
	}
}

/* ---- a subscription ---- */

static void count(struct show *sh, int change)
{
	sh->counted += change;
	if (change && sh->frames) {
		hub_stands_for(sh->frames, sh->counted);
	}
}

struct ui_sub *ui_subscribe(struct ui *u, const struct ui_open *o, struct vy_err *e)
{
	VY_AUTO_BUF name = VY_BUF_INIT(4096);
	struct show *sh;
	struct ui_sub *s;

	VY_CHECK(u, UI_MAGIC);
	vy_buf_addf(&name, "%c%s", o->is_agent ? 'a' : 'p', o->session);
	HASH_FIND_STR(u->shows, vy_buf_c(&name), sh);
	sh = sh ? sh : make_show(u, o, vy_buf_c(&name), e);
	if (!sh) {
		return NULL;
	}
	s = VY_NEW(struct ui_sub);
	VY_MAGIC_SET(s, SUB_MAGIC);
	s->show = sh;
	s->ready = o->ready;
	s->ctx = o->ctx;
	s->is_counted = o->is_counted;
	s->is_dry = true;
	TAILQ_INSERT_TAIL(&sh->subs, s, link);
	count(sh, s->is_counted);
	make_due(s);
	return s;
}

void ui_unsubscribe(struct ui_sub *s)
{
	struct show *sh;

	if (!s) {
		return;
	}
	VY_CHECK(s, SUB_MAGIC);
	sh = s->show;
	if (s->is_due) {
		TAILQ_REMOVE(&sh->ui->due, s, in_due);
	}
	TAILQ_REMOVE(&sh->subs, s, link);
	count(sh, -(int)s->is_counted);
	if (TAILQ_EMPTY(&sh->subs)) {
		free_show(sh);
	}
	VY_MAGIC_CLEAR(s);
	free(s);
}

bool ui_next(struct ui_sub *s, struct vy_buf *out)
{
	struct show *sh = s->show;

	VY_CHECK(s, SUB_MAGIC);
	s->said = sh->code ? NULL : ui_stage_next(sh->stage, &s->place, out);
	s->is_dry = !s->said && !sh->code;
	return s->said != NULL;
}

const char *ui_said(const struct ui_sub *s)
{
	return s->said;
}

int ui_code(const struct ui_sub *s)
{
	return s->show->code;
}
