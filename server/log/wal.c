/* wal.c -- see wal.h. */
#include "server/log/wal.h"

#include <stdint.h>
#include <stdlib.h>

#include "server/io/db.h"
#include "server/io/work.h"
#include "shared/base/crash.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

struct wal {
	struct db *db;
	struct db *side; /* the worker's; opened by its first job */
	char *path;
	struct work *work;
	struct vy_timer *idle;
	void (*go)(void *ctx);
	void *go_ctx;
	int64_t left;              /* bytes the last checkpoint could not copy */
	int64_t next;              /* past this the worker checkpoints again */
	int64_t ceiling;           /* commits are held past this */
	unsigned commits, at_idle; /* so far; when the idle timer was set */
	bool is_running, is_held, wants_cut;
	bool is_stale; /* the one that runs began before the hold */
};

/* ---- on the worker ---- */

static int checkpoint(void *ctx, struct vy_err *e)
{
	struct wal *w = ctx;

	if (!w->side && !(w->side = db_open_side(w->path, e))) {
		return -1;
	}
	VY_CRASH(WAL_CHECKPOINT);
	int rc = db_checkpoint(w->side, &w->left, e);

	VY_CRASH(WAL_CHECKED);
	return rc;
}

/* ---- on the loop ---- */

static void cut(struct wal *w)
{
	struct vy_err e = { 0 };

	w->wants_cut = false;
	/* Somebody reads it, or a commit came in between: then next time. */
	if (w->left == 0 && w->commits == w->at_idle && db_truncate_wal(w->db, &e) < 0 &&
		e.code != VY_RETRY) {
		vy_log(VY_LOG_WARN, "wal.cut", "err=%s", vy_log_q(e.text));
	}
}

static void checkpointed(void *ctx, int rc, const struct vy_err *e);

static void start(struct wal *w)
{
	if (!w->is_running) {
		w->is_running = true;
		work_add_first(w->work, checkpoint, checkpointed, w);
	}
}

/* The log waits. One that began before the last commits calls itself whole and is not; the next,
 * with nobody writing, gets all. When even that does not (a reader, a failing disk), the log
 * matters more than the size of a file: go on, and hold again some way up. */
static void held(struct wal *w)
{
	if (w->is_stale) {
		w->is_stale = false;
		start(w);
		return;
	}
	w->is_held = false;
	w->ceiling = db_wal_bytes(w->db) + WAL_HARD;
	if (w->go) {
		w->go(w->go_ctx);
	}
}

static void checkpointed(void *ctx, int rc, const struct vy_err *e)
{
	struct wal *w = ctx;

	w->is_running = false;
	if (rc < 0) {
		vy_log(VY_LOG_WARN, "wal.checkpoint", "err=%s", vy_log_q(e->text));
	}
	if (w->is_held) {
		held(w);
	} else if (w->wants_cut) {
		cut(w);
	}
}

static void on_idle(void *ctx)
{
	struct wal *w = ctx;

	if (w->commits != w->at_idle) {
		w->at_idle = w->commits;
		vy_timer_set(w->idle, WAL_IDLE_MS);
	} else if (db_wal_bytes(w->db) > WAL_IDLE) {
		w->wants_cut = true;
		start(w);
	}
}

bool wal_must_hold(struct wal *w)
{
	if (w->work && !w->is_held && db_wal_bytes(w->db) > w->ceiling) {
		w->is_held = true;
		w->is_stale = w->is_running;
		start(w);
	}
	return w->is_held;
}

void wal_on_go(struct wal *w, void (*go)(void *ctx), void *ctx)
{
	w->go = go;
	w->go_ctx = ctx;
}

void wal_committed(struct wal *w)
{
	int64_t bytes = db_wal_bytes(w->db);

	w->commits++;
	if (!w->work) {
		return;
	}
	if (bytes <= WAL_SOFT) {
		w->next = WAL_SOFT;
		w->ceiling = WAL_HARD;
	} else if (bytes > w->next) {
		w->next = bytes + WAL_STEP;
		start(w);
	}
	if (bytes > WAL_IDLE && !vy_timer_is_set(w->idle)) {
		w->at_idle = w->commits;
		vy_timer_set(w->idle, WAL_IDLE_MS);
	}
}

struct wal *wal_new(struct db *d, const char *path, struct vy_loop *loop, struct work *work)
{
	struct wal *w = VY_NEW(struct wal);

	w->db = d;
	w->path = vy_strdup(path);
	w->work = loop ? work : NULL;
	w->next = WAL_SOFT;
	w->ceiling = WAL_HARD;
	w->idle = w->work ? vy_loop_timer(loop, on_idle, w) : NULL;
	return w;
}

void wal_free(struct wal *w)
{
	if (!w) {
		return;
	}
	w->go = NULL;
	w->wants_cut = false;
	if (w->is_running) {
		work_drain(w->work);
	}
	vy_timer_del(w->idle);
	db_close(w->side);
	free(w->path);
	free(w);
}
